/* SPDX-License-Identifier: Apache-2.0 */

/* The overlay's ACME challenges.  Not inside a request. */

#ifndef TCR_COMPILE_CHALLENGES_H_INCLUDED
#define TCR_COMPILE_CHALLENGES_H_INCLUDED

#include "tcr_challenges.h"
#include "tcr_image_build.h"
#include "tcr_overlay_format.h"


typedef struct {
    const tcr_challenges_t  *ops;       /* of Traffic Ops; NULL: none        */
    const tcr_challenges_t  *local;     /* of `tcrouter acme`; NULL: none    */
    const tcr_image_t       *routing;   /* zones; NULL: unknown              */
    const tcr_image_t       *keys;      /* NULL: nothing is signed           */
    int64_t                  now;       /* seconds since 1970                */
} tcr_challenges_input_t;


/*
 * Fills challenges, challenge_map and hashed of the root.  The report warns of
 * those in a zone that is not signed, or in none.  -1: out of memory.
 */
int tcr_compile_challenges(const tcr_challenges_input_t *in,
    tcr_arena_t *arena, tcr_build_t *b, tcr_img_overlay_t *root,
    tcr_report_t *report);


#endif /* TCR_COMPILE_CHALLENGES_H_INCLUDED */
