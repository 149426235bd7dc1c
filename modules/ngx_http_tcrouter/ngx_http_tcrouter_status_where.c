/* SPDX-License-Identifier: Apache-2.0 */

/*
 * "Where would this go": a question of the reader, put to the engine exactly
 * as a client's, with the steps of the decision.  It is not counted.
 */

#include <inttypes.h>

#include "ngx_http_tcrouter_status.h"


static const struct {
    const char  *name;
    uint16_t     type;
} types[] = {
    { "A", TCR_TYPE_A }, { "AAAA", TCR_TYPE_AAAA },
    { "CNAME", TCR_TYPE_CNAME }, { "TXT", TCR_TYPE_TXT },
    { "NS", TCR_TYPE_NS }, { "SOA", TCR_TYPE_SOA }, { "MX", TCR_TYPE_MX },
    { "SRV", TCR_TYPE_SRV }, { "DS", TCR_TYPE_DS }, { "CAA", TCR_TYPE_CAA },
    { "ANY", TCR_TYPE_ANY }, { NULL, 0 }
};


static void
put_field(status_t *s, const char *name, const char *title,
    const char *class, const char *hint, tcr_str_t value)
{
    tcr_buf_printf(s->out, "<label class=%s>%s<input name=%s "
                   "placeholder=\"%s\" value=\"", class, title, name, hint);
    ngx_http_tcrouter_status_text(s, value);
    ngx_http_tcrouter_status_html(s, "\" autocomplete=off spellcheck=false>"
                                     "</label>");
}


static void
put_steps(status_t *s, const tcr_trace_t *trace)
{
    const tcr_trace_step_t  *step;

    ngx_http_tcrouter_status_html(s, "<ol class=steps>");

    for (step = trace->first; step != NULL; step = step->next) {
        ngx_http_tcrouter_status_html(s, "<li><span class=dim>");
        ngx_http_tcrouter_status_text(s, tcr_str(step->step));
        ngx_http_tcrouter_status_html(s, "</span><span class=wrap>");
        ngx_http_tcrouter_status_text(s, tcr_str(step->text));
        ngx_http_tcrouter_status_html(s, "</span></li>");
    }

    ngx_http_tcrouter_status_html(s, "</ol>");
}


static void
put_result(status_t *s, const char *status, ngx_uint_t good,
    tcr_result_e result, tcr_details_e details)
{
    tcr_buf_printf(s->out, "<p class=answer><b class=%s>%s</b> ",
                   good ? "up" : "down", status);
    ngx_http_tcrouter_status_text(s, tcr_result_name(result));

    if (details != TCR_DETAILS_NONE) {
        ngx_http_tcrouter_status_html(s, ", ");
        ngx_http_tcrouter_status_text(s, tcr_details_name(details));
        ngx_http_tcrouter_status_html(s, " <span class=dim>(");
        ngx_http_tcrouter_status_text(s,
                                  tcr_str(tcr_details_sentence(details)));
        ngx_http_tcrouter_status_html(s, ")</span>");
    }
}


static void
put_line(status_t *s, tcr_str_t text)
{
    ngx_http_tcrouter_status_html(s, "<br><code class=wrap>");
    ngx_http_tcrouter_status_text(s, text);
    ngx_http_tcrouter_status_html(s, "</code>");
}


/* ------------------------------------------------------------------ HTTP */

static void
ask_http(status_t *s, tcr_str_t url, tcr_str_t client, tcr_trace_t *trace)
{
    char                 status[NGX_INT_T_LEN + 1];
    size_t               i, at;
    tcr_http_request_t   req;
    tcr_http_decision_t  d;

    ngx_memzero(&req, sizeof(tcr_http_request_t));
    req.secure = tcr_str_starts(url, TCR_STR("https://"));
    at = req.secure ? 8 : 7;
    url = tcr_str_n(url.data + at, url.len - at);

    at = ngx_min(tcr_str_find(url, '/'), tcr_str_find(url, '?'));
    req.host = tcr_str_n(url.data, at);
    req.query = tcr_str_n(url.data + at, url.len - at);
    req.query.len = tcr_str_find(req.query, '#');
    req.path = tcr_str_split(&req.query, '?');

    if (req.path.len == 0) {
        req.path = TCR_STR("/");
    }

    req.method = TCR_STR("GET");
    req.protocol = TCR_STR("HTTP/1.1");
    req.peer = client;
    req.mem = s->mem;
    req.trace = trace;

    (void) tcr_route_http(s->view, &req, &d);

    ngx_sprintf((u_char *) status, "%ud%Z", (unsigned) d.status);
    put_result(s, status, d.status < NGX_HTTP_BAD_REQUEST, d.result,
               d.details);

    for (i = 0; i < d.n_urls; i++) {
        put_line(s, d.urls[i]);
    }

    ngx_http_tcrouter_status_html(s, "</p>");
}


