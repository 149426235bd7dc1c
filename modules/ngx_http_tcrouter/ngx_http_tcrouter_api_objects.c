/* SPDX-License-Identifier: Apache-2.0 */

/* Places, caches, locations and services as the API shows them. */

#include "ngx_http_tcrouter_api.h"


/* What a coordinate looks like as text. */

static tcr_str_t
real_text(api_t *a, double d)
{
    char  *text;

    text = ngx_pnalloc(a->request->pool, TCR_REAL_TEXT);

    return text != NULL ? tcr_str_n(text, tcr_real_java(d, text))
                        : tcr_str(NULL);
}


void
ngx_http_tcrouter_api_put_texts(api_t *a, double lat, double lon,
    const tcr_city_record_t *city)
{
    static const tcr_city_record_t  unknown;

    if (city == NULL) {
        city = &unknown;
    }

    tcr_jw_str(&a->json, "latitude", real_text(a, lat));
    tcr_jw_str(&a->json, "longitude", real_text(a, lon));
    tcr_jw_str(&a->json, "postalCode", city->postal_code);
    tcr_jw_str(&a->json, "city", city->city);
    tcr_jw_str(&a->json, "countryCode", city->country_code);
    tcr_jw_str(&a->json, "countryName", city->country_name);
}


/* Of a group or a service only the coordinates are ever known. */

void
ngx_http_tcrouter_api_put_point(api_t *a, const char *name, double lat,
    double lon)
{
    tcr_jw_t  *w = &a->json;

    tcr_jw_open(w, name, '{');
    tcr_jw_real(w, "latitude", lat);
    tcr_jw_real(w, "longitude", lon);
    tcr_jw_null(w, "postalCode");
    tcr_jw_null(w, "city");
    tcr_jw_null(w, "countryCode");
    tcr_jw_null(w, "countryName");
    tcr_jw_bool(w, "defaultLocation", false);
    tcr_jw_open(w, "properties", '{');
    ngx_http_tcrouter_api_put_texts(a, lat, lon, NULL);
    tcr_jw_close(w, '}');
    tcr_jw_close(w, '}');
}


tcr_str_t
ngx_http_tcrouter_api_address(api_t *a, tcr_img_str_t ref)
{
    char        *text;
    tcr_str_t    given = ngx_http_tcrouter_page_str(a, ref);
    tcr_addr_t   addr;

    if (given.data == NULL || tcr_addr_parse(given, &addr) != 0) {
        return given;
    }

    text = ngx_pnalloc(a->request->pool, TCR_ADDR_TEXT);

    return text != NULL ? tcr_str_n(text, tcr_addr_format_full(&addr, text))
                        : given;
}


static void
put_strings(api_t *a, const char *name, const tcr_img_vec_t *vec)
{
    uint32_t              i;
    const tcr_img_str_t  *strings = tcr_image_vec(a->image, vec);

    tcr_jw_open(&a->json, name, '[');

    for (i = 0; i < vec->n; i++) {
        tcr_jw_str(&a->json, NULL, ngx_http_tcrouter_page_str(a, strings[i]));
    }

    tcr_jw_close(&a->json, ']');
}


/* "host.domain" */

static tcr_str_t
assigned_name(api_t *a, const tcr_img_assignment_t *as)
{
    char       *text;
    tcr_str_t   host = ngx_http_tcrouter_page_str(a, as->host);
    tcr_str_t   domain = ngx_http_tcrouter_page_str(a, as->domain);

    text = ngx_pnalloc(a->request->pool, host.len + domain.len + 1);

    if (text == NULL || domain.len == 0) {
        return host;
    }

    memcpy(text, host.data, host.len);
    text[host.len] = '.';
    memcpy(text + host.len + 1, domain.data, domain.len);

    return tcr_str_n(text, host.len + 1 + domain.len);
}


static void
put_assignments(api_t *a, uint32_t cache)
{
    uint32_t                     i;
    const tcr_img_service_t     *s;
    const tcr_img_assignment_t  *as;

    s = tcr_image_vec(a->image, &a->root->services);
    tcr_jw_open(&a->json, "deliveryServices", '[');

    for (i = 0; i < a->root->services.n; i++) {
        as = tcr_explore_assignment(a->view, &s[i], cache);

        if (as == NULL) {
            continue;
        }

        tcr_jw_open(&a->json, NULL, '{');
        tcr_jw_str(&a->json, "deliveryServiceId",
                   ngx_http_tcrouter_page_str(a, s[i].id));
        tcr_jw_str(&a->json, "fqdn", assigned_name(a, as));
        tcr_jw_close(&a->json, '}');
    }

    tcr_jw_close(&a->json, ']');
}


