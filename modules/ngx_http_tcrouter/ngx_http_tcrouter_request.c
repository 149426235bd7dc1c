/* SPDX-License-Identifier: Apache-2.0 */

/* What nginx received, as the engine wants to be asked. */

#include "ngx_http_tcrouter.h"


static void *
pool_alloc(void *ctx, size_t size)
{
    return ngx_palloc(ctx, size);
}


/*
 * First value of a header; names differ in length more often than not, and in
 * case hardly ever.
 */

static tcr_str_t
request_header(void *ctx, tcr_str_t name)
{
    ngx_uint_t           i;
    ngx_list_part_t     *part;
    ngx_table_elt_t     *h;
    ngx_http_request_t  *r = ctx;

    for (part = &r->headers_in.headers.part; part != NULL; part = part->next) {
        h = part->elts;

        for (i = 0; i < part->nelts; i++) {
            if (h[i].key.len == name.len
                && (ngx_memcmp(h[i].key.data, name.data, name.len) == 0
                    || ngx_strncasecmp(h[i].key.data, (u_char *) name.data,
                                       name.len)
                       == 0))
            {
                return ngx_http_tcrouter_str(h[i].value);
            }
        }
    }

    return tcr_str_n(NULL, 0);
}


/*
 * The target byte for byte.  nginx has reduced an absolute form to its path
 * and query already; of "http://example.net?x" only "?x" is left.
 */

static void
split_target(ngx_http_request_t *r, tcr_http_request_t *req)
{
    size_t     path;
    tcr_str_t  target = ngx_http_tcrouter_str(r->unparsed_uri);

    path = tcr_str_find(target, '?');

    req->path = path == 0 ? TCR_STR("/") : tcr_str_n(target.data, path);

    if (path < target.len) {
        req->query = tcr_str_n(target.data + path + 1, target.len - path - 1);
    }
}


/*
 * The authority of an absolute form goes before the Host header (RFC 9112,
 * 3.2.2).  nginx keeps where it begins and ends without the port.
 */

static tcr_str_t
request_host(ngx_http_request_t *r)
{
    u_char  *end;

    if (r->host_start != NULL && r->host_end != NULL) {
        end = r->host_end;

        if (*end == ':') {
            do {
                end++;
            } while (*end >= '0' && *end <= '9');
        }

        return tcr_str_n((const char *) r->host_start, end - r->host_start);
    }

    if (r->headers_in.host != NULL) {
        return ngx_http_tcrouter_str(r->headers_in.host->value);
    }

    return tcr_str_n(NULL, 0);
}


/*
 * nginx keeps the text of the peer with the connection, but compresses IPv6,
 * where the reference writes all eight groups.
 */

static ngx_int_t
fill_peer(ngx_http_request_t *r, tcr_str_t *peer)
{
    char              *text;
    tcr_addr_t         addr;
    ngx_connection_t  *c = r->connection;

    if (c->sockaddr->sa_family == AF_INET) {
        *peer = ngx_http_tcrouter_str(c->addr_text);
        return NGX_OK;
    }

    if (tcr_addr_from_sockaddr(c->sockaddr, &addr) != 0) {
        *peer = tcr_str_n(NULL, 0);
        return NGX_OK;
    }

    text = ngx_pnalloc(r->pool, TCR_ADDR_TEXT);

    if (text == NULL) {
        return NGX_ERROR;
    }

    *peer = tcr_str_n(text, tcr_addr_format_full(&addr, text));

    return NGX_OK;
}


static bool
may_override(ngx_http_request_t *r)
{
    ngx_http_tcrouter_loc_conf_t  *tlcf;

    tlcf = ngx_http_get_module_loc_conf(r, ngx_http_tcrouter_module);

    switch (tlcf->override) {

    case NGX_HTTP_TCROUTER_OVERRIDE_ALL:
        return true;

    case NGX_HTTP_TCROUTER_OVERRIDE_LIST:
        return ngx_cidr_match(r->connection->sockaddr, tlcf->override_list)
               == NGX_OK;

    default:
        return false;
    }
}


ngx_int_t
ngx_http_tcrouter_fill_request(ngx_http_request_t *r, tcr_http_request_t *req)
{
    req->method = ngx_http_tcrouter_str(r->method_name);
    req->protocol = ngx_http_tcrouter_str(r->http_protocol);
    req->host = request_host(r);

    split_target(r, req);

#if (NGX_HTTP_SSL)
    req->secure = r->connection->ssl != NULL;
#endif

    req->override = may_override(r);
    req->header = request_header;
    req->header_ctx = r;
    req->mem.alloc = pool_alloc;
    req->mem.ctx = r->pool;

    return fill_peer(r, &req->peer);
}


ngx_uint_t
ngx_http_tcrouter_has_form(ngx_http_request_t *r)
{
    tcr_str_t  type;

    static const tcr_str_t  form = TCR_STR("application/x-www-form-urlencoded");

    if (r->method != NGX_HTTP_POST
        || r->headers_in.content_type == NULL
        || r->headers_in.content_length_n <= 0
        || r->headers_in.content_length_n > NGX_HTTP_TCROUTER_FORM_MAX)
    {
        return 0;
    }

    /* parameters of the media type may follow */
    type = ngx_http_tcrouter_str(r->headers_in.content_type->value);
    type.len = tcr_str_find(type, ';');

    return tcr_str_ieq(tcr_str_trim(type), form);
}


/*
 * The body lies in memory (take_location() saw to that), mostly in one piece;
 * what nginx read together with the header is a piece of its own.
 */

ngx_int_t
ngx_http_tcrouter_fill_form(ngx_http_request_t *r, tcr_str_t *form)
{
    u_char       *p;
    size_t        len;
    ngx_chain_t  *cl, *bufs;

    bufs = r->request_body != NULL ? r->request_body->bufs : NULL;
    len = 0;

    for (cl = bufs; cl != NULL; cl = cl->next) {
        if (!ngx_buf_in_memory(cl->buf)) {
            return NGX_OK;
        }

        len += cl->buf->last - cl->buf->pos;
    }

    if (len == 0) {
        return NGX_OK;
    }

    if (bufs->next == NULL) {
        *form = tcr_str_n((char *) bufs->buf->pos, len);
        return NGX_OK;
    }

    p = ngx_pnalloc(r->pool, len);

    if (p == NULL) {
        return NGX_ERROR;
    }

    *form = tcr_str_n((char *) p, len);

    for (cl = bufs; cl != NULL; cl = cl->next) {
        p = ngx_cpymem(p, cl->buf->pos, cl->buf->last - cl->buf->pos);
    }

    return NGX_OK;
}
