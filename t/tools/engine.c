/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The engine as a door of the conformance runner: recorded questions on
 * stdin, one JSON object a line ({"id", "request"} or {"id", "query"}), the
 * engine's answers on stdout in the recordings' own form.
 *
 * usage: engine IMAGES [SEED]
 */

#include <stdio.h>
#include <stdlib.h>

#include "tcr_clock.h"
#include "tcr_json.h"
#include "tcr_route.h"

#define LINE_MAX_BYTES  (8u << 20)


typedef struct {
    tcr_view_t        *view;
    tcr_arena_t       *arena;
    const tcr_json_t  *headers;
    tcr_buf_t          out;
} door_t;


static tcr_str_t
field(const tcr_json_t *object, const char *name)
{
    return tcr_json_str(tcr_json_get(object, name), tcr_str_n(NULL, 0));
}


/* headers: [[name, value], ...]; values without blanks at the ends */
static tcr_str_t
header(void *ctx, tcr_str_t name)
{
    door_t            *door = ctx;
    const tcr_json_t  *pair, *key;

    for (pair = tcr_json_first(door->headers); pair; pair = pair->next) {
        key = tcr_json_first(pair);

        if (key != NULL && key->next != NULL
            && tcr_str_ieq(tcr_json_required_str(key), name))
        {
            return tcr_str_trim(tcr_json_required_str(key->next));
        }
    }

    return tcr_str_n(NULL, 0);
}


/* Absolute form gives host and path; what a server module would pass on. */
static void
read_target(const tcr_json_t *r, tcr_http_request_t *req)
{
    size_t      at;
    tcr_str_t   target = field(r, "target"), rest;

    if (target.len > 0 && target.data[0] != '/') {
        at = tcr_str_starts(target, TCR_STR("https://")) ? 8
             : tcr_str_starts(target, TCR_STR("http://")) ? 7 : 0;

        if (at != 0) {
            rest = tcr_str_n(target.data + at, target.len - at);
            at = tcr_str_find(rest, '/');
            req->host = tcr_str_n(rest.data, at);
            target = at < rest.len
                     ? tcr_str_n(rest.data + at, rest.len - at)
                     : TCR_STR("/");
        }
    }

    req->path = tcr_str_split(&target, '?');
    req->query = target;
}


static void
read_request(door_t *door, const tcr_json_t *r, tcr_http_request_t *req)
{
    tcr_str_t  type;

    door->headers = tcr_json_get(r, "headers");

    req->method = field(r, "method");
    req->protocol = field(r, "version");
    req->host = header(door, TCR_STR("Host"));
    req->secure = tcr_str_eq(field(r, "scheme"), TCR_STR("https"));
    req->peer = TCR_STR("127.0.0.1");
    req->override = true;
    req->header = header;
    req->header_ctx = door;
    req->mem = tcr_arena_mem(door->arena);
    read_target(r, req);

    type = header(door, TCR_STR("Content-Type"));
    type = tcr_str_trim(tcr_str_split(&type, ';'));

    if (tcr_str_eq(req->method, TCR_STR("POST"))
        && tcr_str_ieq(type, TCR_STR("application/x-www-form-urlencoded")))
    {
        req->form = field(r, "body");
    }
}


static void
add_header(tcr_buf_t *out, const char **comma, tcr_str_t name,
    tcr_str_t value)
{
    tcr_buf_printf(out, "%s[", *comma);
    tcr_buf_json_str(out, name);
    tcr_buf_char(out, ',');
    tcr_buf_json_str(out, value);
    tcr_buf_char(out, ']');
    *comma = ",";
}


static void
print_headers(door_t *door, const tcr_http_decision_t *d)
{
    uint32_t                i;
    const char             *comma = "";
    const tcr_image_t      *img;
    const tcr_img_pair_t   *pairs;

    img = tcr_view_image(door->view, TCR_SLOT_ROUTING);

    if (d->service != NULL && d->status < 400) {
        pairs = tcr_image_vec(img, &d->service->response_headers);

        for (i = 0; i < d->service->response_headers.n; i++) {
            add_header(&door->out, &comma, tcr_image_str(img, pairs[i].name),
                       tcr_image_str(img, pairs[i].value));
        }
    }

    if (d->location.data != NULL) {
        add_header(&door->out, &comma, TCR_STR("Location"), d->location);
    }

    if (d->body.data != NULL) {
        add_header(&door->out, &comma, TCR_STR("Content-Type"),
                   TCR_STR("application/json"));
    }
}


