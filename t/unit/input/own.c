/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A CDN of the settings: what the reader of snapshots makes of it, and what
 * is said where for everything that is wrong.
 */

#include "tcr_crconfig.h"
#include "tcr_own.h"
#include "tcr_schema.h"

#include <stdlib.h>

#include "tap.h"


static const char  good[] =
"cdn:\n"                                                            /*  1 */
"  domain: cdn.example.net\n"
"  soa: {admin: noc@example.net, minimum: 30s}\n"
"  ttls: {A: 1h, NS: 1200}\n"
"  miss: {latitude: 1.5, longitude: -2}\n"                          /*  5 */
"  country_points: {US: {latitude: 38, longitude: -97}}\n"
"  parameters: {consistent.dns.routing: true}\n"
"routers:\n"
"  tr1: {ip: 192.0.2.53, ip6: \"2001:db8::35\", api_port: 3333,\n"
"        location: east}\n"                                         /* 10 */
"  tr2: {ip: 192.0.2.54, fqdn: two.example.net, status: down}\n"
"cache_groups:\n"
"  east: {latitude: 40.5, longitude: -74, backups: [west]}\n"
"  west: {latitude: 39.7, longitude: -104.9, methods: [GEO],\n"
"         fallback_to_closest: no}\n"                               /* 15 */
"caches:\n"
"  e1: {group: east, ip: 192.0.2.1, port: 8080, hash_count: 500}\n"
"  e2: {group: east, ip: 192.0.2.2, hash_id: two}\n"
"  w1: {group: west, ip6: \"2001:db8::1\", https_port: 8443,\n"
"       status: down}\n"                                            /* 20 */
"delivery_services:\n"
"  vod: {routing: http, protocol: http_to_https, countries: [US, CA],\n"
"        response_headers: {X-A: b}, bypass: {fqdn: b.example.net},\n"
"        hosts: [www.example.org, movies, \"*.example.com\"]}\n"
"  live: {routing: dns, name: edge, ttl: 30s, groups: [east],\n"    /* 25 */
"         caches: [e1], bypass: {ip: 192.0.2.9, ttl: 60},\n"
"         miss: {latitude: 7, longitude: 8}}\n"
"  deep: {routing: http, deep_caching: yes, caches: [w1],\n"
"         records: [{name: www, type: A, value: 192.0.2.7, ttl: 5m}],\n"
"         matchsets: [[{host: \".*\\\\.deep\\\\..*\"}, {path: /a/.*}],\n"
"                     [{header: X-Deep, pattern: \"1\"}]]}\n"      /* 31 */
"zones:\n"
"  example.net:\n"
"    ns: [ns1.example.org, NS2.example.org.]\n"
"    ttl: 2h\n"                                                     /* 35 */
"    soa: {admin: h@example.org}\n"
"    records:\n"
"      - {name: \"@\", type: MX, value: 10 mx.example.org.}\n"
"      - {name: _sip._tcp, type: SRV, value: 1 2 5060 sip.example.org}\n"
"      - {name: \"@\", type: CAA, value: 0 issue \"ca.example.org\"}\n"
"      - {name: Sub, type: NS, value: ns.example.org, ttl: 60}\n"   /* 41 */
"      - {name: www, type: CNAME, value: example.org}\n";

static tcr_arena_t     *arena;
static tcr_report_t     report;
static tcr_own_t        own;
static tcr_crconfig_t   cfg;


/* Errors found. */
static size_t
read_text(const char *text)
{
    tcr_yaml_t          *root;
    tcr_own_sections_t   sections;

    tcr_arena_destroy(arena);
    arena = tcr_arena_create(0);
    tcr_report_init(&report, arena, 0);
    memset(&own, 0, sizeof(own));

    if (tcr_yaml_parse(&root, arena, "t", tcr_str(text), &report) == 0) {
        sections.cdn = tcr_yaml_get(root, "cdn");
        sections.routers = tcr_yaml_get(root, "routers");
        sections.cache_groups = tcr_yaml_get(root, "cache_groups");
        sections.caches = tcr_yaml_get(root, "caches");
        sections.delivery_services = tcr_yaml_get(root, "delivery_services");
        sections.zones = tcr_yaml_get(root, "zones");
        tcr_own_read(&own, &sections, arena, &report);
    }

    return report.count[TCR_REPORT_ERROR];
}


