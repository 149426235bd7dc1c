/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What the shared counters hear from a worker: each answered request once,
 * and images that were refused.
 */

#include "tcr_count.h"

#include "ngx_http_tcrouter.h"


void
ngx_http_tcrouter_count(ngx_http_tcrouter_main_conf_t *tmcf,
    ngx_http_tcrouter_ctx_t *ctx)
{
    /* an internal redirect has led here again: it is still one request */
    if (ctx->again) {
        return;
    }

    tcr_count_http(tmcf->view, &ctx->decision, ngx_http_tcrouter_took(ctx));
}


void
ngx_http_tcrouter_count_refusal(ngx_http_tcrouter_main_conf_t *tmcf)
{
    tcr_stats_sums_t  *sums;

    sums = tcr_count_sums(tmcf->view);

    if (sums != NULL) {
        tcr_stats_add(&sums->refused_images, 1);
    }
}
