/* SPDX-License-Identifier: Apache-2.0 */

/*
 * tcrouter where: the decision for one client, and the steps to it.  Asks the
 * engine on the images in force, exactly as the servers do.
 */

#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "tcr_clock.h"
#include "tcr_route.h"
#include "tcr_tool.h"

#define HEADERS  32


typedef struct {
    const char     *target;
    const char     *client;
    const char     *images;
    const char     *method;
    const char     *headers[HEADERS];
    size_t          n_headers;
    uint64_t        seed;
    bool            json;

    tcr_arena_t    *arena;
    tcr_view_t     *view;
    tcr_trace_t     trace;
} where_t;


static const char  help[] =
    "usage: tcrouter where URL|NAME[/TYPE] --client IP [OPTIONS]\n\n"
    "  --client IP         the client (for a name: resolver or client subnet)\n"
    "  --images DIR        image directory (" TCR_TOOL_IMAGES ")\n"
    "  --header 'N: V'     request header; may be repeated\n"
    "  --method METHOD     request method (GET)\n"
    "  --seed N            start of the random choices (1)\n"
    "  --json              the decision and its steps as JSON\n";


static tcr_str_t
header(void *ctx, tcr_str_t name)
{
    size_t      i;
    where_t    *w = ctx;
    tcr_str_t   value, key;

    for (i = 0; i < w->n_headers; i++) {
        value = tcr_str(w->headers[i]);
        key = tcr_str_split(&value, ':');

        if (value.data != NULL && tcr_str_ieq(key, name)) {
            return tcr_str_trim(value);
        }
    }

    return tcr_str_n(NULL, 0);
}


static void
json_field(tcr_buf_t *out, const char *name, tcr_str_t value)
{
    tcr_buf_printf(out, ",\"%s\":", name);

    if (value.data != NULL) {
        tcr_buf_json_str(out, value);

    } else {
        tcr_buf_printf(out, "null");
    }
}


static void
json_trace(tcr_buf_t *out, const tcr_trace_t *trace)
{
    const tcr_trace_step_t  *s;

    tcr_buf_printf(out, ",\"trace\":[");

    for (s = trace->first; s != NULL; s = s->next) {
        tcr_buf_printf(out, "{\"step\":");
        tcr_buf_json_str(out, tcr_str(s->step));
        json_field(out, "text", tcr_str(s->text));
        tcr_buf_printf(out, "}%s", s->next != NULL ? "," : "");
    }

    tcr_buf_printf(out, "]}\n");
}


static void
print_trace(const tcr_trace_t *trace)
{
    const tcr_trace_step_t  *s;

    for (s = trace->first; s != NULL; s = s->next) {
        printf("  %-14s %s\n", s->step, s->text);
    }
}


static tcr_str_t
id_of(where_t *w, const tcr_img_str_t *ref)
{
    return ref != NULL ? tcr_view_str(w->view, *ref) : tcr_str_n(NULL, 0);
}


static void
print_http(where_t *w, const tcr_http_decision_t *d)
{
    size_t     i;
    tcr_buf_t  out;

    if (!w->json) {
        print_trace(&w->trace);
        printf("%u  result %.*s, details %.*s (%s)\n", d->status,
               TCR_STR_ARG(tcr_result_name(d->result)),
               TCR_STR_ARG(tcr_details_name(d->details)),
               tcr_details_sentence(d->details));

        for (i = 0; i < d->n_urls; i++) {
            printf("%.*s\n", TCR_STR_ARG(d->urls[i]));
        }

        return;
    }

    tcr_buf_init(&out, 1u << 24);
    tcr_buf_printf(&out, "{\"status\":%u", d->status);
    json_field(&out, "result", tcr_result_name(d->result));
    json_field(&out, "details", tcr_details_name(d->details));
    json_field(&out, "client", d->client);
    json_field(&out, "service", id_of(w, d->entry ? &d->entry->id : NULL));
    json_field(&out, "cache_group", id_of(w, d->group ? &d->group->id : NULL));
    json_field(&out, "cache", id_of(w, d->cache ? &d->cache->id : NULL));
    json_field(&out, "location", d->n_urls ? d->urls[0]
                                           : tcr_str_n(NULL, 0));
    json_trace(&out, &w->trace);
    fwrite(out.data, 1, out.len, stdout);
    tcr_buf_free(&out);
}