static void
put_points(api_t *a, uint32_t cache)
{
    double    point;
    uint32_t  at = 0;

    tcr_jw_open(&a->json, "hashValues", '[');

    while (tcr_explore_next_point(a->view, cache, &at, &point)) {
        tcr_jw_real(&a->json, NULL, point);
    }

    tcr_jw_close(&a->json, ']');
}


void
ngx_http_tcrouter_api_put_cache(api_t *a, uint32_t cache)
{
    tcr_jw_t               *w = &a->json;
    const tcr_img_cache_t  *c;
    const tcr_img_group_t  *g;

    c = (const tcr_img_cache_t *) tcr_image_vec(a->image, &a->root->caches)
        + cache;
    g = (const tcr_img_group_t *) tcr_image_vec(a->image, &a->root->groups)
        + c->group;

    tcr_jw_open(w, NULL, '{');
    tcr_jw_str(w, "id", ngx_http_tcrouter_page_str(a, c->id));
    tcr_jw_str(w, "fqdn", ngx_http_tcrouter_page_str(a, c->fqdn));
    tcr_jw_uint(w, "port", c->port);
    tcr_jw_uint(w, "httpsPort", c->https_port);
    tcr_jw_str(w, "ip4", ngx_http_tcrouter_api_address(a, c->ip));
    tcr_jw_str(w, "ip6", ngx_http_tcrouter_api_address(a, c->ip6));
    tcr_jw_bool(w, "available", tcr_explore_cache_flags(a->view, cache)
                                & TCR_HEALTH_AVAILABLE);
    put_strings(a, "capabilities", &c->capabilities);
    put_assignments(a, cache);
    ngx_http_tcrouter_api_put_point(a, "geolocation", g->lat, g->lon);
    put_points(a, cache);
    tcr_jw_uint(w, "order", 0);
    tcr_jw_close(w, '}');
}


static void
put_backups(api_t *a, const tcr_img_group_t *g)
{
    uint32_t                i;
    const uint32_t         *backups;
    const tcr_img_group_t  *groups;

    if (!(g->flags & TCR_GROUP_BACKUPS)) {
        tcr_jw_null(&a->json, "backupCacheGroups");
        return;
    }

    groups = tcr_image_vec(a->image, &a->root->groups);
    backups = tcr_image_vec(a->image, &g->backups);
    tcr_jw_open(&a->json, "backupCacheGroups", '[');

    for (i = 0; i < g->backups.n; i++) {
        tcr_jw_str(&a->json, NULL,
                   ngx_http_tcrouter_page_str(a, groups[backups[i]].id));
    }

    tcr_jw_close(&a->json, ']');
}


void
ngx_http_tcrouter_api_put_location(api_t *a, const tcr_img_group_t *g)
{
    uint32_t   i;
    tcr_jw_t  *w = &a->json;

    tcr_jw_open(w, NULL, '{');
    tcr_jw_str(w, "id", ngx_http_tcrouter_page_str(a, g->id));
    ngx_http_tcrouter_api_put_point(a, "geolocation", g->lat, g->lon);
    tcr_jw_open(w, "caches", '[');

    for (i = 0; i < tcr_explore_group_size(g); i++) {
        ngx_http_tcrouter_api_put_cache(a, tcr_explore_group_cache(a->view, g,
                                                                   i));
    }

    tcr_jw_close(w, ']');
    put_backups(a, g);
    tcr_jw_bool(w, "useClosestGeoLoc",
                g->flags & (TCR_GROUP_CLOSEST|TCR_GROUP_DEEP));
    tcr_jw_open(w, "properties", '{');
    tcr_jw_str(w, "id", ngx_http_tcrouter_page_str(a, g->id));
    ngx_http_tcrouter_api_put_texts(a, g->lat, g->lon, NULL);
    tcr_jw_close(w, '}');
    tcr_jw_close(w, '}');
}


static tcr_str_t
redirect_type(const tcr_img_service_t *s)
{
    switch (s->geo_redirect_type) {

    case TCR_GEO_REDIRECT_SELF:
        return TCR_STR("DS_URL");

    case TCR_GEO_REDIRECT_OTHER:
        return TCR_STR("NOT_DS_URL");

    default:
        return TCR_STR("INVALID_URL");
    }
}


/* Path and query of the URL; a relative one is that already. */

