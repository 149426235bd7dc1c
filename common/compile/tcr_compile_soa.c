/* SPDX-License-Identifier: Apache-2.0 */

/*
 * SOA records and the names of routers in NS records (spec/dns.md §2.1), and
 * serials that grow when, and only when, a zone's content changes.
 */

#include "tcr_zones.h"

#include <time.h>

#define TTL_SOA  86400            /* spec/dns.md §2.1                        */
#define REFRESH  28800
#define RETRY    7200
#define EXPIRE   604800
#define MINIMUM  900


static const tcr_soa_t *
zone_soa(const tcr_zones_t *z)
{
    if (z->zone->own != NULL) {
        return &z->zone->own->soa;
    }

    if (z->zone->service == TCR_NONE) {
        return &z->c->cfg->soa;
    }

    return &z->c->cfg->services[z->zone->service].soa;
}


static bool
is_cdn_zone(const tcr_zone_t *zone)
{
    return zone->service == TCR_NONE && zone->own == NULL;
}


int
tcr_soa_prepare(tcr_zones_t *z)
{
    size_t               i;
    tcr_compiler_t      *c = z->c;
    const tcr_router_t  *r;

    z->routers = tcr_compiler_alloc(c, c->cfg->n_routers, sizeof(tcr_str_t));

    if (z->routers == NULL) {
        return -1;
    }

    for (i = 0; i < c->cfg->n_routers; i++) {
        r = &c->cfg->routers[i];

        if (!tcr_router_published(r)) {
            continue;
        }

        z->routers[i] = tcr_compiler_host(c, r->id);

        if (z->routers[i].data == NULL) {
            tcr_report_add(c->report, TCR_REPORT_LEFT_OUT,
                           "router \"%.*s\" is in no zone: its key is no host "
                           "name", TCR_STR_ARG(r->id));
        }
    }

    return c->failed ? -1 : 0;
}


/*
 * In the CDN's zone a router's own fqdn; below, its key in the zone around,
 * which has its addresses.
 */
tcr_str_t
tcr_soa_router_name(tcr_zones_t *z, tcr_str_t name, tcr_str_t fqdn,
    const tcr_zone_t *zone)
{
    tcr_str_t  around;

    if (is_cdn_zone(zone) && fqdn.len != 0) {
        return tcr_compiler_printf(z->c, "%.*s.", TCR_STR_ARG(fqdn));
    }

    around = is_cdn_zone(zone) ? tcr_parent_name(zone->origin)
                               : z->zones[zone->parent].origin;

    if (around.len == 0) {
        return tcr_compiler_printf(z->c, "%.*s.", TCR_STR_ARG(name));
    }

    return tcr_compiler_printf(z->c, "%.*s.%.*s.", TCR_STR_ARG(name),
                               TCR_STR_ARG(around));
}


static bool
is_mailbox(tcr_str_t s)
{
    size_t  i;
    char    ch;

    for (i = 0; i < s.len; i++) {
        ch = tcr_lower(s.data[i]);

        if (!(ch >= 'a' && ch <= 'z') && !(ch >= '0' && ch <= '9')
            && ch != '-' && ch != '_' && ch != '.' && ch != '@')
        {
            return false;
        }
    }

    return s.len != 0 && s.data[0] != '.';
}


/* "a@b" is a.b, anything else lies in the zone. */
static tcr_str_t
responsible(tcr_zones_t *z)
{
    size_t     at;
    tcr_str_t  admin = zone_soa(z)->admin;

    if (admin.len != 0 && !is_mailbox(admin)) {
        tcr_report_add(z->c->report, TCR_REPORT_WARNING,
                       "zone \"%.*s\": soa.admin \"%.*s\" is no mailbox",
                       TCR_STR_ARG(z->zone->origin), TCR_STR_ARG(admin));
        admin.len = 0;
    }

    while (admin.len != 0 && admin.data[admin.len - 1] == '.') {
        admin.len--;
    }

    if (admin.len == 0) {
        admin = TCR_STR("traffic_ops");
    }

    at = tcr_str_find(admin, '@');

    if (at != admin.len) {
        return tcr_compiler_printf(z->c, "%.*s.%.*s.", (int) at, admin.data,
                                   (int) (admin.len - at - 1),
                                   admin.data + at + 1);
    }

    return tcr_compiler_printf(z->c, "%.*s.%.*s.", TCR_STR_ARG(admin),
                               TCR_STR_ARG(z->zone->origin));
}


