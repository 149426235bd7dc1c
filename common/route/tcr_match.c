/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Matching a request to a delivery service: the exact names first, then the
 * first matchset in document order all of whose matchers match.  Patterns of
 * the usual shape are found by the labels of the host; what remains is a
 * short list of odd ones.
 */

#include "tcr_match.h"


/* Does name "." stand in the host at a label's start? */
static bool
has_labels(tcr_str_t host, tcr_str_t name, bool at_start)
{
    size_t      i;
    const char *dot;

    if (name.len >= host.len) {
        return false;
    }

    for (i = 0; i < host.len - name.len; i++) {

        if ((i > 0 || at_start)
            && host.data[i + name.len] == '.'
            && memcmp(host.data + i, name.data, name.len) == 0)
        {
            return true;
        }

        dot = memchr(host.data + i, '.', host.len - i);

        if (dot == NULL) {
            return false;
        }

        i = (size_t) (dot - host.data);
    }

    return false;
}


static tcr_str_t
path_text(tcr_match_input_t *in)
{
    char  *out;

    if (in->path_text.data != NULL || in->query.data == NULL) {
        return in->path_text.data != NULL ? in->path_text : in->path;
    }

    out = tcr_mem_alloc(in->mem, in->path.len + 1 + in->query.len);

    if (out == NULL) {
        return in->path;
    }

    memcpy(out, in->path.data, in->path.len);
    out[in->path.len] = '?';
    memcpy(out + in->path.len + 1, in->query.data, in->query.len);

    in->path_text = tcr_str_n(out, in->path.len + 1 + in->query.len);
    return in->path_text;
}


static bool
matches_pattern(const tcr_cdn_t *cdn, const tcr_img_matcher_t *m,
    tcr_str_t text)
{
    tcr_regex_t  *re;

    if (text.data == NULL) {
        return false;
    }

    re = tcr_helpers_regex(cdn->helpers, m->regex_index,
                           tcr_cdn_str(cdn, m->text),
                           TCR_REGEX_WHOLE | TCR_REGEX_CASELESS);

    return re != NULL && tcr_regex_match(re, text);
}


static bool
matches(const tcr_cdn_t *cdn, const tcr_img_matcher_t *m,
    tcr_match_input_t *in)
{
    switch ((tcr_match_e) m->kind) {

    case TCR_MATCH_HOST_LABELS:
        return has_labels(in->host, tcr_cdn_str(cdn, m->text),
                          m->flags & TCR_MATCHER_AT_START);

    case TCR_MATCH_HOST_LITERAL:
        return tcr_str_eq(in->host, tcr_cdn_str(cdn, m->text));

    case TCR_MATCH_HOST_REGEX:
        return matches_pattern(cdn, m, in->host);

    case TCR_MATCH_PATH_REGEX:
        return in->path.data != NULL
               && matches_pattern(cdn, m, path_text(in));

    case TCR_MATCH_HEADER_REGEX:
        return in->path.data != NULL && in->header != NULL
               && matches_pattern(cdn, m,
                      in->header(in->header_ctx, tcr_cdn_str(cdn, m->target)));
    }

    return false;
}


static bool
set_matches(const tcr_cdn_t *cdn, const tcr_img_matchset_t *set,
    tcr_match_input_t *in)
{
    uint32_t                  i;
    const tcr_img_matcher_t  *m;

    m = tcr_image_vec(cdn->img, &cdn->rt->matching.matchers);
    m += set->first;

    for (i = 0; i < set->n; i++) {
        if (!matches(cdn, &m[i], in)) {
            return false;
        }
    }

    return set->n != 0;
}


/* The first of n ascending matchsets below `best` that matches, else best. */
static uint32_t
first_match(const tcr_cdn_t *cdn, const uint32_t *sets, uint32_t n,
    uint32_t best, tcr_match_input_t *in)
{
    uint32_t                   i;
    const tcr_img_matchset_t  *all;

    all = tcr_image_vec(cdn->img, &cdn->rt->matching.matchsets);

    for (i = 0; i < n && sets[i] < best; i++) {
        if (set_matches(cdn, &all[sets[i]], in)) {
            return sets[i];
        }
    }

    return best;
}


static uint32_t
match_label(const tcr_cdn_t *cdn, tcr_str_t label, uint32_t best,
    tcr_match_input_t *in)
{
    uint32_t                      v;
    tcr_map_iter_t                it;
    const tcr_img_matching_t     *mt = &cdn->rt->matching;
    const tcr_img_label_set_t    *sets = tcr_image_vec(cdn->img,
                                                       &mt->label_sets);
    const uint32_t               *ids = tcr_image_vec(cdn->img,
                                                      &mt->label_matchsets);

    for (v = tcr_map_first(cdn->img, &mt->label_map, label, &it);
         v != TCR_NONE;
         v = tcr_map_next(&it))
    {
        if (tcr_str_eq(tcr_cdn_str(cdn, sets[v].label), label)) {
            return first_match(cdn, ids + sets[v].first, sets[v].n, best, in);
        }
    }

    return best;
}


/* Neither path nor header matchers take part in a DNS question. */
static uint32_t
match_exact(const tcr_cdn_t *cdn, const tcr_match_input_t *in)
{
    uint32_t                   v;
    tcr_map_iter_t             it;
    const tcr_img_matching_t  *mt = &cdn->rt->matching;
    const tcr_img_exact_t     *exact = tcr_image_vec(cdn->img, &mt->exact);

    for (v = tcr_map_first(cdn->img, &mt->exact_map, in->host, &it);
         v != TCR_NONE;
         v = tcr_map_next(&it))
    {
        if (tcr_str_eq(tcr_cdn_str(cdn, exact[v].name), in->host)) {
            return exact[v].hides && in->path.data != NULL
                   ? TCR_NONE : exact[v].service;
        }
    }

    return TCR_NONE;
}


uint32_t
tcr_match_service(const tcr_cdn_t *cdn, tcr_match_input_t *in)
{
    uint32_t                   best;
    tcr_str_t                  rest, label;
    const tcr_img_matching_t  *mt = &cdn->rt->matching;
    const tcr_img_matchset_t  *sets;

    best = match_exact(cdn, in);

    if (best != TCR_NONE) {
        return best;
    }

    for (rest = in->host; rest.data != NULL; ) {
        label = tcr_str_split(&rest, '.');
        best = match_label(cdn, label, best, in);
    }

    best = first_match(cdn, tcr_image_vec(cdn->img, &mt->odd), mt->odd.n,
                       best, in);

    sets = tcr_image_vec(cdn->img, &mt->matchsets);
    return best != TCR_NONE ? sets[best].service : TCR_NONE;
}
