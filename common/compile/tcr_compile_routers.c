/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Routers and where they are (spec/inputs.md §5.6, spec/routing.md §9).
 */

#include "tcr_compile_edge.h"


bool
tcr_router_published(const tcr_router_t *router)
{
    return router->status.len != 0
           && !tcr_str_eq(router->status, TCR_STR("OFFLINE"))
           && !tcr_str_eq(router->status, TCR_STR("ADMIN_DOWN"));
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


/* Where a hash table of Java has the text, whose letters are taken as ASCII. */
static uint32_t
bucket_of(tcr_str_t text, uint32_t buckets)
{
    size_t    i;
    uint32_t  h;

    for (i = 0, h = 0; i < text.len; i++) {
        h = h * 31 + (unsigned char) text.data[i];
    }

    return (h ^ (h >> 16)) & (buckets - 1);
}


/*
 * The places of the locations: clients whose place is not known are told of
 * routers of each location in turn, and the reference takes them as its hash
 * table has them (spec/routing.md §9).  The same clients get the same routers.
 */
static void
order_locations(const tcr_compiler_t *c, uint32_t *place_of)
{
    size_t    i, n = c->cfg->n_router_locations;
    uint32_t  b, place, buckets = 16;

    while (n > buckets / 4 * 3) {
        buckets *= 2;
    }

    for (b = 0, place = 0; b < buckets; b++) {
        for (i = 0; i < n; i++) {
            if (bucket_of(c->cfg->router_locations[i].id, buckets) == b) {
                place_of[i] = place++;
            }
        }
    }
}


/* Locations with equal coordinates are the first of them (inputs.md §5.3). */
static int
add_locations(tcr_compiler_t *c, tcr_names_t *names,
    tcr_img_router_location_t **locations)
{
    size_t                      i, n = c->cfg->n_router_locations;
    uint32_t                    first, *place_of;
    tcr_str_t                   spot;
    tcr_names_t                 spots;
    tcr_point_t                *points;
    tcr_img_router_location_t  *out, *location;

    out = tcr_compiler_alloc(c, n, sizeof(*out));
    points = tcr_compiler_alloc(c, n, sizeof(*points));
    place_of = tcr_compiler_alloc(c, n, sizeof(*place_of));

    if (c->failed || tcr_names_init(names, c->arena, n) != 0
        || tcr_names_init(&spots, c->arena, n) != 0)
    {
        return tcr_compiler_no_memory(c);
    }

    order_locations(c, place_of);

    for (i = 0; i < n; i++) {
        /* adding 0 makes one zero of two */
        points[i].lat = c->cfg->router_locations[i].point.lat + 0.0;
        points[i].lon = c->cfg->router_locations[i].point.lon + 0.0;

        location = &out[place_of[i]];
        location->id = tcr_build_str(c->b, c->cfg->router_locations[i].id);
        location->lat = points[i].lat;
        location->lon = points[i].lon;

        spot = tcr_str_n((const char *) &points[i], sizeof(points[i]));

        if (!tcr_names_find(&spots, spot, &first)) {
            first = place_of[i];
            tcr_names_add(&spots, spot, first);
        }

        tcr_names_add(names, c->cfg->router_locations[i].id, first);
    }

    *locations = out;
    return 0;
}


/*
 * What edge-routed NS call the router: its name, below the CDN's zone its
 * first label there (spec/dns.md §3).
 */
static int
add_ns_names(tcr_compiler_t *c, const tcr_router_t *r, tcr_img_router_t *out)
{
    tcr_str_t  full, below;

    if (r->fqdn.len == 0) {
        return 0;
    }

    full = tcr_compiler_printf(c, "%.*s.", TCR_STR_ARG(r->fqdn));
    below = tcr_compiler_printf(c, "%.*s.%.*s.",
                                TCR_STR_ARG(tcr_first_label(r->fqdn)),
                                TCR_STR_ARG(c->cfg->domain));

    if (full.data == NULL || below.data == NULL) {
        return -1;
    }

    out->ns = tcr_build_str(c->b, full);
    out->ns_below = tcr_build_str(c->b, below);
    return 0;
}


int
tcr_compile_routers(tcr_compiler_t *c)
{
    bool                        possible = false;
    size_t                      i;
    tcr_names_t                 names;
    tcr_img_router_t           *out;
    const tcr_router_t         *r;
    tcr_img_router_location_t  *locations = NULL;

    out = tcr_compiler_alloc(c, c->cfg->n_routers, sizeof(*out));

    if (out == NULL || add_locations(c, &names, &locations) != 0) {
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

        if (add_ns_names(c, r, &out[i]) != 0) {
            return -1;
        }

        if (!tcr_names_find(&names, r->location, &out[i].location)) {
            out[i].location = TCR_NONE;

        } else if (tcr_edge_usable(r)) {
            possible = true;
        }
    }

    if (tcr_edge_prepare(c, out, locations, c->cfg->n_router_locations) != 0) {
        return -1;
    }

    c->root.router_locations =
        tcr_build_array(c->b, locations, c->cfg->n_router_locations,
                        sizeof(*locations),
                        _Alignof(tcr_img_router_location_t));

    c->edge_dns = possible && c->cfg->edge_dns;
    c->edge_http = possible && c->cfg->edge_http;
    c->root.routers = tcr_build_array(c->b, out, c->cfg->n_routers,
                                      sizeof(*out),
                                      _Alignof(tcr_img_router_t));
    return 0;
}
