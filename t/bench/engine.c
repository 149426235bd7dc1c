/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a decision of the engine costs, and what a reader feels when images
 * change.
 *
 * usage: engine IMAGES DECISIONS       so many of HTTP, then of DNS
 *        engine IMAGES --swap SECONDS  HTTP, until new images are in force
 *
 * Questions are drawn with a fixed seed: a service, one of 2,000 paths, a
 * client out of the coverage zones.  Each decision is timed by itself and has
 * an arena that is reset before it, as a server's request pool is.  The
 * median cost of reading the clock is subtracted.  One line of JSON a kind.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tcr_clock.h"
#include "tcr_nets.h"
#include "tcr_route.h"

#define PATHS    2000
#define CLIENTS  4096
#define WARM_UP  20000

#define SETTLED_NS  300000000

/* nanoseconds counted one by one, above that the slow list */
#define FINE     65536
#define SLOW     65536


typedef struct {
    uint32_t   fine[FINE];
    int64_t    slow[SLOW];
    size_t     n_slow;
    uint64_t   n;
} times_t;

typedef struct {
    tcr_view_t   *view;
    tcr_arena_t  *arena;          /* for questions, kept                     */
    tcr_arena_t  *pool;           /* for one decision                        */
    uint64_t      random;
    tcr_str_t    *hosts[2];       /* of HTTP, of DNS services                */
    size_t        n_hosts[2];
    tcr_str_t     paths[PATHS];
    tcr_str_t     peers[CLIENTS];
    tcr_addr_t    addrs[CLIENTS];
    uint64_t      localized;      /* decisions from a coverage zone          */
} bench_t;


static void
fail(const char *what)
{
    fprintf(stderr, "engine: %s\n", what);
    exit(1);
}


/* splitmix64 */
static uint32_t
draw(bench_t *b, size_t n)
{
    uint64_t  z;

    b->random += 0x9e3779b97f4a7c15u;
    z = b->random;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;

    return (uint32_t) ((z >> 32) * n >> 32);
}


/* ----------------------------------------------------------------- times */

static void
note(times_t *t, int64_t ns)
{
    t->n++;

    if (ns < FINE) {
        t->fine[ns > 0 ? ns : 0]++;

    } else if (t->n_slow < SLOW) {
        t->slow[t->n_slow++] = ns;
    }
}


static int
by_size(const void *a, const void *b)
{
    int64_t  x = *(const int64_t *) a, y = *(const int64_t *) b;

    return (x > y) - (x < y);
}


/* share of all in 1/10,000 */
static int64_t
quantile(times_t *t, uint64_t share)
{
    size_t    i;
    uint64_t  rank = t->n * share / 10000, seen = 0;

    for (i = 0; i < FINE; i++) {
        seen += t->fine[i];

        if (seen > rank) {
            return (int64_t) i;
        }
    }

    if (t->n_slow == 0) {
        return FINE;
    }

    qsort(t->slow, t->n_slow, sizeof(t->slow[0]), by_size);
    i = (size_t) (rank - seen);
    return t->slow[i < t->n_slow ? i : t->n_slow - 1];
}


static int64_t
clock_cost(void)
{
    int      i;
    int64_t  start, now, cost;
    times_t  *t = calloc(1, sizeof(*t));

    if (t == NULL) {
        fail("no memory");
    }

    for (i = 0, start = tcr_ticks_ns(); i < WARM_UP; i++) {
        now = tcr_ticks_ns();
        note(t, now - start);
        start = now;
    }

    cost = quantile(t, 5000);
    free(t);
    return cost;
}


/* ------------------------------------------------------------- questions */

static void
read_services(bench_t *b, const tcr_image_t *img)
{
    size_t                    kind;
    uint32_t                  i;
    const tcr_img_routing_t  *rt = tcr_image_root(img);
    const tcr_img_service_t  *services = tcr_image_vec(img, &rt->services);

    for (kind = 0; kind < 2; kind++) {
        b->hosts[kind] = tcr_arena_calloc(b->arena, rt->services.n + 1,
                                          sizeof(tcr_str_t));
    }

    for (i = 0; i < rt->services.n; i++) {
        kind = services[i].flags & TCR_SERVICE_DNS ? 1 : 0;
        b->hosts[kind][b->n_hosts[kind]++] =
            tcr_arena_strdup(b->arena, tcr_image_str(img, services[i].fqdn));
    }

    if (b->n_hosts[0] == 0 || b->n_hosts[1] == 0) {
        fail("the images lack HTTP or DNS services");
    }
}


/* Any address of an interval that belongs to a zone. */
static void
draw_client(bench_t *b, const tcr_img_coverage_t *c, const tcr_net4_t *nets,
    size_t n)
{
    char         text[TCR_ADDR_TEXT];
    uint32_t     i;
    tcr_addr_t  *addr = &b->addrs[n];

    do {
        i = draw(b, c->v4.n - 1);
    } while (nets[i].value == TCR_NETS_NONE);

    addr->family = 4;
    addr->hi = 0;
    addr->lo = nets[i].start + draw(b, nets[i + 1].start - nets[i].start);

    tcr_addr_format(addr, text);
    b->peers[n] = tcr_arena_strdup(b->arena, tcr_str(text));
}


