/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Order of caches, who serves what under which name (spec/routing.md §5.3,
 * §5.4), deep locations (§4.2), coverage zones.
 */

#include "small.h"

#define HTTP(id, more)  SERVICE(id, "HTTP", more)
#define DNS(id, more)   SERVICE(id, "DNS", more)

#define CAPABLE(id, group, list)                                              \
    "\"" id "\":{\"fqdn\":\"cache.example.net\",\"port\":80,"                 \
    "\"locationId\":\"" group "\",\"ip\":\"192.0.2.1\","                      \
    "\"capabilities\":[" list "]}"


/* "group:cache=name,cache=name group:…" of a service. */
static const char *
assigned(const compiled_t *t, const char *id)
{
    size_t                          len = 0;
    uint32_t                        g, i;
    static char                     out[4096];
    const tcr_img_cache_t          *caches;
    const tcr_img_group_t          *groups;
    const tcr_img_service_t        *s = service_of(t, id);
    const tcr_img_assignment_t     *a;
    const tcr_img_service_group_t  *sg;

    caches = tcr_image_vec(&t->img, &t->root->caches);
    groups = tcr_image_vec(&t->img, &t->root->groups);
    a = tcr_image_vec(&t->img, &t->root->assignments);
    sg = tcr_image_vec(&t->img, &s->groups);
    out[0] = '\0';

    for (g = 0; g < s->groups.n; g++) {
        len += (size_t) snprintf(out + len, sizeof(out) - len, "%s%s:",
                                 g ? " " : "",
                                 text_of(t, groups[sg[g].group].id));

        for (i = sg[g].first; i < sg[g].first + sg[g].n; i++) {
            len += (size_t) snprintf(out + len, sizeof(out) - len,
                                     "%s%s=%s.%s", i > sg[g].first ? "," : "",
                                     text_of(t, caches[a[i].cache].id),
                                     text_of(t, a[i].host),
                                     text_of(t, a[i].domain));
        }
    }

    return out;
}


static bool
usual_names(const compiled_t *t, const char *id)
{
    return service_of(t, id)->flags & TCR_SERVICE_CACHE_NAMES;
}


static void
order(void)
{
    compiled_t              t;
    const uint32_t         *backups;
    const tcr_img_group_t  *g;
    parts_t                 p = {
        .services = HTTP("a", "") "," HTTP("b", ""),
        .caches =
            CACHE("w2", "west", "192.0.2.12", "",
                  AT("a", "w2.a.cdn.example.net")) ","
            CACHE("e1", "east", "192.0.2.1", "2001:db8::1/64",
                      AT("a", "e1.a.cdn.example.net") ","
                      AT("b", "E1.B.cdn.example.net")) ","
            CACHE("w1", "west", "192.0.2.11", "",
                  AT("b", "w1.b.cdn.example.net") ","
                  AT("a", "w1.a.cdn.example.net")) ","
            CACHE("lost", "nowhere", "192.0.2.9", "",
                  AT("a", "lost.a.cdn.example.net")) };

    compile_small(&t, &p, NULL);
    is_int(t.root->caches.n, 3, "a cache of an unknown group is left out");
    is_str(assigned(&t, "a"), "east:e1=e1.a.cdn.example.net "
           "west:w2=w2.a.cdn.example.net,w1=w1.a.cdn.example.net",
           "by group, then document order");
    is_str(assigned(&t, "b"), "east:e1=e1.b.cdn.example.net "
           "west:w1=w1.b.cdn.example.net", "a cache in two services");
    ok(usual_names(&t, "a") && usual_names(&t, "b"), "all names are usual");

    g = group_of(&t, "west");
    is_int(g->first_cache, 1, "west begins behind east");
    is_int(g->n_caches, 2, "west has two");
    is_int(g->flags, TCR_METHOD_CZ | TCR_GROUP_CLOSEST,
           "methods; without a list the closest may help out");
    is_int(cache_of(&t, "w1")->local, 1, "number within the group");
    is_str(text_of(&t, cache_of(&t, "e1")->ip6), "2001:db8::1",
           "address without length");

    g = group_of(&t, "east");
    backups = tcr_image_vec(&t.img, &g->backups);
    ok(g->backups.n == 1 && backups[0] == 1, "unknown backups are skipped");
    is_int(g->flags, TCR_METHOD_CZ | TCR_METHOD_DEEP | TCR_METHOD_GEO
           | TCR_GROUP_BACKUPS | TCR_GROUP_HAS_BACKUPS | TCR_GROUP_CLOSEST,
           "all methods, a list");
    compiled_free(&t);
}


