/* SPDX-License-Identifier: Apache-2.0 */

/* Zones, names and records that stand in the image (spec/dns.md §1, §2). */

#include "tcr_dns.h"


static const tcr_img_dns_zone_t *
find_zone(const tcr_cdn_t *cdn, tcr_str_t origin)
{
    uint32_t                   v;
    tcr_map_iter_t             it;
    const tcr_img_dns_t       *dns = &cdn->rt->dns;
    const tcr_img_dns_zone_t  *zones = tcr_image_vec(cdn->img, &dns->zones);

    for (v = tcr_map_first(cdn->img, &dns->zone_map, origin, &it);
         v != TCR_NONE;
         v = tcr_map_next(&it))
    {
        if (tcr_str_eq(tcr_cdn_str(cdn, zones[v].origin), origin)) {
            return &zones[v];
        }
    }

    return NULL;
}


const tcr_img_dns_zone_t *
tcr_dns_zone_of(tcr_view_t *view, tcr_str_t name)
{
    const tcr_img_dns_zone_t  *zone;

    if (view->cdn == NULL) {
        return NULL;
    }

    while (name.data != NULL) {
        zone = find_zone(view->cdn, name);

        if (zone != NULL) {
            return zone;
        }

        tcr_str_split(&name, '.');
    }

    return NULL;
}


size_t
tcr_dns_zones(tcr_view_t *view, const tcr_img_dns_zone_t **zones)
{
    const tcr_img_dns_t  *dns;

    if (view->cdn == NULL) {
        return 0;
    }

    dns = &view->cdn->rt->dns;
    *zones = tcr_image_vec(view->cdn->img, &dns->zones);

    return dns->zones.n;
}


const tcr_img_name_t *
tcr_dns_find(const tcr_cdn_t *cdn, const tcr_img_dns_zone_t *zone,
    tcr_str_t name)
{
    uint32_t                   v, index;
    tcr_map_iter_t             it;
    const tcr_img_dns_t       *dns = &cdn->rt->dns;
    const tcr_img_name_t      *names = tcr_image_vec(cdn->img, &dns->names);
    const tcr_img_dns_zone_t  *zones = tcr_image_vec(cdn->img, &dns->zones);

    index = (uint32_t) (zone - zones);

    for (v = tcr_map_first(cdn->img, &dns->name_map, name, &it);
         v != TCR_NONE;
         v = tcr_map_next(&it))
    {
        if (names[v].dns_zone == index
            && tcr_str_eq(tcr_cdn_str(cdn, names[v].owner), name))
        {
            return &names[v];
        }
    }

    return NULL;
}


int
tcr_dns_add(tcr_dns_flow_t *f, const tcr_dns_record_t *record)
{
    size_t             room;
    tcr_dns_record_t  *records;
    tcr_dns_answer_t  *out = f->out;

    if (out->n_records == f->room) {
        room = f->room != 0 ? f->room * 2 : 8;
        records = tcr_mem_alloc(&f->q->mem, room * sizeof(*records));

        if (records == NULL) {
            return -1;
        }

        if (out->n_records != 0) {
            memcpy(records, out->records, out->n_records * sizeof(*records));
        }

        out->records = records;
        f->room = room;
    }

    out->records[out->n_records++] = *record;
    return 0;
}


/* Delegation NS and glue belong to the child (RFC 4035 §2.2). */
static bool
is_authoritative(const tcr_img_name_t *name, uint32_t type)
{
    if (name->flags & TCR_NAME_GLUE) {
        return false;
    }

    return !(name->flags & TCR_NAME_DELEGATION) || type == TCR_TYPE_DS;
}


static int
add_rrset(tcr_dns_flow_t *f, const tcr_img_name_t *name,
    const tcr_img_rrset_t *set)
{
    uint32_t              i;
    tcr_dns_record_t      record;
    const tcr_img_str_t  *data = tcr_image_vec(f->cdn->img, &set->data);

    record.type = (uint16_t) set->type;
    record.ttl = set->ttl;
    record.scope = 0;
    record.auth = is_authoritative(name, set->type);

    for (i = 0; i < set->data.n; i++) {
        record.data = tcr_cdn_str(f->cdn, data[i]);

        if (tcr_dns_add(f, &record) != 0) {
            return -1;
        }
    }

    return 0;
}


