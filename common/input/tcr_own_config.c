/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The CDN itself, and its routers.
 */

#include "tcr_own_make.h"
#include "tcr_crconfig_read.h"


#define TTL_ADDRESS  60           /* of a service that says nothing          */


/* --- TTLs and SOA --- */

/* as handed on: RFC 2181 8 */
#define SECONDS(name)                                                         \
    { name, TCR_KIND_DURATION, false, 0, NULL, 0, INT32_MAX * INT64_C(1000),  \
      NULL, NULL, 0, name }

static const tcr_key_t  ttl_keys[] = {
    SECONDS("A"), SECONDS("AAAA"), SECONDS("NS"), SECONDS("SOA"),
    SECONDS("DS"), SECONDS("DNSKEY"), SECONDS("CNAME"), SECONDS("TXT")
};

static const tcr_key_t  soa_keys[] = {
    TCR_OWN_HAND("admin", TCR_KIND_TEXT, NULL, "admin"),
    SECONDS("refresh"), SECONDS("retry"), SECONDS("expire"),
    SECONDS("minimum"),
    TCR_OWN_HAND("serial", TCR_KIND_INT, NULL, "serial")
};


/*
 * The row, read from the map if that has it, else from the CDN's: what was
 * wrong there has been reported.  False: neither has it.
 */
static bool
write_row(tcr_own_make_t *make, const tcr_yaml_t *map, const tcr_yaml_t *cdn,
    const tcr_key_t *key)
{
    const tcr_yaml_t  *from = tcr_yaml_get(map, key->name) != NULL ? map : cdn;

    if (tcr_yaml_get(from, key->name) == NULL) {
        return false;
    }

    tcr_made_rows(&make->made, from, key, 1, NULL);
    return true;
}


void
tcr_own_soa(tcr_own_make_t *make, const tcr_yaml_t *node,
    const tcr_yaml_t *map)
{
    size_t  i;

    tcr_made_open(&make->made, node, TCR_STR("soa"), '{');

    for (i = 0; i < sizeof(soa_keys) / sizeof(soa_keys[0]); i++) {
        write_row(make, map, make->soa, &soa_keys[i]);
    }

    tcr_made_close(&make->made, '}');
    tcr_schema_unknown(map, TCR_KEYS(soa_keys), make->made.report);
}


/* Addresses are the first two rows. */
void
tcr_own_ttls(tcr_own_make_t *make, const tcr_yaml_t *node,
    const tcr_yaml_t *map, int64_t addresses)
{
    size_t             i;
    const tcr_yaml_t  *cdn;

    tcr_made_open(&make->made, node, TCR_STR("ttls"), '{');

    for (i = 0; i < sizeof(ttl_keys) / sizeof(ttl_keys[0]); i++) {
        cdn = i < 2 && addresses >= 0 ? NULL : make->ttls;

        if (!write_row(make, map, cdn, &ttl_keys[i]) && i < 2) {
            tcr_jw_int(&make->made.w, ttl_keys[i].as,
                       addresses >= 0 ? addresses : TTL_ADDRESS);
        }
    }

    tcr_made_close(&make->made, '}');
    tcr_schema_unknown(map, TCR_KEYS(ttl_keys), make->made.report);
}


/* --- parameters --- */

/* Has the parameter a key of its own? */
static bool
has_key(tcr_str_t name)
{
    return tcr_str_eq(name, TCR_STR("dnssec.enabled"))
           || tcr_str_eq(name, TCR_STR("ecsEnable"))
           || tcr_str_eq(name, TCR_STR("requestHeaders"));
}


static bool
is_parameter(tcr_str_t name)
{
    size_t  i;

    for (i = 0; i < tcr_read_n_config_fields; i++) {

        if (tcr_str_eq(name, tcr_str(tcr_read_config_fields[i].name))) {
            return !has_key(name);
        }
    }

    return false;
}


static void
unknown_parameter(tcr_own_make_t *make, const tcr_yaml_t *node)
{
    size_t       i, n = 0;
    const char  *near, *names[64];

    for (i = 0; i < tcr_read_n_config_fields && n < 64; i++) {

        if (!has_key(tcr_str(tcr_read_config_fields[i].name))) {
            names[n++] = tcr_read_config_fields[i].name;
        }
    }

    near = tcr_schema_near(node->key->text, names, n);

    if (near != NULL) {
        tcr_yaml_wrong(make->made.report, node, "no parameter of this name, "
                       "did you mean \"%s\"", near);

    } else {
        tcr_own_error(make, node, "no parameter that has an effect here");
    }
}