static void
names(void)
{
    compiled_t  t;
    parts_t     p = {
        .services = HTTP("lit", "") "," DNS("dns", "") ","
                    DNS("named", ""),
        .caches =
            CACHE("e1", "east", "192.0.2.1", "",
                  AT("lit", "www.lit.cdn.example.net") ","
                  AT("dns", "www.dns.cdn.example.net") ","
                  AT("named", "e1.named.cdn.example.net")) ","
            CACHE("e2", "east", "192.0.2.2", "",
                  AT("lit", "www.lit.cdn.example.net") ","
                  AT("dns", "www.dns.cdn.example.net")) };

    compile_small(&t, &p, NULL);
    is_str(assigned(&t, "lit"), "east:e1=www.lit.cdn.example.net,"
           "e2=www.lit.cdn.example.net", "one name for all");
    ok(!usual_names(&t, "lit"), "is not usual");
    ok(!usual_names(&t, "dns"), "nor is the routing name");
    ok(usual_names(&t, "named"), "a DNS service may have usual names");
    compiled_free(&t);
}


static void
topologies(void)
{
    compiled_t  t;
    parts_t     p = {
        .services =
            HTTP("a", ",\"topology\":\"top\"") ","
            DNS("d", ",\"topology\":\"top\",\"requiredCapabilities\":"
                     "[\"RAM\",\"\"]") ","
            "\"lit\":{\"coverageZoneOnly\":false,\"routingName\":\"www\","
            "\"domains\":[\"l.cdn.example.net\"],\"topology\":\"top\","
            "\"matchsets\":[{\"protocol\":\"HTTP\",\"matchlist\":["
            "{\"match-type\":\"HOST\",\"regex\":\"l.cdn.example.net\"}]}]},"
            "\"other\":{\"coverageZoneOnly\":false,\"routingName\":\"www\","
            "\"domains\":[\"o.cdn.example.net\"],\"topology\":\"top\","
            "\"matchsets\":[{\"protocol\":\"HTTP\",\"matchlist\":["
            "{\"match-type\":\"HOST\",\"regex\":\".*\\\\.x\\\\..*\"}]}]},"
            HTTP("unknown", ",\"topology\":\"nosuch\"") ","
            HTTP("plain", ",\"requiredCapabilities\":[\"RAM\"]"),
        .topologies = "\"top\":{\"nodes\":[\"west\",\"nowhere\"]}",
        .caches = CAPABLE("e1", "east", "\"RAM\"") ","
                  CAPABLE("w1", "west", "\"RAM\",\"SSD\"") ","
                  CAPABLE("W2", "west", "") ","
                  CAPABLE("x@1", "west", "") ","
                  CAPABLE("y z", "west", "") ","
                  CACHE("w3", "west", "192.0.2.3", "",
                        AT("a", "given.a.cdn.example.net") ","
                        AT("other", "given.o.cdn.example.net") ","
                        AT("plain", "w3.plain.cdn.example.net") ","
                        AT("unknown", "w3.unknown.cdn.example.net")) ","
                  CACHE("e3", "east", "192.0.2.4", "",
                        AT("a", "e3.a.cdn.example.net")) };

    compile_small(&t, &p, NULL);
    is_str(assigned(&t, "a"), "east:e3=e3.a.cdn.example.net "
           "west:w1=w1.a.cdn.example.net,W2=w2.a.cdn.example.net,"
           "x@1=x@1.a.cdn.example.net,"
           "y z=cache.a.cdn.example.net,"
           "w3=w3.a.cdn.example.net",
           "caches of the nodes, named after themselves, or by the first label "
           "of the cache's own name where an id cannot be in one");
    ok(!usual_names(&t, "a"), "an id in upper case is no usual name");
    is_str(assigned(&t, "d"), "west:w1=www.d.cdn.example.net",
           "only with the capabilities; a DNS service by its routing name");
    is_str(assigned(&t, "lit"), "west:w1=l.cdn.example.net,"
           "W2=l.cdn.example.net,x@1=l.cdn.example.net,"
           "y z=l.cdn.example.net,w3=l.cdn.example.net",
           "a pattern without wildcard is the name");
    is_str(assigned(&t, "other"), "west:w3=given.o.cdn.example.net",
           "a pattern that does not give the domain gives no caches");
    is_str(assigned(&t, "unknown"), "west:w3=w3.unknown.cdn.example.net",
           "an unknown topology");
    is_str(assigned(&t, "plain"), "west:w3=w3.plain.cdn.example.net",
           "capabilities count with a topology only");
    compiled_free(&t);
}


