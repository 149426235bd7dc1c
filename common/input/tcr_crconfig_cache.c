/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Caches and what they serve: contentServers (spec/inputs.md §5.5).
 *
 * A large CDN has millions of assignments, so one costs a look at the next
 * service in line, at a byte class per letter of its name, and no memory of
 * its own but its place in the cache's list.
 */

#include "tcr_crconfig_read.h"

#define LEFT_OUT       TCR_REPORT_LEFT_OUT
#define CACHES_MAX     1000000
#define GROUP_MAX      65536      /* most caches of a group: 16-bit places   */
#define PLACES_MAX     1000       /* unknown groups that are told apart      */
#define POINTS         1000       /* hash points where none are given        */
#define POINTS_MAX     100000     /* each costs an MD5 at compile time       */


/* Where a service was last seen, to notice that a cache names it twice. */
typedef struct {
    uint32_t  cache;              /* its number + 1                          */
    uint32_t  place;
} seen_t;

/* Caches of a group that is not in force. */
typedef struct {
    const tcr_json_t  *first;
    size_t             n;
} unknown_t;

typedef struct {
    tcr_read_t              *rd;
    const tcr_read_index_t  *services;
    const tcr_read_index_t  *groups;
    uint32_t                 next;        /* service that is likely to come  */
    seen_t                  *seen;        /* by service                      */
    uint32_t                *group_sizes;
    tcr_names_t              places;      /* name of a group -> unknown      */
    unknown_t               *unknown;
    size_t                   n_unknown;
    const tcr_json_t        *stray;       /* first that names no service     */
    size_t                   n_strays;
} caches_t;


/* --- assignments --- */

/* Index of the service in the model, or TCR_READ_LEFT_OUT. */
static uint32_t
find_service(caches_t *all, const tcr_json_t *node)
{
    uint32_t              i = all->next;
    tcr_str_t             name = tcr_json_name(node);
    const tcr_members_t  *members = &all->services->members;

    if (i >= members->n
        || !tcr_str_eq(tcr_json_name(members->items[i]), name))
    {
        if (!tcr_names_find(&members->names, name, &i)) {
            all->stray = all->stray != NULL ? all->stray : node;
            all->n_strays++;
            return TCR_READ_LEFT_OUT;
        }
    }

    all->next = i + 1;
    return all->services->index[i];
}


/* The first name in the list; a plain string is a list of one. */
static tcr_str_t
read_fqdn(caches_t *all, const tcr_json_t *node)
{
    size_t             labels;
    tcr_str_t          fqdn;
    tcr_read_t        *rd = all->rd;
    tcr_read_mark_t    mark;
    const tcr_json_t  *first = node;

    if (node->type == TCR_JSON_ARRAY) {
        first = tcr_json_first(node);
    }

    if (tcr_json_is(first, TCR_JSON_STRING)) {
        fqdn = tcr_read_lower_host(rd, first->u.str, &labels);

        if (labels >= 2) {
            return fqdn;
        }
    }

    mark = tcr_read_enter(rd, node, TCR_STR("deliveryServices"));
    tcr_read_enter(rd, node, tcr_json_name(node));
    tcr_read_wrong(rd, LEFT_OUT, first != NULL ? first : node, NULL,
                   "the name of this cache for that service, with a dot; "
                   "the assignment is left out");
    tcr_read_leave(rd, mark);
    return tcr_str(NULL);
}


static void
read_assignment(caches_t *all, const tcr_json_t *node, tcr_cache_t *cache)
{
    seen_t               *seen;
    uint32_t              service = find_service(all, node);
    uint32_t              number = (uint32_t) all->rd->cfg->n_caches + 1;
    tcr_str_t             fqdn;
    tcr_cache_service_t  *place;

    if (service == TCR_READ_LEFT_OUT) {
        return;
    }

    fqdn = read_fqdn(all, node);

    if (fqdn.data == NULL) {
        return;
    }

    seen = &all->seen[service];

    if (seen->cache == number) {
        place = &cache->services[seen->place];

    } else {
        seen->cache = number;
        seen->place = (uint32_t) cache->n_services;
        place = &cache->services[cache->n_services++];
    }

    place->service = service;
    place->fqdn = fqdn;
}


