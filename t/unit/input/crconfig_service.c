/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Delivery services: what leaves one out, what leaves only a part of one out,
 * and how its fields are read (r13, r16 ... as in the recordings of reloads).
 */

#include "snapshot.h"

/* something before a field of "vod": its value is added in front */
#define VOD(fields)  load_with("\"routingName\": \"CCR\",",                   \
                               "\"routingName\": \"CCR\"," fields ",")

#define S  (&cfg.services[0])


/* Is "live" the only one that is left? */
static bool
only_live(void)
{
    return cfg.n_services == 1
           && tcr_str_eq(cfg.services[0].id, TCR_STR("live"))
           && cfg.caches[0].n_services == 1
           && cfg.caches[0].services[0].service == 0
           && cfg.caches[1].n_services == 0;
}


static void
left_out(void)
{
    size_t  i;

    static const struct {
        const char  *name, *from, *to, *text;
    } all[] = {
        { "r13: no matchsets", "\"matchsets\": [{\n", "\"x\": [{\n",
          "vod.matchsets: found nothing, expected an array" },
        { "r14: no routingName", "\"routingName\": \"CCR\"", "\"x\": \"\"",
          "vod.routingName: found nothing, expected the first label" },
        { "r15: no coverageZoneOnly", "\"coverageZoneOnly\": \"false\", ", "",
          "CrConfig.json:18:9: deliveryServices.vod.coverageZoneOnly: found "
          "nothing, expected true or false; this service is left out" },
        { "r16: a bad pattern", ".*\\\\.vod\\\\..*", "(.*",
          "vod.matchsets[0].matchlist[0].regex: " },
        { "r17: an unknown match-type", "\"HOST\"", "\"LUCK\"",
          "vod.matchsets[0].matchlist[0].match-type: found \"LUCK\", expected "
          "HOST, PATH or HEADER; this matchset is left out" },
        { "r18: HEADER without target", "\"HOST\"", "\"HEADER\"",
          "matchlist[0].target: found nothing, expected the name of a" },
        { "no protocol", "\"protocol\": \"HTTP\", ", "",
          "vod.matchsets[0].protocol: found nothing, expected HTTP or DNS" },
        { "an empty matchlist", "\"matchlist\": [{\"match-type\": \"HOST\",\n"
          "  \"regex\": \".*\\\\.vod\\\\..*\"}]", "\"matchlist\": []",
          "vod.matchsets[0].matchlist: found an empty array, expected" },
        { "a service that is no object", "\"vod\": {", "\"vod\": 1, \"x\": {",
          "deliveryServices.vod: found 1, expected an object" },
        { "a routing name that is none", "\"CCR\"", "\"a b\"",
          "vod.routingName: found \"a b\", expected the first label" }
    };

    for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        is_int(load_with(all[i].from, all[i].to), 0, "%s", all[i].name);
        ok(left(all[i].text), "%s is reported", all[i].name);

        if (strcmp(all[i].name, "a service that is no object") != 0) {
            ok(only_live(), "%s leaves the rest alone", all[i].name);
        }
    }
}


/* One unusable set of two. */
static void
matchsets(void)
{
    VOD("\"matchsets\": [], \"x\": 0");
    is_int(cfg.n_services, 2, "of equal fields the last counts");

    load_with("\"matchsets\": [{\n", "\"matchsets\": ["
              "{\"protocol\": \"DNS\", \"matchlist\": [{\"match-type\": "
              "\"PATH\", \"regex\": \"(\"}]},"
              "{\"protocol\": \"ftp\", \"matchlist\": [{\"match-type\": "
              "\"HEADER\", \"regex\": \"a\", \"target\": \"User-Agent\"}, "
              "{\"match-type\": \"PATH\", \"regex\": \"/v/x\"}]}, {\n");

    is_int(S->n_matchsets, 2, "two of three matchsets");
    ok(S->dns, "the kind of a set that is left out counts");
    ok(!S->matchsets[0].dns, "a protocol that is none counts as HTTP");
    ok(warned("matchsets[1].protocol: found \"ftp\", expected HTTP or DNS"),
       "and is reported");
    is_int(S->matchsets[0].n, 2, "matchers");
    is_int(S->matchsets[0].matchers[0].kind, TCR_MATCHER_HEADER, "HEADER");
    is_str(z(S->matchsets[0].matchers[0].target), "User-Agent", "target");
    is_int(S->matchsets[0].matchers[1].kind, TCR_MATCHER_PATH, "PATH");
    is_str(z(S->matchsets[0].matchers[1].pattern), "/v/x", "pattern");
}


