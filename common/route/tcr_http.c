/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The steps of an HTTP question (spec/routing.md §3): which client, which
 * service, which group, which cache, which answer.
 */

#include "tcr_http.h"
#include "tcr_match.h"
#include "tcr_order.h"
#include "tcr_path.h"

/* Candidates ordered on the stack; a larger group borrows request memory. */
#define FEW  128


/* 1. The client: an override by header, by parameter, or the peer (§2). */
static void
find_client(tcr_http_flow_t *f)
{
    tcr_str_t                  text = { NULL, 0 };
    const tcr_http_request_t  *req = f->req;

    if (req->override) {

        if (req->header != NULL) {
            text = req->header(req->header_ctx, TCR_STR("X-MM-Client-IP"));
        }

        if (text.data == NULL) {
            text = f->params.client;
        }
    }

    if (text.data == NULL) {
        text = req->peer;
    }

    f->out->client = text;
    f->family = tcr_str_find(text, ':') < text.len ? 6 : 4;

    if (tcr_addr_parse_override(text, &f->out->client_addr) != 0) {
        f->out->client_addr.family = 0;
    }

    TCR_TRACE(req->trace, "client", "\"%.*s\"%s", TCR_STR_ARG(text),
              f->out->client_addr.family ? "" : " is not an address");
}


/* Host without port, in lower case; absent without a Host. */
static tcr_str_t
host_name(const tcr_http_request_t *req)
{
    char       *out;
    size_t      i, len;
    tcr_str_t   host = req->host;

    if (host.data == NULL) {
        return host;
    }

    len = tcr_str_find(host, host.len && host.data[0] == '[' ? ']' : ':');
    out = tcr_mem_alloc(&req->mem, len + 1);

    if (out == NULL) {
        return tcr_str_n(NULL, 0);
    }

    for (i = 0; i < len; i++) {
        out[i] = tcr_lower(host.data[i]);
    }

    return tcr_str_n(out, len);
}


/* 2. The service (§1). */
static const tcr_img_service_t *
find_service(tcr_http_flow_t *f)
{
    uint32_t                  index;
    tcr_match_input_t         in;
    const tcr_img_service_t  *s;

    f->host = host_name(f->req);

    if (f->host.data == NULL) {
        TCR_TRACE(f->req->trace, "service", "the request names no host");
        return NULL;
    }

    memset(&in, 0, sizeof(in));
    in.host = f->host;
    in.path = f->path;
    in.query = f->req->query;
    in.header = f->req->header;
    in.header_ctx = f->req->header_ctx;
    in.mem = &f->req->mem;

    index = tcr_match_service(f->cdn, &in);

    if (index == TCR_NONE) {
        TCR_TRACE(f->req->trace, "service", "none matches \"%.*s\"",
                  TCR_STR_ARG(f->host));
        return NULL;
    }

    s = &f->cdn->services[index];
    TCR_TRACE(f->req->trace, "service", "\"%.*s\"",
              TCR_STR_ARG(tcr_cdn_str(f->cdn, s->id)));
    return s;
}


static int
refuse(tcr_http_flow_t *f, tcr_result_e result, tcr_details_e details)
{
    f->out->result = result;
    f->out->details = details;
    f->out->status = 503;

    TCR_TRACE(f->req->trace, "answer", "503: %s",
              tcr_details_sentence(details));
    return 0;
}


static tcr_str_t
json_body(const tcr_mem_t *mem, tcr_str_t before, tcr_str_t url,
    tcr_str_t after)
{
    char       *data;
    size_t      size = before.len + url.len + after.len;
    tcr_out_t   out;

    data = tcr_mem_alloc(mem, size);

    if (data == NULL) {
        return tcr_str_n(NULL, 0);
    }

    out = (tcr_out_t) { data, data + size, false };
    tcr_out_str(&out, before);
    tcr_out_str(&out, url);
    tcr_out_str(&out, after);

    return tcr_str_n(data, size);
}


/* trred=false wins over format=json (§10.1). */
int
tcr_http_answer_one(tcr_http_flow_t *f, tcr_str_t url)
{
    tcr_str_t            *urls;
    tcr_http_decision_t  *out = f->out;

    url = tcr_url_strip(f, url);
    urls = tcr_mem_alloc(&f->req->mem, sizeof(*urls));

    if (url.data == NULL || urls == NULL) {
        out->status = 500;
        return -1;
    }

    urls[0] = url;
    out->urls = urls;
    out->n_urls = 1;
    out->status = 200;

    if (f->params.trred.data != NULL
        && tcr_str_ieq(f->params.trred, TCR_STR("false")))
    {
        out->listed = true;
        out->body = json_body(&f->req->mem, TCR_STR("{\"locations\":[\""),
                              url, TCR_STR("\"]}"));

    } else if (tcr_str_eq(f->params.format, TCR_STR("json"))) {
        out->body = json_body(&f->req->mem, TCR_STR("{\"location\": \""),
                              url, TCR_STR("\" }"));

    } else {
        out->status = 302;
        out->location = url;
    }

    TCR_TRACE(f->req->trace, "answer", "%u %.*s", out->status,
              TCR_STR_ARG(url));
    return 0;
}


