/* SPDX-License-Identifier: Apache-2.0 */

/*
 * One fetcher at a time, and a handover without a gap (decisions E1).
 *
 * Two bytes of one file are locked: the first by who works, the second by
 * who waits.  The one at work can see that somebody waits without taking
 * anything.  Locks belong to the open file and end with the process, however
 * it ends.
 */

#ifndef TCF_LOCK_H_INCLUDED
#define TCF_LOCK_H_INCLUDED

#include "tcr_err.h"

#define TCF_LOCK_WAIT_MS  10000   /* decisions E1                            */


typedef struct {
    int  fd;                      /* -1 = not open                           */
} tcf_lock_t;


/* Opens (and makes) the lock file in a directory. */
int tcf_lock_open(tcf_lock_t *lock, int dirfd, tcr_err_t *err);
void tcf_lock_close(tcf_lock_t *lock);

/* 1 = it is ours, 0 = another one works. */
int tcf_lock_try(tcf_lock_t *lock);

/*
 * The same, after having waited up to ms for the other one to leave.  0 at
 * once when a third one waits already; 0 when stop_fd becomes readable.
 */
int tcf_lock_wait(tcf_lock_t *lock, int64_t ms, int stop_fd);

/* Does somebody wait for us to leave? */
bool tcf_lock_wanted(const tcf_lock_t *lock);


#endif /* TCF_LOCK_H_INCLUDED */