static void
read_assignments(caches_t *all, const tcr_json_t *node, tcr_cache_t *cache)
{
    const tcr_json_t  *list, *assignment;

    list = tcr_read_container(all->rd, node, "deliveryServices",
                              TCR_JSON_OBJECT);

    if (list == NULL) {
        return;
    }

    cache->services = tcr_arena_alloc(all->rd->arena, (list->u.list.n + 1)
                                      * sizeof(tcr_cache_service_t));

    if (cache->services == NULL) {
        all->rd->failed = true;
        return;
    }

    all->next = 0;

    for (assignment = tcr_json_first(list); assignment != NULL;
         assignment = assignment->next)
    {
        read_assignment(all, assignment, cache);
    }

    all->rd->cfg->n_assignments += cache->n_services;
}


/* --- the cache itself --- */

static bool
read_ports(tcr_read_t *rd, const tcr_json_t *node, tcr_cache_t *cache)
{
    const tcr_json_t   *port = tcr_json_get(node, "port");
    const tcr_field_t   https = {
        "httpsPort", TCR_FIELD_PORT, offsetof(tcr_cache_t, https_port),
        443, 1, 65535
    };

    if (!tcr_read_port(port, &cache->port)) {
        tcr_read_wrong(rd, LEFT_OUT, port, "port", "a number from 1 to 65535; "
                       "this cache is left out");
        return false;
    }

    tcr_read_fields(rd, node, &https, 1, cache);
    return true;
}


static void
read_addresses(tcr_read_t *rd, const tcr_json_t *node, tcr_cache_t *cache)
{
    const tcr_json_t  *ip = tcr_json_get(node, "ip");

    cache->ip = tcr_read_addr(rd, ip, "ip", 4);
    cache->ip6 = tcr_read_addr(rd, tcr_json_get(node, "ip6"), "ip6", 6);

    if (ip != NULL || cache->ip6.data != NULL) {
        return;
    }

    tcr_read_report(rd, LEFT_OUT, node, "ip", "found nothing, and no usable "
                    "\"ip6\" either; this cache is left out of DNS answers");
}


static void
read_hash(tcr_read_t *rd, const tcr_json_t *node, tcr_cache_t *cache)
{
    int64_t            count;
    const tcr_json_t  *id = tcr_json_get(node, "hashId");

    cache->hash_id = tcr_json_is(id, TCR_JSON_STRING) ? id->u.str : cache->id;

    count = tcr_read_int(rd, tcr_json_get(node, "hashCount"), "hashCount", 0,
                         INT32_MIN, POINTS_MAX);
    cache->hash_count = count > 0 ? (uint32_t) count : POINTS;
}


static bool
read_cache(tcr_read_t *rd, const tcr_json_t *node, tcr_cache_t *cache)
{
    const tcr_field_t  capabilities = {
        "capabilities", TCR_FIELD_IDS, offsetof(tcr_cache_t, capabilities),
        0, 0, 0
    };
    const tcr_field_t  down = {
        "down", TCR_FIELD_BOOL, offsetof(tcr_cache_t, down), false, 0, 0
    };

    cache->id = tcr_json_name(node);
    cache->state_name = tcr_str_n(cache->id.data,
                                  tcr_str_find(cache->id, '@'));

    cache->fqdn = tcr_read_host(rd, LEFT_OUT, tcr_json_get(node, "fqdn"),
                                "fqdn", "a host name; this cache is left out");

    if (cache->fqdn.data == NULL || !read_ports(rd, node, cache)) {
        return false;
    }

    read_addresses(rd, node, cache);
    read_hash(rd, node, cache);
    tcr_read_fields(rd, node, &capabilities, 1, cache);

    if (rd->own) {
        tcr_read_fields(rd, node, &down, 1, cache);
    }

    return true;
}


/* --- groups of caches --- */

/* One line a group is enough: its caches are counted here, told later. */
static void
count_unknown(caches_t *all, const tcr_json_t *node, tcr_str_t location)
{
    uint32_t    i;
    unknown_t  *unknown;

    /* servers without services are no loss: mid-tier caches stand here too */
    if (tcr_json_first(tcr_json_get(node, "deliveryServices")) == NULL) {
        return;
    }

    if (!tcr_names_find(&all->places, location, &i)) {
        i = (uint32_t) all->n_unknown;

        if (!tcr_names_add(&all->places, location, i)) {
            i = PLACES_MAX;

        } else {
            all->n_unknown++;
        }
    }

    unknown = &all->unknown[i];
    unknown->first = unknown->first != NULL ? unknown->first : node;
    unknown->n++;
}


