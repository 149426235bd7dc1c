/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a process keeps for one image: compiled patterns, filled as they are
 * needed, and (routing) cache groups ranked by distance for the points that
 * clients come from.  Both are of fixed size, set when the image is mapped.
 */

#include <stdlib.h>

#include "tcr_cdn.h"

/*
 * Points remembered.  Clients come from some hundred places at a time (a City
 * database has one point per town); a place in the table holds one ranking.
 */
#define RANKINGS  1024


typedef struct {
    double    distance;
    uint32_t  group;
} ranked_t;

typedef struct {
    tcr_point_t   point;
    uint32_t     *order;          /* NULL = empty                            */
} ranking_t;

struct tcr_helpers_s {
    uint64_t      number;         /* of the image                            */
    uint32_t      users;
    uint32_t      n_regexes;
    uint32_t      n_groups;
    tcr_regex_t **regexes;
    uint8_t      *refused;        /* patterns that do not compile            */
    ranking_t    *rankings;
    uint32_t     *orders;         /* RANKINGS rows of n_groups               */
    ranked_t     *scratch;
};


tcr_helpers_t *
tcr_helpers_create(uint32_t n_regexes, uint32_t n_groups, uint64_t number)
{
    tcr_helpers_t  *h;

    h = calloc(1, sizeof(*h));

    if (h == NULL) {
        return NULL;
    }

    h->number = number;
    h->users = 1;
    h->n_regexes = n_regexes;
    h->n_groups = n_groups;

    /* one more than needed: calloc(0) may give NULL */
    h->regexes = calloc((size_t) h->n_regexes + 1, sizeof(*h->regexes));
    h->refused = calloc((size_t) h->n_regexes + 1, 1);
    h->rankings = calloc(RANKINGS, sizeof(*h->rankings));
    h->orders = calloc((size_t) h->n_groups + 1, RANKINGS * sizeof(uint32_t));
    h->scratch = calloc((size_t) h->n_groups + 1, sizeof(*h->scratch));

    if (h->regexes == NULL || h->refused == NULL || h->rankings == NULL
        || h->orders == NULL || h->scratch == NULL)
    {
        tcr_helpers_release(h);
        return NULL;
    }

    return h;
}


tcr_helpers_t *
tcr_helpers_share(tcr_helpers_t *h)
{
    h->users++;
    return h;
}


void
tcr_helpers_release(tcr_helpers_t *h)
{
    uint32_t  i;

    if (h == NULL || --h->users != 0) {
        return;
    }

    for (i = 0; h->regexes != NULL && i < h->n_regexes; i++) {
        tcr_regex_free(h->regexes[i]);
    }

    free(h->regexes);
    free(h->refused);
    free(h->rankings);
    free(h->orders);
    free(h->scratch);
    free(h);
}


uint64_t
tcr_helpers_number(const tcr_helpers_t *h)
{
    return h->number;
}


tcr_regex_t *
tcr_helpers_regex(tcr_helpers_t *h, uint32_t index, tcr_str_t pattern,
    unsigned flags)
{
    tcr_err_t  err;

    if (index >= h->n_regexes || h->refused[index]) {
        return NULL;
    }

    if (h->regexes[index] == NULL) {
        h->regexes[index] = tcr_regex_compile(pattern, flags, &err);
        h->refused[index] = (h->regexes[index] == NULL);
    }

    return h->regexes[index];
}


/* Total order, so that equal distances stay in document order. */
static bool
farther(const ranked_t *a, const ranked_t *b)
{
    if (a->distance != b->distance) {
        return a->distance > b->distance;
    }

    return a->group > b->group;
}


static void
sift_down(ranked_t *heap, size_t root, size_t n)
{
    size_t    child;
    ranked_t  moved = heap[root];

    for (child = 2 * root + 1; child < n; child = 2 * root + 1) {

        if (child + 1 < n && farther(&heap[child + 1], &heap[child])) {
            child++;
        }

        if (!farther(&heap[child], &moved)) {
            break;
        }

        heap[root] = heap[child];
        root = child;
    }

    heap[root] = moved;
}


/* Heap sort: in place, so a request needs no memory for it. */
static void
sort_ranked(ranked_t *heap, size_t n)
{
    size_t    i;
    ranked_t  top;

    for (i = n / 2; i-- > 0; ) {
        sift_down(heap, i, n);
    }

    for (i = n; i-- > 1; ) {
        top = heap[0];
        heap[0] = heap[i];
        heap[i] = top;
        sift_down(heap, 0, i);
    }
}


static size_t
place_of(tcr_point_t point)
{
    uint64_t  h;

    h = tcr_str_hash(tcr_str_n((const char *) &point, sizeof(point)));
    return (h ^ h >> 32) % RANKINGS;
}


const uint32_t *
tcr_helpers_ranked(tcr_helpers_t *h, const tcr_cdn_t *cdn, tcr_point_t point)
{
    size_t      place = place_of(point);
    uint32_t    i;
    ranking_t  *r = &h->rankings[place];

    if (r->order != NULL && r->point.lat == point.lat
        && r->point.lon == point.lon)
    {
        return r->order;
    }

    for (i = 0; i < h->n_groups; i++) {
        h->scratch[i].group = i;
        h->scratch[i].distance = tcr_distance(point,
            (tcr_point_t) { cdn->groups[i].lat, cdn->groups[i].lon });
    }

    sort_ranked(h->scratch, h->n_groups);

    r->point = point;
    r->order = h->orders + place * h->n_groups;

    for (i = 0; i < h->n_groups; i++) {
        r->order[i] = h->scratch[i].group;
    }

    return r->order;
}
