/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Which Traffic Monitor is asked next (decisions B): they take turns while
 * they answer; one that fails is passed over for a while that doubles, and
 * the next one is asked at once.
 */

#ifndef TCF_MONITORS_H_INCLUDED
#define TCF_MONITORS_H_INCLUDED

#include "tcr_err.h"

#define TCF_MONITOR_POLLERS  2    /* snapshot and states take turns apart    */
#define TCF_MONITOR_BACKOFF      2000     /* ms, first pause                 */
#define TCF_MONITOR_BACKOFF_MAX  60000


typedef struct {
    char      *host;              /* [http[s]://]HOST[:PORT]                 */
    unsigned   failures;          /* in a row                                */
    int64_t    dead_until;        /* ticks                                   */
    bool       tried;             /* has answered or failed once             */
    bool       flying[TCF_MONITOR_POLLERS];
    uint64_t   round[TCF_MONITOR_POLLERS];    /* last one it was asked in    */
} tcf_monitor_t;

typedef struct {
    tcf_monitor_t  *list;
    uint32_t        n;
    uint32_t        next[TCF_MONITOR_POLLERS];
} tcf_monitors_t;


/*
 * Replaces the list; hosts that stay keep their state.  Order and repetition
 * do not matter.  1 = it is another list, 0 = it was the same, -1 = no memory.
 */
int tcf_monitors_set(tcf_monitors_t *m, const char *const *hosts, uint32_t n,
    tcr_err_t *err);
void tcf_monitors_free(tcf_monitors_t *m);

/*
 * The next one for this poller, good until the next tcf_monitors_set; NULL
 * when there is none.  round: one per poll; within a round nobody is asked
 * twice.  Those that are passed over come last, the one that has been passed
 * over longest first.
 */
const tcf_monitor_t *tcf_monitors_pick(tcf_monitors_t *m, unsigned poller,
    uint64_t round, int64_t now);

/* What came of it; a host that is no longer listed is ignored. */
void tcf_monitors_ok(tcf_monitors_t *m, const char *host, unsigned poller);
void tcf_monitors_failed(tcf_monitors_t *m, const char *host,
    unsigned poller, int64_t now);

/* Has every one been asked once?  (decisions E3) */
bool tcf_monitors_all_tried(const tcf_monitors_t *m);


#endif /* TCF_MONITORS_H_INCLUDED */
