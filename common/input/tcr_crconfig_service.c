/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Delivery services (spec/inputs.md §5.4): which can be used at all, their
 * plain fields, and the few that need more than a row.
 */

#include "tcr_crconfig_read.h"
#include "tcr_regex.h"

#define LEFT_OUT  TCR_REPORT_LEFT_OUT
#define WARNING   TCR_REPORT_WARNING

#define BOOL(name, member, def)                                               \
    { name, TCR_FIELD_BOOL, offsetof(tcr_service_t, member), def, 0, 0 }

#define INT(name, member, def)                                                \
    { name, TCR_FIELD_INT, offsetof(tcr_service_t, member), def, 0, INT32_MAX }


static const tcr_field_t  service_fields[] = {
    BOOL("coverageZoneOnly", cz_only, false),
    BOOL("ip6RoutingEnabled", ip6, false),
    BOOL("ecsEnabled", ecs, false),
    BOOL("sslEnabled", ssl_enabled, false),
    BOOL("appendQueryString", append_query, true),
    BOOL("regionalGeoBlocking", regional, false),
    BOOL("anonymousBlockingEnabled", anonymous, false),
    INT("maxDnsIpsForLocation", max_dns_ips, 0),
    INT("locationFailoverLimit", failover_limit, 0),
    { "geoLimitRedirectURL", TCR_FIELD_LINE,
      offsetof(tcr_service_t, geo_redirect_url), 0, 0, 0 },
    { "geolocationProvider", TCR_FIELD_ID,
      offsetof(tcr_service_t, geo_provider), 0, 0, 0 },
    { "topology", TCR_FIELD_ID, offsetof(tcr_service_t, topology), 0, 0, 0 },
    { "requiredCapabilities", TCR_FIELD_IDS,
      offsetof(tcr_service_t, capabilities), 0, 0, 0 },
    { "consistentHashQueryParams", TCR_FIELD_IDS,
      offsetof(tcr_service_t, hash_params), 0, 0, 0 },
    { "requestHeaders", TCR_FIELD_TOKENS,
      offsetof(tcr_service_t, request_headers), 0, 0, 0 }
};

static const tcr_field_t  protocol_fields[] = {
    BOOL("acceptHttp", accept_http, true),
    BOOL("acceptHttps", accept_https, false),
    BOOL("redirectToHttps", redirect_https, false)
};

static const tcr_field_t  dispersion_fields[] = {
    INT("limit", dispersion_limit, 1),
    BOOL("shuffled", shuffled, true)
};


/* A member that is an object of plain fields.  Is it there? */
static bool
read_part(tcr_read_t *rd, const tcr_json_t *node, const char *name,
    const tcr_field_t *fields, size_t n, tcr_service_t *service)
{
    tcr_read_mark_t    mark;
    const tcr_json_t  *part;

    part = tcr_read_container(rd, node, name, TCR_JSON_OBJECT);
    mark = tcr_read_enter(rd, part != NULL ? part : node, tcr_str(name));
    tcr_read_fields(rd, part, fields, n, service);
    tcr_read_leave(rd, mark);

    return part != NULL;
}


static bool
read_routing_name(tcr_read_t *rd, const tcr_json_t *node,
    tcr_service_t *service)
{
    const tcr_json_t  *name = tcr_json_get(node, "routingName");

    service->routing_name = tcr_read_host(rd, LEFT_OUT, name, "routingName",
                                          "the first label of the names of "
                                          "this service; it is left out");

    return service->routing_name.data != NULL;
}


/* --- hashing --- */

/* A regex that cannot be used routes as if there were none (QUIRKS 74). */
static void
read_hash_regex(tcr_read_t *rd, const tcr_json_t *node,
    tcr_service_t *service)
{
    tcr_err_t          err;
    const tcr_json_t  *regex = tcr_json_get(node, "consistentHashRegex");

    service->hash_regex_java = tcr_read_line(rd, regex, "consistentHashRegex");

    if (service->hash_regex_java.data == NULL) {
        return;
    }

    if (tcr_regex_translate(rd->arena, service->hash_regex_java,
                            &service->hash_regex, &err)
        != 0)
    {
        service->hash_regex = tcr_str(NULL);
        tcr_read_report(rd, LEFT_OUT, regex, "consistentHashRegex",
                        "%s; whole paths are hashed instead", err.text);
    }
}


/*
 * These three also steer the router itself, so a client cannot choose a cache
 * by them without side effects.
 */
static void
check_hash_params(tcr_read_t *rd, const tcr_json_t *node,
    const tcr_service_t *service)
{
    size_t      i;
    tcr_str_t   name;

    for (i = 0; i < service->hash_params.n; i++) {
        name = service->hash_params.items[i];

        if (tcr_str_eq(name, TCR_STR("trred"))
            || tcr_str_eq(name, TCR_STR("format"))
            || tcr_str_eq(name, TCR_STR("fakeClientIpAddress")))
        {
            tcr_read_report(rd, WARNING,
                            tcr_json_get(node, "consistentHashQueryParams"),
                            "consistentHashQueryParams", "found \"%.*s\", "
                            "which is a parameter of the router itself",
                            TCR_STR_ARG(name));
        }
    }
}


/* --- the rest --- */

