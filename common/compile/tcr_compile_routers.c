/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Routers and where they are (spec/inputs.md §5.6, spec/routing.md §9).
 */

#include "tcr_compiler.h"


bool
tcr_router_published(const tcr_router_t *router)
{
    return router->status.len != 0
           && !tcr_str_eq(router->status, TCR_STR("OFFLINE"))
           && !tcr_str_eq(router->status, TCR_STR("ADMIN_DOWN"));
}


/* May edge routing choose it, if it is somewhere? */
static bool
is_usable(const tcr_router_t *router)
{
    return tcr_str_eq(router->status, TCR_STR("ONLINE"))
           || tcr_str_eq(router->status, TCR_STR("REPORTED"));
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


/* Locations with equal coordinates are the first of them (inputs.md §5.3). */
static int
add_locations(tcr_compiler_t *c, tcr_names_t *names)
{
    size_t                      i, n = c->cfg->n_router_locations;
    uint32_t                    first;
    tcr_str_t                   place;
    tcr_names_t                 places;
    tcr_point_t                *points;
    tcr_img_router_location_t  *out;

    out = tcr_compiler_alloc(c, n, sizeof(*out));
    points = tcr_compiler_alloc(c, n, sizeof(*points));

    if (c->failed || tcr_names_init(names, c->arena, n) != 0
        || tcr_names_init(&places, c->arena, n) != 0)
    {
        return tcr_compiler_no_memory(c);
    }

    for (i = 0; i < n; i++) {
        /* adding 0 makes one zero of two */
        points[i].lat = c->cfg->router_locations[i].point.lat + 0.0;
        points[i].lon = c->cfg->router_locations[i].point.lon + 0.0;

        out[i].id = tcr_build_str(c->b, c->cfg->router_locations[i].id);
        out[i].lat = points[i].lat;
        out[i].lon = points[i].lon;

        place = tcr_str_n((const char *) &points[i], sizeof(points[i]));

        if (!tcr_names_find(&places, place, &first)) {
            first = (uint32_t) i;
            tcr_names_add(&places, place, first);
        }

        tcr_names_add(names, c->cfg->router_locations[i].id, first);
    }

    c->root.router_locations =
        tcr_build_array(c->b, out, n, sizeof(*out),
                        _Alignof(tcr_img_router_location_t));
    return 0;
}


int
tcr_compile_routers(tcr_compiler_t *c)
{
    bool                 possible = false;
    size_t               i;
    tcr_names_t          names;
    tcr_img_router_t    *out;
    const tcr_router_t  *r;

    out = tcr_compiler_alloc(c, c->cfg->n_routers, sizeof(*out));

    if (out == NULL || add_locations(c, &names) != 0) {
        return -1;
    }

    for (i = 0; i < c->cfg->n_routers; i++) {
        r = &c->cfg->routers[i];
        out[i].id = tcr_build_str(c->b, r->id);
        out[i].fqdn = tcr_build_str(c->b, r->fqdn);
        out[i].ip = tcr_build_str(c->b, r->ip);
        out[i].ip6 = tcr_build_str(c->b, r->ip6);
        out[i].status = tcr_build_str(c->b, r->status);
        out[i].port = r->port;
        out[i].https_port = r->https_port;
        out[i].api_port = r->api_port;
        out[i].secure_api_port = r->secure_api_port;

        if (!tcr_names_find(&names, r->location, &out[i].location)) {
            out[i].location = TCR_NONE;

        } else if (is_usable(r)) {
            possible = true;
        }
    }

    c->edge_dns = possible && c->cfg->edge_dns;
    c->edge_http = possible && c->cfg->edge_http;
    c->root.routers = tcr_build_array(c->b, out, c->cfg->n_routers,
                                      sizeof(*out),
                                      _Alignof(tcr_img_router_t));
    return 0;
}
