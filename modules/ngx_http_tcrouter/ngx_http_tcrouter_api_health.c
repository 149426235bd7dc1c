/* SPDX-License-Identifier: Apache-2.0 */

/*
 * /crs/health: is this router fit to be asked?  For load balancers the status
 * (200 or 503) is enough; the body says why, and how old everything is.
 */

#include "ngx_http_tcrouter_api.h"

/* Monitors are asked every second; silence of so many ms is worth a word. */
#define STALE  10000


static void
put_ms(api_t *a, const char *name, int64_t ms)
{
    if (ms != 0) {
        tcr_jw_int(&a->json, name, ms);

    } else {
        tcr_jw_null(&a->json, name);
    }
}


/* Whole seconds since a moment; null for what never was. */

static void
put_age(api_t *a, const char *name, int64_t ms)
{
    int64_t  age;

    if (ms == 0) {
        tcr_jw_null(&a->json, name);
        return;
    }

    age = (int64_t) ngx_time() - ms / 1000;
    tcr_jw_int(&a->json, name, age > 0 ? age : 0);
}


static void
put_state(api_t *a, const tcr_view_state_t *s)
{
    tcr_jw_t  *w = &a->json;

    tcr_jw_uint(w, "generation", s->generation);
    put_ms(a, "snapshotDate", s->snapshot_date * 1000);
    put_age(a, "snapshotAge", s->snapshot_date * 1000);
    put_ms(a, "published", s->published);
    put_ms(a, "statesTime", s->states_time);
    put_age(a, "statesAge", s->states_time);
    put_ms(a, "pollTime", s->poll_time);
    put_age(a, "pollAge", s->poll_time);
    tcr_jw_bool(w, "stale", s->generation == 0
                            || (int64_t) ngx_time() * 1000 - s->poll_time
                               > STALE);
    tcr_jw_uint(w, "refusedImages", s->refused);
}


/* Services that want TLS and have no certificate. */

static void
put_gaps(api_t *a)
{
    uint32_t                  i;
    const tcr_img_service_t  *s;

    tcr_jw_open(&a->json, "certificateGaps", '[');

    if (a->root != NULL) {
        s = tcr_image_vec(a->image, &a->root->services);

        for (i = 0; i < a->root->services.n; i++) {
            if ((s[i].flags & TCR_SERVICE_SSL_ENABLED)
                && !(s[i].flags & TCR_SERVICE_SSL_READY))
            {
                tcr_jw_str(&a->json, NULL,
                           ngx_http_tcrouter_page_str(a, s[i].id));
            }
        }
    }

    tcr_jw_close(&a->json, ']');
}


/* What was refused last, and the source that is not well now. */

static void
put_rejection(api_t *a, const ngx_http_tcrouter_facts_t *facts)
{
    tcr_jw_t                          *w = &a->json;
    const ngx_http_tcrouter_source_t  *s;

    if (facts->rejection.time == 0) {
        tcr_jw_null(w, "lastRejection");

    } else {
        tcr_jw_open(w, "lastRejection", '{');
        put_ms(a, "time", facts->rejection.time);
        tcr_jw_str(w, "reason", facts->rejection.text);
        tcr_jw_close(w, '}');
    }

    s = ngx_http_tcrouter_facts_failed(facts);

    if (s == NULL) {
        tcr_jw_null(w, "failedSource");
        return;
    }

    tcr_jw_open(w, "failedSource", '{');
    tcr_jw_str(w, "source", s->name);
    put_ms(a, "time", s->last_error);
    tcr_jw_str(w, "reason", s->error);
    tcr_jw_close(w, '}');
}


static void
put_sources(api_t *a, const ngx_http_tcrouter_facts_t *facts)
{
    uint32_t                           i;
    tcr_jw_t                          *w = &a->json;
    const ngx_http_tcrouter_source_t  *s;

    tcr_jw_open(w, "sources", '{');

    for (i = 0; i < facts->n_sources; i++) {
        s = &facts->sources[i];

        if (!s->in_use) {
            continue;
        }

        tcr_jw_open_named(w, s->name, '{');
        tcr_jw_str(w, "url", s->url);
        put_ms(a, "lastOk", s->last_ok);
        put_age(a, "age", s->last_ok);
        put_ms(a, "lastError", s->last_error);
        tcr_jw_str(w, "error", s->error);
        tcr_jw_int(w, "failures", s->failures);
        tcr_jw_bool(w, "refused", s->refused);
        tcr_jw_int(w, "problems", s->problems);
        tcr_jw_close(w, '}');
    }

    tcr_jw_close(w, '}');
}


ngx_uint_t
ngx_http_tcrouter_api_health(api_t *a, tcr_str_t rest)
{
    tcr_jw_t                          *w = &a->json;
    tcr_view_state_t                   state;
    const ngx_http_tcrouter_facts_t   *facts;
    const ngx_http_tcrouter_source_t  *states;

    tcr_view_state(a->view, &state);
    facts = ngx_http_tcrouter_page_facts(a);
    states = ngx_http_tcrouter_facts_source(facts, "states");

    tcr_jw_open(w, NULL, '{');
    tcr_jw_bool(w, "ready", a->root != NULL);
    tcr_jw_str(w, "cdn", a->root != NULL
               ? ngx_http_tcrouter_page_str(a, a->root->cdn_name)
               : tcr_str(NULL));
    tcr_jw_str(w, "router", a->root != NULL
               ? ngx_http_tcrouter_page_str(a, a->root->router)
               : tcr_str(NULL));
    put_state(a, &state);
    tcr_jw_str(w, "monitor", facts->monitor.len != 0
               ? facts->monitor
               : states != NULL ? states->from : tcr_str(NULL));
    put_gaps(a);
    put_rejection(a, facts);
    put_ms(a, "fetcherTime", facts->written);
    put_sources(a, facts);
    tcr_jw_close(w, '}');

    return a->root != NULL ? NGX_HTTP_OK : NGX_HTTP_SERVICE_UNAVAILABLE;
}
