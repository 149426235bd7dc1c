/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a request would get, step by step: zones, hashing, steering
 * (spec/outputs.md §3; an unknown service or place is 404, rule api-404).
 */

#include "ngx_http_tcrouter_api.h"

/* longest path that the pattern of a request is tried on */
#define PATTERN_PATH  28


/* 404 with the empty object that those who parse every answer expect. */

static ngx_uint_t
nothing(api_t *a)
{
    tcr_buf_str(a->out, TCR_STR("{}"));
    ngx_str_set(&a->type, "text/plain;charset=ISO-8859-1");

    return NGX_HTTP_NOT_FOUND;
}


/*
 * The question of the parameters that a call wants: ip and requestPath when
 * they are wanted, the service always.  NGX_HTTP_OK, 400 for a missing
 * parameter, 404 for an unknown service.
 */

static ngx_uint_t
question(api_t *a, ngx_uint_t client, ngx_uint_t path, tcr_explore_t *x)
{
    tcr_str_t  id;

    ngx_memzero(x, sizeof(tcr_explore_t));
    x->view = a->view;
    x->mem = a->mem;

    id = ngx_http_tcrouter_page_arg(a, "deliveryServiceId");

    if (client) {
        x->client = ngx_http_tcrouter_page_arg(a, "ip");
    }

    if (path) {
        x->path = ngx_http_tcrouter_page_arg(a, "requestPath");
    }

    if (id.data == NULL || (client && x->client.data == NULL)
        || (path && x->path.data == NULL))
    {
        return NGX_HTTP_BAD_REQUEST;
    }

    x->service = tcr_explore_service(a->view, id);

    return x->service != NULL ? NGX_HTTP_OK : NGX_HTTP_NOT_FOUND;
}


static ngx_uint_t
answer_cache(api_t *a, const tcr_explore_t *x, tcr_explore_e how)
{
    uint32_t  cache;

    cache = tcr_explore_cache(x, how);

    if (cache == TCR_NONE) {
        return nothing(a);
    }

    ngx_http_tcrouter_api_put_cache(a, cache);

    return NGX_HTTP_OK;
}


static ngx_uint_t
hash_cache(api_t *a, tcr_explore_e how)
{
    ngx_uint_t     status;
    tcr_explore_t  x;

    status = question(a, 1, 1, &x);

    if (status == NGX_HTTP_NOT_FOUND) {
        return nothing(a);
    }

    return status == NGX_HTTP_OK ? answer_cache(a, &x, how) : status;
}


ngx_uint_t
ngx_http_tcrouter_api_hash_zone(api_t *a, tcr_str_t rest)
{
    return hash_cache(a, TCR_EXPLORE_ZONE);
}


ngx_uint_t
ngx_http_tcrouter_api_hash_deep(api_t *a, tcr_str_t rest)
{
    return hash_cache(a, TCR_EXPLORE_DEEP);
}


ngx_uint_t
ngx_http_tcrouter_api_hash_geo(api_t *a, tcr_str_t rest)
{
    return hash_cache(a, TCR_EXPLORE_GEO);
}


ngx_uint_t
ngx_http_tcrouter_api_hash_steering(api_t *a, tcr_str_t rest)
{
    ngx_uint_t     status;
    tcr_explore_t  x;

    status = question(a, 1, 1, &x);

    if (status == NGX_HTTP_OK) {
        x.service = tcr_explore_target(&x);
    }

    if (status == NGX_HTTP_NOT_FOUND || x.service == NULL) {
        return status == NGX_HTTP_BAD_REQUEST ? status : nothing(a);
    }

    return status == NGX_HTTP_OK ? answer_cache(a, &x, TCR_EXPLORE_ZONE)
                                 : status;
}


ngx_uint_t
ngx_http_tcrouter_api_target(api_t *a, tcr_str_t rest)
{
    ngx_uint_t                status;
    tcr_explore_t             x;
    const tcr_img_service_t  *target = NULL;

    status = question(a, 0, 1, &x);

    if (status == NGX_HTTP_BAD_REQUEST) {
        return status;
    }

    if (status == NGX_HTTP_OK) {
        target = tcr_explore_target(&x);
    }

    if (target == NULL) {
        return nothing(a);
    }

    ngx_http_tcrouter_api_put_service(a, target);

    return NGX_HTTP_OK;
}


static void
put_hashed(api_t *a, tcr_str_t path, const char *by, tcr_str_t value,
    tcr_str_t text)
{
    tcr_jw_open(&a->json, NULL, '{');
    tcr_jw_str(&a->json, "requestPath", path);
    tcr_jw_str(&a->json, by, value);
    tcr_jw_str(&a->json, "resultingPathToConsistentHash", text);
    tcr_jw_close(&a->json, '}');
}


ngx_uint_t
ngx_http_tcrouter_api_pattern(api_t *a, tcr_str_t rest)
{
    tcr_str_t  pattern, path, text;
    tcr_err_t  err;

    pattern = ngx_http_tcrouter_page_arg(a, "regex");
    path = ngx_http_tcrouter_page_arg(a, "requestPath");

    if (pattern.data == NULL || path.data == NULL) {
        return NGX_HTTP_BAD_REQUEST;
    }

    if (path.len > PATTERN_PATH) {
        tcr_jw_open(&a->json, NULL, '{');
        tcr_jw_str(&a->json, "Bad Input",
                   TCR_STR("Request Path length is restricted by API to "
                           "28 characters"));
        tcr_jw_close(&a->json, '}');
        return NGX_HTTP_BAD_REQUEST;
    }

    if (tcr_explore_pattern(pattern, path, &a->mem, &text, &err) != 0) {
        tcr_jw_open(&a->json, NULL, '{');
        tcr_jw_str(&a->json, "Bad Input", tcr_str(err.text));
        tcr_jw_close(&a->json, '}');
        return NGX_HTTP_BAD_REQUEST;
    }

    put_hashed(a, path, "consistentHashRegex", pattern, text);

    return NGX_HTTP_OK;
}


