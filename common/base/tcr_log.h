/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What programs of ours say to their operator.  The nginx module logs through
 * nginx and does not use this.
 *
 * Sinks: a terminal gets plain lines on stderr; systemd (JOURNAL_STREAM set)
 * gets "<N>" prefixes on stderr; everything else syslog(3).  The same failure
 * (same `key`) is printed at most once a minute, with a count of what was
 * held back.  Control characters are printed as \xHH, lines are cut at 2 KiB.
 * Not thread-safe.
 */

#ifndef TCR_LOG_H_INCLUDED
#define TCR_LOG_H_INCLUDED

#include "tcr_str.h"


/* syslog's numbers */
typedef enum {
    TCR_LOG_ERR = 3,              /* the operator must act                   */
    TCR_LOG_WARN = 4,             /* degraded but serving                    */
    TCR_LOG_NOTICE = 5,           /* state changed                           */
    TCR_LOG_INFO = 6,             /* per run                                 */
    TCR_LOG_DEBUG = 7
} tcr_log_level_e;

typedef enum {
    TCR_LOG_AUTO,
    TCR_LOG_STDERR,
    TCR_LOG_JOURNAL,
    TCR_LOG_SYSLOG
} tcr_log_sink_e;


/*
 * ident = program name, kept by pointer.  Messages above `level` are dropped.
 * Before this call messages go to stderr up to TCR_LOG_INFO.
 */
void tcr_log_open(const char *ident, tcr_log_sink_e sink,
    tcr_log_level_e level);

void tcr_log(tcr_log_level_e level, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * At most once a minute for one key (any text that names the failure).  The 64
 * newest keys are remembered.
 */
void tcr_log_limited(tcr_log_level_e level, const char *key,
    const char *fmt, ...) __attribute__((format(printf, 3, 4)));


#endif /* TCR_LOG_H_INCLUDED */