/* No cache: the bypass host, if there is one (§7). */
static int
bypass(tcr_http_flow_t *f, const tcr_img_service_t *s)
{
    if (s->bypass_fqdn == 0) {
        f->out->reason = f->out->details;
        return refuse(f, TCR_RESULT_MISS, TCR_DETAILS_DS_NO_BYPASS);
    }

    f->out->result = TCR_RESULT_DS_REDIRECT;
    return tcr_http_answer_one(f, tcr_url_bypass(f, s));
}


/*
 * One of the first dispersion.limit caches for this key: the nearest, or a
 * random one of them when they are shuffled (§6.4).
 */
static uint32_t
pick_cache(tcr_http_flow_t *f, const tcr_img_service_t *s, tcr_usable_t *u)
{
    size_t          n, limit = s->dispersion_limit;
    tcr_ordered_t   few[FEW], *nodes = few;

    if (u->n > FEW) {
        nodes = tcr_mem_alloc(&f->req->mem, u->n * sizeof(*nodes));

        if (nodes == NULL) {
            return TCR_NONE;
        }
    }

    n = tcr_order_caches(f->cdn, u, tcr_http_hash(f, s), limit, nodes);

    if (n == 0) {
        return TCR_NONE;
    }

    if (n > 1 && (s->flags & TCR_SERVICE_SHUFFLED)) {
        return nodes[tcr_view_random(f->view, (uint32_t) n)].node;
    }

    return nodes[0].node;
}


static void
note_place(tcr_http_flow_t *f, const tcr_locate_t *l)
{
    f->out->result = l->result;
    f->out->details = l->details;
    f->out->has_point = l->has_point;
    f->out->point = l->point;
}


/* 4. The cache, and the URL on it. */
static int
answer_cache(tcr_http_flow_t *f, const tcr_img_service_t *s, tcr_locate_t *l)
{
    uint32_t                     cache;
    const tcr_img_assignment_t  *assigned;

    f->out->group = l->usable.group;
    cache = pick_cache(f, s, &l->usable);
    assigned = cache != TCR_NONE ? tcr_assignment_of(f->cdn, s, cache) : NULL;

    if (assigned == NULL) {
        f->out->status = 500;
        return -1;
    }

    f->out->cache = &f->cdn->caches[cache];
    TCR_TRACE(f->req->trace, "cache", "\"%.*s\"",
              TCR_STR_ARG(tcr_cdn_str(f->cdn, f->out->cache->id)));

    return tcr_http_answer_one(f, tcr_url_cache(f, s, assigned,
                                                l->redirect_path));
}


/* 3. One service: may it answer, and from where? */
static int
route_single(tcr_http_flow_t *f, const tcr_img_service_t *s)
{
    bool           found;
    tcr_locate_t   l;

    if (!(s->flags & (f->req->secure ? TCR_SERVICE_SSL_ENABLED
                                     : TCR_SERVICE_ACCEPT_HTTP)))
    {
        return refuse(f, TCR_RESULT_ERROR, TCR_DETAILS_DS_TLS_MISMATCH);
    }

    if (!tcr_cdn_service_up(f->cdn, s)) {
        TCR_TRACE(f->req->trace, "service", "is marked unavailable");
        return bypass(f, s);
    }

    f->out->service = s;
    f->out->services = tcr_cdn_str(f->cdn, s->id);

    tcr_locate_init(&l, f->view, s, &f->out->client_addr, f->family,
                    f->req->trace);
    found = tcr_locate_http(&l, true);
    note_place(f, &l);

    if (!found) {
        return bypass(f, s);
    }

    if (l.redirect_url.data != NULL) {
        return tcr_http_answer_one(f, l.redirect_url);
    }

    return answer_cache(f, s, &l);
}


int
tcr_route_http(tcr_view_t *view, const tcr_http_request_t *req,
    tcr_http_decision_t *out)
{
    tcr_http_flow_t  f;

    memset(out, 0, sizeof(*out));
    memset(&f, 0, sizeof(f));

    f.view = view;
    f.cdn = view->cdn;
    f.req = req;
    f.out = out;

    tcr_query_read(&req->mem, req->query, &f.params);
    tcr_query_read(&req->mem, req->form, &f.params);
    find_client(&f);

    if (f.cdn == NULL) {
        refuse(&f, TCR_RESULT_ERROR, TCR_DETAILS_NONE);
        return -1;
    }

    f.path = tcr_path_decode(&req->mem, req->path);

    if (f.path.data == NULL) {
        out->status = 500;
        return -1;
    }

    out->entry = find_service(&f);

    if (out->entry == NULL) {
        return refuse(&f, TCR_RESULT_DS_MISS, TCR_DETAILS_DS_NOT_FOUND);
    }

    return route_single(&f, out->entry);
}
