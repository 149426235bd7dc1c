/* SPDX-License-Identifier: Apache-2.0 */

/*
 * When something is due.  Due times are on the clock that only grows
 * (tcr_ticks_ms), so that a jump of the wall clock neither stalls polling nor
 * makes it race; only between two runs do they pass as wall time.
 */

#ifndef TCF_SCHEDULE_H_INCLUDED
#define TCF_SCHEDULE_H_INCLUDED

#include <stdint.h>

#define TCF_NEVER  INT64_MAX

/* first pause after a failure; doubled until the interval is reached */
#define TCF_RETRY_MS  5000


/*
 * The poll after the one that was due: a fixed rate, but what was missed is
 * not caught up with.
 */
int64_t tcf_due_next(int64_t due, int64_t now, int64_t interval);

/* After that many failures in a row (from 1). */
int64_t tcf_due_retry(int64_t now, unsigned failures, int64_t interval);

/* Wall time of a due time; 0 for TCF_NEVER. */
int64_t tcf_due_to_wall(int64_t due, int64_t now, int64_t wall_now);

/*
 * Due time of a wall time that another run wrote down: not later than an
 * interval from now, whatever the clocks did meanwhile.  0 = due at once.
 */
int64_t tcf_due_from_wall(int64_t wall, int64_t now, int64_t wall_now,
    int64_t interval);


#endif /* TCF_SCHEDULE_H_INCLUDED */
