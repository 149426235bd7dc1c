/* SPDX-License-Identifier: Apache-2.0 */

/*
 * From the recorded key document to the keys image and the overlay's DS: every
 * field in its place, when a DS is shown and when not any more.
 */

#include "jsonl.h"
#include "tap.h"
#include "tcr_compile_keys.h"
#include "tcr_compile_overlay.h"

#define KEYS_FILE  "t/conformance/e2e/inputs/dnsseckeys.json"
#define CDN        "cdn.example.net"
#define NOW        INT64_C(1800000000)


static tcr_arena_t       *arena;
static tcr_dnsseckeys_t   keys;
static tcr_file_t         file;
static tcr_report_t       report;


static void
bail(const tcr_err_t *err)
{
    printf("Bail out! %s\n", err->text);
    exit(1);
}


static void
read_keys(void)
{
    size_t          i;
    tcr_err_t       err;
    tcr_json_doc_t  doc;

    if (tcr_file_map(&file, KEYS_FILE, 1u << 20, &err) != 0
        || tcr_json_parse(&doc, arena, KEYS_FILE, file.text, &err) != 0
        || tcr_dnsseckeys_parse(&keys, arena, &doc, 60, NULL, &err) != 0)
    {
        bail(&err);
    }

    for (i = 0; i < keys.n; i++) {
        keys.items[i].inception = NOW - 1000;
        keys.items[i].effective = NOW - 1000;
        keys.items[i].expiration = NOW + 1000;
    }
}


static tcr_image_t
finished(tcr_build_t *b, tcr_slot_e slot)
{
    void       *data;
    size_t      size;
    tcr_err_t   err;

    if (tcr_build_finish(b, NULL, &data, &size, &err) != 0
        || tcr_image_verify(data, size, slot, &err) != 0)
    {
        bail(&err);
    }

    return (tcr_image_t) { data, size, data, false };
}


static tcr_image_t
keys_image(const tcr_keys_input_t *in, tcr_build_t **b)
{
    tcr_err_t  err;

    if (tcr_compile_keys(in, b, &report, &err) != 0) {
        bail(&err);
    }

    return finished(*b, TCR_SLOT_KEYS);
}


static tcr_image_t
overlay_image(const tcr_ds_input_t *ds, tcr_build_t **b)
{
    tcr_err_t            err;
    tcr_overlay_input_t  in = { .ds = *ds };

    if (tcr_compile_overlay(&in, b, NULL, &err) != 0) {
        bail(&err);
    }

    return finished(*b, TCR_SLOT_OVERLAY);
}


/* DS of the owner; NULL when there is none. */
static const tcr_img_ds_t *
ds_of(const tcr_image_t *img, const char *owner)
{
    uint32_t                  i;
    const tcr_img_overlay_t  *root = tcr_image_root(img);
    const tcr_img_ds_t       *all = tcr_image_vec(img, &root->ds);

    for (i = 0; i < root->ds.n; i++) {

        if (tcr_str_eq(tcr_image_str(img, all[i].owner), tcr_str(owner))) {
            return &all[i];
        }
    }

    return NULL;
}


static void
image(void)
{
    uint32_t                   i;
    tcr_build_t               *b;
    tcr_image_t                img;
    tcr_zone_keys_t            zone;
    tcr_keys_input_t           in = { .keys = &keys, .allow_expired = true };
    const tcr_img_keys_t      *root;
    const tcr_img_key_zone_t  *found;

    img = keys_image(&in, &b);
    root = tcr_image_root(&img);
    is_int(root->zones.n, 9, "zones of the document");

    found = tcr_keys_zone(&img, TCR_STR(CDN));
    ok(found != NULL, "the CDN's is found");
    ok(tcr_keys_zone(&img, TCR_STR("no." CDN)) == NULL, "another is not");

    zone = tcr_keys_of(&img, found);
    is_int(zone.n, 2, "its keys");
    ok(zone.allow_expired, "expired ones are allowed");
    is_int(zone.max_ttl, 86400, "longest TTL when nothing is known");

    for (i = 0; i < zone.n; i++) {
        ok(tcr_str_starts(tcr_image_str(&img, zone.keys[i].private_key),
                          TCR_STR("Private-key-format: v1.")),
           "key %u: text for PowerDNS", i);
        is_int(zone.keys[i].expiration, NOW + 1000, "... expiration");
        is_int(zone.keys[i].ds_known, 0, "... nobody looked for a DS");
    }

    is_int(tcr_compile_keys_next(&img, NOW), NOW + 1001, "next change");
    tcr_build_destroy(b);

    in.keys = NULL;
    img = keys_image(&in, &b);
    root = tcr_image_root(&img);
    is_int(root->zones.n, 0, "DNSSEC is off: no zones");
    is_int(tcr_compile_keys_next(&img, NOW), INT64_MAX, "... no change");
    tcr_build_destroy(b);
}


static void
denials(void)
{
    uint32_t                   i, n;
    tcr_build_t               *b;
    tcr_image_t                img;
    tcr_keys_input_t           in = {
        .keys = &keys, .denial = TCR_DENIAL_NSEC3_NARROW
    };
    const tcr_img_keys_t      *root;
    const tcr_img_key_zone_t  *zones;

    keys.items[0].algorithm = 5;
    img = keys_image(&in, &b);
    root = tcr_image_root(&img);
    zones = tcr_image_vec(&img, &root->zones);

    for (i = 0, n = 0; i < root->zones.n; i++) {
        n += zones[i].denial == TCR_DENIAL_NSEC3_NARROW;
    }

    is_int(n, root->zones.n - 1, "NSEC3 in all zones but one");
    is_int(tcr_keys_zone(&img, keys.items[0].zone)->denial, TCR_DENIAL_NSEC,
           "not with RSASHA1");
    ok(strstr(report.first->text, "\" stays with NSEC: a key has algorithm 5, "
              "NSEC3 goes with 6 and more") != NULL, "%s", report.first->text);
    tcr_build_destroy(b);
    keys.items[0].algorithm = 8;
}


