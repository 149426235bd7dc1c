/* SPDX-License-Identifier: Apache-2.0 */

/* Routers of edge routing, ordered for every zone. */

#include "tcr_compile_edge.h"
#include "tcr_order.h"
#include "tcr_points.h"

/* Every router has so many points (spec/routing.md §6.2). */
#define POINTS  1000


struct tcr_edge_s {
    uint32_t  *routers;           /* by location                             */
    uint32_t   n;
    uint32_t  *ends;              /* where each location's end in routers    */
    size_t     n_ends;
    double    *points;            /* POINTS rows, like routers               */
    size_t    *n_points;
};


bool
tcr_edge_usable(const tcr_router_t *router)
{
    return (tcr_str_eq(router->status, TCR_STR("ONLINE"))
            || tcr_str_eq(router->status, TCR_STR("REPORTED")))
           && router->fqdn.len != 0;
}


static int
hash_router(tcr_compiler_t *c, tcr_edge_t *e, tcr_md5_t *md5, uint32_t i)
{
    size_t             k, kept;
    tcr_str_t          id = c->cfg->routers[e->routers[i]].id;
    tcr_hash_point_t   p[POINTS];

    if (!tcr_points_hash(md5, id, POINTS, 0, p)
        || !tcr_points_sort(p, POINTS, &kept))
    {
        return tcr_compiler_no_memory(c);
    }

    for (k = 0; k < kept; k++) {
        memcpy(&e->points[(size_t) i * POINTS + k], &p[k].bits,
               sizeof(double));
    }

    e->n_points[i] = kept;
    return 0;
}


static int
hash_routers(tcr_compiler_t *c, tcr_edge_t *e)
{
    int         rc = 0;
    uint32_t    i;
    tcr_md5_t  *md5 = tcr_md5_create();

    if (md5 == NULL) {
        return tcr_compiler_no_memory(c);
    }

    for (i = 0; i < e->n && rc == 0; i++) {
        rc = hash_router(c, e, md5, i);
    }

    tcr_md5_destroy(md5);
    return rc;
}


/* Routers of one location, in document order. */
static void
take_location(const tcr_compiler_t *c, tcr_edge_t *e,
    const tcr_img_router_t *routers, uint32_t location)
{
    uint32_t  i;

    for (i = 0; i < c->cfg->n_routers; i++) {
        if (routers[i].location == location
            && tcr_edge_usable(&c->cfg->routers[i]))
        {
            e->routers[e->n++] = i;
        }
    }
}


int
tcr_edge_prepare(tcr_compiler_t *c, const tcr_img_router_t *routers,
    tcr_img_router_location_t *locations, size_t n_locations)
{
    size_t       i, n = c->cfg->n_routers;
    tcr_edge_t  *e;

    c->edge = e = tcr_compiler_alloc(c, 1, sizeof(*e));

    if (e == NULL) {
        return -1;
    }

    e->routers = tcr_compiler_alloc(c, n, sizeof(*e->routers));
    e->ends = tcr_compiler_alloc(c, n_locations, sizeof(*e->ends));
    e->points = tcr_compiler_alloc(c, n * POINTS, sizeof(*e->points));
    e->n_points = tcr_compiler_alloc(c, n, sizeof(*e->n_points));
    e->n_ends = n_locations;

    if (c->failed) {
        return -1;
    }

    for (i = 0; i < n_locations; i++) {
        locations[i].first = e->n;
        take_location(c, e, routers, (uint32_t) i);
        locations[i].n = e->n - locations[i].first;
        e->ends[i] = e->n;
    }

    return hash_routers(c, e);
}


/* Hashed by the zone's name with its final dot. */
static int
zone_key(tcr_compiler_t *c, tcr_str_t origin, double *key)
{
    tcr_md5_t  *md5 = tcr_md5_create();
    tcr_str_t   text = tcr_compiler_printf(c, "%.*s.", TCR_STR_ARG(origin));

    if (md5 == NULL || text.data == NULL) {
        tcr_md5_destroy(md5);
        return tcr_compiler_no_memory(c);
    }

    *key = tcr_md5_point(md5, text);
    tcr_md5_destroy(md5);
    return 0;
}


int
tcr_edge_order(tcr_compiler_t *c, tcr_str_t origin, tcr_img_vec_t *out)
{
    double          key = 0;
    size_t          location;
    uint32_t        i, first, *order;
    tcr_edge_t     *e = c->edge;
    tcr_ordered_t  *nodes;

    if (e->n == 0) {
        return 0;
    }

    nodes = tcr_compiler_alloc(c, e->n, sizeof(*nodes));
    order = tcr_compiler_alloc(c, e->n, sizeof(*order));

    if (c->failed || zone_key(c, origin, &key) != 0) {
        return -1;
    }

    for (location = 0, first = 0; location < e->n_ends; location++) {

        for (i = first; i < e->ends[location]; i++) {
            nodes[i].delta = tcr_order_nearest(&e->points[(size_t) i * POINTS],
                                               e->n_points[i], key);
            nodes[i].node = e->routers[i];
            nodes[i].place = i;
        }

        tcr_order_sort(nodes + first, i - first);
        tcr_order_settle(nodes + first, i - first);
        first = i;
    }

    for (i = 0; i < e->n; i++) {
        order[i] = nodes[i].node;
    }

    *out = tcr_build_array(c->b, order, e->n, sizeof(*order),
                           _Alignof(uint32_t));
    return 0;
}
