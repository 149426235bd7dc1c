/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Images of a judgement: which are other than those in force, and making
 * them.
 */

#ifndef TCF_MAKE_H_INCLUDED
#define TCF_MAKE_H_INCLUDED

#include "tcf_judge.h"


/* Is the source in use, by settings and by the facts of the judgement? */
bool tcf_make_uses(const tcf_judgement_t *j, tcf_source_e source);

/*
 * Makes every image whose inputs changed, in the order in which they need
 * each other.  *failed is the slot that could not be made; -1 with err, and
 * whatever else has been made is to be thrown away.
 */
int tcf_make_all(tcf_judgement_t *j, tcf_inputs_t *inputs,
    tcr_slot_e *failed, tcr_err_t *err);

/* Sources that an image is made of, ended by TCF_SOURCES. */
const tcf_source_e *tcf_make_sources(tcr_slot_e slot);

void tcf_make_drop(tcf_judgement_t *j);


#endif /* TCF_MAKE_H_INCLUDED */
