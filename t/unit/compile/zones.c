/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Zones and their records (spec/dns.md §1, §2, §5; rules delegation,
 * wildcard-4592, shared-domain, soa-minimum, edge-nodata).
 */

#include "small.h"

#define CDN    "cdn.example.net"
#define VOD    "vod.cdn.example.net"

#define A      1
#define NS     2
#define CNAME  5
#define SOA    6
#define TXT    16
#define AAAA   28

#define HTTP(id, more)  SERVICE(id, "HTTP", more)
#define DNS(id, more)   SERVICE(id, "DNS", more)

#define ENTRY(name, type, value, ttl)                                         \
    "{\"name\":\"" name "\",\"type\":\"" type "\",\"value\":\"" value         \
    "\",\"ttl\":" ttl "}"

/* a service in a domain, with a routing name */
#define PLACED(id, protocol, name, domain, more)                              \
    "\"" id "\":{\"coverageZoneOnly\":\"false\",\"routingName\":\"" name      \
    "\",\"domains\":[\"" domain "\"],\"matchsets\":[{\"protocol\":\""         \
    protocol "\",\"matchlist\":[{\"match-type\":\"HOST\",\"regex\":\""        \
    ".*\\\\." id "\\\\..*\"}]}]" more "}"


static unsigned
flags_of(const compiled_t *t, const char *origin, const char *owner)
{
    const tcr_img_name_t  *name = name_of(t, origin, owner);

    return name != NULL ? name->flags : 0xffff;
}


static void
routers(void)
{
    compiled_t  t;
    parts_t     p = { .services = HTTP("vod", ",\"ip6RoutingEnabled\":true")
                                  "," HTTP("old", "") "," DNS("live", "") };

    compile_small(&t, &p, NULL);
    is_int(t.root->dns.zones.n, 4, "the CDN's zone and one a service");
    is_str(rrset_of(&t, CDN, CDN, NS),
           "60 tr1.cdn.example.net. tr2.example.org.",
           "NS of the CDN: the routers' fqdns, none that is OFFLINE");
    is_str(rrset_of(&t, VOD, VOD, NS),
           "60 tr1.cdn.example.net. tr2.cdn.example.net.",
           "NS of a service: keys in the CDN's domain");
    is_str(rrset_of(&t, CDN, "tr1." CDN, A), "60 203.0.113.1", "address");
    is_str(rrset_of(&t, CDN, "tr1." CDN, AAAA), "60 2001:db8::1",
           "IPv6 address");
    is_str(rrset_of(&t, CDN, "tr2." CDN, AAAA), "-", "a router without");
    ok(name_of(&t, CDN, "tr3." CDN) == NULL, "an OFFLINE one is nowhere");
    is_str(rrset_of(&t, VOD, "tr1." VOD, AAAA), "60 2001:db8::1",
           "in a service's zone with IPv6");
    is_str(rrset_of(&t, "old." CDN, "tr1.old." CDN, AAAA), "-",
           "not without");

    is_str(rrset_of(&t, VOD, "www." VOD, A), "60 203.0.113.1 203.0.113.2",
           "routing name of an HTTP service: all routers");
    is_str(rrset_of(&t, VOD, "www." VOD, AAAA), "60 2001:db8::1",
           "their IPv6 addresses, too");
    is_str(rrset_of(&t, "old." CDN, "www.old." CDN, AAAA), "-",
           "not for a service without IPv6");
    is_int(flags_of(&t, "live." CDN, "www.live." CDN), TCR_NAME_ROUTED,
           "routing name of a DNS service is routed");
    is_int(name_of(&t, "live." CDN, "www.live." CDN)->rrsets.n, 0,
           "and has no addresses of its own");
    is_int(name_of(&t, "live." CDN, "www.live." CDN)->service, 2,
           "its service");

    is_str(rrset_of(&t, CDN, VOD, NS),
           "60 tr1.cdn.example.net. tr2.cdn.example.net.",
           "delegation in the CDN's zone");
    is_int(flags_of(&t, CDN, VOD), TCR_NAME_DELEGATION, "is flagged");
    compiled_free(&t);
}


