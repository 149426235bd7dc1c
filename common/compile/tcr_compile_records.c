/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The records of a zone (spec/dns.md §2), in no order; equal ones may come
 * twice.
 */

#include "tcr_zones.h"

#include <stdio.h>

#include "tcr_buf.h"

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


/* Does rel "." origin lie in a zone below this one? */
static bool
is_hidden(const tcr_zones_t *z, tcr_str_t rel)
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


static int
add_addresses(tcr_zones_t *z, tcr_str_t rel, tcr_str_t ip, uint32_t ttl_a,
    tcr_str_t ip6, uint32_t ttl_aaaa)
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


/* Addresses of every published router at rel, or at the router's name. */
static int
add_router_addresses(tcr_zones_t *z, tcr_str_t rel, bool ip6)
{
    size_t               i;
    tcr_str_t            none = { NULL, 0 };
    const tcr_ttls_t    *ttls = tcr_zones_ttls(z);
    const tcr_router_t  *r;

    for (i = 0; i < z->c->cfg->n_routers; i++) {
        r = &z->c->cfg->routers[i];

        if (z->routers[i].data != NULL
            && add_addresses(z, rel.data != NULL ? rel : z->routers[i], r->ip,
                             tcr_ttl_or(ttls->a, TTL_ADDRESS),
                             ip6 ? r->ip6 : none,
                             tcr_ttl_or(ttls->aaaa, TTL_ADDRESS)) != 0)
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

    return add_router_addresses(z, tcr_str_n(NULL, 0), ip6);
}


/* The name clients ask for: routed, edge-routed, or that of the routers. */
static int
add_routing_name(tcr_zones_t *z, uint32_t s)
{
    uint32_t              flags = TCR_NAME_EMPTY, who = TCR_NONE;
    tcr_compiler_t       *c = z->c;
    const tcr_service_t  *m = &c->cfg->services[s];

    if (is_hidden(z, m->routing_name)) {
        tcr_report_add(c->report, TCR_REPORT_WARNING,
                       "service \"%.*s\": its routing name \"%.*s\" lies in "
                       "the zone of another service", TCR_STR_ARG(m->id),
                       TCR_STR_ARG(m->routing_name));
        return 0;
    }

    if (c->routed[s] != TCR_NONE && m->dns) {
        flags = TCR_NAME_ROUTED;
        who = c->routed[s];

    } else if (!m->dns && c->edge_http) {
        flags = TCR_NAME_EDGE;
        who = c->routed[s] != TCR_NONE ? c->routed[s] : s;

    } else if (!m->dns
               && add_router_addresses(z, m->routing_name, m->ip6) != 0)
    {
        return -1;
    }

    return tcr_records_add_name(z, m->routing_name, flags, who);
}


static int64_t
ttl_of_type(const tcr_ttls_t *ttls, uint32_t type)
{
    switch (type) {

    case TCR_RR_A:
        return ttls->a;

    case TCR_RR_AAAA:
        return ttls->aaaa;

    case TCR_RR_CNAME:
        return ttls->cname;

    case TCR_RR_TXT:
        return ttls->txt;

    default:
        return -1;
    }
}


/* One quoted string (RFC 1035, 5.1); the model keeps it within 255 bytes. */
static tcr_str_t
txt_data(tcr_compiler_t *c, tcr_str_t value)
{
    size_t         i;
    tcr_buf_t      buf;
    tcr_str_t      text;
    unsigned char  ch;

    tcr_buf_init(&buf, 1024 * 1024);
    tcr_buf_char(&buf, '"');

    for (i = 0; i < value.len; i++) {
        ch = (unsigned char) value.data[i];

        if (ch == '"' || ch == '\\') {
            tcr_buf_char(&buf, '\\');
            tcr_buf_char(&buf, (char) ch);

        } else if (ch < 0x20 || ch >= 0x7f) {
            tcr_buf_printf(&buf, "\\%03u", ch);

        } else {
            tcr_buf_char(&buf, (char) ch);
        }
    }

    tcr_buf_char(&buf, '"');

    text = buf.failed ? tcr_str_n(NULL, 0)
                      : tcr_arena_strdup(c->arena,
                                         tcr_str_n(buf.data, buf.len));
    tcr_buf_free(&buf);

    if (text.data == NULL) {
        tcr_compiler_no_memory(c);
    }

    return text;
}


static int
add_static_entries(tcr_zones_t *z, uint32_t s)
{
    size_t                     i;
    int64_t                    ttl;
    tcr_str_t                  data;
    const tcr_service_t       *m = &z->c->cfg->services[s];
    const tcr_static_entry_t  *e;

    for (i = 0; i < m->n_static_entries; i++) {
        e = &m->static_entries[i];

        if (is_hidden(z, e->name)) {
            tcr_report_add(z->c->report, TCR_REPORT_LEFT_OUT,
                           "service \"%.*s\": static entry \"%.*s\" lies in "
                           "the zone of another service", TCR_STR_ARG(m->id),
                           TCR_STR_ARG(e->name));
            continue;
        }

        data = e->type == TCR_RR_TXT ? txt_data(z->c, e->value) : e->value;
        ttl = e->ttl > 0 ? e->ttl : ttl_of_type(&m->ttls, e->type);

        if (data.data == NULL
            || tcr_records_add(z, e->name, e->type,
                               tcr_ttl_or(ttl, TTL_ADDRESS), data) != 0)
        {
            return -1;
        }
    }

    return 0;
}


static int
add_cache(tcr_zones_t *z, tcr_str_t host, uint32_t s, uint32_t cache)
{
    tcr_str_t                 none = { NULL, 0 };
    tcr_compiler_t           *c = z->c;
    const tcr_cache_t        *m = &c->cfg->caches[c->cache_model[cache]];
    const tcr_img_service_t  *service = &c->services[s];

    return add_addresses(z, host, m->ip, service->ttl_cache_a,
                         c->cfg->services[s].ip6 ? m->ip6 : none,
                         service->ttl_cache_aaaa);
}


/* Names of caches that are not of the usual form. */
static int
add_odd_caches(tcr_zones_t *z)
{
    uint32_t          i;
    tcr_str_t         host;
    tcr_compiler_t   *c = z->c;
    const tcr_odd_t  *odd;

    for (i = 0; i < z->zone->n_odd; i++) {
        odd = (const tcr_odd_t *) c->odd.items + z->zone->odd[i];
        host = tcr_compiler_text(c, odd->host);

        if (host.data == NULL) {
            return -1;
        }

        if (!is_hidden(z, host)
            && add_cache(z, host, odd->service, odd->cache) != 0)
        {
            return -1;
        }
    }

    return 0;
}


/*
 * A name in the table has all its records there: where one is also the name
 * of a cache that the engine would find by itself, the cache's are added.
 */
static int
add_caches_at(tcr_zones_t *z, tcr_str_t rel)
{
    uint32_t         i, s, cache;
    tcr_compiler_t  *c = z->c;

    if (!tcr_names_find(&c->cache_names, rel, &cache)) {
        return 0;
    }

    for (i = 0; i < z->zone->n_services; i++) {
        s = z->zone->services[i];

        if ((c->services[s].flags & TCR_SERVICE_CACHE_NAMES)
            && !(c->cfg->services[s].dns
                 && tcr_str_eq(rel, c->cfg->services[s].routing_name))
            && tcr_find_assignment(c->assignments, c->first_assignment[s],
                                   c->first_assignment[s + 1], cache) != NULL
            && add_cache(z, rel, s, cache) != 0)
        {
            return -1;
        }
    }

    return 0;
}


static int
add_caches_at_names(tcr_zones_t *z)
{
    size_t     i, n = z->records.n;
    tcr_str_t  rel;

    for (i = 0; i < n; i++) {
        rel = ((tcr_record_t *) z->records.items)[i].key;

        /* one label is the same either way round */
        if (rel.len != 0 && memchr(rel.data, '\0', rel.len) == NULL
            && !is_hidden(z, rel) && add_caches_at(z, rel) != 0)
        {
            return -1;
        }
    }

    return 0;
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
    uint32_t  i;

    z->records.n = 0;

    if (add_apex(z) != 0) {
        return -1;
    }

    for (i = 0; i < z->zone->n_services; i++) {
        if (add_routing_name(z, z->zone->services[i]) != 0
            || add_static_entries(z, z->zone->services[i]) != 0)
        {
            return -1;
        }
    }

    if (add_odd_caches(z) != 0 || add_caches_at_names(z) != 0) {
        return -1;
    }

    return add_delegations(z);
}
