/* SPDX-License-Identifier: Apache-2.0 */

/* Groups, services, sources and events as tables. */

#include <inttypes.h>
#include <stdlib.h>

#include "ngx_http_tcrouter_status.h"

#define DOWN_MAX      12          /* names of caches shown for a group       */
#define SERVICES_MAX  2000
#define EVENTS_MAX    20


/* ---------------------------------------------------------------- groups */

static void
put_down(status_t *s, const tcr_img_group_t *g)
{
    uint32_t                i, n, flags;
    const tcr_img_cache_t  *c;

    c = tcr_image_vec(s->image, &s->root->caches);

    for (i = 0, n = 0; i < g->n_caches; i++) {
        flags = tcr_explore_cache_flags(s->view, g->first_cache + i);

        if (flags & TCR_HEALTH_AVAILABLE) {
            continue;
        }

        if (n++ == DOWN_MAX) {
            ngx_http_tcrouter_status_html(s, ", …");
            return;
        }

        ngx_http_tcrouter_status_html(s, n > 1 ? ", <span class=down>"
                                               : "<span class=down>");
        ngx_http_tcrouter_status_text(s,
            ngx_http_tcrouter_page_str(s, c[g->first_cache + i].id));
        ngx_http_tcrouter_status_html(s, "</span>");

        if (!(flags & TCR_HEALTH_KNOWN)) {
            ngx_http_tcrouter_status_html(s,
                " <span class=dim>(no monitor knows it)</span>");
        }
    }
}


static void
put_group(status_t *s, const tcr_img_group_t *g)
{
    uint32_t  up = ngx_http_tcrouter_status_up(s, g);

    ngx_http_tcrouter_status_html(s, "<tr><td>");
    ngx_http_tcrouter_status_text(s, ngx_http_tcrouter_page_str(s, g->id));
    tcr_buf_printf(s->out, "</td><td class=num>%.4g, %.4g</td><td>", g->lat,
                   g->lon);

    if (g->n_caches != 0) {
        tcr_buf_printf(s->out, "<span class=bar><i style=\"width:%" PRIu32
                       "%%\"></i></span>%" PRIu32 " of %" PRIu32,
                       up * 100 / g->n_caches, up, g->n_caches);

    } else {
        ngx_http_tcrouter_status_html(s, "<span class=dim>no caches</span>");
    }

    ngx_http_tcrouter_status_html(s, "</td><td class=wrap>");
    put_down(s, g);
    ngx_http_tcrouter_status_html(s, "</td></tr>");
}


void
ngx_http_tcrouter_status_groups(status_t *s)
{
    uint32_t                i;
    const tcr_img_group_t  *g;

    g = tcr_image_vec(s->image, &s->root->groups);

    ngx_http_tcrouter_status_html(s, "<section><table><tr><th>Cache group</th>"
        "<th class=num>Latitude, longitude</th><th>Caches up</th>"
        "<th>Down</th></tr>");

    for (i = 0; i < s->root->n_groups; i++) {
        put_group(s, &g[i]);
    }

    ngx_http_tcrouter_status_html(s, "</table></section>");
}


/* -------------------------------------------------------------- services */

static void
put_count(status_t *s, const tcr_stats_t *stats,
    const tcr_img_service_t *service)
{
    uint32_t           name;
    uint64_t           all;
    ngx_uint_t         p, i;
    tcr_stats_tally_t  tally;

    name = stats != NULL
           ? tcr_stats_find(stats,
                            ngx_http_tcrouter_page_str(s, service->fqdn))
           : 0;

    if (name == 0) {
        ngx_http_tcrouter_status_html(s, "–");
        return;
    }

    tcr_stats_total_tally(stats, name, &tally);

    for (p = 0, all = 0; p < TCR_STATS_PROTOCOLS; p++) {
        for (i = 0; i < TCR_STATS_RESULTS; i++) {
            all += tally.count[p][i];
        }
    }

    tcr_buf_printf(s->out, "%" PRIu64, all);
}