static void
without_routers(void)
{
    compiled_t  t;
    parts_t     p = { .routers = "", .services = HTTP("vod", "") };

    compile_small(&t, &p, NULL);
    is_int(flags_of(&t, VOD, "www." VOD), TCR_NAME_EMPTY,
           "no routers: the routing name exists all the same");
    is_str(rrset_of(&t, VOD, VOD, SOA), "86400 tr1.cdn.example.net. "
           "traffic_ops.vod.cdn.example.net. 2026092114 28800 7200 604800 900",
           "SOA names this router");
    compiled_free(&t);

    p.routers = "\"a b\":{\"fqdn\":\"ab.example.net\",\"ip\":"
                "\"203.0.113.1\",\"ip6\":\"\",\"status\":\"ONLINE\"},"
                "\"TR1\":{\"fqdn\":\"tr1.example.net\",\"ip\":"
                "\"203.0.113.2\",\"ip6\":\"\",\"status\":\"ONLINE\"}";
    compile_small(&t, &p, NULL);
    is_str(rrset_of(&t, VOD, VOD, NS), "60 tr1.cdn.example.net.",
           "a key that is no host name is left out, upper case is not");
    ok(reported(&t, "router \"a b\""), "which is reported");
    compiled_free(&t);
}


/* spec/dns.md §2.1 */
static void
soa(void)
{
    compiled_t  t;
    sources_t   from = { .router = "tr2" };
    parts_t     p = {
        .config = ",\"soa\":{\"admin\":\"noc\",\"minimum\":\"45\","
                  "\"refresh\":\"1\",\"retry\":2,\"expire\":3},"
                  "\"ttls\":{\"SOA\":\"77\",\"NS\":78,\"A\":79}",
        .services = HTTP("a", "") ","
                    HTTP("b", ",\"soa\":{\"admin\":\"ops@example.org\","
                              "\"minimum\":\"9\",\"serial\":\"5\"},"
                              "\"ttls\":{\"SOA\":\"8\",\"NS\":\"7\"}") ","
                    HTTP("c", ",\"soa\":{\"admin\":\"bad name\"}") };

    compile_small(&t, &p, &from);
    is_str(rrset_of(&t, CDN, CDN, SOA), "77 tr2.example.org. "
           "noc.cdn.example.net. 2026092114 1 2 3 45",
           "of the CDN: fqdn, admin in the zone, its timers");
    is_str(rrset_of(&t, CDN, "tr1." CDN, A), "79 203.0.113.1",
           "TTLs of the CDN");
    is_str(rrset_of(&t, "a." CDN, "a." CDN, SOA), "86400 "
           "tr2.cdn.example.net. traffic_ops.a.cdn.example.net. 2026092114 "
           "28800 7200 604800 45", "a service: defaults, the CDN's minimum");
    is_str(rrset_of(&t, "b." CDN, "b." CDN, SOA), "8 "
           "tr2.cdn.example.net. ops.example.org. 5 28800 7200 604800 9",
           "given: mailbox, serial, minimum");
    is_int(zone_of(&t, "b." CDN)->minimum, 8,
           "negative TTL: the lower one (RFC 2308, 5)");
    is_int(zone_of(&t, "a." CDN)->minimum, 45, "the minimum");
    is_int(zone_of(&t, "b." CDN)->serial, 5, "serial of the zone");
    is_str(rrset_of(&t, "b." CDN, "b." CDN, NS),
           "7 tr1.cdn.example.net. tr2.cdn.example.net.", "TTL of NS");
    is_str(rrset_of(&t, CDN, "b." CDN, NS),
           "78 tr1.cdn.example.net. tr2.cdn.example.net.",
           "in the delegation the CDN's");
    ok(strstr(rrset_of(&t, "c." CDN, "c." CDN, SOA),
              "traffic_ops.c.cdn.example.net.") != NULL,
       "an admin that is no mailbox");
    compiled_free(&t);

    p.routers = "\"only\":{\"fqdn\":\"only.cdn.example.net\",\"ip\":"
                "\"203.0.113.1\",\"ip6\":\"\",\"status\":\"OFFLINE\"}";
    compile_small(&t, &p, &from);
    ok(strstr(rrset_of(&t, CDN, CDN, SOA), "77 only.cdn.example.net. ")
       != NULL, "the only router is the primary, whatever its state");
    compiled_free(&t);
}


