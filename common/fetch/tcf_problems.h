/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What was wrong with a source, or with what an image was made of, when it
 * was looked at last: for the log once, for the status all the time.
 */

#ifndef TCF_PROBLEMS_H_INCLUDED
#define TCF_PROBLEMS_H_INCLUDED

#include "tcr_err.h"

#define TCF_PROBLEMS_KEPT  20


typedef struct {
    char     *texts[TCF_PROBLEMS_KEPT];
    unsigned  n;
    size_t    count;              /* of all, those that are not kept too     */
    uint8_t   sha256[32];         /* of all texts that the report had        */
} tcf_problems_t;


/* Replaces them by those of a report; true: they are others than before. */
bool tcf_problems_take(tcf_problems_t *problems, const tcr_report_t *report);

/* One more, for those who read them back. */
void tcf_problems_add(tcf_problems_t *problems, tcr_str_t text);

void tcf_problems_free(tcf_problems_t *problems);


#endif /* TCF_PROBLEMS_H_INCLUDED */
