/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Due times: a fixed rate that never catches up, pauses after failures, and
 * clocks that jump between two runs.
 */

#include "tcf_schedule.h"

#include "tap.h"

#define HOUR  INT64_C(3600000)


static void
rate(void)
{
    is_int(tcf_due_next(1000, 1000, 500), 1500, "on time");
    is_int(tcf_due_next(1000, 1300, 500), 1500, "late, but on the beat");
    is_int(tcf_due_next(1000, 1500, 500), 2000, "a whole interval late");
    is_int(tcf_due_next(1000, 90000, 500), 90500, "nothing is caught up with");
    is_int(tcf_due_next(2000, 1000, 500), 1500, "asked before it was due");
}


static void
retry(void)
{
    is_int(tcf_due_retry(1000, 1, HOUR), 6000, "5 s after the first failure");
    is_int(tcf_due_retry(1000, 2, HOUR), 11000, "10 s after the second");
    is_int(tcf_due_retry(1000, 4, HOUR), 41000, "40 s after the fourth");
    is_int(tcf_due_retry(1000, 100, HOUR), 1000 + HOUR,
           "never later than the interval");
    is_int(tcf_due_retry(1000, 1, 1000), 2000, "short intervals are kept");
    is_int(tcf_due_retry(0, 4000000000u, INT64_MAX / 4), INT64_MAX / 4,
           "nothing wraps");
}


static void
walls(void)
{
    is_int(tcf_due_to_wall(5000, 2000, 1000000), 1003000, "as wall time");
    is_int(tcf_due_to_wall(TCF_NEVER, 2000, 1000000), 0, "never is 0");

    is_int(tcf_due_from_wall(1003000, 50, 1000000, HOUR), 3050, "and back");
    is_int(tcf_due_from_wall(999000, 50, 1000000, HOUR), 50, "was due: now");
    is_int(tcf_due_from_wall(0, 50, 1000000, HOUR), 50, "never known: now");
    is_int(tcf_due_from_wall(1000000 + 5 * HOUR, 50, 1000000, HOUR), 50 + HOUR,
           "a clock that was set back costs one interval at most");
}


int
main(void)
{
    rate();
    retry();
    walls();

    return done();
}
