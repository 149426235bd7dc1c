/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Neighbours in the NSEC3 chain against a search through all hashes: names of
 * the table, of caches, of challenges in several zones, both ends of the
 * circle.
 */

#include "tap.h"
#include "tcb_hashed.h"
#include "tcr_compile_overlay.h"
#include "testcdn.h"

#define CACHES      7
#define CHALLENGES  40            /* in each of three domains                */
#define QUESTIONS   20000
#define NAMES_MAX   1000


typedef struct {
    char     name[80];
    uint8_t  hash[TCR_NSEC3_HASH];
} entry_t;


static testcdn_t     cdn;
static tcr_nsec3_t  *hasher;
static entry_t       all[NAMES_MAX];
static size_t        n_all;
static uint64_t      state = 1;


static uint64_t
draw(void)
{
    state = state * UINT64_C(6364136223846793005)
            + UINT64_C(1442695040888963407);
    return state >> 33;
}


/* Text of the arena. */
static tcr_str_t
keep(tcr_buf_t *b)
{
    tcr_str_t  text = tcr_arena_strdup(cdn.arena, tcr_str_n(b->data, b->len));

    tcr_buf_free(b);
    return text;
}


static tcr_str_t
snapshot(void)
{
    int        i;
    tcr_buf_t  b;

    tcr_buf_init(&b, 1 << 20);
    tcr_buf_printf(&b, "{\"stats\":{\"date\":1},\"config\":{\"domain_name\":"
                   "\"cdn.example.net\",\"dnssec.enabled\":\"true\"},"
                   "\"contentRouters\":{\"tr1\":{\"fqdn\":"
                   "\"tr1.cdn.example.net\",\"ip\":\"203.0.113.53\","
                   "\"status\":\"ONLINE\"}},\"monitors\":{},"
                   "\"edgeLocations\":{\"g\":{\"latitude\":1,"
                   "\"longitude\":2}},\"contentServers\":{");

    for (i = 0; i < CACHES; i++) {
        tcr_buf_printf(&b, "%s\"c%d\":{\"cacheGroup\":\"g\",\"locationId\":"
                       "\"g\",\"fqdn\":\"c%d.example.net\",\"hashId\":\"c%d\","
                       "\"hashCount\":1,\"ip\":\"192.0.2.%d\",\"port\":80,"
                       "\"status\":\"REPORTED\",\"type\":\"EDGE\","
                       "\"deliveryServices\":{\"a\":[\"c%d.a.cdn.example.net\""
                       "]}}", i != 0 ? "," : "", i, i, i, i + 1, i);
    }

    tcr_buf_printf(&b, "},\"deliveryServices\":{\"a\":"
                   "{\"coverageZoneOnly\":\"true\",\"routingName\":\"edge\""
                   ",\"domains\":[\"a.cdn.example.net\"],\"staticDnsEntries\":"
                   "[{\"name\":\"deep.sub\",\"type\":\"A\",\"value\":"
                   "\"192.0.2.9\",\"ttl\":30}],\"matchsets\":[{\"protocol\":"
                   "\"DNS\",\"matchlist\":[{\"match-type\":\"HOST\",\"regex\":"
                   "\".*\\\\.a\\\\..*\"}]}]}}}");

    return keep(&b);
}


static tcr_str_t
list(void)
{
    int        i;
    tcr_buf_t  b;

    tcr_buf_init(&b, 1 << 20);
    tcr_buf_str(&b, TCR_STR("{\"response\":["));

    for (i = 0; i < 3 * CHALLENGES; i++) {
        tcr_buf_printf(&b, "%s{\"fqdn\":\"t%d.x%d.%scdn.example.net\","
                       "\"record\":\"y\"}", i != 0 ? "," : "", i, i % 5,
                       i % 3 == 0 ? "" : i % 3 == 1 ? "a." : "b.a.");
    }

    tcr_buf_str(&b, TCR_STR("]}"));
    return keep(&b);
}


static void
publish(void)
{
    tcr_err_t            err = { "no memory" };
    tcr_build_t         *routing, *health, *b;
    tcr_image_t          img = { 0 };
    tcr_crconfig_t       cfg;
    tcr_json_doc_t       doc;
    tcr_publisher_t     *pub;
    tcr_challenges_t     challenges;
    tcr_publication_t    items[3] = {
        { .slot = TCR_SLOT_ROUTING }, { .slot = TCR_SLOT_HEALTH },
        { .slot = TCR_SLOT_OVERLAY }
    };
    tcr_compile_input_t  in = {
        .crconfig = &cfg, .router = "tr1", .chains = true,
        .nsec3 = { 1, TCR_STR("c0ffee") }
    };
    tcr_overlay_input_t  overlay = { .acme = &challenges, .routing = &img };

    if (tcr_json_parse(&doc, cdn.arena, "s", snapshot(), &err) != 0
        || tcr_crconfig_parse(&cfg, cdn.arena, &doc, &cdn.report, &err) != 0
        || tcr_compile_routing(&in, &routing, &health, &cdn.report, &err) != 0
        || tcr_build_finish(routing, NULL, &items[0].data, &items[0].size,
                            &err) != 0
        || tcr_build_finish(health, NULL, &items[1].data, &items[1].size,
                            &err) != 0
        || tcr_json_parse(&doc, cdn.arena, "c", list(), &err) != 0
        || tcr_challenges_parse(&challenges, cdn.arena, &doc, &cdn.report,
                                &err) != 0)
    {
        testcdn_fail("images", &err);
    }

    img.base = items[0].data;
    img.size = items[0].size;
    img.header = items[0].data;
    pub = tcr_publisher_open(cdn.dir, &err);

    if (tcr_compile_overlay(&overlay, &b, &cdn.report, &err) != 0
        || tcr_build_finish(b, NULL, &items[2].data, &items[2].size, &err) != 0
        || pub == NULL || tcr_publish(pub, items, 3, NULL, &err) != 0)
    {
        testcdn_fail("publish", &err);
    }

    tcr_publisher_close(pub);
    tcr_build_destroy(routing);
    tcr_build_destroy(health);
    tcr_build_destroy(b);
}


