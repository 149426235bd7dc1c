/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Which zones there are (spec/dns.md §1): the CDN's own, always; one for each
 * domain of a service; one for each domain that names of caches lie in.  All
 * are within the CDN's domain: a host pattern must not make routers answer
 * for somebody else's names.
 */

#include "tcr_compile_edge.h"
#include "tcr_zones.h"


uint32_t
tcr_zones_find(const tcr_zones_t *z, tcr_str_t name)
{
    uint32_t  i;

    for ( /* void */ ; name.data != NULL; name = tcr_parent_name(name)) {
        if (tcr_names_find(&z->names, name, &i)) {
            return i;
        }
    }

    return TCR_NONE;
}


const tcr_ttls_t *
tcr_zones_ttls(const tcr_zones_t *z)
{
    if (z->zone->own != NULL) {
        return &z->zone->own->ttls;
    }

    if (z->zone->service == TCR_NONE) {
        return &z->c->cfg->ttls;
    }

    return &z->c->cfg->services[z->zone->service].ttls;
}


static bool
has_dnssec(const tcr_zones_t *z)
{
    return z->zone->own != NULL ? z->zone->own->dnssec : z->c->cfg->dnssec;
}


/* The zone of that origin, made when it is new. */
static uint32_t
zone_at(tcr_zones_t *z, tcr_str_t origin, uint32_t service)
{
    uint32_t  i;

    if (!tcr_names_find(&z->names, origin, &i)) {
        i = z->n_zones++;
        z->zones[i].origin = origin;
        z->zones[i].service = service;
        z->zones[i].parent = TCR_NONE;
        tcr_names_add(&z->names, origin, i);
    }

    return i;
}


static void
add_service_zones(tcr_zones_t *z)
{
    uint32_t              s;
    tcr_compiler_t       *c = z->c;
    const tcr_service_t  *m;

    for (s = 0; s < c->n_services; s++) {
        m = &c->cfg->services[s];

        if (m->domain.len == 0) {
            continue;
        }

        if (!tcr_name_within(m->domain, c->cfg->domain)) {
            tcr_report_add(c->report, TCR_REPORT_WARNING,
                           "service \"%.*s\": domain \"%.*s\" is outside of "
                           "the CDN's domain \"%.*s\": no zone, only HTTP "
                           "requests for it are answered",
                           TCR_STR_ARG(m->id), TCR_STR_ARG(m->domain),
                           TCR_STR_ARG(c->cfg->domain));
            continue;
        }

        c->services[s].zone = zone_at(z, m->domain, s);
        z->zones[c->services[s].zone].n_services++;
    }
}


/* Domains of names of caches that are not their service's. */
static int
add_odd_zones(tcr_zones_t *z, uint32_t *zone_of)
{
    size_t            i;
    uint32_t          s;
    tcr_str_t         domain;
    tcr_compiler_t   *c = z->c;
    const tcr_odd_t  *odd = c->odd.items;

    for (i = 0; i < c->odd.n; i++) {
        s = odd[i].service;

        if (odd[i].domain == c->services[s].domain) {
            zone_of[i] = c->services[s].zone;

        } else if (i > 0 && odd[i].domain == odd[i - 1].domain
                   && odd[i - 1].domain != c->services[odd[i - 1].service]
                                           .domain)
        {
            zone_of[i] = zone_of[i - 1];

        } else {
            domain = tcr_compiler_text(c, odd[i].domain);

            if (domain.data == NULL) {
                return -1;
            }

            zone_of[i] = tcr_name_within(domain, c->cfg->domain)
                         ? zone_at(z, domain, s) : TCR_NONE;
        }

        if (zone_of[i] != TCR_NONE) {
            z->zones[zone_of[i]].n_odd++;
        }
    }

    return 0;
}


/* They lie outside of the CDN's domain, so none of them is there yet. */
static void
add_own_zones(tcr_zones_t *z)
{
    size_t                 i;
    const tcr_own_zone_t  *own = z->c->cfg->zones;

    for (i = 0; i < z->c->cfg->n_zones; i++) {
        z->zones[zone_at(z, own[i].origin, TCR_NONE)].own = &own[i];
    }
}


/* Lists of each zone: its services, its odd names. */
static int
list_members(tcr_zones_t *z, const uint32_t *zone_of)
{
    size_t           i;
    uint32_t         s;
    tcr_zone_t      *zone;
    tcr_compiler_t  *c = z->c;

    for (i = 0; i < z->n_zones; i++) {
        zone = &z->zones[i];
        zone->services = tcr_compiler_alloc(c, zone->n_services,
                                            sizeof(uint32_t));
        zone->odd = tcr_compiler_alloc(c, zone->n_odd, sizeof(uint32_t));
        zone->n_services = 0;
        zone->n_odd = 0;
    }

    if (c->failed) {
        return -1;
    }

    for (s = 0; s < c->n_services; s++) {
        if (c->services[s].zone != TCR_NONE) {
            zone = &z->zones[c->services[s].zone];
            zone->services[zone->n_services++] = s;
        }
    }

    for (i = 0; i < c->odd.n; i++) {
        if (zone_of[i] != TCR_NONE) {
            zone = &z->zones[zone_of[i]];
            zone->odd[zone->n_odd++] = (uint32_t) i;
        }
    }

    return 0;
}


