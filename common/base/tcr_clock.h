/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The clock.  TCR_TEST_NOW=SECONDS in the environment, read once, stops the
 * wall clock of our programs at that moment, for tests; the engine takes time
 * as input.
 */

#ifndef TCR_CLOCK_H_INCLUDED
#define TCR_CLOCK_H_INCLUDED

#include <stdint.h>


/* Milliseconds since 1970, UTC. */
int64_t tcr_now_ms(void);

/* Milliseconds that only grow; never affected by TCR_TEST_NOW. */
int64_t tcr_ticks_ms(void);

/* Nanoseconds that only grow, for measuring. */
int64_t tcr_ticks_ns(void);


#endif /* TCR_CLOCK_H_INCLUDED */
