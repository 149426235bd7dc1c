/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside the compiler only: places on the line of the consistent hash, of
 * caches and of steering targets alike (spec/routing.md §6.2).
 */

#ifndef TCR_POINTS_H_INCLUDED
#define TCR_POINTS_H_INCLUDED

#include "tcr_digest.h"


typedef struct {
    uint64_t  bits;               /* of the double; doubles that are not
                                     negative are ordered like their bits    */
    uint32_t  owner;
} tcr_hash_point_t;


/* Places of id "--" 0 .. id "--" n - 1 into p.  False: out of memory. */
bool tcr_points_hash(tcr_md5_t *md5, tcr_str_t id, uint32_t n,
    uint32_t owner, tcr_hash_point_t *p);

/*
 * Sorts n points and drops those that equal another one of the same owner;
 * *kept are left.  False: out of memory.
 */
bool tcr_points_sort(tcr_hash_point_t *p, size_t n, size_t *kept);


#endif /* TCR_POINTS_H_INCLUDED */
