/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The DNS access log: whole lines, gathered in memory and written by a thread
 * of its own, so that no answer waits for a disk.
 *
 * A line is in the file after a second at most, earlier when 64 KiB have come
 * together.  Once a second the thread looks whether the file was moved away
 * and opens it anew.  When the disk is slower than the questions, lines are
 * dropped and counted.  Any thread may write; one log per file and process.
 */

#ifndef TCB_LOG_H_INCLUDED
#define TCB_LOG_H_INCLUDED

#include "tcr_err.h"

/* a line that is longer is cut; a name, a hundred addresses and the rest */
#define TCB_LOG_LINE  8192


typedef struct tcb_log_s  tcb_log_t;


/*
 * Opens the file for appending, mode 0640.  NULL with a reason.  The thread
 * starts with the first line, so that a server may still fork.
 */
tcb_log_t *tcb_log_open(const char *path, tcr_err_t *err);

/* Writes what is left.  log may be NULL. */
void tcb_log_close(tcb_log_t *log);

/*
 * One line with its line end.  Never waits for the disk.  log may be NULL.
 * false when the line found no room.
 */
bool tcb_log_write(tcb_log_t *log, const char *line, size_t len);

/* Opens the file anew at the next opportunity.  Any thread; log may be NULL */
void tcb_log_reopen(tcb_log_t *log);

/* Lines that found no room. */
uint64_t tcb_log_dropped(tcb_log_t *log);


#endif /* TCB_LOG_H_INCLUDED */
