/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Delivery services, and which caches serve them.
 */

#include "tcr_own_make.h"

#include <stdlib.h>


/* What cannot be handed on as it is. */
typedef struct {
    int64_t            routing, protocol, ttl;
    bool               deep;
    tcr_str_t          name;
    tcr_texts_t        hosts, caches, groups, countries;
    const tcr_yaml_t  *matchsets, *ttls, *soa, *miss, *bypass, *dispersion;
    const tcr_yaml_t  *records, *headers;
} service_t;

static const char *const  routings[] = { "http", "dns", NULL };

static const char *const  protocols[] = {
    "http", "https", "http_and_https", "http_to_https", NULL
};

#define KEEP(name, kind, member, def)                                         \
    TCR_OWN_KEEP(name, kind, service_t, member, def)

#define FLAG(name, def, as)  TCR_OWN_HAND(name, TCR_KIND_BOOL, def, as)

static const tcr_key_t  service_keys[] = {
    { "routing", TCR_KIND_WORD, true, offsetof(service_t, routing), NULL, 0, 0,
      routings, NULL, 0, NULL },
    KEEP("name", TCR_KIND_TEXT, name, "cdn"),
    KEEP("hosts", TCR_KIND_TEXTS, hosts, NULL),
    KEEP("matchsets", TCR_KIND_ITEMS, matchsets, NULL),
    KEEP("caches", TCR_KIND_TEXTS, caches, NULL),
    KEEP("groups", TCR_KIND_TEXTS, groups, NULL),
    TCR_OWN_WORD("protocol", service_t, protocol, "http", protocols),
    FLAG("coverage_zone_only", "false", "coverageZoneOnly"),
    FLAG("ip6", "true", "ip6RoutingEnabled"),
    FLAG("ecs", NULL, "ecsEnabled"),
    FLAG("append_query", NULL, "appendQueryString"),
    FLAG("regional_geoblocking", NULL, "regionalGeoBlocking"),
    FLAG("anonymous_blocking", NULL, "anonymousBlockingEnabled"),
    KEEP("deep_caching", TCR_KIND_BOOL, deep, NULL),
    TCR_OWN_HAND("max_answers", TCR_KIND_INT, NULL, "maxDnsIpsForLocation"),
    TCR_OWN_HAND("failover_limit", TCR_KIND_INT, NULL,
                 "locationFailoverLimit"),
    KEEP("countries", TCR_KIND_TEXTS, countries, NULL),
    TCR_OWN_HAND("geo_limit_redirect", TCR_KIND_TEXT, NULL,
                 "geoLimitRedirectURL"),
    KEEP("miss", TCR_KIND_MEMBERS, miss, NULL),
    TCR_OWN_HAND("hash_regex", TCR_KIND_TEXT, NULL, "consistentHashRegex"),
    TCR_OWN_HAND("hash_params", TCR_KIND_TEXTS, NULL,
                 "consistentHashQueryParams"),
    KEEP("dispersion", TCR_KIND_MEMBERS, dispersion, NULL),
    KEEP("bypass", TCR_KIND_MEMBERS, bypass, NULL),
    KEEP("response_headers", TCR_KIND_MEMBERS, headers, NULL),
    TCR_OWN_HAND("log_headers", TCR_KIND_TEXTS, NULL, "requestHeaders"),
    { "ttl", TCR_KIND_DURATION, false, offsetof(service_t, ttl), NULL, 0,
      INT32_MAX * INT64_C(1000), NULL, NULL, 0, NULL },
    KEEP("ttls", TCR_KIND_MEMBERS, ttls, NULL),
    KEEP("soa", TCR_KIND_MEMBERS, soa, NULL),
    KEEP("records", TCR_KIND_ITEMS, records, NULL)
};


/* --- parts --- */

static const tcr_key_t  dispersion_keys[] = {
    { "limit", TCR_KIND_INT, false, 0, NULL, 1, INT32_MAX, NULL, NULL, 0,
      "limit" },
    FLAG("shuffled", NULL, "shuffled")
};

/* the first two in HTTP, the others in DNS */
#define BYPASS_HTTP  2

static const tcr_key_t  bypass_keys[] = {
    TCR_OWN_HAND("fqdn", TCR_KIND_TEXT, NULL, "fqdn"),
    TCR_OWN_HAND("port", TCR_KIND_INT, NULL, "port"),
    TCR_OWN_HAND("ip", TCR_KIND_TEXT, NULL, "ip"),
    TCR_OWN_HAND("ip6", TCR_KIND_TEXT, NULL, "ip6"),
    TCR_OWN_HAND("cname", TCR_KIND_TEXT, NULL, "cname"),
    TCR_OWN_HAND("ttl", TCR_KIND_DURATION, NULL, "ttl")
};


