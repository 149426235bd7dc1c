/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The content handler: reads a form where there is one, asks the engine, and
 * hands the decision on to be sent.
 */

#include "tcr_clock.h"

#include "ngx_http_tcrouter.h"


/*
 * A policy file is no routed request, but has a line in the access log, for
 * which the engine knows the client.
 */

static ngx_int_t
send_policy_file(ngx_http_request_t *r, ngx_http_tcrouter_ctx_t *ctx,
    tcr_str_t file)
{
    tcr_str_t  client = ctx->decision.client;
    ngx_str_t  type = ngx_string("application/xml");

    ctx->file = 1;

    ngx_memzero(&ctx->decision, sizeof(tcr_http_decision_t));
    ctx->decision.client = client;

    return ngx_http_tcrouter_send(r, NGX_HTTP_OK, &type, file);
}


static ngx_int_t
decide(ngx_http_request_t *r, ngx_http_tcrouter_ctx_t *ctx)
{
    tcr_view_t                     *view;
    ngx_http_tcrouter_main_conf_t  *tmcf;

    tmcf = ngx_http_get_module_main_conf(r, ngx_http_tcrouter_module);
    view = ngx_http_tcrouter_view(tmcf);

    if (view == NULL) {
        return NGX_ERROR;
    }

    ctx->set = tcr_view_pin(view);
    ctx->image = tcr_view_image(view, TCR_SLOT_ROUTING);

    if (tcr_route_http(view, &ctx->request, &ctx->decision) != 0
        && ctx->decision.status == NGX_HTTP_INTERNAL_SERVER_ERROR)
    {
        return NGX_ERROR;
    }

    ctx->decided = 1;

    return NGX_OK;
}


static ngx_int_t
answer(ngx_http_request_t *r, ngx_http_tcrouter_ctx_t *ctx)
{
    ngx_int_t  rc;
    tcr_str_t  file;

    file = ngx_http_tcrouter_policy_file(&r->uri);

    if (decide(r, ctx) != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    if (file.data != NULL) {
        return send_policy_file(r, ctx, file);
    }

    rc = ngx_http_tcrouter_send_decision(r, ctx);
    ngx_http_tcrouter_count(ngx_http_get_module_main_conf(r,
                                                ngx_http_tcrouter_module),
                            ctx);

    return rc;
}


static void
form_handler(ngx_http_request_t *r)
{
    ngx_int_t                 rc;
    ngx_http_tcrouter_ctx_t  *ctx;

    ctx = ngx_http_get_module_ctx(r, ngx_http_tcrouter_module);

    if (ngx_http_tcrouter_fill_form(r, &ctx->request.form) != NGX_OK) {
        rc = NGX_HTTP_INTERNAL_SERVER_ERROR;

    } else {
        rc = answer(r, ctx);
    }

    ngx_http_finalize_request(r, rc);
}


ngx_int_t
ngx_http_tcrouter_handler(ngx_http_request_t *r)
{
    int64_t                   started = tcr_ticks_ns();
    ngx_int_t                 rc;
    ngx_http_tcrouter_ctx_t  *ctx;

    ctx = ngx_http_tcrouter_create_ctx(r);

    if (ctx == NULL
        || ngx_http_tcrouter_fill_request(r, &ctx->request) != NGX_OK)
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    ctx->started = started;

    if (ngx_http_tcrouter_has_form(r)) {
        r->request_body_in_single_buf = 1;
        rc = ngx_http_read_client_request_body(r, form_handler);

        return rc >= NGX_HTTP_SPECIAL_RESPONSE ? rc : NGX_DONE;
    }

    rc = ngx_http_discard_request_body(r);

    if (rc != NGX_OK) {
        return rc;
    }

    return answer(r, ctx);
}
