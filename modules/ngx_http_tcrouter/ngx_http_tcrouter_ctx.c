/* SPDX-License-Identifier: Apache-2.0 */

/* The context of a routed request: its memory, its end, finding it again. */

#include "tcr_clock.h"

#include "ngx_http_tcrouter.h"


static void
end_ctx(void *data)
{
    ngx_http_tcrouter_ctx_t  *ctx = data;

    if (ctx->set != NULL) {
        tcr_snapshot_unpin(ctx->set);
    }
}


ngx_http_tcrouter_ctx_t *
ngx_http_tcrouter_create_ctx(ngx_http_request_t *r)
{
    ngx_uint_t                again;
    ngx_pool_cleanup_t       *cln;
    ngx_http_tcrouter_ctx_t  *ctx;

    again = ngx_http_tcrouter_get_ctx(r) != NULL;
    cln = ngx_pool_cleanup_add(r->pool, sizeof(ngx_http_tcrouter_ctx_t));

    if (cln == NULL) {
        return NULL;
    }

    ctx = cln->data;
    ngx_memzero(ctx, sizeof(ngx_http_tcrouter_ctx_t));

    ctx->again = again;
    cln->handler = end_ctx;
    ngx_http_set_ctx(r, ctx, ngx_http_tcrouter_module);

    return ctx;
}


/* An internal redirect has cleared the contexts, but the pool remains. */

static ngx_http_tcrouter_ctx_t *
find_in_pool(ngx_http_request_t *r)
{
    ngx_pool_cleanup_t       *cln;
    ngx_http_tcrouter_ctx_t  *ctx;

    for (cln = r->pool->cleanup; cln != NULL; cln = cln->next) {

        if (cln->handler != end_ctx) {
            continue;
        }

        ctx = cln->data;

        /* subrequests share the pool */
        if (ctx->request.header_ctx == r) {
            return ctx;
        }
    }

    return NULL;
}


ngx_http_tcrouter_ctx_t *
ngx_http_tcrouter_get_ctx(ngx_http_request_t *r)
{
    ngx_http_tcrouter_ctx_t  *ctx;

    ctx = ngx_http_get_module_ctx(r, ngx_http_tcrouter_module);

    if (ctx == NULL && r->internal) {
        ctx = find_in_pool(r);
    }

    return (ctx != NULL && ctx->decided) ? ctx : NULL;
}


uint64_t
ngx_http_tcrouter_took(ngx_http_tcrouter_ctx_t *ctx)
{
    if (ctx->took_us == 0) {
        ctx->took_us = (tcr_ticks_ns() - ctx->started) / 1000;
    }

    return ctx->took_us;
}