static void
static_entries(void)
{
    compiled_t  t;
    parts_t     p = { .services = HTTP("vod",
        ",\"ttls\":{\"A\":\"30\",\"TXT\":\"\"},\"staticDnsEntries\":["
        ENTRY("s", "A", "192.0.2.9", "50") ","
        ENTRY("S", "a", "192.0.2.8", "40") ","
        ENTRY("s", "A", "192.0.2.9", "60") ","
        ENTRY("d", "A", "192.0.2.7", "0") ","
        ENTRY("six", "AAAA", "2001:DB8:0::9", "0") ","
        ENTRY("c", "CNAME", "www.example.org", "5") ","
        ENTRY("t", "TXT", "a \\\"b\\\" \\\\ \\u00e4", "0") ","
        ENTRY("*.w", "A", "192.0.2.6", "0") ","
        ENTRY("x.deep.sub", "A", "192.0.2.5", "0") ","
        ENTRY("www", "TXT", "beside addresses", "0") ","
        ENTRY("www", "A", "192.0.2.4", "0") "]") };

    compile_small(&t, &p, NULL);
    is_str(rrset_of(&t, VOD, "s." VOD, A), "40 192.0.2.8 192.0.2.9",
           "equal ones once, the lowest TTL for all, names in lower case");
    is_str(rrset_of(&t, VOD, "d." VOD, A), "30 192.0.2.7",
           "TTL of the service");
    is_str(rrset_of(&t, VOD, "six." VOD, AAAA), "60 2001:db8::9",
           "60 when it has none; canonical text");
    is_str(rrset_of(&t, VOD, "c." VOD, CNAME), "5 www.example.org.",
           "a target without final dot is absolute");
    is_str(rrset_of(&t, VOD, "t." VOD, TXT),
           "60 \"a \\\"b\\\" \\\\ \\195\\164\"", "text is quoted and escaped");
    is_str(rrset_of(&t, VOD, "*.w." VOD, A), "30 192.0.2.6",
           "a wildcard stands as it is");
    is_int(flags_of(&t, VOD, "w." VOD), TCR_NAME_EMPTY,
           "the name above it exists");
    is_int(flags_of(&t, VOD, "sub." VOD), TCR_NAME_EMPTY,
           "an empty non-terminal");
    is_int(flags_of(&t, VOD, "deep.sub." VOD), TCR_NAME_EMPTY,
           "and another one");
    is_str(rrset_of(&t, VOD, "www." VOD, TXT), "60 \"beside addresses\"",
           "text at the routing name");
    is_str(rrset_of(&t, VOD, "www." VOD, A),
           "30 192.0.2.4 203.0.113.1 203.0.113.2",
           "and an address beside the routers'");
    compiled_free(&t);
}


/* Owners of a zone in the image's order, without the origin. */
static const char *
owners(const compiled_t *t, const char *origin)
{
    size_t                     len = 0;
    uint32_t                   i;
    tcr_str_t                  owner;
    static char                out[4096];
    const tcr_img_name_t      *names;
    const tcr_img_dns_zone_t  *zone = zone_of(t, origin);

    names = tcr_image_vec(&t->img, &t->root->dns.names);
    names += zone->first_name;

    for (i = 0; i < zone->n_names; i++) {
        owner = str_of(t, names[i].owner);
        owner.len -= strlen(origin) + (i > 0);
        len += (size_t) snprintf(out + len, sizeof(out) - len, "%s%.*s",
                                 i > 0 ? " " : "@", (int) owner.len,
                                 owner.data);
    }

    return out;
}


/* RFC 4034, 6.1 */
static void
canonical(void)
{
    compiled_t  t;
    parts_t     p = { .routers = "", .services = HTTP("vod",
        ",\"staticDnsEntries\":["
        ENTRY("z", "A", "192.0.2.9", "0") ","
        ENTRY("a.z", "A", "192.0.2.9", "0") ","
        ENTRY("*.z", "A", "192.0.2.9", "0") ","
        ENTRY("z-z", "A", "192.0.2.9", "0") ","
        ENTRY("b.a", "A", "192.0.2.9", "0") ","
        ENTRY("yljkjljk.a", "A", "192.0.2.9", "0") ","
        ENTRY("c.b.a.z", "A", "192.0.2.9", "0") "]") };

    compile_small(&t, &p, NULL);
    is_str(owners(&t, VOD), "@ a b.a yljkjljk.a www z *.z a.z b.a.z c.b.a.z "
           "z-z", "names in canonical order");
    compiled_free(&t);
}


