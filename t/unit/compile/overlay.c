/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The overlay image: hash points against the reference's recorded ones, every
 * field of the models in its place, no model at all.
 */

#include <inttypes.h>

#include "jsonl.h"
#include "tap.h"
#include "tcr_compile_overlay.h"
#include "tcr_digest.h"
#include "tcr_overlay_format.h"

#define ELEMENT(vec, type, i)                                                 \
    ((const type *) tcr_image_vec(&img, &(vec)) + (i))


static tcr_arena_t              *arena;
static tcr_report_t              report;
static tcr_build_t              *build;
static tcr_image_t               img;
static const tcr_img_overlay_t  *root;


/* Compiled, finished, verified as readers verify it. */
static void
compile(const tcr_overlay_input_t *in)
{
    void       *data;
    size_t      size;
    tcr_err_t   err;

    tcr_build_destroy(build);

    if (tcr_compile_overlay(in, &build, &report, &err) != 0
        || tcr_build_finish(build, &in->origin, &data, &size, &err) != 0
        || tcr_image_verify(data, size, TCR_SLOT_OVERLAY, &err) != 0)
    {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }

    img = (tcr_image_t) { data, size, data, false };
    root = tcr_image_root(&img);
}


static const char *
text(tcr_img_str_t ref)
{
    tcr_str_t  s = tcr_image_str(&img, ref);

    return s.data != NULL ? s.data : "-";
}


static void
read_json(tcr_json_doc_t *doc, const char *json)
{
    tcr_err_t  err;

    if (tcr_json_parse(doc, arena, "f", tcr_str(json), &err) != 0) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }
}


static const tcr_steering_doc_t *
steering(const char *json)
{
    tcr_err_t                  err;
    tcr_json_doc_t             doc;
    static tcr_steering_doc_t  out;

    read_json(&doc, json);
    is_int(tcr_steering_parse(&out, arena, &doc, &report, &err), 0,
           "steering");
    return &out;
}


static void
recorded_points(void)
{
    char                    hex[65], line_of[32];
    jsonl_t                 j;
    uint8_t                 sha[32];
    uint32_t                i;
    uint64_t                bits;
    tcr_buf_t               lines;
    const tcr_json_t       *line;
    const tcr_img_target_t *t;
    tcr_steering_target_t   target = { .weight = 0 };
    tcr_steering_service_t  service = { TCR_STR("s"), false, &target, 1,
                                        NULL, 0 };
    tcr_steering_doc_t      doc = { &service, 1 };
    tcr_overlay_input_t     in = { .steering = &doc };

    jsonl_open(&j, "t/data/unit/hash.jsonl");

    while ((line = jsonl_next(&j)) != NULL) {
        target.service = jsonl_str(line, "hashId");

        /* of caches, less than one point stands for 1000 */
        if (!jsonl_is(line, "kind", "cachehashes")
            || tcr_json_int(tcr_json_get(line, "hashCount"), 0) <= 0)
        {
            continue;
        }

        target.weight = (uint32_t) tcr_json_int(tcr_json_get(line,
                                                             "hashCount"), 0);
        compile(&in);
        t = ELEMENT(ELEMENT(root->steering, tcr_img_steering_t, 0)->targets,
                    tcr_img_target_t, 0);
        tcr_buf_init(&lines, 1 << 20);

        for (i = 0; i < t->points.n; i++) {
            memcpy(&bits, ELEMENT(t->points, double, i), sizeof(bits));
            snprintf(line_of, sizeof(line_of), "0x%016" PRIx64 "\n", bits);
            tcr_buf_str(&lines, tcr_str(line_of));
        }

        tcr_sha256(lines.data, lines.len, sha);

        for (i = 0; i < 32; i++) {
            snprintf(hex + 2 * i, 3, "%02x", sha[i]);
        }

        ok(jsonl_is(line, "sha256_of_all_bits_lines", hex),
           "%u points of \"%.*s\"", target.weight,
           TCR_STR_ARG(target.service));
        tcr_buf_free(&lines);
    }

    jsonl_close(&j);
}