static void
write_protocol(tcr_own_make_t *make, const tcr_yaml_t *node, int64_t protocol)
{
    tcr_made_t        *made = &make->made;
    const tcr_yaml_t  *at = tcr_yaml_get(node, "protocol");

    at = at != NULL ? at : node;
    tcr_made_open(made, at, TCR_STR("protocol"), '{');
    tcr_made_bool(made, at, "acceptHttp", protocol != 1);
    tcr_made_bool(made, at, "acceptHttps", protocol != 0);
    tcr_made_bool(made, at, "redirectToHttps", protocol == 3);
    tcr_made_close(made, '}');
    tcr_made_bool(made, at, "sslEnabled", protocol != 0);
}


static void
write_bypass_part(tcr_own_make_t *make, const tcr_yaml_t *map,
    const char *name, const tcr_key_t *keys, size_t n)
{
    size_t  i;

    for (i = 0; i < n; i++) {

        if (tcr_yaml_get(map, keys[i].name) != NULL) {
            tcr_made_open(&make->made, map, tcr_str(name), '{');
            tcr_made_rows(&make->made, map, keys, n, NULL);
            tcr_made_close(&make->made, '}');
            return;
        }
    }
}


static void
write_bypass(tcr_own_make_t *make, const tcr_yaml_t *map)
{
    tcr_made_t  *made = &make->made;

    if (map == NULL) {
        return;
    }

    tcr_made_open(made, map, TCR_STR("bypassDestination"), '{');
    write_bypass_part(make, map, "HTTP", bypass_keys, BYPASS_HTTP);
    write_bypass_part(make, map, "DNS", bypass_keys + BYPASS_HTTP,
                      sizeof(bypass_keys) / sizeof(bypass_keys[0])
                      - BYPASS_HTTP);
    tcr_made_close(made, '}');
    tcr_schema_unknown(map, TCR_KEYS(bypass_keys), made->report);
}


/* ISO 3166-1; a longer one would be nobody's. */
static bool
is_country(tcr_str_t s)
{
    return s.len == 2 && tcr_lower(s.data[0]) >= 'a'
           && tcr_lower(s.data[0]) <= 'z' && tcr_lower(s.data[1]) >= 'a'
           && tcr_lower(s.data[1]) <= 'z';
}


static void
write_countries(tcr_own_make_t *make, const tcr_yaml_t *node,
    const tcr_texts_t *countries)
{
    size_t             i;
    tcr_made_t        *made = &make->made;
    const tcr_yaml_t  *list = tcr_yaml_get(node, "countries"), *item;

    if (list == NULL) {
        return;
    }

    tcr_made_open(made, list, TCR_STR("geoEnabled"), '[');
    item = list->first;

    for (i = 0; i < countries->n && item != NULL; i++, item = item->next) {

        if (!is_country(item->text)) {
            tcr_own_error(make, item, "expected two letters that stand for a "
                          "country");
        }

        tcr_made_open(made, item, tcr_str(NULL), '{');
        tcr_made_str(made, item, TCR_STR("countryCode"), countries->items[i]);
        tcr_made_close(made, '}');
    }

    tcr_made_close(made, ']');
}


static void
write_headers(tcr_own_make_t *make, const tcr_yaml_t *map)
{
    tcr_made_t        *made = &make->made;
    const tcr_yaml_t  *node;

    if (map == NULL) {
        return;
    }

    tcr_made_open(made, map, TCR_STR("responseHeaders"), '{');

    for (node = map->first; node != NULL; node = node->next) {

        if (tcr_schema_is(node, TCR_YAML_SCALAR, "a value", made->report)) {
            tcr_made_str(made, node, node->key->text, node->text);
        }
    }

    tcr_made_close(made, '}');
}


/*
 * One TTL for addresses, or one a type.  A snapshot's service without any
 * answers with 0, which nobody means who does not write it.
 */
static void
write_ttls(tcr_own_make_t *make, const tcr_yaml_t *node, const service_t *s)
{
    const tcr_yaml_t  *at = tcr_yaml_get(node, "ttl");

    if (at != NULL && s->ttls != NULL) {
        tcr_own_error(make, at, "stands beside \"ttls\", expected one of "
                      "them");
    }

    tcr_own_ttls(make, at != NULL ? at : node, s->ttls,
                 at != NULL ? s->ttl / 1000 : -1);
}


/* --- caches --- */

static void
add_pair(tcr_own_make_t *make, size_t service, size_t cache)
{
    size_t           room = make->room != 0 ? make->room * 2 : 1024;
    tcr_own_pair_t  *more;

    if (make->n_pairs == make->room) {
        more = reallocarray(make->pairs, room, sizeof(*more));

        if (more == NULL) {
            make->failed = true;
            return;
        }

        make->pairs = more;
        make->room = room;
    }

    make->pairs[make->n_pairs++] = (tcr_own_pair_t) { (uint32_t) service,
                                                      (uint32_t) cache };
}


