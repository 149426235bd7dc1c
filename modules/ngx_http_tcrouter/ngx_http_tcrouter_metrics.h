/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside the metrics only: the text format of Prometheus, version 0.0.4.
 *
 * Each family is told once, with all of its samples behind it.  Labels are
 * bounded by the snapshot and the settings: services, groups, sources, never
 * a client, a URL or a host name of a request.
 */

#ifndef NGX_HTTP_TCROUTER_METRICS_H_INCLUDED
#define NGX_HTTP_TCROUTER_METRICS_H_INCLUDED

#include "ngx_http_tcrouter_page.h"


typedef ngx_http_tcrouter_page_t  metrics_t;

typedef struct {
    const char  *name;
    tcr_str_t    value;
} ngx_http_tcrouter_label_t;

#define NGX_HTTP_TCROUTER_LABEL(name, value)                                  \
    (ngx_http_tcrouter_label_t) { (name), (value) }


/* HELP and TYPE. */
void ngx_http_tcrouter_metrics_family(metrics_t *m, const char *name,
    const char *type, const char *help);

/*
 * Name and labels of a sample, up to the blank before its value.  suffix: ""
 * or that of a histogram's series.
 */
void ngx_http_tcrouter_metrics_sample(metrics_t *m, const char *name,
    const char *suffix, const ngx_http_tcrouter_label_t *labels,
    ngx_uint_t n);

/* A family of one sample without labels. */
void ngx_http_tcrouter_metrics_gauge(metrics_t *m, const char *name,
    const char *help, uint64_t value);
void ngx_http_tcrouter_metrics_counter(metrics_t *m, const char *name,
    const char *help, uint64_t value);

/* Values with their line end. */
void ngx_http_tcrouter_metrics_uint(metrics_t *m, uint64_t value);
void ngx_http_tcrouter_metrics_ms(metrics_t *m, int64_t ms);


/* Groups of families. */
void ngx_http_tcrouter_metrics_counts(metrics_t *m);
void ngx_http_tcrouter_metrics_health(metrics_t *m);
void ngx_http_tcrouter_metrics_certificates(metrics_t *m);
void ngx_http_tcrouter_metrics_fetcher(metrics_t *m);


#endif /* NGX_HTTP_TCROUTER_METRICS_H_INCLUDED */
