/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Snapshots as a whole: the model of a good one, which documents are refused,
 * what becomes of those that the reference refuses because of one object
 * (the names r03, r05 ... are those of the recordings of reloads), and the
 * snapshots of the end-to-end recordings.
 */

#include "snapshot.h"

#include "tcr_file.h"

#define INPUTS  "t/conformance/e2e/inputs/"


static void
good(void)
{
    is_int(load(snapshot), 0, "a good snapshot");
    is_int(report.count[TCR_REPORT_WARNING], 0, "nothing to warn of");
    is_int(report.count[TCR_REPORT_LEFT_OUT], 0, "nothing left out");

    is_int(cfg.date, 1790000000, "date");
    is_str(z(cfg.cdn_name), "cdn1", "CDN_name");
    is_str(z(cfg.traffic_ops), "ops.example.net:443", "Traffic Ops");
    is_str(z(cfg.domain), "cdn.example.net", "domain: lower case, no dot");
    is_str(z(cfg.soa.admin), "noc@example.net", "soa.admin");
    is_int(cfg.soa.minimum, 30, "soa.minimum");
    is_int(cfg.soa.serial, -1, "soa.serial is not given");
    is_int(cfg.ttls.a, 3600, "ttls.A as text");
    is_int(cfg.ttls.ns, 1200, "ttls.NS as a number");
    is_int(cfg.ttls.aaaa, -1, "ttls.AAAA is not given");
    ok(cfg.superhack && !cfg.consistent_dns && !cfg.edge_dns,
       "switches that are not given");
    is_int(cfg.edge_dns_limit, 4, "edge.dns.limit by default");
    is_int(cfg.request_headers.n, 1, "requestHeaders");

    is_int(cfg.n_routers, 1, "routers");
    is_str(z(cfg.routers[0].ip6), "2001:db8::35", "router's ip6: /64 is cut");
    is_int(cfg.routers[0].api_port, 3333, "api.port");
    is_int(cfg.routers[0].https_port, 0, "httpsPort is not given");
    is_int(cfg.n_router_locations, 1, "locations of routers");
    is_int(cfg.n_monitors, 1, "monitors");
    ok(cfg.monitors[0].online && cfg.monitors[0].port == 8080, "monitor");
    is_int(cfg.n_topologies, 1, "topologies");
    is_int(cfg.topologies[0].nodes.n, 2, "nodes of the topology");
}


static void
good_services(void)
{
    load(snapshot);

    is_int(cfg.n_services, 2, "services");
    is_str(z(cfg.services[0].id), "vod", "document order");
    is_str(z(cfg.services[0].routing_name), "ccr", "routing name: lower case");
    is_str(z(cfg.services[0].domain), "vod.cdn.example.net",
           "domain in lower case");
    ok(!cfg.services[0].dns && cfg.services[1].dns, "kinds of service");
    ok(!cfg.services[0].cz_only && cfg.services[1].cz_only,
       "coverageZoneOnly as text and as a boolean");
    is_int(cfg.services[0].n_matchsets, 1, "matchsets");
    is_str(z(cfg.services[0].matchsets[0].matchers[0].java),
           ".*\\.vod\\..*", "pattern as written");
    ok(cfg.services[0].matchsets[0].matchers[0].pattern.len != 0,
       "pattern as translated");
}


static void
good_caches(void)
{
    load(snapshot);

    is_int(cfg.n_groups, 2, "groups");
    ok(cfg.groups[0].point.lat == 40.5 && cfg.groups[0].point.lon == -74,
       "place of a group");
    ok(cfg.groups[0].cz && cfg.groups[0].deep && cfg.groups[0].geo,
       "all methods by default");
    ok(cfg.groups[0].closest && !cfg.groups[0].has_backups,
       "no list of backups: the closest group helps out");

    is_int(cfg.n_caches, 2, "caches");
    is_str(z(cfg.caches[0].hash_id), "one", "hashId");
    is_int(cfg.caches[0].hash_count, 500, "hashCount");
    is_int(cfg.caches[0].https_port, 8443, "httpsPort");
    is_str(z(cfg.caches[0].ip6), "2001:db8::1", "ip6 in canonical text");
    is_str(z(cfg.caches[1].hash_id), "w1@2", "hashId null is the key");
    is_str(z(cfg.caches[1].state_name), "w1", "name in states documents");
    is_int(cfg.caches[1].hash_count, 1000, "hashCount by default");
    is_int(cfg.caches[1].https_port, 443, "httpsPort by default");
    is_int(cfg.caches[1].port, 8080, "port as text");
    ok(cfg.caches[1].ip.data == NULL, "empty ip is none");
    is_int(cfg.caches[1].group, 1, "group");
    is_int(cfg.caches[1].capabilities.n, 1, "capabilities");

    is_int(cfg.n_assignments, 3, "assignments");
    is_str(z(cfg.caches[0].services[0].fqdn), "e1.vod.cdn.example.net",
           "first name, in lower case");
    is_int(cfg.caches[0].services[1].service, 1, "index of the service");
    is_str(z(cfg.caches[1].services[0].fqdn), "w1.vod.cdn.example.net",
           "a plain text is a list of one");
}


