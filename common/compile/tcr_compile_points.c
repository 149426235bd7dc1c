/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Hash points in the image: of each group one ascending list with owners, so
 * that one search finds the nearest points of everybody; of caches in deep
 * locations their own besides.
 *
 * Points depend on hash ids and counts only, which hardly ever change, and
 * they are most of the work of a compilation: a group that stands unchanged
 * in the previous image gives its lists to this one.
 */

#include "tcr_points_job.h"

#include <stdlib.h>


/* The image in force, as far as it is looked at here; img NULL = none. */
typedef struct {
    const tcr_image_t        *img;
    const tcr_img_routing_t  *root;
    const tcr_img_group_t    *groups;
    const tcr_img_cache_t    *caches;
} previous_t;

typedef struct {
    tcr_compiler_t         *c;
    previous_t              before;
    const tcr_img_group_t **same;         /* of each group: its like in the
                                             previous image, or NULL         */
    bool                   *skip;         /* the same as a flag              */
    bool                   *wanted;       /* of each cache: own points       */
    tcr_points_t            made;
} points_t;


static void
open_previous(previous_t *before, const tcr_image_t *img)
{
    before->img = img;

    if (img != NULL) {
        before->root = tcr_image_root(img);
        before->groups = tcr_image_vec(img, &before->root->groups);
        before->caches = tcr_image_vec(img, &before->root->caches);
    }
}


static const tcr_img_group_t *
previous_group(const previous_t *before, tcr_str_t id)
{
    uint32_t        v;
    tcr_map_iter_t  it;

    for (v = tcr_map_first(before->img, &before->root->group_map, id, &it);
         v != TCR_NONE;
         v = tcr_map_next(&it))
    {
        if (tcr_str_eq(tcr_image_str(before->img, before->groups[v].id), id)) {
            return &before->groups[v];
        }
    }

    return NULL;
}


/* Has the cache the same points, and those of its own if it wants them? */
static bool
same_cache(const points_t *p, uint32_t cache, const tcr_img_cache_t *old)
{
    const tcr_cache_t  *m;

    m = &p->c->cfg->caches[p->c->cache_model[cache]];

    return old->hash_count == m->hash_count
           && tcr_str_eq(tcr_image_str(p->before.img, old->hash_id),
                         m->hash_id)
           && (!p->wanted[cache] || old->points.n != 0);
}


static const tcr_img_group_t *
same_group(const points_t *p, uint32_t g)
{
    uint32_t                k;
    const tcr_img_group_t  *old, *new = &p->c->groups[g];

    if (p->before.img == NULL) {
        return NULL;
    }

    old = previous_group(&p->before, p->c->cfg->groups[g].id);

    if (old == NULL || old->n_caches != new->n_caches) {
        return NULL;
    }

    for (k = 0; k < new->n_caches; k++) {
        if (!same_cache(p, new->first_cache + k,
                        &p->before.caches[old->first_cache + k]))
        {
            return NULL;
        }
    }

    return old;
}


/* Caches in deep locations, and groups that need not be computed. */
static int
prepare(points_t *p)
{
    uint32_t         g, i, k;
    tcr_compiler_t  *c = p->c;

    p->same = tcr_compiler_alloc(c, c->n_groups, sizeof(*p->same));
    p->skip = tcr_compiler_alloc(c, c->n_groups, sizeof(*p->skip));
    p->wanted = tcr_compiler_alloc(c, c->n_caches, sizeof(*p->wanted));

    if (c->failed) {
        return -1;
    }

    for (i = 0; i < c->n_all - c->n_groups; i++) {
        for (k = 0; k < c->n_members[i]; k++) {
            p->wanted[c->members[i][k]] = true;
        }
    }

    for (g = 0; g < c->n_groups; g++) {
        p->same[g] = same_group(p, g);
        p->skip[g] = p->same[g] != NULL;
    }

    return 0;
}


static void
write_points(tcr_compiler_t *c, const void *points, const void *owners,
    size_t n, tcr_img_group_t *group)
{
    group->points = tcr_build_array(c->b, points, n, sizeof(double),
                                    _Alignof(double));
    group->owners = tcr_build_array(c->b, owners, n, sizeof(uint32_t),
                                    _Alignof(uint32_t));
}


