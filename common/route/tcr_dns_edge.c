/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Edge routing: which routers a client is told of, as name servers of a zone
 * and as addresses of an HTTP service; and what the log says of names that
 * nothing else was routed for (spec/routing.md §9).
 */

#include <math.h>

#include "tcr_dns.h"
#include "tcr_match.h"


typedef struct {
    const tcr_img_router_location_t  *near;   /* NULL: client not located    */
    tcr_result_e                      result;
    uint32_t                          scope;
} placed_t;


static const tcr_img_router_location_t *
nearest(const tcr_cdn_t *cdn, tcr_point_t from)
{
    double                            d, best = INFINITY;
    uint32_t                          i;
    const tcr_img_router_location_t  *all, *found = NULL;

    all = tcr_image_vec(cdn->img, &cdn->rt->router_locations);

    for (i = 0; i < cdn->rt->router_locations.n; i++) {

        if (all[i].n == 0) {
            continue;
        }

        d = tcr_distance(from, (tcr_point_t) { all[i].lat, all[i].lon });

        if (d < best) {
            best = d;
            found = &all[i];
        }
    }

    return found;
}


/* By coordinates of the client's zone, else by the database; no limits. */
static placed_t
place_client(const tcr_dns_flow_t *f)
{
    uint32_t           zone, scope;
    placed_t           p = { NULL, TCR_RESULT_MISS, 0 };
    tcr_city_record_t  record;
    const tcr_cdn_t   *cdn = f->cdn;
    const tcr_addr_t  *client = &f->out->client;

    if (client->family == 0) {
        return p;
    }

    zone = tcr_nets_find(&cdn->coverage, client, &p.scope);

    if (zone != TCR_NETS_NONE && cdn->zones[zone].has_point) {
        p.result = TCR_RESULT_CZ;
        p.near = nearest(cdn, (tcr_point_t) { cdn->zones[zone].lat,
                                              cdn->zones[zone].lon });
        return p;
    }

    if (cdn->city == NULL) {
        return p;
    }

    if (tcr_city_find(cdn->city->city, client, &record, &scope) == 1) {
        p.result = TCR_RESULT_GEO;
        p.near = nearest(cdn, record.point);
    }

    p.scope = scope > p.scope ? scope : p.scope;
    return p;
}


/*
 * Without a place: the first router of every location, then the second, until
 * `limit` routers of `most` chosen.  Calls back for each.
 */
static int
round_robin(const tcr_dns_flow_t *f, const uint32_t *edge, uint32_t most,
    uint32_t limit, int (*take)(tcr_dns_flow_t *f, uint32_t router,
    const void *how), const void *how)
{
    bool                              any;
    uint32_t                          i, turn, n;
    const tcr_img_router_location_t  *all;

    all = tcr_image_vec(f->cdn->img, &f->cdn->rt->router_locations);

    for (turn = 0, n = 0, any = true; any && n < most; turn++) {

        for (i = 0, any = false; i < f->cdn->rt->router_locations.n; i++) {

            if (turn >= all[i].n || n == most) {
                continue;
            }

            any = true;

            if (n++ < limit
                && take((tcr_dns_flow_t *) f, edge[all[i].first + turn], how)
                   != 0)
            {
                return -1;
            }
        }
    }

    return 0;
}


typedef struct {
    uint32_t  ttl_a;
    uint32_t  ttl_aaaa;
    uint8_t   scope;
    bool      ip6;
    bool      below;              /* NS: the zone lies below the CDN's       */
} how_t;


static int
add(tcr_dns_flow_t *f, uint16_t type, uint32_t ttl, uint8_t scope,
    tcr_img_str_t data)
{
    tcr_dns_record_t  record = {
        .type = type, .ttl = ttl, .scope = scope, .auth = true,
        .data = tcr_cdn_str(f->cdn, data)
    };

    return data != 0 && tcr_dns_wants(f, type) ? tcr_dns_add(f, &record) : 0;
}


static const tcr_img_router_t *
router_at(const tcr_dns_flow_t *f, uint32_t router)
{
    return (const tcr_img_router_t *)
               tcr_image_vec(f->cdn->img, &f->cdn->rt->routers) + router;
}


static int
take_ns(tcr_dns_flow_t *f, uint32_t router, const void *opaque)
{
    const how_t             *how = opaque;
    const tcr_img_router_t  *r = router_at(f, router);

    return add(f, TCR_TYPE_NS, how->ttl_a, how->scope,
               how->below ? r->ns_below : r->ns);
}