static void
read_deep(tcr_read_t *rd, const tcr_json_t *node, tcr_service_t *service)
{
    tcr_str_t          text;
    const tcr_json_t  *deep = tcr_json_get(node, "deepCachingType");

    text = tcr_json_str(deep, TCR_STR(""));
    service->deep = tcr_str_ieq(text, TCR_STR("ALWAYS"));

    if (text.len != 0 && !service->deep
        && !tcr_str_ieq(text, TCR_STR("NEVER")))
    {
        tcr_read_wrong(rd, WARNING, deep, "deepCachingType",
                       "ALWAYS or NEVER; it counts as NEVER");
    }
}


/* What is asked for and not there, or not as the name suggests. */
static void
check_unsupported(tcr_read_t *rd, const tcr_json_t *node,
    const tcr_service_t *service)
{
    tcr_str_t          text;
    const tcr_json_t  *trans = tcr_json_get(node, "transInfoType");

    text = tcr_json_str(trans, TCR_STR("NONE"));

    if (!tcr_str_eq(text, TCR_STR("NONE"))) {
        tcr_read_wrong(rd, WARNING, trans, "transInfoType", "NONE; no token "
                       "is added to redirects (rule no-transinfo)");
    }

    if (service->geo_provider.data != NULL
        && !tcr_str_eq(service->geo_provider,
                       TCR_STR("maxmindGeolocationService")))
    {
        tcr_read_wrong(rd, WARNING, tcr_json_get(node, "geolocationProvider"),
                       "geolocationProvider", "maxmindGeolocationService, "
                       "which is used instead");
    }
}


static void
check_topology(tcr_read_t *rd, const tcr_json_t *node,
    const tcr_service_t *service)
{
    uint32_t  place;

    if (service->topology.data != NULL
        && !tcr_names_find(&rd->topologies, service->topology, &place))
    {
        tcr_read_wrong(rd, WARNING, tcr_json_get(node, "topology"),
                       "topology", "one of \"topologies\"; caches serve this "
                       "service by assignment only");
    }
}


static void
read_limits(tcr_read_t *rd, const tcr_json_t *node, tcr_service_t *service)
{
    const tcr_json_t  *max = tcr_json_get(node, "maxDnsIpsForLocation");

    service->has_max_dns_ips = max != NULL && max->type != TCR_JSON_NULL;
    service->has_dispersion = read_part(rd, node, "dispersion",
                                        dispersion_fields,
                                        TCR_FIELDS(dispersion_fields),
                                        service);

    if (service->dispersion_limit == 0) {
        service->dispersion_limit = 1;
    }
}


static bool
is_usable(tcr_read_t *rd, const tcr_json_t *node, tcr_service_t *service)
{
    if (!tcr_json_is(node, TCR_JSON_OBJECT)) {
        tcr_read_wrong(rd, LEFT_OUT, node, NULL,
                       "an object; this service is left out");
        return false;
    }

    if (tcr_json_get(node, "coverageZoneOnly") == NULL) {
        tcr_read_wrong(rd, LEFT_OUT, NULL, "coverageZoneOnly",
                       "true or false; this service is left out");
        return false;
    }

    return read_routing_name(rd, node, service)
           && tcr_read_matchsets(rd, node, service);
}


static bool
read_service(tcr_read_t *rd, const tcr_json_t *node, tcr_service_t *service)
{
    memset(service, 0, sizeof(*service));

    if (!is_usable(rd, node, service)) {
        return false;
    }

    service->id = tcr_json_name(node);
    service->offset = node->offset;

    tcr_read_fields(rd, node, service_fields, TCR_FIELDS(service_fields),
                    service);
    read_part(rd, node, "protocol", protocol_fields,
              TCR_FIELDS(protocol_fields), service);
    read_limits(rd, node, service);
    tcr_read_domains(rd, node, service);
    tcr_read_ttls(rd, node, &service->ttls);
    tcr_read_soa(rd, node, &service->soa);
    tcr_read_geo(rd, node, service);
    tcr_read_bypass(rd, node, service);
    tcr_read_response_headers(rd, node, service);
    read_hash_regex(rd, node, service);
    check_hash_params(rd, node, service);
    read_deep(rd, node, service);
    check_unsupported(rd, node, service);
    check_topology(rd, node, service);
    tcr_read_static_entries(rd, node, service);
    return true;
}


void
tcr_read_services(tcr_read_t *rd, tcr_read_index_t *services)
{
    size_t             i;
    tcr_crconfig_t    *cfg = rd->cfg;
    tcr_members_t     *members = &services->members;
    tcr_read_mark_t    section, mark;
    const tcr_json_t  *node;

    services->index = tcr_read_alloc(rd, members->n, sizeof(*services->index));
    cfg->services = tcr_read_alloc(rd, members->n, sizeof(tcr_service_t));

    if (rd->failed) {
        return;
    }

    section = tcr_read_enter(rd, rd->doc->root, TCR_STR("deliveryServices"));

    for (i = 0; i < members->n; i++) {
        node = members->items[i];
        services->index[i] = TCR_READ_LEFT_OUT;
        mark = tcr_read_enter(rd, node, tcr_json_name(node));

        if (read_service(rd, node, &cfg->services[cfg->n_services])) {
            services->index[i] = (uint32_t) cfg->n_services++;
        }

        tcr_read_leave(rd, mark);
    }

    tcr_read_leave(rd, section);
}
