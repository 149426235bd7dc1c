/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What the access log says about a question (spec/outputs.md §1.2): as much
 * as the door lets us know, and what PowerDNS is going to make of our rows.
 */

#ifndef TCB_LINE_H_INCLUDED
#define TCB_LINE_H_INCLUDED

#include "tcb_core.h"


/*
 * answer = the engine's to asked; started by tcr_ticks_ns.  Takes memory from
 * asked->mem.
 */
void tcb_line_write(tcb_log_t *log, tcr_view_t *view, const tcb_question_t *q,
    const tcr_dns_question_t *asked, const tcr_dns_answer_t *answer,
    int64_t started);


#endif /* TCB_LINE_H_INCLUDED */