static int
write_made(points_t *p, uint32_t g)
{
    double                  *points;
    size_t                   i, n = p->made.kept[g];
    uint32_t                *owners;
    tcr_img_group_t         *group = &p->c->groups[g];
    const tcr_hash_point_t  *made;

    made = p->made.points + p->made.first[group->first_cache];
    points = malloc(n * sizeof(*points) + 1);
    owners = malloc(n * sizeof(*owners) + 1);

    if (points == NULL || owners == NULL) {
        free(points);
        free(owners);
        return tcr_compiler_no_memory(p->c);
    }

    for (i = 0; i < n; i++) {
        memcpy(&points[i], &made[i].bits, sizeof(points[i]));
        owners[i] = made[i].owner;
    }

    write_points(p->c, points, owners, n, group);
    free(points);
    free(owners);
    return 0;
}


/* Points of its own for each cache of the group that wants them. */
static int
write_own(points_t *p, uint32_t g)
{
    double                 **own;
    size_t                   i, n;
    uint32_t                 k, cache, *counts;
    tcr_compiler_t          *c = p->c;
    const tcr_img_group_t   *group = &c->groups[g];
    const tcr_hash_point_t  *made;

    made = p->made.points + p->made.first[group->first_cache];
    own = tcr_compiler_alloc(c, group->n_caches, sizeof(*own));
    counts = tcr_compiler_alloc(c, group->n_caches, sizeof(*counts));

    if (c->failed) {
        return -1;
    }

    for (k = 0; k < group->n_caches; k++) {
        cache = group->first_cache + k;
        n = p->made.first[cache + 1] - p->made.first[cache];

        if (p->wanted[cache]) {
            own[k] = tcr_compiler_alloc(c, n, sizeof(**own));
        }
    }

    if (c->failed) {
        return -1;
    }

    for (i = 0; i < p->made.kept[g]; i++) {
        k = made[i].owner;

        if (own[k] != NULL) {
            memcpy(&own[k][counts[k]++], &made[i].bits, sizeof(double));
        }
    }

    for (k = 0; k < group->n_caches; k++) {
        c->caches[group->first_cache + k].points =
            tcr_build_array(c->b, own[k], counts[k], sizeof(double),
                            _Alignof(double));
    }

    return 0;
}


static void
write_same(points_t *p, uint32_t g)
{
    uint32_t                k, cache;
    tcr_compiler_t         *c = p->c;
    tcr_img_group_t        *group = &c->groups[g];
    const tcr_img_cache_t  *cached;
    const tcr_img_group_t  *old = p->same[g];

    write_points(c, tcr_image_vec(p->before.img, &old->points),
                 tcr_image_vec(p->before.img, &old->owners), old->points.n,
                 group);

    for (k = 0; k < group->n_caches; k++) {
        cache = group->first_cache + k;
        cached = &p->before.caches[old->first_cache + k];

        if (p->wanted[cache]) {
            c->caches[cache].points =
                tcr_build_array(c->b, tcr_image_vec(p->before.img,
                                                    &cached->points),
                                cached->points.n, sizeof(double),
                                _Alignof(double));
        }
    }
}


static int
write_all(points_t *p)
{
    uint32_t  g;

    for (g = 0; g < p->c->n_groups; g++) {

        if (p->skip[g]) {
            write_same(p, g);

        } else if (write_made(p, g) != 0 || write_own(p, g) != 0) {
            return -1;
        }
    }

    return 0;
}


int
tcr_compile_points(tcr_compiler_t *c)
{
    int       rc;
    points_t  p;

    memset(&p, 0, sizeof(p));
    p.c = c;
    open_previous(&p.before, c->in->previous);

    if (prepare(&p) != 0) {
        return -1;
    }

    rc = tcr_points_compute(c, p.skip, &p.made);

    if (rc == 0) {
        rc = write_all(&p);
    }

    free(p.made.points);
    return rc;
}
