/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Ordering the targets of a steering service (spec/routing.md §6.3, §8):
 * weighted ones by distance of their points, the others before or behind them
 * by their order.
 */

#include "tcr_http.h"
#include "tcr_order.h"


/* Weighted targets, nearest first. */
static size_t
order_weighted(const tcr_http_flow_t *f, const tcr_steering_t *st, double key,
    tcr_ordered_t *nodes)
{
    size_t                n;
    uint32_t              i;
    const tcr_img_vec_t  *points;

    for (i = 0, n = 0; i < st->n_targets; i++) {
        points = &st->targets[i].points;

        if (st->target_services[i] == TCR_NONE || points->n == 0) {
            continue;
        }

        nodes[n++] = (tcr_ordered_t) {
            tcr_order_nearest(tcr_image_vec(f->cdn->overlay, points),
                              points->n, key),
            i, i
        };
    }

    tcr_order_sort(nodes, n);
    tcr_order_settle(nodes, n);

    return n;
}


/*
 * Puts an unweighted target in its place: order >= 0 behind all with the same
 * or a lower order, order < 0 before all; of equal negative orders the last
 * one listed comes first.
 */
static size_t
insert_ordered(const tcr_steering_t *st, uint32_t *order, size_t n,
    uint32_t target)
{
    size_t    i;
    int32_t   own = st->targets[target].order, other;

    if (own < 0) {
        for (i = 0; i < n; i++) {
            other = st->targets[order[i]].points.n == 0
                    ? st->targets[order[i]].order : 0;

            if (own <= other || other >= 0) {
                break;
            }
        }

    } else {
        for (i = n; i > 0; i--) {
            other = st->targets[order[i - 1]].points.n == 0
                    ? st->targets[order[i - 1]].order : -1;

            if (other <= own) {
                break;
            }
        }
    }

    memmove(&order[i + 1], &order[i], (n - i) * sizeof(*order));
    order[i] = target;

    return n + 1;
}


size_t
tcr_steering_order(const tcr_http_flow_t *f, const tcr_steering_t *st,
    uint32_t *order)
{
    size_t                    i, n, weighted;
    uint32_t                  t;
    tcr_hashed_t              hashed;
    tcr_ordered_t            *nodes;
    const tcr_img_service_t  *entry = &f->cdn->services[st->service];

    nodes = tcr_mem_alloc(&f->req->mem,
                          ((size_t) st->n_targets + 1) * sizeof(*nodes));

    if (nodes == NULL) {
        return 0;
    }

    hashed = tcr_http_hash(f, entry, entry);
    TCR_TRACE(f->req->trace, "hash", "of \"%.*s\"",
              TCR_STR_ARG(hashed.text));
    weighted = order_weighted(f, st, hashed.place, nodes);

    for (i = 0; i < weighted; i++) {
        order[i] = nodes[i].node;
    }

    for (t = 0, n = weighted; t < st->n_targets; t++) {
        if (st->target_services[t] != TCR_NONE && st->targets[t].points.n == 0)
        {
            n = insert_ordered(st, order, n, t);
        }
    }

    return n;
}


uint32_t
tcr_steering_option(const tcr_http_flow_t *f, const tcr_steering_t *st,
    bool *given)
{
    uint32_t   i;
    tcr_str_t  name = { NULL, 0 };

    if (f->req->header != NULL) {
        name = f->req->header(f->req->header_ctx,
                              TCR_STR("X-TC-Steering-Option"));
    }

    *given = name.len != 0;

    for (i = 0; *given && i < st->n_targets; i++) {
        if (st->target_services[i] != TCR_NONE
            && tcr_str_eq(tcr_image_str(f->cdn->overlay,
                                        st->targets[i].service), name))
        {
            TCR_TRACE(f->req->trace, "steering",
                      "the request asks for target \"%.*s\"",
                      TCR_STR_ARG(name));
            return i;
        }
    }

    return TCR_NONE;
}