static int
where_url(where_t *w)
{
    tcr_str_t             rest = tcr_str(w->target);
    tcr_http_request_t    req;
    tcr_http_decision_t   d;
    size_t                at;

    memset(&req, 0, sizeof(req));

    req.secure = tcr_str_starts(rest, TCR_STR("https://"));
    at = req.secure ? 8 : 7;
    rest = tcr_str_n(rest.data + at, rest.len - at);

    at = tcr_str_find(rest, '/');
    req.host = tcr_str_n(rest.data, at);
    rest = at < rest.len ? tcr_str_n(rest.data + at, rest.len - at)
                         : TCR_STR("/");
    req.path = tcr_str_split(&rest, '?');
    req.query = rest;

    req.method = tcr_str(w->method);
    req.protocol = TCR_STR("HTTP/1.1");
    req.peer = tcr_str(w->client);
    req.header = header;
    req.header_ctx = w;
    req.mem = tcr_arena_mem(w->arena);
    req.trace = &w->trace;

    if (tcr_route_http(w->view, &req, &d) != 0) {
        return tcr_tool_fail("where", "no memory for the decision");
    }

    print_http(w, &d);
    return TCR_TOOL_OK;
}


static const struct {
    const char  *name;
    uint16_t     type;
} types[] = {
    { "A", 1 }, { "NS", 2 }, { "CNAME", 5 }, { "SOA", 6 }, { "MX", 15 },
    { "TXT", 16 }, { "AAAA", 28 }, { "SRV", 33 }, { "DS", 43 },
    { "ANY", 255 }, { "CAA", 257 },
};


static const char *
type_name(uint16_t type)
{
    size_t  i;

    for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (types[i].type == type) {
            return types[i].name;
        }
    }

    return "?";
}


static void
print_record(const tcr_dns_rr_t *rr)
{
    printf("%.*s. %u IN %s %.*s%s", TCR_STR_ARG(rr->owner), rr->record.ttl,
           type_name(rr->record.type), TCR_STR_ARG(rr->record.data),
           rr->record.scope ? "" : "\n");

    if (rr->record.scope != 0) {
        printf(" ; holds for /%u around the client\n", rr->record.scope);
    }
}


static const char *
rcode_name(unsigned rcode)
{
    return rcode == 0 ? "NOERROR" : rcode == 3 ? "NXDOMAIN" : "REFUSED";
}


static void
print_dns(where_t *w, const tcr_dns_reply_t *r)
{
    char       data[1024];
    size_t     i;
    tcr_buf_t  out;

    if (!w->json) {
        print_trace(&w->trace);
        printf("%s  result %.*s, details %.*s\n", rcode_name(r->rcode),
               TCR_STR_ARG(tcr_result_name(r->last.result)),
               TCR_STR_ARG(tcr_details_name(r->last.details)));

        for (i = 0; i < r->n_answer; i++) {
            print_record(&r->answer[i]);
        }

        return;
    }

    tcr_buf_init(&out, 1u << 24);
    tcr_buf_printf(&out, "{\"rcode\":\"%s\"", rcode_name(r->rcode));
    json_field(&out, "result", tcr_result_name(r->last.result));
    json_field(&out, "details", tcr_details_name(r->last.details));
    json_field(&out, "service", id_of(w, r->last.service
                                         ? &r->last.service->id : NULL));
    tcr_buf_printf(&out, ",\"answer\":[");

    for (i = 0; i < r->n_answer; i++) {
        snprintf(data, sizeof(data), "%.*s. %u IN %s %.*s",
                 TCR_STR_ARG(r->answer[i].owner), r->answer[i].record.ttl,
                 type_name(r->answer[i].record.type),
                 TCR_STR_ARG(r->answer[i].record.data));
        tcr_buf_printf(&out, "%s", i ? "," : "");
        tcr_buf_json_str(&out, tcr_str(data));
    }

    tcr_buf_printf(&out, "]");
    json_trace(&out, &w->trace);
    fwrite(out.data, 1, out.len, stdout);
    tcr_buf_free(&out);
}