static void
write_parameters(tcr_own_make_t *make, const tcr_yaml_t *map)
{
    const tcr_yaml_t  *node;

    for (node = map != NULL ? map->first : NULL; node; node = node->next) {

        if (!is_parameter(node->key->text)) {
            unknown_parameter(make, node);

        } else if (tcr_schema_is(node, TCR_YAML_SCALAR, "a value",
                                 make->made.report))
        {
            tcr_made_str(&make->made, node, node->key->text, node->text);
        }
    }
}


/* --- cdn --- */

typedef struct {
    tcr_str_t          name, domain;
    const tcr_yaml_t  *ttls, *soa, *miss, *points, *parameters;
} config_t;

static const tcr_key_t  config_keys[] = {
    TCR_OWN_KEEP("name", TCR_KIND_TEXT, config_t, name, NULL),
    TCR_OWN_NEED("domain", TCR_KIND_TEXT, config_t, domain),
    TCR_OWN_HAND("dnssec", TCR_KIND_BOOL, NULL, "dnssec.enabled"),
    TCR_OWN_HAND("ecs", TCR_KIND_BOOL, NULL, "ecsEnable"),
    TCR_OWN_HAND("log_headers", TCR_KIND_TEXTS, NULL, "requestHeaders"),
    TCR_OWN_KEEP("ttls", TCR_KIND_MEMBERS, config_t, ttls, NULL),
    TCR_OWN_KEEP("soa", TCR_KIND_MEMBERS, config_t, soa, NULL),
    TCR_OWN_KEEP("miss", TCR_KIND_MEMBERS, config_t, miss, NULL),
    TCR_OWN_KEEP("country_points", TCR_KIND_MEMBERS, config_t, points, NULL),
    TCR_OWN_KEEP("parameters", TCR_KIND_MEMBERS, config_t, parameters, NULL)
};

static const tcr_key_t  point_keys[] = {
    { "latitude", TCR_KIND_REAL, true, 0, NULL, -90, 90, NULL, NULL, 0,
      "lat" },
    { "longitude", TCR_KIND_REAL, true, 0, NULL, -180, 180, NULL, NULL, 0,
      "long" }
};


void
tcr_own_miss(tcr_own_make_t *make, const tcr_yaml_t *map)
{
    tcr_made_object(&make->made, map, "missLocation", TCR_KEYS(point_keys));
}


/* Where clients are of whom only the country is known. */
static void
write_points(tcr_own_make_t *make, const tcr_yaml_t *map)
{
    tcr_made_t        *made = &make->made;
    const tcr_yaml_t  *node;

    if (map == NULL) {
        return;
    }

    tcr_made_open(made, map, TCR_STR("maxmindDefaultOverride"), '[');

    for (node = map->first; node != NULL; node = node->next) {

        if (tcr_schema_is(node, TCR_YAML_MAPPING, "latitude and longitude",
                          made->report))
        {
            tcr_made_open(made, node, tcr_str(NULL), '{');
            tcr_made_str(made, node, TCR_STR("countryCode"), node->key->text);
            tcr_made_fields(made, node, TCR_KEYS(point_keys), NULL);
            tcr_made_close(made, '}');
        }
    }

    tcr_made_close(made, ']');
}


void
tcr_own_config(tcr_own_make_t *make)
{
    size_t             errors = make->made.report->count[TCR_REPORT_ERROR];
    config_t           config;
    const tcr_yaml_t  *cdn = make->from->cdn;

    memset(&config, 0, sizeof(config));
    tcr_made_open(&make->made, cdn, TCR_STR("config"), '{');
    tcr_made_fields(&make->made, cdn, TCR_KEYS(config_keys), &config);

    if (config.domain.data != NULL) {
        tcr_made_str(&make->made, tcr_yaml_get(cdn, "domain"),
                     TCR_STR("domain_name"), config.domain);
    }

    tcr_made_object(&make->made, config.ttls, "ttls", TCR_KEYS(ttl_keys));
    tcr_made_object(&make->made, config.soa, "soa", TCR_KEYS(soa_keys));
    write_points(make, config.points);
    write_parameters(make, config.parameters);
    tcr_made_close(&make->made, '}');

    if (make->made.report->count[TCR_REPORT_ERROR] == errors) {
        make->ttls = config.ttls;
        make->soa = config.soa;
        make->miss = config.miss;
    }

    make->domain = config.domain;
    make->domain.len -= tcr_str_ends(config.domain, TCR_STR("."));
    make->name = config.name.data != NULL ? config.name : make->domain;
}


