/* SPDX-License-Identifier: Apache-2.0 */

/*
 * STEERING: one target answers as if it had been asked (spec/routing.md §8.1;
 * rules steering-next, steering-regex-local).
 */

#include "tcr_http.h"


uint32_t
tcr_steering_filtered(const tcr_http_flow_t *f, const tcr_steering_t *st)
{
    uint32_t      i, t;
    tcr_regex_t  *re;

    for (i = 0; i < st->n_filters; i++) {

        if (st->filter_services[i] == TCR_NONE) {
            continue;
        }

        for (t = 0; t < st->n_targets; t++) {
            if (st->target_services[t] == st->filter_services[i]) {
                break;
            }
        }

        re = tcr_helpers_regex(f->cdn->overlay_helpers,
                               st->filters[i].regex_index,
                               tcr_image_str(f->cdn->overlay,
                                             st->filters[i].pattern),
                               TCR_REGEX_WHOLE);

        if (t < st->n_targets && re != NULL && tcr_regex_match(re, f->path)) {
            TCR_TRACE(f->req->trace, "steering", "filter %u matches", i + 1);
            return t;
        }
    }

    return TCR_NONE;
}


/*
 * The dispersion of the steering service may put any of the first `limit`
 * targets in front.
 */
static void
disperse(const tcr_http_flow_t *f, const tcr_steering_t *st, uint32_t *order,
    size_t n)
{
    size_t                    i, limit;
    uint32_t                  first;
    const tcr_img_service_t  *entry = &f->cdn->services[st->service];

    limit = entry->dispersion_limit < n ? entry->dispersion_limit : n;

    if (limit < 2 || !(entry->flags & TCR_SERVICE_SHUFFLED)) {
        return;
    }

    i = tcr_view_random(f->view, (uint32_t) limit);
    first = order[i];
    memmove(&order[1], &order[0], i * sizeof(*order));
    order[0] = first;
}


static const tcr_img_service_t *
service_of(const tcr_http_flow_t *f, const tcr_steering_t *st, uint32_t target)
{
    const tcr_img_service_t  *s;

    s = &f->cdn->services[st->target_services[target]];
    TCR_TRACE(f->req->trace, "steering", "target \"%.*s\"",
              TCR_STR_ARG(tcr_cdn_str(f->cdn, s->id)));
    return s;
}


static bool
find(tcr_http_flow_t *f, const tcr_steering_t *st, const tcr_img_service_t *s,
    tcr_locate_t *l)
{
    const tcr_img_service_t  *entry = &f->cdn->services[st->service];

    return tcr_http_find(f, s, entry->hash_regex != 0 ? entry : s, l);
}


/* One target and no other, as the request or a filter wants it. */
static int
only(tcr_http_flow_t *f, const tcr_steering_t *st, uint32_t target)
{
    tcr_locate_t              l;
    const tcr_img_service_t  *s = service_of(f, st, target);

    if (!tcr_http_scheme_fits(f, s)) {
        return tcr_http_refuse(f, TCR_RESULT_ERROR,
                               TCR_DETAILS_DS_TLS_MISMATCH);
    }

    return find(f, st, s, &l) ? tcr_http_serve(f, s, &l)
                              : tcr_http_bypass(f, s);
}


/* The first target with a cache; none: as the first one would answer. */
static int
first_able(tcr_http_flow_t *f, const tcr_steering_t *st,
    const uint32_t *order, size_t n)
{
    size_t                    i;
    tcr_locate_t              l;
    tcr_http_decision_t       first, before = *f->out;
    const tcr_img_service_t  *s;

    for (i = 0; i < n; i++) {
        s = service_of(f, st, order[i]);

        if (!tcr_http_scheme_fits(f, s)) {

            if (i == 0) {
                return tcr_http_refuse(f, TCR_RESULT_ERROR,
                                       TCR_DETAILS_DS_TLS_MISMATCH);
            }

            continue;
        }

        if (find(f, st, s, &l)) {
            return tcr_http_serve(f, s, &l);
        }

        if (i == 0) {
            first = *f->out;
        }

        *f->out = before;
    }

    *f->out = first;
    return tcr_http_bypass(f, &f->cdn->services[st->target_services[order[0]]]);
}


int
tcr_http_steer(tcr_http_flow_t *f, const tcr_steering_t *st)
{
    bool       given;
    size_t     n = 0;
    uint32_t   target, *order;

    target = tcr_steering_option(f, st, &given);

    if (!given) {
        target = tcr_steering_filtered(f, st);
    }

    if (target != TCR_NONE) {
        return only(f, st, target);
    }

    order = tcr_mem_alloc(&f->req->mem,
                          ((size_t) st->n_targets + 1) * sizeof(*order));

    if (!given && order != NULL) {
        n = tcr_steering_order(f, st, order);
    }

    if (n == 0) {
        return tcr_http_refuse(f, TCR_RESULT_DS_MISS,
                               TCR_DETAILS_DS_NOT_FOUND);
    }

    disperse(f, st, order, n);
    return first_able(f, st, order, n);
}
