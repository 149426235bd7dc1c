/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What tcr-fetch says of itself in STATE/status.json: its sources, what they
 * last gave and what went wrong, and its monitors.
 *
 * The file is looked at once a second at most, and only when a page asks.
 */

#ifndef NGX_HTTP_TCROUTER_FACTS_H_INCLUDED
#define NGX_HTTP_TCROUTER_FACTS_H_INCLUDED

#include <stdbool.h>

#include "tcr_arena.h"
#include "tcr_str.h"

#define NGX_HTTP_TCROUTER_SOURCES   32
#define NGX_HTTP_TCROUTER_MONITORS  32
#define NGX_HTTP_TCROUTER_EVENTS    100


/* Times in ms since 1970, 0 = never; texts absent = not said. */
typedef struct {
    tcr_str_t  name;              /* "snapshot", "states", …                 */
    tcr_str_t  url;
    tcr_str_t  from;              /* where what is in use came from          */
    tcr_str_t  error;             /* of the last failure                     */
    bool       in_use;
    bool       refused;           /* what it gives is not used               */
    int64_t    problems;          /* parts of it that were left out          */
    int64_t    last_ok;
    int64_t    last_error;
    int64_t    since;             /* what is in use was taken then           */
    int64_t    next_due;
    int64_t    size;
    int64_t    failures;          /* in a row                                */
} ngx_http_tcrouter_source_t;

typedef struct ngx_http_tcrouter_facts_s  ngx_http_tcrouter_facts_t;

typedef struct {
    tcr_str_t  host;
    int64_t    failures;
    bool       passed_over;
} ngx_http_tcrouter_monitor_t;

typedef struct {
    int64_t    time;
    tcr_str_t  text;
} ngx_http_tcrouter_event_t;

/* Traffic Ops, where sources are behind a log-in. */
typedef struct {
    tcr_str_t  origin;
    tcr_str_t  error;
    int64_t    failures;
    bool       logged_in;
} ngx_http_tcrouter_ops_t;

struct ngx_http_tcrouter_facts_s {
    tcr_arena_t                  *arena;      /* owns every text             */
    int64_t                       written;    /* 0: there is no file         */
    ngx_http_tcrouter_source_t    sources[NGX_HTTP_TCROUTER_SOURCES];
    uint32_t                      n_sources;
    ngx_http_tcrouter_monitor_t   monitors[NGX_HTTP_TCROUTER_MONITORS];
    uint32_t                      n_monitors;
    tcr_str_t                     monitor;    /* in use                      */
    ngx_http_tcrouter_ops_t       ops;
    ngx_http_tcrouter_event_t     rejection;  /* the last one                */
    ngx_http_tcrouter_event_t     events[NGX_HTTP_TCROUTER_EVENTS];
    uint32_t                      n_events;   /* oldest first                */
};


/*
 * Reads text into facts; -1 when it is no JSON object or memory is out (facts
 * are then what could be read before).  What is unknown is passed over.
 */
int ngx_http_tcrouter_facts_read(ngx_http_tcrouter_facts_t *facts,
    tcr_str_t text);

/* NULL when there is none of that name. */
const ngx_http_tcrouter_source_t *ngx_http_tcrouter_facts_source(
    const ngx_http_tcrouter_facts_t *facts, const char *name);

/* The source that failed last, and was not well since; NULL: all are well. */
const ngx_http_tcrouter_source_t *ngx_http_tcrouter_facts_failed(
    const ngx_http_tcrouter_facts_t *facts);


#endif /* NGX_HTTP_TCROUTER_FACTS_H_INCLUDED */
