/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The program's two ways to be asked.
 */

#ifndef TCB_SERVER_H_INCLUDED
#define TCB_SERVER_H_INCLUDED

#include "tcb_session.h"


/*
 * Serves all of PowerDNS' threads from one loop until SIGTERM or SIGINT:
 * PowerDNS keeps a connection for each.  SIGHUP opens the log anew.  0, or -1
 * with a reason why it could not start or go on.
 */
int tcb_serve_socket(tcb_core_t *core, tcb_log_t *log, const char *path,
    const char *group, tcr_err_t *err);

/* Serves standard input until its end.  0, or -1 with a reason. */
int tcb_serve_stdio(tcb_core_t *core, tcr_err_t *err);


#endif /* TCB_SERVER_H_INCLUDED */
