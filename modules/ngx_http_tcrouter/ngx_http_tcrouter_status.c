/* SPDX-License-Identifier: Apache-2.0 */

/*
 * tcrouter_status: the page for people.  This file has its frame, its first
 * lines and what all of its parts write with.
 */

#include <inttypes.h>

#include "tcr_utf8.h"
#include "tcr_version.h"

#include "ngx_http_tcrouter_status.h"

/* Monitors are asked every second; silence of so many ms is worth a word. */
#define STALE  10000


/* ------------------------------------------------------------- writing */

static const char *
escape_of(char c)
{
    switch (c) {

    case '&':
        return "&amp;";

    case '<':
        return "&lt;";

    case '>':
        return "&gt;";

    case '"':
        return "&quot;";

    case '\'':
        return "&#39;";

    default:
        /* what HTML does not allow in a document */
        return (u_char) c < 0x20 && c != '\t' && c != '\n' ? "\xef\xbf\xbd"
                                                           : NULL;
    }
}


void
ngx_http_tcrouter_status_text(status_t *s, tcr_str_t text)
{
    size_t       i, n;
    const char  *escape;

    for (i = 0; i < text.len; i += n) {
        n = tcr_utf8_len(text.data + i, text.len - i);
        escape = n != 0 ? escape_of(text.data[i]) : "\xef\xbf\xbd";

        if (escape != NULL) {
            n = n != 0 ? n : 1;
            ngx_http_tcrouter_status_html(s, escape);

        } else {
            tcr_buf_add(s->out, text.data + i, n);
        }
    }
}


int64_t
ngx_http_tcrouter_status_seconds(int64_t ms)
{
    int64_t  age = (int64_t) ngx_time() - ms / 1000;

    return age > 0 ? age : 0;
}


void
ngx_http_tcrouter_status_age(status_t *s, int64_t ms)
{
    int64_t  age = ngx_http_tcrouter_status_seconds(ms);

    if (ms == 0) {
        ngx_http_tcrouter_status_html(s, "never");

    } else if (age < 120) {
        tcr_buf_printf(s->out, "%" PRId64 " s", age);

    } else if (age < 2 * 3600) {
        tcr_buf_printf(s->out, "%" PRId64 " min", age / 60);

    } else if (age < 48 * 3600) {
        tcr_buf_printf(s->out, "%" PRId64 " h", age / 3600);

    } else {
        tcr_buf_printf(s->out, "%" PRId64 " d", age / 86400);
    }
}


void
ngx_http_tcrouter_status_time(status_t *s, int64_t ms)
{
    ngx_tm_t  tm;

    if (ms == 0) {
        ngx_http_tcrouter_status_html(s, "never");
        return;
    }

    ngx_gmtime((time_t) (ms / 1000), &tm);
    tcr_buf_printf(s->out, "%04d-%02d-%02d %02d:%02d:%02d UTC",
                   tm.ngx_tm_year, tm.ngx_tm_mon, tm.ngx_tm_mday,
                   tm.ngx_tm_hour, tm.ngx_tm_min, tm.ngx_tm_sec);
}


uint32_t
ngx_http_tcrouter_status_up(status_t *s, const tcr_img_group_t *g)
{
    uint32_t  i, up;

    for (i = 0, up = 0; i < g->n_caches; i++) {
        up += (tcr_explore_cache_flags(s->view, g->first_cache + i)
               & TCR_HEALTH_AVAILABLE) != 0;
    }

    return up;
}


/* ----------------------------------------------------------- first lines */

static ngx_uint_t
is_stale(const tcr_view_state_t *state)
{
    return (int64_t) ngx_time() * 1000 - state->poll_time > STALE;
}


static void
put_header(status_t *s, const tcr_view_state_t *state)
{
    ngx_http_tcrouter_status_html(s, "<header><h1>");

    if (s->root != NULL) {
        ngx_http_tcrouter_status_text(s,
            ngx_http_tcrouter_page_str(s, s->root->router));
        ngx_http_tcrouter_status_html(s, "</h1><span class=dim>request router "
                                         "of CDN ");
        ngx_http_tcrouter_status_text(s,
            ngx_http_tcrouter_page_str(s, s->root->cdn_name));
        ngx_http_tcrouter_status_html(s, ", <code>");
        ngx_http_tcrouter_status_text(s,
            ngx_http_tcrouter_page_str(s, s->root->domain));
        ngx_http_tcrouter_status_html(s, "</code></span>");

    } else {
        ngx_http_tcrouter_status_html(s, "Request router</h1>");
    }

    ngx_http_tcrouter_status_html(s,
        s->root == NULL
        ? "<span class=\"badge down\">no image: answers 503</span>"
        : is_stale(state)
          ? "<span class=\"badge part\">serving, health is stale</span>"
          : "<span class=\"badge up\">serving</span>");
    ngx_http_tcrouter_status_html(s, "</header>");
}


static void
open_card(status_t *s, const char *title)
{
    ngx_http_tcrouter_status_html(s, "<div class=card><span class=dim>");
    ngx_http_tcrouter_status_html(s, title);
    ngx_http_tcrouter_status_html(s, "</span><b>");
}


static void
close_card(status_t *s)
{
    ngx_http_tcrouter_status_html(s, "</small></div>");
}