/* Marks what a list of names names. */
static void
mark(tcr_own_make_t *make, const tcr_own_members_t *members,
    const tcr_yaml_t *list, bool *marks)
{
    uint32_t           place;
    const tcr_yaml_t  *node;

    if (list == NULL || list->type != TCR_YAML_SEQUENCE) {
        return;
    }

    for (node = list->first; node != NULL; node = node->next) {

        if (node->type == TCR_YAML_SCALAR && node->text.len != 0) {
            place = tcr_own_find(make, members, node);

            if (place != TCR_OWN_NOWHERE) {
                marks[place] = true;
            }
        }
    }
}


/* Those that are named, those of groups that are; else every cache. */
static void
assign(tcr_own_make_t *make, const tcr_yaml_t *node, size_t service)
{
    bool              *caches, *groups, all;
    size_t             i;
    uint32_t           group;
    const tcr_yaml_t  *by_cache = tcr_yaml_get(node, "caches");
    const tcr_yaml_t  *by_group = tcr_yaml_get(node, "groups");

    all = by_cache == NULL && by_group == NULL;
    caches = calloc(make->caches.n + 1, sizeof(*caches));
    groups = calloc(make->groups.n + 1, sizeof(*groups));

    if (caches == NULL || groups == NULL) {
        make->failed = true;

    } else {
        mark(make, &make->caches, by_cache, caches);
        mark(make, &make->groups, by_group, groups);

        for (i = 0; i < make->caches.n; i++) {
            group = make->group_of[i];

            if (all || caches[i]
                || (group != TCR_OWN_NOWHERE && groups[group]))
            {
                add_pair(make, service, i);
            }
        }
    }

    free(caches);
    free(groups);
}


/* --- the whole --- */

static void
write_service(tcr_own_make_t *make, size_t i)
{
    bool               dns;
    service_t          s;
    tcr_str_t          domain;
    tcr_made_t        *made = &make->made;
    const tcr_yaml_t  *at, *node = make->services.items[i];

    make->names[i] = TCR_STR("none");

    if (!tcr_own_open(make, node)) {
        return;
    }

    memset(&s, 0, sizeof(s));
    tcr_made_fields(made, node, TCR_KEYS(service_keys), &s);
    dns = s.routing == 1;
    at = tcr_yaml_get(node, "name");
    tcr_made_str(made, at != NULL ? at : node, TCR_STR("routingName"),
                 s.name);
    domain = tcr_own_match(make, i, &s.hosts, s.matchsets,
                           dns ? "DNS" : "HTTP");
    write_protocol(make, node, s.protocol);
    write_ttls(make, node, &s);
    tcr_own_soa(make, node, s.soa);
    tcr_made_str(made, node, TCR_STR("deepCachingType"),
                 s.deep ? TCR_STR("ALWAYS") : TCR_STR("NEVER"));
    write_countries(make, node, &s.countries);
    tcr_own_miss(make, s.miss != NULL ? s.miss : make->miss);
    tcr_made_object(made, s.dispersion, "dispersion",
                    TCR_KEYS(dispersion_keys));
    write_bypass(make, s.bypass);
    write_headers(make, s.headers);
    tcr_own_records(make, s.records, "staticDnsEntries");
    tcr_made_close(made, '}');

    /* clients of HTTP are sent to a cache by name, those of DNS have one */
    make->whole[i] = dns;
    make->names[i] = dns ? tcr_own_printf(make, "%.*s.%.*s",
                                          TCR_STR_ARG(s.name),
                                          TCR_STR_ARG(domain)) : domain;
    assign(make, node, i);
}


void
tcr_own_services(tcr_own_make_t *make)
{
    size_t             i, n = 0;
    const tcr_yaml_t  *hosts;

    for (i = 0; i < make->services.n; i++) {
        hosts = tcr_yaml_get(make->services.items[i], "hosts");
        n += 1 + (hosts != NULL ? hosts->n : 0);
    }

    if (tcr_names_init(&make->hosts, make->made.arena, n) != 0) {
        make->failed = true;
        return;
    }

    make->names = tcr_own_alloc(make, make->services.n, sizeof(*make->names));
    make->whole = tcr_own_alloc(make, make->services.n, sizeof(*make->whole));

    if (make->failed) {
        return;
    }

    tcr_made_open(&make->made, make->services.map,
                  TCR_STR("deliveryServices"), '{');

    for (i = 0; i < make->services.n; i++) {
        write_service(make, i);
    }

    tcr_made_close(&make->made, '}');
}
