/* SPDX-License-Identifier: Apache-2.0 */

/*
 * $tcrouter_...: what was decided, for log_format, map, add_header and
 * whoever else reads variables.  Nothing is looked up here; a request that
 * was not routed has none of them.
 */

#include "ngx_http_tcrouter.h"


typedef enum {
    TEXT_RTYPE,
    TEXT_RDTL,
    TEXT_REASON,
    TEXT_RGB,
    TEXT_CLIENT,
    TEXT_URL,
    TEXT_SERVICE,
    TEXT_CACHE,
    TEXT_CACHE_GROUP
} text_e;


static ngx_http_tcrouter_ctx_t *
variable_ctx(ngx_http_request_t *r, ngx_http_variable_value_t *v)
{
    ngx_http_tcrouter_ctx_t  *ctx;

    ctx = ngx_http_tcrouter_get_ctx(r);

    if (ctx == NULL) {
        /* perhaps not routed yet: ask again next time */
        v->not_found = 1;
        v->no_cacheable = 1;
    }

    return ctx;
}


static ngx_int_t
set_value(ngx_http_variable_value_t *v, tcr_str_t s)
{
    if (s.data == NULL) {
        v->not_found = 1;
        return NGX_OK;
    }

    v->data = (u_char *) s.data;
    v->len = s.len;
    v->valid = 1;
    v->no_cacheable = 0;
    v->not_found = 0;

    return NGX_OK;
}


static ngx_int_t
set_number(ngx_http_request_t *r, ngx_http_variable_value_t *v, uint64_t n)
{
    u_char  *p;

    p = ngx_pnalloc(r->pool, NGX_INT64_LEN);

    if (p == NULL) {
        return NGX_ERROR;
    }

    return set_value(v, tcr_str_n((char *) p,
                                  ngx_sprintf(p, "%uL", n) - p));
}


/*
 * The line in the request's pool.  Nearly every line fits the place for one
 * without escapes; one that fills it was perhaps cut, and is written again
 * with the room that its worst case needs.
 */

static tcr_str_t
format_line(ngx_http_request_t *r, ngx_http_tcrouter_ctx_t *ctx,
    const tcr_log_times_t *times)
{
    char    *line;
    size_t   len, size, escape;

    for (escape = 1; /* void */; escape = TCR_LOG_ESCAPE) {
        size = tcr_log_http_size(ctx->image, &ctx->request, &ctx->decision,
                                 escape);
        line = ngx_pnalloc(r->pool, size);

        if (line == NULL) {
            return tcr_str_n(NULL, 0);
        }

        len = tcr_log_http(ctx->image, &ctx->request, &ctx->decision, times,
                           line, size);

        if (len < size || escape == TCR_LOG_ESCAPE) {
            return tcr_str_n(line, len);
        }
    }
}


/*
 * The whole access-log line, escaped by the engine: for a log_format with
 * escape=none.  Formatted once, when the log first asks.
 */

static ngx_int_t
access_log_variable(ngx_http_request_t *r, ngx_http_variable_value_t *v,
    uintptr_t data)
{
    tcr_str_t                 line;
    tcr_log_times_t           times;
    ngx_http_tcrouter_ctx_t  *ctx;

    ctx = variable_ctx(r, v);

    if (ctx == NULL) {
        return NGX_OK;
    }

    /* an error_page may have changed it; a file has none in the line */
    if (!ctx->file && r->headers_out.status != 0) {
        ctx->decision.status = r->headers_out.status;
    }

    times.arrival_ms = (int64_t) r->start_sec * 1000 + r->start_msec;
    times.took_us = ngx_http_tcrouter_took(ctx);

    line = format_line(r, ctx, &times);

    if (line.data == NULL) {
        return NGX_ERROR;
    }

    return set_value(v, line);
}


/* As in the line: of the cache group, not of the client. */

static ngx_int_t
rloc_variable(ngx_http_request_t *r, ngx_http_variable_value_t *v,
    uintptr_t data)
{
    char                     *text;
    ngx_http_tcrouter_ctx_t  *ctx;

    ctx = variable_ctx(r, v);

    if (ctx == NULL) {
        return NGX_OK;
    }

    if (!ctx->decision.has_point) {
        v->not_found = 1;
        return NGX_OK;
    }

    text = ngx_pnalloc(r->pool, TCR_LOG_POINT);

    if (text == NULL) {
        return NGX_ERROR;
    }

    return set_value(v, tcr_str_n(text, tcr_log_point(ctx->decision.point,
                                                      text)));
}


static tcr_str_t
image_str(const ngx_http_tcrouter_ctx_t *ctx, tcr_img_str_t ref)
{
    return tcr_image_str(ctx->image, ref);
}


