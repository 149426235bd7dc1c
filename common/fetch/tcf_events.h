/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The last things that happened, for who looks later (decisions E7): a ring
 * of texts with their times.
 */

#ifndef TCF_EVENTS_H_INCLUDED
#define TCF_EVENTS_H_INCLUDED

#include "tcr_str.h"

#define TCF_EVENTS      100
#define TCF_EVENT_TEXT  256


typedef struct {
    int64_t  time;                /* wall ms                                 */
    char     text[TCF_EVENT_TEXT];
} tcf_event_t;

typedef struct {
    tcf_event_t  ring[TCF_EVENTS];
    uint32_t     next;            /* place of the next one                   */
    uint32_t     n;
} tcf_events_t;


void tcf_events_add(tcf_events_t *events, int64_t time, tcr_str_t text);

/* i = 0 is the oldest one. */
const tcf_event_t *tcf_events_at(const tcf_events_t *events, uint32_t i);


#endif /* TCF_EVENTS_H_INCLUDED */
