/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Counting, and adding up what was counted (layout: tcr_stats_format.h).
 */

#ifndef TCR_STATS_H_INCLUDED
#define TCR_STATS_H_INCLUDED

#include "tcr_err.h"
#include "tcr_stats_format.h"

typedef struct tcr_stats_s  tcr_stats_t;


/*
 * For the publisher, with its lock held: makes the file where it is missing
 * or not ours, and adds names that it does not have.  More names than there
 * is room for are counted as "other".  -1 with a reason.
 */
int tcr_stats_register(int dirfd, const tcr_str_t *names, size_t n,
    tcr_err_t *err);

/*
 * Maps the file and takes a slot.  kind: at most 15 characters.  NULL: there
 * is no file, it is not ours, or every slot belongs to a living process.
 */
tcr_stats_t *tcr_stats_open(const char *dir, const char *kind,
    tcr_err_t *err);

/* Maps the file for reading sums only. */
tcr_stats_t *tcr_stats_open_reader(const char *dir, tcr_err_t *err);

/* Gives the slot's counts to slot 0 and the slot back. */
void tcr_stats_close(tcr_stats_t *stats);

/* Number of a name, 0 = "other".  Safe inside a request. */
uint32_t tcr_stats_find(const tcr_stats_t *stats, tcr_str_t name);


/* Our own counters.  Additions stick at the top.  Safe inside a request. */
tcr_stats_sums_t *tcr_stats_sums(tcr_stats_t *stats);
tcr_stats_tally_t *tcr_stats_tally(tcr_stats_t *stats, uint32_t name);

static inline void
tcr_stats_add(uint64_t *counter, uint64_t n)
{
    uint64_t  sum = *counter + n;

    __atomic_store_n(counter, sum < n ? UINT64_MAX : sum, __ATOMIC_RELAXED);
}

/* Bucket of a duration in microseconds. */
static inline unsigned
tcr_stats_bucket(uint64_t us)
{
    unsigned  bits = us != 0 ? 64 - (unsigned) __builtin_clzll(us) : 0;

    return bits < TCR_STATS_BUCKETS ? bits : TCR_STATS_BUCKETS - 1;
}


/* Names known so far, and one of them. */
uint32_t tcr_stats_names(const tcr_stats_t *stats);
tcr_str_t tcr_stats_name(const tcr_stats_t *stats, uint32_t name);

/* Over all slots.  Safe inside a request (as long as the names). */
void tcr_stats_total(const tcr_stats_t *stats, tcr_stats_sums_t *out);
void tcr_stats_total_tally(const tcr_stats_t *stats, uint32_t name,
    tcr_stats_tally_t *out);

/* When the file was made: ms since 1970. */
int64_t tcr_stats_created(const tcr_stats_t *stats);


#endif /* TCR_STATS_H_INCLUDED */