static const char *
tls_of(const tcr_img_service_t *service)
{
    if (!(service->flags & TCR_SERVICE_SSL_ENABLED)) {
        return "<span class=dim>no</span>";
    }

    return service->flags & TCR_SERVICE_SSL_READY
           ? "yes" : "<span class=down>no certificate</span>";
}


static void
put_service(status_t *s, const tcr_stats_t *stats,
    const tcr_img_service_t *service)
{
    ngx_http_tcrouter_status_html(s, "<tr><td>");
    ngx_http_tcrouter_status_text(s,
                            ngx_http_tcrouter_page_str(s, service->id));
    ngx_http_tcrouter_status_html(s,
        service->flags & TCR_SERVICE_DNS ? "</td><td>DNS</td><td class=wrap>"
                                         : "</td><td>HTTP</td><td class=wrap>");
    ngx_http_tcrouter_status_text(s,
                            ngx_http_tcrouter_page_str(s, service->fqdn));
    ngx_http_tcrouter_status_html(s,
        tcr_explore_service_up(s->view, service)
        ? "</td><td class=up>up</td><td>"
        : "</td><td class=down>down</td><td>");
    ngx_http_tcrouter_status_html(s, service->flags & TCR_SERVICE_DNS
                                     ? "<span class=dim>–</span>"
                                     : tls_of(service));
    ngx_http_tcrouter_status_html(s, "</td><td class=num>");
    put_count(s, stats, service);
    ngx_http_tcrouter_status_html(s, "</td></tr>");
}


void
ngx_http_tcrouter_status_services(status_t *s)
{
    uint32_t                  i, n;
    const tcr_stats_t        *stats = tcr_count_stats(s->view);
    const tcr_img_service_t  *services;

    services = tcr_image_vec(s->image, &s->root->services);
    n = ngx_min(s->root->services.n, SERVICES_MAX);

    ngx_http_tcrouter_status_html(s, "<section><h2>Delivery services</h2>"
        "<table><tr><th>Service</th><th>Routing</th><th>Name</th>"
        "<th>State</th><th>TLS</th><th class=num>Answered</th></tr>");

    for (i = 0; i < n; i++) {
        put_service(s, stats, &services[i]);
    }

    ngx_http_tcrouter_status_html(s, "</table>");

    if (n < s->root->services.n) {
        tcr_buf_printf(s->out, "<p class=dim>and %" PRIu32 " more</p>",
                       s->root->services.n - n);
    }

    ngx_http_tcrouter_status_html(s, "</section>");
}


/* --------------------------------------------------------------- sources */

static void
put_source(status_t *s, const ngx_http_tcrouter_source_t *source)
{
    ngx_http_tcrouter_status_html(s, "<tr><td>");
    ngx_http_tcrouter_status_text(s, source->name);
    ngx_http_tcrouter_status_html(s, "</td><td class=wrap><code>");
    ngx_http_tcrouter_status_text(s, source->from.len != 0 ? source->from
                                                           : source->url);
    ngx_http_tcrouter_status_html(s, "</code></td><td class=num>");
    ngx_http_tcrouter_status_age(s, source->last_ok);
    ngx_http_tcrouter_status_html(s, "</td><td class=num>");
    ngx_http_tcrouter_status_age(s, source->since);
    ngx_http_tcrouter_status_html(s, "</td><td class=wrap>");

    if (source->failures != 0 || source->refused) {
        ngx_http_tcrouter_status_html(s, "<span class=down>");
        ngx_http_tcrouter_status_text(s, source->error.len != 0
                                         ? source->error
                                         : TCR_STR("refused"));
        ngx_http_tcrouter_status_html(s, "</span>");

    } else {
        ngx_http_tcrouter_status_html(s, "<span class=up>good</span>");
    }

    if (source->problems != 0) {
        tcr_buf_printf(s->out, "<span class=part>, %" PRId64 " left "
                       "out</span>", source->problems);
    }

    ngx_http_tcrouter_status_html(s, "</td></tr>");
}


