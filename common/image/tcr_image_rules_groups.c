/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Rules between groups, their caches, their hash points and the services'
 * assignments.  Expects a passed structural walk.
 */

#include <inttypes.h>

#include "tcr_image_verify.h"


/* Sorted by value, so that a key's place is found by halving. */
static int
check_points(const tcr_image_t *img, const tcr_img_vec_t *vec,
    const char *of, uint32_t at, tcr_err_t *err)
{
    uint32_t       i;
    const double  *points = tcr_image_vec(img, vec);

    for (i = 1; i < vec->n; i++) {
        if (points[i] < points[i - 1]) {
            return tcr_err_set(err, "is damaged: %s[%" PRIu32 "].points[%"
                               PRIu32 "] is smaller than the point before it",
                               of, at, i);
        }
    }

    return 0;
}


static int
check_owners(const tcr_image_t *img, const tcr_img_group_t *g, uint32_t at,
    tcr_err_t *err)
{
    uint32_t         i, n;
    const uint32_t  *owners = tcr_image_vec(img, &g->owners);

    n = (g->flags & TCR_GROUP_DEEP) ? g->members.n : g->n_caches;

    if (g->points.n != g->owners.n) {
        return tcr_err_set(err, "is damaged: groups[%" PRIu32 "] has %" PRIu32
                           " points and %" PRIu32 " owners", at, g->points.n,
                           g->owners.n);
    }

    for (i = 0; i < g->owners.n; i++) {
        if (owners[i] >= n) {
            return tcr_err_set(err, "is damaged: groups[%" PRIu32 "].owners[%"
                               PRIu32 "] is cache %" PRIu32 " of %" PRIu32,
                               at, i, owners[i], n);
        }
    }

    return 0;
}


/* Deep locations stand behind the groups and own no caches. */
static int
check_group_kind(const tcr_img_routing_t *root, const tcr_img_group_t *g,
    uint32_t at, tcr_err_t *err)
{
    bool  deep = (g->flags & TCR_GROUP_DEEP) != 0;

    if (deep != (at >= root->n_groups)) {
        return tcr_err_set(err, "is damaged: groups[%" PRIu32 "] is %s deep "
                           "location, n_groups is %" PRIu32, at,
                           deep ? "a" : "no", root->n_groups);
    }

    if ((deep ? g->n_caches : g->members.n) != 0) {
        return tcr_err_set(err, "is damaged: groups[%" PRIu32 "] has %s", at,
                           deep ? "caches, expected members"
                                : "members, expected caches");
    }

    return 0;
}


static int
check_groups(const tcr_image_t *img, const tcr_img_routing_t *root,
    tcr_err_t *err)
{
    uint32_t                i;
    const tcr_img_group_t  *groups = tcr_image_vec(img, &root->groups);

    if (root->n_groups > root->groups.n) {
        return tcr_err_set(err, "is damaged: n_groups is %" PRIu32 " of %"
                           PRIu32 " groups", root->n_groups, root->groups.n);
    }

    for (i = 0; i < root->groups.n; i++) {
        if (check_group_kind(root, &groups[i], i, err) != 0
            || check_points(img, &groups[i].points, "groups", i, err) != 0
            || check_owners(img, &groups[i], i, err) != 0)
        {
            return -1;
        }
    }

    return 0;
}


/*
 * A cache says its group and its number there; the group must agree.  With
 * as many places in groups as there are caches, every place has its cache.
 */
static int
check_caches(const tcr_image_t *img, const tcr_img_routing_t *root,
    tcr_err_t *err)
{
    uint32_t                i;
    uint64_t                places = 0;
    const tcr_img_cache_t  *caches = tcr_image_vec(img, &root->caches);
    const tcr_img_group_t  *g, *groups = tcr_image_vec(img, &root->groups);

    for (i = 0; i < root->groups.n; i++) {
        places += groups[i].n_caches;
    }

    if (places != root->caches.n) {
        return tcr_err_set(err, "is damaged: groups have %" PRIu64
                           " caches, caches %" PRIu32, places,
                           root->caches.n);
    }

    for (i = 0; i < root->caches.n; i++) {
        g = &groups[caches[i].group];

        if (caches[i].local >= g->n_caches
            || i - g->first_cache != caches[i].local)
        {
            return tcr_err_set(err, "is damaged: caches[%" PRIu32 "] is "
                               "number %" PRIu32 " of groups[%" PRIu32 "], "
                               "which has %" PRIu32 " from %" PRIu32 " on", i,
                               caches[i].local, caches[i].group, g->n_caches,
                               g->first_cache);
        }

        if (check_points(img, &caches[i].points, "caches", i, err) != 0) {
            return -1;
        }
    }

    return 0;
}


/* The local number of an assigned cache must be one of that group. */
static int
check_assigned(const tcr_image_t *img, const tcr_img_routing_t *root,
    const tcr_img_service_group_t *sg, uint32_t service, tcr_err_t *err)
{
    uint32_t                     i;
    const tcr_img_cache_t       *caches;
    const tcr_img_assignment_t  *a;

    if (sg->group >= root->n_groups) {
        return 0;
    }

    caches = tcr_image_vec(img, &root->caches);
    a = (const tcr_img_assignment_t *) tcr_image_vec(img, &root->assignments)
        + sg->first;

    for (i = 0; i < sg->n; i++) {
        if (caches[a[i].cache].group != sg->group) {
            return tcr_err_set(err, "is damaged: services[%" PRIu32 "] has "
                               "caches[%" PRIu32 "] in groups[%" PRIu32 "], "
                               "it is of groups[%" PRIu32 "]", service,
                               a[i].cache, sg->group,
                               caches[a[i].cache].group);
        }
    }

    return 0;
}


static int
check_services(const tcr_image_t *img, const tcr_img_routing_t *root,
    tcr_err_t *err)
{
    uint32_t                        i, k;
    const tcr_img_service_t        *services;
    const tcr_img_service_group_t  *sg;

    services = tcr_image_vec(img, &root->services);

    for (i = 0; i < root->services.n; i++) {
        sg = tcr_image_vec(img, &services[i].groups);

        for (k = 0; k < services[i].groups.n; k++) {
            if (k != 0 && sg[k].group <= sg[k - 1].group) {
                return tcr_err_set(err, "is damaged: services[%" PRIu32
                                   "].groups[%" PRIu32 "] is %" PRIu32
                                   ", expected more than %" PRIu32, i, k,
                                   sg[k].group, sg[k - 1].group);
            }

            if (check_assigned(img, root, &sg[k], i, err) != 0) {
                return -1;
            }
        }
    }

    return 0;
}


int
tcr_image_rules_groups(const tcr_image_t *img, tcr_err_t *err)
{
    const tcr_img_routing_t  *root = tcr_image_root(img);

    if (check_groups(img, root, err) != 0
        || check_caches(img, root, err) != 0)
    {
        return -1;
    }

    return check_services(img, root, err);
}
