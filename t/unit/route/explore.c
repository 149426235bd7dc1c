/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Look-ups for the API say what a request gets: the same service, location,
 * cache and hashed text, for many clients and paths.
 */

#include "tap.h"
#include "tcr_explore.h"
#include "testcdn.h"

#define CACHE(name, group, n)                                                 \
    "\"" name "\":{\"cacheGroup\":\"" group "\",\"locationId\":\"" group      \
    "\",\"fqdn\":\"" name ".edge.example.net\",\"hashId\":\"" name            \
    "\",\"hashCount\":20,\"ip\":\"198.51.100." n "\",\"port\":80,"            \
    "\"status\":\"REPORTED\",\"type\":\"EDGE\",\"deliveryServices\":"         \
    "{\"vod\":[\"" name ".vod.cdn.example.net\"]}}"

#define SERVICE(id, more)                                                     \
    "\"" id "\":{\"coverageZoneOnly\":\"true\",\"routingName\":\"edge\","     \
    "\"domains\":[\"" id ".cdn.example.net\"],\"ip6RoutingEnabled\":\"true\"" \
    more ",\"protocol\":{\"acceptHttp\":\"true\"},"                           \
    "\"matchsets\":[{\"protocol\":\"HTTP\","                                  \
    "\"matchlist\":[{\"match-type\":\"HOST\",\"regex\":\".*\\\\." id          \
    "\\\\..*\"}]}]}"

static const char  snapshot[] =
    "{\"stats\":{\"date\":1,\"CDN_name\":\"c\",\"tm_host\":\"t\"},"
    "\"config\":{\"domain_name\":\"cdn.example.net\"},"
    "\"contentRouters\":{},\"monitors\":{},"
    "\"edgeLocations\":{\"cg-a\":{\"latitude\":1,\"longitude\":2},"
    "\"cg-b\":{\"latitude\":3,\"longitude\":4}},"
    "\"contentServers\":{"
    CACHE("a1", "cg-a", "1") "," CACHE("a2", "cg-a", "2") ","
    CACHE("a3", "cg-a", "3") "," CACHE("b1", "cg-b", "4") "},"
    "\"deliveryServices\":{"
    SERVICE("vod", ",\"consistentHashRegex\":\"/(.)[^/]*/(.*)\"") ","
    SERVICE("bare", "") "}}";

static const char  coverage[] =
    "{\"coverageZones\":{\"cg-a\":{\"network\":[\"192.0.2.0/25\"],"
    "\"network6\":[\"2001:db8:a::/48\"]},"
    "\"cg-b\":{\"network\":[\"192.0.2.128/25\"],\"network6\":[]},"
    "\"elsewhere\":{\"network\":[\"203.0.113.0/24\"],\"network6\":[]}}}";

static testcdn_t  t;


static const char *
text(tcr_str_t s)
{
    return s.data != NULL ? tcr_arena_strdup(t.arena, s).data : NULL;
}


static const char *
id_of(const tcr_img_group_t *g)
{
    return g != NULL ? text(tcr_view_str(t.view, g->id)) : NULL;
}


static tcr_addr_t
address(const char *s)
{
    tcr_addr_t  addr;

    if (tcr_addr_parse(tcr_str(s), &addr) != 0) {
        addr.family = 0;
    }

    return addr;
}


static tcr_explore_t
question(const char *client, const char *path)
{
    return (tcr_explore_t) {
        .view = t.view,
        .service = tcr_explore_service(t.view, TCR_STR("vod")),
        .client = tcr_str(client),
        .path = tcr_str(path),
        .mem = tcr_arena_mem(t.arena)
    };
}


static void
by_name(void)
{
    ok(tcr_explore_service(t.view, TCR_STR("vod")) != NULL, "a service");
    ok(tcr_explore_service(t.view, TCR_STR("vo")) == NULL, "that is none");
    is_str(id_of(tcr_explore_group(t.view, TCR_STR("cg-b"))), "cg-b",
           "a group");
    ok(tcr_explore_group(t.view, TCR_STR("")) == NULL, "that is none");
}


static void
by_address(void)
{
    tcr_addr_t         addr;
    tcr_city_record_t  city;

    addr = address("192.0.2.200");
    is_str(id_of(tcr_explore_zone(t.view, &addr, false)), "cg-b", "a zone");
    ok(tcr_explore_zone(t.view, &addr, true) == NULL, "no deep one");
    is_int(tcr_explore_city(t.view, &addr, &city), 0, "no database");

    addr = address("203.0.113.1");
    ok(tcr_explore_zone(t.view, &addr, false) == NULL,
       "a zone without a group");

    addr = address("198.51.100.1");
    ok(tcr_explore_zone(t.view, &addr, false) == NULL, "no zone");

    addr = address("nobody");
    ok(tcr_explore_zone(t.view, &addr, false) == NULL, "no address");
}