static void
refused(void)
{
    is_int(load("[]"), -1, "no object is refused");
    ok(strstr(err.text, "CrConfig.json:1:1: not a snapshot"), "%s", err.text);
    is_int(load_with("\"config\"", "\"confi\""), -1, "r05: no config");
    is_int(load_with("\"config\": {", "\"config\": 1, \"x\": {"), -1,
           "config is no object");
    ok(strstr(err.text, "CrConfig.json:3:11: not a snapshot: found no object "
              "\"config\"") != NULL, "%s", err.text);
    is_int(load_with("\"edgeLocations\": {", "\"edgeLocations\": [], \"x\": {"),
           -1, "a section is no object");
    ok(strstr(err.text, "not a snapshot: \"edgeLocations\" is no object")
       != NULL, "%s", err.text);
    is_int(load_with("\"edgeLocations\": {",
                     "\"edgeLocations\": null, \"x\": {"),
           0, "a section that is null counts as empty");
    is_int(load_with("\"stats\"", "\"stat\""), -1, "r06: no stats");
    is_int(load_with("\"date\"", "\"day\""), -1, "no date");
    ok(strstr(err.text, "CrConfig.json:1:11: stats.date: found no usable"),
       "%s", err.text);
    is_int(load_with("1790000000", "\"soon\""), -1, "date is no number");
    is_int(load_with("1790000000", "0"), -1, "date 0");
    is_int(load_with("1790000000", "\"1790000000\""), 0, "date as text");
}


/* What is not there counts as empty. */
static void
sections(void)
{
    size_t  i;

    static const struct {
        const char  *name;
        const char  *text;
    } all[] = {
        { "contentRouters", "contentRouters: found nothing, expected an" },
        { "contentServers", "contentServers: found nothing, expected an" },
        { "deliveryServices", "deliveryServices: found nothing, expected" },
        { "edgeLocations", "edgeLocations: found nothing, expected an" },
        { "monitors", "monitors: found nothing, expected an object; this" }
    };

    for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        char  from[32];

        snprintf(from, sizeof(from), "\"%s\": {\n", all[i].name);

        if (strstr(snapshot, from) == NULL) {
            snprintf(from, sizeof(from), "\"%s\": {\"", all[i].name);
        }

        is_int(load_with(from, from[strlen(from) - 1] == '\n'
                         ? "\"x\": {\n" : "\"x\": {\""),
               0, "r07 to r11: no %s is no reason to refuse", all[i].name);
        ok(warned(all[i].text), "no %s is reported", all[i].name);
    }

    is_int(load_with("\"topologies\"", "\"x\""), 0, "r32: no topologies");
    is_int(report.count[0] + report.count[1], 0, "is no fault");
    is_int(load_with("\"trafficRouterLocations\"", "\"x\""), 0,
           "r33: no locations of routers");
    is_int(report.count[0] + report.count[1], 0, "is no fault");
    is_int(load_with("\"trafficRouterLocations\"",
                     "\"trafficRouterLocations\": [], \"x\""), 0,
           "a section that is an array");
    ok(warned("trafficRouterLocations: found an empty array, expected an "
              "object; it is ignored"), "is ignored");
}


/* The reference refuses the whole; ours goes on without the object. */
static void
one_object(void)
{
    is_int(load_with("\"status\": \"ONLINE\"}},\n\"topologies\"",
                     "\"status\": \"OFFLINE\"}},\n\"topologies\""),
           0, "r12: no monitor is ONLINE");
    ok(warned("CrConfig.json:14:13: monitors: found no monitor with status "
              "ONLINE"), "is told, and nothing is left out");
    is_int(cfg.n_services, 2, "services are there");

    is_int(load_with("\"ip6\": \"2001:db8::35/64\", ", ""), 0,
           "r35: a router without ip6");
    is_int(cfg.n_routers, 1, "is there");
    is_int(report.count[0] + report.count[1], 0, "without a word");

    is_int(load_with("\"domain_name\": \"CDN.example.net.\",", ""), 0,
           "r36: no domain_name");
    ok(warned("config.domain_name: found nothing"), "is told");
    ok(cfg.domain.data == NULL, "no domain");

    is_int(load_with("\"tm_host\"", "\"to_host\""), 0, "r39: to_host");
    is_str(z(cfg.traffic_ops), "ops.example.net:443", "is as good");
    is_int(load_with("\"tm_host\"", "\"host\""), 0, "r40: no Traffic Ops");
    ok(warned("stats.to_host: found nothing, expected host or host:port"),
       "is told");
    ok(cfg.traffic_ops.data == NULL, "no Traffic Ops");
    load_with("ops.example.net:443", "ops.example.net/x?");
    ok(cfg.traffic_ops.data == NULL, "a host that is none is none");

    is_int(load_with("\"ttls\": {\"A\": \"3600\", \"NS\": 1200},\n", ""), 0,
           "r38: no ttls");
    is_int(cfg.ttls.a, -1, "not given");
}


