/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The way into an HTTP question (spec/routing.md §3): which client, which
 * service; then one service answers, or steering chooses first.
 */

#include "tcr_http.h"
#include "tcr_match.h"
#include "tcr_path.h"
#include "tcr_piece.h"


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


/* Of a byte, or of each byte of a piece. */
#define IS_CAPITAL(c)  (((c) >= 'A') & ((c) <= 'Z'))


static bool
has_capitals(tcr_str_t s)
{
    size_t  i = 0;

    if (s.len < TCR_PIECE) {
        while (i < s.len && !IS_CAPITAL(s.data[i])) {
            i++;
        }

        return i < s.len;
    }

    for ( ; s.len - i > TCR_PIECE; i += TCR_PIECE) {
        if (tcr_piece_any(IS_CAPITAL(tcr_piece(s.data + i)))) {
            return true;
        }
    }

    return tcr_piece_any(IS_CAPITAL(tcr_piece(s.data + s.len - TCR_PIECE)));
}


/* Host without port, in lower case; absent without a Host. */
static tcr_str_t
host_name(const tcr_http_request_t *req)
{
    char       *out;
    size_t      i;
    tcr_str_t   host = req->host;

    host.len = tcr_str_find(host,
                            host.len && host.data[0] == '[' ? ']' : ':');

    if (!has_capitals(host)) {
        return host;
    }

    out = tcr_mem_alloc(&req->mem, host.len);

    if (out == NULL) {
        return tcr_str_n(NULL, 0);
    }

    for (i = 0; i < host.len; i++) {
        out[i] = tcr_lower(host.data[i]);
    }

    return tcr_str_n(out, host.len);
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


int
tcr_route_http(tcr_view_t *view, const tcr_http_request_t *req,
    tcr_http_decision_t *out)
{
    tcr_http_flow_t        f;
    const tcr_steering_t  *steering;

    memset(out, 0, sizeof(*out));
    memset(&f, 0, sizeof(f));

    f.view = view;
    f.cdn = view->cdn;
    f.req = req;
    f.out = out;

    if (req->query.data != NULL || req->form.data != NULL) {
        tcr_query_read(&req->mem, req->query, &f.params);
        tcr_query_read(&req->mem, req->form, &f.params);
    }

    find_client(&f);

    if (f.cdn == NULL) {
        tcr_http_refuse(&f, TCR_RESULT_ERROR, TCR_DETAILS_NONE);
        return -1;
    }

    f.path = tcr_path_decode(&req->mem, req->path);

    if (f.path.data == NULL) {
        out->status = 500;
        return -1;
    }

    out->entry = find_service(&f);

    if (out->entry == NULL) {
        return tcr_http_refuse(&f, TCR_RESULT_DS_MISS,
                               TCR_DETAILS_DS_NOT_FOUND);
    }

    steering = tcr_steering_of(f.cdn, out->entry);

    if (steering == NULL) {
        return tcr_http_single(&f, out->entry);
    }

    return steering->entry->flags & TCR_STEERING_CLIENT
           ? tcr_http_multi(&f, steering) : tcr_http_steer(&f, steering);
}
