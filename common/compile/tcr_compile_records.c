/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The records of a zone (spec/dns.md §2), in no order; equal ones may come
 * twice.  Here what every zone has: SOA, NS, routers, zones below.
 */

#include "tcr_zones.h"

#include <stdio.h>

#define TTL_ADDRESS  60           /* spec/dns.md §2                          */
#define TTL_NS       60
#define RECORDS_MAX  (16u * 1024 * 1024)
#define NAME_MAX_LEN 253          /* RFC 1035, 2.3.4, as text                */


/* Labels below the origin turned round; see tcr_record_t. */
static tcr_str_t
make_key(tcr_compiler_t *c, tcr_str_t rel)
{
    char    *p;
    size_t   i, at, n;

    p = tcr_compiler_alloc(c, rel.len + 1, 1);

    if (p == NULL) {
        return tcr_str_n(NULL, 0);
    }

    for (i = 0, at = rel.len; i < rel.len; i += n + 1) {
        n = tcr_str_find(tcr_str_n(rel.data + i, rel.len - i), '.');
        at -= n;
        memcpy(p + at, rel.data + i, n);
        at -= at > 0;
    }

    return tcr_str_n(p, rel.len);
}


/* Would rel "." origin be longer than a name can be? */
static bool
too_long(tcr_zones_t *z, tcr_str_t rel)
{
    if (rel.len < NAME_MAX_LEN
        && z->zone->origin.len < NAME_MAX_LEN - rel.len)
    {
        return false;
    }

    tcr_report_add(z->c->report, TCR_REPORT_LEFT_OUT,
                   "zone \"%.*s\": the name of \"%.*s\" would be longer than "
                   "%d bytes", TCR_STR_ARG(z->zone->origin), TCR_STR_ARG(rel),
                   NAME_MAX_LEN);
    return true;
}


static tcr_record_t *
add_record(tcr_zones_t *z, tcr_str_t rel)
{
    tcr_record_t    *r;
    tcr_compiler_t  *c = z->c;

    if (z->n_records == RECORDS_MAX) {
        tcr_err_set(c->err, "zones would have more than %u records",
                    RECORDS_MAX);
        return NULL;
    }

    z->n_records++;
    r = tcr_list_add(&z->records);

    if (r == NULL) {
        tcr_compiler_no_memory(c);
        return NULL;
    }

    r->service = TCR_NONE;
    r->key = make_key(c, rel);
    r->owner = rel.len == 0
               ? z->zone->origin
               : tcr_compiler_printf(c, "%.*s.%.*s", TCR_STR_ARG(rel),
                                     TCR_STR_ARG(z->zone->origin));

    return r->key.data != NULL && r->owner.data != NULL ? r : NULL;
}


int
tcr_records_add(tcr_zones_t *z, tcr_str_t rel, uint32_t type, uint32_t ttl,
    tcr_str_t data)
{
    tcr_record_t  *r;

    if (too_long(z, rel)) {
        return 0;
    }

    r = add_record(z, rel);

    if (r == NULL) {
        return -1;
    }

    r->type = type;
    r->ttl = ttl;
    r->data = tcr_build_str(z->c->b, data);
    return 0;
}


int
tcr_records_add_name(tcr_zones_t *z, tcr_str_t rel, uint32_t flags,
    uint32_t service)
{
    tcr_record_t  *r;

    if (too_long(z, rel)) {
        return 0;
    }

    r = add_record(z, rel);

    if (r == NULL) {
        return -1;
    }

    r->flags = flags;
    r->service = service;
    return 0;
}


bool
tcr_records_hidden(const tcr_zones_t *z, tcr_str_t rel)
{
    int   n;
    char  name[NAME_MAX_LEN + 1];

    if (!z->zone->has_children) {
        return false;
    }

    n = snprintf(name, sizeof(name), "%.*s.%.*s", TCR_STR_ARG(rel),
                 TCR_STR_ARG(z->zone->origin));

    return n > 0 && (size_t) n < sizeof(name)
           && tcr_zones_find(z, tcr_str_n(name, (size_t) n))
              != (uint32_t) (z->zone - z->zones);
}


