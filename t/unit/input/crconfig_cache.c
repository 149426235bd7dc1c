/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Caches, groups, routers and monitors: what leaves one out and what only a
 * part of one, and assignments by the million (r23 ... as in the recordings
 * of reloads).
 */

#include "snapshot.h"

#include "tcr_buf.h"

/* something in front of the fields of cache "e1" */
#define E1(fields)  load_with("\"e1\": {", "\"e1\": {" fields ",")


/* Is the first cache gone and the second there? */
static bool
only_w1(void)
{
    return cfg.n_caches == 1
           && tcr_str_eq(cfg.caches[0].id, TCR_STR("w1@2"))
           && cfg.n_assignments == 1;
}


static void
left_out(void)
{
    size_t  i;

    static const struct {
        const char  *name, *from, *to, *text;
    } all[] = {
        { "r23: no port", "\"port\": 80, \"httpsPort\"", "\"httpsPort\"",
          "CrConfig.json:27:8: contentServers.e1.port: found nothing, expected "
          "a number from 1 to 65535; this cache is left out" },
        { "port 0", "\"port\": 80, \"https", "\"port\": 0, \"https",
          "e1.port: found 0, expected" },
        { "a large port", "\"port\": 80, \"https", "\"port\": 65536, \"https",
          "e1.port: found 65536, expected" },
        { "no fqdn", "\"fqdn\": \"e1.example.net\", ", "",
          "e1.fqdn: found nothing, expected a host name" },
        { "a bad fqdn", "\"e1.example.net\"", "\"e1 example.net\"",
          "e1.fqdn: found \"e1 example.net\", expected a host name" },
        { "no locationId", "\"locationId\": \"east\", ", "",
          "e1.locationId: found nothing, expected a cache group" },
        { "no object", "\"e1\": {", "\"e1\": [], \"\": {",
          "contentServers.e1: found an empty array, expected an object" }
    };

    for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        is_int(load_with(all[i].from, all[i].to), 0, "%s", all[i].name);
        ok(left(all[i].text), "%s is reported", all[i].name);
        ok(only_w1(), "%s leaves the rest alone", all[i].name);
    }
}


static void
groups_of_caches(void)
{
    load_with("\"locationId\": \"east\"", "\"locationId\": \"north\"");
    ok(only_w1(), "r24: a cache of an unknown group");
    ok(warned("CrConfig.json:29:34: contentServers: found 1 caches in cache "
              "group \"north\", expected a group of \"edgeLocations\""),
       "is told");

    load_with("\"latitude\": \"40.5\", ", "");
    ok(only_w1() && cfg.n_groups == 1, "r29: a group without coordinates");
    ok(left("CrConfig.json:8:10: edgeLocations.east.latitude: found nothing, "
            "expected degrees; this place is left out"), "is told");
    ok(warned("found 1 caches in cache group \"east\""), "so are its caches");

    load_with("\"e1\": {", "\"m1\": {\"locationId\": \"mid\"}, \"e1\": {");
    is_int(report.count[0] + report.count[1], 0,
           "a server without services and group is no loss");
    is_int(cfg.n_caches, 2, "and not there");
}


static void
addresses(void)
{
    E1("\"x\": 1");
    is_int(report.count[0] + report.count[1], 0, "unknown fields");

    load_with("\"ip\": \"192.0.2.1\", ", "");
    is_int(cfg.n_caches, 2, "r25: a cache without ip");
    is_int(report.count[0] + report.count[1], 0, "is fine with ip6");

    load_with("\"ip\": \"192.0.2.1\", \"ip6\": \"2001:DB8:0::1/64\", ", "");
    is_int(cfg.n_caches, 2, "r25: a cache without any address is there");
    ok(left("e1.ip: found nothing, and no usable \"ip6\" either; this cache "
            "is left out of DNS answers"), "but not in DNS");

    load_with("192.0.2.1", "192.0.2");
    ok(cfg.n_caches == 2 && cfg.caches[0].ip.data == NULL, "r26: a bad ip");
    ok(left("e1.ip: found \"192.0.2\", expected an IPv4 address; it is left "
            "out"), "is told");

    load_with("2001:DB8:0::1/64", "192.0.2.1");
    ok(cfg.caches[0].ip6.data == NULL && left("e1.ip6: found \"192.0.2.1\""),
       "an IPv4 address is no ip6");

    load_with("\"192.0.2.1\"", "\"localhost\"");
    ok(cfg.caches[0].ip.data == NULL, "names are not looked up");
}


