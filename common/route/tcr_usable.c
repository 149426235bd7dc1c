/* SPDX-License-Identifier: Apache-2.0 */

/* Which caches of a location can serve. */

#include "tcr_usable.h"


/*
 * The service's range of assignments in a group; NULL = serves nothing there.
 * Numbers ascend, so one stands at its own place or before it: that of a
 * service which is everywhere is found at the first look.
 */
static const tcr_img_service_group_t *
service_group(const tcr_cdn_t *cdn, const tcr_img_service_t *service,
    uint32_t group)
{
    size_t                          lo, hi, mid, n = service->groups.n;
    const tcr_img_service_group_t  *all;

    all = tcr_image_vec(cdn->img, &service->groups);

    if (group < n && all[group].group == group) {
        return &all[group];
    }

    for (lo = 0, hi = group < n ? group : n; lo < hi; ) {
        mid = lo + (hi - lo) / 2;

        if (all[mid].group < group) {
            lo = mid + 1;

        } else {
            hi = mid;
        }
    }

    return (lo < n && all[lo].group == group) ? &all[lo] : NULL;
}


/* One of these is read once the key is hashed: time enough to fetch it. */
static void
prefetch(const tcr_img_assignment_t *assigned, uint32_t n)
{
    uint32_t        i;
    const uint32_t  line = 64 / sizeof(*assigned);

    for (i = 0; i < n && i < 8 * line; i += line) {
        __builtin_prefetch(&assigned[i]);
    }
}


bool
tcr_usable_find(const tcr_cdn_t *cdn, const tcr_img_service_t *service,
    const tcr_img_group_t *group, uint32_t family, tcr_usable_t *u)
{
    bool                            deep, all;
    uint32_t                        i, bit, cache, words;
    const tcr_img_service_group_t  *sg;

    u->group = group;
    u->n = 0;

    sg = service_group(cdn, service, (uint32_t) (group - cdn->groups));

    if (sg == NULL) {
        return false;
    }

    u->assigned = cdn->assignments + sg->first;
    u->n_assigned = sg->n;

    deep = group->flags & TCR_GROUP_DEEP;
    words = (deep ? sg->n : group->n_caches) / 64 + 1;
    memset(u->bits, 0, words * sizeof(u->bits[0]));

    /* a service of every cache has no need to look which ones they are */
    all = !deep && sg->n == group->n_caches;

    if (all) {
        prefetch(u->assigned, sg->n);
    }

    for (i = 0; i < sg->n; i++) {
        cache = all ? group->first_cache + i : u->assigned[i].cache;

        if (tcr_cdn_cache_up(cdn, cache, family)) {
            bit = deep ? i : cache - group->first_cache;
            u->bits[bit / 64] |= (uint64_t) 1 << (bit % 64);
            u->n++;
        }
    }

    return u->n != 0;
}


const tcr_img_assignment_t *
tcr_assignment_of(const tcr_cdn_t *cdn, const tcr_img_service_t *service,
    uint32_t cache)
{
    size_t                          lo, hi, mid;
    uint32_t                        local = cdn->caches[cache].local;
    const tcr_img_assignment_t     *all;
    const tcr_img_service_group_t  *sg;

    sg = service_group(cdn, service, cdn->caches[cache].group);

    if (sg == NULL) {
        return NULL;
    }

    all = cdn->assignments + sg->first;

    /* as in service_group */
    if (local < sg->n && all[local].cache == cache) {
        return &all[local];
    }

    for (lo = 0, hi = local < sg->n ? local : sg->n; lo < hi; ) {
        mid = lo + (hi - lo) / 2;

        if (all[mid].cache < cache) {
            lo = mid + 1;

        } else {
            hi = mid;
        }
    }

    return (lo < sg->n && all[lo].cache == cache) ? &all[lo] : NULL;
}
