/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The listening unix socket: whose, with which mode, and what to do with one
 * that lies there already.
 */

#ifndef TCB_SOCKET_H_INCLUDED
#define TCB_SOCKET_H_INCLUDED

#include <sys/types.h>

#include "tcr_err.h"


typedef struct {
    int          fd;
    const char  *path;            /* of the caller                           */
    dev_t        dev;             /* of the socket we made                   */
    ino_t        ino;
} tcb_socket_t;


/*
 * Listens at path, mode 0660, without blocking.  group may be NULL.  An old
 * socket that nobody listens on is removed; a file of another kind, and a
 * socket in use, are left alone and are the error.
 */
int tcb_socket_open(tcb_socket_t *sock, const char *path, const char *group,
    tcr_err_t *err);

/* Has somebody removed the file?  One that is another's is not gone. */
bool tcb_socket_is_gone(const tcb_socket_t *sock);

/* Closes it and removes the file, if it is still ours. */
void tcb_socket_close(tcb_socket_t *sock);


#endif /* TCB_SOCKET_H_INCLUDED */
