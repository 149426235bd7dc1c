/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The clock, and its stop for tests.
 */

#include "tcr_clock.h"
#include "tcr_str.h"

#include <stdlib.h>
#include <time.h>

/* seconds whose milliseconds still fit */
#define TCR_CLOCK_MAX  (INT64_MAX / 1000)

#define RUNNING  (-1)
#define UNREAD   (-2)


static int64_t
clock_ns(clockid_t id)
{
    struct timespec  ts;

    clock_gettime(id, &ts);

    return (int64_t) ts.tv_sec * 1000000000 + ts.tv_nsec;
}


/* Where the environment stops the clock, or RUNNING. */
static int64_t
read_stop(void)
{
    uint64_t     seconds;
    const char  *text = getenv("TCR_TEST_NOW");

    if (text == NULL
        || tcr_parse_uint(tcr_str(text), 0, TCR_CLOCK_MAX, &seconds) != 0)
    {
        return RUNNING;
    }

    return (int64_t) seconds * 1000;
}


int64_t
tcr_now_ms(void)
{
    /* read once: every DNS look-up takes the time */
    static _Atomic int64_t  stop = UNREAD;

    if (stop == UNREAD) {
        stop = read_stop();
    }

    return stop == RUNNING ? clock_ns(CLOCK_REALTIME) / 1000000 : stop;
}


int64_t
tcr_ticks_ms(void)
{
    return clock_ns(CLOCK_MONOTONIC) / 1000000;
}


int64_t
tcr_ticks_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}
