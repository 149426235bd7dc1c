/* SPDX-License-Identifier: Apache-2.0 */

/* Services, and the CDN's own fields. */

#include "small.h"

#define HTTP(id, more)  SERVICE(id, "HTTP", more)


static bool
has(const compiled_t *t, const char *id, uint32_t flag)
{
    return (service_of(t, id)->flags & flag) != 0;
}


/* spec/routing.md §6.4, spec/inputs.md §5.4 */
static void
dispersion(void)
{
    compiled_t  t;
    parts_t     p = { .services =
        HTTP("none", "") ","
        HTTP("three", ",\"dispersion\":{\"limit\":3,\"shuffled\":\"false\"}")
        "," HTTP("zero", ",\"dispersion\":{\"limit\":0}") ","
        HTTP("max", ",\"maxDnsIpsForLocation\":4") ","
        HTTP("max0", ",\"maxDnsIpsForLocation\":0") ","
        HTTP("both", ",\"dispersion\":{\"limit\":2},"
                     "\"maxDnsIpsForLocation\":9") };

    compile_small(&t, &p, NULL);
    is_int(service_of(&t, "none")->dispersion_limit, 1, "default limit");
    ok(has(&t, "none", TCR_SERVICE_SHUFFLED), "default: shuffled");
    is_int(service_of(&t, "three")->dispersion_limit, 3, "limit given");
    ok(!has(&t, "three", TCR_SERVICE_SHUFFLED), "not shuffled");
    is_int(service_of(&t, "zero")->dispersion_limit, 1, "0 is 1");
    is_int(service_of(&t, "max")->dispersion_limit, 4,
           "maxDnsIpsForLocation when there is no dispersion");
    is_int(service_of(&t, "max")->max_dns_ips, 4, "and as itself");
    is_int(service_of(&t, "max0")->dispersion_limit, 1, "0 of it is 1, too");
    is_int(service_of(&t, "max0")->max_dns_ips, 0, "where 0 means all");
    is_int(service_of(&t, "both")->dispersion_limit, 2, "dispersion wins");
    compiled_free(&t);
}


/* spec/dns.md §10 */
static void
ttls(void)
{
    compiled_t                t;
    const tcr_img_service_t  *s;
    parts_t                   p = { .services =
        HTTP("none", "") ","
        HTTP("some", ",\"ttls\":{\"A\":\"30\",\"AAAA\":\"\",\"NS\":\"7\"}") };

    compile_small(&t, &p, NULL);
    s = service_of(&t, "none");
    is_int(s->ttl_a, 0, "routed addresses: 0");
    is_int(s->ttl_cache_a, 60, "static ones: 60");
    is_int(s->ttl_ns, 3600, "edge-routed NS: 3600");
    s = service_of(&t, "some");
    is_int(s->ttl_a, 30, "given for routed");
    is_int(s->ttl_cache_a, 30, "and for static");
    is_int(s->ttl_aaaa, 0, "empty text: routed 0");
    is_int(s->ttl_cache_aaaa, 60, "and static 60");
    is_int(s->ttl_ns, 7, "NS given");
    compiled_free(&t);

    p.config = ",\"ttls\":{\"NS\":\"99\",\"A\":\"5\"}";
    compile_small(&t, &p, NULL);
    is_int(service_of(&t, "none")->ttl_ns, 99, "NS of the CDN");
    is_int(service_of(&t, "none")->ttl_a, 0, "but not its A");
    compiled_free(&t);
}


/* spec/routing.md §7 */
static void
bypass(void)
{
    compiled_t                t;
    const tcr_img_service_t  *s;
    parts_t                   p = { .services =
        HTTP("none", "") ","
        HTTP("http", ",\"bypassDestination\":{\"HTTP\":{"
                     "\"fqdn\":\"by.example.org\",\"port\":\"8080\"}}") ","
        HTTP("ip", ",\"bypassDestination\":{\"DNS\":{\"ttl\":5,"
                   "\"ip\":\"192.0.2.7\",\"ip6\":\"2001:db8::7/64\"}}") ","
        HTTP("cname", ",\"bypassDestination\":{\"DNS\":{\"ttl\":6,"
                      "\"cname\":\"by.example.org\"}}") ","
        HTTP("nottl", ",\"bypassDestination\":{\"DNS\":{"
                      "\"ip\":\"192.0.2.7\"}}") };

    compile_small(&t, &p, NULL);
    ok(!has(&t, "none", TCR_SERVICE_BYPASS), "no bypass");
    s = service_of(&t, "http");
    ok(s->flags & TCR_SERVICE_BYPASS, "HTTP bypass");
    ok(!(s->flags & TCR_SERVICE_BYPASS_DNS), "is none for DNS");
    is_str(text_of(&t, s->bypass_fqdn), "by.example.org", "its fqdn");
    is_int(s->bypass_port, 8080, "its port");
    s = service_of(&t, "ip");
    ok(s->flags & TCR_SERVICE_BYPASS_DNS, "DNS bypass");
    is_str(text_of(&t, s->bypass_ip), "192.0.2.7", "its address");
    is_str(text_of(&t, s->bypass_ip6), "2001:db8::7", "without the length");
    is_int(s->bypass_ttl, 5, "its ttl");
    is_str(text_of(&t, service_of(&t, "cname")->bypass_cname),
           "by.example.org.", "a name is absolute");
    ok(has(&t, "nottl", TCR_SERVICE_BYPASS)
       && !has(&t, "nottl", TCR_SERVICE_BYPASS_DNS),
       "without ttl it is no use, but it is one");
    compiled_free(&t);
}


