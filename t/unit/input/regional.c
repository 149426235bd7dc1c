/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Regional policies: the reference's recorded answers to files, every fault
 * that refuses one, what is only left out.
 */

#include "document.h"
#include "tcr_regional.h"


static tcr_regional_t  regional;


static int
load(const char *text)
{
    tcr_regional_free(&regional);
    read_text("r", tcr_str(text));
    return tcr_regional_parse(&regional, arena, &doc, &report, &err);
}


static void
recorded(void)
{
    jsonl_t            j;
    tcr_json_doc_t     file;
    const tcr_json_t  *line, *data;

    jsonl_open(&j, "t/data/unit/regional_geo.jsonl");

    while ((line = jsonl_next(&j)) != NULL) {
        data = tcr_json_get(line, "data");

        if (!jsonl_is(line, "kind", "load") || data == NULL) {
            continue;
        }

        file = j.doc;
        file.root = (tcr_json_t *) data;
        tcr_regional_free(&regional);
        tcr_report_init(&report, j.arena, 0);
        is_int(tcr_regional_parse(&regional, j.arena, &file, &report, &err)
               == 0, tcr_json_bool(tcr_json_get(line, "accepted"), false),
               "recorded: %.*s", TCR_STR_ARG(jsonl_str(line, "name")));
    }

    tcr_regional_free(&regional);
    jsonl_close(&j);
}


#define RULE(id, regex, geo, more)                                            \
    "{\"deliveryServices\":[{\"deliveryServiceId\":" id ",\"urlRegex\":"      \
    regex ",\"geoLocation\":" geo more "}]}"

#define GEO  "{\"includePostalCode\":[\"M5H\"]}"
#define TO   ",\"redirectUrl\":\"/away\""


static const struct {
    const char  *what;
    const char  *text;
    const char  *want;            /* error; NULL: accepted                   */
} files[] = {
    { "a rule", RULE("\"a\"", "\".*\"", GEO, TO), NULL },
    { "no rules", "{\"deliveryServices\":[]}", NULL },
    { "no list", "{}", "r:1:1: deliveryServices: found nothing, expected an "
      "array" },
    { "a rule that is none", "{\"deliveryServices\":[7]}",
      "r:1:22: deliveryServices[0].deliveryServiceId: expected the id of a "
      "service" },
    { "blank id", RULE("\" \"", "\".*\"", GEO, TO),
      "deliveryServices[0].deliveryServiceId: expected the id of a service" },
    { "no regex", RULE("\"a\"", "null", GEO, TO),
      "deliveryServices[0].urlRegex: expected a pattern" },
    { "blank regex", RULE("\"a\"", "\" \"", GEO, TO),
      "deliveryServices[0].urlRegex: expected a pattern" },
    { "bad regex", RULE("\"a\"", "\"(\"", GEO, TO),
      "deliveryServices[0].urlRegex: " },
    { "no redirect", RULE("\"a\"", "\".*\"", GEO, ""),
      "deliveryServices[0].redirectUrl: expected a URL or a path" },
    { "blank redirect", RULE("\"a\"", "\".*\"", GEO,
                             ",\"redirectUrl\":\" \""),
      "deliveryServices[0].redirectUrl: expected a URL or a path" },
    { "control byte", RULE("\"a\"", "\".*\"", GEO,
                           ",\"redirectUrl\":\"/a\\r\\nb\""),
      "deliveryServices[0].redirectUrl: expected a URL or a path" },
    { "a loop", RULE("\"a\"", "\"http://.*\"", GEO,
                     ",\"redirectUrl\":\"HTTP://a.example.net/x\""),
      "deliveryServices[0].redirectUrl: it matches the rule's own urlRegex" },
    { "no loop", RULE("\"a\"", "\"http://.*/live\"", GEO,
                      ",\"redirectUrl\":\"HTTP://a.example.net/live/x\""),
      NULL },
    { "a path may match", RULE("\"a\"", "\".*\"", GEO,
                               ",\"redirectUrl\":\"/x\""), NULL },
    { "steering with a path",
      RULE("\"a\"", "\".*\"", GEO, TO ",\"isSteeringDS\":\"true\""),
      "deliveryServices[0].redirectUrl: found a path, expected a URL for a "
      "steering service" },
    { "steering with a URL",
      RULE("\"a\"", "\".*live\"", GEO, ",\"isSteeringDS\":true,"
           "\"redirectUrl\":\"https://a.example.net/\""), NULL },
    { "no location", RULE("\"a\"", "\".*\"", "null", TO),
      "deliveryServices[0].geoLocation: expected an object" },
    { "no postal codes", RULE("\"a\"", "\".*\"", "{}", TO),
      "deliveryServices[0].geoLocation.excludePostalCode: expected a list" },
    { "postal codes that are no list",
      RULE("\"a\"", "\".*\"", "{\"includePostalCode\":\"M5H\"}", TO),
      "deliveryServices[0].geoLocation.includePostalCode: expected a list" },
    { "a postal code that is none",
      RULE("\"a\"", "\".*\"", "{\"includePostalCode\":[null]}", TO),
      "deliveryServices[0].geoLocation.includePostalCode: expected a postal" },
};


