/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What belongs to the CDN as a whole: its parameters, and the arrays that
 * several steps have filled.
 */

#include "tcr_compiler.h"

#define TTL_EDGE_NS  3600         /* spec/routing.md §9                      */


static uint32_t
cdn_flags(const tcr_compiler_t *c)
{
    const tcr_crconfig_t  *cfg = c->cfg;

    return (cfg->consistent_dns ? TCR_CDN_CONSISTENT_DNS : 0)
           | (cfg->strip_special ? TCR_CDN_STRIP_SPECIAL : 0)
           | (cfg->ecs ? TCR_CDN_ECS : 0)
           | (c->edge_dns ? TCR_CDN_EDGE_DNS : 0)
           | (c->edge_http ? TCR_CDN_EDGE_HTTP : 0)
           | (c->in->chains && cfg->any_dnssec ? TCR_CDN_CHAINS : 0);
}


static int
add_overrides(tcr_compiler_t *c)
{
    size_t               i;
    tcr_img_override_t  *out;

    out = tcr_compiler_alloc(c, c->cfg->n_overrides, sizeof(*out));

    if (out == NULL) {
        return -1;
    }

    for (i = 0; i < c->cfg->n_overrides; i++) {
        out[i].country_code = tcr_build_str(c->b,
                                            c->cfg->overrides[i].country_code);
        out[i].lat = c->cfg->overrides[i].point.lat;
        out[i].lon = c->cfg->overrides[i].point.lon;
    }

    c->root.overrides = tcr_build_array(c->b, out, c->cfg->n_overrides,
                                        sizeof(*out),
                                        _Alignof(tcr_img_override_t));
    return 0;
}


/* Maps from the ids of n things to their places. */
static int
add_maps(tcr_compiler_t *c)
{
    uint32_t    i, n;
    tcr_str_t  *keys;

    n = c->n_services > c->n_caches ? c->n_services : c->n_caches;
    n = c->n_groups > n ? c->n_groups : n;
    keys = tcr_compiler_alloc(c, n, sizeof(*keys));

    if (keys == NULL) {
        return -1;
    }

    for (i = 0; i < c->n_services; i++) {
        keys[i] = c->cfg->services[i].id;
    }

    c->root.service_map = tcr_build_map(c->b, keys, c->n_services);

    for (i = 0; i < c->n_caches; i++) {
        keys[i] = c->cfg->caches[c->cache_model[i]].id;
    }

    c->root.cache_map = tcr_build_map(c->b, keys, c->n_caches);

    for (i = 0; i < c->n_groups; i++) {
        keys[i] = c->cfg->groups[i].id;
    }

    c->root.group_map = tcr_build_map(c->b, keys, c->n_groups);
    return 0;
}


int
tcr_compile_cdn(tcr_compiler_t *c)
{
    tcr_img_routing_t  *root = &c->root;

    root->cdn_name = tcr_build_str(c->b, c->cfg->cdn_name);
    root->domain = tcr_build_str(c->b, c->cfg->domain);
    root->router = tcr_build_str(c->b, tcr_own_router(c));
    root->flags = cdn_flags(c);
    root->edge_dns_limit = tcr_clamp_u32(c->cfg->edge_dns_limit);
    root->edge_http_limit = tcr_clamp_u32(c->cfg->edge_http_limit);
    root->edge_ttl_ns = tcr_ttl_or(c->cfg->ttls.ns, TTL_EDGE_NS);
    root->n_regexes = c->n_regexes;
    root->n_groups = c->n_groups;
    root->api_max_age = tcr_clamp_u32(c->cfg->api_max_age);
    root->request_headers = tcr_compiler_strings(c, &c->cfg->request_headers);

    root->services = tcr_build_array(c->b, c->services, c->n_services,
                                     sizeof(*c->services),
                                     _Alignof(tcr_img_service_t));
    root->caches = tcr_build_array(c->b, c->caches, c->n_caches,
                                   sizeof(*c->caches),
                                   _Alignof(tcr_img_cache_t));
    root->groups = tcr_build_array(c->b, c->groups, c->n_all,
                                   sizeof(*c->groups),
                                   _Alignof(tcr_img_group_t));

    if (add_overrides(c) != 0) {
        return -1;
    }

    return add_maps(c);
}
