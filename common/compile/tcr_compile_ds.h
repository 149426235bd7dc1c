/* SPDX-License-Identifier: Apache-2.0 */

/* The overlay's DS.  Not inside a request. */

#ifndef TCR_COMPILE_DS_H_INCLUDED
#define TCR_COMPILE_DS_H_INCLUDED

#include "tcr_image_build.h"
#include "tcr_overlay_format.h"


typedef struct {
    const tcr_image_t  *keys;     /* keys image; NULL: nothing is signed     */
    const tcr_image_t  *previous; /* overlay in force: what is shown already
                                     goes on; NULL: none, all are shown      */
    uint32_t            ttl;      /* ttls.DS of the CDN                      */
    int64_t             now;      /* seconds since 1970                      */
} tcr_ds_input_t;


/* Fills ds and ds_map of the root; -1 when memory is out. */
int tcr_compile_ds(const tcr_ds_input_t *in, tcr_arena_t *arena,
    tcr_build_t *b, tcr_img_overlay_t *root, tcr_err_t *err);


#endif /* TCR_COMPILE_DS_H_INCLUDED */
