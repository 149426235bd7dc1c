/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Delivery services (spec/inputs.md §5.4): which can be used at all, their
 * plain fields, and the few that need more than a row.
 */

#include "tcr_crconfig_read.h"
#include "tcr_regex.h"

#define LEFT_OUT     TCR_REPORT_LEFT_OUT
#define WARNING      TCR_REPORT_WARNING
#define HEADERS_MAX  100          /* most response headers of a service      */

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


/* --- names --- */

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


/* "NAME+" is short for NAME in the domain of the CDN. */
static tcr_str_t
expand_domain(tcr_read_t *rd, tcr_str_t text)
{
    char       *copy;
    tcr_str_t   cdn = rd->cfg->domain;

    if (!tcr_str_ends(text, TCR_STR("+"))) {
        return text;
    }

    if (cdn.data == NULL || text.len > TCR_READ_NAME) {
        return tcr_str(NULL);
    }

    copy = tcr_read_alloc(rd, text.len + cdn.len, 1);

    if (copy == NULL) {
        return tcr_str(NULL);
    }

    memcpy(copy, text.data, text.len - 1);
    copy[text.len - 1] = '.';
    memcpy(copy + text.len, cdn.data, cdn.len);
    return tcr_str_n(copy, text.len + cdn.len);
}


static tcr_str_t
read_domain(tcr_read_t *rd, const tcr_json_t *node, size_t i)
{
    tcr_str_t        domain = tcr_json_str(node, TCR_STR(""));
    tcr_read_mark_t  mark = tcr_read_enter_item(rd, node, i);

    domain = tcr_read_lower_host(rd, expand_domain(rd, domain), NULL);

    if (domain.data == NULL) {
        tcr_read_wrong(rd, LEFT_OUT, node, NULL,
                       "a domain name; it is left out");
    }

    tcr_read_leave(rd, mark);
    return domain;
}


/*
 * Only the first can be the domain of the service: if that one is unusable,
 * the next does not move up, since names built from it would be others.
 */
static void
read_domains(tcr_read_t *rd, const tcr_json_t *node, tcr_service_t *service)
{
    size_t             i = 0;
    tcr_str_t          domain;
    tcr_str_list_t    *list = &service->domains;
    tcr_read_mark_t    mark;
    const tcr_json_t  *array, *item;

    array = tcr_read_container(rd, node, "domains", TCR_JSON_ARRAY);

    if (array == NULL || array->u.list.n == 0) {
        tcr_read_report(rd, WARNING, array, "domains", "found none, expected "
                        "one: this service has no names of its own");
        return;
    }

    list->items = tcr_read_alloc(rd, array->u.list.n, sizeof(*list->items));

    if (list->items == NULL) {
        return;
    }

    mark = tcr_read_enter(rd, array, TCR_STR("domains"));

    for (item = tcr_json_first(array); item != NULL; item = item->next) {
        domain = read_domain(rd, item, i);

        if (i++ == 0) {
            service->domain = domain;
        }

        if (domain.data != NULL) {
            list->items[list->n++] = domain;
        }
    }

    tcr_read_leave(rd, mark);
}


/* --- where clients may be --- */

static void
read_geo_limit(tcr_read_t *rd, const tcr_json_t *node, size_t i,
    tcr_service_t *service)
{
    tcr_geo_limit_t   *limit = &service->geo_limits[service->n_geo_limits];
    tcr_read_mark_t    mark = tcr_read_enter_item(rd, node, i);
    const tcr_json_t  *test;

    if (!tcr_json_is(node, TCR_JSON_OBJECT)) {
        tcr_read_wrong(rd, LEFT_OUT, node, NULL,
                       "an object; this limit is left out");

    } else {
        limit->tests = tcr_read_alloc(rd, node->u.list.n, sizeof(tcr_pair_t));
        test = limit->tests != NULL ? tcr_json_first(node) : NULL;

        for ( ; test != NULL; test = test->next) {
            limit->tests[limit->n].name = tcr_json_name(test);
            limit->tests[limit->n++].value = tcr_json_required_str(test);
        }

        service->n_geo_limits++;
    }

    tcr_read_leave(rd, mark);
}