/* ------------------------------------------------------------------- DNS */

static const char *
type_name(uint16_t type)
{
    ngx_uint_t  i;

    for (i = 0; types[i].name != NULL; i++) {
        if (types[i].type == type) {
            return types[i].name;
        }
    }

    return "?";
}


/* "NAME" is asked for A, "NAME/TYPE" for that; 0: there is no such type. */

static uint16_t
split_type(tcr_str_t *name)
{
    tcr_str_t   type = *name;
    ngx_uint_t  i;

    *name = tcr_str_split(&type, '/');

    if (type.data == NULL) {
        return TCR_TYPE_A;
    }

    for (i = 0; types[i].name != NULL; i++) {
        if (tcr_str_ieq(type, tcr_str(types[i].name))) {
            return types[i].type;
        }
    }

    return 0;
}


static void
put_record(status_t *s, const tcr_dns_rr_t *rr)
{
    ngx_http_tcrouter_status_html(s, "<br><code class=wrap>");
    ngx_http_tcrouter_status_text(s, rr->owner);
    tcr_buf_printf(s->out, ". %" PRIu32 " IN %s ", rr->record.ttl,
                   type_name(rr->record.type));
    ngx_http_tcrouter_status_text(s, rr->record.data);
    ngx_http_tcrouter_status_html(s, "</code>");
}


static void
ask_dns(status_t *s, tcr_str_t name, const tcr_addr_t *client,
    tcr_trace_t *trace)
{
    size_t               i;
    tcr_dns_reply_t      reply;
    tcr_dns_question_t   q;

    ngx_memzero(&q, sizeof(tcr_dns_question_t));
    q.type = split_type(&name);
    q.name = name;
    q.resolver = *client;
    q.mem = s->mem;
    q.trace = trace;

    if (q.type == 0) {
        ngx_http_tcrouter_status_html(s, "<p class=\"answer down\">There is no "
                                         "record type of that name.</p>");
        return;
    }

    if (tcr_resolve_dns(s->view, &q, &reply) != 0) {
        ngx_http_tcrouter_status_html(s, "<p class=\"answer down\">No "
                                         "memory.</p>");
        return;
    }

    put_result(s, reply.rcode == 0 ? "NOERROR"
                                   : reply.rcode == 3 ? "NXDOMAIN" : "REFUSED",
               reply.rcode == 0, reply.last.result, reply.last.details);

    for (i = 0; i < reply.n_answer; i++) {
        put_record(s, &reply.answer[i]);
    }

    ngx_http_tcrouter_status_html(s, "</p>");
}


/* --------------------------------------------------------------- section */

static ngx_uint_t
is_url(tcr_str_t url)
{
    return tcr_str_starts(url, TCR_STR("http://"))
           || tcr_str_starts(url, TCR_STR("https://"));
}


static void
answer(status_t *s, tcr_str_t url, tcr_str_t client)
{
    tcr_addr_t   addr;
    tcr_trace_t  trace;

    if (tcr_addr_parse(client, &addr) != 0) {
        ngx_http_tcrouter_status_html(s, "<p class=\"answer down\">The client "
                                         "is not an address.</p>");
        return;
    }

    ngx_memzero(&trace, sizeof(tcr_trace_t));
    trace.arena = tcr_arena_create(0);

    if (trace.arena == NULL) {
        return;
    }

    if (is_url(url)) {
        ask_http(s, url, client, &trace);

    } else {
        ask_dns(s, url, &addr, &trace);
    }

    put_steps(s, &trace);
    tcr_arena_destroy(trace.arena);
}


void
ngx_http_tcrouter_status_where(status_t *s)
{
    tcr_str_t  url, client;

    url = ngx_http_tcrouter_page_arg(s, "url");
    client = ngx_http_tcrouter_page_arg(s, "client");

    ngx_http_tcrouter_status_html(s, "<section id=where><h2>Where would this "
                                     "go?</h2><form>");
    put_field(s, "url", "URL, or host name for DNS (NAME or NAME/TYPE)",
              "wide", "http://edge.service.example.net/path", url);
    put_field(s, "client", "Address of the client or resolver", "narrow",
              "192.0.2.1",
              client.data != NULL
              ? client
              : ngx_http_tcrouter_str(s->request->connection->addr_text));
    ngx_http_tcrouter_status_html(s, "<button>Ask</button></form>");

    if (url.len != 0 && client.len != 0) {
        answer(s, tcr_str_trim(url), tcr_str_trim(client));
    }

    ngx_http_tcrouter_status_html(s, "</section>");
}
