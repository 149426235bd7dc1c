/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside the compiler only: hash points of all caches, those of a group
 * together in ascending order (spec/routing.md §6.2).
 */

#ifndef TCR_POINTS_JOB_H_INCLUDED
#define TCR_POINTS_JOB_H_INCLUDED

#include "tcr_compiler.h"
#include "tcr_points.h"


typedef struct {
    tcr_hash_point_t  *points;    /* on the heap; group by group; owner:
                                     local number of the cache               */
    size_t            *first;     /* of each cache, and the end              */
    size_t            *kept;      /* of each group, equal points of one
                                     cache counted once                      */
} tcr_points_t;


/* Groups with skip set get none.  Free points with free(). */
int tcr_points_compute(tcr_compiler_t *c, const bool *skip,
    tcr_points_t *out);


#endif /* TCR_POINTS_JOB_H_INCLUDED */