static void
print_line(door_t *door, const char *line, size_t len)
{
    tcr_buf_printf(&door->out, ",\"access\":[");
    tcr_buf_json_str(&door->out, tcr_str_n(line, len));
    tcr_buf_printf(&door->out, "]}\n");
}


/* Files that a server module serves itself. */
static bool
is_file(const tcr_http_request_t *req)
{
    return tcr_str_eq(req->path, TCR_STR("/crossdomain.xml"))
           || tcr_str_eq(req->path, TCR_STR("/clientaccesspolicy.xml"));
}


static void
answer_http(door_t *door, const tcr_json_t *r)
{
    char                 *line;
    size_t                size;
    const tcr_image_t    *img;
    tcr_log_times_t       times = { .arrival_ms = tcr_now_ms() };
    tcr_http_request_t    req;
    tcr_http_decision_t   d;

    memset(&req, 0, sizeof(req));
    read_request(door, r, &req);
    tcr_route_http(door->view, &req, &d);

    if (is_file(&req)) {
        tcr_str_t  client = d.client;

        memset(&d, 0, sizeof(d));
        d.client = client;
    }

    tcr_buf_printf(&door->out, "\"response\":{\"status\":%u,\"headers\":[",
                   d.status ? d.status : 200);
    print_headers(door, &d);
    tcr_buf_printf(&door->out, "],\"body\":");
    tcr_buf_json_str(&door->out, d.body.data ? d.body : TCR_STR(""));
    tcr_buf_printf(&door->out, "}");

    img = tcr_view_image(door->view, TCR_SLOT_ROUTING);
    size = tcr_log_http_size(img, &req, &d, TCR_LOG_ESCAPE);
    line = tcr_arena_alloc(door->arena, size);
    print_line(door, line, tcr_log_http(img, &req, &d, &times, line, size));
}


static const struct {
    const char  *name;
    uint16_t     type;
} types[] = {
    { "A", 1 }, { "NS", 2 }, { "CNAME", 5 }, { "SOA", 6 }, { "PTR", 12 },
    { "MX", 15 }, { "TXT", 16 }, { "AAAA", 28 }, { "SRV", 33 },
    { "NAPTR", 35 }, { "DS", 43 }, { "RRSIG", 46 }, { "NSEC", 47 },
    { "DNSKEY", 48 }, { "SPF", 99 }, { "IXFR", 251 }, { "AXFR", 252 },
    { "ANY", 255 }, { "CAA", 257 }, { "SIG", 24 }, { "HINFO", 13 },
    { "SVCB", 64 }, { "HTTPS", 65 }, { "LOC", 29 }, { "DNAME", 39 },
    { "TLSA", 52 },
};


static uint16_t
type_number(tcr_str_t name)
{
    size_t    i;
    uint64_t  n;

    for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (tcr_str_eq(name, tcr_str(types[i].name))) {
            return types[i].type;
        }
    }

    if (tcr_str_starts(name, TCR_STR("TYPE"))
        && tcr_parse_uint(tcr_str_n(name.data + 4, name.len - 4), 0, 65535, &n)
           == 0)
    {
        return (uint16_t) n;
    }

    return 10;    /* NULL: no name here has it */
}


static const char *
type_text(uint16_t type)
{
    size_t  i;

    for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (types[i].type == type) {
            return types[i].name;
        }
    }

    return "TYPE";
}


/* The longest source prefix, the first of equal ones (spec/dns.md §7). */
static void
read_subnet(const tcr_json_t *query, tcr_dns_question_t *q)
{
    int64_t            bits;
    tcr_addr_t         addr;
    const tcr_json_t  *ecs, *text;

    for (ecs = tcr_json_first(tcr_json_get(query, "ecs")); ecs;
         ecs = ecs->next)
    {
        text = tcr_json_first(ecs);
        bits = text != NULL ? tcr_json_int(text->next, 0) : 0;

        if (bits > (int64_t) q->subnet_len
            && tcr_addr_parse(tcr_json_required_str(text), &addr) == 0)
        {
            q->subnet = addr;
            q->subnet_len = (uint32_t) bits;
        }
    }
}


