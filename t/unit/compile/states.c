/* SPDX-License-Identifier: Apache-2.0 */

/* States in health words (spec/inputs.md §7, spec/routing.md §5.1, §5.2). */

#include "small.h"

#define UP4  (TCR_HEALTH_AVAILABLE | TCR_HEALTH_IP4)
#define UP   (UP4 | TCR_HEALTH_IP6)

static compiled_t  cdn;


static size_t
apply(const char *text, int64_t now_ms)
{
    size_t           n;
    tcr_err_t        err;
    tcr_arena_t     *arena = tcr_arena_create(0);
    tcr_report_t     report;
    tcr_json_doc_t   doc;
    tcr_crstates_t   states;

    tcr_report_init(&report, arena, 0);

    if (tcr_json_parse(&doc, arena, "CrStates", tcr_str(text), &err) != 0
        || tcr_crstates_parse(&states, arena, &doc, &report, &err) != 0)
    {
        give_up("states", &err);
    }

    n = tcr_compile_states(&cdn.img, cdn.health_data, cdn.health_root,
                           &states, now_ms);
    tcr_arena_destroy(arena);
    return n;
}


static const uint64_t *
words(const tcr_img_vec_t *vec)
{
    return (const void *) ((const char *) cdn.health_data + vec->off);
}


static unsigned
cache_flags(const char *id)
{
    const tcr_img_cache_t  *caches;

    caches = tcr_image_vec(&cdn.img, &cdn.root->caches);
    return (unsigned) words(&cdn.health_root->caches)[cache_of(&cdn, id)
                                                      - caches];
}


static uint64_t
service_word(const char *id)
{
    const tcr_img_service_t  *services;

    services = tcr_image_vec(&cdn.img, &cdn.root->services);
    return words(&cdn.health_root->services)[service_of(&cdn, id) - services];
}


static bool
is_disabled(const char *id, uint32_t group)
{
    uint64_t                  bit;
    const tcr_img_service_t  *services;

    services = tcr_image_vec(&cdn.img, &cdn.root->services);
    bit = (uint64_t) (service_of(&cdn, id) - services)
          * cdn.health_root->groups + group;
    return words(&cdn.health_root->disabled)[bit / 64] >> (bit % 64) & 1;
}


static void
caches(void)
{
    is_int(cache_flags("e1"), UP, "before any states all are up");

    is_int(apply("{\"caches\":{\"e1\":{\"isAvailable\":true,"
                 "\"ipv6Available\":false},"
                 "\"w1\":{\"isAvailable\":\"false\"},"
                 "\"unheard-of\":{}},\"deliveryServices\":{}}", 5000), 4,
           "words that changed");
    is_int(cache_flags("e1"), UP4 | TCR_HEALTH_KNOWN, "no IPv6");
    is_int(cache_flags("w1@1"), TCR_HEALTH_KNOWN | TCR_HEALTH_IP4
           | TCR_HEALTH_IP6, "looked up by the id up to \"@\"");
    is_int(cache_flags("w1@2"), cache_flags("w1@1"), "so are all of that id");
    is_int(cache_flags("e2"), 0, "not listed: down in all respects");
    is_int(cdn.health_root->states_time, 5000, "time of the states");
    is_int(words(&cdn.health_root->caches)[0] >> 32, 5,
           "time of the last change");

    is_int(apply("{\"caches\":{\"e1\":{\"ipv6Available\":false},"
                 "\"w1\":{\"isAvailable\":false}}}", 9000), 0,
           "the same again changes nothing");
    is_int(words(&cdn.health_root->caches)[0] >> 32, 5, "nor that time");

    apply("{\"caches\":{\"e2\":{}}}", 10000);
    is_int(cache_flags("e1"), TCR_HEALTH_KNOWN, "gone: down, but known");
    is_int(cache_flags("e2"), UP | TCR_HEALTH_KNOWN, "flags default to true");

    apply("{\"deliveryServices\":{}}", 11000);
    is_int(cache_flags("e2"), UP | TCR_HEALTH_KNOWN,
           "no key \"caches\": nothing changes");
}


static void
services(void)
{
    apply("{\"caches\":{},\"deliveryServices\":{"
          "\"a\":{\"isAvailable\":false},"
          "\"b\":{\"disabledLocations\":[\"west\",\"deep.d\",\"nosuch\"]}}}",
          20000);
    ok(!(service_word("a") & TCR_HEALTH_AVAILABLE), "not available");
    ok(service_word("a") & TCR_HEALTH_KNOWN, "named");
    ok(service_word("b") & TCR_HEALTH_AVAILABLE, "available by default");
    ok(is_disabled("b", 1), "a disabled location");
    ok(is_disabled("b", 2), "a deep one");
    ok(!is_disabled("b", 0), "not the others");
    ok(!is_disabled("a", 1), "not for others");

    apply("{\"caches\":{},\"deliveryServices\":{\"a\":{}}}", 21000);
    ok(service_word("a") & TCR_HEALTH_AVAILABLE, "available again");
    ok(service_word("b") & TCR_HEALTH_AVAILABLE, "not listed: available");
    ok(!is_disabled("b", 1), "and with all its locations");
}


int
main(void)
{
    sources_t  from = {
        .deep = "{\"deepCoverageZones\":{\"d\":{\"network\":[],"
                "\"network6\":[],\"caches\":[\"e1\"]}}}" };
    parts_t    p = {
        .services = SERVICE("a", "HTTP", "") "," SERVICE("b", "DNS", ""),
        .caches = CACHE("e1", "east", "192.0.2.1", "", "") ","
                  CACHE("w1@1", "west", "192.0.2.2", "", "") ","
                  CACHE("e2", "east", "192.0.2.3", "", "") ","
                  CACHE("w1@2", "west", "192.0.2.4", "", "") };

    compile_small(&cdn, &p, &from);
    caches();
    services();
    compiled_free(&cdn);
    return done();
}