static void
steering_fields(void)
{
    tcr_overlay_input_t        in = { .origin = { .source = "test" } };
    const tcr_img_filter_t    *f;
    const tcr_img_target_t    *t;
    const tcr_img_steering_t  *s;

    in.steering = steering(
        "{\"response\":[{\"deliveryService\":\"c\",\"clientSteering\":true,"
        "\"targets\":[{\"deliveryService\":\"a\",\"weight\":3,\"order\":-1,"
        "\"geoOrder\":7,\"latitude\":51.5,\"longitude\":0},"
        "{\"deliveryService\":\"b\"}],"
        "\"filters\":[{\"deliveryService\":\"a\",\"pattern\":\"/x\"}]},"
        "{\"deliveryService\":\"p\",\"targets\":[{\"deliveryService\":\"a\","
        "\"weight\":3}],"
        "\"filters\":[{\"deliveryService\":\"a\",\"pattern\":\"/y\"}]}]}");
    compile(&in);

    is_int(root->steering.n, 2, "services");
    s = ELEMENT(root->steering, tcr_img_steering_t, 0);
    is_str(text(s[0].service), "c", "client steering");
    is_int(s[0].flags, TCR_STEERING_CLIENT, "its flag");
    is_int(s[0].targets.n, 2, "its targets");
    t = ELEMENT(s[0].targets, tcr_img_target_t, 0);
    is_str(text(t[0].service), "a", "in the order of the document");
    ok(t[0].order == -1 && t[0].geo_order == 7 && t[0].points.n == 3,
       "numbers");
    ok(t[0].flags == TCR_TARGET_HAS_POINT && t[0].lat == 51.5
       && t[0].lon == 0, "London");
    ok(t[1].order == 0 && t[1].points.n == 0 && t[1].flags == 0, "defaults");

    is_int(s[1].flags, 0, "steering");
    f = ELEMENT(s[1].filters, tcr_img_filter_t, 0);
    is_str(text(f->service), "a", "filter");
    is_str(text(f->java), "/y", "its pattern as written");
    is_int(f->regex_index, 1, "patterns are numbered through");
    is_int(root->n_regexes, 2, "and counted");
    is_int(memcmp(ELEMENT(t->points, double, 0),
                  ELEMENT(ELEMENT(s[1].targets, tcr_img_target_t, 0)->points,
                          double, 0), 3 * sizeof(double)), 0,
           "points are those of the target, whoever steers to it");
}


static void
too_many_points(void)
{
    size_t                  i;
    tcr_steering_target_t   targets[9];
    tcr_steering_service_t  service = { TCR_STR("s"), false, targets, 9,
                                        NULL, 0 };
    tcr_steering_doc_t      doc = { &service, 1 };
    tcr_overlay_input_t     in = { .steering = &doc };

    memset(targets, 0, sizeof(targets));

    for (i = 0; i < 9; i++) {
        targets[i].service = TCR_STR("t");
        targets[i].weight = i < 7 ? 1 : 8000000;
    }

    tcr_report_init(&report, arena, 0);
    compile(&in);
    is_int(ELEMENT(root->steering, tcr_img_steering_t, 0)->targets.n, 7,
           "weights beyond all measure are left out");
    is_int(report.count[TCR_REPORT_LEFT_OUT], 2, "and reported");
}