static void
print_rrs(door_t *door, const tcr_dns_rr_t *rr, size_t n)
{
    char       *text;
    size_t      i;
    tcr_buf_t  *out = &door->out;

    for (i = 0; i < n; i++) {
        text = tcr_arena_printf(door->arena, "%.*s. %u IN %s %.*s",
                                TCR_STR_ARG(rr[i].owner), rr[i].record.ttl,
                                type_text(rr[i].record.type),
                                TCR_STR_ARG(rr[i].record.data));
        tcr_buf_printf(out, "%s", i ? "," : "");
        tcr_buf_json_str(out, tcr_str(text));
    }
}


static void
answer_dns(door_t *door, const tcr_json_t *query)
{
    char                 line[8192];
    size_t               i, len;
    const char          *rcode;
    tcr_log_dns_t        log;
    tcr_dns_reply_t      reply;
    tcr_dns_question_t   q;

    memset(&q, 0, sizeof(q));
    memset(&log, 0, sizeof(log));

    q.name = field(query, "name");
    q.type = type_number(field(query, "type"));
    q.mem = tcr_arena_mem(door->arena);
    tcr_addr_parse(field(query, "src"), &q.resolver);
    read_subnet(query, &q);

    rcode = tcr_resolve_dns(door->view, &q, &reply) != 0 ? "SERVFAIL"
            : reply.rcode == 3 ? "NXDOMAIN"
            : reply.rcode == 5 ? "REFUSED" : "NOERROR";

    tcr_buf_printf(&door->out, "\"response\":{\"rcode\":\"%s\",\"flags\":"
                   "\"QR%s\",\"answer\":[", rcode, reply.aa ? " AA" : "");
    print_rrs(door, reply.answer, reply.n_answer);
    tcr_buf_printf(&door->out, "],\"authority\":[");
    print_rrs(door, reply.authority, reply.n_authority);
    tcr_buf_printf(&door->out, "],\"additional\":[]}");

    log.name = q.name;
    log.type = q.type;
    log.has_id = true;
    log.rcode = rcode;
    log.times.arrival_ms = tcr_now_ms();
    log.n_records = reply.n_answer;
    log.records = tcr_arena_calloc(door->arena, reply.n_answer + 1,
                                   sizeof(*log.records));

    for (i = 0; i < reply.n_answer; i++) {
        ((tcr_dns_record_t *) log.records)[i] = reply.answer[i].record;
    }

    len = tcr_log_dns(door->view, &q, &reply.last, &log, line, sizeof(line));
    print_line(door, line, len);
}


static void
answer(door_t *door, char *line, size_t len)
{
    tcr_err_t          err;
    tcr_json_doc_t     doc;
    const tcr_json_t  *request, *query;

    tcr_arena_reset(door->arena);
    tcr_buf_reset(&door->out);

    if (tcr_json_parse(&doc, door->arena, "stdin", tcr_str_n(line, len), &err)
        != 0)
    {
        fprintf(stderr, "engine: %s\n", err.text);
        return;
    }

    request = tcr_json_get(doc.root, "request");
    query = tcr_json_get(doc.root, "query");

    tcr_buf_printf(&door->out, "{\"id\":");
    tcr_buf_json_str(&door->out, field(doc.root, "id"));
    tcr_buf_char(&door->out, ',');

    if (tcr_json_get(request, "method") != NULL) {
        answer_http(door, request);

    } else if (tcr_json_get(query, "name") != NULL) {
        answer_dns(door, query);

    } else {
        tcr_buf_printf(&door->out, "\"response\":null}\n");
    }

    fwrite(door->out.data, 1, door->out.len, stdout);
}


int
main(int argc, char **argv)
{
    char       *line = NULL;
    door_t      door;
    size_t      cap = 0;
    ssize_t     n;
    tcr_err_t   err;

    if (argc < 2) {
        fprintf(stderr, "usage: engine IMAGES [SEED] < QUESTIONS\n");
        return 2;
    }

    door.arena = tcr_arena_create(1u << 20);
    door.view = tcr_view_create(argv[1], argc > 2 ? strtoull(argv[2], NULL, 10)
                                                  : 1);
    tcr_buf_init(&door.out, LINE_MAX_BYTES);

    if (tcr_view_refresh(door.view, tcr_now_ms(), &err) < 0
        || !tcr_view_ready(door.view))
    {
        fprintf(stderr, "engine: no image in %s\n", argv[1]);
        return 1;
    }

    while ((n = getline(&line, &cap, stdin)) > 0) {
        answer(&door, line, (size_t) n);
    }

    free(line);
    tcr_buf_free(&door.out);
    tcr_view_destroy(door.view);
    tcr_arena_destroy(door.arena);
    return 0;
}
