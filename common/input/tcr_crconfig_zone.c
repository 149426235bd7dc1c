/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Zones beside the CDN's, with records of their own.  Only the settings have
 * them (docs/cdn.md).
 */

#include "tcr_crconfig_read.h"

#define LEFT_OUT   TCR_REPORT_LEFT_OUT
#define ZONES_MAX  10000
#define NS         2
#define CNAME      5
#define MINIMUM    30             /* s: how long "no such name" may be kept  */


/* Zones of the CDN are made of its services. */
static bool
is_of_cdn(const tcr_read_t *rd, tcr_str_t origin)
{
    tcr_str_t  domain = rd->cfg->domain;

    return tcr_str_ends(origin, domain)
           && (origin.len == domain.len
               || origin.data[origin.len - domain.len - 1] == '.');
}


static bool
read_ns(tcr_read_t *rd, const tcr_json_t *node, tcr_own_zone_t *zone)
{
    size_t             i = 0;
    tcr_str_t          name;
    tcr_read_mark_t    mark, item;
    const tcr_json_t  *list = tcr_json_get(node, "ns"), *one;

    if (!tcr_json_is(list, TCR_JSON_ARRAY) || list->u.list.n == 0) {
        tcr_read_wrong(rd, LEFT_OUT, list, "ns", "a list of its name servers; "
                       "this zone is left out");
        return false;
    }

    zone->ns.items = tcr_read_alloc(rd, list->u.list.n, sizeof(tcr_str_t));
    mark = tcr_read_enter(rd, list, TCR_STR("ns"));

    for (one = tcr_json_first(list); one != NULL && !rd->failed;
         one = one->next)
    {
        item = tcr_read_enter_item(rd, one, i++);
        name = tcr_read_absolute(rd, one, NULL);

        if (name.data != NULL) {
            zone->ns.items[zone->ns.n++] = name;
        }

        tcr_read_leave(rd, item);
    }

    tcr_read_leave(rd, mark);
    return zone->ns.n != 0;
}


/* A CNAME stands alone (RFC 1034 3.6.2), and not at the top. */
static bool
goes_with(tcr_read_t *rd, const tcr_json_t *node, tcr_names_t *names,
    const tcr_static_entry_t *entry)
{
    uint32_t  type;

    if (entry->name.len == 0 && (entry->type == CNAME || entry->type == NS)) {
        tcr_read_report(rd, LEFT_OUT, tcr_json_get(node, "type"), "type",
                        "found one that cannot stand at the name of the zone "
                        "itself%s; this entry is left out", entry->type == NS
                        ? ", expected its name servers in \"ns\"" : "");
        return false;
    }

    if (!tcr_names_find(names, entry->name, &type)) {
        tcr_names_add(names, entry->name, entry->type);
        return true;
    }

    if (type == CNAME || entry->type == CNAME) {
        tcr_read_report(rd, LEFT_OUT, tcr_json_get(node, "name"), "name",
                        "found a CNAME and another record at this name, "
                        "expected the CNAME alone; this entry is left out");
        return false;
    }

    return true;
}


static void
read_records(tcr_read_t *rd, const tcr_json_t *node, tcr_own_zone_t *zone)
{
    size_t               i = 0;
    tcr_names_t          names;
    tcr_read_mark_t      mark, item;
    const tcr_json_t    *list, *one;
    tcr_static_entry_t  *entry;

    list = tcr_read_container(rd, node, "records", TCR_JSON_ARRAY);

    if (list == NULL) {
        return;
    }

    zone->records = tcr_read_alloc(rd, list->u.list.n, sizeof(*entry));

    if (zone->records == NULL
        || tcr_names_init(&names, rd->arena, list->u.list.n) != 0)
    {
        rd->failed = true;
        return;
    }

    mark = tcr_read_enter(rd, list, TCR_STR("records"));

    for (one = tcr_json_first(list); one != NULL; one = one->next) {
        item = tcr_read_enter_item(rd, one, i++);
        entry = &zone->records[zone->n_records];

        if (tcr_read_entry(rd, one, true, entry)
            && goes_with(rd, one, &names, entry))
        {
            zone->n_records++;
        }

        tcr_read_leave(rd, item);
    }

    tcr_read_leave(rd, mark);
}


static bool
read_zone(tcr_read_t *rd, const tcr_json_t *node, tcr_own_zone_t *zone)
{
    int64_t      ttl;
    tcr_str_t    name = tcr_json_name(node);
    tcr_field_t  dnssec = {
        .name = "dnssec", .kind = TCR_FIELD_BOOL,
        .offset = offsetof(tcr_own_zone_t, dnssec), .def = rd->cfg->dnssec
    };

    memset(zone, 0, sizeof(*zone));
    zone->origin = tcr_read_lower_host(rd, name, NULL);

    if (zone->origin.data == NULL) {
        tcr_read_report(rd, LEFT_OUT, node, NULL, "found what is no name of a "
                        "zone; it is left out");
        return false;
    }

    if (is_of_cdn(rd, zone->origin)) {
        tcr_read_report(rd, LEFT_OUT, node, NULL, "found a zone in the "
                        "domain of the CDN, which makes its zones itself; "
                        "it is left out");
        return false;
    }

    if (!read_ns(rd, node, zone)) {
        return false;
    }

    ttl = tcr_read_int(rd, tcr_json_get(node, "ttl"), "ttl", 3600, 0,
                       INT32_MAX);
    zone->ttls = (tcr_ttls_t) { ttl, ttl, ttl, ttl, ttl, ttl, ttl, ttl };
    tcr_read_fields(rd, node, &dnssec, 1, zone);
    rd->cfg->any_dnssec |= zone->dnssec;
    tcr_read_soa(rd, node, &zone->soa);

    if (zone->soa.minimum < 0) {
        zone->soa.minimum = MINIMUM;
    }

    if (zone->soa.admin.data == NULL) {
        zone->soa.admin = TCR_STR("hostmaster");
    }

    read_records(rd, node, zone);
    return true;
}


void
tcr_read_zones(tcr_read_t *rd)
{
    size_t            i;
    tcr_members_t     members;
    tcr_crconfig_t   *cfg = rd->cfg;
    tcr_read_mark_t   section, mark;

    cfg->any_dnssec = cfg->dnssec;

    if (!rd->own || cfg->domain.data == NULL) {
        return;
    }

    tcr_read_section(rd, "zones", false, ZONES_MAX, &members);
    cfg->zones = tcr_read_alloc(rd, members.n, sizeof(tcr_own_zone_t));

    if (rd->failed) {
        return;
    }

    section = tcr_read_enter(rd, rd->doc->root, TCR_STR("zones"));

    for (i = 0; i < members.n; i++) {
        mark = tcr_read_enter(rd, members.items[i],
                              tcr_json_name(members.items[i]));
        cfg->n_zones += read_zone(rd, members.items[i],
                                  &cfg->zones[cfg->n_zones]);
        tcr_read_leave(rd, mark);
    }

    tcr_read_leave(rd, section);
}
