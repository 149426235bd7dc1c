/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Ordering caches for a key.
 *
 * A group has all points of all its caches in one ascending array.  Walking
 * outwards from the key's place meets the points by ascending distance, so
 * the first point of a cache is its nearest, and the walk ends after as many
 * caches as are wanted.
 *
 * Equal distances are decided as if every candidate had been put into a
 * sorted map in candidate order, a taken key moving the newcomer up to the
 * next free double.  Only nodes within n doubles of each other can influence
 * one another that way, so the walk goes on that far and settles afterwards.
 */

#include <math.h>

#include "tcr_order.h"


static size_t
place_within(double at, size_t n)
{
    double  last = (double) (n - 1);

    at = at > 0 ? at : 0;
    return (size_t) (at < last ? at : last);
}


/*
 * About where t stands among n > 0 points: they are MD5 digests, spread
 * evenly over 128 bits.
 */
static size_t
first_guess(size_t n, double t)
{
    return place_within(t * ((double) n * 0x1p-128), n);
}


/*
 * The second guess, from the point that stands at the first, is mostly less
 * than a line of memory off.
 */
static size_t
guess(const double *points, size_t n, double t)
{
    size_t  at = first_guess(n, t);

    return place_within((double) at
                        + (t - points[at]) * ((double) n * 0x1p-128), n);
}


void
tcr_order_fetch(const tcr_cdn_t *cdn, const tcr_img_group_t *group, double t)
{
    const double  *points = tcr_image_vec(cdn->img, &group->points);

    if (group->points.n != 0) {
        __builtin_prefetch(&points[first_guess(group->points.n, t)]);
    }
}


/*
 * Index of the first point that is not below t, searched in growing steps
 * around a guess: halving 20,000 points would fetch ten lines of memory.
 */
static size_t
lower_bound(const double *points, size_t n, double t, size_t guessed)
{
    size_t  lo, hi = guessed, mid, step = 8;

    if (points[hi] < t) {
        do {
            lo = hi + 1;
            hi = n - lo > step ? lo + step : n;
            step *= 2;
        } while (hi < n && points[hi] < t);

    } else {
        for (lo = hi; lo > 0 && !(points[lo - 1] < t); step *= 2) {
            hi = lo - 1;
            lo = hi > step ? hi - step : 0;
        }
    }

    while (lo < hi) {
        mid = lo + (hi - lo) / 2;

        if (points[mid] < t) {
            lo = mid + 1;

        } else {
            hi = mid;
        }
    }

    return lo;
}


double
tcr_order_nearest(const double *points, size_t n, double t)
{
    size_t  i = lower_bound(points, n, t, guess(points, n, t));

    if (i == n) {
        return t - points[n - 1];
    }

    if (i == 0) {
        return points[0] > t ? points[0] - t : t - points[0];
    }

    return fmin(points[i] - t, t - points[i - 1]);
}


/* d moved up by n doubles; d >= 0 */
static double
ulps_above(double d, size_t n)
{
    uint64_t  bits;

    memcpy(&bits, &d, sizeof(bits));
    bits += n;
    memcpy(&d, &bits, sizeof(d));

    return d;
}


static size_t
insert_node(tcr_ordered_t *done, size_t n, tcr_ordered_t node)
{
    size_t  i;

    for (i = 0; i < n && done[i].delta < node.delta; i++) { /* void */ }

    while (i < n && done[i].delta == node.delta) {
        node.delta = nextafter(node.delta, INFINITY);
        i++;
    }

    memmove(&done[i + 1], &done[i], (n - i) * sizeof(*done));
    done[i] = node;

    return n + 1;
}


static bool
is_settled(const tcr_ordered_t *nodes, size_t n)
{
    size_t  i;

    for (i = 1; i < n; i++) {
        if (nodes[i].delta <= ulps_above(nodes[i - 1].delta, n)) {
            return false;
        }
    }

    return true;
}


static void
sort_by_place(tcr_ordered_t *nodes, size_t n)
{
    size_t         i, j;
    tcr_ordered_t  node;

    for (i = 1; i < n; i++) {
        node = nodes[i];

        for (j = i; j > 0 && nodes[j - 1].place > node.place; j--) {
            nodes[j] = nodes[j - 1];
        }

        nodes[j] = node;
    }
}


void
tcr_order_settle(tcr_ordered_t *nodes, size_t n)
{
    size_t  i, done;

    if (is_settled(nodes, n)) {
        return;
    }

    sort_by_place(nodes, n);

    for (i = 0, done = 0; i < n; i++) {
        done = insert_node(nodes, done, nodes[i]);
    }
}


static size_t
order_group(const tcr_cdn_t *cdn, tcr_usable_t *u, double t, size_t limit,
    tcr_ordered_t *out)
{
    size_t                  n, lo, hi, taken;
    double                  below, above, delta, last;
    uint32_t                owner;
    const double           *points;
    const uint32_t         *owners;
    const tcr_img_group_t  *g = u->group;

    points = tcr_image_vec(cdn->img, &g->points);
    owners = tcr_image_vec(cdn->img, &g->owners);

    if (g->points.n == 0) {
        return 0;
    }

    hi = guess(points, g->points.n, t);
    __builtin_prefetch(&owners[hi]);
    hi = lower_bound(points, g->points.n, t, hi);
    lo = hi;
    last = INFINITY;

    for (n = 0; n < u->n; ) {
        below = lo > 0 ? t - points[lo - 1] : INFINITY;
        above = hi < g->points.n ? points[hi] - t : INFINITY;

        taken = below <= above ? --lo : hi++;
        delta = below <= above ? below : above;

        if (delta > last || delta == INFINITY) {
            break;
        }

        owner = owners[taken];

        if (!tcr_usable_has(u, owner)) {
            continue;
        }

        tcr_usable_clear(u, owner);
        out[n++] = (tcr_ordered_t) { delta, g->first_cache + owner, owner };

        if (n == limit) {
            last = ulps_above(delta, u->n);
        }
    }

    return n;
}


void
tcr_order_sort(tcr_ordered_t *nodes, size_t n)
{
    size_t         i, j;
    tcr_ordered_t  node;

    for (i = 1; i < n; i++) {
        node = nodes[i];

        for (j = i; j > 0 && nodes[j - 1].delta > node.delta; j--) {
            nodes[j] = nodes[j - 1];
        }

        nodes[j] = node;
    }
}


/* A deep location has few caches: each one's own points are searched. */
static size_t
order_deep(const tcr_cdn_t *cdn, tcr_usable_t *u, double t,
    tcr_ordered_t *out)
{
    size_t                  n;
    uint32_t                i, cache;
    const tcr_img_vec_t    *points;

    for (i = 0, n = 0; i < u->n_assigned; i++) {

        if (!tcr_usable_has(u, i)) {
            continue;
        }

        cache = u->assigned[i].cache;
        points = &cdn->caches[cache].points;

        if (points->n == 0) {
            continue;
        }

        out[n++] = (tcr_ordered_t) {
            tcr_order_nearest(tcr_image_vec(cdn->img, points), points->n, t),
            cache, i
        };
    }

    tcr_order_sort(out, n);
    return n;
}


size_t
tcr_order_caches(const tcr_cdn_t *cdn, tcr_usable_t *usable, double t,
    size_t limit, tcr_ordered_t *out)
{
    size_t  n;

    n = usable->group->flags & TCR_GROUP_DEEP
        ? order_deep(cdn, usable, t, out)
        : order_group(cdn, usable, t, limit, out);

    tcr_order_settle(out, n);
    return n < limit ? n : limit;
}
