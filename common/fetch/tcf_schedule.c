/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Due times.
 */

#include "tcf_schedule.h"


int64_t
tcf_due_next(int64_t due, int64_t now, int64_t interval)
{
    if (due <= now && now - due < interval) {
        return due + interval;
    }

    return now + interval;
}


int64_t
tcf_due_retry(int64_t now, unsigned failures, int64_t interval)
{
    int64_t  pause = TCF_RETRY_MS;

    while (failures-- > 1 && pause < interval) {
        pause *= 2;
    }

    return now + (pause < interval ? pause : interval);
}


int64_t
tcf_due_to_wall(int64_t due, int64_t now, int64_t wall_now)
{
    return due == TCF_NEVER ? 0 : wall_now + (due - now);
}


int64_t
tcf_due_from_wall(int64_t wall, int64_t now, int64_t wall_now,
    int64_t interval)
{
    if (wall <= wall_now) {
        return now;
    }

    if (wall - wall_now > interval) {
        return now + interval;
    }

    return now + (wall - wall_now);
}