static bool
read_location(caches_t *all, const tcr_json_t *node, tcr_cache_t *cache)
{
    uint32_t           i;
    tcr_str_t          name;
    const tcr_json_t  *location = tcr_json_get(node, "locationId");

    if (location == NULL) {
        tcr_read_wrong(all->rd, LEFT_OUT, NULL, "locationId",
                       "a cache group; this cache is left out");
        return false;
    }

    name = tcr_json_required_str(location);

    if (!tcr_names_find(&all->groups->members.names, name, &i)) {
        count_unknown(all, node, name);
        return false;
    }

    cache->group = all->groups->index[i];

    if (cache->group == TCR_READ_LEFT_OUT) {
        count_unknown(all, node, name);
        return false;
    }

    if (all->group_sizes[cache->group] == GROUP_MAX) {
        tcr_read_report(all->rd, LEFT_OUT, location, "locationId", "found "
                        "more than %d caches in this group; this cache is "
                        "left out", GROUP_MAX);
        return false;
    }

    return true;
}


static void
read_one(caches_t *all, const tcr_json_t *node)
{
    tcr_read_t       *rd = all->rd;
    tcr_cache_t      *cache = &rd->cfg->caches[rd->cfg->n_caches];
    tcr_read_mark_t   mark = tcr_read_enter(rd, node, tcr_json_name(node));

    memset(cache, 0, sizeof(*cache));

    if (!tcr_json_is(node, TCR_JSON_OBJECT)) {
        tcr_read_wrong(rd, LEFT_OUT, node, NULL,
                       "an object; this cache is left out");

    } else if (read_location(all, node, cache)
               && read_cache(rd, node, cache))
    {
        read_assignments(all, node, cache);
        all->group_sizes[cache->group]++;
        rd->cfg->n_caches++;
    }

    tcr_read_leave(rd, mark);
}


/* --- what is told once for many --- */

static void
report_unknown(caches_t *all, const unknown_t *unknown, bool others)
{
    tcr_str_t          name;
    const tcr_json_t  *location;

    if (unknown->n == 0) {
        return;
    }

    location = tcr_json_get(unknown->first, "locationId");
    name = tcr_json_required_str(location);
    name.len = name.len < 64 ? name.len : 64;

    tcr_read_report(all->rd, TCR_REPORT_WARNING, location, NULL,
                    "found %zu caches in cache group \"%.*s\"%s, expected a "
                    "group of \"edgeLocations\" that is in force; they are "
                    "left out", unknown->n, TCR_STR_ARG(name),
                    others ? " and others" : "");
}


static void
report_many(caches_t *all)
{
    size_t     i;
    tcr_str_t  name;

    for (i = 0; i < all->n_unknown; i++) {
        report_unknown(all, &all->unknown[i], false);
    }

    report_unknown(all, &all->unknown[PLACES_MAX], true);

    if (all->n_strays != 0) {
        name = tcr_json_name(all->stray);
        name.len = name.len < 64 ? name.len : 64;

        tcr_read_report(all->rd, TCR_REPORT_WARNING, all->stray, NULL,
                        "found %zu assignments to services that are not in "
                        "\"deliveryServices\", first \"%.*s\"; they are left "
                        "out", all->n_strays, TCR_STR_ARG(name));
    }
}


static void
init(caches_t *all, tcr_read_t *rd)
{
    all->rd = rd;
    all->seen = tcr_read_alloc(rd, rd->cfg->n_services, sizeof(seen_t));
    all->group_sizes = tcr_read_alloc(rd, rd->cfg->n_groups,
                                      sizeof(*all->group_sizes));
    all->unknown = tcr_read_alloc(rd, PLACES_MAX + 1, sizeof(unknown_t));

    if (tcr_names_init(&all->places, rd->arena, PLACES_MAX) != 0) {
        rd->failed = true;
    }
}


void
tcr_read_caches(tcr_read_t *rd, const tcr_read_index_t *services,
    const tcr_read_index_t *groups)
{
    size_t           i;
    caches_t         all;
    tcr_members_t    members;
    tcr_read_mark_t  section;

    tcr_read_section(rd, "contentServers", true, CACHES_MAX, &members);

    memset(&all, 0, sizeof(all));
    all.services = services;
    all.groups = groups;
    init(&all, rd);

    rd->cfg->caches = tcr_read_alloc(rd, members.n, sizeof(tcr_cache_t));

    if (rd->failed) {
        return;
    }

    section = tcr_read_enter(rd, rd->doc->root, TCR_STR("contentServers"));

    for (i = 0; i < members.n; i++) {
        read_one(&all, members.items[i]);
    }

    report_many(&all);
    tcr_read_leave(rd, section);
}