static void
shared_domain(void)
{
    compiled_t  t;
    parts_t     p = {
        .services =
            PLACED("a", "HTTP", "web", "s.cdn.example.net",
                   ",\"ttls\":{\"A\":\"11\",\"SOA\":\"12\"},"
                   "\"staticDnsEntries\":["
                   ENTRY("x", "A", "192.0.2.1", "0") "]") ","
            PLACED("b", "HTTP", "vid", "s.cdn.example.net",
                   ",\"ttls\":{\"A\":\"21\",\"SOA\":\"22\"},"
                   "\"ip6RoutingEnabled\":true,\"staticDnsEntries\":["
                   ENTRY("y", "A", "192.0.2.2", "0") "]") ","
            PLACED("c", "DNS", "live", "s.cdn.example.net", ""),
        .caches = CACHE("e1", "east", "192.0.2.11", "2001:db8::11",
                        AT("a", "e1.s.cdn.example.net") ","
                        AT("b", "e1.s.cdn.example.net")) };

    compile_small(&t, &p, NULL);
    is_int(t.root->dns.zones.n, 2, "one zone");
    is_int(zone_of(&t, "s." CDN)->service, 0, "of the first service");
    is_int(zone_of(&t, "s." CDN)->services.n, 3, "for all of them");
    ok(strncmp(rrset_of(&t, "s." CDN, "s." CDN, SOA), "12 ", 3) == 0,
       "its SOA");
    is_str(rrset_of(&t, "s." CDN, "web.s." CDN, A),
           "11 203.0.113.1 203.0.113.2", "routing name of the first");
    is_str(rrset_of(&t, "s." CDN, "vid.s." CDN, A),
           "11 203.0.113.1 203.0.113.2", "and of the second");
    is_str(rrset_of(&t, "s." CDN, "vid.s." CDN, AAAA), "60 2001:db8::1",
           "with its own IPv6 switch");
    is_int(flags_of(&t, "s." CDN, "live.s." CDN), TCR_NAME_ROUTED,
           "a DNS service among them");
    is_str(rrset_of(&t, "s." CDN, "x.s." CDN, A), "11 192.0.2.1",
           "static entries of the first");
    is_str(rrset_of(&t, "s." CDN, "y.s." CDN, A), "21 192.0.2.2",
           "and of the second");
    compiled_free(&t);
}


static void
caches(void)
{
    compiled_t  t;
    parts_t     p = {
        .services =
            HTTP("vod", ",\"ttls\":{\"A\":\"30\"},\"ip6RoutingEnabled\":true,"
                 "\"staticDnsEntries\":["
                 ENTRY("e1", "TXT", "beside a cache", "0") "]") ","
            PLACED("lit", "HTTP", "www", "lit.cdn.example.net", "") ","
            PLACED("else", "HTTP", "www", "else.cdn.example.net", "") ","
            DNS("live", ""),
        .caches =
            CACHE("e1", "east", "192.0.2.11", "2001:db8::11",
                  AT("vod", "e1.vod.cdn.example.net") ","
                  AT("lit", "www.lit.cdn.example.net") ","
                  AT("else", "a.b.cdn.example.net") ","
                  AT("live", "www.live.cdn.example.net")) ","
            CACHE("e2", "east", "192.0.2.12", "",
                  AT("vod", "e2.vod.cdn.example.net") ","
                  AT("lit", "www.lit.cdn.example.net") ","
                  AT("else", "a.b.example.org") ","
                  AT("live", "e2.live.cdn.example.net")) };

    compile_small(&t, &p, NULL);
    ok(name_of(&t, VOD, "e2." VOD) == NULL, "usual names are not in the table");
    is_str(rrset_of(&t, VOD, "e1." VOD, A), "30 192.0.2.11",
           "but where the name is there, the addresses are");
    is_str(rrset_of(&t, VOD, "e1." VOD, AAAA), "60 2001:db8::11", "all");
    is_str(rrset_of(&t, "lit." CDN, "www.lit." CDN, A),
           "60 192.0.2.11 192.0.2.12 203.0.113.1 203.0.113.2",
           "caches under the routing name, beside the routers");
    is_str(rrset_of(&t, "b." CDN, "a.b." CDN, A), "60 192.0.2.11",
           "a cache's name in another domain has a zone there");
    is_int(zone_of(&t, "b." CDN)->services.n, 0, "which is no service's");
    ok(zone_of(&t, "b.example.org") == NULL && zone_of(&t, "example.org")
       == NULL, "no zones outside of the CDN's domain");
    is_int(name_of(&t, "live." CDN, "www.live." CDN)->rrsets.n, 0,
           "no cache at a DNS service's routing name");
    is_str(rrset_of(&t, "live." CDN, "e2.live." CDN, A), "60 192.0.2.12",
           "but at its own");
    compiled_free(&t);
}