int
tcr_records_add_addresses(tcr_zones_t *z, tcr_str_t rel, tcr_str_t ip,
    uint32_t ttl_a, tcr_str_t ip6, uint32_t ttl_aaaa)
{
    if (ip.len != 0
        && tcr_records_add(z, rel, TCR_RR_A, ttl_a, ip) != 0)
    {
        return -1;
    }

    if (ip6.len != 0) {
        return tcr_records_add(z, rel, TCR_RR_AAAA, ttl_aaaa, ip6);
    }

    return 0;
}


int
tcr_records_add_routers(tcr_zones_t *z, tcr_str_t rel, bool ip6)
{
    size_t               i;
    uint32_t             ttl_a, ttl_aaaa;
    tcr_str_t            at, none = { NULL, 0 };
    const tcr_router_t  *r;

    ttl_a = tcr_ttl_or(tcr_zones_ttls(z)->a, TTL_ADDRESS);
    ttl_aaaa = tcr_ttl_or(tcr_zones_ttls(z)->aaaa, TTL_ADDRESS);

    for (i = 0; i < z->c->cfg->n_routers; i++) {
        r = &z->c->cfg->routers[i];
        at = rel.data != NULL ? rel : z->routers[i];

        if (z->routers[i].data != NULL
            && tcr_records_add_addresses(z, at, r->ip, ttl_a,
                                         ip6 ? r->ip6 : none, ttl_aaaa) != 0)
        {
            return -1;
        }
    }

    return 0;
}


/* NS records at rel for the zone: its own, or those of a zone below. */
static int
add_ns(tcr_zones_t *z, tcr_str_t rel, const tcr_zone_t *of, uint32_t ttl)
{
    size_t     i;
    tcr_str_t  name;

    for (i = 0; i < z->c->cfg->n_routers; i++) {

        if (z->routers[i].data == NULL) {
            continue;
        }

        name = tcr_soa_router_name(z, z->routers[i],
                                   z->c->cfg->routers[i].fqdn, of);

        if (name.data == NULL
            || tcr_records_add(z, rel, TCR_RR_NS, ttl, name) != 0)
        {
            return -1;
        }
    }

    return 0;
}


static int
add_apex(tcr_zones_t *z)
{
    bool       ip6;
    uint32_t   s = z->zone->service;
    tcr_str_t  apex = TCR_STR("");

    ip6 = s == TCR_NONE || z->c->cfg->services[s].ip6;

    if (tcr_soa_begin(z) != 0
        || add_ns(z, apex, z->zone,
                  tcr_ttl_or(tcr_zones_ttls(z)->ns, TTL_NS)) != 0)
    {
        return -1;
    }

    return tcr_records_add_routers(z, tcr_str_n(NULL, 0), ip6);
}


/* NS of each zone right below (rule delegation); their targets are above. */
static int
add_delegations(tcr_zones_t *z)
{
    uint32_t           i, self = (uint32_t) (z->zone - z->zones);
    tcr_str_t          rel;
    const tcr_zone_t  *child;

    for (i = 0; z->zone->has_children && i < z->n_zones; i++) {
        child = &z->zones[i];

        if (child->parent != self) {
            continue;
        }

        rel = tcr_str_n(child->origin.data,
                        child->origin.len - z->zone->origin.len - 1);

        if (tcr_records_add_name(z, rel, TCR_NAME_DELEGATION, TCR_NONE) != 0
            || add_ns(z, rel, child,
                      tcr_ttl_or(z->c->cfg->ttls.ns, TTL_NS)) != 0)
        {
            return -1;
        }
    }

    return 0;
}


int
tcr_records_make(tcr_zones_t *z)
{
    z->records.n = 0;

    if (z->zone->own != NULL) {

        if (tcr_soa_begin(z) != 0 || tcr_entries_own(z) != 0) {
            return -1;
        }

    } else if (add_apex(z) != 0 || tcr_entries_make(z) != 0) {
        return -1;
    }

    return add_delegations(z);
}