/* --- routers --- */

typedef struct {
    tcr_str_t  fqdn, location;
    int64_t    status;
} router_t;

static const char *const  states[] = { "up", "down", NULL };

static const tcr_key_t  router_keys[] = {
    TCR_OWN_KEEP("fqdn", TCR_KIND_TEXT, router_t, fqdn, NULL),
    TCR_OWN_HAND("ip", TCR_KIND_TEXT, NULL, "ip"),
    TCR_OWN_HAND("ip6", TCR_KIND_TEXT, NULL, "ip6"),
    TCR_OWN_HAND("port", TCR_KIND_INT, NULL, "port"),
    TCR_OWN_HAND("https_port", TCR_KIND_INT, NULL, "httpsPort"),
    TCR_OWN_HAND("api_port", TCR_KIND_INT, NULL, "api.port"),
    TCR_OWN_HAND("secure_api_port", TCR_KIND_INT, NULL, "secure.api.port"),
    TCR_OWN_KEEP("location", TCR_KIND_TEXT, router_t, location, NULL),
    TCR_OWN_WORD("status", router_t, status, "up", states)
};


/* used: of each group, whether a router stands there. */
static void
write_router(tcr_own_make_t *make, const tcr_yaml_t *node, bool *used)
{
    uint32_t           group;
    router_t           r;
    tcr_made_t        *made = &make->made;
    const tcr_yaml_t  *at;

    if (!tcr_own_open(make, node)) {
        return;
    }

    memset(&r, 0, sizeof(r));
    tcr_made_fields(made, node, TCR_KEYS(router_keys), &r);
    at = tcr_yaml_get(node, "fqdn");
    tcr_made_str(made, at != NULL ? at : node, TCR_STR("fqdn"),
                 tcr_own_name(make, r.fqdn, node->key->text));
    tcr_made_str(made, node, TCR_STR("status"),
                 r.status == 0 ? TCR_STR("ONLINE") : TCR_STR("OFFLINE"));

    if (r.location.data != NULL) {
        at = tcr_yaml_get(node, "location");
        group = tcr_own_find(make, &make->groups, at);

        if (group != TCR_OWN_NOWHERE) {
            used[group] = true;
            tcr_made_str(made, at, TCR_STR("location"), r.location);
        }
    }

    tcr_made_close(made, '}');
}


static void
write_location(tcr_own_make_t *make, size_t i)
{
    tcr_made_t        *made = &make->made;
    const tcr_yaml_t  *node = make->groups.items[i];

    tcr_made_open(made, node, node->key->text, '{');
    tcr_made_str(made, node, TCR_STR("latitude"), make->points[i].latitude);
    tcr_made_str(made, node, TCR_STR("longitude"), make->points[i].longitude);
    tcr_made_close(made, '}');
}


void
tcr_own_routers(tcr_own_make_t *make)
{
    bool              *used;
    size_t             i;
    tcr_made_t        *made = &make->made;
    const tcr_yaml_t  *routers = make->from->routers, *node;

    used = tcr_own_alloc(make, make->groups.n, sizeof(*used));

    if (used == NULL) {
        return;
    }

    tcr_made_open(made, routers, TCR_STR("contentRouters"), '{');

    for (node = routers->first; node != NULL; node = node->next) {
        write_router(make, node, used);
    }

    tcr_made_close(made, '}');
    tcr_made_open(made, routers, TCR_STR("trafficRouterLocations"), '{');

    for (i = 0; i < make->groups.n; i++) {

        if (used[i]) {
            write_location(make, i);
        }
    }

    tcr_made_close(made, '}');
}
