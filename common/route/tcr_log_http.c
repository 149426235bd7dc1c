/* SPDX-License-Identifier: Apache-2.0 */

/* The access-log line of an HTTP request (spec/outputs.md §1.1). */

#include "tcr_http.h"
#include "tcr_log_text.h"

/* Field names, quotes, numbers and words of a line. */
#define FIXED  512


/* A name and a value from outside. */
static void
field(tcr_out_t *out, tcr_str_t name, tcr_str_t value)
{
    tcr_out_str(out, name);
    tcr_log_escaped(out, value);
}


/* A name and a value that holds nothing odd. */
static void
word(tcr_out_t *out, tcr_str_t name, tcr_str_t value)
{
    tcr_out_str(out, name);
    tcr_out_str(out, value);
}


static tcr_str_t
or_dash(tcr_str_t value)
{
    return value.len != 0 ? value : TCR_STR("-");
}


static void
request_fields(tcr_out_t *out, const tcr_http_request_t *req,
    const tcr_http_decision_t *d)
{
    field(out, TCR_STR(" qtype=HTTP chi="), d->client);
    word(out, TCR_STR(" rhi="), tcr_str_eq(d->client, req->peer)
                                 ? TCR_STR("-") : or_dash(req->peer));

    field(out, req->secure ? TCR_STR(" url=\"https://")
                           : TCR_STR(" url=\"http://"),
          tcr_http_shown_host(req));
    tcr_log_escaped(out, req->path);

    if (req->query.len != 0) {
        field(out, TCR_STR("?"), req->query);
    }

    field(out, TCR_STR("\" cqhm="), req->method);
    word(out, TCR_STR(" cqhv="), or_dash(req->protocol));
}


static void
point_text(tcr_out_t *out, tcr_point_t point)
{
    tcr_log_degrees_http(out, point.lat);
    tcr_out_char(out, ',');
    tcr_log_degrees_http(out, point.lon);
}


size_t
tcr_log_point(tcr_point_t point, char text[TCR_LOG_POINT])
{
    tcr_out_t  out = { text, text + TCR_LOG_POINT, false };

    point_text(&out, point);
    return (size_t) (out.pos - text);
}


static void
decision_fields(tcr_out_t *out, const tcr_http_decision_t *d)
{
    word(out, TCR_STR(" rtype="), tcr_result_name(d->result));
    tcr_out_str(out, TCR_STR(" rloc=\""));

    if (d->has_point) {
        point_text(out, d->point);

    } else {
        tcr_out_char(out, '-');
    }

    word(out, TCR_STR("\" rdtl="), d->result != TCR_RESULT_NONE
                                    ? tcr_details_name(d->details)
                                    : TCR_STR("-"));
    field(out, TCR_STR(" rerr=\"-\" rgb=\""), or_dash(d->regional));
    tcr_out_char(out, '"');
}


static void
answer_fields(tcr_out_t *out, const tcr_http_decision_t *d)
{
    size_t     i;
    tcr_str_t  url = d->location;

    if (url.data == NULL && d->n_urls != 0 && !d->listed) {
        url = d->urls[0];         /* in the body of format=json */
    }

    field(out, TCR_STR(" rurl=\""), or_dash(url));

    if (!d->listed) {
        tcr_out_str(out, TCR_STR("\" rurls=\"-\""));
        return;
    }

    tcr_out_str(out, TCR_STR("\" rurls=\"["));

    for (i = 0; i < d->n_urls; i++) {
        field(out, i != 0 ? TCR_STR(", ") : TCR_STR(""), d->urls[i]);
    }

    tcr_out_str(out, TCR_STR("]\""));
}


static tcr_str_t
header_value(const tcr_http_request_t *req, tcr_str_t name)
{
    return req->header != NULL ? req->header(req->header_ctx, name)
                               : tcr_str_n(NULL, 0);
}


typedef struct {
    const tcr_image_t         *img;
    const tcr_http_request_t  *req;
    const tcr_img_vec_t       *lists[2];    /* CDN's, service's names        */
} logged_headers_t;