static int
where_name(where_t *w)
{
    size_t               i;
    tcr_str_t            type = tcr_str(w->target), name;
    tcr_dns_reply_t      reply;
    tcr_dns_question_t   q;

    memset(&q, 0, sizeof(q));
    name = tcr_str_split(&type, '/');
    q.name = name;
    q.type = type.data != NULL ? 0 : TCR_TYPE_A;

    for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (type.data != NULL && tcr_str_ieq(type, tcr_str(types[i].name))) {
            q.type = types[i].type;
        }
    }

    if (q.type == 0) {
        return tcr_tool_usage("where", "unknown record type \"%.*s\"",
                              TCR_STR_ARG(type));
    }

    if (tcr_addr_parse(tcr_str(w->client), &q.resolver) != 0) {
        return tcr_tool_usage("where", "\"%s\" is not an address", w->client);
    }

    q.mem = tcr_arena_mem(w->arena);
    q.trace = &w->trace;

    if (tcr_resolve_dns(w->view, &q, &reply) != 0) {
        return tcr_tool_fail("where", "no memory for the decision");
    }

    print_dns(w, &reply);
    return TCR_TOOL_OK;
}


static int
ask(where_t *w)
{
    int        rc;
    tcr_err_t  err = { "no image has been published there yet" };

    w->view = tcr_view_create(w->images, w->seed);
    w->arena = tcr_arena_create(0);
    w->trace.arena = w->arena;

    if (w->view == NULL || w->arena == NULL) {
        rc = tcr_tool_fail("where", "no memory");

    } else if (tcr_view_refresh(w->view, tcr_now_ms(), &err) < 0
               || !tcr_view_ready(w->view))
    {
        rc = tcr_tool_fail("where", "\"%s\": %s", w->images, err.text);

    } else if (strncmp(w->target, "http://", 7) == 0
               || strncmp(w->target, "https://", 8) == 0)
    {
        rc = where_url(w);

    } else {
        rc = where_name(w);
    }

    tcr_view_destroy(w->view);
    tcr_arena_destroy(w->arena);
    return rc;
}


static int
add_header(where_t *w, const char *text)
{
    if (strchr(text, ':') == NULL) {
        tcr_tool_usage("where", "--header \"%s\": expected \"NAME: VALUE\"",
                       text);
        return -1;
    }

    if (w->n_headers == HEADERS) {
        tcr_tool_usage("where", "more than %d headers", HEADERS);
        return -1;
    }

    w->headers[w->n_headers++] = text;
    return 0;
}


/* 0 would have the sequence begin anywhere. */
static int
read_seed(where_t *w, const char *text)
{
    if (tcr_parse_uint(tcr_str(text), 1, UINT64_MAX, &w->seed) != 0) {
        tcr_tool_usage("where", "--seed \"%s\": expected a number from 1 on",
                       text);
        return -1;
    }

    return 0;
}


static int
read_options(where_t *w, int argc, char **argv)
{
    int  c;

    static const struct option  options[] = {
        { "client", required_argument, NULL, 'c' },
        { "images", required_argument, NULL, 'i' },
        { "header", required_argument, NULL, 'H' },
        { "method", required_argument, NULL, 'm' },
        { "seed", required_argument, NULL, 's' },
        { "json", no_argument, NULL, 'j' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 }
    };

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (c) {
        case 'c': w->client = optarg; break;
        case 'i': w->images = optarg; break;
        case 'm': w->method = optarg; break;
        case 'j': w->json = true; break;
        case 'h': fputs(help, stdout); return 1;

        case 'H':
            if (add_header(w, optarg) != 0) {
                return -1;
            }
            break;

        case 's':
            if (read_seed(w, optarg) != 0) {
                return -1;
            }
            break;

        default:
            return -1;
        }
    }

    if (optind + 1 != argc || w->client == NULL) {
        fputs(help, stderr);
        return -1;
    }

    w->target = argv[optind];
    return 0;
}


int
tcr_tool_where(int argc, char **argv)
{
    int      rc;
    where_t  w = { .images = TCR_TOOL_IMAGES, .method = "GET", .seed = 1 };

    rc = read_options(&w, argc, argv);
    return rc == 0 ? ask(&w) : rc == 1 ? TCR_TOOL_OK : TCR_TOOL_USAGE;
}
