/* SPDX-License-Identifier: Apache-2.0 */

/* The ring of events. */

#include "tcf_events.h"

#include <stdio.h>


void
tcf_events_add(tcf_events_t *events, int64_t time, tcr_str_t text)
{
    tcf_event_t  *event = &events->ring[events->next];

    event->time = time;
    snprintf(event->text, sizeof(event->text), "%.*s", TCR_STR_ARG(text));
    events->next = (events->next + 1) % TCF_EVENTS;
    events->n += events->n < TCF_EVENTS;
}


const tcf_event_t *
tcf_events_at(const tcf_events_t *events, uint32_t i)
{
    return &events->ring[(events->next + TCF_EVENTS - events->n + i)
                         % TCF_EVENTS];
}