/* spec/routing.md §4.4 */
static void
places(void)
{
    compiled_t                  t;
    const tcr_img_service_t    *s;
    const tcr_img_geo_test_t   *tests;
    const tcr_img_geo_limit_t  *limits;
    parts_t                     p = { .services =
        HTTP("none", "") ","
        HTTP("miss", ",\"missLocation\":{\"lat\":\"51.5\",\"long\":\"0\"}")
        "," HTTP("both", ",\"missLocation\":{\"lat\":51.5,\"long\":-0.1}") ","
        HTTP("limits", ",\"geoEnabled\":[{\"countryCode\":\"US\"},"
                       "{\"city\":\"Berlin\",\"planet\":\"Earth\"}]") };

    compile_small(&t, &p, NULL);
    ok(!has(&t, "none", TCR_SERVICE_HAS_MISS), "no miss location");
    ok(has(&t, "miss", TCR_SERVICE_HAS_MISS), "a miss location");
    ok(!has(&t, "miss", TCR_SERVICE_MISS_OVERRIDES), "0 does not override");
    ok(has(&t, "both", TCR_SERVICE_MISS_OVERRIDES), "both set: it does");
    ok(service_of(&t, "both")->miss_lon == -0.1, "its longitude");

    s = service_of(&t, "limits");
    limits = tcr_image_vec(&t.img, &s->geo_limits);
    is_int(s->geo_limits.n, 2, "two limits");
    is_int(limits[1].tests.n, 2, "two tests in the second");
    tests = tcr_image_vec(&t.img, &limits[1].tests);
    is_int(tests[0].property, TCR_GEO_CITY, "a known property");
    is_str(text_of(&t, tests[0].value), "Berlin", "its value");
    is_int(tests[1].property, TCR_GEO_UNKNOWN, "an unknown one");
    is_int(service_of(&t, "none")->geo_limits.n, 0, "none: allowed anywhere");
    compiled_free(&t);
}


/* spec/routing.md §4.5 */
static void
redirects(void)
{
    size_t      i;
    parts_t     p = { 0 };
    compiled_t  t;

    static const struct {
        const char          *url;
        tcr_geo_redirect_e   type;
        const char          *path;
    } table[] = {
        { "", TCR_GEO_REDIRECT_NONE, "-" },
        { "/alt/x?y=1", TCR_GEO_REDIRECT_SELF, "/alt/x?y=1" },
        { "alt", TCR_GEO_REDIRECT_SELF, "/alt" },
        { "http://www.s.cdn.example.net/a?b", TCR_GEO_REDIRECT_SELF,
          "/a?b" },
        { "HTTPS://u@WWW.S.cdn.example.net:8443/a#f", TCR_GEO_REDIRECT_SELF,
          "/a" },
        { "http://x.s.example.org", TCR_GEO_REDIRECT_SELF, "/" },
        { "http://x.s.example.org?q", TCR_GEO_REDIRECT_SELF, "/?q" },
        { "http://www.o.cdn.example.net/", TCR_GEO_REDIRECT_OTHER, "-" },
        { "http://alt.example.org/", TCR_GEO_REDIRECT_OTHER, "-" },
        { "gopher://www.s.cdn.example.net/", TCR_GEO_REDIRECT_INVALID, "-" },
        { "http://www.s.cdn.example.net:x/", TCR_GEO_REDIRECT_INVALID, "-" },
        { "http://p.cdn.example.net/video/1", TCR_GEO_REDIRECT_OTHER, "-" }
    };

    for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        char  services[2048];

        snprintf(services, sizeof(services),
                 HTTP("s", ",\"geoLimitRedirectURL\":\"%s\"") ","
                 HTTP("o", ""), table[i].url);
        p.services = services;
        compile_small(&t, &p, NULL);

        is_int(service_of(&t, "s")->geo_redirect_type, table[i].type,
               "type of \"%s\"", table[i].url);
        is_str(text_of(&t, service_of(&t, "s")->geo_redirect_path),
               table[i].path, "path of \"%s\"", table[i].url);
        compiled_free(&t);
    }
}


