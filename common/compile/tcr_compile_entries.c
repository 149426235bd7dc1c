/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What services put into a zone (spec/dns.md §2, §2.2, §5): routing names,
 * static entries, names of caches that are not of the usual form.
 */

#include "tcr_zones.h"

#include "tcr_buf.h"

#define TTL_STATIC  60            /* spec/dns.md §2.2                        */


/* The name clients ask for: routed, edge-routed, or that of the routers. */
static int
add_routing_name(tcr_zones_t *z, uint32_t s)
{
    uint32_t              flags = TCR_NAME_EMPTY, who = TCR_NONE;
    tcr_compiler_t       *c = z->c;
    const tcr_service_t  *m = &c->cfg->services[s];

    if (tcr_records_hidden(z, m->routing_name)) {
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
               && tcr_records_add_routers(z, m->routing_name, m->ip6) != 0)
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


/* Is it in a zone below, where nobody would see it?  Then it is reported. */
static bool
is_hidden(tcr_zones_t *z, const tcr_static_entry_t *e, const char *what,
    tcr_str_t whose)
{
    if (e->name.len == 0 || !tcr_records_hidden(z, e->name)) {
        return false;
    }

    tcr_report_add(z->c->report, TCR_REPORT_LEFT_OUT,
                   "%s \"%.*s\": static entry \"%.*s\" lies in another "
                   "zone", what, TCR_STR_ARG(whose),
                   TCR_STR_ARG(e->name));
    return true;
}


static int
add_entry(tcr_zones_t *z, const tcr_static_entry_t *e, int64_t ttl)
{
    tcr_str_t  data = e->value;

    if (e->type == TCR_RR_TXT) {
        data = txt_data(z->c, e->value);
    }

    return data.data == NULL
           ? -1 : tcr_records_add(z, e->name, e->type,
                                  tcr_ttl_or(e->ttl > 0 ? e->ttl : ttl,
                                             TTL_STATIC), data);
}


static int
add_static_entries(tcr_zones_t *z, uint32_t s)
{
    size_t                     i;
    const tcr_service_t       *m = &z->c->cfg->services[s];
    const tcr_static_entry_t  *e;

    for (i = 0; i < m->n_static_entries; i++) {
        e = &m->static_entries[i];

        if (!is_hidden(z, e, "service", m->id)
            && add_entry(z, e, ttl_of_type(&m->ttls, e->type)) != 0)
        {
            return -1;
        }
    }

    return 0;
}


/* Name servers below the zone's name say that others have what is there. */
static int
add_own_record(tcr_zones_t *z, const tcr_static_entry_t *e)
{
    const tcr_own_zone_t  *own = z->zone->own;

    if (is_hidden(z, e, "zone", own->origin)) {
        return 0;
    }

    if (e->type == TCR_RR_NS
        && tcr_records_add_name(z, e->name, TCR_NAME_DELEGATION, TCR_NONE)
           != 0)
    {
        return -1;
    }

    return add_entry(z, e, own->ttls.a);
}


int
tcr_entries_own(tcr_zones_t *z)
{
    size_t                 i;
    const tcr_own_zone_t  *own = z->zone->own;

    for (i = 0; i < own->ns.n; i++) {

        if (tcr_records_add(z, TCR_STR(""), TCR_RR_NS,
                            tcr_ttl_or(own->ttls.ns, TTL_STATIC),
                            own->ns.items[i]) != 0)
        {
            return -1;
        }
    }

    for (i = 0; i < own->n_records; i++) {

        if (add_own_record(z, &own->records[i]) != 0) {
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

    return tcr_records_add_addresses(z, host, m->ip, service->ttl_cache_a,
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

        if (!tcr_records_hidden(z, host)
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
            && !tcr_records_hidden(z, rel) && add_caches_at(z, rel) != 0)
        {
            return -1;
        }
    }

    return 0;
}


int
tcr_entries_make(tcr_zones_t *z)
{
    uint32_t  i;

    for (i = 0; i < z->zone->n_services; i++) {
        if (add_routing_name(z, z->zone->services[i]) != 0
            || add_static_entries(z, z->zone->services[i]) != 0)
        {
            return -1;
        }
    }

    if (add_odd_caches(z) != 0) {
        return -1;
    }

    return add_caches_at_names(z);
}
