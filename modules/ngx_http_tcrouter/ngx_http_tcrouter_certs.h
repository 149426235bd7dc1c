/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A worker's certificates: the certs image in force, and of it what OpenSSL
 * has parsed so far.
 */

#ifndef NGX_HTTP_TCROUTER_CERTS_H_INCLUDED
#define NGX_HTTP_TCROUTER_CERTS_H_INCLUDED

#include "ngx_http_tcrouter.h"


typedef struct {
    ngx_queue_t      queue;
    ngx_uint_t       index;       /* certificate of the image                */
    X509            *leaf;
    EVP_PKEY        *key;
    STACK_OF(X509)  *chain;       /* behind the leaf                         */
    unsigned         bad:1;       /* cannot be used                          */
    unsigned         used:1;      /* again, lately                           */
} ngx_http_tcrouter_cert_t;


/* NULL when out of memory.  The directory's name ends in NUL. */
ngx_http_tcrouter_certs_t *ngx_http_tcrouter_certs_create(ngx_str_t *dir);

/* Private keys are wiped.  NULL is allowed. */
void ngx_http_tcrouter_certs_destroy(ngx_http_tcrouter_certs_t *certs);

/*
 * Takes over what was published since the last call; one load when that is
 * nothing.  What is refused is logged, and the last good image serves.
 */
void ngx_http_tcrouter_certs_refresh(ngx_http_tcrouter_certs_t *certs);

/* The image in force, for those who count and show; NULL = none. */
const tcr_image_t *ngx_http_tcrouter_certs_image(
    ngx_http_tcrouter_certs_t *certs);

/*
 * Certificates of a host name in lower case (tcr_certs_find): their number,
 * *first is the first one's index.
 */
ngx_uint_t ngx_http_tcrouter_certs_find(ngx_http_tcrouter_certs_t *certs,
    ngx_str_t *name, ngx_uint_t *first);

/*
 * A certificate that the connection can use, good until the next call of any
 * of these; NULL when it cannot (logged once).
 */
ngx_http_tcrouter_cert_t *ngx_http_tcrouter_certs_get(
    ngx_http_tcrouter_certs_t *certs, ngx_uint_t index,
    ngx_ssl_conn_t *ssl_conn);


#endif /* NGX_HTTP_TCROUTER_CERTS_H_INCLUDED */
