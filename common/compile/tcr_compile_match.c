/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Matching tables (spec/routing.md §1): matchsets in document order, found by
 * the first label of a pattern; and exact names, with a mark where they would
 * hide a path or header matcher (rule match-order).
 */

#include "tcr_pattern.h"

#include "tcr_regex.h"

#define NO_LABEL  UINT32_MAX


typedef struct {
    tcr_compiler_t        *c;

    tcr_img_matchset_t    *sets;
    uint32_t               n_sets;
    uint32_t              *label_of;      /* of each set: its label set      */
    bool                  *narrow;        /* it has PATH or HEADER matchers  */

    tcr_img_matcher_t     *matchers;
    uint32_t               n_matchers;
    tcr_str_t             *patterns;      /* of each HOST matcher            */
    tcr_regex_t          **compiled;      /* the same, when first needed     */

    tcr_names_t            labels;        /* label -> label set              */
    tcr_img_label_set_t   *label_sets;
    uint32_t               n_labels;
    uint32_t              *label_matchsets;
    uint32_t               n_listed;
    uint32_t              *odd;
    uint32_t               n_odd;

    tcr_names_t            names;         /* exact name -> exact             */
    tcr_str_t             *exact;
    uint32_t              *exact_service;
    uint32_t               n_exact;
} match_t;


static int
prepare(match_t *mt)
{
    size_t                  i, k, sets, matchers;
    tcr_compiler_t         *c = mt->c;
    const tcr_service_t    *m;

    for (i = 0, sets = 0, matchers = 0; i < c->n_services; i++) {
        m = &c->cfg->services[i];
        sets += m->n_matchsets;

        for (k = 0; k < m->n_matchsets; k++) {
            matchers += m->matchsets[k].n;
        }
    }

    if (sets >= NO_LABEL || matchers >= NO_LABEL) {
        return tcr_err_set(c->err, "too many matchers");
    }

    mt->sets = tcr_compiler_alloc(c, sets, sizeof(*mt->sets));
    mt->label_of = tcr_compiler_alloc(c, sets, sizeof(*mt->label_of));
    mt->narrow = tcr_compiler_alloc(c, sets, sizeof(*mt->narrow));
    mt->matchers = tcr_compiler_alloc(c, matchers, sizeof(*mt->matchers));
    mt->patterns = tcr_compiler_alloc(c, matchers, sizeof(*mt->patterns));
    mt->compiled = tcr_compiler_alloc(c, matchers, sizeof(*mt->compiled));
    mt->label_sets = tcr_compiler_alloc(c, sets, sizeof(*mt->label_sets));
    mt->label_matchsets = tcr_compiler_alloc(c, sets, sizeof(uint32_t));
    mt->odd = tcr_compiler_alloc(c, sets, sizeof(*mt->odd));
    mt->exact = tcr_compiler_alloc(c, 2 * (size_t) c->n_services,
                                   sizeof(*mt->exact));
    mt->exact_service = tcr_compiler_alloc(c, 2 * (size_t) c->n_services,
                                           sizeof(*mt->exact_service));

    if (c->failed
        || tcr_names_init(&mt->labels, c->arena, sets) != 0
        || tcr_names_init(&mt->names, c->arena, 2 * (size_t) c->n_services)
           != 0)
    {
        return tcr_compiler_no_memory(c);
    }

    return 0;
}


/* The label set of that label, made when it is new. */
static uint32_t
label_set(match_t *mt, tcr_str_t label)
{
    uint32_t  i;

    if (!tcr_names_find(&mt->labels, label, &i)) {
        i = mt->n_labels++;
        mt->label_sets[i].label = tcr_build_str(mt->c->b, label);
        tcr_names_add(&mt->labels, label, i);
    }

    return i;
}


static int
add_host(match_t *mt, const tcr_matcher_t *m, bool superhack, uint32_t set)
{
    tcr_pattern_t       p;
    tcr_compiler_t     *c = mt->c;
    tcr_img_matcher_t  *out = &mt->matchers[mt->n_matchers];

    if (tcr_pattern_read(c->arena, m, superhack, &p, c->err) != 0) {
        return -1;
    }

    mt->patterns[mt->n_matchers] = p.regex;

    out->kind = p.kind;
    out->text = tcr_build_str(c->b, p.text);

    if (p.kind == TCR_MATCH_HOST_REGEX) {
        out->regex_index = c->n_regexes++;
    }

    if (p.kind == TCR_MATCH_HOST_LABELS) {
        out->flags = p.at_start ? TCR_MATCHER_AT_START : 0;

        if (mt->label_of[set] == NO_LABEL) {
            mt->label_of[set] = label_set(mt, tcr_first_label(p.text));
        }
    }

    mt->n_matchers++;
    return 0;
}


