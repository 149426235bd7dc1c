/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A directory of files that a command of the tool writes: one command at a
 * time, by a lock on the file "lock" in it.
 */

#ifndef TCR_TOOL_DIR_H_INCLUDED
#define TCR_TOOL_DIR_H_INCLUDED

#include <sys/types.h>

#include "tcr_err.h"

typedef struct {
    int  fd;                      /* for openat and its like; -1: not open   */
    int  lockfd;
} tcr_tool_dir_t;

#define TCR_TOOL_DIR_CLOSED  ((tcr_tool_dir_t) { -1, -1 })


/*
 * Makes the directory with the mode when it is not there, and waits for the
 * lock.  Whoever may read the directory may lock it.  What root makes belongs
 * to the owner of the directory around it (tcr_file_give).  d is to be closed
 * when this fails, too.
 */
int tcr_tool_dir_open(tcr_tool_dir_t *d, const char *path, mode_t mode,
    tcr_err_t *err);

/* Lets the next command in before this one ends. */
void tcr_tool_dir_unlock(tcr_tool_dir_t *d);

void tcr_tool_dir_close(tcr_tool_dir_t *d);


#endif /* TCR_TOOL_DIR_H_INCLUDED */
