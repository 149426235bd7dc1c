/* SPDX-License-Identifier: Apache-2.0 */

/*
 * tcrouter_metrics: the page, its format, and what images are in force.
 */

#include <inttypes.h>

#include "tcr_utf8.h"
#include "tcr_version.h"

#include "ngx_http_tcrouter_metrics.h"


void
ngx_http_tcrouter_metrics_family(metrics_t *m, const char *name,
    const char *type, const char *help)
{
    tcr_buf_printf(m->out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name,
                   type);
}


/* A value is UTF-8; backslash, quote and line end are escaped. */

static void
put_value(metrics_t *m, tcr_str_t s)
{
    size_t  i, n;

    for (i = 0; i < s.len; i += n) {
        n = tcr_utf8_len(s.data + i, s.len - i);

        if (n == 0) {
            n = 1;
            tcr_buf_str(m->out, TCR_STR("\xef\xbf\xbd"));

        } else if (s.data[i] == '\n') {
            tcr_buf_str(m->out, TCR_STR("\\n"));

        } else {
            if (s.data[i] == '"' || s.data[i] == '\\') {
                tcr_buf_char(m->out, '\\');
            }

            tcr_buf_add(m->out, s.data + i, n);
        }
    }
}


void
ngx_http_tcrouter_metrics_sample(metrics_t *m, const char *name,
    const char *suffix, const ngx_http_tcrouter_label_t *labels,
    ngx_uint_t n)
{
    ngx_uint_t  i;

    tcr_buf_str(m->out, tcr_str(name));
    tcr_buf_str(m->out, tcr_str(suffix));

    for (i = 0; i < n; i++) {
        tcr_buf_char(m->out, i == 0 ? '{' : ',');
        tcr_buf_str(m->out, tcr_str(labels[i].name));
        tcr_buf_str(m->out, TCR_STR("=\""));
        put_value(m, labels[i].value);
        tcr_buf_char(m->out, '"');
    }

    if (n != 0) {
        tcr_buf_char(m->out, '}');
    }

    tcr_buf_char(m->out, ' ');
}


void
ngx_http_tcrouter_metrics_uint(metrics_t *m, uint64_t value)
{
    tcr_buf_printf(m->out, "%" PRIu64 "\n", value);
}


/* Seconds, as all times of Prometheus; some come from other processes. */

void
ngx_http_tcrouter_metrics_ms(metrics_t *m, int64_t ms)
{
    ms = ms > 0 ? ms : 0;
    tcr_buf_printf(m->out, "%" PRId64 ".%03d\n", ms / 1000,
                   (int) (ms % 1000));
}


static void
put_one(metrics_t *m, const char *name, const char *type, const char *help,
    uint64_t value)
{
    ngx_http_tcrouter_metrics_family(m, name, type, help);
    ngx_http_tcrouter_metrics_sample(m, name, "", NULL, 0);
    ngx_http_tcrouter_metrics_uint(m, value);
}


void
ngx_http_tcrouter_metrics_gauge(metrics_t *m, const char *name,
    const char *help, uint64_t value)
{
    put_one(m, name, "gauge", help, value);
}


void
ngx_http_tcrouter_metrics_counter(metrics_t *m, const char *name,
    const char *help, uint64_t value)
{
    put_one(m, name, "counter", help, value);
}


static void
put_ms(metrics_t *m, const char *name, const char *help, int64_t ms)
{
    ngx_http_tcrouter_metrics_family(m, name, "gauge", help);
    ngx_http_tcrouter_metrics_sample(m, name, "", NULL, 0);
    ngx_http_tcrouter_metrics_ms(m, ms);
}


static void
put_info(metrics_t *m)
{
    ngx_http_tcrouter_label_t  labels[2];

    labels[0] = NGX_HTTP_TCROUTER_LABEL("version", TCR_STR(TCR_VERSION));

    ngx_http_tcrouter_metrics_family(m, "tcrouter_build_info", "gauge",
                                     "Version of the module.");
    ngx_http_tcrouter_metrics_sample(m, "tcrouter_build_info", "", labels, 1);
    ngx_http_tcrouter_metrics_uint(m, 1);

    if (m->root == NULL) {
        return;
    }

    labels[0] = NGX_HTTP_TCROUTER_LABEL("cdn",
                    ngx_http_tcrouter_page_str(m, m->root->cdn_name));
    labels[1] = NGX_HTTP_TCROUTER_LABEL("router",
                    ngx_http_tcrouter_page_str(m, m->root->router));

    ngx_http_tcrouter_metrics_family(m, "tcrouter_snapshot_info", "gauge",
                                     "The CDN, and this router's name in it.");
    ngx_http_tcrouter_metrics_sample(m, "tcrouter_snapshot_info", "", labels,
                                     2);
    ngx_http_tcrouter_metrics_uint(m, 1);
}


static void
put_images(metrics_t *m)
{
    tcr_slot_e                  i;
    const tcr_image_t          *img;
    ngx_http_tcrouter_label_t   label;

    ngx_http_tcrouter_metrics_family(m, "tcrouter_image_bytes", "gauge",
                                     "Size of an image in force.");

    for (i = 0; i < TCR_SLOT_COUNT; i++) {
        img = tcr_view_image(m->view, i);

        if (img != NULL) {
            label = NGX_HTTP_TCROUTER_LABEL("image",
                                            tcr_str(tcr_slot_name(i)));
            ngx_http_tcrouter_metrics_sample(m, "tcrouter_image_bytes", "",
                                             &label, 1);
            ngx_http_tcrouter_metrics_uint(m, img->size);
        }
    }
}


/* Moments, not ages: who reads them knows what time it is. */

static void
put_state(metrics_t *m)
{
    tcr_view_state_t  state;

    tcr_view_state(m->view, &state);

    ngx_http_tcrouter_metrics_gauge(m, "tcrouter_snapshot_generation",
        "Number of the routing image in force, 0 without one.",
        state.generation);
    put_ms(m, "tcrouter_snapshot_timestamp_seconds",
           "When the snapshot in force was made.",
           state.snapshot_date * 1000);
    put_ms(m, "tcrouter_snapshot_published_timestamp_seconds",
           "When the routing image in force was published.",
           state.published);
    put_ms(m, "tcrouter_health_timestamp_seconds",
           "When health last came into force.", state.states_time);
    put_ms(m, "tcrouter_health_poll_timestamp_seconds",
           "When a monitor last answered.", state.poll_time);
}


ngx_int_t
ngx_http_tcrouter_metrics_handler(ngx_http_request_t *r)
{
    metrics_t  m;
    ngx_int_t  rc;

    if (!(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD))) {
        return NGX_HTTP_NOT_ALLOWED;
    }

    rc = ngx_http_tcrouter_page_start(r, &m);

    if (rc != NGX_OK) {
        return rc;
    }

    ngx_str_set(&m.type, "text/plain; version=0.0.4; charset=utf-8");

    put_info(&m);
    put_state(&m);
    put_images(&m);
    ngx_http_tcrouter_metrics_health(&m);
    ngx_http_tcrouter_metrics_counts(&m);
    ngx_http_tcrouter_metrics_certificates(&m);
    ngx_http_tcrouter_metrics_fetcher(&m);

    if (ngx_http_tcrouter_page_header(r, "Cache-Control",
                                      TCR_STR("no-store"))
        != NGX_OK)
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    return ngx_http_tcrouter_page_send(&m, NGX_HTTP_OK);
}
