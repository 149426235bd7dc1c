/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The table of sources, and what settings and snapshot make of a row.
 */

#include "tcf_source.h"

#include <stdio.h>
#include <stdlib.h>

#define AT(member)  offsetof(tcr_settings_t, member)
#define MINUTE      INT64_C(60000)
#define HOUR        (60 * MINUTE)


/* A row's name in the settings, and its copy's. */
#define NAMED(member, ending)                                                 \
    .name = #member, .file = #member ending,                                  \
    .url_at = AT(member), .interval_at = AT(intervals.member)

/* Intervals and time-outs: spec/inputs.md §3, §5.1. */
const tcf_row_t  tcf_rows[TCF_SOURCES] = {
    [TCF_SNAPSHOT] = {
        NAMED(snapshot, ".json"),
        .limit_at = AT(limits.snapshot), .timeout_at = AT(timeouts.total),
        .interval = MINUTE,
        .monitor_path = "/publish/CrConfig?json", .always = true,
        .whole = true
    },
    [TCF_STATES] = {
        NAMED(states, ".json"),
        .limit_at = AT(limits.states), .timeout_at = AT(timeouts.states),
        .interval = 1000,
        .monitor_path = "/publish/CrStates", .always = true, .whole = true
    },
    [TCF_COVERAGE] = {
        NAMED(coverage_zones, ".json"),
        .limit_at = AT(limits.coverage_zones), .timeout_at = AT(timeouts.total),
        .interval = 3 * HOUR
    },
    [TCF_DEEP] = {
        NAMED(deep_coverage_zones, ".json"),
        .limit_at = AT(limits.coverage_zones), .timeout_at = AT(timeouts.total),
        .interval = 3 * HOUR
    },
    [TCF_CITY] = {
        NAMED(city, ".mmdb"),
        .limit_at = AT(limits.databases), .timeout_at = AT(timeouts.total),
        .interval = 24 * HOUR,
        .database = true
    },
    [TCF_CERTIFICATES] = {
        NAMED(certificates, ".json"),
        .limit_at = AT(limits.certificates), .timeout_at = AT(ops.timeout),
        .interval = HOUR,
        .timeout = 15000, .ops = true, .whole = true, .secret = true,
        .follows = true
    },
    [TCF_KEYS] = {
        NAMED(dnssec_keys, ".json"),
        .limit_at = AT(limits.certificates), .timeout_at = AT(ops.timeout),
        .interval = 5 * MINUTE,
        .timeout = 30000, .ops = true, .whole = true, .secret = true,
        .follows = true
    },
    [TCF_DS_KNOWN] = {
        NAMED(ds_known, ".json"),
        .limit_at = AT(limits.policies), .timeout_at = AT(timeouts.total),
        .interval = MINUTE
    },
    [TCF_FEDERATIONS] = {
        NAMED(federations, ".json"),
        .limit_at = AT(limits.traffic_ops), .timeout_at = AT(ops.timeout),
        .interval = 5 * MINUTE,
        .timeout = 15000, .ops = true, .follows = true
    },
    [TCF_STEERING] = {
        NAMED(steering, ".json"),
        .limit_at = AT(limits.traffic_ops), .timeout_at = AT(ops.timeout),
        .interval = 10000,
        .timeout = 15000, .ops = true, .follows = true
    },
    [TCF_CHALLENGES] = {
        NAMED(challenges, ".json"),
        .limit_at = AT(limits.traffic_ops), .timeout_at = AT(ops.timeout),
        .interval = MINUTE,
        .timeout = 15000, .ops = true
    },
    [TCF_ACME] = {
        NAMED(acme, ".json"),
        .limit_at = AT(limits.policies), .timeout_at = AT(timeouts.total),
        .interval = 5000,
        .absent = "{\"response\":[]}"
    },
    [TCF_REGIONAL] = {
        NAMED(regional_geoblocking, ".json"),
        .limit_at = AT(limits.policies), .timeout_at = AT(timeouts.total),
        .interval = 3 * HOUR
    },
    [TCF_ANONYMOUS_POLICY] = {
        NAMED(anonymous_policy, ".json"),
        .limit_at = AT(limits.policies), .timeout_at = AT(timeouts.total),
        .interval = 3 * HOUR
    },
    [TCF_ANONYMOUS_IP] = {
        NAMED(anonymous_ip, ".mmdb"),
        .limit_at = AT(limits.databases), .timeout_at = AT(timeouts.total),
        .interval = 3 * HOUR,
        .database = true
    }
};


int64_t
tcf_row_number(const tcr_settings_t *settings, size_t at)
{
    return *(const int64_t *) ((const char *) settings + at);
}


const char *
tcf_row_given(const tcf_row_t *row, const tcr_settings_t *settings)
{
    return ((const tcr_str_t *) (const void *)
            ((const char *) settings + row->url_at))->data;
}