static void
draw_questions(bench_t *b)
{
    size_t                     i;
    const tcr_image_t         *img;
    const tcr_img_routing_t   *rt;

    img = tcr_view_image(b->view, TCR_SLOT_ROUTING);
    rt = tcr_image_root(img);

    read_services(b, img);

    if (rt->coverage.v4.n < 2) {
        fail("the images have no coverage zones");
    }

    for (i = 0; i < CLIENTS; i++) {
        draw_client(b, &rt->coverage, tcr_image_vec(img, &rt->coverage.v4), i);
    }

    for (i = 0; i < PATHS; i++) {
        b->paths[i] = tcr_str(tcr_arena_printf(b->arena,
                                  "/title-%08x/1080p/segment-%05zu.m4s",
                                  draw(b, 0xffffffffu), i));
    }
}


static void
ask_http(bench_t *b)
{
    tcr_http_request_t   req;
    tcr_http_decision_t  d;

    memset(&req, 0, sizeof(req));
    req.method = TCR_STR("GET");
    req.protocol = TCR_STR("HTTP/1.1");
    req.host = b->hosts[0][draw(b, b->n_hosts[0])];
    req.path = b->paths[draw(b, PATHS)];
    req.peer = b->peers[draw(b, CLIENTS)];
    req.mem = tcr_arena_mem(b->pool);

    tcr_arena_reset(b->pool);

    if (tcr_route_http(b->view, &req, &d) != 0 || d.status != 302) {
        fail("a request was not redirected");
    }

    b->localized += d.result == TCR_RESULT_CZ;
}


static void
ask_dns(bench_t *b)
{
    size_t              client = draw(b, CLIENTS);
    tcr_dns_answer_t    a;
    tcr_dns_question_t  q;

    memset(&q, 0, sizeof(q));
    q.name = b->hosts[1][draw(b, b->n_hosts[1])];
    q.type = TCR_TYPE_A;
    q.resolver = b->addrs[client];
    q.mem = tcr_arena_mem(b->pool);

    tcr_arena_reset(b->pool);

    if (tcr_route_dns(b->view, &q, &a) != 0 || a.n_records == 0) {
        fail("a question was not answered");
    }

    b->localized += a.result == TCR_RESULT_CZ;
}


/* ------------------------------------------------------------------ runs */

static void
print_times(const char *kind, times_t *t, int64_t clock)
{
    printf("{\"kind\":\"%s\",\"n\":%" PRIu64 ",\"median\":%" PRId64
           ",\"p99\":%" PRId64 ",\"p999\":%" PRId64 ",\"max\":%" PRId64 "}\n",
           kind, t->n, quantile(t, 5000) - clock, quantile(t, 9900) - clock,
           quantile(t, 9990) - clock, quantile(t, 10000) - clock);
}


static void
run(bench_t *b, const char *kind, void (*ask)(bench_t *b), uint64_t decisions)
{
    int64_t   start, now, clock = clock_cost();
    times_t  *t = calloc(1, sizeof(*t));
    uint64_t  i;

    if (t == NULL) {
        fail("no memory");
    }

    for (i = 0; i < WARM_UP; i++) {
        ask(b);
    }

    b->localized = 0;

    for (i = 0, start = tcr_ticks_ns(); i < decisions; i++) {
        ask(b);
        now = tcr_ticks_ns();
        note(t, now - start);
        start = now;
    }

    if (b->localized != decisions) {
        fail("a client was not found in its coverage zone");
    }

    print_times(kind, t, clock);
    free(t);
}


/* Follows publications until the next one has been in force for a while. */
static void
run_swap(bench_t *b, int64_t seconds)
{
    int        rc;
    int64_t    start, now, end, clock = clock_cost();
    times_t   *t = calloc(1, sizeof(*t));
    tcr_err_t  err;

    if (t == NULL) {
        fail("no memory");
    }

    start = tcr_ticks_ns();
    end = start + seconds * 1000000000;

    for (rc = 0; start < end; start = now) {
        switch (tcr_view_refresh(b->view, start / 1000000, &err)) {

        case -1:
            fail(err.text);
            break;

        case 1:
            rc = 1;
            end = start + SETTLED_NS;
            break;
        }

        ask_http(b);
        now = tcr_ticks_ns();
        note(t, now - start);
    }

    if (rc == 0) {
        fail("no new images came");
    }

    print_times("swap", t, clock);
    free(t);
}


int
main(int argc, char **argv)
{
    bench_t   *b = calloc(1, sizeof(*b));
    uint64_t   n;
    tcr_err_t  err;

    if (b == NULL || argc < 3
        || tcr_parse_uint(tcr_str(argv[argc - 1]), 1, 1u << 30, &n) != 0)
    {
        fprintf(stderr, "usage: engine IMAGES DECISIONS\n"
                        "       engine IMAGES --swap SECONDS\n");
        return 2;
    }

    b->random = 1;
    b->arena = tcr_arena_create(0);
    b->pool = tcr_arena_create(0);
    b->view = tcr_view_create(argv[1], 1);
    tcr_view_background(b->view);

    if (tcr_view_refresh(b->view, tcr_now_ms(), &err) < 0
        || !tcr_view_ready(b->view))
    {
        fail("no images");
    }

    draw_questions(b);

    if (strcmp(argv[2], "--swap") == 0) {
        run_swap(b, (int64_t) n);

    } else {
        run(b, "http", ask_http, n);
        run(b, "dns", ask_dns, n);
    }

    tcr_view_destroy(b->view);
    tcr_arena_destroy(b->pool);
    tcr_arena_destroy(b->arena);
    free(b);
    return 0;
}