/* The good text with the first `from` replaced. */
static size_t
read_with(const char *from, const char *to)
{
    char         text[sizeof(good) + 1024];
    const char  *at = strstr(good, from);

    if (at == NULL) {
        printf("Bail out! no \"%s\"\n", from);
        exit(1);
    }

    snprintf(text, sizeof(text), "%.*s%s%s", (int) (at - good), good, to,
             at + strlen(from));
    return read_text(text);
}


static bool
said(const char *text)
{
    const tcr_problem_t  *p;

    for (p = report.first; p != NULL; p = p->next) {

        if (strcmp(p->text, text) == 0) {
            return true;
        }
    }

    for (p = report.first; p != NULL; p = p->next) {
        printf("# %s\n", p->text);
    }

    return false;
}


static const char *
z(tcr_str_t s)
{
    return s.data != NULL ? tcr_arena_strdup(arena, s).data : NULL;
}


/* --- what is right --- */

static bool
take(int64_t date)
{
    char            *text;
    size_t           len;
    tcr_err_t        err;
    tcr_json_doc_t   doc;

    text = tcr_own_text(&own, date, &len);

    if (text == NULL || own.head.data == NULL) {
        return false;
    }

    tcr_report_init(&report, arena, 0);

    if (tcr_json_parse(&doc, arena, "made",
                       tcr_arena_strdup(arena, tcr_str_n(text, len)), &err)
        != 0
        || tcr_crconfig_parse(&cfg, arena, &doc, &report, &err) != 0)
    {
        printf("# %s\n", err.text);
        free(text);
        return false;
    }

    free(text);
    return report.first == NULL;
}


static void
whole(void)
{
    is_int(read_text(good), 0, "read");
    ok(take(1790000000), "a snapshot without any problem");
    is_int(cfg.date, 1790000000, "of the date that it was given");
    is_str(z(cfg.domain), "cdn.example.net", "domain");
    is_str(z(cfg.cdn_name), "cdn.example.net", "which is its name");
    is_int(cfg.ttls.a, 3600, "ttl");
    is_int(cfg.soa.minimum, 30, "soa");
    ok(cfg.consistent_dns, "parameter");
    is_str(z(cfg.overrides[0].country_code), "US", "point of a country");
    ok(cfg.overrides[0].point.lon == -97, "its place");
    is_int(cfg.n_monitors, 0, "no monitors");
    is_int(cfg.n_routers, 2, "routers");
    is_str(z(cfg.routers[0].fqdn), "tr1.cdn.example.net", "name by default");
    is_str(z(cfg.routers[0].location), "east", "a group is its place");
    is_str(z(cfg.routers[1].status), "OFFLINE", "down");
    is_int(cfg.n_router_locations, 1, "groups with routers");
}


static void
groups(void)
{
    ok(cfg.groups[0].has_backups && cfg.groups[0].closest,
       "behind its backups comes the closest");
    ok(cfg.groups[1].has_backups && cfg.groups[1].backups.n == 0
       && !cfg.groups[1].closest, "no help from others");
    ok(cfg.groups[1].geo && !cfg.groups[1].cz, "methods");
    ok(cfg.groups[0].geo && cfg.groups[0].cz, "all methods");
}


static void
caches(void)
{
    is_int(cfg.n_caches, 3, "caches");
    is_int(cfg.caches[0].port, 8080, "port");
    is_int(cfg.caches[1].port, 80, "port by default");
    is_int(cfg.caches[0].hash_count, 500, "hash count");
    is_int(cfg.caches[1].hash_count, 1000, "hash count by default");
    is_str(z(cfg.caches[1].hash_id), "two", "hash id");
    is_int(cfg.caches[2].https_port, 8443, "port of HTTPS");
    ok(cfg.caches[2].down && !cfg.caches[0].down, "status");
    is_int(cfg.caches[0].n_services, 2, "services of the first");
    is_str(z(cfg.caches[0].services[0].fqdn), "e1.movies.cdn.example.net",
           "its name for HTTP");
    is_str(z(cfg.caches[0].services[1].fqdn), "edge.live.cdn.example.net",
           "its name for DNS");
    is_int(cfg.caches[1].n_services, 2, "of the second, by its group");
    is_int(cfg.caches[2].n_services, 2, "of the third");
    is_int(cfg.caches[2].services[1].service, 2, "the last service");
}


