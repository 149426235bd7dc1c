/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Delivery services: flags, limits, bypass, time to live (spec/inputs.md §5.4,
 * spec/routing.md §6.4, §7, spec/dns.md §10).
 */

#include "tcr_compiler.h"

#define TTL_ROUTED  0             /* addresses chosen for the client         */
#define TTL_STATIC  60            /* addresses in zones                      */
#define TTL_NS      3600          /* edge-routed NS                          */


static bool
bypass_dns_usable(const tcr_bypass_dns_t *dns)
{
    return dns->given && dns->ttl >= 0
           && (dns->ip.len != 0 || dns->ip6.len != 0 || dns->cname.len != 0);
}


static uint32_t
service_flags(const tcr_service_t *m)
{
    size_t    i;
    uint32_t  flags = 0;

    const struct {
        bool      on;
        uint32_t  flag;
    } table[] = {
        { m->dns, TCR_SERVICE_DNS },
        { m->cz_only, TCR_SERVICE_CZ_ONLY },
        { m->ip6, TCR_SERVICE_IP6 },
        { m->ecs, TCR_SERVICE_ECS },
        { m->accept_http, TCR_SERVICE_ACCEPT_HTTP },
        { m->accept_https, TCR_SERVICE_ACCEPT_HTTPS },
        { m->redirect_https, TCR_SERVICE_REDIRECT_HTTPS },
        { m->ssl_enabled, TCR_SERVICE_SSL_ENABLED },
        { m->append_query, TCR_SERVICE_APPEND_QUERY },
        { m->regional, TCR_SERVICE_REGIONAL },
        { m->anonymous, TCR_SERVICE_ANONYMOUS },
        { m->deep, TCR_SERVICE_DEEP },
        { m->shuffled || !m->has_dispersion, TCR_SERVICE_SHUFFLED },
        { m->has_miss, TCR_SERVICE_HAS_MISS },
        { m->has_bypass, TCR_SERVICE_BYPASS },
        { bypass_dns_usable(&m->bypass_dns), TCR_SERVICE_BYPASS_DNS },
        { m->has_miss && m->miss.lat != 0 && m->miss.lon != 0,
          TCR_SERVICE_MISS_OVERRIDES }
    };

    for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (table[i].on) {
            flags |= table[i].flag;
        }
    }

    return flags;
}


/* 0 counts as 1, wherever it comes from. */
static uint32_t
dispersion_limit(const tcr_service_t *m)
{
    int64_t  n = 1;

    if (m->has_dispersion) {
        n = m->dispersion_limit;

    } else if (m->has_max_dns_ips) {
        n = m->max_dns_ips;
    }

    return n < 1 ? 1 : tcr_clamp_u32(n);
}


static uint32_t
geo_property(tcr_str_t name)
{
    size_t  i;

    static const struct {
        const char  *name;
        uint32_t     property;
    } table[] = {
        { "countryCode", TCR_GEO_COUNTRY_CODE },
        { "countryName", TCR_GEO_COUNTRY_NAME },
        { "city", TCR_GEO_CITY },
        { "postalCode", TCR_GEO_POSTAL_CODE },
        { "latitude", TCR_GEO_LATITUDE },
        { "longitude", TCR_GEO_LONGITUDE }
    };

    for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (tcr_str_eq(name, tcr_str(table[i].name))) {
            return table[i].property;
        }
    }

    return TCR_GEO_UNKNOWN;
}


static int
add_geo_limits(tcr_compiler_t *c, const tcr_service_t *m,
    tcr_img_service_t *out)
{
    size_t                i, k;
    tcr_img_geo_test_t   *tests;
    tcr_img_geo_limit_t  *limits;

    limits = tcr_compiler_alloc(c, m->n_geo_limits, sizeof(*limits));

    if (limits == NULL) {
        return -1;
    }

    for (i = 0; i < m->n_geo_limits; i++) {
        tests = tcr_compiler_alloc(c, m->geo_limits[i].n, sizeof(*tests));

        if (tests == NULL) {
            return -1;
        }

        for (k = 0; k < m->geo_limits[i].n; k++) {
            tests[k].property = geo_property(m->geo_limits[i].tests[k].name);
            tests[k].value = tcr_build_str(c->b,
                                           m->geo_limits[i].tests[k].value);
        }

        limits[i].tests = tcr_build_array(c->b, tests, m->geo_limits[i].n,
                                          sizeof(*tests),
                                          _Alignof(tcr_img_geo_test_t));
    }

    out->geo_limits = tcr_build_array(c->b, limits, m->n_geo_limits,
                                      sizeof(*limits),
                                      _Alignof(tcr_img_geo_limit_t));
    return 0;
}


static int
add_response_headers(tcr_compiler_t *c, const tcr_service_t *m,
    tcr_img_service_t *out)
{
    size_t           i;
    tcr_img_pair_t  *pairs;

    pairs = tcr_compiler_alloc(c, m->n_response_headers, sizeof(*pairs));

    if (pairs == NULL) {
        return -1;
    }

    for (i = 0; i < m->n_response_headers; i++) {
        pairs[i].name = tcr_build_str(c->b, m->response_headers[i].name);
        pairs[i].value = tcr_build_str(c->b, m->response_headers[i].value);
    }

    out->response_headers = tcr_build_array(c->b, pairs,
                                            m->n_response_headers,
                                            sizeof(*pairs),
                                            _Alignof(tcr_img_pair_t));
    return 0;
}


