/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Counting decisions in the shared stats file (spec/outputs.md §4, decisions
 * E5).  A view that does not count, or finds no file, does nothing here.
 */

#ifndef TCR_COUNT_H_INCLUDED
#define TCR_COUNT_H_INCLUDED

#include "tcr_route.h"
#include "tcr_stats.h"


/*
 * From the next refresh on this view counts, as a process of that kind
 * ("nginx", "pdns").  The file is looked for at each publication until it is
 * there.
 */
void tcr_count_enable(tcr_view_t *view, const char *kind);

/* Once per answered question; us = what it took.  Safe inside a request. */
void tcr_count_http(tcr_view_t *view, const tcr_http_decision_t *d,
    uint64_t us);
void tcr_count_dns(tcr_view_t *view, const tcr_dns_answer_t *a, uint64_t us);

/* Everybody's counters, for reading; NULL when the view does not count. */
const tcr_stats_t *tcr_count_stats(tcr_view_t *view);

/* Our slot's sums for other counters; NULL when the view does not count. */
tcr_stats_sums_t *tcr_count_sums(tcr_view_t *view);


#endif /* TCR_COUNT_H_INCLUDED */