static void
services(void)
{
    const tcr_service_t  *s = cfg.services;

    is_int(cfg.n_services, 3, "services");
    is_str(z(s[0].domain), "movies.cdn.example.net", "the first label");
    is_int(s[0].n_matchsets, 3, "a matchset each host");
    is_str(z(s[0].matchsets[0].matchers[0].java), "www\\.example\\.org",
           "a host name");
    is_str(z(s[0].matchsets[1].matchers[0].java), ".*\\.movies\\..*",
           "a label");
    is_str(z(s[0].matchsets[2].matchers[0].java), ".*\\.example\\.com",
           "everything below");
    is_str(z(s[0].routing_name), "cdn", "routing name by default");
    ok(s[0].redirect_https && s[0].accept_https && s[0].accept_http
       && s[0].ssl_enabled && s[0].ip6 && !s[0].dns, "protocol");
    is_int(s[0].n_geo_limits, 2, "countries");
    is_str(z(s[0].response_headers[0].value), "b", "response header");
    is_str(z(s[0].bypass_fqdn), "b.example.net", "bypass of HTTP");
    ok(!s[0].bypass_dns.given, "and none of DNS");
    ok(s[0].has_miss && s[0].miss.lat == 1.5, "the CDN's place of a miss");
    ok(s[1].dns && s[1].miss.lat == 7, "one's own");
    is_int(s[1].ttls.aaaa, 30, "one TTL");
    is_int(s[1].ttls.ns, 1200, "the CDN's for the rest");
    is_int(s[0].ttls.a, 3600, "the CDN's for addresses");
    is_int(s[0].ttls.aaaa, 60, "where it has one");
    is_str(z(s[0].soa.admin), "noc@example.net", "the CDN's SOA");
    is_int(s[1].bypass_dns.ttl, 60, "bypass of DNS");
    is_str(z(s[1].domain), "live.cdn.example.net", "the id as label");
    ok(s[2].deep, "deep caching");
    is_int(s[2].n_matchsets, 2, "sets of patterns");
    is_int(s[2].matchsets[0].n, 2, "two in one");
    is_str(z(s[2].matchsets[1].matchers[0].target), "X-Deep", "a header");
    is_int(s[2].static_entries[0].ttl, 300, "record");
}


static void
zones(void)
{
    const tcr_own_zone_t  *zone = cfg.zones;

    is_int(cfg.n_zones, 1, "zones");
    is_str(z(zone->origin), "example.net", "its name");
    is_int(zone->ns.n, 2, "name servers");
    is_str(z(zone->ns.items[1]), "ns2.example.org.", "the second");
    is_int(zone->ttls.ns, 7200, "ttl");
    is_str(z(zone->soa.admin), "h@example.org", "SOA");
    is_int(zone->soa.minimum, 30, "the CDN's minimum");
    is_int(zone->n_records, 5, "records");
    is_str(z(zone->records[0].name), "", "at its name");
    is_str(z(zone->records[0].value), "10 mx.example.org.", "MX");
    is_str(z(zone->records[1].value), "1 2 5060 sip.example.org.", "SRV");
    is_str(z(zone->records[2].value), "0 issue \"ca.example.org\"", "CAA");
    is_str(z(zone->records[3].name), "sub", "lower case");
    is_int(zone->records[3].ttl, 60, "its own ttl");
    is_str(z(zone->records[4].value), "example.org.", "CNAME");
}