static tcr_str_t
text_of(const ngx_http_tcrouter_ctx_t *ctx, uintptr_t which)
{
    const tcr_http_decision_t  *d = &ctx->decision;

    switch (which) {

    case TEXT_RTYPE:
        return tcr_result_name(d->result);

    case TEXT_RDTL:
        return tcr_details_name(d->details);

    case TEXT_REASON:
        /* what the details were before a missing bypass hid them */
        return tcr_details_name(d->reason != TCR_DETAILS_NONE ? d->reason
                                                              : d->details);

    case TEXT_RGB:
        return d->regional;

    case TEXT_CLIENT:
        return d->client;

    case TEXT_URL:
        return d->n_urls != 0 ? d->urls[0] : tcr_str_n(NULL, 0);

    case TEXT_SERVICE:
        return d->entry != NULL ? image_str(ctx, d->entry->id)
                                : tcr_str_n(NULL, 0);

    case TEXT_CACHE:
        return d->cache != NULL ? image_str(ctx, d->cache->id)
                                : tcr_str_n(NULL, 0);

    case TEXT_CACHE_GROUP:
        return d->group != NULL ? image_str(ctx, d->group->id)
                                : tcr_str_n(NULL, 0);

    default:
        return tcr_str_n(NULL, 0);
    }
}


static ngx_int_t
text_variable(ngx_http_request_t *r, ngx_http_variable_value_t *v,
    uintptr_t data)
{
    ngx_http_tcrouter_ctx_t  *ctx;

    ctx = variable_ctx(r, v);

    if (ctx == NULL) {
        return NGX_OK;
    }

    return set_value(v, text_of(ctx, data));
}


/* Number of the routing image that decided. */

static ngx_int_t
generation_variable(ngx_http_request_t *r, ngx_http_variable_value_t *v,
    uintptr_t data)
{
    ngx_http_tcrouter_ctx_t  *ctx;

    ctx = variable_ctx(r, v);

    if (ctx == NULL) {
        return NGX_OK;
    }

    return set_number(r, v, ctx->image != NULL ? ctx->image->header->number
                                               : 0);
}


/* Milliseconds since 1970 of the last sign of life from the sources. */

static int64_t
last_news(const ngx_http_tcrouter_ctx_t *ctx)
{
    int64_t                  polled = 0;
    const tcr_mapped_t      *health = ctx->set->slots[TCR_SLOT_HEALTH];
    const tcr_img_health_t  *root;

    if (health != NULL) {
        root = tcr_image_root(&health->img);
        polled = __atomic_load_n(&root->poll_time, __ATOMIC_RELAXED);
    }

    return polled != 0 ? polled : ctx->set->slots[TCR_SLOT_ROUTING]->published;
}


/* Seconds since a monitor was heard, or else since the image came. */

static ngx_int_t
age_variable(ngx_http_request_t *r, ngx_http_variable_value_t *v,
    uintptr_t data)
{
    int64_t                   age;
    ngx_http_tcrouter_ctx_t  *ctx;

    ctx = variable_ctx(r, v);

    if (ctx == NULL) {
        return NGX_OK;
    }

    if (ctx->image == NULL) {
        v->not_found = 1;
        return NGX_OK;
    }

    age = ngx_time() - last_news(ctx) / 1000;

    return set_number(r, v, age > 0 ? age : 0);
}


static ngx_http_variable_t  ngx_http_tcrouter_vars[] = {

    { ngx_string("tcrouter_access_log"), NULL, access_log_variable, 0, 0, 0 },
    { ngx_string("tcrouter_rtype"), NULL, text_variable, TEXT_RTYPE, 0, 0 },
    { ngx_string("tcrouter_rdtl"), NULL, text_variable, TEXT_RDTL, 0, 0 },
    { ngx_string("tcrouter_rloc"), NULL, rloc_variable, 0, 0, 0 },
    { ngx_string("tcrouter_rgb"), NULL, text_variable, TEXT_RGB, 0, 0 },
    { ngx_string("tcrouter_service"), NULL, text_variable, TEXT_SERVICE, 0, 0 },
    { ngx_string("tcrouter_cache"), NULL, text_variable, TEXT_CACHE, 0, 0 },
    { ngx_string("tcrouter_cache_group"), NULL, text_variable,
      TEXT_CACHE_GROUP, 0, 0 },
    { ngx_string("tcrouter_client"), NULL, text_variable, TEXT_CLIENT, 0, 0 },
    { ngx_string("tcrouter_reason"), NULL, text_variable, TEXT_REASON, 0, 0 },
    { ngx_string("tcrouter_url"), NULL, text_variable, TEXT_URL, 0, 0 },
    { ngx_string("tcrouter_generation"), NULL, generation_variable, 0, 0, 0 },
    { ngx_string("tcrouter_age"), NULL, age_variable, 0, 0, 0 },

      ngx_http_null_variable
};


ngx_int_t
ngx_http_tcrouter_add_variables(ngx_conf_t *cf)
{
    ngx_http_variable_t  *var, *v;

    for (v = ngx_http_tcrouter_vars; v->name.len != 0; v++) {
        var = ngx_http_add_variable(cf, &v->name, v->flags);

        if (var == NULL) {
            return NGX_ERROR;
        }

        var->get_handler = v->get_handler;
        var->data = v->data;
    }

    return NGX_OK;
}