static void
domains(void)
{
    load_with("\"domains\": [\"Vod.cdn.example.net\"], ", "");
    ok(cfg.n_services == 2 && S->domain.data == NULL, "r19: no domains");
    ok(warned("vod.domains: found none, expected one"), "are reported");

    load_with("\"domains\": [\"Vod.cdn.example.net\"], ", "\"domains\": [], ");
    ok(cfg.n_services == 2 && S->domain.data == NULL, "r20: empty domains");

    load_with("\"Vod.cdn.example.net\"", "\"Vod+\", \"a b\", \"X.org.\"");
    is_str(z(S->domain), "vod.cdn.example.net", "\"+\" is the CDN's domain");
    is_int(S->domains.n, 2, "domains that are some");
    is_str(z(S->domains.items[1]), "x.org", "final dot cut");
    ok(left("vod.domains[1]: found \"a b\", expected a domain name"),
       "one that is none");

    load_with("\"Vod.cdn.example.net\"", "\"*.vod\", \"b.example.net\"");
    ok(S->domain.data == NULL, "the second is not taken for the first");
    is_int(S->domains.n, 1, "but stays a domain");
}


static void
defaults(void)
{
    load(snapshot);

    ok(S->accept_http && !S->accept_https && !S->redirect_https, "protocol");
    ok(S->append_query && !S->ssl_enabled && !S->ip6 && !S->ecs, "switches");
    ok(!S->has_dispersion && S->dispersion_limit == 1 && S->shuffled,
       "dispersion");
    ok(!S->has_max_dns_ips && S->max_dns_ips == 0, "maxDnsIpsForLocation");
    ok(S->failover_limit == 0 && !S->deep, "limits");
    ok(!S->has_bypass && !S->bypass_dns.given && S->bypass_dns.ttl == -1,
       "bypass");
    ok(!S->has_miss && S->n_geo_limits == 0, "geo");
    is_int(S->ttls.a, -1, "r21: no ttls");
    ok(S->soa.admin.data == NULL && S->soa.refresh == -1, "r21: no soa");
    ok(S->topology.data == NULL && S->hash_regex.data == NULL, "texts");
}