static void
dates(void)
{
    char    *a, *b;
    size_t   n, m;

    is_int(read_text("cdn: {domain: a.example.net}\n"
                     "routers: {r: {ip: 192.0.2.1}}\n"
                     "cache_groups: {g: {latitude: 0, longitude: 0}}\n"
                     "caches: {c: {group: g, ip: 192.0.2.2}}\n"
                     "delivery_services: {s: {routing: http}}\n"), 0,
           "the least that there can be");
    ok(take(1) && cfg.caches[0].n_services == 1, "every cache serves it");

    a = tcr_own_text(&own, 1, &n);
    b = tcr_own_text(&own, 10, &m);
    ok(a != NULL && b != NULL && n > 100 && m == n + 1, "a date of two digits");
    free(a);
    free(b);
}


/* Zones do as the CDN does where they say nothing. */
static void
signing(void)
{
    is_int(read_with("  miss:", "  dnssec: on\n  miss:"), 0, "signed");
    ok(take(1) && cfg.dnssec && cfg.zones[0].dnssec && cfg.any_dnssec,
       "... the zone, too");
    is_int(read_with("    ttl: 2h\n", "    dnssec: on\n"), 0, "the zone");
    ok(take(1) && !cfg.dnssec && cfg.zones[0].dnssec && cfg.any_dnssec,
       "... alone");
    is_int(read_with("    ttl: 2h\n", "    dnssec: off\n"), 0, "not the zone");
    ok(take(1) && !cfg.any_dnssec, "... nor any other");
    is_int(read_with("    ttl: 2h\n", "    dnssec: maybe\n"), 1, "neither");
    ok(said("t:35:13: zones.example.net.dnssec: is \"maybe\", expected true or "
            "false"), "... and why");
}


/* --- what is wrong --- */

