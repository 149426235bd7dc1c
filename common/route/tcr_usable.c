/* SPDX-License-Identifier: Apache-2.0 */

/* Which caches of a location can serve. */

#include "tcr_usable.h"


/* The service's range of assignments in a group; NULL = serves nothing there */
static const tcr_img_service_group_t *
service_group(const tcr_cdn_t *cdn, const tcr_img_service_t *service,
    uint32_t group)
{
    size_t                          lo, hi, mid;
    const tcr_img_service_group_t  *all;

    all = tcr_image_vec(cdn->img, &service->groups);

    for (lo = 0, hi = service->groups.n; lo < hi; ) {
        mid = lo + (hi - lo) / 2;

        if (all[mid].group < group) {
            lo = mid + 1;

        } else {
            hi = mid;
        }
    }

    return (lo < service->groups.n && all[lo].group == group) ? &all[lo]
                                                              : NULL;
}


bool
tcr_usable_find(const tcr_cdn_t *cdn, const tcr_img_service_t *service,
    const tcr_img_group_t *group, uint32_t family, tcr_usable_t *u)
{
    uint32_t                        i, bit, words;
    const tcr_img_service_group_t  *sg;

    u->group = group;
    u->n = 0;

    sg = service_group(cdn, service, (uint32_t) (group - cdn->groups));

    if (sg == NULL) {
        return false;
    }

    u->assigned = cdn->assignments + sg->first;
    u->n_assigned = sg->n;

    words = (group->flags & TCR_GROUP_DEEP ? sg->n : group->n_caches) / 64 + 1;
    memset(u->bits, 0, words * sizeof(u->bits[0]));

    for (i = 0; i < sg->n; i++) {

        if (tcr_cdn_cache_up(cdn, u->assigned[i].cache, family)) {
            bit = tcr_usable_bit(cdn, u, i);
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
    const tcr_img_assignment_t     *all;
    const tcr_img_service_group_t  *sg;

    sg = service_group(cdn, service, cdn->caches[cache].group);

    if (sg == NULL) {
        return NULL;
    }

    all = cdn->assignments + sg->first;

    for (lo = 0, hi = sg->n; lo < hi; ) {
        mid = lo + (hi - lo) / 2;

        if (all[mid].cache < cache) {
            lo = mid + 1;

        } else {
            hi = mid;
        }
    }

    return (lo < sg->n && all[lo].cache == cache) ? &all[lo] : NULL;
}