/* A date no clock will see must not make the image unusable. */
static void
dates(void)
{
    tcr_build_t       *b;
    tcr_keys_input_t   in = { .keys = &keys };

    keys.items[0].expiration = INT64_MAX;
    (void) keys_image(&in, &b);
    ok(true, "the end of time");
    tcr_build_destroy(b);
    keys.items[0].expiration = NOW + 1000;
}


static void
known(void)
{
    size_t                 i;
    char                   text[TCR_DS_TEXT] = "";
    tcr_err_t              err;
    tcr_build_t           *b;
    tcr_image_t            img;
    tcr_ds_known_t         model;
    tcr_json_doc_t         doc;
    tcr_zone_keys_t        zone;
    tcr_keys_input_t       in = { .keys = &keys, .known = &model };

    for (i = 0; i < keys.n; i++) {

        if ((keys.items[i].flags & TCR_DNSSEC_SEP) != 0
            && tcr_str_eq(keys.items[i].zone, TCR_STR(CDN))
            && tcr_dnsseckey_ds_text(&keys.items[i], text) != 0)
        {
            text[0] = '\0';
        }
    }

    if (tcr_json_parse(&doc, arena, "known",
                       tcr_str(tcr_arena_printf(arena, "{\"known\":["
                               "{\"zone\":\"" CDN ".\",\"ds\":\"1 8 2 AA\","
                               "\"since\":1},{\"zone\":\"" CDN ".\",\"ds\":"
                               "\"%s\",\"since\":77},{\"zone\":\"" CDN ".\","
                               "\"ds\":\"x\",\"since\":0}]}", text)), &err)
        != 0
        || tcr_ds_known_parse(&model, arena, &doc, NULL, &err) != 0)
    {
        bail(&err);
    }

    is_int(model.n, 2, "entries that can be used");
    img = keys_image(&in, &b);
    zone = tcr_keys_of(&img, tcr_keys_zone(&img, TCR_STR(CDN)));

    for (i = 0; i < zone.n; i++) {
        is_int(zone.keys[i].ds_known,
               zone.keys[i].flags == TCR_DNSKEY_KSK ? 77 : 0,
               "%s: since when its DS is known",
               zone.keys[i].flags == TCR_DNSKEY_KSK ? "KSK" : "ZSK");
    }

    tcr_build_destroy(b);
}


static void
ds(void)
{
    tcr_build_t         *b, *first, *second;
    tcr_image_t          img, before, after;
    tcr_ds_input_t       in = { .keys = &img, .ttl = 60, .now = NOW };
    tcr_keys_input_t     from = { .keys = &keys, .allow_expired = true };
    const tcr_img_ds_t  *found;

    img = keys_image(&from, &b);
    before = overlay_image(&in, &first);
    found = ds_of(&before, CDN);
    is_str(tcr_image_str(&before, found->text).data,
           "18670 8 2 1C544728EFE1A787F3790F101863049D71D1F6BD6EAB12B5969FE200"
           "F7AA7B08", "DS of the CDN's zone");
    is_int(found->ttl, 60, "... TTL");
    is_int(found->since, 0, "the first overlay shows it at once");
    is_int(found->until, INT64_MAX, "expired keys go on: no end");

    in.previous = &before;
    in.now = NOW + 10;
    after = overlay_image(&in, &second);
    is_int(ds_of(&after, CDN)->since, 0, "what was shown goes on");
    tcr_build_destroy(second);
    tcr_build_destroy(first);

    /* zones begin to be signed while routers run */
    in.keys = NULL;
    in.previous = NULL;
    before = overlay_image(&in, &first);
    in.keys = &img;
    in.previous = &before;
    after = overlay_image(&in, &second);
    is_int(ds_of(&after, CDN)->since, NOW + 80, "a new one waits");
    tcr_build_destroy(second);
    tcr_build_destroy(first);
    tcr_build_destroy(b);
}


static void
ends(void)
{
    size_t             i;
    tcr_build_t       *b, *o;
    tcr_image_t        img, over;
    tcr_ds_input_t     in = { .keys = &img, .ttl = 60, .now = NOW };
    tcr_keys_input_t   from = { .keys = &keys };

    for (i = 0; i < keys.n; i++) {

        if ((keys.items[i].flags & TCR_DNSSEC_SEP) == 0) {
            keys.items[i].expiration = NOW + 500;
        }
    }

    img = keys_image(&from, &b);
    over = overlay_image(&in, &o);
    is_int(ds_of(&over, CDN)->until, NOW + 501,
           "a DS ends with the zone's signatures");
    tcr_build_destroy(o);

    in.now = NOW + 501;
    over = overlay_image(&in, &o);
    ok(ds_of(&over, CDN) == NULL, "an unsigned zone has none");
    tcr_build_destroy(o);
    tcr_build_destroy(b);
}


int
main(void)
{
    arena = tcr_arena_create(0);
    tcr_report_init(&report, arena, 0);
    read_keys();

    image();
    denials();
    dates();
    known();
    ds();
    ends();

    tcr_dnsseckeys_free(&keys);
    tcr_file_unmap(&file);
    tcr_arena_destroy(arena);

    return done();
}