static void
plain_fields(void)
{
    VOD("\"protocol\": {\"acceptHttp\": \"false\", \"acceptHttps\": 1,"
        "\"redirectToHttps\": true}, \"sslEnabled\": \"true\","
        "\"appendQueryString\": false, \"ip6RoutingEnabled\": \"maybe\","
        "\"dispersion\": {\"limit\": \"0\", \"shuffled\": \"false\"},"
        "\"maxDnsIpsForLocation\": \" 3 \", \"locationFailoverLimit\": 2.9,"
        "\"ttls\": {\"A\": \"x\", \"AAAA\": \"\", \"NS\": -1, \"SOA\": 5},"
        "\"soa\": {\"admin\": \"a b\", \"retry\": \"7\", \"serial\": 4294967295"
        "}, \"topology\": \"top\", \"requiredCapabilities\": [\"SSD\", \"\"],"
        "\"requestHeaders\": [\"X-A\", \"b:\", 3], \"deepCachingType\":"
        "\"always\"");

    ok(!S->accept_http && S->accept_https && S->redirect_https,
       "r47: booleans as text, number and boolean");
    ok(S->ssl_enabled && !S->append_query, "switches");
    ok(!S->ip6 && warned("vod.ip6RoutingEnabled: found \"maybe\", expected "
                         "true or false; it counts as false"), "no switch");
    ok(S->has_dispersion && S->dispersion_limit == 1 && !S->shuffled,
       "dispersion, limit 0 is 1");
    ok(S->has_max_dns_ips && S->max_dns_ips == 3, "number with blanks");
    is_int(S->failover_limit, 2, "a real is cut");
    is_int(S->ttls.a, -1, "r22: a ttl that is no number is not given");
    ok(warned("vod.ttls.A: found \"x\", expected a number from 0 to "), "told");
    is_int(S->ttls.aaaa, -1, "an empty ttl is not given");
    ok(warned("vod.ttls.NS: found -1"), "a negative ttl is told");
    is_int(S->ttls.soa, 5, "a ttl");
    ok(S->soa.admin.data == NULL && warned("vod.soa.admin: found \"a b\""),
       "an admin that is none");
    is_int(S->soa.retry, 7, "soa.retry");
    is_int(S->soa.serial, 4294967295, "soa.serial is of 32 bits");
    is_str(z(S->topology), "top", "topology");
    is_int(S->capabilities.n, 1, "empty capabilities do not count");
    is_int(S->request_headers.n, 2, "request headers");
    ok(warned("vod.requestHeaders[1]: found \"b:\", expected the name of a"),
       "one that cannot be one");
    ok(S->deep, "deepCachingType in any case");
}


/* r34, r45, r46 and what is not supported */
static void
odd_fields(void)
{
    VOD("\"deepCachingType\": \"SOMETIMES\", \"transInfoType\": \"IP\","
        "\"geolocationProvider\": \"neustarGeolocationService\","
        "\"consistentHashQueryParams\": [\"v\", \"trred\", \"format\","
        "\"fakeClientIpAddress\"], \"consistentHashRegex\": \"(\"");

    ok(!S->deep && warned("vod.deepCachingType: found \"SOMETIMES\""),
       "r34: an unknown deepCachingType is NEVER");
    ok(warned("vod.transInfoType: found \"IP\", expected NONE; no token is "
              "added to redirects (rule no-transinfo)"), "r45: transInfoType");
    ok(warned("vod.geolocationProvider: found \"neustarGeolocationService\""),
       "another provider");
    is_int(S->hash_params.n, 4, "hash parameters stay");
    ok(warned("found \"trred\", which is a parameter of the router itself"),
       "trred");
    ok(warned("found \"format\", which"), "format");
    ok(warned("found \"fakeClientIpAddress\", which"), "fakeClientIpAddress");
    ok(S->hash_regex.data == NULL && S->hash_regex_java.len == 1
       && left("vod.consistentHashRegex: "), "a bad hash regex is none");

    VOD("\"deepCachingType\": null, \"transInfoType\": null, \"domains\": null,"
        "\"ttls\": null, \"soa\": null, \"protocol\": null, \"dispersion\":"
        "null, \"missLocation\": null, \"bypassDestination\": null,"
        "\"geoEnabled\": null, \"geoLimitRedirectURL\": null,"
        "\"staticDnsEntries\": null, \"maxDnsIpsForLocation\": null,"
        "\"consistentHashQueryParams\": null, \"appendQueryString\": null,"
        "\"requestHeaders\": null, \"responseHeaders\": null, \"sslEnabled\":"
        "null, \"consistentHashRegex\": null, \"topology\": null");
    is_int(report.count[0] + report.count[1], 0, "r46: null is no fault");
    ok(S->append_query && !S->has_max_dns_ips && S->topology.data == NULL,
       "but the default");

    VOD("\"consistentHashQueryParams\": \"a\"");
    ok(warned("vod.consistentHashQueryParams: found \"a\", expected an array; "
              "it is ignored"), "a list that is none");
    VOD("\"topology\": \"nosuch\"");
    ok(warned("vod.topology: found \"nosuch\", expected one of"),
       "an unknown topology");

    VOD("\"missLocation\": [1, 2]");
    ok(!S->has_miss && warned("vod.missLocation: found an array, expected an "
                              "object; it is ignored"), "an array as object");
}


