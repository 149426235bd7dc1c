/* SPDX-License-Identifier: Apache-2.0 */

/* Caches, services, certificates and the fetcher as metrics. */

#include "tcr_certs_format.h"

#include "ngx_http_tcrouter_metrics.h"

#define CACHES     "tcrouter_caches"
#define SERVICES   "tcrouter_services"
#define REJECTED   "tcrouter_fetch_last_rejection_timestamp_seconds"
#define NOT_AFTER  "tcrouter_certificate_not_after_timestamp_seconds"


static const struct {
    tcr_str_t  name;
    uint32_t   mask;              /* of the health word's flags              */
    uint32_t   value;
} states[] = {
    { TCR_STR("available"), TCR_HEALTH_AVAILABLE, TCR_HEALTH_AVAILABLE },
    { TCR_STR("unavailable"), TCR_HEALTH_AVAILABLE, 0 }
};


static uint32_t
count_state(metrics_t *m, const tcr_img_group_t *g, ngx_uint_t state)
{
    uint32_t  i, n, flags;

    for (i = 0, n = 0; i < g->n_caches; i++) {
        flags = tcr_explore_cache_flags(m->view, g->first_cache + i);
        n += (flags & states[state].mask) == states[state].value;
    }

    return n;
}


static void
put_caches(metrics_t *m)
{
    uint32_t                    i;
    ngx_uint_t                  s;
    const tcr_img_group_t      *g;
    ngx_http_tcrouter_label_t   labels[2];

    ngx_http_tcrouter_metrics_family(m, CACHES, "gauge",
        "Caches of a cache group by their state.");
    g = tcr_image_vec(m->image, &m->root->groups);

    for (i = 0; i < m->root->n_groups; i++) {
        labels[0] = NGX_HTTP_TCROUTER_LABEL("cache_group",
                        ngx_http_tcrouter_page_str(m, g[i].id));

        for (s = 0; s < sizeof(states) / sizeof(states[0]); s++) {
            labels[1] = NGX_HTTP_TCROUTER_LABEL("state", states[s].name);
            ngx_http_tcrouter_metrics_sample(m, CACHES, "", labels, 2);
            ngx_http_tcrouter_metrics_uint(m, count_state(m, &g[i], s));
        }
    }
}


static void
put_services(metrics_t *m)
{
    uint32_t                    i, up, gaps;
    const tcr_img_service_t    *s;
    ngx_http_tcrouter_label_t   label;

    s = tcr_image_vec(m->image, &m->root->services);

    for (i = 0, up = 0, gaps = 0; i < m->root->services.n; i++) {
        up += tcr_explore_service_up(m->view, &s[i]);
        gaps += (s[i].flags & TCR_SERVICE_SSL_ENABLED)
                && !(s[i].flags & TCR_SERVICE_SSL_READY);
    }

    ngx_http_tcrouter_metrics_family(m, SERVICES, "gauge",
        "Delivery services by their state.");

    label = NGX_HTTP_TCROUTER_LABEL("state", states[0].name);
    ngx_http_tcrouter_metrics_sample(m, SERVICES, "", &label, 1);
    ngx_http_tcrouter_metrics_uint(m, up);

    label = NGX_HTTP_TCROUTER_LABEL("state", states[1].name);
    ngx_http_tcrouter_metrics_sample(m, SERVICES, "", &label, 1);
    ngx_http_tcrouter_metrics_uint(m, m->root->services.n - up);

    ngx_http_tcrouter_metrics_gauge(m, "tcrouter_services_without_certificate",
        "Services that want TLS and have no certificate.", gaps);
}


void
ngx_http_tcrouter_metrics_health(metrics_t *m)
{
    if (m->root != NULL) {
        put_caches(m);
        put_services(m);
    }
}


/* ---------------------------------------------------------- certificates */

static tcr_str_t
key_type(uint32_t type)
{
    switch (type) {

    case TCR_CERT_RSA:
        return TCR_STR("rsa");

    case TCR_CERT_EC:
        return TCR_STR("ec");

    default:
        return TCR_STR("ed25519");
    }
}


void
ngx_http_tcrouter_metrics_certificates(metrics_t *m)
{
    uint32_t                      i;
    const tcr_image_t            *img;
    const tcr_img_certs_t        *root;
    const tcr_img_certificate_t  *c;
    ngx_http_tcrouter_label_t     labels[3];

    img = ngx_http_tcrouter_page_certs(m);

    if (img == NULL) {
        return;
    }

    root = tcr_image_root(img);
    c = tcr_image_vec(img, &root->certificates);

    ngx_http_tcrouter_metrics_family(m, NOT_AFTER, "gauge",
        "When the first certificate of a chain expires.");

    for (i = 0; i < root->certificates.n; i++) {
        labels[0] = NGX_HTTP_TCROUTER_LABEL("delivery_service",
                        tcr_image_str(img, c[i].service));
        labels[1] = NGX_HTTP_TCROUTER_LABEL("name",
                        tcr_image_str(img, c[i].host));
        labels[2] = NGX_HTTP_TCROUTER_LABEL("key", key_type(c[i].type));
        ngx_http_tcrouter_metrics_sample(m, NOT_AFTER, "", labels, 3);
        ngx_http_tcrouter_metrics_ms(m, c[i].not_after * 1000);
    }

    ngx_http_tcrouter_metrics_gauge(m, "tcrouter_certificates_refused",
        "Certificates that came and are not served.", root->refused.n);
}


