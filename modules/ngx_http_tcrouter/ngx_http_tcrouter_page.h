/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What the API, the metrics and the status page share: a location of its own
 * whose answer is built in memory and sent as one piece with its length.
 */

#ifndef NGX_HTTP_TCROUTER_PAGE_H_INCLUDED
#define NGX_HTTP_TCROUTER_PAGE_H_INCLUDED

#include "tcr_count.h"
#include "tcr_explore.h"
#include "tcr_jw.h"

#include "ngx_http_tcrouter.h"
#include "ngx_http_tcrouter_facts.h"


typedef struct {
    ngx_http_request_t             *request;
    ngx_http_tcrouter_main_conf_t  *conf;
    tcr_view_t                     *view;
    const tcr_image_t              *image;  /* routing, NULL = none          */
    const tcr_img_routing_t        *root;   /* its root                      */
    tcr_mem_t                       mem;    /* the request's pool            */
    tcr_buf_t                      *out;
    tcr_jw_t                        json;   /* writes to out                 */
    ngx_str_t                       type;   /* of the body                   */
} ngx_http_tcrouter_page_t;


/*
 * Prepares a page: body of the request thrown away, view refreshed, an empty
 * buffer.  Anything but NGX_OK ends the request.
 */
ngx_int_t ngx_http_tcrouter_page_start(ngx_http_request_t *r,
    ngx_http_tcrouter_page_t *page);

/* Sends what is in the buffer, or says in the error log why it cannot. */
ngx_int_t ngx_http_tcrouter_page_send(ngx_http_tcrouter_page_t *page,
    ngx_uint_t status);

ngx_int_t ngx_http_tcrouter_page_header(ngx_http_request_t *r,
    const char *name, tcr_str_t value);


/* Names, values and texts of the routing image. */
static ngx_inline tcr_str_t
ngx_http_tcrouter_page_str(const ngx_http_tcrouter_page_t *page,
    tcr_img_str_t ref)
{
    return tcr_image_str(page->image, ref);
}


/*
 * Value of a query parameter, decoded ("+" is a blank); data == NULL when it
 * is absent or badly escaped.
 */
tcr_str_t ngx_http_tcrouter_page_arg(ngx_http_tcrouter_page_t *page,
    const char *name);

/* Percent escapes (and "+") decoded into the pool; as above. */
tcr_str_t ngx_http_tcrouter_page_decode(ngx_http_tcrouter_page_t *page,
    tcr_str_t text);


/* The certs image in force; NULL: there is none, or this server reads none. */
const tcr_image_t *ngx_http_tcrouter_page_certs(
    ngx_http_tcrouter_page_t *page);

/* What tcr-fetch wrote last; never NULL, all absent when it wrote nothing. */
const ngx_http_tcrouter_facts_t *ngx_http_tcrouter_page_facts(
    ngx_http_tcrouter_page_t *page);


/* Handlers of the locations. */
ngx_int_t ngx_http_tcrouter_api_handler(ngx_http_request_t *r);
ngx_int_t ngx_http_tcrouter_metrics_handler(ngx_http_request_t *r);
ngx_int_t ngx_http_tcrouter_status_handler(ngx_http_request_t *r);


#endif /* NGX_HTTP_TCROUTER_PAGE_H_INCLUDED */
