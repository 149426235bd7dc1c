/* SPDX-License-Identifier: Apache-2.0 */

/*
 * /crs/stats (spec/outputs.md §4): counters of all workers and backends
 * (rules counters-64, no-init-counts), and when what was last heard of.
 */

#include "tcr_version.h"

#include "ngx_http_tcrouter_api.h"


typedef struct {
    const char    *name;
    tcr_result_e   result;
} tally_field_t;

static const tally_field_t  tally_fields[] = {
    { "czCount", TCR_RESULT_CZ },
    { "geoCount", TCR_RESULT_GEO },
    { "deepCzCount", TCR_RESULT_DEEP_CZ },
    { "missCount", TCR_RESULT_MISS },
    { "dsrCount", TCR_RESULT_DS_REDIRECT },
    { "errCount", TCR_RESULT_ERROR },
    { "staticRouteCount", TCR_RESULT_COUNT },
    { "fedCount", TCR_RESULT_FED },
    { "regionalDeniedCount", TCR_RESULT_RGDENY },
    { "regionalAlternateCount", TCR_RESULT_RGALT },
    { "geoDsCount", TCR_RESULT_GEO_DS },
    { "geoRedirectCount", TCR_RESULT_GEO_REDIRECT },
    { "anonBlockedCount", TCR_RESULT_ANON_BLOCK },
    { NULL, 0 }
};


/* Names of the events of a source, absent where there is none. */
typedef struct {
    const char  *source;
    const char  *check;
    const char  *update;
} event_t;

static const event_t  events[] = {
    { "snapshot", "lastConfigCheck", NULL },
    { "coverage_zones", "lastNetworkUpdaterCheck",
      "lastNetworkUpdaterUpdate" },
    { "deep_coverage_zones", "lastDeepNetworkUpdaterCheck",
      "lastDeepNetworkUpdaterUpdate" },
    { "city", "lastGeolocationDatabaseUpdaterCheck",
      "lastGeolocationDatabaseUpdaterUpdate" },
    { "regional_geoblocking", "lastRegionalGeoUpdaterCheck",
      "lastRegionalGeoUpdaterUpdate" },
    { "anonymous_policy", "lastAnonymousIpConfigUpdaterCheck",
      "lastAnonymousIpConfigUpdaterUpdate" },
    { "anonymous_ip", "lastAnonymousIpDatabaseUpdaterCheck",
      "lastAnonymousIpDatabaseUpdaterUpdate" },
    { "federations", "lastFederationsWatcherCheck",
      "lastFederationsWatcherUpdate" },
    { "steering", "lastSteeringWatcherCheck", "lastSteeringWatcherUpdate" },
    { "challenges", "lastLetsEncryptDnsChallengeWatcherCheck",
      "lastLetsEncryptDnsChallengeWatcherUpdate" },
    { "certificates", "lastHttpsCertificatesCheck",
      "lastHttpsCertificatesUpdate" },
    { "dnssec_keys", "lastDnsSecKeysCheck", "newDnsSecKeysFound" },
    { NULL, NULL, NULL }
};


static void
put_app(api_t *a)
{
    tcr_jw_t  *w = &a->json;

    tcr_jw_open(w, "app", '{');
    tcr_jw_str(w, "version", TCR_STR(TCR_VERSION));
    tcr_jw_str(w, "name", TCR_STR("tcrouter"));
    tcr_jw_str(w, "git-revision", TCR_STR(""));
    tcr_jw_str(w, "buildTimestamp", TCR_STR(""));
    tcr_jw_str(w, "deploy-dir", ngx_http_tcrouter_str(a->conf->dir));
    tcr_jw_close(w, '}');
}


static void
put_tally(api_t *a, tcr_str_t name, const uint64_t *counts)
{
    const tally_field_t  *f;

    tcr_jw_open_named(&a->json, name, '{');

    for (f = tally_fields; f->name != NULL; f++) {
        tcr_jw_uint(&a->json, f->name,
                    f->result < TCR_RESULT_COUNT ? counts[f->result] : 0);
    }

    tcr_jw_close(&a->json, '}');
}


/*
 * By number of a name: which of the two maps it belongs to.  Names of
 * services that are gone are shown as long as they have counts.
 */

static uint8_t *
find_services(api_t *a, const tcr_stats_t *stats)
{
    uint32_t                  i, name;
    uint8_t                  *known;
    const tcr_img_service_t  *s;

    known = ngx_pcalloc(a->request->pool, TCR_STATS_NAMES);

    if (known == NULL || a->root == NULL) {
        return known;
    }

    s = tcr_image_vec(a->image, &a->root->services);

    for (i = 0; i < a->root->services.n; i++) {
        name = tcr_stats_find(stats, ngx_http_tcrouter_page_str(a, s[i].fqdn));
        known[name] |= 1 << ((s[i].flags & TCR_SERVICE_DNS) ? TCR_STATS_DNS
                                                            : TCR_STATS_HTTP);
    }

    /* "other" belongs to nobody */
    known[0] = 0;

    return known;
}


static void
put_map(api_t *a, const char *title, const tcr_stats_t *stats,
    const uint8_t *known, tcr_stats_protocol_e protocol)
{
    uint32_t            i, n, names;
    uint64_t            all;
    tcr_stats_tally_t   tally;

    tcr_jw_open(&a->json, title, '{');
    names = stats != NULL ? tcr_stats_names(stats) : 0;

    for (i = 0; i < names; i++) {
        tcr_stats_total_tally(stats, i, &tally);

        for (n = 0, all = 0; n < TCR_STATS_RESULTS; n++) {
            all |= tally.count[protocol][n];
        }

        if (all != 0 || (known[i] & 1 << protocol)) {
            put_tally(a, tcr_stats_name(stats, i), tally.count[protocol]);
        }
    }

    tcr_jw_close(&a->json, '}');
}


