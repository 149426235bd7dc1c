/* SPDX-License-Identifier: Apache-2.0 */

/* Counting decisions. */

#include <stdio.h>

#include "tcr_cdn.h"
#include "tcr_count.h"

_Static_assert(TCR_RESULT_COUNT <= TCR_STATS_RESULTS, "room for results");
_Static_assert(TCR_DETAILS_COUNT <= 16, "room for details");


void
tcr_count_enable(tcr_view_t *view, const char *kind)
{
    snprintf(view->count_kind, sizeof(view->count_kind), "%s", kind);
}


/* Counter of a service: found by name once per set of images. */
static uint32_t
counter_of(tcr_view_t *view, const tcr_img_service_t *s)
{
    const tcr_cdn_t  *cdn = view->cdn;

    if (s == NULL || cdn == NULL || cdn->counters == NULL) {
        return 0;
    }

    return cdn->counters[s - cdn->services];
}


static void
count(tcr_view_t *view, tcr_stats_protocol_e protocol, tcr_details_e details,
    uint64_t us)
{
    tcr_stats_sums_t  *sums = tcr_stats_sums(view->stats);

    tcr_stats_add(&sums->total[protocol], 1);
    tcr_stats_add(&sums->took[protocol], us);
    tcr_stats_add(&sums->bucket[protocol][tcr_stats_bucket(us)], 1);
    tcr_stats_add(&sums->details[details], 1);
}


static void
tally(tcr_view_t *view, const tcr_img_service_t *s,
    tcr_stats_protocol_e protocol, tcr_result_e result)
{
    tcr_stats_tally_t  *t = tcr_stats_tally(view->stats, counter_of(view, s));

    tcr_stats_add(&t->count[protocol][result], 1);
}


void
tcr_count_http(tcr_view_t *view, const tcr_http_decision_t *d, uint64_t us)
{
    if (view->stats == NULL) {
        return;
    }

    if (d->result == TCR_RESULT_DS_MISS) {
        tcr_stats_add(&tcr_stats_sums(view->stats)->missed, 1);
        return;
    }

    count(view, TCR_STATS_HTTP, d->details, us);
    tally(view, d->entry, TCR_STATS_HTTP, d->result);
}


/*
 * Answers from static content are not counted; names that were only localised
 * count in the total.
 */
void
tcr_count_dns(tcr_view_t *view, const tcr_dns_answer_t *a, uint64_t us)
{
    if (view->stats == NULL || a->result == TCR_RESULT_NONE) {
        return;
    }

    count(view, TCR_STATS_DNS, a->details, us);

    if (a->routed) {
        tally(view, a->service, TCR_STATS_DNS, a->result);
    }
}


const tcr_stats_t *
tcr_count_stats(tcr_view_t *view)
{
    return view->stats;
}


tcr_stats_sums_t *
tcr_count_sums(tcr_view_t *view)
{
    return view->stats != NULL ? tcr_stats_sums(view->stats) : NULL;
}