static void
add_bypass(tcr_compiler_t *c, const tcr_service_t *m, tcr_img_service_t *out)
{
    const tcr_bypass_dns_t  *dns = &m->bypass_dns;

    if (m->bypass_fqdn.len != 0) {
        out->bypass_fqdn = tcr_build_str(c->b, m->bypass_fqdn);
        out->bypass_port = m->bypass_port;
    }

    if (bypass_dns_usable(dns)) {
        out->bypass_ttl = tcr_ttl_or(dns->ttl, 0);
        out->bypass_ip = tcr_build_str(c->b, dns->ip);
        out->bypass_ip6 = tcr_build_str(c->b, dns->ip6);
        out->bypass_cname = tcr_build_str(c->b, dns->cname);
    }
}


static void
add_hashing(tcr_compiler_t *c, const tcr_service_t *m, tcr_img_service_t *out)
{
    if (m->hash_regex.data != NULL) {
        out->hash_regex = tcr_build_str(c->b, m->hash_regex);
        out->hash_regex_java = tcr_build_str(c->b, m->hash_regex_java);
        out->hash_regex_index = c->n_regexes++;
    }

    out->hash_params = tcr_compiler_strings(c, &m->hash_params);
}


static void
add_ttls(const tcr_crconfig_t *cfg, const tcr_service_t *m,
    tcr_img_service_t *out)
{
    out->ttl_a = tcr_ttl_or(m->ttls.a, TTL_ROUTED);
    out->ttl_aaaa = tcr_ttl_or(m->ttls.aaaa, TTL_ROUTED);
    out->ttl_ns = tcr_ttl_or(m->ttls.ns, tcr_ttl_or(cfg->ttls.ns, TTL_NS));
    out->ttl_cache_a = tcr_ttl_or(m->ttls.a, TTL_STATIC);
    out->ttl_cache_aaaa = tcr_ttl_or(m->ttls.aaaa, TTL_STATIC);
}


static int
make_service(tcr_compiler_t *c, const tcr_service_t *m, tcr_img_service_t *out)
{
    tcr_str_t  fqdn;

    out->id = tcr_build_str(c->b, m->id);
    out->domain = tcr_build_str(c->b, m->domain);
    out->routing_name = tcr_build_str(c->b, m->routing_name);
    out->flags = service_flags(m);
    out->dispersion_limit = dispersion_limit(m);
    out->max_dns_ips = m->has_max_dns_ips ? tcr_clamp_u32(m->max_dns_ips) : 0;
    out->failover_limit = tcr_clamp_u32(m->failover_limit);
    out->miss_lat = m->has_miss ? m->miss.lat : 0;
    out->miss_lon = m->has_miss ? m->miss.lon : 0;
    out->zone = TCR_NONE;
    out->topology = tcr_build_str(c->b, m->topology);
    out->geo_provider = tcr_build_str(c->b, m->geo_provider);
    out->request_headers = tcr_compiler_strings(c, &m->request_headers);

    if (m->domain.len != 0 && m->routing_name.len != 0) {
        fqdn = tcr_compiler_printf(c, "%.*s.%.*s",
                                   TCR_STR_ARG(m->routing_name),
                                   TCR_STR_ARG(m->domain));

        if (fqdn.data == NULL) {
            return -1;
        }

        out->fqdn = tcr_build_str(c->b, fqdn);
    }

    add_bypass(c, m, out);
    add_hashing(c, m, out);
    add_ttls(c->cfg, m, out);

    if (add_geo_limits(c, m, out) != 0) {
        return -1;
    }

    return add_response_headers(c, m, out);
}


/* Enabled, and has a certificate where we know who has one. */
static int
mark_ssl_ready(tcr_compiler_t *c)
{
    size_t       i;
    uint32_t     s, unused;
    tcr_names_t  names;

    if (tcr_names_init(&names, c->arena, c->in->n_certificates) != 0) {
        return tcr_compiler_no_memory(c);
    }

    for (i = 0; i < c->in->n_certificates; i++) {
        tcr_names_add(&names, c->in->certificates[i], 0);
    }

    for (s = 0; s < c->n_services; s++) {
        if (c->cfg->services[s].ssl_enabled
            && (!c->in->know_certificates
                || tcr_names_find(&names, c->cfg->services[s].id, &unused)))
        {
            c->services[s].flags |= TCR_SERVICE_SSL_READY;
        }
    }

    return 0;
}


int
tcr_compile_services(tcr_compiler_t *c)
{
    uint32_t  s;

    if (c->cfg->n_services >= TCR_NONE) {
        return tcr_err_set(c->err, "too many delivery services");
    }

    c->n_services = (uint32_t) c->cfg->n_services;
    c->services = tcr_compiler_alloc(c, c->n_services, sizeof(*c->services));

    if (c->services == NULL) {
        return -1;
    }

    for (s = 0; s < c->n_services; s++) {
        if (make_service(c, &c->cfg->services[s], &c->services[s]) != 0) {
            return -1;
        }
    }

    return mark_ssl_ready(c);
}