static void
hashing(void)
{
    load_with("\"hashCount\": 500", "\"hashCount\": -3");
    is_int(cfg.caches[0].hash_count, 1000, "a hashCount below 1");
    is_int(report.count[0] + report.count[1], 0, "is no fault");

    load_with("\"hashCount\": 500", "\"hashCount\": \"100001\"");
    is_int(cfg.caches[0].hash_count, 1000, "a hashCount of too much");
    ok(warned("e1.hashCount: found \"100001\", expected a number from "),
       "is told");

    load_with("\"hashId\": \"one\"", "\"hashId\": 7");
    is_str(z(cfg.caches[0].hash_id), "e1", "a hashId that is no text");
}


static void
assignments(void)
{
    load_with("\"edge.live.cdn.example.net\"", "\"edge\"");
    is_int(cfg.n_assignments, 2, "r27: a name without a dot");
    ok(left("CrConfig.json:31:12: contentServers.e1.deliveryServices.live: "
            "found \"edge\", expected the name of this cache for that "
            "service, with a dot; the assignment is left out"), "is told");

    load_with("[\"edge.live.cdn.example.net\"]", "[]");
    ok(cfg.n_assignments == 2
       && left("e1.deliveryServices.live: found an empty array"), "no name");

    load_with("[\"edge.live.cdn.example.net\"]", "[7]");
    ok(cfg.n_assignments == 2
       && left("e1.deliveryServices.live: found 7"), "a number as name");

    load_with("[\"edge.live.cdn.example.net\"]", "\"-..a\"");
    ok(cfg.n_assignments == 2, "an empty label");

    load_with("\"live\": [\"edge", "\"gone\": [\"edge");
    is_int(cfg.n_assignments, 2, "r28: a service that does not exist");
    ok(warned("CrConfig.json:31:11: contentServers: found 1 assignments to "
              "services that are not in \"deliveryServices\", first \"gone\""),
       "is told");

    load_with("\"live\": [\"edge.live", "\"live\": [\"a.b\"], \"vod\": [\"c.d\""
              "], \"live\": [\"edge.live");
    is_int(cfg.n_assignments, 3, "a service named twice counts once");
    is_str(z(cfg.caches[0].services[0].fqdn), "c.d", "with the last name");
    is_str(z(cfg.caches[0].services[1].fqdn), "edge.live.cdn.example.net",
           "of both");
    is_str(z(cfg.caches[1].services[0].fqdn), "w1.vod.cdn.example.net",
           "and the next cache has its own");
}


static void
equal_names(void)
{
    load_with("\"w1@2\": {", "\"e1\": {\"fqdn\": \"f1.example.net\", \"port\":"
              "81, \"ip\": \"192.0.2.3\", \"locationId\": \"west\"},"
              "\"w1@2\": {");
    is_int(cfg.n_caches, 2, "two caches of one name are one");
    is_int(cfg.caches[0].port, 81, "the last of them");
    ok(warned("contentServers.e1: found this name twice, the last one is "
              "used"), "and told");

    load_with("\"w1@2\": {", "\"a\\u0007b\": {}, \"\": {}, \"w1@2\": {");
    ok(left("contentServers.a?b: found a name of 3 bytes that is no id"),
       "a name with a control byte");
    ok(left("contentServers.: found a name of 0 bytes"), "an empty name");
    is_int(cfg.n_caches, 2, "neither is there");
}


static void
groups(void)
{
    tcr_group_t  *east;

    load_with("\"longitude\": -74", "\"longitude\": -74, "
              "\"localizationMethods\": [\"GEO\", \"cz\", 7], "
              "\"backupLocations\": {\"list\": [\"west\", \"\"], "
              "\"fallbackToClosest\": \"true\"}");
    east = &cfg.groups[0];
    ok(east->geo && !east->cz && !east->deep, "localizationMethods");
    ok(warned("edgeLocations.east.localizationMethods[1]: found \"cz\""),
       "one that is none");
    ok(east->has_backups && east->backups.n == 1 && east->closest, "backups");

    load_with("\"longitude\": -74", "\"longitude\": -74, "
              "\"localizationMethods\": [\"X\"], \"backupLocations\": "
              "{\"list\": []}");
    east = &cfg.groups[0];
    ok(east->geo && east->cz && east->deep, "no usable method is every one");
    ok(east->has_backups && !east->closest,
       "with a list, the closest group must be asked for");

    load_with("\"longitude\": -74", "\"longitude\": -74, "
              "\"backupLocations\": {\"fallbackToClosest\": \"false\"}");
    ok(cfg.groups[0].closest, "without a list the flag does not count");

    load_with("\"nodes\": [\"east\", \"nowhere\"]", "\"x\": 1");
    ok(cfg.n_topologies == 0
       && left("topologies.top.nodes: found nothing, expected an array"),
       "a topology without nodes");
}