void
ngx_http_tcrouter_status_sources(status_t *s)
{
    uint32_t                          i;
    const ngx_http_tcrouter_facts_t  *facts;

    facts = ngx_http_tcrouter_page_facts(s);

    ngx_http_tcrouter_status_html(s, "<section><h2>Sources</h2>");

    if (facts->written == 0) {
        ngx_http_tcrouter_status_html(s, "<p class=dim>tcr-fetch has written "
                                         "nothing in <code>");
        ngx_http_tcrouter_status_text(s,
                                ngx_http_tcrouter_str(s->conf->state));
        ngx_http_tcrouter_status_html(s, "</code>.</p></section>");
        return;
    }

    ngx_http_tcrouter_status_html(s, "<table><tr><th>Source</th><th>From</th>"
        "<th class=num>Last heard</th><th class=num>In use for</th>"
        "<th>State</th></tr>");

    for (i = 0; i < facts->n_sources; i++) {
        if (facts->sources[i].in_use) {
            put_source(s, &facts->sources[i]);
        }
    }

    ngx_http_tcrouter_status_html(s, "</table></section>");
}


/* ---------------------------------------------------------------- events */

typedef struct {
    int64_t      time;
    tcr_str_t    text;
} event_t;

typedef struct {
    event_t     list[2 + NGX_HTTP_TCROUTER_EVENTS];
    ngx_uint_t  n;
} events_t;


static void
add_event(events_t *e, int64_t time, tcr_str_t text)
{
    if (time != 0) {
        e->list[e->n++] = (event_t) { time, text };
    }
}


static int
newest_first(const void *a, const void *b)
{
    int64_t  x = ((const event_t *) a)->time, y = ((const event_t *) b)->time;

    return x < y ? 1 : x > y ? -1 : 0;
}


static void
find_events(status_t *s, events_t *e)
{
    uint32_t                          i;
    tcr_view_state_t                  state;
    const ngx_http_tcrouter_facts_t  *facts;

    e->n = 0;
    tcr_view_state(s->view, &state);
    facts = ngx_http_tcrouter_page_facts(s);

    add_event(e, state.published,
              TCR_STR("a new routing image is in force here"));
    add_event(e, state.states_time, TCR_STR("health has changed"));

    for (i = 0; i < facts->n_events; i++) {
        add_event(e, facts->events[i].time, facts->events[i].text);
    }

    qsort(e->list, e->n, sizeof(event_t), newest_first);
}


/* What was refused last stays in sight when other events have pushed it out. */

static void
put_rejection(status_t *s)
{
    const ngx_http_tcrouter_facts_t  *facts = ngx_http_tcrouter_page_facts(s);

    if (facts->rejection.time == 0) {
        return;
    }

    ngx_http_tcrouter_status_html(s, "<p class=wrap>Last refused, ");
    ngx_http_tcrouter_status_age(s, facts->rejection.time);
    ngx_http_tcrouter_status_html(s, " ago: <span class=down>");
    ngx_http_tcrouter_status_text(s, facts->rejection.text);
    ngx_http_tcrouter_status_html(s, "</span></p>");
}


void
ngx_http_tcrouter_status_events(status_t *s)
{
    events_t    e;
    ngx_uint_t  i;

    find_events(s, &e);

    ngx_http_tcrouter_status_html(s, "<section><h2>Last events</h2>");
    put_rejection(s);

    if (e.n == 0) {
        ngx_http_tcrouter_status_html(s, "<p class=dim>none yet</p>");
    }

    ngx_http_tcrouter_status_html(s, "<table>");

    for (i = 0; i < e.n && i < EVENTS_MAX; i++) {
        ngx_http_tcrouter_status_html(s, "<tr><td class=\"dim nowrap\">");
        ngx_http_tcrouter_status_time(s, e.list[i].time);
        ngx_http_tcrouter_status_html(s, "</td><td class=wrap>");
        ngx_http_tcrouter_status_text(s, e.list[i].text);
        ngx_http_tcrouter_status_html(s, "</td></tr>");
    }

    ngx_http_tcrouter_status_html(s, "</table></section>");
}