static const struct {
    const char  *from, *to, *want;
} bad[] = {
    /* names */
    { "domain:", "domian:", "t:2:3: cdn.domian: unknown key, did you mean "
      "\"domain\"" },
    { "domain:", "domian:", "t:2:3: cdn: \"domain\" is missing" },
    { "backups: [west]", "backups: [wset]", "t:13:52: cache_groups.east."
      "backups[0]: no cache group \"wset\", did you mean \"west\"" },
    { "group: west", "group: north", "t:19:15: caches.w1.group: no cache "
      "group \"north\", expected one of \"cache_groups\"" },
    { "caches: [e1]", "caches: [e11]", "t:26:19: delivery_services.live."
      "caches[0]: no cache \"e11\", did you mean \"e1\"" },
    { "groups: [east]", "groups: [eats]", "t:25:55: delivery_services.live."
      "groups[0]: no cache group \"eats\", did you mean \"east\"" },
    { "location: east", "location: moon", "t:10:19: routers.tr1.location: no "
      "cache group \"moon\", expected one of \"cache_groups\"" },
    { "consistent.dns.routing", "consistent.dns.rooting", "t:7:40: cdn."
      "parameters.consistent.dns.rooting: no parameter of this name, did you "
      "mean \"consistent.dns.routing\"" },
    { "consistent.dns.routing", "weight", "t:7:24: cdn.parameters.weight: no "
      "parameter that has an effect here" },

    /* values that the reader of snapshots refuses */
    { "192.0.2.1,", "192.0.2.256,", "t:17:25: caches.e1.ip: found "
      "\"192.0.2.256\", expected an IPv4 address" },
    { "192.0.2.1,", "e1.example.net,", "t:17:25: caches.e1.ip: found "
      "\"e1.example.net\", expected an IPv4 address" },
    { "8080", "80800", "t:17:42: caches.e1.port: found 80800, expected a "
      "number from 1 to 65535" },
    { "[GEO]", "[GOE]", "t:14:55: cache_groups.west.methods[0]: found "
      "\"GOE\", expected CZ, DEEP_CZ or GEO" },
    { "two.example.net", "t\\wo", "t:11:31: routers.tr2.fqdn: found "
      "\"t\\wo\", expected a host name" },
    { "noc@example.net", "\"n c\"", "t:3:16: cdn.soa.admin: found \"n c\", "
      "expected a mailbox of letters, digits and \"-_.@+\"" },
    { "routing: true", "routing: maybe", "t:7:40: cdn.parameters.consistent."
      "dns.routing: found \"maybe\", expected true or false" },
    { "name: edge", "name: ed ge", "t:25:30: delivery_services.live.name: "
      "found \"ed ge\", expected the first label of the names of this "
      "service" },
    { "X-A: b", "\"X A\": b", "t:23:35: delivery_services.vod."
      "response_headers.X A: found what cannot be the name of a header" },
    { "path: /a/.*", "path: (", "t:30:56: delivery_services.deep.matchsets[0]"
      "[1].path: " },
    { "type: A,", "type: PTR,", "t:29:38: delivery_services.deep.records[0]."
      "type: found \"PTR\", expected A, AAAA, CNAME or TXT" },
    { "ip: 192.0.2.9, ttl: 60", "ip: 192.0.2.9", "t:26:32: delivery_services."
      "live.bypass: ttl: found no usable ttl, expected seconds" },
    { "ip6: \"2001:db8::1\", ", "", "t:19:7: caches.w1: ip: found nothing, "
      "and no usable \"ip6\" either" },
    { "ip: 192.0.2.54, ", "", "t:11:8: routers.tr2: found no usable \"ip\" "
      "and no \"ip6\": DNS cannot tell where this router is" },
    { "e1: {", "\"e 1\": {", "t:17:10: caches.e 1: fqdn: found \"e 1.cdn."
      "example.net\", expected a host name" },

    { "ttl: 30s", "ttl: 9999999d", "t:25:41: delivery_services.live.ttl: is "
      "\"9999999d\", expected 0ms to 2147483647s" },

    /* values that have no counterpart in a snapshot */
    { "routing: http", "routing: ftp", "t:22:18: delivery_services.vod."
      "routing: is \"ftp\", did you mean \"http\"" },
    { "routing: http, ", "", "t:22:8: delivery_services.vod: \"routing\" is "
      "missing" },
    { "http_to_https", "gopher", "t:22:34: delivery_services.vod.protocol: is "
      "\"gopher\", expected one of http, https, http_and_https, "
      "http_to_https" },
    { "latitude: 40.5", "latitude: 99", "t:13:20: cache_groups.east.latitude:"
      " is \"99\", expected a number from -90 to 90" },
    { "latitude: 40.5, ", "", "t:13:9: cache_groups.east: \"latitude\" is "
      "missing" },
    { "hash_count: 500", "hash_count: 0", "t:17:60: caches.e1.hash_count: is "
      "\"0\", expected 1 to 100000" },
    { "status: down}\ndel", "status: dead}\ndel", "t:20:16: caches.w1.status:"
      " is \"dead\", expected one of up, down" },
    { "movies", "mov!ies", "t:24:34: delivery_services.vod.hosts[1]: is "
      "\"mov!ies\", expected a label of the CDN's domain, a host name or "
      "\"*.NAME\"" },
    { "live: {", "li.ve: {", "t:25:10: delivery_services.li.ve: its name is "
      "no label of a host name, expected one in \"hosts\"" },
    { "records:", "hosts: [x], records:", "t:30:21: delivery_services.deep."
      "matchsets: stands beside \"hosts\", expected one of them" },
    { "ttl: 30s", "ttl: 30s, ttls: {A: 1}", "t:25:41: delivery_services.live."
      "ttl: stands beside \"ttls\", expected one of them" },
    { "{path: /a/.*}", "{path: /a, host: b}", "t:30:49: delivery_services."
      "deep.matchsets[0][1]: expected one of \"host\", \"path\", or "
      "\"header\" and \"pattern\"" },
    { ", pattern: \"1\"", "", "t:31:23: delivery_services.deep.matchsets[1]"
      "[0]: expected one of \"host\", \"path\", or \"header\" and "
      "\"pattern\"" },

    { "[US, CA]", "[US, CAN]", "t:22:65: delivery_services.vod.countries[1]: "
      "expected two letters that stand for a country" },
    { "www.example.org, movies", "movies, www.example.org, movies", "t:24:42: "
      "delivery_services.vod.hosts[2]: \"movies\" is a host of \"vod\" "
      "already" },
    { "movies", "live", "t:25:9: delivery_services.live: \"live\" is a host "
      "of \"vod\" already" },

    /* zones */
    { "example.net:\n", "a.cdn.example.net:\n", "t:34:5: zones.a.cdn.example."
      "net: found a zone in the domain of the CDN, which makes its zones "
      "itself" },
    { "ns: [ns1.example.org, NS2.example.org.]", "ns: [n s]", "t:34:10: zones."
      "example.net.ns[0]: found \"n s\", expected a host name" },
    { "ns: [ns1.example.org, NS2.example.org.]", "ns: []", "t:34:9: zones."
      "example.net.ns: found an empty array, expected a list of its name "
      "servers" },
    { "10 mx", "mx", "t:38:38: zones.example.net.records[0].value: found "
      "\"mx.example.org.\", expected PREFERENCE HOST" },
    { "1 2 5060", "1 2 70000", "t:39:45: zones.example.net.records[1].value: "
      "found \"1 2 70000 sip.example.org\", expected PRIORITY WEIGHT PORT "
      "HOST" },
    { "0 issue", "0 isue", "t:40:39: zones.example.net.records[2].value: found "
      "\"0 isue \"ca.example.org\"\", expected FLAGS TAG VALUE with the tag "
      "issue, issuewild or iodef" },
    { "name: www, type: CNAME", "name: \"@\", type: CNAME", "t:42:27: zones."
      "example.net.records[4].type: found one that cannot stand at the name "
      "of the zone itself" },
    { "name: www, type: CNAME", "name: sub, type: CNAME", "t:42:16: zones."
      "example.net.records[4].name: found a CNAME and another record at this "
      "name, expected the CNAME alone" },
    { "type: MX", "type: PTR", "t:38:27: zones.example.net.records[0].type: "
      "found \"PTR\", expected A, AAAA, CNAME, TXT, NS, MX, SRV or CAA" },

    /* shapes */
    { "[w1]", "w1", "t:28:52: delivery_services.deep.caches: is one value, "
      "expected a list" },
    { "{US: {latitude: 38, longitude: -97}}", "[US]", "t:6:19: cdn."
      "country_points: is a list, expected names with values" },
    { "  e2: {group: east, ip: 192.0.2.2, hash_id: two}\n", "  e2:\n",
      "t:18:6: caches.e2: is empty, expected keys with values" },
    { "routers:", "routes:", "t:2:3: cdn: \"routers\" is missing beside it" }
};