static void
machines(void)
{
    load_with("tr1.cdn.example.net", "tr1,cdn");
    ok(cfg.n_routers == 0
       && left("contentRouters.tr1.fqdn: found \"tr1,cdn\", expected a host"),
       "a router without a name");

    load_with("\"192.0.2.53\", \"ip6\": \"2001:db8::35/64\"",
              "\"\", \"ip6\": \"\"");
    ok(cfg.n_routers == 1
       && warned("contentRouters.tr1: found no usable \"ip\" and no \"ip6\""),
       "a router without addresses");

    load_with("\"fqdn\": \"127.0.0.1\"", "\"fqdn\": \"http://x\"");
    ok(cfg.n_monitors == 0 && left("monitors.tm1.fqdn: found \"http://x\""),
       "a monitor without a name");

    load_with("\"fqdn\": \"127.0.0.1\", \"port\": 8080",
              "\"fqdn\": \"[2001:db8::1]\", \"httpsPort\": null");
    ok(cfg.n_monitors == 1 && cfg.monitors[0].port == 80,
       "an IPv6 address and no port");
}


/* n caches that all serve n services, in another order than the services'. */
static void
many(size_t n)
{
    size_t     i, j;
    tcr_buf_t  buf;

    tcr_buf_init(&buf, 64 << 20);
    tcr_buf_str(&buf, TCR_STR("{\"stats\": {\"date\": 1, \"to_host\": \"o\"},"
                              "\"config\": {}, \"edgeLocations\": {\"g\":"
                              "{\"latitude\": 1, \"longitude\": 1}},"
                              "\"deliveryServices\": {"));

    for (i = 0; i < n; i++) {
        tcr_buf_printf(&buf, "%s\"s%zu\": {\"coverageZoneOnly\": false, "
                       "\"routingName\": \"r\", \"matchsets\": [{\"protocol\":"
                       "\"HTTP\", \"matchlist\": [{\"match-type\": \"HOST\","
                       "\"regex\": \"a\"}]}]}", i ? "," : "", i);
    }

    tcr_buf_str(&buf, TCR_STR("}, \"contentServers\": {"));

    for (i = 0; i < n; i++) {
        tcr_buf_printf(&buf, "%s\"c%zu\": {\"fqdn\": \"c\", \"port\": 80,"
                       "\"ip\": \"\", \"locationId\": \"g\", "
                       "\"deliveryServices\": {", i ? "," : "", i);

        for (j = 0; j < n; j++) {
            tcr_buf_printf(&buf, "%s\"s%zu\": [\"c.s%zu\"]", j ? "," : "",
                           (i + j) % n, (i + j) % n);
        }

        tcr_buf_str(&buf, TCR_STR("}}"));
    }

    tcr_buf_add(&buf, "}}", 3);

    is_int(load(buf.data), 0, "%zu services and caches", n);
    is_int(cfg.n_assignments, n * n, "all assignments");
    is_int(cfg.caches[n - 1].services[0].service, n - 1, "first of the last");
    is_int(cfg.caches[n - 1].services[n - 1].service, n - 2, "last of it");
    tcr_buf_free(&buf);
}


/* A hostile document gets so many lines and no more. */
static void
bounded(void)
{
    size_t     i;
    tcr_buf_t  buf;

    tcr_buf_init(&buf, 64 << 20);
    tcr_buf_str(&buf, TCR_STR("{\"stats\": {\"date\": 1}, \"config\": {},"
                              "\"contentServers\": {\"x\": 1"));

    for (i = 0; i < 100000; i++) {
        tcr_buf_printf(&buf, ",\"%zu\": 1", i);
    }

    tcr_buf_add(&buf, "}}", 3);

    is_int(load(buf.data), 0, "100001 caches that are none");
    is_int(report.kept, 1000, "lines that are kept");
    is_int(report.count[TCR_REPORT_LEFT_OUT], 100001, "all are counted");
    tcr_buf_free(&buf);
}


int
main(void)
{
    left_out();
    groups_of_caches();
    addresses();
    hashing();
    assignments();
    equal_names();
    groups();
    machines();
    many(300);
    bounded();

    tcr_arena_destroy(arena);

    return done();
}
