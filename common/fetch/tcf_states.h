/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The last health states, kept so that they can be applied to any health
 * image: to the one in force at each poll, to a new one before it goes live.
 */

#ifndef TCF_STATES_H_INCLUDED
#define TCF_STATES_H_INCLUDED

#include "tcf_store.h"
#include "tcr_compile.h"


typedef struct {
    tcr_arena_t     *arena;       /* document and model                      */
    char            *body;        /* what both point into                    */
    size_t           len;
    tcr_crstates_t   model;
    tcr_report_t     report;      /* of what in it is not as it should be    */
    bool             known;
    int64_t          time;        /* wall ms: when they arrived              */
    int64_t          poll_time;   /* wall ms: last poll that answered        */
    int64_t          saved;       /* time of those in the last good copy     */
    bool             unsaved;     /* words changed since                     */
} tcf_states_t;


/*
 * Takes over a body (on the heap).  -1: it is no states document, the last
 * one stays, the body is still the caller's.
 */
int tcf_states_take(tcf_states_t *states, char *body, size_t len,
    int64_t now, tcr_err_t *err);

/* Last good copy; its age is that of the file.  No copy is no error. */
int tcf_states_load(tcf_states_t *states, const tcf_store_t *store,
    const char *name, tcr_err_t *err);

/*
 * Applies them to a writable health image of that routing image.  Returns
 * how many words changed.
 */
size_t tcf_states_apply(const tcf_states_t *states,
    const tcr_image_t *routing, void *health);

void tcf_states_free(tcf_states_t *states);


#endif /* TCF_STATES_H_INCLUDED */
