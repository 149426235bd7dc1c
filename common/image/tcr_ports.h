/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Whether somebody on this host listens where clients look for this router:
 * on the ports that the snapshot gives it, and on port 53.
 */

#ifndef TCR_PORTS_H_INCLUDED
#define TCR_PORTS_H_INCLUDED

#include "tcr_image.h"


/*
 * Adds a warning for each port that nobody listens on, or one that the
 * snapshot does not know this router.  Says nothing where the system does not
 * tell (proc(5), net/tcp and net/udp).  Not inside a request.
 */
void tcr_ports_check(const tcr_image_t *routing, tcr_report_t *report);


#endif /* TCR_PORTS_H_INCLUDED */
