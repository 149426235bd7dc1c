/* SPDX-License-Identifier: Apache-2.0 */

/* The shared counters of all workers and backends as metrics. */

#include <inttypes.h>

#include "ngx_http_tcrouter_metrics.h"

#define REQUESTS  "tcrouter_requests_total"
#define REASONS   "tcrouter_decision_reasons_total"
#define TOOK      "tcrouter_decision_duration_seconds"
#define TLS       "tcrouter_tls_handshakes_total"


static const tcr_str_t  protocols[TCR_STATS_PROTOCOLS] = {
    [TCR_STATS_HTTP] = TCR_STR("http"),
    [TCR_STATS_DNS] = TCR_STR("dns")
};


/*
 * By number of a name: the xml_id of its service.  Names of services that are
 * gone keep their counters, under that name.
 */

static tcr_str_t *
name_services(metrics_t *m, const tcr_stats_t *stats)
{
    uint32_t                  i, n;
    tcr_str_t                *ids;
    const tcr_img_service_t  *s;

    ids = ngx_pcalloc(m->request->pool, TCR_STATS_NAMES * sizeof(tcr_str_t));

    if (ids == NULL || m->root == NULL) {
        return ids;
    }

    s = tcr_image_vec(m->image, &m->root->services);

    for (i = 0; i < m->root->services.n; i++) {
        n = tcr_stats_find(stats, ngx_http_tcrouter_page_str(m, s[i].fqdn));

        if (n != 0 && ids[n].data == NULL) {
            ids[n] = ngx_http_tcrouter_page_str(m, s[i].id);
        }
    }

    return ids;
}


static void
put_tally(metrics_t *m, tcr_str_t service, const tcr_stats_tally_t *tally)
{
    ngx_uint_t                 p, result;
    ngx_http_tcrouter_label_t  labels[3];

    labels[1] = NGX_HTTP_TCROUTER_LABEL("delivery_service", service);

    for (p = 0; p < TCR_STATS_PROTOCOLS; p++) {
        labels[0] = NGX_HTTP_TCROUTER_LABEL("protocol", protocols[p]);

        for (result = 0; result < TCR_RESULT_COUNT; result++) {

            if (tally->count[p][result] == 0) {
                continue;
            }

            labels[2] = NGX_HTTP_TCROUTER_LABEL("result",
                                                tcr_result_name(result));
            ngx_http_tcrouter_metrics_sample(m, REQUESTS, "", labels, 3);
            ngx_http_tcrouter_metrics_uint(m, tally->count[p][result]);
        }
    }
}


static void
put_requests(metrics_t *m, const tcr_stats_t *stats)
{
    uint32_t           i, n;
    tcr_str_t         *ids, name;
    tcr_stats_tally_t  tally;

    ids = name_services(m, stats);

    if (ids == NULL) {
        return;
    }

    ngx_http_tcrouter_metrics_family(m, REQUESTS, "counter",
        "Answered questions by service and result; counters that are zero "
        "are left out.");

    n = tcr_stats_names(stats);

    for (i = 0; i < n; i++) {
        tcr_stats_total_tally(stats, i, &tally);
        name = ids[i].data != NULL ? ids[i] : tcr_stats_name(stats, i);
        put_tally(m, name, &tally);
    }
}


static void
put_reasons(metrics_t *m, const tcr_stats_sums_t *sums)
{
    ngx_uint_t                 i;
    ngx_http_tcrouter_label_t  label;

    ngx_http_tcrouter_metrics_family(m, REASONS, "counter",
        "Answered questions by the details of their result.");

    for (i = 0; i < TCR_DETAILS_COUNT; i++) {
        label = NGX_HTTP_TCROUTER_LABEL("reason", i == TCR_DETAILS_NONE
                                                  ? TCR_STR("none")
                                                  : tcr_details_name(i));
        ngx_http_tcrouter_metrics_sample(m, REASONS, "", &label, 1);
        ngx_http_tcrouter_metrics_uint(m, sums->details[i]);
    }
}


/* The last bucket of the counters takes all the rest: it is +Inf. */