static void
add_other(match_t *mt, const tcr_matcher_t *m, uint32_t set)
{
    tcr_compiler_t     *c = mt->c;
    tcr_img_matcher_t  *out = &mt->matchers[mt->n_matchers++];

    out->kind = m->kind == TCR_MATCHER_PATH ? TCR_MATCH_PATH_REGEX
                                            : TCR_MATCH_HEADER_REGEX;
    out->text = tcr_build_str(c->b, m->pattern);
    out->target = tcr_build_str(c->b, m->target);
    out->regex_index = c->n_regexes++;
    mt->narrow[set] = true;
}


/* 0, or -1 for a pattern that cannot be used: then the set is taken back. */
static int
add_set(match_t *mt, uint32_t s, size_t k)
{
    bool                   superhack;
    size_t                 i;
    uint32_t               first = mt->n_matchers, set = mt->n_sets;
    uint32_t               regexes = mt->c->n_regexes;
    const tcr_matchset_t  *m = &mt->c->cfg->services[s].matchsets[k];

    mt->label_of[set] = NO_LABEL;
    mt->narrow[set] = false;

    for (i = 0; i < m->n; i++) {
        if (m->matchers[i].kind != TCR_MATCHER_HOST) {
            add_other(mt, &m->matchers[i], set);
            continue;
        }

        superhack = mt->c->cfg->superhack && k == 0 && i == 0;

        if (add_host(mt, &m->matchers[i], superhack, set) != 0) {
            mt->n_matchers = first;
            mt->c->n_regexes = regexes;
            return -1;
        }
    }

    mt->sets[set] = (tcr_img_matchset_t) { s, first, (uint32_t) m->n };
    mt->n_sets++;
    return 0;
}


static int
add_sets(match_t *mt)
{
    size_t                k;
    uint32_t              s;
    tcr_compiler_t       *c = mt->c;
    const tcr_service_t  *m;

    for (s = 0; s < c->n_services; s++) {
        m = &c->cfg->services[s];

        for (k = 0; k < m->n_matchsets; k++) {

            /* an empty matchlist matches nothing */
            if (m->matchsets[k].n == 0 || add_set(mt, s, k) == 0) {
                continue;
            }

            if (c->failed) {
                return -1;
            }

            tcr_report_add(c->report, TCR_REPORT_LEFT_OUT,
                           "service \"%.*s\": matchset %zu: %s",
                           TCR_STR_ARG(m->id), k, c->err->text);
        }
    }

    return 0;
}


/* Sets listed by their label; what has none is odd. */
static void
list_sets(match_t *mt)
{
    uint32_t  i, l, n, at;

    for (i = 0; i < mt->n_sets; i++) {
        if (mt->label_of[i] == NO_LABEL) {
            mt->odd[mt->n_odd++] = i;

        } else {
            mt->label_sets[mt->label_of[i]].n++;
        }
    }

    for (l = 0, at = 0; l < mt->n_labels; l++) {
        n = mt->label_sets[l].n;
        mt->label_sets[l].first = at;
        mt->label_sets[l].n = 0;
        at += n;
    }

    mt->n_listed = at;

    for (i = 0; i < mt->n_sets; i++) {
        l = mt->label_of[i];

        if (l != NO_LABEL) {
            at = mt->label_sets[l].first + mt->label_sets[l].n++;
            mt->label_matchsets[at] = i;
        }
    }
}


/* A pattern that does not compile here matches nowhere. */
static bool
host_matches(match_t *mt, uint32_t matcher, tcr_str_t name)
{
    tcr_err_t  err;

    if (mt->compiled[matcher] == NULL) {
        mt->compiled[matcher] = tcr_regex_compile(mt->patterns[matcher],
                                                  TCR_REGEX_WHOLE
                                                  | TCR_REGEX_CASELESS, &err);
    }

    return mt->compiled[matcher] != NULL
           && tcr_regex_match(mt->compiled[matcher], name);
}


/* Does some set of the list wait for paths or headers at this name? */
static bool
hidden_in(match_t *mt, const uint32_t *sets, uint32_t n, tcr_str_t name)
{
    uint32_t                   i, k, m;
    const tcr_img_matchset_t  *set;

    for (i = 0; i < n; i++) {
        set = &mt->sets[sets[i]];

        if (!mt->narrow[sets[i]]) {
            continue;
        }

        for (k = 0; k < set->n; k++) {
            m = set->first + k;

            if (mt->patterns[m].data != NULL && !host_matches(mt, m, name)) {
                break;
            }
        }

        if (k == set->n) {
            return true;
        }
    }

    return false;
}


