/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside the API only: its answers, by path (spec/outputs.md §3).
 *
 * A call writes its body and returns the status; the type of the body is JSON
 * unless it says something else.
 */

#ifndef NGX_HTTP_TCROUTER_API_H_INCLUDED
#define NGX_HTTP_TCROUTER_API_H_INCLUDED

#include "ngx_http_tcrouter_page.h"


typedef ngx_http_tcrouter_page_t  api_t;

/* rest: what the path has in place of its "*" */
typedef ngx_uint_t (*ngx_http_tcrouter_api_pt)(api_t *a, tcr_str_t rest);


/* ..._api_stats.c, ..._api_ip.c, ..._api_health.c */
ngx_uint_t ngx_http_tcrouter_api_stats(api_t *a, tcr_str_t rest);
ngx_uint_t ngx_http_tcrouter_api_zones(api_t *a, tcr_str_t rest);
ngx_uint_t ngx_http_tcrouter_api_zone(api_t *a, tcr_str_t rest);
ngx_uint_t ngx_http_tcrouter_api_ip(api_t *a, tcr_str_t rest);
ngx_uint_t ngx_http_tcrouter_api_health(api_t *a, tcr_str_t rest);

/* ..._api_locations.c */
ngx_uint_t ngx_http_tcrouter_api_locations(api_t *a, tcr_str_t rest);
ngx_uint_t ngx_http_tcrouter_api_all_caches(api_t *a, tcr_str_t rest);
ngx_uint_t ngx_http_tcrouter_api_caches(api_t *a, tcr_str_t rest);

/* ..._api_route.c */
ngx_uint_t ngx_http_tcrouter_api_hash_zone(api_t *a, tcr_str_t rest);
ngx_uint_t ngx_http_tcrouter_api_hash_deep(api_t *a, tcr_str_t rest);
ngx_uint_t ngx_http_tcrouter_api_hash_geo(api_t *a, tcr_str_t rest);
ngx_uint_t ngx_http_tcrouter_api_hash_steering(api_t *a, tcr_str_t rest);
ngx_uint_t ngx_http_tcrouter_api_target(api_t *a, tcr_str_t rest);
ngx_uint_t ngx_http_tcrouter_api_pattern(api_t *a, tcr_str_t rest);
ngx_uint_t ngx_http_tcrouter_api_hash_text(api_t *a, tcr_str_t rest);
ngx_uint_t ngx_http_tcrouter_api_location(api_t *a, tcr_str_t rest);
ngx_uint_t ngx_http_tcrouter_api_deep_location(api_t *a, tcr_str_t rest);
ngx_uint_t ngx_http_tcrouter_api_usable(api_t *a, tcr_str_t rest);
ngx_uint_t ngx_http_tcrouter_api_match(api_t *a, tcr_str_t rest);
ngx_uint_t ngx_http_tcrouter_api_steering(api_t *a, tcr_str_t rest);

/* ..._api_objects.c; name as in tcr_jw.h */
void ngx_http_tcrouter_api_put_cache(api_t *a, uint32_t cache);
void ngx_http_tcrouter_api_put_location(api_t *a, const tcr_img_group_t *g);
void ngx_http_tcrouter_api_put_service(api_t *a, const tcr_img_service_t *s);
void ngx_http_tcrouter_api_put_point(api_t *a, const char *name, double lat,
    double lon);

/* The six texts of a place; city NULL: only coordinates are known. */
void ngx_http_tcrouter_api_put_texts(api_t *a, double lat, double lon,
    const tcr_city_record_t *city);

/* Address text with all eight groups of IPv6; absent stays absent. */
tcr_str_t ngx_http_tcrouter_api_address(api_t *a, tcr_img_str_t ref);


#endif /* NGX_HTTP_TCROUTER_API_H_INCLUDED */
