/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What makes one image out of its sources: a row each, in a file of its own,
 * and what these files share.
 */

#ifndef TCF_MAKE_ROW_H_INCLUDED
#define TCF_MAKE_ROW_H_INCLUDED

#include "tcf_make.h"


/* The making of one image. */
typedef struct {
    tcf_judgement_t  *j;
    tcf_inputs_t     *inputs;
    tcf_made_t       *made;
    tcr_err_t        *err;
} tcf_make_t;

/*
 * wanted:    is there to be such an image at all?
 * more:      what decides how it looks beside the bytes of its sources; NULL =
 *            nothing
 * is_stale:  has time alone made it another?  NULL = it never does
 * compile:   fills made->build, data and size; -1 with err
 */
typedef struct {
    tcr_slot_e           slot;
    const tcf_source_e  *sources;     /* ended by TCF_SOURCES                */
    bool               (*wanted)(const tcf_make_t *m);
    void               (*more)(const tcf_make_t *m, tcr_buf_t *buf);
    bool               (*is_stale)(const tcf_make_t *m);
    int                (*compile)(tcf_make_t *m,
                                  const tcr_build_origin_t *origin);
} tcf_make_row_t;

extern const tcf_make_row_t  tcf_make_certs;
extern const tcf_make_row_t  tcf_make_routing;
extern const tcf_make_row_t  tcf_make_keys;
extern const tcf_make_row_t  tcf_make_overlay;


/* Is the source in use, and is there something of it? */
bool tcf_make_has(const tcf_make_t *m, tcf_source_e source);

/*
 * The image that will be in force: made, or there already.  NULL: none, or it
 * is to be withdrawn.  room is where a made one is described.
 */
const tcr_image_t *tcf_make_image(const tcf_make_t *m, tcr_slot_e slot,
    tcr_image_t *room);

/* The build of m->made to bytes; without a build on failure. */
int tcf_make_finish(tcf_make_t *m, const tcr_build_origin_t *origin);


#endif /* TCF_MAKE_ROW_H_INCLUDED */
