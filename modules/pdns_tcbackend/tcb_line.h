/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What counters and access log say about a question (spec/outputs.md §1.2,
 * §4): as much as the door lets us know, and what PowerDNS is going to make of
 * our rows.
 */

#ifndef TCB_LINE_H_INCLUDED
#define TCB_LINE_H_INCLUDED

#include "tcb_core.h"


/*
 * Once per question.  answer = the engine's to asked; started by tcr_ticks_ns;
 * log may be NULL.  Takes memory from asked->mem.
 */
void tcb_line_write(tcb_log_t *log, tcr_view_t *view, const tcb_question_t *q,
    const tcr_dns_question_t *asked, const tcr_dns_answer_t *answer,
    int64_t started);


#endif /* TCB_LINE_H_INCLUDED */
