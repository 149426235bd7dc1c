/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The table of sources, and what settings and snapshot make of a row.
 */

#include "tcf_source.h"

#include <stdlib.h>

#define AT(member)  offsetof(tcr_settings_t, member)
#define MINUTE      INT64_C(60000)
#define HOUR        (60 * MINUTE)


/* Certificates hold private keys: nobody else may read the copy. */
const tcf_row_t  tcf_rows[TCF_SOURCES] = {
    [TCF_SNAPSHOT] = {
        "snapshot", "snapshot.json", 0644, AT(snapshot),
        AT(intervals.snapshot), AT(limits.snapshot), AT(timeouts.total),
        MINUTE, "/publish/CrConfig?json", true
    },
    [TCF_STATES] = {
        "states", "states.json", 0644, AT(states), AT(intervals.states),
        AT(limits.states), AT(timeouts.states), 1000, "/publish/CrStates",
        true
    },
    [TCF_COVERAGE] = {
        "coverage_zones", "coverage_zones.json", 0644, AT(coverage_zones),
        AT(intervals.coverage_zones), AT(limits.coverage_zones),
        AT(timeouts.total), 3 * HOUR, NULL, false
    },
    [TCF_DEEP] = {
        "deep_coverage_zones", "deep_coverage_zones.json", 0644,
        AT(deep_coverage_zones), AT(intervals.deep_coverage_zones),
        AT(limits.coverage_zones), AT(timeouts.total), 3 * HOUR, NULL, false
    },
    [TCF_CITY] = {
        "city", "city.mmdb", 0644, AT(city), AT(intervals.city),
        AT(limits.city), AT(timeouts.total), 24 * HOUR, NULL, false
    },
    [TCF_CERTIFICATES] = {
        "certificates", "certificates.json", 0600, AT(certificates),
        AT(intervals.certificates), AT(limits.certificates),
        AT(timeouts.total), HOUR, NULL, false
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