/*
 * Settings first, then the snapshot.  What is Traffic Ops' by the snapshot is
 * asked for where the settings say that Traffic Ops is.  On the heap; *none:
 * there is none, else NULL says that memory is out.
 */
static char *
make_url(const tcf_row_t *row, const tcr_settings_t *settings,
    const tcf_facts_t *facts, bool *none)
{
    char        *url;
    size_t       len;
    const char  *given = tcf_row_given(row, settings), *from;

    *none = false;

    if (given != NULL) {
        return strdup(given);
    }

    from = facts != NULL ? facts->sources[row - tcf_rows].url : NULL;

    if (from == NULL || (row->ops && settings->ops.credentials.data == NULL)) {
        *none = true;
        return NULL;
    }

    if (!row->ops || settings->ops.url.data == NULL) {
        return strdup(from);
    }

    /* only what begins with its name is Traffic Ops' */
    len = facts->ops != NULL ? strlen(facts->ops) : 0;

    if (len == 0 || strncmp(from, facts->ops, len) != 0
        || (from[len] != '/' && from[len] != '\0'))
    {
        return strdup(from);
    }

    return asprintf(&url, "%s%s", settings->ops.url.data, from + len) < 0
           ? NULL : url;
}


bool
tcf_row_in_use(const tcf_row_t *row, bool given, bool ops,
    const tcf_facts_t *facts)
{
    const tcf_fact_t  *fact;

    if (row->monitor_path != NULL) {
        return true;
    }

    if (facts == NULL) {
        return given;
    }

    fact = &facts->sources[row - tcf_rows];

    return !fact->idle && (given || (fact->url != NULL && (!row->ops || ops)));
}


/* Looking at a file costs nothing: its changes are not waited for. */
static int64_t
choose_interval(const tcf_row_t *row, const tcr_settings_t *settings,
    const tcf_facts_t *facts)
{
    int64_t      given = tcf_row_number(settings, row->interval_at);
    int64_t      interval = row->interval;
    const char  *url = tcf_row_given(row, settings);

    if (given != 0) {
        return given;
    }

    if (facts != NULL && facts->sources[row - tcf_rows].interval != 0) {
        interval = facts->sources[row - tcf_rows].interval;
    }

    return url != NULL && strncmp(url, "file:", 5) == 0 && interval > MINUTE
           ? MINUTE : interval;
}


static int64_t
choose_timeout(const tcf_row_t *row, const tcr_settings_t *settings,
    const tcf_facts_t *facts)
{
    int64_t  given = tcf_row_number(settings, row->timeout_at);

    if (given == 0 && facts != NULL) {
        given = facts->sources[row - tcf_rows].timeout;
    }

    return given != 0 ? given : row->timeout;
}


/* Another place: whatever is known of the last one says nothing about it. */
static void
take_url(tcf_source_t *s, char *url, int64_t now)
{
    uint64_t  hash;

    free(s->url);
    s->url = url;

    if (url == NULL) {
        return;
    }

    hash = tcr_str_hash(tcr_str(url));

    if (s->url_hash != 0 && s->url_hash != hash) {
        memset(&s->accepted.validator, 0, sizeof(s->accepted.validator));
        s->due = now;
        s->asked = false;
        s->tried = false;
    }

    s->url_hash = hash;
}


int
tcf_source_configure(tcf_source_t *s, const tcr_settings_t *settings,
    const tcf_facts_t *facts, bool monitors, int64_t now, tcr_err_t *err)
{
    bool      none;
    char     *url = make_url(s->row, settings, facts, &none);
    int64_t   interval = choose_interval(s->row, settings, facts);

    if (url == NULL && !none) {
        return tcr_err_set(err, "no memory for a URL");
    }

    take_url(s, url, now);

    if (interval < s->interval && s->due > now + interval) {
        s->due = now + interval;
    }

    s->interval = interval;
    s->timeout = choose_timeout(s->row, settings, facts);
    s->in_use = s->row->monitor_path != NULL
                ? s->url != NULL || monitors
                : tcf_row_in_use(s->row,
                                 tcf_row_given(s->row, settings) != NULL,
                                 settings->ops.credentials.data != NULL,
                                 facts);
    return 0;
}


bool
tcf_source_same(const tcf_source_t *s, const tcf_store_t *store,
    const tcf_body_t *body)
{
    if (s->unsaved.data != NULL) {
        return s->unsaved.len == body->len
               && memcmp(s->unsaved.data, body->data, body->len) == 0;
    }

    return tcf_store_same(store, s->row->file, body->data, body->len);
}


void
tcf_source_free(tcf_source_t *s)
{
    free(s->url);
    tcf_body_free(&s->pending);
    tcf_body_free(&s->unsaved);
}