/* MNAME: the one router there is, or this one. */
static tcr_str_t
primary_name(tcr_zones_t *z)
{
    size_t                 i;
    tcr_str_t              own, name, fqdn = { NULL, 0 };
    tcr_compiler_t        *c = z->c;
    const tcr_crconfig_t  *cfg = c->cfg;

    if (z->zone->own != NULL) {
        return z->zone->own->ns.items[0];
    }

    own = cfg->n_routers == 1 ? cfg->routers[0].id : tcr_own_router(c);

    for (i = 0; i < cfg->n_routers; i++) {
        if (tcr_str_eq(cfg->routers[i].id, own)) {
            fqdn = cfg->routers[i].fqdn;
        }
    }

    name = tcr_compiler_host(c, own);

    if (c->failed) {
        return name;
    }

    return tcr_soa_router_name(z, name.data != NULL ? name
                                                    : TCR_STR("localhost"),
                               fqdn, z->zone);
}


int
tcr_soa_begin(tcr_zones_t *z)
{
    uint32_t          ttl, minimum;
    tcr_str_t         mname, rname;
    const tcr_soa_t  *soa = zone_soa(z);

    ttl = tcr_ttl_or(tcr_zones_ttls(z)->soa, TTL_SOA);
    mname = primary_name(z);
    rname = responsible(z);

    if (mname.data == NULL || rname.data == NULL) {
        return -1;
    }

    z->soa_head = tcr_compiler_printf(z->c, "%.*s %.*s", TCR_STR_ARG(mname),
                                      TCR_STR_ARG(rname));

    minimum = tcr_ttl_or(soa->minimum,
                         tcr_ttl_or(z->c->cfg->soa.minimum, MINIMUM));
    z->out[z->zone - z->zones].minimum = ttl < minimum ? ttl : minimum;
    z->soa_timers = tcr_compiler_printf(z->c, "%u %u %u %u",
                                        tcr_ttl_or(soa->refresh, REFRESH),
                                        tcr_ttl_or(soa->retry, RETRY),
                                        tcr_ttl_or(soa->expire, EXPIRE),
                                        minimum);

    if (z->c->failed) {
        return -1;
    }

    return tcr_records_add(z, TCR_STR(""), TCR_RR_SOA, ttl,
                           tcr_str_n(NULL, 0));
}


/* yyyyMMddHH of the snapshot, UTC. */
static uint32_t
serial_of_date(int64_t date)
{
    time_t     t = (time_t) date;
    struct tm  tm;

    if (date < 0 || gmtime_r(&t, &tm) == NULL || tm.tm_year > 2390) {
        return 1;
    }

    return (uint32_t) (((tm.tm_year + 1900) * 100 + tm.tm_mon + 1) * 100
                       + tm.tm_mday) * 100 + (uint32_t) tm.tm_hour;
}


const tcr_img_dns_zone_t *
tcr_zones_named(const tcr_image_t *img, tcr_str_t origin)
{
    uint32_t                   v;
    tcr_map_iter_t             it;
    const tcr_img_routing_t   *root;
    const tcr_img_dns_zone_t  *zones;

    if (img == NULL) {
        return NULL;
    }

    root = tcr_image_root(img);
    zones = tcr_image_vec(img, &root->dns.zones);

    for (v = tcr_map_first(img, &root->dns.zone_map, origin, &it);
         v != TCR_NONE;
         v = tcr_map_next(&it))
    {
        if (tcr_str_eq(tcr_image_str(img, zones[v].origin), origin)) {
            return &zones[v];
        }
    }

    return NULL;
}


/* decisions: given, else unchanged, else never smaller than before. */
static uint32_t
next_serial(tcr_zones_t *z, uint64_t content)
{
    uint32_t                   dated;
    int64_t                    given = zone_soa(z)->serial;
    const tcr_img_dns_zone_t  *before;

    if (given >= 0 && given <= UINT32_MAX) {
        return (uint32_t) given;
    }

    before = tcr_zones_named(z->c->in->previous, z->zone->origin);
    dated = serial_of_date(z->c->cfg->date);

    if (before == NULL) {
        return dated;
    }

    if (before->content == content) {
        return before->serial;
    }

    return before->serial >= dated ? before->serial + 1 : dated;
}


tcr_str_t
tcr_soa_text(tcr_zones_t *z, uint64_t content, uint32_t *serial)
{
    *serial = next_serial(z, content);

    return tcr_compiler_printf(z->c, "%.*s %u %.*s", TCR_STR_ARG(z->soa_head),
                               *serial, TCR_STR_ARG(z->soa_timers));
}
