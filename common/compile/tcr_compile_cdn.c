/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What belongs to the CDN as a whole: its parameters and routers, and the
 * arrays that several steps have filled.
 */

#include "tcr_compiler.h"


static bool
same_point(tcr_point_t a, tcr_point_t b)
{
    return a.lat == b.lat && a.lon == b.lon;
}


/* Locations with equal coordinates merge into the first (inputs.md §5.3). */
static uint32_t
router_location(const tcr_crconfig_t *cfg, tcr_str_t id)
{
    size_t  i, k;

    for (i = 0; i < cfg->n_router_locations; i++) {
        if (!tcr_str_eq(cfg->router_locations[i].id, id)) {
            continue;
        }

        for (k = 0; k < i; k++) {
            if (same_point(cfg->router_locations[k].point,
                           cfg->router_locations[i].point))
            {
                return (uint32_t) k;
            }
        }

        return (uint32_t) i;
    }

    return TCR_NONE;
}


bool
tcr_router_published(const tcr_router_t *router)
{
    return router->status.len != 0
           && !tcr_str_eq(router->status, TCR_STR("OFFLINE"))
           && !tcr_str_eq(router->status, TCR_STR("ADMIN_DOWN"));
}


bool
tcr_edge_possible(const tcr_crconfig_t *cfg)
{
    size_t               i;
    const tcr_router_t  *r;

    for (i = 0; i < cfg->n_routers; i++) {
        r = &cfg->routers[i];

        if ((tcr_str_eq(r->status, TCR_STR("ONLINE"))
             || tcr_str_eq(r->status, TCR_STR("REPORTED")))
            && router_location(cfg, r->location) != TCR_NONE)
        {
            return true;
        }
    }

    return false;
}


tcr_str_t
tcr_own_router(const tcr_compiler_t *c)
{
    size_t     i;
    tcr_str_t  named = tcr_first_label(tcr_str(c->in->router));

    for (i = 0; i < c->cfg->n_routers; i++) {
        if (tcr_str_ieq(c->cfg->routers[i].id, named)) {
            return c->cfg->routers[i].id;
        }
    }

    if (c->cfg->n_routers == 1) {
        return c->cfg->routers[0].id;
    }

    return named;
}


static uint32_t
cdn_flags(const tcr_crconfig_t *cfg)
{
    bool  edge = tcr_edge_possible(cfg);

    return (cfg->consistent_dns ? TCR_CDN_CONSISTENT_DNS : 0)
           | (cfg->strip_special ? TCR_CDN_STRIP_SPECIAL : 0)
           | (cfg->ecs ? TCR_CDN_ECS : 0)
           | (cfg->edge_dns && edge ? TCR_CDN_EDGE_DNS : 0)
           | (cfg->edge_http && edge ? TCR_CDN_EDGE_HTTP : 0);
}


static int
add_routers(tcr_compiler_t *c)
{
    size_t               i;
    tcr_img_router_t    *out;
    const tcr_router_t  *r;

    out = tcr_compiler_alloc(c, c->cfg->n_routers, sizeof(*out));

    if (out == NULL) {
        return -1;
    }

    for (i = 0; i < c->cfg->n_routers; i++) {
        r = &c->cfg->routers[i];
        out[i].id = tcr_build_str(c->b, r->id);
        out[i].fqdn = tcr_build_str(c->b, r->fqdn);
        out[i].ip = tcr_build_str(c->b, r->ip);
        out[i].ip6 = tcr_build_str(c->b, r->ip6);
        out[i].status = tcr_build_str(c->b, r->status);
        out[i].location = router_location(c->cfg, r->location);
        out[i].port = r->port;
        out[i].https_port = r->https_port;
        out[i].api_port = r->api_port;
        out[i].secure_api_port = r->secure_api_port;
    }

    c->root.routers = tcr_build_array(c->b, out, c->cfg->n_routers,
                                      sizeof(*out),
                                      _Alignof(tcr_img_router_t));
    return 0;
}


static int
add_router_locations(tcr_compiler_t *c)
{
    size_t                      i;
    tcr_img_router_location_t  *out;

    out = tcr_compiler_alloc(c, c->cfg->n_router_locations, sizeof(*out));

    if (out == NULL) {
        return -1;
    }

    for (i = 0; i < c->cfg->n_router_locations; i++) {
        out[i].id = tcr_build_str(c->b, c->cfg->router_locations[i].id);
        out[i].lat = c->cfg->router_locations[i].point.lat;
        out[i].lon = c->cfg->router_locations[i].point.lon;
    }

    c->root.router_locations =
        tcr_build_array(c->b, out, c->cfg->n_router_locations, sizeof(*out),
                        _Alignof(tcr_img_router_location_t));
    return 0;
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
    root->flags = cdn_flags(c->cfg);
    root->edge_dns_limit = tcr_clamp_u32(c->cfg->edge_dns_limit);
    root->edge_http_limit = tcr_clamp_u32(c->cfg->edge_http_limit);
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

    if (add_routers(c) != 0 || add_router_locations(c) != 0
        || add_overrides(c) != 0)
    {
        return -1;
    }

    return add_maps(c);
}