/* Would this exact name hide a path or header matcher? */
static bool
hides(match_t *mt, tcr_str_t name)
{
    uint32_t                    l;
    tcr_str_t                   rest, label;
    const tcr_img_label_set_t  *set;

    for (rest = name; rest.data != NULL; ) {
        label = tcr_str_split(&rest, '.');

        if (!tcr_names_find(&mt->labels, label, &l)) {
            continue;
        }

        set = &mt->label_sets[l];

        if (hidden_in(mt, mt->label_matchsets + set->first, set->n, name)) {
            return true;
        }
    }

    return hidden_in(mt, mt->odd, mt->n_odd, name);
}


/* Of equal names the last service's stays (spec/routing.md §1.2). */
static int
add_exact(match_t *mt, uint32_t s, tcr_str_t label)
{
    uint32_t   i;
    tcr_str_t  name;

    name = tcr_compiler_printf(mt->c, "%.*s.%.*s", TCR_STR_ARG(label),
                               TCR_STR_ARG(mt->c->cfg->services[s].domain));

    if (name.data == NULL) {
        return -1;
    }

    if (!tcr_names_find(&mt->names, name, &i)) {
        i = mt->n_exact++;
        mt->exact[i] = name;
        tcr_names_add(&mt->names, name, i);
    }

    mt->exact_service[i] = s;
    return 0;
}


static int
make_exact(match_t *mt)
{
    uint32_t              s, i;
    tcr_img_exact_t      *out;
    tcr_compiler_t       *c = mt->c;
    tcr_img_matching_t   *img = &c->root.matching;
    const tcr_service_t  *m;

    for (s = 0; s < c->n_services; s++) {
        m = &c->cfg->services[s];

        if (m->domain.len != 0
            && (add_exact(mt, s, m->routing_name) != 0
                || add_exact(mt, s, TCR_STR("_")) != 0))
        {
            return -1;
        }
    }

    out = tcr_compiler_alloc(c, mt->n_exact, sizeof(*out));

    if (out == NULL) {
        return -1;
    }

    for (i = 0; i < mt->n_exact; i++) {
        out[i].name = tcr_build_str(c->b, mt->exact[i]);
        out[i].service = mt->exact_service[i];
        out[i].hides = hides(mt, mt->exact[i]);
    }

    img->exact = tcr_build_array(c->b, out, mt->n_exact, sizeof(*out),
                                 _Alignof(tcr_img_exact_t));
    img->exact_map = tcr_build_map(c->b, mt->exact, mt->n_exact);
    return 0;
}


static int
write_sets(match_t *mt)
{
    uint32_t             l;
    tcr_str_t           *labels;
    tcr_compiler_t      *c = mt->c;
    tcr_img_matching_t  *img = &c->root.matching;

    labels = tcr_compiler_alloc(c, mt->n_labels, sizeof(*labels));

    if (labels == NULL) {
        return -1;
    }

    for (l = 0; l < mt->n_labels; l++) {
        labels[l] = tcr_compiler_text(c, mt->label_sets[l].label);
    }

    img->matchsets = tcr_build_array(c->b, mt->sets, mt->n_sets,
                                     sizeof(*mt->sets),
                                     _Alignof(tcr_img_matchset_t));
    img->matchers = tcr_build_array(c->b, mt->matchers, mt->n_matchers,
                                    sizeof(*mt->matchers),
                                    _Alignof(tcr_img_matcher_t));
    img->label_sets = tcr_build_array(c->b, mt->label_sets, mt->n_labels,
                                      sizeof(*mt->label_sets),
                                      _Alignof(tcr_img_label_set_t));
    img->label_map = tcr_build_map(c->b, labels, mt->n_labels);
    img->label_matchsets = tcr_build_array(c->b, mt->label_matchsets,
                                           mt->n_listed, sizeof(uint32_t),
                                           _Alignof(uint32_t));
    img->odd = tcr_build_array(c->b, mt->odd, mt->n_odd, sizeof(uint32_t),
                               _Alignof(uint32_t));
    return 0;
}


int
tcr_compile_match(tcr_compiler_t *c)
{
    int       rc;
    uint32_t  i;
    match_t   mt;

    memset(&mt, 0, sizeof(mt));
    mt.c = c;

    if (prepare(&mt) != 0 || add_sets(&mt) != 0) {
        return -1;
    }

    list_sets(&mt);
    rc = write_sets(&mt) != 0 || make_exact(&mt) != 0 ? -1 : 0;

    for (i = 0; i < mt.n_matchers; i++) {
        tcr_regex_free(mt.compiled[i]);
    }

    return rc;
}
