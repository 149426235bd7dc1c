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
 * Path through a pattern: its groups one after another, "null" for one that
 * took no part; the whole path when nothing matches or the pattern has no
 * groups.
 */
tcr_str_t tcr_http_apply_pattern(tcr_regex_t *re, tcr_str_t path,
    const tcr_mem_t *mem);

/*
 * What of this request is hashed (spec/routing.md §6.5): its path through the
 * pattern of one service, then the query parameters that another one lists
 * (steering: its own pattern, the target's parameters).
 */
tcr_str_t tcr_http_hash_text(const tcr_http_flow_t *f,
    const tcr_img_service_t *pattern, const tcr_img_service_t *params);
tcr_hashed_t tcr_http_hash(const tcr_http_flow_t *f,
    const tcr_img_service_t *pattern, const tcr_img_service_t *params);

/* Host of a request as logs and rules show it: the scheme's own port cut. */
tcr_str_t tcr_http_shown_host(const tcr_http_request_t *req);


/* ------------------------------------------------------------ one service */

/* Does the service take this request's scheme? */
bool tcr_http_scheme_fits(const tcr_http_flow_t *f,
    const tcr_img_service_t *s);

/*
 * Localisation; notes what it found in the decision.  hashed may be NULL: not
 * known yet.
 */
bool tcr_http_locate(tcr_http_flow_t *f, const tcr_img_service_t *s,
    bool use_deep, const tcr_hashed_t *hashed, tcr_locate_t *l);

/*
 * The service is up and has a cache (or a redirect) for the client; `pattern`
 * as tcr_http_hash_text.
 */
bool tcr_http_find(tcr_http_flow_t *f, const tcr_img_service_t *s,
    const tcr_img_service_t *pattern, tcr_locate_t *l);

/*
 * One of the first dispersion.limit caches for the key: the nearest, or a
 * random one of them when they are shuffled (§6.4).  TCR_NONE: no memory.
 */
uint32_t tcr_http_pick(tcr_http_flow_t *f, const tcr_img_service_t *s,
    const tcr_hashed_t *hashed, tcr_usable_t *u);

/* What tcr_http_find found is answered. */
int tcr_http_serve(tcr_http_flow_t *f, const tcr_img_service_t *s,
    tcr_locate_t *l);

int tcr_http_bypass(tcr_http_flow_t *f, const tcr_img_service_t *s);
int tcr_http_single(tcr_http_flow_t *f, const tcr_img_service_t *s);


/* --------------------------------------------------------------- steering */

/*
 * Indices of the steering service's targets that the snapshot knows, by the
 * consistent hash of the request (§6.3); order[] has room for all of them.
 * Returns how many.
 */
size_t tcr_steering_order(const tcr_http_flow_t *f, const tcr_steering_t *st,
    uint32_t *order);

/* The target of the first filter whose pattern is the whole path, or NONE. */
uint32_t tcr_steering_filtered(const tcr_http_flow_t *f,
    const tcr_steering_t *st);

/*
 * The target that X-TC-Steering-Option names: its index, TCR_NONE for a name
 * that is none; *given = the header was there and not empty.
 */
uint32_t tcr_steering_option(const tcr_http_flow_t *f,
    const tcr_steering_t *st, bool *given);

int tcr_http_steer(tcr_http_flow_t *f, const tcr_steering_t *st);
int tcr_http_multi(tcr_http_flow_t *f, const tcr_steering_t *st);


/* ---------------------------------------------------------------- answers */

/* 503 with that result. */
int tcr_http_refuse(tcr_http_flow_t *f, tcr_result_e result,
    tcr_details_e details);

/* One URL: redirect, or JSON as the request wants it. */
int tcr_http_answer_one(tcr_http_flow_t *f, tcr_str_t url);

/* Client steering: n > 0 URLs as JSON, with the first as redirect. */
int tcr_http_answer_list(tcr_http_flow_t *f, tcr_str_t *urls, size_t n);


#endif /* TCR_HTTP_H_INCLUDED */
