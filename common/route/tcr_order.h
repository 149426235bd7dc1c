/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside the engine only: consistent hashing (spec/routing.md §6).  Nodes
 * have points on a line; a key falls somewhere on it; nodes are ordered by
 * the distance of their nearest point.  It is a line, not a ring.
 */

#ifndef TCR_ORDER_H_INCLUDED
#define TCR_ORDER_H_INCLUDED

#include "tcr_usable.h"


typedef struct {
    double    delta;              /* distance of the nearest point           */
    uint32_t  node;               /* here: index of a cache                  */
    uint32_t  place;              /* its place among the candidates: decides
                                     between equal distances                 */
} tcr_ordered_t;


/*
 * The first `limit` usable caches by ascending distance from the key t.
 * Takes them out of `usable`.  out has room for usable->n entries.  Returns
 * how many there are.
 */
size_t tcr_order_caches(const tcr_cdn_t *cdn, tcr_usable_t *usable, double t,
    size_t limit, tcr_ordered_t *out);

/* Asks early for the memory where the search for t in a group begins. */
void tcr_order_fetch(const tcr_cdn_t *cdn, const tcr_img_group_t *group,
    double t);

/*
 * Distance from t to the nearest of n > 0 ascending points; between two at
 * the same distance the lower one counts.
 */
double tcr_order_nearest(const double *points, size_t n, double t);

/* Sorts few nodes by distance. */
void tcr_order_sort(tcr_ordered_t *nodes, size_t n);

/*
 * Puts n collected nodes in their final order: by distance; of equal ones the
 * first candidate keeps its distance and each later one moves to the next
 * free double above.
 */
void tcr_order_settle(tcr_ordered_t *nodes, size_t n);


#endif /* TCR_ORDER_H_INCLUDED */
