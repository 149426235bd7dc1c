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


static int64_t
clock_ns(clockid_t id)
{
    struct timespec  ts;

    clock_gettime(id, &ts);

    return (int64_t) ts.tv_sec * 1000000000 + ts.tv_nsec;
}


int64_t
tcr_now_ms(void)
{
    uint64_t     seconds;
    const char  *stopped;

    stopped = getenv("TCR_TEST_NOW");

    if (stopped != NULL
        && tcr_parse_uint(tcr_str(stopped), 0, TCR_CLOCK_MAX, &seconds) == 0)
    {
        return (int64_t) seconds * 1000;
    }

    return clock_ns(CLOCK_REALTIME) / 1000000;
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