static void
federations_and_challenges(void)
{
    size_t                       i, n = 0;
    tcr_err_t                    err;
    tcr_nets_t                   nets;
    tcr_addr_t                   addr;
    tcr_json_doc_t               doc;
    tcr_map_iter_t               it;
    tcr_challenges_t             challenges;
    tcr_federations_t            federations;
    tcr_overlay_input_t          in = { 0 };
    const tcr_img_mapping_t     *m;
    const tcr_img_federation_t  *f;

    read_json(&doc, "{\"response\":[{\"deliveryService\":\"a\",\"mappings\":["
              "{\"cname\":\"one.example.net.\",\"ttl\":5,"
              "\"resolve4\":[\"192.0.2.0/24\",\"192.0.2.x\"],"
              "\"resolve6\":[\"2001:db8::/32\"]},"
              "{\"cname\":\"two.example.net.\",\"ttl\":6}]}]}");
    is_int(tcr_federations_parse(&federations, arena, &doc, &report, &err), 0,
           "federations");
    read_json(&doc, "{\"response\":[{\"fqdn\":\"x.example.net.\",\"record\":"
              "\"one\"},{\"fqdn\":\"X.example.net\",\"record\":\"two\"}]}");
    is_int(tcr_challenges_parse(&challenges, arena, &doc, &report, &err), 0,
           "challenges");
    in.federations = &federations;
    in.challenges = &challenges;
    in.acme = &challenges;
    compile(&in);

    f = ELEMENT(root->federations, tcr_img_federation_t, 0);
    m = ELEMENT(f->mappings, tcr_img_mapping_t, 0);
    is_str(text(f->service), "a", "service");
    is_int(f->mappings.n, 2, "mappings");
    is_str(text(m[0].cname), "one.example.net.", "cname");
    is_int(m[1].ttl, 6, "ttl");
    is_int(m[0].prefixes.n, 2, "prefixes");
    is_str(text(*ELEMENT(m[0].prefixes, tcr_img_str_t, 0)), "192.0.2.0/24",
           "IPv4 as listed");
    is_str(text(*ELEMENT(m[0].prefixes, tcr_img_str_t, 1)),
           "2001:db8:0:0:0:0:0:0/32", "IPv6 in eight groups");
    nets = (tcr_nets_t) { ELEMENT(m[0].v4, tcr_net4_t, 0), m[0].v4.n,
                          ELEMENT(m[0].v6, tcr_net6_t, 0), m[0].v6.n };
    tcr_addr_parse(TCR_STR("192.0.2.9"), &addr);
    is_int(tcr_nets_find(&nets, &addr, NULL), 0, "IPv4");
    tcr_addr_parse(TCR_STR("2001:db8::9"), &addr);
    is_int(tcr_nets_find(&nets, &addr, NULL), 0, "IPv6");
    tcr_addr_parse(TCR_STR("198.51.100.9"), &addr);
    is_int(tcr_nets_find(&nets, &addr, NULL), TCR_NETS_NONE, "outside");

    is_int(root->challenges.n, 4, "challenges, and the names above them");

    for (i = tcr_map_first(&img, &root->challenge_map,
                           TCR_STR("x.example.net"), &it);
         i != TCR_NONE;
         i = tcr_map_next(&it))
    {
        is_str(text(ELEMENT(root->challenges, tcr_img_challenge_t, i)->owner),
               "x.example.net", "owner");
        n++;
    }

    is_int(n, 2, "both are found by their name");
    is_str(text(ELEMENT(root->challenges, tcr_img_challenge_t, 1)->owner),
           "example.net", "the name above");
    is_str(text(ELEMENT(root->challenges, tcr_img_challenge_t, 1)->text), "",
           "... has no text");
    is_str(text(ELEMENT(root->challenges, tcr_img_challenge_t, 3)->text),
           "\"two\"", "text");
    is_int(ELEMENT(root->challenges, tcr_img_challenge_t, 0)->ttl, 10, "ttl");
    tcr_federations_free(&federations);
}


int
main(void)
{
    tcr_overlay_input_t  none = { 0 };

    arena = tcr_arena_create(0);
    tcr_report_init(&report, arena, 0);

    compile(&none);
    ok(root->steering.n == 0 && root->federations.n == 0
       && root->challenges.n == 0 && root->n_regexes == 0,
       "without a model nothing is in force");
    ok(tcr_map_first(&img, &root->challenge_map, TCR_STR("x"),
                     &(tcr_map_iter_t) { 0 }) == TCR_NONE, "an empty map");

    recorded_points();
    steering_fields();
    too_many_points();
    federations_and_challenges();
    tcr_build_destroy(build);
    tcr_arena_destroy(arena);

    return done();
}