static void
geo(void)
{
    VOD("\"geoEnabled\": [{\"countryCode\": \"US\", \"city\": \"Oslo\"}, 1,"
        "{\"latitude\": 40}], \"missLocation\": {\"lat\": \"41.5\", \"long\":"
        "-87}, \"geoLimitRedirectURL\": \"http://www.example.net/x\"");

    is_int(S->n_geo_limits, 2, "limits");
    is_int(S->geo_limits[0].n, 2, "tests of a limit");
    is_str(z(S->geo_limits[0].tests[1].name), "city", "name of a test");
    is_str(z(S->geo_limits[0].tests[1].value), "Oslo", "value of a test");
    is_str(z(S->geo_limits[1].tests[0].value), "40", "a number as text");
    ok(left("vod.geoEnabled[1]: found 1, expected an object"), "no limit");
    ok(S->has_miss && S->miss.lat == 41.5 && S->miss.lon == -87, "miss");
    is_str(z(S->geo_redirect_url), "http://www.example.net/x", "URL");

    VOD("\"geoLimitRedirectURL\": \"/a\\r\\nSet-Cookie: x\", "
        "\"missLocation\": {\"lat\": 1}");
    ok(S->geo_redirect_url.data == NULL
       && left("vod.geoLimitRedirectURL: found a text of 17 bytes with a "
               "control byte"), "no headers by way of a URL");
    ok(!S->has_miss && left("vod.missLocation.long: found nothing"),
       "half a place is none");
}


static void
response_headers(void)
{
    VOD("\"responseHeaders\": {\"X-A\": \"1\", \"X-B\": \"a\\nb\", \"c d\":"
        "\"2\", \"X-N\": 7, \"X-E\": \"\", \"X-A\": \"3\"}");

    is_int(S->n_response_headers, 3, "usable headers");
    is_str(z(S->response_headers[0].name), "X-A", "name");
    is_str(z(S->response_headers[0].value), "3", "the last of equal names");
    is_str(z(S->response_headers[1].value), "7", "a number as text");
    is_str(z(S->response_headers[2].value), "", "empty value");
    ok(left("vod.responseHeaders.X-B: found a text of 3 bytes with a control"),
       "no second header by way of the first");
    ok(left("vod.responseHeaders.c d: found what cannot be the name"),
       "a name that is none");
}


static void
bypass(void)
{
    VOD("\"bypassDestination\": {\"HTTP\": {\"fqdn\": \"Other.example.net\","
        "\"port\": \"8080\"}, \"DNS\": {\"ttl\": \"44\", \"ip\": \"192.0.2.9\","
        "\"ip6\": \"2001:db8::9/64\", \"cname\": \"x.example.net\"}}");
    ok(S->has_bypass && S->bypass_dns.given, "both kinds");
    is_str(z(S->bypass_fqdn), "other.example.net", "HTTP name");
    is_int(S->bypass_port, 8080, "HTTP port");
    is_int(S->bypass_dns.ttl, 44, "DNS ttl");
    is_str(z(S->bypass_dns.ip), "192.0.2.9", "DNS ip");
    is_str(z(S->bypass_dns.ip6), "2001:db8::9", "DNS ip6");
    ok(S->bypass_dns.cname.data == NULL, "no cname beside an address");

    VOD("\"bypassDestination\": {\"HTTP\": {\"fqdn\": \"a/b\", \"port\": 0},"
        "\"DNS\": {\"cname\": \"X.example.net\", \"ip\": \"host\"}}");
    ok(S->bypass_fqdn.data == NULL
       && left("bypassDestination.HTTP.fqdn: found \"a/b\""), "no name");
    ok(S->bypass_port == 0
       && warned("HTTP.port: found 0, expected a number from 1 to 65535"),
       "no port");
    ok(S->bypass_dns.ttl == -1
       && left("DNS.ttl: found no usable ttl"), "no ttl");
    ok(S->bypass_dns.ip.data == NULL
       && left("DNS.ip: found \"host\", expected an IPv4 address"), "no ip");
    is_str(z(S->bypass_dns.cname), "x.example.net.", "cname is absolute");

    VOD("\"bypassDestination\": {\"FTP\": 1}");
    ok(S->has_bypass && !S->bypass_dns.given, "r44: an unknown form");
}


