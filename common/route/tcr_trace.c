/* SPDX-License-Identifier: Apache-2.0 */

/* Recording the steps of a decision for those who ask why. */

#include <stdarg.h>
#include <stdio.h>

#include "tcr_cdn.h"


void
tcr_trace_add(tcr_trace_t *trace, const char *step, const char *fmt, ...)
{
    char               text[512];
    va_list            ap;
    tcr_trace_step_t  *s;

    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);

    s = tcr_arena_calloc(trace->arena, 1, sizeof(*s));

    if (s == NULL) {
        return;
    }

    s->step = step;
    s->text = tcr_arena_strdup(trace->arena, tcr_str(text)).data;

    if (trace->last != NULL) {
        trace->last->next = s;

    } else {
        trace->first = s;
    }

    trace->last = s;
}
