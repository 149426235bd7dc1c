/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A worker's view of the images: made when the worker starts, followed on
 * every request, and what it says to the error log.
 */

#include "tcr_clock.h"
#include "tcr_count.h"

#include "ngx_http_tcrouter.h"

/* The same refusal is not repeated before so many seconds have passed. */
#define REPEAT  60


static int64_t
cached_now(void)
{
    ngx_time_t  *tp = ngx_timeofday();

    return (int64_t) tp->sec * 1000 + tp->msec;
}


/*
 * Each worker tries an image once per publication; a source that publishes
 * the same bad file again and again must not fill the log all the same.
 */

static void
log_refusal(ngx_http_tcrouter_main_conf_t *tmcf, tcr_err_t *err)
{
    if (ngx_strcmp(err->text, tmcf->refusal.text) == 0
        && ngx_time() - tmcf->refusal_time < REPEAT)
    {
        return;
    }

    tmcf->refusal = *err;
    tmcf->refusal_time = ngx_time();

    ngx_log_error(NGX_LOG_ERR, ngx_cycle->log, 0, "tcrouter: %s; %s", err->text,
                  tcr_view_ready(tmcf->view)
                  ? "the last good image serves"
                  : "requests are answered with 503");
}


static void
log_generation(ngx_http_tcrouter_main_conf_t *tmcf)
{
    tcr_view_t        *view = tmcf->view;
    tcr_view_state_t   state;

    if (!tcr_view_ready(view)) {
        return;
    }

    tcr_view_state(view, &state);

    ngx_log_error(NGX_LOG_NOTICE, ngx_cycle->log, 0,
                  "tcrouter: generation %uL is in force",
                  (uint64_t) state.generation);

    if (tcr_count_stats(view) == NULL) {
        ngx_log_error(NGX_LOG_WARN, ngx_cycle->log, 0,
                      "tcrouter: requests are not counted, \"%V/stats\" "
                      "cannot be used", &tmcf->dir);
    }
}


tcr_view_t *
ngx_http_tcrouter_view(ngx_http_tcrouter_main_conf_t *tmcf)
{
    int        rc;
    tcr_err_t  err;

    /* one process that is also the master makes none when it reloads */
    if (tmcf->view == NULL) {
        tmcf->view = tcr_view_create((char *) tmcf->dir.data, 0);

        if (tmcf->view == NULL) {
            return NULL;
        }

        tcr_view_background(tmcf->view);
        tcr_count_enable(tmcf->view, "nginx");
    }

    rc = tcr_view_refresh(tmcf->view, cached_now(), &err);

    if (rc == 0) {
        return tmcf->view;
    }

    if (rc < 0) {
        log_refusal(tmcf, &err);
        ngx_http_tcrouter_count_refusal(tmcf);

    } else {
        log_generation(tmcf);
    }

    return tmcf->view;
}


static ngx_http_tcrouter_main_conf_t *
used_main_conf(ngx_cycle_t *cycle)
{
    ngx_http_tcrouter_main_conf_t  *tmcf;

    /* NULL without an http block */
    tmcf = ngx_http_cycle_get_module_main_conf(cycle,
                                               ngx_http_tcrouter_module);

    return (tmcf != NULL && (tmcf->used || tmcf->certificates)) ? tmcf : NULL;
}


ngx_int_t
ngx_http_tcrouter_init_process(ngx_cycle_t *cycle)
{
    tcr_view_t                     *view;
    ngx_http_tcrouter_main_conf_t  *tmcf = used_main_conf(cycle);

    /* the cache manager and loader answer nobody */
    if (tmcf == NULL || ngx_process == NGX_PROCESS_HELPER) {
        return NGX_OK;
    }

    ngx_http_tcrouter_start_certificates(tmcf);

    if (!tmcf->used) {
        return NGX_OK;
    }

    view = ngx_http_tcrouter_view(tmcf);

    if (view == NULL) {
        return NGX_ERROR;
    }

    if (!tcr_view_ready(view)) {
        ngx_log_error(NGX_LOG_WARN, cycle->log, 0,
                      "tcrouter: no routing image in \"%V\" yet, "
                      "requests are answered with 503", &tmcf->dir);
    }

    return NGX_OK;
}


void
ngx_http_tcrouter_exit_process(ngx_cycle_t *cycle)
{
    ngx_http_tcrouter_main_conf_t  *tmcf = used_main_conf(cycle);

    if (tmcf != NULL) {
        tcr_view_destroy(tmcf->view);
        tmcf->view = NULL;
        ngx_http_tcrouter_end_certificates(tmcf);
        ngx_http_tcrouter_facts_free(tmcf);
    }
}


/*
 * "nginx -t" and every start or reload: a host that has just booted has no
 * images yet and must start, so what is wrong is a warning, unless an image
 * is "required".
 */

ngx_int_t
ngx_http_tcrouter_check_images(ngx_conf_t *cf,
    ngx_http_tcrouter_main_conf_t *tmcf)
{
    int          rc;
    bool         ready;
    tcr_err_t    err;
    ngx_uint_t   level;
    tcr_view_t  *view;

    view = tcr_view_create((char *) tmcf->dir.data, 0);

    if (view == NULL) {
        return NGX_ERROR;
    }

    rc = tcr_view_refresh(view, tcr_now_ms(), &err);
    ready = tcr_view_ready(view);
    tcr_view_destroy(view);

    if (rc >= 0 && ready) {
        return NGX_OK;
    }

    level = tmcf->required ? NGX_LOG_EMERG : NGX_LOG_WARN;

    if (rc < 0) {
        ngx_log_error(level, cf->log, 0, "tcrouter: %s", err.text);

    } else {
        ngx_log_error(level, cf->log, 0,
                      "tcrouter: no routing image in \"%V\"", &tmcf->dir);
    }

    return tmcf->required ? NGX_ERROR : NGX_OK;
}