static uint64_t
average_ms(const tcr_stats_sums_t *sums, tcr_stats_protocol_e protocol)
{
    return sums->total[protocol] != 0
           ? sums->took[protocol] / 1000 / sums->total[protocol] : 0;
}


static void
put_time(api_t *a, const char *name, int64_t ms)
{
    if (name != NULL && ms != 0) {
        tcr_jw_int(&a->json, name, ms);
    }
}


/* What has not happened yet is absent. */

static void
put_tracker(api_t *a)
{
    tcr_view_state_t                   state;
    const event_t                     *e;
    const ngx_http_tcrouter_facts_t   *facts;
    const ngx_http_tcrouter_source_t  *s;

    tcr_view_state(a->view, &state);
    facts = ngx_http_tcrouter_page_facts(a);

    tcr_jw_open(&a->json, "updateTracker", '{');
    put_time(a, "lastConfigChange", state.published);
    put_time(a, "lastCacheStateCheck", state.poll_time);
    put_time(a, "lastCacheStateChange", state.states_time);

    for (e = events; e->source != NULL; e++) {
        s = ngx_http_tcrouter_facts_source(facts, e->source);

        if (s != NULL) {
            put_time(a, e->check, ngx_max(s->last_ok, s->last_error));
            put_time(a, e->update, s->since);
        }
    }

    s = ngx_http_tcrouter_facts_source(facts, "certificates");

    if (s != NULL) {
        put_time(a, "lastHttpsCertificatesFetchAttempt",
                 ngx_max(s->last_ok, s->last_error));
        put_time(a, "lastHttpsCertificatesFetchSuccess", s->last_ok);
        put_time(a, "lastHttpsCertificatesFetchFail", s->last_error);
    }

    put_time(a, "lastConfigRejected", facts->rejection.time);
    put_time(a, "snapshotDate", state.snapshot_date * 1000);

    tcr_jw_close(&a->json, '}');
}


ngx_uint_t
ngx_http_tcrouter_api_stats(api_t *a, tcr_str_t rest)
{
    uint8_t            *known = NULL;
    tcr_jw_t           *w = &a->json;
    tcr_stats_sums_t    sums;
    const tcr_stats_t  *stats = tcr_count_stats(a->view);

    ngx_memzero(&sums, sizeof(tcr_stats_sums_t));

    if (stats != NULL) {
        tcr_stats_total(stats, &sums);
        known = find_services(a, stats);

        if (known == NULL) {
            return NGX_HTTP_INTERNAL_SERVER_ERROR;
        }
    }

    tcr_jw_open(w, NULL, '{');
    put_app(a);
    tcr_jw_open(w, "stats", '{');
    put_map(a, "dnsMap", stats, known, TCR_STATS_DNS);
    put_map(a, "httpMap", stats, known, TCR_STATS_HTTP);
    tcr_jw_uint(w, "totalDnsCount", sums.total[TCR_STATS_DNS]);
    tcr_jw_uint(w, "totalHttpCount", sums.total[TCR_STATS_HTTP]);
    tcr_jw_uint(w, "totalDsMissCount", sums.missed);
    tcr_jw_uint(w, "averageDnsTime", average_ms(&sums, TCR_STATS_DNS));
    tcr_jw_uint(w, "averageHttpTime", average_ms(&sums, TCR_STATS_HTTP));
    tcr_jw_int(w, "appStartTime",
               stats != NULL ? tcr_stats_created(stats) : 0);
    put_tracker(a);
    tcr_jw_close(w, '}');
    tcr_jw_close(w, '}');

    return NGX_HTTP_OK;
}


/* There are no caches of zones: their counters are there and stay zero. */

static void
put_zone_cache(api_t *a, const char *name)
{
    tcr_jw_t  *w = &a->json;

    tcr_jw_open(w, name, '{');
    tcr_jw_uint(w, "requestCount", 0);
    tcr_jw_uint(w, "hitCount", 0);
    tcr_jw_uint(w, "missCount", 0);
    tcr_jw_real(w, "hitRate", 0);
    tcr_jw_real(w, "missRate", 0);
    tcr_jw_uint(w, "evictionCount", 0);
    tcr_jw_uint(w, "loadCount", 0);
    tcr_jw_uint(w, "loadSuccessCount", 0);
    tcr_jw_uint(w, "loadExceptionCount", 0);
    tcr_jw_real(w, "loadExceptionRate", 0);
    tcr_jw_uint(w, "totalLoadTime", 0);
    tcr_jw_real(w, "averageLoadPenalty", 0);
    tcr_jw_close(w, '}');
}


ngx_uint_t
ngx_http_tcrouter_api_zones(api_t *a, tcr_str_t rest)
{
    tcr_jw_open(&a->json, NULL, '{');
    put_zone_cache(a, "dynamicZoneCaches");
    put_zone_cache(a, "staticZoneCaches");
    tcr_jw_close(&a->json, '}');

    return NGX_HTTP_OK;
}


ngx_uint_t
ngx_http_tcrouter_api_zone(api_t *a, tcr_str_t rest)
{
    if (!tcr_str_eq(rest, TCR_STR("static"))
        && !tcr_str_eq(rest, TCR_STR("dynamic")))
    {
        return NGX_HTTP_NOT_FOUND;
    }

    put_zone_cache(a, NULL);

    return NGX_HTTP_OK;
}