static void
find_parents(tcr_zones_t *z)
{
    uint32_t  i, parent;

    for (i = 0; i < z->n_zones; i++) {
        parent = tcr_zones_find(z, tcr_parent_name(z->zones[i].origin));
        z->zones[i].parent = parent;

        if (parent != TCR_NONE) {
            z->zones[parent].has_children = true;
        }
    }
}


static int
find_zones(tcr_zones_t *z)
{
    size_t           room;
    uint32_t        *zone_of;
    tcr_compiler_t  *c = z->c;

    room = 1 + (size_t) c->n_services + c->odd.n + c->cfg->n_zones;
    z->zones = tcr_compiler_alloc(c, room, sizeof(*z->zones));
    zone_of = tcr_compiler_alloc(c, c->odd.n, sizeof(*zone_of));

    if (c->failed || room >= TCR_NONE
        || tcr_names_init(&z->names, c->arena, room) != 0)
    {
        return tcr_compiler_no_memory(c);
    }

    if (c->cfg->domain.len == 0) {
        tcr_report_add(c->report, TCR_REPORT_WARNING,
                       "the CDN has no domain_name: there are no zones, DNS "
                       "questions are refused");
        return 0;
    }

    zone_at(z, c->cfg->domain, TCR_NONE);
    add_service_zones(z);
    add_own_zones(z);

    if (add_odd_zones(z, zone_of) != 0 || list_members(z, zone_of) != 0) {
        return -1;
    }

    find_parents(z);
    return 0;
}


/* Names of caches that the engine finds by itself. */
static void
flag_cache_names(tcr_compiler_t *c)
{
    uint32_t  s;

    for (s = 0; s < c->n_services; s++) {
        if (c->plain_names[s] && c->services[s].zone != TCR_NONE
            && c->first_assignment[s] != c->first_assignment[s + 1])
        {
            c->services[s].flags |= TCR_SERVICE_CACHE_NAMES;
        }
    }
}


static int
make_zones(tcr_zones_t *z)
{
    uint32_t             i;
    tcr_str_t           *origins;
    tcr_compiler_t      *c = z->c;
    tcr_img_dns_t       *dns = &c->root.dns;
    tcr_img_dns_zone_t  *out;

    z->out = tcr_compiler_alloc(c, z->n_zones, sizeof(*z->out));
    origins = tcr_compiler_alloc(c, z->n_zones, sizeof(*origins));

    if (c->failed || tcr_soa_prepare(z) != 0
        || tcr_zones_prepare_content(z) != 0)
    {
        return -1;
    }

    for (i = 0; i < z->n_zones; i++) {
        z->zone = &z->zones[i];
        origins[i] = z->zone->origin;

        out = &z->out[i];
        out->origin = tcr_build_str(c->b, z->zone->origin);
        out->service = z->zone->service;
        out->flags = has_dnssec(z) ? TCR_ZONE_DNSSEC : 0;
        out->services = tcr_build_array(c->b, z->zone->services,
                                        z->zone->n_services, sizeof(uint32_t),
                                        _Alignof(uint32_t));

        if (tcr_records_make(z) != 0 || tcr_names_make(z) != 0
            || (z->zone->own == NULL
                && tcr_edge_order(c, z->zone->origin, &out->edge) != 0))
        {
            return -1;
        }
    }

    if (tcr_chains_make(z) != 0) {
        return -1;
    }

    dns->zones = tcr_build_array(c->b, z->out, z->n_zones, sizeof(*z->out),
                                 _Alignof(tcr_img_dns_zone_t));
    dns->names = tcr_build_array(c->b, z->img_names.items, z->img_names.n,
                                 sizeof(tcr_img_name_t),
                                 _Alignof(tcr_img_name_t));
    dns->zone_map = tcr_build_map(c->b, origins, z->n_zones);
    dns->name_map = tcr_build_map(c->b, z->owners.items, z->owners.n);
    return 0;
}


int
tcr_compile_zones(tcr_compiler_t *c)
{
    int          rc = -1;
    tcr_zones_t  z;

    memset(&z, 0, sizeof(z));
    z.c = c;
    z.records.size = sizeof(tcr_record_t);
    z.img_names.size = sizeof(tcr_img_name_t);
    z.owners.size = sizeof(tcr_str_t);

    if (find_zones(&z) == 0) {
        flag_cache_names(c);
        rc = make_zones(&z);
    }

    tcr_list_free(&z.records);
    tcr_list_free(&z.img_names);
    tcr_list_free(&z.owners);
    return rc;
}
