/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What an operator can ask through PowerDNS: pdnsutil backend-cmd.
 */

#ifndef TCB_COMMAND_H_INCLUDED
#define TCB_COMMAND_H_INCLUDED

#include "tcr_buf.h"

#include "tcb_core.h"


/* Adds lines of text, the last one without its line end. */
void tcb_command(tcb_core_t *core, tcr_str_t query, tcr_buf_t *out);


#endif /* TCB_COMMAND_H_INCLUDED */
