/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Health states: flags and their defaults, documents that say nothing (h02
 * ... as in the recordings of health documents).
 */

#include "tcr_crstates.h"
#include "tcr_file.h"

#include "tap.h"

#define INPUTS  "t/conformance/e2e/inputs/"


static tcr_arena_t     *arena;
static tcr_crstates_t   states;
static tcr_report_t     report;
static tcr_err_t        err;


static int
load_text(const char *name, tcr_str_t text)
{
    tcr_json_doc_t  doc;

    tcr_arena_reset(arena);
    tcr_report_init(&report, arena, 0);

    if (tcr_json_parse(&doc, arena, name, text, &err) != 0) {
        return -2;
    }

    return tcr_crstates_parse(&states, arena, &doc, &report, &err);
}


static int
load(const char *text)
{
    return load_text("CrStates.json", tcr_str(text));
}


static bool
flags(size_t i, bool available, bool ip4, bool ip6)
{
    tcr_cache_state_t  *s = &states.caches[i];

    return s->available == available && s->ip4 == ip4 && s->ip6 == ip6;
}


static void
caches(void)
{
    is_int(load("{\"caches\": {\"a\": {}, \"b\": {\"isAvailable\": \"false\"},"
                "\"c\": {\"ipv4Available\": false, \"status\": \"x\"},"
                "\"d\": {\"ipv6Available\": 0, \"isAvailable\": \"maybe\"},"
                "\"e\": null, \"f\": {\"isAvailable\": null}}}"),
           0, "caches");

    ok(states.has_caches, "there are caches");
    is_int(states.n_caches, 5, "named caches");
    ok(tcr_str_eq(states.caches[1].name, TCR_STR("b")), "name");
    ok(flags(0, true, true, true), "h08: flags that are missing are true");
    ok(flags(1, false, true, true), "h06: a flag as text");
    ok(flags(2, true, false, true), "h07: ipv4Available");
    ok(flags(3, true, true, false), "a flag that is none is true");
    ok(flags(4, true, true, true), "a flag that is null is true");
    is_int(report.count[TCR_REPORT_WARNING], 1, "a state that is null");
    ok(strstr(report.first->text, "CrStates.json:1:"), "%s",
       report.first->text);
}


static void
services(void)
{
    is_int(load("{\"deliveryServices\": {\"a\": {\"isAvailable\": false},"
                "\"b\": {\"disabledLocations\": [\"east\", 7, \"west\"]},"
                "\"c\": {\"disabledLocations\": null}, \"d\": 1}}"),
           0, "h05: services only");

    ok(!states.has_caches && states.n_caches == 0, "no caches");
    is_int(states.n_services, 3, "services");
    ok(!states.services[0].available, "isAvailable");
    ok(states.services[1].available, "isAvailable by default");
    is_int(states.services[1].n_disabled, 2, "disabled locations");
    ok(tcr_str_eq(states.services[1].disabled[1], TCR_STR("west")), "name");
    is_int(states.services[2].n_disabled, 0, "null is none");
    is_int(report.count[TCR_REPORT_WARNING], 1, "a state that is a number");
}


static void
odd(void)
{
    is_int(load("{}"), 0, "h03: an empty object");
    ok(!states.has_caches, "says nothing about caches");
    is_int(load("{\"caches\": {}}"), 0, "an empty list of caches");
    ok(states.has_caches && states.n_caches == 0, "says that none is up");
    is_int(load("{\"caches\": null}"), 0, "caches that are null");
    ok(!states.has_caches, "say nothing");
    is_int(load("{\"caches\": []}"), -1, "caches that are no object");
    ok(strstr(err.text, "1:12: not a states document: \"caches\" is no"), "%s",
       err.text);
    is_int(load("{\"caches\": {}, \"deliveryServices\": []}"), 0,
           "services that are no object say nothing");
    is_int(report.count[TCR_REPORT_WARNING], 1, "and are told");
    is_int(load("[]"), -1, "h09: an array is refused");
    ok(strstr(err.text, "CrStates.json:1:1: not a states document"), "%s",
       err.text);
    is_int(load("{\"caches\": "), -2, "h02: not JSON");
}


static void
recordings(const char *name, size_t n)
{
    size_t      i, down = 0;
    tcr_file_t  file;

    if (tcr_file_map(&file, name, 1 << 20, &err) != 0) {
        ok(0, "%s: %s", name, err.text);
        return;
    }

    is_int(load_text(name, file.text), 0, "%s", name);
    is_int(report.count[TCR_REPORT_WARNING], 0, "no warnings");

    for (i = 0; i < states.n_caches; i++) {
        down += !states.caches[i].available;
    }

    is_int(down, n, "caches that are down");
    tcr_file_unmap(&file);
}


int
main(void)
{
    arena = tcr_arena_create(0);

    caches();
    services();
    odd();
    recordings(INPUTS "phase1/CrStates.json", 2);
    recordings(INPUTS "phase2/CrStates.json", 10);

    tcr_arena_destroy(arena);

    return done();
}