static void
parameters(void)
{
    load_with("\"requestHeaders\"",
              "\"a\": \"https://${toHostname}/x/${cdnName}/${tmHostname}\","
              "\"b\": \"${x} $ ${toHostname\", \"c\": \"plain\", \"n\": 5000,"
              "\"requestHeaders\"");

    is_str(z(tcr_crconfig_parameter(&cfg, arena, "a")),
           "https://ops.example.net:443/x/cdn1/ops.example.net:443",
           "names are put in");
    is_str(z(tcr_crconfig_parameter(&cfg, arena, "b")), "${x} $ ${toHostname",
           "what is no name stays");
    is_str(z(tcr_crconfig_parameter(&cfg, arena, "c")), "plain", "plain text");
    is_str(z(tcr_crconfig_parameter(&cfg, arena, "n")), "5000", "a number");
    is_str(z(tcr_crconfig_parameter(&cfg, arena, "d")), NULL, "not there");
}


static void
overrides(void)
{
    load_with("\"requestHeaders\"", "\"maxmindDefaultOverride\": ["
              "{\"countryCode\": \"US\", \"lat\": \"41.0\", \"long\": -87},"
              "{\"countryCode\": \"DE\", \"lat\": \"x\", \"long\": 1},"
              "{\"lat\": 1, \"long\": 1}, 7], \"edge.dns.limit\": \"2\","
              "\"edge.http.limit\": -1, \"dnssec.enabled\": \"yes\","
              "\"ecsEnable\": \" true \", \"requestHeaders\"");

    is_int(cfg.n_overrides, 1, "usable overrides");
    ok(cfg.overrides[0].point.lat == 41 && cfg.overrides[0].point.lon == -87,
       "place of an override");
    ok(left("config.maxmindDefaultOverride[1].lat: found \"x\", expected "
            "degrees"), "bad latitude");
    ok(left("config.maxmindDefaultOverride[2].countryCode: found nothing"),
       "no country");
    is_int(cfg.edge_dns_limit, 2, "a limit as text");
    is_int(cfg.edge_http_limit, 4, "a limit out of range is the default");
    ok(warned("config.edge.http.limit: found -1, expected a number from 0 to "
              "2147483647; it is ignored"), "and reported");
    ok(!cfg.dnssec && warned("config.dnssec.enabled: found \"yes\", expected "
                             "true or false; it counts as false"),
       "a switch that is none");
    ok(cfg.ecs, "blanks around true");
}


/* Snapshots that the reference loads lose nothing but what it loses too. */
static void
recordings(const char *name, size_t services, size_t assignments)
{
    tcr_file_t  file;

    tcr_arena_destroy(arena);
    arena = tcr_arena_create(0);
    tcr_report_init(&report, arena, 0);

    if (tcr_file_map(&file, name, 1 << 20, &err) != 0
        || tcr_json_parse(&doc, arena, name, file.text, &err) != 0
        || tcr_crconfig_parse(&cfg, arena, &doc, &report, &err) != 0)
    {
        ok(0, "%s: %s", name, err.text);
        return;
    }

    is_int(cfg.n_services, services, "%s: services", name);
    is_int(cfg.n_caches, 20, "%s: caches", name);
    is_int(cfg.n_assignments, assignments, "%s: assignments", name);
    is_int(cfg.n_groups, 9, "%s: groups", name);
    is_int(cfg.n_routers, 6, "%s: routers", name);
    is_int(report.count[TCR_REPORT_LEFT_OUT], 1, "%s: one left out", name);
    ok(left("dns-bypass-nottl.bypassDestination.DNS.ttl: found no usable"),
       "%s: it is the bypass without ttl", name);

    tcr_file_unmap(&file);
}


int
main(void)
{
    good();
    good_services();
    good_caches();
    refused();
    sections();
    one_object();
    parameters();
    overrides();
    recordings(INPUTS "phase1/CrConfig.json", 79, 1203);
    recordings(INPUTS "phase3/CrConfig.json", 79, 1203);
    recordings(INPUTS "phase4/CrConfig.json", 79, 1203);
    recordings(INPUTS "phase6/CrConfig.json", 78, 1183);

    tcr_arena_destroy(arena);

    return done();
}