static void
accepted(void)
{
    int     rc;
    size_t  i;

    for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        rc = load(files[i].text);

        if (files[i].want == NULL) {
            ok(rc == 0, "%s: %s", files[i].what, err.text);

        } else {
            ok(rc == -1 && strstr(err.text, files[i].want) != NULL
               && strncmp(err.text, "r:1:", 4) == 0 && regional.n == 0,
               "%s: %s", files[i].what, rc ? err.text : "accepted");
        }
    }
}


static void
values(void)
{
    tcr_regional_rule_t  *r;

    is_int(load(RULE("\"a\"", "\".*\"",
                     "{\"includePostalCode\":[\"M5H\",802],"
                     "\"excludePostalCode\":[\"X\"],\"coordinateRange\":["
                     "{\"minLat\":\"-1\",\"minLon\":2,\"maxLat\":3,"
                     "\"maxLon\":4},"
                     "{\"minLat\":91,\"minLon\":0,\"maxLat\":92,"
                     "\"maxLon\":1},"
                     "{\"minLat\":0,\"minLon\":-181,\"maxLat\":0,"
                     "\"maxLon\":1},{\"minLat\":0},7,"
                     "{\"minLat\":-90,\"minLon\":-180,\"maxLat\":90,"
                     "\"maxLon\":180}]}",
                     ",\"redirectUrl\":\"away\",\"ipWhiteList\":["
                     "\"192.0.2.0/24\",\"bogus\",\"2001:db8::/32\"]")), 0,
           "a rule");
    r = &regional.rules[0];
    is_str(z(r->service), "a", "service");
    ok(r->include && r->postal_codes.n == 2, "include wins");
    is_str(z(r->postal_codes.items[1]), "802", "a code may be a number");
    is_str(z(r->redirect), "/away", "a path begins with a slash");
    ok(!r->absolute, "and is no URL");
    is_int(r->n_boxes, 2, "boxes on the globe");
    ok(r->boxes[0].min_lat == -1 && r->boxes[0].min_lon == 2
       && r->boxes[0].max_lat == 3 && r->boxes[0].max_lon == 4, "a box");
    ok(inside(&r->allow, "192.0.2.9") && inside(&r->allow, "2001:db8::1")
       && !inside(&r->allow, "198.51.100.1"), "whitelist");
    is_int(problems(), 5, "four boxes and a prefix are left out");
    ok(left("deliveryServices[0].geoLocation.coordinateRange[1]: expected "
            "minLat"), "a box");
    ok(left("deliveryServices[0].ipWhiteList[1]: \"bogus\""), "a prefix");

    is_int(load(RULE("\"a\"", "\".*\"", "{\"excludePostalCode\":[],"
                     "\"includePostalCode\":null}",
                     ",\"redirectUrl\":\"hTTps://a.example.net/\"")), -1,
           "a loop whatever the case of the scheme");
    is_int(load(RULE("\"a\"", "\"http:.*\"", "{\"excludePostalCode\":[],"
                     "\"includePostalCode\":null}",
                     ",\"redirectUrl\":\"hTTps://a.example.net/\"")), 0,
           "a URL");
    r = &regional.rules[0];
    ok(!r->include && r->postal_codes.n == 0 && r->absolute
       && r->n_boxes == 0, "exclude, and no box");
    is_str(z(r->redirect), "hTTps://a.example.net/", "as it was written");
}


int
main(void)
{
    recorded();
    accepted();
    values();
    tcr_regional_free(&regional);
    tcr_arena_destroy(arena);

    return done();
}