static void
nested(void)
{
    compiled_t  t;
    parts_t     p = {
        .routers = ROUTERS ",\"t.x\":{\"fqdn\":\"t.x.cdn.example.net\","
                   "\"ip\":\"203.0.113.9\",\"ip6\":\"\","
                   "\"status\":\"ONLINE\"}",
        .services =
            PLACED("a", "HTTP", "www", "x.cdn.example.net",
                   ",\"staticDnsEntries\":["
                   ENTRY("s.y", "A", "192.0.2.1", "0") ","
                   ENTRY("y2", "A", "192.0.2.2", "0") "]") ","
            PLACED("b", "HTTP", "www", "y.x.cdn.example.net", "") ","
            PLACED("c", "HTTP", "www", "far.away.cdn.example.net", "") ","
            PLACED("o", "HTTP", "www", "notcdn.example.net", "") };

    compile_small(&t, &p, NULL);
    is_int(t.root->dns.zones.n, 4, "a suffix of letters is no parent");
    ok(reported(&t, "service \"o\""), "which is reported");
    is_str(rrset_of(&t, "x." CDN, "y.x." CDN, NS),
           "60 t.x.x.cdn.example.net. tr1.x.cdn.example.net. "
           "tr2.x.cdn.example.net.",
           "delegation from the closest zone around");
    ok(name_of(&t, CDN, "y.x." CDN) == NULL, "and from no other");
    ok(name_of(&t, "x." CDN, "s.y.x." CDN) == NULL,
       "a static entry in the zone below is left out");
    ok(reported(&t, "static entry \"s.y\""), "and reported");
    is_str(rrset_of(&t, "x." CDN, "y2.x." CDN, A), "60 192.0.2.2",
           "a name that only looks like it is not");
    is_str(rrset_of(&t, CDN, "far.away." CDN, NS),
           "60 t.x.cdn.example.net. tr1.cdn.example.net. "
           "tr2.cdn.example.net.",
           "NS are names that have addresses in the zone around");
    is_int(flags_of(&t, CDN, "away." CDN), TCR_NAME_EMPTY,
           "between them an empty name");
    is_int(flags_of(&t, CDN, "t.x." CDN), TCR_NAME_GLUE,
           "a router below a delegation is glue");
    compiled_free(&t);
}


static void
edge(void)
{
    compiled_t  t;
    parts_t     p = {
        .config = ",\"edge.http.routing\":\"true\"",
        .locations = "\"dc\":{\"latitude\":1,\"longitude\":2}",
        .routers = "\"tr1\":{\"fqdn\":\"tr1.cdn.example.net\",\"ip\":"
                   "\"203.0.113.1\",\"ip6\":\"\",\"location\":\"dc\","
                   "\"status\":\"ONLINE\"}",
        .services = HTTP("vod", "") "," DNS("live", "") };

    compile_small(&t, &p, NULL);
    is_int(flags_of(&t, VOD, "www." VOD), TCR_NAME_EDGE,
           "edge routing: the routing name exists");
    is_int(name_of(&t, VOD, "www." VOD)->service, 0, "for its service");
    is_int(name_of(&t, VOD, "www." VOD)->rrsets.n, 0, "without addresses");
    is_int(flags_of(&t, "live." CDN, "www.live." CDN), TCR_NAME_ROUTED,
           "a DNS service's is routed");
    compiled_free(&t);

    p.locations = "";
    compile_small(&t, &p, NULL);
    is_str(rrset_of(&t, VOD, "www." VOD, A), "60 203.0.113.1",
           "without a location there is no edge routing");
    compiled_free(&t);
}


static void
no_domain(void)
{
    compiled_t  t;
    parts_t     p = { .domain = "", .services = HTTP("vod", "") };

    compile_small(&t, &p, NULL);
    is_int(t.root->dns.zones.n, 0, "without a domain there are no zones");
    is_int(service_of(&t, "vod")->zone, TCR_NONE, "nor has a service one");
    compiled_free(&t);
}


int
main(void)
{
    routers();
    without_routers();
    soa();
    static_entries();
    canonical();
    shared_domain();
    caches();
    nested();
    edge();
    no_domain();
    return done();
}