static void
put_histogram(metrics_t *m, const tcr_stats_sums_t *sums,
    tcr_stats_protocol_e p)
{
    char                       le[TCR_REAL_TEXT];
    uint64_t                   sum;
    ngx_uint_t                 i;
    ngx_http_tcrouter_label_t  labels[2];

    labels[0] = NGX_HTTP_TCROUTER_LABEL("protocol", protocols[p]);

    for (i = 0, sum = 0; i < TCR_STATS_BUCKETS; i++) {
        sum += sums->bucket[p][i];

        labels[1] = NGX_HTTP_TCROUTER_LABEL("le", TCR_STR("+Inf"));

        if (i != TCR_STATS_BUCKETS - 1) {
            labels[1].value = tcr_str_n(le,
                tcr_real_text((double) (UINT64_C(1) << i) / 1e6, le));
        }

        ngx_http_tcrouter_metrics_sample(m, TOOK, "_bucket", labels, 2);
        ngx_http_tcrouter_metrics_uint(m, sum);
    }

    ngx_http_tcrouter_metrics_sample(m, TOOK, "_sum", labels, 1);
    tcr_buf_printf(m->out, "%" PRIu64 ".%06u\n", sums->took[p] / 1000000,
                   (unsigned) (sums->took[p] % 1000000));

    /* as the buckets say, which may be read a moment after the total */
    ngx_http_tcrouter_metrics_sample(m, TOOK, "_count", labels, 1);
    ngx_http_tcrouter_metrics_uint(m, sum);
}


static void
put_handshakes(metrics_t *m, const tcr_stats_sums_t *sums)
{
    ngx_uint_t                 i;
    ngx_http_tcrouter_label_t  label;

    static const tcr_str_t  kinds[] = { TCR_STR("image"), TCR_STR("server") };

    ngx_http_tcrouter_metrics_family(m, TLS, "counter",
        "Full TLS handshakes by where the certificate came from: the image, "
        "or the server's own.");

    for (i = 0; i < 2; i++) {
        label = NGX_HTTP_TCROUTER_LABEL("certificate", kinds[i]);
        ngx_http_tcrouter_metrics_sample(m, TLS, "", &label, 1);
        ngx_http_tcrouter_metrics_uint(m, sums->handshakes[i]);
    }
}


static void
put_sums(metrics_t *m, const tcr_stats_t *stats, const tcr_stats_sums_t *sums)
{
    ngx_uint_t  p;

    ngx_http_tcrouter_metrics_counter(m, "tcrouter_unmatched_requests_total",
        "Requests for hosts of no service.", sums->missed);
    put_reasons(m, sums);

    ngx_http_tcrouter_metrics_family(m, TOOK, "histogram",
        "From the arrival of a question to its answer.");

    for (p = 0; p < TCR_STATS_PROTOCOLS; p++) {
        put_histogram(m, sums, p);
    }

    put_handshakes(m, sums);

    ngx_http_tcrouter_metrics_counter(m, "tcrouter_refused_images_total",
        "Images that a worker or backend refused; the last good one serves.",
        sums->refused_images);
    ngx_http_tcrouter_metrics_counter(m, "tcrouter_lost_log_lines_total",
        "Lines of the DNS access log that the disk was too slow for.",
        sums->lost_log_lines);

    ngx_http_tcrouter_metrics_family(m, "tcrouter_counters_timestamp_seconds",
        "gauge", "When these counters began.");
    ngx_http_tcrouter_metrics_sample(m, "tcrouter_counters_timestamp_seconds",
                                     "", NULL, 0);
    ngx_http_tcrouter_metrics_ms(m, tcr_stats_created(stats));
}


/* Without the shared file there is nothing to say. */

void
ngx_http_tcrouter_metrics_counts(metrics_t *m)
{
    tcr_stats_sums_t    sums;
    const tcr_stats_t  *stats = tcr_count_stats(m->view);

    if (stats == NULL) {
        return;
    }

    tcr_stats_total(stats, &sums);
    put_requests(m, stats);
    put_sums(m, stats, &sums);
}
