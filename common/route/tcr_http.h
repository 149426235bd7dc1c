/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside the engine only: one HTTP question on its way through the steps.
 */

#ifndef TCR_HTTP_H_INCLUDED
#define TCR_HTTP_H_INCLUDED

#include "tcr_locate.h"
#include "tcr_query.h"


typedef struct {
    tcr_view_t                *view;
    const tcr_cdn_t           *cdn;
    const tcr_http_request_t  *req;
    tcr_http_decision_t       *out;
    tcr_query_params_t         params;
    tcr_str_t                  host;        /* lower case, without port      */
    tcr_str_t                  path;        /* decoded                       */
    uint32_t                   family;      /* 4 or 6, by the client's text  */
} tcr_http_flow_t;


/* Which URL of a service: all pieces are joined as they are. */
typedef struct {
    bool       https;
    tcr_str_t  host;
    tcr_str_t  domain;            /* absent: host is the whole name          */
    uint32_t   port;              /* 0 or the scheme's own: not printed      */
    tcr_str_t  path;
    tcr_str_t  query;             /* absent: no "?"                          */
} tcr_url_t;

/* data == NULL when memory is out */
tcr_str_t tcr_url_build(const tcr_mem_t *mem, const tcr_url_t *url);

/* URL of the request on a cache (spec/routing.md §10). */
tcr_str_t tcr_url_cache(const tcr_http_flow_t *f,
    const tcr_img_service_t *service, const tcr_img_assignment_t *assigned,
    tcr_str_t redirect_path);

/* URL of the request at the service's bypass host (§7). */
tcr_str_t tcr_url_bypass(const tcr_http_flow_t *f,
    const tcr_img_service_t *service);

/* URL without the router's own parameters where the CDN wants that. */
tcr_str_t tcr_url_strip(const tcr_http_flow_t *f, tcr_str_t url);

/*
 * What of this request is hashed for the service: path through its pattern,
 * then its query parameters (spec/routing.md §6.5); and the place on the line.
 */
tcr_str_t tcr_http_hash_text(const tcr_http_flow_t *f,
    const tcr_img_service_t *service);
double tcr_http_hash(const tcr_http_flow_t *f,
    const tcr_img_service_t *service);

/* Answers with one URL: redirect, or JSON as the request wants it. */
int tcr_http_answer_one(tcr_http_flow_t *f, tcr_str_t url);


#endif /* TCR_HTTP_H_INCLUDED */
