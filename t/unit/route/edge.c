/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Edge routing of a client that nobody can locate: with four locations of ten
 * routers each and a limit of six, the first router of each location by the
 * hash and the second of two (the reference's documentation, "Localization
 * Miss"), and every router says the same.
 */

#include "tap.h"
#include "testcdn.h"

#define LOCATIONS  4
#define ROUTERS    10
#define MOST       8


typedef struct {
    size_t  n;
    char    names[MOST][40];      /* sorted                                  */
} set_t;


static void
put_service(tcr_buf_t *out, const char *id)
{
    tcr_buf_printf(out, "\"%s\":{\"coverageZoneOnly\":\"true\","
                   "\"routingName\":\"edge\",\"domains\":[\"%s.cdn.example.net"
                   "\"],\"ip6RoutingEnabled\":\"true\",\"protocol\":"
                   "{\"acceptHttp\":\"true\"},\"matchsets\":[{\"protocol\":"
                   "\"HTTP\",\"matchlist\":[{\"match-type\":\"HOST\","
                   "\"regex\":\".*\\\\.%s\\\\..*\"}]}]}", id, id, id);
}


/* Router "tr-L-R" of location "loc-L". */
static const char *
snapshot(tcr_arena_t *arena, int limit)
{
    int          l, r;
    tcr_buf_t    out;
    const char  *text;

    tcr_buf_init(&out, 1u << 20);
    tcr_buf_printf(&out, "{\"stats\":{\"date\":1,\"CDN_name\":\"c\","
                   "\"tm_host\":\"t\"},\"config\":{\"domain_name\":"
                   "\"cdn.example.net\",\"edge.dns.routing\":\"true\","
                   "\"edge.http.routing\":\"true\",\"edge.dns.limit\":\"%d\","
                   "\"edge.http.limit\":\"%d\"},\"monitors\":{},"
                   "\"edgeLocations\":{},\"contentServers\":{},"
                   "\"trafficRouterLocations\":{", limit, limit);

    for (l = 0; l < LOCATIONS; l++) {
        tcr_buf_printf(&out, "%s\"loc-%d\":{\"latitude\":%d,\"longitude\":%d}",
                       l != 0 ? "," : "", l, 10 * l, 20 * l);
    }

    tcr_buf_str(&out, TCR_STR("},\"contentRouters\":{"));

    for (l = 0; l < LOCATIONS; l++) {

        for (r = 0; r < ROUTERS; r++) {
            tcr_buf_printf(&out, "%s\"tr-%d-%d\":{\"fqdn\":\"tr-%d-%d.cdn."
                           "example.net\",\"ip\":\"203.0.113.%d\","
                           "\"location\":\"loc-%d\",\"status\":\"ONLINE\"}",
                           l + r != 0 ? "," : "", l, r, l, r,
                           10 * l + r + 1, l);
        }
    }

    tcr_buf_str(&out, TCR_STR("},\"deliveryServices\":{"));
    put_service(&out, "one");
    tcr_buf_char(&out, ',');
    put_service(&out, "two");
    tcr_buf_str(&out, TCR_STR("}}"));
    text = tcr_arena_strdup(arena, tcr_str_n(out.data, out.len)).data;
    tcr_buf_free(&out);

    return text;
}


static int
by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}


static set_t
ask(const testcdn_t *t, const char *name, uint16_t type)
{
    size_t              i;
    set_t               set = { .n = 0 };
    tcr_dns_answer_t    a;
    tcr_dns_question_t  q = {
        .name = tcr_str(name), .type = type, .mem = tcr_arena_mem(t->arena)
    };

    tcr_addr_parse(TCR_STR("198.51.100.7"), &q.resolver);

    if (tcr_route_dns(t->view, &q, &a) != 0) {
        return set;
    }

    for (i = 0; i < a.n_records && i < MOST; i++) {
        snprintf(set.names[i], sizeof(set.names[i]), "%.*s",
                 TCR_STR_ARG(a.records[i].data));
    }

    set.n = a.n_records;
    qsort(set.names, i, sizeof(set.names[0]), by_name);
    return set;
}


static bool
equal(const set_t *a, const set_t *b)
{
    return a->n == b->n && a->n <= MOST
           && memcmp(a->names, b->names, a->n * sizeof(a->names[0])) == 0;
}


static bool
has(const set_t *set, const char *name)
{
    size_t  i;

    for (i = 0; i < set->n; i++) {

        if (strcmp(set->names[i], name) == 0) {
            return true;
        }
    }

    return false;
}


/* Routers of each location in a set of name servers, "tr-L-R...". */
static void
check_turns(const set_t *set)
{
    size_t  i, of[LOCATIONS] = { 0 }, once = 0, twice = 0;

    for (i = 0; i < set->n && i < MOST; i++) {
        of[set->names[i][3] - '0']++;
    }

    for (i = 0; i < LOCATIONS; i++) {
        once += of[i] == 1;
        twice += of[i] == 2;
    }

    is_int(twice, 2, "two of two locations");
    is_int(once, 2, "... and one of the two others");
}


static void
start(testcdn_t *t, const char *router, int limit)
{
    testcdn_make(t);
    t->router = router;
    testcdn_compile(t, snapshot(t->arena, limit), NULL);
    testcdn_view(t);
}


int
main(void)
{
    size_t     i, of_four = 0;
    set_t      here, there, other, four;
    testcdn_t  a, b, c;

    start(&a, "tr-0-3", 6);
    start(&b, "tr-2-9", 6);
    start(&c, "tr-0-3", 4);
    tcr_view_seed(b.view, 99);

    here = ask(&a, "one.cdn.example.net", TCR_TYPE_NS);
    there = ask(&b, "one.cdn.example.net", TCR_TYPE_NS);
    is_int(here.n, 6, "name servers: six");
    check_turns(&here);
    ok(equal(&here, &there), "... the same on two routers");

    other = ask(&a, "two.cdn.example.net", TCR_TYPE_NS);
    ok(other.n == 6 && !equal(&here, &other), "... others for another name");

    four = ask(&c, "one.cdn.example.net", TCR_TYPE_NS);
    is_int(four.n, 4, "with a limit of four: four");

    for (i = 0; i < four.n; i++) {
        of_four += has(&here, four.names[i]);
    }

    is_int(of_four, 4, "... the first of those six");

    here = ask(&a, "edge.one.cdn.example.net", TCR_TYPE_A);
    there = ask(&b, "edge.one.cdn.example.net", TCR_TYPE_A);
    is_int(here.n, 6, "addresses of an HTTP service: six");
    ok(equal(&here, &there), "... the same on two routers");

    testcdn_close(&a);
    testcdn_close(&b);
    testcdn_close(&c);

    return done();
}