ngx_uint_t
ngx_http_tcrouter_api_hash_text(api_t *a, tcr_str_t rest)
{
    ngx_uint_t     status;
    tcr_explore_t  x;

    status = question(a, 0, 1, &x);

    if (status != NGX_HTTP_OK) {
        return status;
    }

    put_hashed(a, x.path, "deliveryServiceId",
               ngx_http_tcrouter_page_str(a, x.service->id),
               tcr_explore_hash_text(&x));

    return NGX_HTTP_OK;
}


static ngx_uint_t
answer_location(api_t *a, tcr_explore_e how)
{
    ngx_uint_t              status;
    tcr_explore_t           x;
    const tcr_img_group_t  *g;

    status = question(a, 1, 0, &x);

    if (status != NGX_HTTP_OK) {
        return status;
    }

    g = tcr_explore_location(&x, how);

    if (g == NULL) {
        return NGX_HTTP_NOT_FOUND;
    }

    ngx_http_tcrouter_api_put_location(a, g);

    return NGX_HTTP_OK;
}


ngx_uint_t
ngx_http_tcrouter_api_location(api_t *a, tcr_str_t rest)
{
    return answer_location(a, TCR_EXPLORE_ZONE);
}


ngx_uint_t
ngx_http_tcrouter_api_deep_location(api_t *a, tcr_str_t rest)
{
    return answer_location(a, TCR_EXPLORE_DEEP);
}


ngx_uint_t
ngx_http_tcrouter_api_usable(api_t *a, tcr_str_t rest)
{
    size_t                  i, n;
    uint32_t               *caches;
    tcr_str_t               id;
    ngx_uint_t              status;
    tcr_explore_t           x;
    const tcr_img_group_t  *g;

    status = question(a, 0, 0, &x);
    id = ngx_http_tcrouter_page_arg(a, "cacheLocationId");

    if (status == NGX_HTTP_BAD_REQUEST || id.data == NULL) {
        return NGX_HTTP_BAD_REQUEST;
    }

    g = tcr_explore_group(a->view, id);

    if (status != NGX_HTTP_OK || g == NULL) {
        return NGX_HTTP_NOT_FOUND;
    }

    caches = ngx_palloc(a->request->pool,
                        (tcr_explore_group_size(g) + 1) * sizeof(uint32_t));

    if (caches == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    n = tcr_explore_usable(a->view, x.service, g, caches);

    if (n == 0) {
        return NGX_HTTP_NOT_FOUND;
    }

    tcr_jw_open(&a->json, NULL, '[');

    for (i = 0; i < n; i++) {
        ngx_http_tcrouter_api_put_cache(a, caches[i]);
    }

    tcr_jw_close(&a->json, ']');

    return NGX_HTTP_OK;
}


/*
 * The parameter arrives escaped twice.  Only host, path and query of the URL
 * matter; headers are those of this request.
 */

static ngx_uint_t
url_question(api_t *a, tcr_http_request_t *req)
{
    size_t      i, at;
    tcr_str_t   url;
    char       *host;

    url = ngx_http_tcrouter_page_arg(a, "url");

    if (url.data != NULL) {
        url = ngx_http_tcrouter_page_decode(a, url);
    }

    for (at = 0; at + 2 < url.len; at++) {
        if (memcmp(url.data + at, "://", 3) == 0) {
            break;
        }
    }

    if (url.data == NULL || at + 2 >= url.len) {
        return NGX_HTTP_BAD_REQUEST;
    }

    url = tcr_str_n(url.data + at + 3, url.len - at - 3);
    at = ngx_min(tcr_str_find(url, '/'), tcr_str_find(url, '?'));
    req->host = tcr_str_n(url.data, ngx_min(at, tcr_str_find(url, ':')));
    req->query = tcr_str_n(url.data + at, url.len - at);
    req->path = tcr_str_split(&req->query, '?');

    host = ngx_pnalloc(a->request->pool, req->host.len + 1);

    if (host == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    for (i = 0; i < req->host.len; i++) {
        host[i] = tcr_lower(req->host.data[i]);
    }

    req->host.data = host;

    if (req->path.len == 0) {
        req->path = TCR_STR("/");
    }

    return NGX_HTTP_OK;
}


ngx_uint_t
ngx_http_tcrouter_api_match(api_t *a, tcr_str_t rest)
{
    ngx_uint_t                status;
    tcr_http_request_t        req;
    const tcr_img_service_t  *s;

    ngx_memzero(&req, sizeof(tcr_http_request_t));

    if (ngx_http_tcrouter_fill_request(a->request, &req) != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    status = url_question(a, &req);

    if (status != NGX_HTTP_OK) {
        return status;
    }

    s = tcr_explore_match(a->view, &req);

    if (s == NULL) {
        return NGX_HTTP_NOT_FOUND;
    }

    tcr_jw_open(&a->json, NULL, '{');
    tcr_jw_str(&a->json, "id", ngx_http_tcrouter_page_str(a, s->id));
    tcr_jw_close(&a->json, '}');

    return NGX_HTTP_OK;
}
