/* SPDX-License-Identifier: Apache-2.0 */

/* The string an HTTP request is hashed by (spec/routing.md §6.5). */

#include "tcr_http.h"


tcr_str_t
tcr_http_apply_pattern(tcr_regex_t *re, tcr_str_t path, const tcr_mem_t *mem)
{
    int        i, n;
    char      *out;
    size_t     len;
    tcr_str_t  groups[TCR_REGEX_GROUPS];

    n = tcr_regex_groups(re, path, groups);

    if (n < 1) {
        return path;
    }

    for (i = 0, len = 0; i < n; i++) {

        if (groups[i].data == NULL) {
            groups[i] = TCR_STR("null");
        }

        len += groups[i].len;
    }

    out = tcr_mem_alloc(mem, len + 1);

    if (out == NULL) {
        return path;
    }

    for (i = 0, len = 0; i < n; i++) {
        memcpy(out + len, groups[i].data, groups[i].len);
        len += groups[i].len;
    }

    return tcr_str_n(out, len);
}


static tcr_str_t
apply_pattern(const tcr_http_flow_t *f, const tcr_img_service_t *s)
{
    tcr_regex_t  *re;

    if (s->hash_regex == 0) {
        return f->path;
    }

    re = tcr_helpers_regex(f->cdn->helpers, s->hash_regex_index,
                           tcr_cdn_str(f->cdn, s->hash_regex), 0);

    return re != NULL ? tcr_http_apply_pattern(re, f->path, &f->req->mem)
                      : f->path;
}


static tcr_str_t
join(const tcr_mem_t *mem, tcr_str_t a, tcr_str_t b)
{
    char  *out;

    if (b.len == 0) {
        return a;
    }

    out = tcr_mem_alloc(mem, a.len + b.len);

    if (out == NULL) {
        return a;
    }

    memcpy(out, a.data, a.len);
    memcpy(out + a.len, b.data, b.len);

    return tcr_str_n(out, a.len + b.len);
}


tcr_str_t
tcr_http_hash_text(const tcr_http_flow_t *f, const tcr_img_service_t *pattern,
    const tcr_img_service_t *params)
{
    tcr_str_t  query;

    query = tcr_query_significant(&f->req->mem, f->req->query, f->cdn->img,
                                  &params->hash_params);

    return join(&f->req->mem, apply_pattern(f, pattern), query);
}


tcr_hashed_t
tcr_http_hash(const tcr_http_flow_t *f, const tcr_img_service_t *pattern,
    const tcr_img_service_t *params)
{
    tcr_str_t  text = tcr_http_hash_text(f, pattern, params);

    return (tcr_hashed_t) { text, tcr_md5_point(f->view->md5, text) };
}
