/* SPDX-License-Identifier: Apache-2.0 */

/* Pages: their locations, their start and end, their parameters. */

#include "tcr_clock.h"

#include "ngx_http_tcrouter_certs.h"
#include "ngx_http_tcrouter_page.h"

/* A larger answer is refused: workers have clients to serve. */
#define TOO_BIG  (32 * 1024 * 1024)


static char *
take_location(ngx_conf_t *cf, ngx_http_handler_pt handler)
{
    ngx_http_core_loc_conf_t       *clcf;
    ngx_http_tcrouter_main_conf_t  *tmcf;

    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);

    if (clcf->handler != NULL) {
        return "is not possible: the location has a handler already";
    }

    clcf->handler = handler;

    tmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_tcrouter_module);
    tmcf->used = 1;

    return NGX_CONF_OK;
}


char *
ngx_http_tcrouter_api(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    return take_location(cf, ngx_http_tcrouter_api_handler);
}


char *
ngx_http_tcrouter_metrics(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    return take_location(cf, ngx_http_tcrouter_metrics_handler);
}


char *
ngx_http_tcrouter_status(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    return take_location(cf, ngx_http_tcrouter_status_handler);
}


char *
ngx_http_tcrouter_state(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_tcrouter_main_conf_t  *tmcf = conf;

    ngx_str_t  *value = cf->args->elts;

    if (tmcf->state.data != NULL) {
        return "is duplicate";
    }

    if (value[1].len == 0) {
        return "has an empty directory";
    }

    tmcf->state = value[1];

    if (ngx_conf_full_name(cf->cycle, &tmcf->state, 0) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


static void *
pool_alloc(void *ctx, size_t size)
{
    return ngx_palloc(ctx, size);
}


static void
free_buffer(void *data)
{
    tcr_buf_free(data);
}


ngx_int_t
ngx_http_tcrouter_page_start(ngx_http_request_t *r,
    ngx_http_tcrouter_page_t *page)
{
    ngx_int_t            rc;
    ngx_pool_cleanup_t  *cln;

    ngx_memzero(page, sizeof(ngx_http_tcrouter_page_t));

    rc = ngx_http_discard_request_body(r);

    if (rc != NGX_OK) {
        return rc;
    }

    page->request = r;
    page->conf = ngx_http_get_module_main_conf(r, ngx_http_tcrouter_module);
    page->view = ngx_http_tcrouter_view(page->conf);
    cln = ngx_pool_cleanup_add(r->pool, sizeof(tcr_buf_t));

    if (page->view == NULL || cln == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    cln->handler = free_buffer;
    page->out = cln->data;
    tcr_buf_init(page->out, TOO_BIG);
    page->json = tcr_jw(page->out);
    ngx_str_set(&page->type, "application/json");

    page->mem.alloc = pool_alloc;
    page->mem.ctx = r->pool;
    page->image = tcr_view_image(page->view, TCR_SLOT_ROUTING);

    if (page->image != NULL) {
        page->root = tcr_image_root(page->image);
    }

    return NGX_OK;
}


ngx_int_t
ngx_http_tcrouter_page_send(ngx_http_tcrouter_page_t *page,
    ngx_uint_t status)
{
    ngx_http_request_t  *r = page->request;

    if (page->out->failed) {
        ngx_log_error(NGX_LOG_ERR, r->connection->log, 0,
                      "tcrouter: the answer is larger than %d bytes or memory "
                      "is out", TOO_BIG);
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    return ngx_http_tcrouter_send(r, status, &page->type,
                                  tcr_str_n(page->out->data, page->out->len));
}


ngx_int_t
ngx_http_tcrouter_page_header(ngx_http_request_t *r, const char *name,
    tcr_str_t value)
{
    ngx_table_elt_t  *h;

    h = ngx_list_push(&r->headers_out.headers);

    if (h == NULL) {
        return NGX_ERROR;
    }

    h->hash = 1;
    h->key.data = (u_char *) name;
    h->key.len = ngx_strlen(name);
    h->value.data = (u_char *) value.data;
    h->value.len = value.len;

    return NGX_OK;
}


const tcr_image_t *
ngx_http_tcrouter_page_certs(ngx_http_tcrouter_page_t *page)
{
    if (page->conf->certs == NULL) {
        return NULL;
    }

    ngx_http_tcrouter_certs_refresh(page->conf->certs);

    return ngx_http_tcrouter_certs_image(page->conf->certs);
}


static int
digit(u_char c)
{
    u_char  l = c | 0x20;

    if (c >= '0' && c <= '9') {
        return c - '0';
    }

    return (l >= 'a' && l <= 'f') ? l - 'a' + 10 : -1;
}


tcr_str_t
ngx_http_tcrouter_page_decode(ngx_http_tcrouter_page_t *page, tcr_str_t text)
{
    int      high, low;
    char    *out, *p;
    size_t   i;

    out = ngx_pnalloc(page->request->pool, text.len + 1);

    if (out == NULL) {
        return tcr_str(NULL);
    }

    for (p = out, i = 0; i < text.len; i++) {

        if (text.data[i] != '%') {
            *p++ = text.data[i] == '+' ? ' ' : text.data[i];
            continue;
        }

        high = text.len - i > 2 ? digit(text.data[i + 1]) : -1;
        low = text.len - i > 2 ? digit(text.data[i + 2]) : -1;

        if (high < 0 || low < 0) {
            return tcr_str(NULL);
        }

        *p++ = (char) (high * 16 + low);
        i += 2;
    }

    return tcr_str_n(out, p - out);
}


tcr_str_t
ngx_http_tcrouter_page_arg(ngx_http_tcrouter_page_t *page, const char *name)
{
    tcr_str_t  rest, piece, value;

    rest = ngx_http_tcrouter_str(page->request->args);

    if (rest.len == 0) {
        return tcr_str(NULL);
    }

    while (rest.data != NULL) {
        value = tcr_str_split(&rest, '&');
        piece = tcr_str_split(&value, '=');

        if (!tcr_str_eq(piece, tcr_str(name))) {
            continue;
        }

        if (value.data == NULL) {
            return TCR_STR("");
        }

        return ngx_http_tcrouter_page_decode(page, value);
    }

    return tcr_str(NULL);
}