/* --------------------------------------------------------------- fetcher */

typedef struct {
    const char  *name;
    const char  *help;
    size_t       offset;          /* of the number in a source               */
    ngx_uint_t   moment;          /* ms since 1970                           */
} source_metric_t;

#define SOURCE(member)  offsetof(ngx_http_tcrouter_source_t, member)

static const source_metric_t  source_metrics[] = {
    { "tcrouter_fetch_last_success_timestamp_seconds",
      "When a source last gave something good or unchanged.",
      SOURCE(last_ok), 1 },
    { "tcrouter_fetch_last_failure_timestamp_seconds",
      "When a source last failed.", SOURCE(last_error), 1 },
    { "tcrouter_fetch_accepted_timestamp_seconds",
      "When what is in use of a source was taken.", SOURCE(since), 1 },
    { "tcrouter_fetch_failures", "Failures of a source in a row.",
      SOURCE(failures), 0 },
    { "tcrouter_fetch_problems",
      "Parts of what is in use of a source that were left out.",
      SOURCE(problems), 0 },
    { "tcrouter_fetch_bytes", "Size of what is in use of a source.",
      SOURCE(size), 0 },
};


static void
put_sources(metrics_t *m, const ngx_http_tcrouter_facts_t *facts,
    const source_metric_t *metric)
{
    int64_t                            value;
    uint32_t                           i;
    ngx_http_tcrouter_label_t          label;
    const ngx_http_tcrouter_source_t  *s;

    ngx_http_tcrouter_metrics_family(m, metric->name, "gauge", metric->help);

    for (i = 0; i < facts->n_sources; i++) {
        s = &facts->sources[i];

        if (!s->in_use) {
            continue;
        }

        ngx_memcpy(&value, (const char *) s + metric->offset, sizeof(value));
        label = NGX_HTTP_TCROUTER_LABEL("source", s->name);
        ngx_http_tcrouter_metrics_sample(m, metric->name, "", &label, 1);

        if (metric->moment) {
            ngx_http_tcrouter_metrics_ms(m, value);

        } else {
            ngx_http_tcrouter_metrics_uint(m, (uint64_t) value);
        }
    }
}


static void
put_monitors(metrics_t *m, const ngx_http_tcrouter_facts_t *facts)
{
    uint32_t                   i;
    ngx_http_tcrouter_label_t  label;

    ngx_http_tcrouter_metrics_family(m, "tcrouter_monitor_failures", "gauge",
        "Failures of a monitor in a row.");

    for (i = 0; i < facts->n_monitors; i++) {
        label = NGX_HTTP_TCROUTER_LABEL("monitor", facts->monitors[i].host);
        ngx_http_tcrouter_metrics_sample(m, "tcrouter_monitor_failures", "",
                                         &label, 1);
        ngx_http_tcrouter_metrics_uint(m,
                                  (uint64_t) facts->monitors[i].failures);
    }
}


void
ngx_http_tcrouter_metrics_fetcher(metrics_t *m)
{
    ngx_uint_t                        i;
    const ngx_http_tcrouter_facts_t  *facts;

    facts = ngx_http_tcrouter_page_facts(m);

    if (facts->written == 0) {
        return;
    }

    ngx_http_tcrouter_metrics_family(m, "tcrouter_fetch_timestamp_seconds",
        "gauge", "When tcr-fetch last wrote what it knows.");
    ngx_http_tcrouter_metrics_sample(m, "tcrouter_fetch_timestamp_seconds", "",
                                     NULL, 0);
    ngx_http_tcrouter_metrics_ms(m, facts->written);

    for (i = 0; i < sizeof(source_metrics) / sizeof(source_metrics[0]); i++) {
        put_sources(m, facts, &source_metrics[i]);
    }

    put_monitors(m, facts);

    if (facts->ops.origin.len != 0) {
        ngx_http_tcrouter_metrics_gauge(m, "tcrouter_traffic_ops_failures",
            "Failed log-ins at Traffic Ops in a row.",
            (uint64_t) facts->ops.failures);
    }

    if (facts->rejection.time != 0) {
        ngx_http_tcrouter_metrics_family(m, REJECTED, "gauge",
            "When an input was last refused as a whole.");
        ngx_http_tcrouter_metrics_sample(m, REJECTED, "", NULL, 0);
        ngx_http_tcrouter_metrics_ms(m, facts->rejection.time);
    }
}
