/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside the engine only: the caches of one location that serve a service and
 * are up for the client's family (spec/routing.md §5).
 */

#ifndef TCR_USABLE_H_INCLUDED
#define TCR_USABLE_H_INCLUDED

#include "tcr_cdn.h"


/*
 * bits: by the cache's local number in a group; by its place among the
 * assigned ones in a deep location.
 */
typedef struct {
    const tcr_img_group_t       *group;
    const tcr_img_assignment_t  *assigned;
    uint32_t                     n_assigned;
    uint32_t                     n;         /* bits set                      */
    uint64_t                     bits[TCR_GROUP_CACHES / 64];
} tcr_usable_t;


/* Fills u; is there any? */
bool tcr_usable_find(const tcr_cdn_t *cdn, const tcr_img_service_t *service,
    const tcr_img_group_t *group, uint32_t family, tcr_usable_t *u);

/* Number of the bit that stands for the i-th assigned cache. */
static inline uint32_t
tcr_usable_bit(const tcr_usable_t *u, uint32_t i)
{
    return u->group->flags & TCR_GROUP_DEEP
           ? i : u->assigned[i].cache - u->group->first_cache;
}


static inline bool
tcr_usable_has(const tcr_usable_t *u, uint32_t bit)
{
    return u->bits[bit / 64] >> (bit % 64) & 1;
}


static inline void
tcr_usable_clear(tcr_usable_t *u, uint32_t bit)
{
    u->bits[bit / 64] &= ~((uint64_t) 1 << (bit % 64));
}


/* The service's assignment of that cache, or NULL. */
const tcr_img_assignment_t *tcr_assignment_of(const tcr_cdn_t *cdn,
    const tcr_img_service_t *service, uint32_t cache);


#endif /* TCR_USABLE_H_INCLUDED */
