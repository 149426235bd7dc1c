/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A decision as a response (spec/outputs.md §2): status, Location, the
 * service's headers, body with its length, never chunked.
 */

#include "ngx_http_tcrouter.h"

/* While there is no image: the next one may come with the fetcher's poll. */
#define RETRY_AFTER  "5"


static ngx_table_elt_t *
add_header(ngx_http_request_t *r, tcr_str_t name, tcr_str_t value)
{
    ngx_table_elt_t  *h;

    h = ngx_list_push(&r->headers_out.headers);

    if (h == NULL) {
        return NULL;
    }

    h->hash = 1;
    h->key.len = name.len;
    h->key.data = (u_char *) name.data;
    h->value.len = value.len;
    h->value.data = (u_char *) value.data;

    return h;
}


/* The length and the connection are nginx's business, whatever is wished. */

static ngx_uint_t
is_framing(tcr_str_t name)
{
    return tcr_str_ieq(name, TCR_STR("Content-Length"))
           || tcr_str_ieq(name, TCR_STR("Transfer-Encoding"))
           || tcr_str_ieq(name, TCR_STR("Connection"))
           || tcr_str_ieq(name, TCR_STR("Keep-Alive"));
}


static ngx_int_t
add_service_header(ngx_http_request_t *r, tcr_str_t name, tcr_str_t value)
{
    ngx_table_elt_t  *h;

    if (is_framing(name)
        || memchr(value.data, CR, value.len) != NULL
        || memchr(value.data, LF, value.len) != NULL)
    {
        return NGX_OK;
    }

    /* the type of a body comes after, and wins */
    if (tcr_str_ieq(name, TCR_STR("Content-Type"))) {
        r->headers_out.content_type.len = value.len;
        r->headers_out.content_type.data = (u_char *) value.data;
        r->headers_out.content_type_len = value.len;
        return NGX_OK;
    }

    h = add_header(r, name, value);

    if (h == NULL) {
        return NGX_ERROR;
    }

    /* then nginx does not send its own */
    if (tcr_str_ieq(name, TCR_STR("Server"))) {
        r->headers_out.server = h;

    } else if (tcr_str_ieq(name, TCR_STR("Date"))) {
        r->headers_out.date = h;
    }

    return NGX_OK;
}


static ngx_int_t
add_service_headers(ngx_http_request_t *r, const tcr_image_t *img,
    const tcr_img_vec_t *headers)
{
    uint32_t                i;
    const tcr_img_pair_t   *pair;

    pair = tcr_image_vec(img, headers);

    for (i = 0; i < headers->n; i++) {
        if (add_service_header(r, tcr_image_str(img, pair[i].name),
                               tcr_image_str(img, pair[i].value))
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


/* nginx answers with the operator's page when there is one for the status. */

static ngx_uint_t
has_error_page(ngx_http_request_t *r, ngx_int_t status)
{
    ngx_uint_t                 i;
    ngx_http_err_page_t       *page;
    ngx_http_core_loc_conf_t  *clcf;

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);

    if (clcf->error_pages == NULL || r->error_page) {
        return 0;
    }

    page = clcf->error_pages->elts;

    for (i = 0; i < clcf->error_pages->nelts; i++) {
        if (page[i].status == status) {
            return 1;
        }
    }

    return 0;
}


/* Short and neutral (rule error-body); 520 has no body at all. */

static ngx_int_t
send_error(ngx_http_request_t *r, ngx_http_tcrouter_ctx_t *ctx)
{
    tcr_str_t   body = { NULL, 0 };
    ngx_str_t   type = ngx_string("text/plain");
    ngx_uint_t  status = ctx->decision.status;

    if (ctx->image == NULL
        && add_header(r, TCR_STR("Retry-After"), TCR_STR(RETRY_AFTER)) == NULL)
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    if (has_error_page(r, status)) {
        return status;
    }

    if (status == NGX_HTTP_SERVICE_UNAVAILABLE) {
        body = TCR_STR("service unavailable\n");

    } else if (status == NGX_HTTP_FORBIDDEN) {
        body = TCR_STR("forbidden\n");
    }

    return ngx_http_tcrouter_send(r, status, &type, body);
}


ngx_int_t
ngx_http_tcrouter_send_decision(ngx_http_request_t *r,
    ngx_http_tcrouter_ctx_t *ctx)
{
    ngx_str_t             type = ngx_string("application/json");
    tcr_http_decision_t  *d = &ctx->decision;

    if (d->status >= NGX_HTTP_BAD_REQUEST) {
        return send_error(r, ctx);
    }

    if (d->service != NULL
        && add_service_headers(r, ctx->image, &d->service->response_headers)
           != NGX_OK)
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    /* not headers_out.location, which nginx may rewrite */
    if (d->location.data != NULL
        && add_header(r, TCR_STR("Location"), d->location) == NULL)
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    return ngx_http_tcrouter_send(r, d->status, &type, d->body);
}


ngx_int_t
ngx_http_tcrouter_send(ngx_http_request_t *r, ngx_uint_t status,
    ngx_str_t *type, tcr_str_t body)
{
    ngx_int_t    rc;
    ngx_buf_t   *b;
    ngx_chain_t  out;

    r->headers_out.status = status;
    r->headers_out.content_length_n = body.len;

    if (body.len == 0) {
        /* nothing follows the header: one pass through the filters less */
        r->header_only = 1;
        return ngx_http_send_header(r);
    }

    r->headers_out.content_type = *type;
    r->headers_out.content_type_len = type->len;

    b = ngx_calloc_buf(r->pool);

    if (b == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    b->pos = (u_char *) body.data;
    b->last = b->pos + body.len;
    b->memory = 1;
    b->last_buf = (r == r->main) ? 1 : 0;
    b->last_in_chain = 1;

    rc = ngx_http_send_header(r);

    if (rc == NGX_ERROR || rc > NGX_OK || r->header_only) {
        return rc;
    }

    out.buf = b;
    out.next = NULL;

    return ngx_http_output_filter(r, &out);
}