static void
read_geo_limits(tcr_read_t *rd, const tcr_json_t *node,
    tcr_service_t *service)
{
    size_t             i = 0;
    tcr_read_mark_t    mark;
    const tcr_json_t  *array, *item;

    array = tcr_read_container(rd, node, "geoEnabled", TCR_JSON_ARRAY);

    if (array == NULL || array->u.list.n == 0) {
        return;
    }

    service->geo_limits = tcr_read_alloc(rd, array->u.list.n,
                                         sizeof(tcr_geo_limit_t));

    if (service->geo_limits == NULL) {
        return;
    }

    mark = tcr_read_enter(rd, array, TCR_STR("geoEnabled"));

    for (item = tcr_json_first(array); item != NULL; item = item->next) {
        read_geo_limit(rd, item, i++, service);
    }

    tcr_read_leave(rd, mark);
}


static void
read_miss(tcr_read_t *rd, const tcr_json_t *node, tcr_service_t *service)
{
    tcr_read_mark_t    mark;
    const tcr_json_t  *miss;

    miss = tcr_read_container(rd, node, "missLocation", TCR_JSON_OBJECT);

    if (miss != NULL) {
        mark = tcr_read_enter(rd, miss, TCR_STR("missLocation"));
        service->has_miss = tcr_read_point(rd, LEFT_OUT, miss, "lat", "long",
                                           &service->miss);
        tcr_read_leave(rd, mark);
    }
}


/* --- headers --- */

/* Of equal names the last one counts, in the place of the first. */
static tcr_pair_t *
header_place(tcr_service_t *service, tcr_str_t name)
{
    size_t  i;

    for (i = 0; i < service->n_response_headers; i++) {
        if (tcr_str_eq(service->response_headers[i].name, name)) {
            return &service->response_headers[i];
        }
    }

    service->n_response_headers++;
    return &service->response_headers[i];
}


static void
read_response_header(tcr_read_t *rd, const tcr_json_t *node,
    tcr_service_t *service)
{
    tcr_str_t    name = tcr_json_name(node);
    tcr_str_t    value = tcr_read_line(rd, node, NULL);
    tcr_pair_t  *header;

    if (!tcr_read_is_token(name)) {
        tcr_read_report(rd, LEFT_OUT, node, NULL, "found what cannot be the "
                        "name of a header; this one is left out");
        return;
    }

    if (value.data == NULL) {
        if (tcr_json_required_str(node).len != 0) {
            return;
        }

        value = TCR_STR("");
    }

    header = header_place(service, name);
    header->name = name;
    header->value = value;
}


static void
read_response_headers(tcr_read_t *rd, const tcr_json_t *node,
    tcr_service_t *service)
{
    tcr_read_mark_t    mark, item;
    const tcr_json_t  *headers, *header;

    headers = tcr_read_container(rd, node, "responseHeaders",
                                 TCR_JSON_OBJECT);

    if (headers == NULL) {
        return;
    }

    if (headers->u.list.n > HEADERS_MAX) {
        tcr_read_report(rd, LEFT_OUT, headers, "responseHeaders", "found %zu "
                        "headers, expected at most %d; all are left out",
                        headers->u.list.n, HEADERS_MAX);
        return;
    }

    service->response_headers = tcr_read_alloc(rd, headers->u.list.n,
                                               sizeof(tcr_pair_t));

    if (service->response_headers == NULL) {
        return;
    }

    mark = tcr_read_enter(rd, headers, TCR_STR("responseHeaders"));

    for (header = tcr_json_first(headers); header; header = header->next) {
        item = tcr_read_enter(rd, header, tcr_json_name(header));
        read_response_header(rd, header, service);
        tcr_read_leave(rd, item);
    }

    tcr_read_leave(rd, mark);
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
    read_domains(rd, node, service);
    tcr_read_ttls(rd, node, &service->ttls);
    tcr_read_soa(rd, node, &service->soa);
    read_geo_limits(rd, node, service);
    read_miss(rd, node, service);
    tcr_read_bypass(rd, node, service);
    read_response_headers(rd, node, service);
    read_hash_regex(rd, node, service);
    check_hash_params(rd, node, service);
    read_deep(rd, node, service);
    check_unsupported(rd, node, service);
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
