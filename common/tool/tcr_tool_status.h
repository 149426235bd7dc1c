/* SPDX-License-Identifier: Apache-2.0 */

/* For tcrouter status only. */

#ifndef TCR_TOOL_STATUS_H_INCLUDED
#define TCR_TOOL_STATUS_H_INCLUDED

#include <stdbool.h>


/*
 * Prints what tcr-fetch wrote down in its state directory, which may not be
 * there; all: every problem and event, too.
 */
void tcr_tool_status_fetch(const char *images, const char *state, bool all);


#endif /* TCR_TOOL_STATUS_H_INCLUDED */
