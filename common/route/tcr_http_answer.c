/* SPDX-License-Identifier: Apache-2.0 */

/* What goes back to the client: refusals, redirects, JSON (§10.1). */

#include "tcr_http.h"


int
tcr_http_refuse(tcr_http_flow_t *f, tcr_result_e result, tcr_details_e details)
{
    f->out->result = result;
    f->out->details = details;
    f->out->status = 503;

    TCR_TRACE(f->req->trace, "answer", "503: %s",
              tcr_details_sentence(details));
    return 0;
}


static tcr_str_t
json_body(const tcr_mem_t *mem, tcr_str_t before, tcr_str_t url,
    tcr_str_t after)
{
    char       *data;
    size_t      size = before.len + url.len + after.len;
    tcr_out_t   out;

    data = tcr_mem_alloc(mem, size);

    if (data == NULL) {
        return tcr_str_n(NULL, 0);
    }

    out = (tcr_out_t) { data, data + size, false };
    tcr_out_str(&out, before);
    tcr_out_str(&out, url);
    tcr_out_str(&out, after);

    return tcr_str_n(data, size);
}


static bool
wants_list(const tcr_http_flow_t *f)
{
    return f->params.trred.data != NULL
           && tcr_str_ieq(f->params.trred, TCR_STR("false"));
}


/* trred=false wins over format=json (§10.1). */
int
tcr_http_answer_one(tcr_http_flow_t *f, tcr_str_t url)
{
    tcr_str_t            *urls;
    tcr_http_decision_t  *out = f->out;

    url = tcr_url_strip(f, url);
    urls = tcr_mem_alloc(&f->req->mem, sizeof(*urls));

    if (url.data == NULL || urls == NULL) {
        out->status = 500;
        return -1;
    }

    urls[0] = url;
    out->urls = urls;
    out->n_urls = 1;
    out->status = 200;

    if (wants_list(f)) {
        out->listed = true;
        out->body = json_body(&f->req->mem, TCR_STR("{\"locations\":[\""),
                              url, TCR_STR("\"]}"));

    } else if (tcr_str_eq(f->params.format, TCR_STR("json"))) {
        out->body = json_body(&f->req->mem, TCR_STR("{\"location\": \""),
                              url, TCR_STR("\" }"));

    } else {
        out->status = 302;
        out->location = url;
    }

    TCR_TRACE(f->req->trace, "answer", "%u %.*s", out->status,
              TCR_STR_ARG(url));
    return 0;
}


/* {"locations":["U1","U2"]}: URLs stand in it as they are (§10.1). */
static tcr_str_t
list_body(const tcr_mem_t *mem, const tcr_str_t *urls, size_t n)
{
    char       *data;
    size_t      i, size;
    tcr_out_t   out;

    for (i = 0, size = sizeof("{\"locations\":[]}"); i < n; i++) {
        size += urls[i].len + sizeof("\"\",");
    }

    data = tcr_mem_alloc(mem, size);

    if (data == NULL) {
        return tcr_str_n(NULL, 0);
    }

    out = (tcr_out_t) { data, data + size, false };
    tcr_out_str(&out, TCR_STR("{\"locations\":["));

    for (i = 0; i < n; i++) {
        tcr_out_str(&out, i ? TCR_STR(",\"") : TCR_STR("\""));
        tcr_out_str(&out, urls[i]);
        tcr_out_char(&out, '"');
    }

    tcr_out_str(&out, TCR_STR("]}"));
    return tcr_str_n(data, (size_t) (out.pos - data));
}


int
tcr_http_answer_list(tcr_http_flow_t *f, tcr_str_t *urls, size_t n)
{
    size_t                i;
    tcr_http_decision_t  *out = f->out;

    for (i = 0; i < n; i++) {
        urls[i] = tcr_url_strip(f, urls[i]);

        if (urls[i].data == NULL) {
            out->status = 500;
            return -1;
        }

        TCR_TRACE(f->req->trace, "answer", "%.*s", TCR_STR_ARG(urls[i]));
    }

    out->urls = urls;
    out->n_urls = n;
    out->listed = true;
    out->body = list_body(&f->req->mem, urls, n);
    out->status = 200;

    if (!wants_list(f)) {
        out->status = 302;
        out->location = urls[0];
    }

    return 0;
}