static tcr_str_t
redirect_file(api_t *a, const tcr_img_service_t *s)
{
    size_t     at;
    tcr_str_t  url = ngx_http_tcrouter_page_str(a, s->geo_redirect_url);

    for (at = 0; at + 2 < url.len; at++) {
        if (memcmp(url.data + at, "://", 3) == 0) {
            break;
        }
    }

    if (at + 2 >= url.len || s->geo_redirect_type == TCR_GEO_REDIRECT_INVALID) {
        return url;
    }

    url = tcr_str_n(url.data + at + 3, url.len - at - 3);
    at = ngx_min(tcr_str_find(url, '/'), tcr_str_find(url, '?'));

    return tcr_str_n(url.data + at, url.len - at);
}


static void
put_headers(api_t *a, const tcr_img_service_t *s)
{
    uint32_t               i;
    tcr_jw_t              *w = &a->json;
    const tcr_img_pair_t  *h;

    h = tcr_image_vec(a->image, &s->response_headers);
    tcr_jw_open(w, "responseHeaders", '{');

    for (i = 0; i < s->response_headers.n; i++) {
        tcr_jw_str_named(w, ngx_http_tcrouter_page_str(a, h[i].name),
                         ngx_http_tcrouter_page_str(a, h[i].value));
    }

    tcr_jw_close(w, '}');
    put_strings(a, "requestHeaders", &s->request_headers);
}


static void
put_redirects(api_t *a, const tcr_img_service_t *s)
{
    tcr_jw_t  *w = &a->json;

    tcr_jw_str(w, "geoRedirectUrl",
               ngx_http_tcrouter_page_str(a, s->geo_redirect_url));
    tcr_jw_str(w, "geoRedirectFile", redirect_file(a, s));
    tcr_jw_str(w, "geoRedirectUrlType", redirect_type(s));

    if (s->flags & TCR_SERVICE_HAS_MISS) {
        ngx_http_tcrouter_api_put_point(a, "missLocation", s->miss_lat,
                                        s->miss_lon);
    } else {
        tcr_jw_null(w, "missLocation");
    }
}


static void
put_hashing(api_t *a, const tcr_img_service_t *s)
{
    tcr_jw_t   *w = &a->json;
    tcr_str_t   pattern = ngx_http_tcrouter_page_str(a, s->hash_regex_java);

    tcr_jw_open(w, "dispersion", '{');
    tcr_jw_uint(w, "limit", s->dispersion_limit);
    tcr_jw_bool(w, "shuffled", s->flags & TCR_SERVICE_SHUFFLED);
    tcr_jw_close(w, '}');
    tcr_jw_str(w, "consistentHashRegex",
               pattern.data != NULL ? pattern : TCR_STR(""));
    put_strings(a, "consistentHashQueryParams", &s->hash_params);
}


void
ngx_http_tcrouter_api_put_service(api_t *a, const tcr_img_service_t *s)
{
    tcr_jw_t  *w = &a->json;

    tcr_jw_open(w, NULL, '{');
    tcr_jw_str(w, "id", ngx_http_tcrouter_page_str(a, s->id));
    tcr_jw_bool(w, "coverageZoneOnly", s->flags & TCR_SERVICE_CZ_ONLY);
    put_redirects(a, s);
    tcr_jw_str(w, "routingName",
               ngx_http_tcrouter_page_str(a, s->routing_name));
    tcr_jw_str(w, "topology", ngx_http_tcrouter_page_str(a, s->topology));
    put_hashing(a, s);
    tcr_jw_bool(w, "ip6RoutingEnabled", s->flags & TCR_SERVICE_IP6);
    put_headers(a, s);
    tcr_jw_bool(w, "regionalGeoEnabled", s->flags & TCR_SERVICE_REGIONAL);
    tcr_jw_str(w, "geolocationProvider",
               ngx_http_tcrouter_page_str(a, s->geo_provider));
    tcr_jw_bool(w, "anonymousIpEnabled", s->flags & TCR_SERVICE_ANONYMOUS);
    tcr_jw_bool(w, "sslEnabled", s->flags & TCR_SERVICE_SSL_ENABLED);
    tcr_jw_bool(w, "sslReady", s->flags & TCR_SERVICE_SSL_READY);
    tcr_jw_bool(w, "acceptHttp", s->flags & TCR_SERVICE_ACCEPT_HTTP);
    tcr_jw_str(w, "deepCache", s->flags & TCR_SERVICE_DEEP
                               ? TCR_STR("ALWAYS") : TCR_STR("NEVER"));
    tcr_jw_bool(w, "ecsEnabled", s->flags & TCR_SERVICE_ECS);
    tcr_jw_bool(w, "dns", s->flags & TCR_SERVICE_DNS);
    tcr_jw_uint(w, "locationLimit", s->failover_limit);
    tcr_jw_uint(w, "maxDnsIps", s->max_dns_ips);
    tcr_jw_bool(w, "available", tcr_explore_service_up(a->view, s));
    tcr_jw_close(w, '}');
}