static void
deep_locations(void)
{
    uint32_t                zone;
    compiled_t              t;
    tcr_addr_t              addr;
    tcr_nets_t              nets;
    const uint32_t         *members;
    const tcr_img_zone_t   *zones;
    const tcr_img_group_t  *groups;
    sources_t               from = {
        .coverage = "{\"coverageZones\":{\"west\":{\"network\":"
                    "[\"198.51.100.0/24\"],\"network6\":[],"
                    "\"coordinates\":{\"latitude\":1,\"longitude\":2}},"
                    "\"else\":{\"network\":[\"192.0.2.0/25\"],"
                    "\"network6\":[]}}}",
        .deep = "{\"deepCoverageZones\":{\"d1\":{\"network\":"
                "[\"198.51.100.0/28\"],\"network6\":[],"
                "\"caches\":[\"w1\",\"nosuch\",\"e1\",\"e2\"]},"
                "\"d2\":{\"network\":[],\"network6\":[\"2001:db8::/48\"],"
                "\"coordinates\":{\"latitude\":3,\"longitude\":4}}}}" };
    parts_t                 p = {
        .services = HTTP("a", ",\"deepCachingType\":\"ALWAYS\"") ","
                    HTTP("b", ""),
        .caches =
            CACHE("w1", "west", "192.0.2.3", "",
                  AT("a", "w1.a.cdn.example.net") ","
                  AT("b", "w1.b.cdn.example.net")) ","
            CACHE("e1", "east", "192.0.2.1", "",
                  AT("a", "e1.a.cdn.example.net")) ","
            CACHE("e2", "east", "192.0.2.2", "", "") };

    compile_small(&t, &p, &from);
    is_str(assigned(&t, "a"), "east:e1=e1.a.cdn.example.net "
           "west:w1=w1.a.cdn.example.net "
           "deep.d1:e1=e1.a.cdn.example.net,w1=w1.a.cdn.example.net",
           "deep locations behind the groups, with those who serve");
    is_str(assigned(&t, "b"), "west:w1=w1.b.cdn.example.net",
           "not for a service that is not deep");
    ok(usual_names(&t, "a"), "the copies change nothing about names");

    groups = tcr_image_vec(&t.img, &t.root->groups);
    is_int(t.root->n_groups, 2, "two groups");
    is_int(t.root->groups.n, 4, "and two deep locations");
    is_str(text_of(&t, groups[2].id), "deep.d1", "id of one");
    is_int(groups[2].members.n, 3, "known caches are its members");
    members = tcr_image_vec(&t.img, &groups[2].members);
    ok(members[0] == 0 && members[1] == 1 && members[2] == 2, "in order");
    ok(groups[2].lat == 0 && groups[3].lat == 3, "their coordinates");
    ok(group_of(&t, "deep.d1") == NULL, "not among the groups' names");
    is_int(cache_of(&t, "w1")->points.n, 10, "a member has its own points");

    zones = tcr_image_vec(&t.img, &t.root->coverage.zones);
    ok(zones[0].group == 1 && zones[0].has_point && zones[0].lon == 2,
       "a zone leads to the group of its name");
    ok(zones[1].group == TCR_NONE && !zones[1].has_point,
       "or to none, and has no point");
    zones = tcr_image_vec(&t.img, &t.root->deep.zones);
    is_int(zones[1].group, 3, "a deep zone leads to its location");

    nets = (tcr_nets_t) { tcr_image_vec(&t.img, &t.root->coverage.v4),
                          t.root->coverage.v4.n,
                          tcr_image_vec(&t.img, &t.root->coverage.v6),
                          t.root->coverage.v6.n };
    tcr_addr_parse(TCR_STR("192.0.2.127"), &addr);
    zone = tcr_nets_find(&nets, &addr, NULL);
    is_int(zone, 1, "prefixes are in the image");
    compiled_free(&t);
}


int
main(void)
{
    order();
    names();
    topologies();
    deep_locations();
    return done();
}