static void
static_entries(void)
{
    tcr_static_entry_t  *e;

    VOD("\"staticDnsEntries\": ["
        "{\"name\": \"WWW\", \"type\": \"a\", \"value\": \"192.0.2.7\", "
        "\"ttl\": \"30\"},"
        "{\"name\": \"six\", \"type\": \"AAAA\", \"value\": \"2001:DB8::7\"},"
        "{\"name\": \"c\", \"type\": \"CNAME\", \"value\": \"X.example.net\"},"
        "{\"name\": \"*.W\", \"type\": \"TXT\", \"value\": \"a \\\"b\\\"\"},"
        "{\"name\": \"*\", \"type\": \"CNAME\", \"value\": \"y.\",\"ttl\":-1},"
        "{\"name\": \"bad\", \"type\": \"A\", \"value\": \"host\"},"
        "{\"name\": \"mx\", \"type\": \"MX\", \"value\": \"host\"},"
        "{\"name\": \"x y\", \"type\": \"TXT\", \"value\": \"v\"},"
        "{\"name\": \"abs.\", \"type\": \"TXT\", \"value\": \"v\"},"
        "{\"name\": \"empty\", \"type\": \"A\", \"value\": \"\"},"
        "{\"type\": \"A\", \"value\": \"192.0.2.7\"}, 7]");
    e = S->static_entries;

    is_int(S->n_static_entries, 5, "usable entries");
    is_str(z(e[0].name), "www", "name in lower case");
    ok(e[0].type == 1 && e[0].ttl == 30, "type in any case, ttl as text");
    ok(e[1].type == 28 && e[1].ttl == 0, "no ttl");
    is_str(z(e[1].value), "2001:db8::7", "address in canonical text");
    is_str(z(e[2].value), "x.example.net.", "r43: a CNAME is absolute");
    is_str(z(e[3].name), "*.w", "a wildcard in lower case");
    is_str(z(e[3].value), "a \"b\"", "a text stays");
    is_str(z(e[4].name), "*", "a bare wildcard");
    is_int(e[4].ttl, 0, "a ttl that is none");

    ok(left("vod.staticDnsEntries[5].value: found \"host\", expected an IPv4"),
       "r42: a bad address");
    ok(left("staticDnsEntries[6].type: found \"MX\", expected A, AAAA, CNAME "
            "or TXT; this entry is left out"), "another type");
    ok(left("staticDnsEntries[7].name: found \"x y\", expected a name below"),
       "a name that is none");
    ok(left("staticDnsEntries[8].name: found \"abs.\""), "an absolute name");
    ok(left("staticDnsEntries[9].value: found \"\""), "an empty value");
    ok(left("staticDnsEntries[10].name: found nothing"), "no name");
    ok(left("staticDnsEntries[11].type: found nothing"), "no entry at all");
}


int
main(void)
{
    left_out();
    matchsets();
    domains();
    defaults();
    plain_fields();
    odd_fields();
    geo();
    response_headers();
    bypass();
    static_entries();

    tcr_arena_destroy(arena);

    return done();
}