static void
expect(const char *name)
{
    size_t  i;

    for (i = 0; i < n_all && strcmp(all[i].name, name) != 0; i++) {
        continue;
    }

    if (i == n_all) {
        snprintf(all[i].name, sizeof(all[i].name), "%s", name);
        (void) tcr_nsec3_hash(hasher, tcr_str(name), all[i].hash);
        n_all++;
    }
}


static int
by_hash(const void *a, const void *b)
{
    return memcmp(((const entry_t *) a)->hash, ((const entry_t *) b)->hash,
                  TCR_NSEC3_HASH);
}


/* Every name of the service's zone; those of "b.a" lie in it as well. */
static void
expect_all(void)
{
    int   i;
    char  name[80];

    expect("a.cdn.example.net");
    expect("edge.a.cdn.example.net");
    expect("tr1.a.cdn.example.net");
    expect("sub.a.cdn.example.net");
    expect("deep.sub.a.cdn.example.net");
    expect("b.a.cdn.example.net");

    for (i = 0; i < CACHES; i++) {
        snprintf(name, sizeof(name), "c%d.a.cdn.example.net", i);
        expect(name);
    }

    for (i = 0; i < 3 * CHALLENGES; i++) {

        if (i % 3 == 0) {
            continue;
        }

        snprintf(name, sizeof(name), "x%d.%sa.cdn.example.net", i % 5,
                 i % 3 == 1 ? "" : "b.");
        expect(name);
        snprintf(name, sizeof(name), "t%d.x%d.%sa.cdn.example.net", i, i % 5,
                 i % 3 == 1 ? "" : "b.");
        expect(name);
    }

    qsort(all, n_all, sizeof(all[0]), by_hash);
}


static bool
is_right(const tcr_img_dns_zone_t *zone, const uint8_t *hash)
{
    char                   text[TCR_NSEC3_TEXT + 1];
    size_t                 i;
    tcb_hashed_t           found;
    const entry_t         *before, *after;

    for (i = 0; i < n_all && memcmp(all[i].hash, hash, TCR_NSEC3_HASH) <= 0;
         i++)
    {
        continue;
    }

    before = &all[(i + n_all - 1) % n_all];
    after = &all[i % n_all];
    tcr_nsec3_text(hash, text);

    if (tcb_hashed_neighbours(cdn.view, zone, tcr_str(text), cdn.arena, &found)
        != 0)
    {
        return false;
    }

    tcr_nsec3_text(before->hash, text);

    if (strcmp(found.before, text) != 0
        || !tcr_str_eq(found.owner, tcr_str(before->name)))
    {
        printf("# before %s: %s\n", before->name, found.owner.data);
        return false;
    }

    tcr_nsec3_text(after->hash, text);
    return strcmp(found.after, text) == 0;
}


int
main(void)
{
    size_t                     i, k, wrong = 0;
    uint8_t                    hash[TCR_NSEC3_HASH];
    tcb_hashed_t               found;
    const tcr_img_dns_zone_t  *zone;
    tcr_nsec3_params_t         params = { 1, TCR_STR("C0FFEE") };

    testcdn_make(&cdn);
    publish();
    testcdn_view(&cdn);
    hasher = tcr_nsec3_create(&params);
    expect_all();
    zone = tcb_zone_exact(cdn.view, TCR_STR("a.cdn.example.net"));

    if (zone == NULL) {
        printf("Bail out! %s\n", cdn.report.first->text);
        return 1;
    }

    for (i = 0; i < n_all; i++) {
        wrong += !is_right(zone, all[i].hash);
    }

    is_int(wrong, 0, "%zu names", n_all);

    for (i = 0, wrong = 0; i < QUESTIONS; i++) {

        for (k = 0; k < sizeof(hash); k++) {
            hash[k] = (uint8_t) draw();
        }

        wrong += !is_right(zone, hash);
    }

    is_int(wrong, 0, "%d hashes", QUESTIONS);
    memset(hash, 0, sizeof(hash));
    ok(is_right(zone, hash), "before the first");
    memset(hash, 0xff, sizeof(hash));
    ok(is_right(zone, hash), "behind the last");
    ok(tcb_hashed_neighbours(cdn.view, zone, TCR_STR("edge"), cdn.arena,
                             &found) != 0, "a name is no hash");

    tcr_nsec3_destroy(hasher);
    testcdn_close(&cdn);

    return done();
}