static void
put_ages(status_t *s, const tcr_view_state_t *state)
{
    open_card(s, "Snapshot");
    ngx_http_tcrouter_status_age(s, state->snapshot_date != 0
                                    ? state->snapshot_date * 1000
                                    : state->published);
    ngx_http_tcrouter_status_html(s, " old</b><small class=dim>");

    if (state->snapshot_date != 0) {
        ngx_http_tcrouter_status_html(s, "made ");
        ngx_http_tcrouter_status_time(s, state->snapshot_date * 1000);

    } else {
        ngx_http_tcrouter_status_html(s, "it has no date of its own");
    }

    close_card(s);

    open_card(s, "Generation");
    tcr_buf_printf(s->out, "%" PRIu64 "</b><small class=dim>in force since ",
                   state->generation);
    ngx_http_tcrouter_status_time(s, state->published);
    close_card(s);

    open_card(s, "Health");
    ngx_http_tcrouter_status_age(s, state->poll_time);
    tcr_buf_printf(s->out, "%s</b><small class=dim>since a monitor answered",
                   state->poll_time != 0 ? " ago" : "");
    close_card(s);
}


static void
put_totals(status_t *s)
{
    uint32_t                  i, up;
    const tcr_img_group_t    *g;
    const tcr_img_service_t  *services;

    g = tcr_image_vec(s->image, &s->root->groups);
    services = tcr_image_vec(s->image, &s->root->services);

    for (i = 0, up = 0; i < s->root->n_groups; i++) {
        up += ngx_http_tcrouter_status_up(s, &g[i]);
    }

    open_card(s, "Caches up");
    tcr_buf_printf(s->out, "%" PRIu32 " of %" PRIu32 "</b><small class=dim>in "
                   "%" PRIu32 " cache groups", up, s->root->caches.n,
                   s->root->n_groups);
    close_card(s);

    for (i = 0, up = 0; i < s->root->services.n; i++) {
        up += tcr_explore_service_up(s->view, &services[i]);
    }

    open_card(s, "Services up");
    tcr_buf_printf(s->out, "%" PRIu32 " of %" PRIu32 "</b><small class=dim>"
                   "delivery services", up, s->root->services.n);
    close_card(s);
}


static void
put_counts(status_t *s, const tcr_view_state_t *state)
{
    tcr_stats_sums_t    sums;
    const tcr_stats_t  *stats = tcr_count_stats(s->view);

    if (stats == NULL) {
        return;
    }

    tcr_stats_total(stats, &sums);

    open_card(s, "Answered");
    tcr_buf_printf(s->out, "%" PRIu64 "</b><small class=dim>%" PRIu64 " HTTP, "
                   "%" PRIu64 " DNS; %" PRIu64 " for no service",
                   sums.total[TCR_STATS_HTTP] + sums.total[TCR_STATS_DNS],
                   sums.total[TCR_STATS_HTTP], sums.total[TCR_STATS_DNS],
                   sums.missed);
    close_card(s);
}


static void
put_cards(status_t *s, const tcr_view_state_t *state)
{
    ngx_http_tcrouter_status_html(s, "<div class=cards>");
    put_ages(s, state);

    if (s->root != NULL) {
        put_totals(s);
    }

    put_counts(s, state);
    ngx_http_tcrouter_status_html(s, "</div>");
}


static void
put_page(status_t *s)
{
    tcr_view_state_t  state;

    tcr_view_state(s->view, &state);

    ngx_http_tcrouter_status_html(s,
        "<!doctype html><html lang=en><head><meta charset=utf-8>"
        "<meta name=viewport content=\"width=device-width\">"
        "<title>tcrouter</title><style>");
    ngx_http_tcrouter_status_html(s, ngx_http_tcrouter_status_style);
    ngx_http_tcrouter_status_html(s, "</style></head><body><main>");

    put_header(s, &state);
    put_cards(s, &state);

    if (s->root != NULL) {
        ngx_http_tcrouter_status_where(s);
        ngx_http_tcrouter_status_map(s);
        ngx_http_tcrouter_status_groups(s);
    }

    ngx_http_tcrouter_status_events(s);
    ngx_http_tcrouter_status_sources(s);

    if (s->root != NULL) {
        ngx_http_tcrouter_status_services(s);
    }

    ngx_http_tcrouter_status_html(s, "<footer>tcrouter " TCR_VERSION ", ");
    ngx_http_tcrouter_status_time(s, (int64_t) ngx_time() * 1000);
    ngx_http_tcrouter_status_html(s, "</footer></main></body></html>\n");
}


/*
 * Nothing may be loaded and nothing may frame the page: what a snapshot says
 * is shown, never run.
 */

static const struct {
    const char  *name;
    tcr_str_t    value;
} headers[] = {
    { "Cache-Control", TCR_STR("no-store") },
    { "Content-Security-Policy",
      TCR_STR("default-src 'none'; style-src 'unsafe-inline'; "
              "form-action 'self'; base-uri 'none'; frame-ancestors 'none'") },
    { "X-Content-Type-Options", TCR_STR("nosniff") },
    { "Referrer-Policy", TCR_STR("no-referrer") }
};


ngx_int_t
ngx_http_tcrouter_status_handler(ngx_http_request_t *r)
{
    status_t    s;
    ngx_int_t   rc;
    ngx_uint_t  i;

    if (!(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD))) {
        return NGX_HTTP_NOT_ALLOWED;
    }

    rc = ngx_http_tcrouter_page_start(r, &s);

    if (rc != NGX_OK) {
        return rc;
    }

    for (i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
        if (ngx_http_tcrouter_page_header(r, headers[i].name,
                                          headers[i].value)
            != NGX_OK)
        {
            return NGX_HTTP_INTERNAL_SERVER_ERROR;
        }
    }

    ngx_str_set(&s.type, "text/html; charset=utf-8");
    put_page(&s);

    return ngx_http_tcrouter_page_send(&s, NGX_HTTP_OK);
}
