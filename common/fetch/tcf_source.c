/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The table of sources, and what settings and snapshot make of a row.
 */

#include "tcf_source.h"

#include <stdlib.h>

#define AT(member)  offsetof(tcr_settings_t, member)
#define SECOND      INT64_C(1000)
#define MINUTE      (60 * SECOND)
#define HOUR        (60 * MINUTE)


/* A row's name in the settings, and its copy's. */
#define NAMED(member, ending)                                                 \
    .name = #member, .file = #member ending,                                  \
    .url_at = AT(member), .interval_at = AT(intervals.member)

/* certificates hold private keys: nobody else may read the copy */
const tcf_row_t  tcf_rows[TCF_SOURCES] = {
    [TCF_SNAPSHOT] = {
        NAMED(snapshot, ".json"),
        .limit_at = AT(limits.snapshot),
        .timeout_at = AT(timeouts.total),
        .interval = MINUTE,
        .monitor_path = "/publish/CrConfig?json",
        .always = true,
        .in_routing = true
    },
    [TCF_STATES] = {
        NAMED(states, ".json"),
        .limit_at = AT(limits.states),
        .timeout_at = AT(timeouts.states),
        .interval = SECOND,
        .monitor_path = "/publish/CrStates",
        .always = true
    },
    [TCF_COVERAGE] = {
        NAMED(coverage_zones, ".json"),
        .limit_at = AT(limits.coverage_zones),
        .timeout_at = AT(timeouts.total),
        .interval = 3 * HOUR,
        .in_routing = true
    },
    [TCF_DEEP] = {
        NAMED(deep_coverage_zones, ".json"),
        .limit_at = AT(limits.coverage_zones),
        .timeout_at = AT(timeouts.total),
        .interval = 3 * HOUR,
        .in_routing = true
    },
    [TCF_REGIONAL] = {
        NAMED(regional_geoblocking, ".json"),
        .limit_at = AT(limits.policies),
        .timeout_at = AT(timeouts.total),
        .interval = 3 * HOUR,
        .in_routing = true
    },
    [TCF_ANONYMOUS_POLICY] = {
        NAMED(anonymous_policy, ".json"),
        .limit_at = AT(limits.policies),
        .timeout_at = AT(timeouts.total),
        .interval = 3 * HOUR,
        .in_routing = true
    },
    [TCF_CITY] = {
        NAMED(city, ".mmdb"),
        .limit_at = AT(limits.databases),
        .timeout_at = AT(timeouts.total),
        .interval = 24 * HOUR,
        .slot = TCR_SLOT_CITY
    },
    [TCF_ANONYMOUS_IP] = {
        NAMED(anonymous_ip, ".mmdb"),
        .limit_at = AT(limits.databases),
        .timeout_at = AT(timeouts.total),
        .interval = 24 * HOUR,
        .slot = TCR_SLOT_ANONYMOUS
    },
    [TCF_CERTIFICATES] = {
        NAMED(certificates, ".json"),
        .secret = true,
        .limit_at = AT(limits.certificates),
        .timeout_at = AT(timeouts.total),
        .interval = HOUR,
        .in_routing = true
    }
};


int64_t
tcf_row_number(const tcr_settings_t *settings, size_t at)
{
    return *(const int64_t *) ((const char *) settings + at);
}


const char *
tcf_row_url(const tcf_row_t *row, const tcr_settings_t *settings,
    const tcf_facts_t *facts)
{
    const tcr_str_t  *given = (const void *) ((const char *) settings
                                              + row->url_at);

    if (given->data != NULL) {
        return given->data;
    }

    return facts != NULL ? facts->urls[row - tcf_rows] : NULL;
}


int64_t
tcf_row_interval(const tcf_row_t *row, const tcr_settings_t *settings,
    const tcf_facts_t *facts)
{
    int64_t  given = tcf_row_number(settings, row->interval_at);

    if (given != 0) {
        return given;
    }

    if (facts != NULL && facts->intervals[row - tcf_rows] != 0) {
        return facts->intervals[row - tcf_rows];
    }

    return row->interval;
}


int
tcf_source_configure(tcf_source_t *s, const tcr_settings_t *settings,
    const tcf_facts_t *facts, bool monitors, int64_t now, tcr_err_t *err)
{
    char        *copy = NULL;
    int64_t      interval = tcf_row_interval(s->row, settings, facts);
    uint64_t     hash;
    const char  *url = tcf_row_url(s->row, settings, facts);

    if (url != NULL) {
        copy = strdup(url);
        hash = tcr_str_hash(tcr_str(url));

        if (copy == NULL) {
            return tcr_err_set(err, "no memory for a URL");
        }

        if (s->url_hash != 0 && s->url_hash != hash) {
            memset(&s->accepted.validator, 0, sizeof(s->accepted.validator));
            s->due = now;
            s->asked = false;
            s->tried = false;
        }

        s->url_hash = hash;
    }

    if (interval < s->interval && s->due > now + interval) {
        s->due = now + interval;
    }

    free(s->url);
    s->url = copy;
    s->interval = interval;
    s->in_use = url != NULL || (monitors && s->row->monitor_path != NULL);
    return 0;
}


void
tcf_source_free(tcf_source_t *s)
{
    free(s->url);
    tcf_body_free(&s->pending);
}
