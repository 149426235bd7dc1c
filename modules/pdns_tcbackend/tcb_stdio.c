/* SPDX-License-Identifier: Apache-2.0 */

/*
 * One PowerDNS thread at our standard input.  It kills us with SIGKILL or
 * closes the pipe; both are ordinary.
 */

#include "tcb_server.h"

#include <unistd.h>


int
tcb_serve_stdio(tcb_core_t *core, tcr_err_t *err)
{
    int             rc;
    tcb_session_t  *s;

    s = tcb_session_create(core);

    if (s == NULL) {
        return tcr_err_set(err, "no memory");
    }

    do {
        rc = tcb_session_read(s, STDIN_FILENO, err);

        while (rc >= 0 && tcb_session_pending(s) != 0) {

            if (tcb_session_write(s, STDOUT_FILENO) < 0) {
                rc = 0;
                break;
            }

            if (tcb_session_answer(s, err) != 0) {
                rc = -1;
            }
        }

    } while (rc > 0);

    if (rc < 0) {
        (void) tcb_session_write(s, STDOUT_FILENO);
    }

    tcb_session_destroy(s);
    return rc;
}
