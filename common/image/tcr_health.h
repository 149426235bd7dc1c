/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Health words: made with a routing image, changed in place by the fetcher,
 * read once per question by the engine (relaxed loads; no lock).
 */

#ifndef TCR_HEALTH_H_INCLUDED
#define TCR_HEALTH_H_INCLUDED

#include "tcr_image_build.h"


/* A fresh image for so many caches, services, groups: everything is up. */
int tcr_health_build(tcr_build_t **build, size_t caches, size_t services,
    size_t groups, tcr_err_t *err);


static inline uint64_t
tcr_health_load(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}


/*
 * Stores flags; the time of change moves only when flags differ.  Returns
 * whether they did.
 */
bool tcr_health_store(uint64_t *word, uint32_t flags, int64_t now_seconds);


/* Is the cache usable for a client of that family?  (spec/routing.md §5.2) */
static inline bool
tcr_health_up(uint64_t word, uint32_t family)
{
    uint64_t  want = TCR_HEALTH_AVAILABLE
                     | (family == 6 ? TCR_HEALTH_IP6 : TCR_HEALTH_IP4);

    return (word & want) == want;
}


#endif /* TCR_HEALTH_H_INCLUDED */
