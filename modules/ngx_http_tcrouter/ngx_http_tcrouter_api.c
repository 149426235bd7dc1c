/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The API under /crs/ (spec/outputs.md §3): which call a path is, which
 * methods it takes, and what is the same for every answer.
 */

#include "ngx_http_tcrouter_api.h"

#define PREFIX  "/crs/"

#define NOT_ACCEPTABLE  406

#define READ  0                   /* GET, HEAD                               */
#define ANY   1                   /* whatever comes is answered like GET     */


typedef struct {
    const char                *path;        /* "*": one segment              */
    ngx_uint_t                 methods;
    ngx_http_tcrouter_api_pt   call;
} route_t;


static const route_t  routes[] = {
    { "stats", READ, ngx_http_tcrouter_api_stats },
    { "stats/ip/*", READ, ngx_http_tcrouter_api_ip },
    { "stats/zones/caches", READ, ngx_http_tcrouter_api_zones },
    { "stats/zones/caches/*", READ, ngx_http_tcrouter_api_zone },
    { "locations", READ, ngx_http_tcrouter_api_locations },
    { "locations/caches", READ, ngx_http_tcrouter_api_all_caches },
    { "locations/*/caches", READ, ngx_http_tcrouter_api_caches },
    { "consistenthash/cache/coveragezone", ANY,
      ngx_http_tcrouter_api_hash_zone },
    { "consistenthash/cache/deep/coveragezone", ANY,
      ngx_http_tcrouter_api_hash_deep },
    { "consistenthash/cache/geolocation", ANY,
      ngx_http_tcrouter_api_hash_geo },
    { "consistenthash/cache/coveragezone/steering", ANY,
      ngx_http_tcrouter_api_hash_steering },
    { "consistenthash/deliveryservice", ANY, ngx_http_tcrouter_api_target },
    { "consistenthash/patternbased/regex", ANY,
      ngx_http_tcrouter_api_pattern },
    { "consistenthash/patternbased/deliveryservice", ANY,
      ngx_http_tcrouter_api_hash_text },
    { "coveragezone/cachelocation", ANY, ngx_http_tcrouter_api_location },
    { "coveragezone/caches", ANY, ngx_http_tcrouter_api_usable },
    { "deepcoveragezone/cachelocation", ANY,
      ngx_http_tcrouter_api_deep_location },
    { "deliveryservices", ANY, ngx_http_tcrouter_api_match },
    { "steering", ANY, ngx_http_tcrouter_api_steering },
    { "health", READ, ngx_http_tcrouter_api_health },
    { NULL, 0, NULL }
};

static const tcr_str_t  methods[] = {
    [READ] = TCR_STR("GET,HEAD,OPTIONS"),
    [ANY] = TCR_STR("GET,HEAD,POST,PUT,PATCH,DELETE,OPTIONS")
};


/* Does the path fit, segment by segment?  "*" leaves its segment in rest. */

static ngx_uint_t
fits(const char *pattern, tcr_str_t path, tcr_str_t *rest)
{
    tcr_str_t  want = tcr_str(pattern), a, b;

    *rest = tcr_str(NULL);

    while (want.data != NULL && path.data != NULL) {
        a = tcr_str_split(&want, '/');
        b = tcr_str_split(&path, '/');

        if (tcr_str_eq(a, TCR_STR("*")) && b.len != 0) {
            *rest = b;

        } else if (!tcr_str_eq(a, b)) {
            return 0;
        }
    }

    /* a slash at the end does no harm */
    return want.data == NULL && path.len == 0;
}


static const route_t *
find(ngx_http_request_t *r, tcr_str_t *rest)
{
    tcr_str_t       path = ngx_http_tcrouter_str(r->uri);
    const route_t  *route;

    if (!tcr_str_starts(path, TCR_STR(PREFIX))) {
        return NULL;
    }

    path = tcr_str_n(path.data + sizeof(PREFIX) - 1,
                     path.len - (sizeof(PREFIX) - 1));

    for (route = routes; route->path != NULL; route++) {
        if (fits(route->path, path, rest)) {
            return route;
        }
    }

    return NULL;
}


/* Does the client take JSON?  What it prefers is of no interest. */

static ngx_uint_t
takes_json(ngx_http_request_t *r)
{
    tcr_str_t         rest, type;
    ngx_uint_t        i;
    ngx_list_part_t  *part = &r->headers_in.headers.part;
    ngx_table_elt_t  *h = part->elts;

    for (i = 0; /* void */ ; i++) {

        if (i >= part->nelts) {

            if (part->next == NULL) {
                return 1;
            }

            part = part->next;
            h = part->elts;
            i = 0;
        }

        if (tcr_str_ieq(ngx_http_tcrouter_str(h[i].key), TCR_STR("Accept"))) {
            break;
        }
    }

    rest = ngx_http_tcrouter_str(h[i].value);

    while (rest.data != NULL) {
        type = tcr_str_split(&rest, ',');
        type = tcr_str_trim(tcr_str_n(type.data, tcr_str_find(type, ';')));

        if (type.len == 0 || tcr_str_eq(type, TCR_STR("*/*"))
            || tcr_str_eq(type, TCR_STR("application/*"))
            || tcr_str_eq(type, TCR_STR("application/json")))
        {
            return 1;
        }
    }

    return 0;
}


/* Health is asked for to know how it is now. */

static ngx_int_t
add_max_age(api_t *a, const route_t *route)
{
    u_char  *p, *text;

    if (route->call == ngx_http_tcrouter_api_health) {
        return ngx_http_tcrouter_page_header(a->request, "Cache-Control",
                                             TCR_STR("no-store"));
    }

    if (a->root == NULL || a->root->api_max_age == 0) {
        return NGX_OK;
    }

    text = ngx_pnalloc(a->request->pool, sizeof("max-age=") + NGX_INT32_LEN);

    if (text == NULL) {
        return NGX_ERROR;
    }

    p = ngx_sprintf(text, "max-age=%uD", a->root->api_max_age);

    return ngx_http_tcrouter_page_header(a->request, "Cache-Control",
                                         tcr_str_n((char *) text, p - text));
}


static ngx_int_t
refuse_method(ngx_http_request_t *r, const route_t *route)
{
    if (ngx_http_tcrouter_page_header(r, "Allow", methods[route->methods])
        != NGX_OK)
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    if (r->method != NGX_HTTP_OPTIONS) {
        return NGX_HTTP_NOT_ALLOWED;
    }

    return ngx_http_tcrouter_send(r, NGX_HTTP_OK, NULL, tcr_str_n(NULL, 0));
}


ngx_int_t
ngx_http_tcrouter_api_handler(ngx_http_request_t *r)
{
    api_t           a;
    ngx_int_t       rc;
    tcr_str_t       rest;
    ngx_uint_t      status;
    const route_t  *route;

    rc = ngx_http_tcrouter_page_start(r, &a);

    if (rc != NGX_OK) {
        return rc;
    }

    route = find(r, &rest);

    if (route == NULL) {
        return NGX_HTTP_NOT_FOUND;
    }

    if (r->method == NGX_HTTP_OPTIONS
        || (route->methods == READ
            && !(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD))))
    {
        return refuse_method(r, route);
    }

    if (!takes_json(r)) {
        return NOT_ACCEPTABLE;
    }

    if (a.root == NULL && route->call != ngx_http_tcrouter_api_health
        && route->call != ngx_http_tcrouter_api_stats)
    {
        return NGX_HTTP_SERVICE_UNAVAILABLE;
    }

    status = route->call(&a, rest);

    if (add_max_age(&a, route) != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    return ngx_http_tcrouter_page_send(&a, status);
}