static bool
begins(const char *want)
{
    const tcr_problem_t  *p;

    for (p = report.first; p != NULL; p = p->next) {

        if (strncmp(p->text, want, strlen(want)) == 0) {
            return true;
        }
    }

    return said(want);
}


static void
mistakes(void)
{
    size_t       i;
    const char  *want;

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        want = bad[i].want;
        read_with(bad[i].from, bad[i].to);

        /* the words for a pattern are those of others */
        ok(strcmp(want + strlen(want) - 2, ": ") == 0 ? begins(want)
                                                      : said(want),
           "%s", want);
        ok(own.head.data == NULL, "and then there is none");
    }
}


/* One mistake gives one error, and every mistake is found at once. */
static void
many(void)
{
    is_int(read_with("latitude: 40.5, ", ""), 1, "a group without a place");
    is_int(read_with("group: west", "group: north"), 1, "no such group");
    is_int(read_with("routing: http, ", ""), 1, "a service without routing");
    is_int(read_with("noc@example.net", "\"n c\""), 1, "an SOA for all");
    is_int(read_with("caches:\n", "caches: {}\nx:\n"), 1, "no caches at all");
    is_int(read_with("routing: http, protocol",
                     "ip6: 1, routing: x, protocol"), 2, "two in a service");
    is_int(read_with("ip: 192.0.2.1, port: 8080, hash_count: 500",
                     "ip: 1, port: 1, hash_count: x, y: z"), 3,
           "three in a cache, of both readers");
}


int
main(void)
{
    whole();
    groups();
    caches();
    services();
    zones();
    signing();
    dates();
    mistakes();
    many();

    tcr_arena_destroy(arena);
    return done();
}