static logged_headers_t
logged_headers(const tcr_image_t *img, const tcr_http_request_t *req,
    const tcr_http_decision_t *d)
{
    const tcr_img_routing_t  *rt = img != NULL ? tcr_image_root(img) : NULL;

    return (logged_headers_t) { img, req, {
        rt != NULL ? &rt->request_headers : NULL,
        d->service != NULL ? &d->service->request_headers : NULL
    } };
}


/* Has the CDN's own list that name already? */
static bool
is_repeated(const logged_headers_t *h, size_t list, tcr_str_t name)
{
    uint32_t              i;
    const tcr_img_str_t  *names;

    if (list == 0 || h->lists[0] == NULL) {
        return false;
    }

    names = tcr_image_vec(h->img, h->lists[0]);

    for (i = 0; i < h->lists[0]->n; i++) {
        if (tcr_str_eq(tcr_image_str(h->img, names[i]), name)) {
            return true;
        }
    }

    return false;
}


/* Writes `rh` fields to out, or only counts their bytes with out == NULL. */
static size_t
header_fields(const logged_headers_t *h, tcr_out_t *out)
{
    size_t                list, size;
    uint32_t              i;
    tcr_str_t             name, value;
    const tcr_img_str_t  *names;

    for (list = 0, size = 0; list < 2; list++) {

        if (h->lists[list] == NULL) {
            continue;
        }

        names = tcr_image_vec(h->img, h->lists[list]);

        for (i = 0; i < h->lists[list]->n; i++) {
            name = tcr_image_str(h->img, names[i]);
            value = header_value(h->req, name);

            if (value.len == 0 || is_repeated(h, list, name)) {
                continue;
            }

            size += name.len + value.len + sizeof(" rh=\": \"");

            if (out != NULL) {
                tcr_out_str(out, TCR_STR(" rh=\""));
                tcr_out_str(out, name);
                field(out, TCR_STR(": "), value);
                tcr_out_char(out, '"');
            }
        }
    }

    return size;
}


size_t
tcr_log_http_size(const tcr_image_t *routing,
    const tcr_http_request_t *req, const tcr_http_decision_t *d, size_t escape)
{
    size_t            i, size;
    logged_headers_t  headers = logged_headers(routing, req, d);

    size = d->client.len + req->peer.len + req->host.len + req->path.len
           + req->query.len + req->method.len + req->protocol.len
           + d->services.len + d->regional.len
           + header_value(req, TCR_STR("User-Agent")).len
           + header_fields(&headers, NULL);

    for (i = 0; i < d->n_urls; i++) {
        size += d->urls[i].len + 2;
    }

    return FIXED + size * escape;
}


size_t
tcr_log_http(const tcr_image_t *routing, const tcr_http_request_t *req,
    const tcr_http_decision_t *d, const tcr_log_times_t *times,
    char *buf, size_t size)
{
    tcr_out_t         out = { buf, buf + size, false };
    tcr_str_t         agent;
    logged_headers_t  headers = logged_headers(routing, req, d);

    tcr_log_time(&out, times->arrival_ms);
    request_fields(&out, req, d);
    decision_fields(&out, d);

    if (d->status != 0) {
        tcr_out_str(&out, TCR_STR(" pssc="));
        tcr_out_uint(&out, d->status);
        tcr_out_str(&out, TCR_STR(" ttms="));
        tcr_log_took(&out, times->took_us);
    }

    answer_fields(&out, d);

    agent = header_value(req, TCR_STR("User-Agent"));
    field(&out, TCR_STR(" uas=\""), agent.data != NULL ? agent
                                                       : TCR_STR("null"));
    field(&out, TCR_STR("\" svc=\""), or_dash(d->services));
    tcr_out_char(&out, '"');

    if (header_fields(&headers, &out) == 0) {
        tcr_out_str(&out, TCR_STR(" rh=\"-\""));
    }

    return (size_t) (out.pos - buf);
}