static int
take_addresses(tcr_dns_flow_t *f, uint32_t router, const void *opaque)
{
    const how_t             *how = opaque;
    const tcr_img_router_t  *r = router_at(f, router);

    if (add(f, TCR_TYPE_A, how->ttl_a, how->scope, r->ip) != 0) {
        return -1;
    }

    return how->ip6 ? add(f, TCR_TYPE_AAAA, how->ttl_aaaa, how->scope, r->ip6)
                    : 0;
}


/*
 * The first `limit` routers of the nearest location; without a place those
 * that the larger of the two limits would choose, in turn.
 */
static int
take_routers(tcr_dns_flow_t *f, const placed_t *p, uint32_t limit,
    uint32_t other_limit,
    int (*take)(tcr_dns_flow_t *f, uint32_t router, const void *how),
    const how_t *how)
{
    uint32_t         i, most;
    const uint32_t  *edge = tcr_image_vec(f->cdn->img, &f->out->zone->edge);

    if (p->near == NULL) {
        most = limit > other_limit ? limit : other_limit;

        if (most == 0 || most > f->out->zone->edge.n) {
            most = f->out->zone->edge.n;
        }

        return round_robin(f, edge, most, limit, take, how);
    }

    for (i = 0; i < limit && i < p->near->n; i++) {
        if (take(f, edge[p->near->first + i], how) != 0) {
            return -1;
        }
    }

    return 0;
}


static void
note(tcr_dns_flow_t *f, const placed_t *p)
{
    const uint32_t  edge = TCR_CDN_EDGE_DNS | TCR_CDN_EDGE_HTTP;

    f->out->result = p->result;
    f->out->details = TCR_DETAILS_LOCALIZED_DNS;

    if (p->near != NULL && (f->cdn->rt->flags & edge)) {
        f->out->has_point = true;
        f->out->point = (tcr_point_t) { p->near->lat, p->near->lon };
    }
}


/* A client-dependent record is never scope 0. */
static uint8_t
scope_of(const placed_t *p)
{
    return p->scope != 0 ? (uint8_t) p->scope : 1;
}


static const tcr_img_service_t *
service_of(tcr_dns_flow_t *f)
{
    uint32_t           service;
    tcr_match_input_t  in;

    memset(&in, 0, sizeof(in));
    in.host = f->name;
    in.mem = &f->q->mem;
    service = tcr_match_service(f->cdn, &in);

    return service != TCR_NONE ? &f->cdn->services[service] : NULL;
}


void
tcr_dns_localize(tcr_dns_flow_t *f)
{
    placed_t  p = place_client(f);

    note(f, &p);
    f->out->service = service_of(f);
}


bool
tcr_dns_edge_apex(const tcr_dns_flow_t *f)
{
    const tcr_img_dns_zone_t  *zone = f->out->zone;

    return (f->cdn->rt->flags & TCR_CDN_EDGE_DNS)
           && f->cdn->rt->edge_dns_limit != 0 && zone->edge.n != 0
           && tcr_str_eq(f->name, tcr_cdn_str(f->cdn, zone->origin));
}


int
tcr_dns_edge_ns(tcr_dns_flow_t *f)
{
    how_t                      how = { .ip6 = false };
    placed_t                   p = place_client(f);
    tcr_str_t                  origin, domain;
    const tcr_img_routing_t   *rt = f->cdn->rt;
    const tcr_img_service_t   *service = service_of(f);

    origin = tcr_cdn_str(f->cdn, f->out->zone->origin);
    domain = tcr_cdn_str(f->cdn, rt->domain);

    how.below = origin.len > domain.len && tcr_str_ends(origin, domain);
    how.scope = scope_of(&p);
    how.ttl_a = service != NULL ? service->ttl_ns : rt->edge_ttl_ns;

    f->out->scope = how.scope;
    return take_routers(f, &p, rt->edge_dns_limit, rt->edge_http_limit,
                        take_ns, &how);
}


int
tcr_dns_edge_addresses(tcr_dns_flow_t *f, const tcr_img_service_t *s)
{
    how_t                     how = { .below = false };
    placed_t                  p = place_client(f);
    uint32_t                  limit;
    const tcr_img_routing_t  *rt = f->cdn->rt;

    limit = s->max_dns_ips != 0 ? s->max_dns_ips : rt->edge_http_limit;
    how.scope = scope_of(&p);
    how.ip6 = s->flags & TCR_SERVICE_IP6;
    how.ttl_a = s->ttl_a;
    how.ttl_aaaa = s->ttl_aaaa;

    note(f, &p);
    f->out->scope = how.scope;
    f->out->service = s;
    return take_routers(f, &p, limit, rt->edge_dns_limit, take_addresses,
                        &how);
}
