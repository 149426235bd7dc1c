/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Dates and shrinking, at their borders.
 */

#include "tcf_guard.h"

#include "tap.h"


static tcr_err_t  err;


static void
dates(void)
{
    char  text[TCF_DATE_SIZE];

    tcf_date(1790000000, text);
    is_str(text, "2026-09-21T14:13:20Z", "a date");
    tcf_date(0, text);
    is_str(text, "1970-01-01T00:00:00Z", "the first one");
    tcf_date(INT64_MAX, text);
    is_str(text, "9223372036854775807", "one that no calendar knows");

    is_int(tcf_guard_date(11, 10, &err), 0, "newer");
    is_int(tcf_guard_date(1, 0, &err), 0, "the first");
    is_int(tcf_guard_date(10, 10, &err), -1, "the same");
    is_str(err.text, "stats.date is 1970-01-01T00:00:10Z like that of the "
           "snapshot in force, but its contents are others", "why");
    is_int(tcf_guard_date(9, 10, &err), -1, "older");
    is_str(err.text, "stats.date is 1970-01-01T00:00:09Z, older than "
           "1970-01-01T00:00:10Z of the snapshot in force; "
           "\"--accept-older\" takes it", "why");
}


static void
sections(void)
{
    tcr_crconfig_t  cfg = {
        .domain = TCR_STR("cdn.example.net"), .n_routers = 1, .n_groups = 1
    };

    is_int(tcf_guard_sections(&cfg, &err), 0, "all that is needed");
    cfg.n_groups = 0;
    is_int(tcf_guard_sections(&cfg, &err), -1, "no groups");
    ok(strstr(err.text, "edgeLocations: found no") != NULL, "why");
    cfg.n_routers = 0;
    is_int(tcf_guard_sections(&cfg, &err), -1, "no routers");
    ok(strstr(err.text, "contentRouters: found no") != NULL, "why");
    cfg.domain = tcr_str(NULL);
    is_int(tcf_guard_sections(&cfg, &err), -1, "no domain");
    ok(strstr(err.text, "config.domain_name: found no") != NULL, "why");
}


static int
shrink(size_t services, size_t services_gone, size_t caches,
    size_t caches_gone, int64_t percent)
{
    tcf_diff_t  diff = {
        .services_before = services, .services_gone = services_gone,
        .caches_before = caches, .caches_gone = caches_gone
    };

    return tcf_guard_shrink(&diff, percent, &err);
}


static void
shrinking(void)
{
    is_int(shrink(0, 0, 0, 0, 50), 0, "there was nothing before");
    is_int(shrink(10, 0, 10, 5, 50), 0, "half of the caches may go");
    is_int(shrink(10, 0, 10, 6, 50), -1, "more may not");
    is_str(err.text, "it lacks 0 of 10 services and 6 of 10 caches in force, "
           "at most 50% may go (\"max_shrink\"); \"--accept-shrink\" takes it",
           "why");
    is_int(shrink(3, 2, 10, 0, 50), -1, "nor of the services");
    is_int(shrink(1, 1, 10, 0, 50), -1, "nor the only one");
    is_int(shrink(10, 10, 10, 10, 100), 0, "unless all may go");
    is_int(shrink(1000, 1, 1000, 0, 0), -1, "or none");
    is_int(shrink(1000, 0, 1000, 0, 0), 0, "which is not none");
}


int
main(void)
{
    dates();
    sections();
    shrinking();

    return done();
}
