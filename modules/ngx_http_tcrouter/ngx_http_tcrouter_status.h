/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside the status page only: one HTML document that needs nothing else, no
 * script, no font, no picture.
 *
 * Every text that is not ours goes through ..._text, which escapes it.
 */

#ifndef NGX_HTTP_TCROUTER_STATUS_H_INCLUDED
#define NGX_HTTP_TCROUTER_STATUS_H_INCLUDED

#include "ngx_http_tcrouter_page.h"


typedef ngx_http_tcrouter_page_t  status_t;


/* Our own HTML. */
static ngx_inline void
ngx_http_tcrouter_status_html(status_t *s, const char *html)
{
    tcr_buf_str(s->out, tcr_str(html));
}


/* Text of others: escaped, and valid UTF-8. */
void ngx_http_tcrouter_status_text(status_t *s, tcr_str_t text);

/* "12 s", "3 min", "5 h", "9 d" since a moment in ms; "never" for 0. */
void ngx_http_tcrouter_status_age(status_t *s, int64_t ms);

/* "2026-11-30 16:04:05 UTC" */
void ngx_http_tcrouter_status_time(status_t *s, int64_t ms);

/* Seconds since a moment in ms, not below 0. */
int64_t ngx_http_tcrouter_status_seconds(int64_t ms);

/* How many caches of a group are up. */
uint32_t ngx_http_tcrouter_status_up(status_t *s, const tcr_img_group_t *g);


/* Parts of the page, in their order. */
void ngx_http_tcrouter_status_where(status_t *s);
void ngx_http_tcrouter_status_map(status_t *s);
void ngx_http_tcrouter_status_groups(status_t *s);
void ngx_http_tcrouter_status_services(status_t *s);
void ngx_http_tcrouter_status_sources(status_t *s);
void ngx_http_tcrouter_status_events(status_t *s);

extern const char  ngx_http_tcrouter_status_style[];

/* Outlines of the continents, coarse: longitude and negative latitude. */
extern const char  ngx_http_tcrouter_status_land[];


#endif /* NGX_HTTP_TCROUTER_STATUS_H_INCLUDED */