/* Every point of a group belongs to one of its caches. */
static void
points(void)
{
    int                     disorder = 0;
    double                  point, last;
    uint32_t                i, at, n = 0;
    const tcr_img_group_t  *g = tcr_explore_group(t.view, TCR_STR("cg-a"));

    is_int(tcr_explore_group_size(g), 3, "caches of a group");

    for (i = 0; i < tcr_explore_group_size(g); i++) {
        last = -1;
        at = 0;

        while (tcr_explore_next_point(t.view,
                                      tcr_explore_group_cache(t.view, g, i),
                                      &at, &point))
        {
            disorder += point < last;
            last = point;
            n++;
        }
    }

    is_int(n, g->points.n, "all points are somebody's");
    is_int(disorder, 0, "in ascending order");
}


static void
usable(void)
{
    uint32_t                caches[3];
    const tcr_img_group_t  *g = tcr_explore_group(t.view, TCR_STR("cg-a"));

    is_int(tcr_explore_usable(t.view, tcr_explore_service(t.view,
                              TCR_STR("vod")), g, caches), 3, "all are up");
    is_int(tcr_explore_usable(t.view, tcr_explore_service(t.view,
                              TCR_STR("bare")), g, caches), 0,
           "a service without caches has none");
    ok(tcr_explore_cache_flags(t.view, 0) & TCR_HEALTH_AVAILABLE, "flags");
    ok(tcr_explore_assignment(t.view, tcr_explore_service(t.view,
                              TCR_STR("bare")), 0) == NULL, "no assignment");
}


static void
hashing(void)
{
    tcr_str_t      out;
    tcr_err_t      err;
    tcr_explore_t  x = question("192.0.2.1", "/abc/def");

    is_str(text(tcr_explore_hash_text(&x)), "adef", "what is hashed");
    ok(tcr_explore_target(&x) == x.service, "its own target");

    is_int(tcr_explore_pattern(TCR_STR("/(x)?(.*)"), TCR_STR("/ab"), &x.mem,
                               &out, &err), 0, "a pattern");
    is_str(text(out), "nullab", "what would be");
    is_int(tcr_explore_pattern(TCR_STR("("), TCR_STR("/ab"), &x.mem, &out,
                               &err), -1, "that is none");
    ok(err.text[0] != '\0', "has a reason");
}


/* The same cache as the decision for that client and path. */
static void
like_a_request(void)
{
    int                  i, bad = 0;
    uint32_t             cache;
    tcr_explore_t        x;
    tcr_http_request_t   req;
    tcr_http_decision_t  d;
    const char          *client;

    static const char  *clients[] = {
        "192.0.2.7", "192.0.2.130", "203.0.113.9", "2001:db8:a::1", "nobody"
    };

    for (i = 0; i < 500; i++) {
        client = clients[i % 5];
        x = question(client, tcr_arena_printf(t.arena, "/p%d/%d", i, i * 7));
        cache = tcr_explore_cache(&x, TCR_EXPLORE_ZONE);

        memset(&req, 0, sizeof(req));
        req.host = TCR_STR("edge.vod.cdn.example.net");
        req.path = x.path;
        req.peer = x.client;
        req.mem = x.mem;
        tcr_route_http(t.view, &req, &d);

        bad += d.cache == NULL
               ? cache != TCR_NONE
               : cache == TCR_NONE || &t.view->cdn->caches[cache] != d.cache;
        bad += d.group != tcr_explore_location(&x, TCR_EXPLORE_ZONE);
        bad += tcr_explore_match(t.view, &req) != d.entry;
    }

    is_int(bad, 0, "as 500 requests are answered");
}


static void
no_images(void)
{
    tcr_addr_t                addr = address("192.0.2.1");
    const tcr_img_overlay_t  *root;
    tcr_http_request_t        req = { .host = TCR_STR("x"),
                                      .path = TCR_STR("/"),
                                      .mem = tcr_arena_mem(t.arena) };
    tcr_view_t               *view = tcr_view_create("/nonexistent", 1);

    ok(tcr_explore_service(view, TCR_STR("vod")) == NULL
       && tcr_explore_group(view, TCR_STR("cg-a")) == NULL
       && tcr_explore_zone(view, &addr, false) == NULL
       && tcr_explore_match(view, &req) == NULL
       && tcr_explore_overlay(view, &root) == NULL, "without images: nothing");
    tcr_view_destroy(view);
}


int
main(void)
{
    testcdn_open(&t, snapshot, coverage);

    by_name();
    by_address();
    points();
    usable();
    hashing();
    like_a_request();
    no_images();

    testcdn_close(&t);
    return done();
}