/* spec/routing.md §10, "SSL ready" */
static void
certificates(void)
{
    compiled_t   t;
    tcr_str_t    ids[] = { TCR_STR("a"), TCR_STR("plain") };
    parts_t      p = { .services =
        HTTP("a", ",\"sslEnabled\":\"true\"") ","
        HTTP("b", ",\"sslEnabled\":\"true\"") "," HTTP("plain", "") };
    sources_t    from = { .certificates = ids, .n_certificates = 2 };

    compile_small(&t, &p, &from);
    ok(has(&t, "a", TCR_SERVICE_SSL_READY), "enabled, has one");
    ok(!has(&t, "b", TCR_SERVICE_SSL_READY), "enabled, has none");
    ok(has(&t, "b", TCR_SERVICE_SSL_ENABLED), "is enabled all the same");
    ok(!has(&t, "plain", TCR_SERVICE_SSL_READY), "has one, not enabled");
    compiled_free(&t);

    compile_small(&t, &p, NULL);
    ok(has(&t, "b", TCR_SERVICE_SSL_READY), "not known who has: ready");
    compiled_free(&t);
}


static const char *
location(const compiled_t *t, uint32_t i)
{
    const tcr_img_router_location_t  *all;

    all = tcr_image_vec(&t->img, &t->root->router_locations);
    return text_of(t, all[i].id);
}


static void
cdn(void)
{
    compiled_t               t;
    sources_t                from = { .router = "TR2.dc1.example.org" };
    const tcr_img_router_t  *routers;
    parts_t                  p = {
        .config = ",\"consistent.dns.routing\":\"true\",\"ecsEnable\":true,"
                  "\"edge.http.routing\":\"true\","
                  "\"edge.dns.routing\":\"true\",\"edge.http.limit\":\"7\"",
        .locations = "\"one\":{\"latitude\":1,\"longitude\":2},"
                     "\"two\":{\"latitude\":1,\"longitude\":2}",
        .routers = "\"tr1\":{\"fqdn\":\"tr1.cdn.example.net\","
                   "\"ip\":\"203.0.113.1\",\"ip6\":\"\","
                   "\"port\":80,\"location\":\"two\","
                   "\"status\":\"STANDBY\"}" };

    compile_small(&t, &p, &from);
    is_int(t.root->flags, TCR_CDN_CONSISTENT_DNS | TCR_CDN_ECS,
           "edge routing needs a usable router with a location");
    is_str(text_of(&t, t.root->router), "tr1", "the only router is this one");
    routers = tcr_image_vec(&t.img, &t.root->routers);
    is_str(location(&t, routers[0].location), "one",
           "equal locations merge into the first");
    is_int(t.root->edge_http_limit, 7, "limit");
    is_int(t.root->edge_dns_limit, 4, "default limit");
    compiled_free(&t);

    p.routers = ROUTERS ",\"tr4\":{\"fqdn\":\"tr4.cdn.example.net\","
                "\"ip\":\"203.0.113.4\",\"ip6\":\"\","
                "\"port\":80,\"location\":\"one\",\"status\":\"REPORTED\"}";
    compile_small(&t, &p, &from);
    is_int(t.root->flags, TCR_CDN_CONSISTENT_DNS | TCR_CDN_ECS
           | TCR_CDN_EDGE_DNS | TCR_CDN_EDGE_HTTP, "now there is one");
    is_str(text_of(&t, t.root->router), "tr2",
           "this router by its short host name, whatever the case");
    compiled_free(&t);

    /* buckets 8, 1 and 10 of 16 */
    p.locations = "\"dc-taben\":{\"latitude\":65,\"longitude\":-155},"
                  "\"dc-melor\":{\"latitude\":-18,\"longitude\":99},"
                  "\"dc-gifi\":{\"latitude\":38,\"longitude\":44}";
    compile_small(&t, &p, &from);
    is_str(location(&t, 0), "dc-melor", "locations in the reference's order");
    is_str(location(&t, 1), "dc-taben", "which is not the document's");
    is_str(location(&t, 2), "dc-gifi", "nor that of their names");
    compiled_free(&t);
}


int
main(void)
{
    dispersion();
    ttls();
    bypass();
    places();
    redirects();
    certificates();
    cdn();
    return done();
}