int
tcr_dns_static(tcr_dns_flow_t *f, const tcr_img_name_t *name)
{
    uint32_t                i;
    const tcr_img_rrset_t  *sets;

    sets = tcr_image_vec(f->cdn->img, &name->rrsets);

    for (i = 0; i < name->rrsets.n; i++) {

        if (sets[i].type == TCR_TYPE_NS && tcr_dns_edge_apex(f)) {
            continue;
        }

        if (tcr_dns_wants(f, (uint16_t) sets[i].type)
            && add_rrset(f, name, &sets[i]) != 0)
        {
            return -1;
        }
    }

    return 0;
}


static const tcr_img_cache_t *
find_cache(const tcr_cdn_t *cdn, tcr_str_t id)
{
    uint32_t        v;
    tcr_map_iter_t  it;

    for (v = tcr_map_first(cdn->img, &cdn->rt->cache_map, id, &it);
         v != TCR_NONE;
         v = tcr_map_next(&it))
    {
        if (tcr_str_eq(tcr_cdn_str(cdn, cdn->caches[v].id), id)) {
            return &cdn->caches[v];
        }
    }

    return NULL;
}


/* TTLs of the addresses of a cache's name; several services: the lowest. */
typedef struct {
    bool      named;
    bool      ip6;
    uint32_t  ttl_a;
    uint32_t  ttl_aaaa;
} named_t;


static named_t
services_naming(const tcr_cdn_t *cdn, const tcr_img_dns_zone_t *zone,
    uint32_t cache)
{
    named_t                   n = { false, false, UINT32_MAX, UINT32_MAX };
    uint32_t                  i;
    const uint32_t           *ids = tcr_image_vec(cdn->img, &zone->services);
    const tcr_img_service_t  *s;

    for (i = 0; i < zone->services.n; i++) {
        s = &cdn->services[ids[i]];

        if (!(s->flags & TCR_SERVICE_CACHE_NAMES)
            || tcr_assignment_of(cdn, s, cache) == NULL)
        {
            continue;
        }

        n.named = true;
        n.ttl_a = s->ttl_cache_a < n.ttl_a ? s->ttl_cache_a : n.ttl_a;

        if (s->flags & TCR_SERVICE_IP6) {
            n.ip6 = true;
            n.ttl_aaaa = s->ttl_cache_aaaa < n.ttl_aaaa ? s->ttl_cache_aaaa
                                                        : n.ttl_aaaa;
        }
    }

    return n;
}


int
tcr_dns_cache_name(tcr_dns_flow_t *f, const tcr_img_dns_zone_t *zone)
{
    named_t                 n;
    tcr_str_t               origin = tcr_cdn_str(f->cdn, zone->origin);
    tcr_dns_record_t        record = { .auth = true };
    const tcr_img_cache_t  *cache;

    if (f->name.len <= origin.len + 1) {
        return 0;
    }

    cache = find_cache(f->cdn, tcr_str_n(f->name.data,
                                         f->name.len - origin.len - 1));

    if (cache == NULL) {
        return 0;
    }

    n = services_naming(f->cdn, zone, (uint32_t) (cache - f->cdn->caches));

    n.ip6 = n.ip6 && cache->ip6 != 0;

    if (!n.named || (cache->ip == 0 && !n.ip6)) {
        return 0;
    }

    if (cache->ip != 0 && tcr_dns_wants(f, TCR_TYPE_A)) {
        record.type = TCR_TYPE_A;
        record.ttl = n.ttl_a;
        record.data = tcr_cdn_str(f->cdn, cache->ip);

        if (tcr_dns_add(f, &record) != 0) {
            return -1;
        }
    }

    if (n.ip6 && tcr_dns_wants(f, TCR_TYPE_AAAA)) {
        record.type = TCR_TYPE_AAAA;
        record.ttl = n.ttl_aaaa;
        record.data = tcr_cdn_str(f->cdn, cache->ip6);

        if (tcr_dns_add(f, &record) != 0) {
            return -1;
        }
    }

    return 1;
}
