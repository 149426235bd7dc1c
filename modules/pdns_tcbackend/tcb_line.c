/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A question and its answer in the counters and as a line of the access log.
 */

#include "tcb_line.h"

#include "tcr_clock.h"
#include "tcr_count.h"


/* Records of the client's type; a CNAME is an answer to any. */
static size_t
of_type(const tcb_question_t *q, const tcr_dns_record_t *from, size_t n,
    tcr_dns_record_t *to)
{
    size_t  i, k;

    for (i = 0, k = 0; i < n; i++) {

        if (q->client_type == 0 || q->client_type == TCR_TYPE_ANY
            || q->client_type == from[i].type
            || from[i].type == TCR_TYPE_CNAME)
        {
            to[k++] = from[i];
        }
    }

    return k;
}


/*
 * Nothing of the client's type here: PowerDNS goes on to look for wildcards,
 * or denies it.  The line tells what it is going to find, and where a client
 * that got nothing is.
 */
static void
log_nothing(tcr_view_t *view, const tcr_dns_question_t *asked,
    const tcb_question_t *q, tcr_dns_answer_t *a, tcr_log_dns_t *l)
{
    size_t              i;
    tcr_dns_reply_t     reply;
    tcr_dns_record_t   *records;
    tcr_dns_question_t  again;

    again = *asked;
    again.type = q->client_type != 0 ? q->client_type : TCR_TYPE_ANY;

    if (tcr_resolve_dns(view, &again, &reply) != 0) {
        return;
    }

    records = tcr_mem_alloc(&asked->mem,
                            (reply.n_answer + 1) * sizeof(*records));

    if (records == NULL) {
        return;
    }

    for (i = 0; i < reply.n_answer; i++) {
        records[i] = reply.answer[i].record;
    }

    *a = reply.last;
    l->rcode = reply.rcode != 0 ? "NXDOMAIN" : "NOERROR";
    l->records = records;
    l->n_records = reply.n_answer;
}


static void
write_line(tcb_log_t *log, tcr_view_t *view, const tcr_dns_question_t *asked,
    const tcr_dns_answer_t *a, const tcr_log_dns_t *l)
{
    size_t             len;
    char               line[TCB_LOG_LINE];
    tcr_stats_sums_t  *sums = tcr_count_sums(view);

    len = tcr_log_dns(view, asked, a, l, line, sizeof(line) - 1);
    line[len++] = '\n';

    if (!tcb_log_write(log, line, len) && sums != NULL) {
        tcr_stats_add(&sums->lost_log_lines, 1);
    }
}


void
tcb_line_write(tcb_log_t *log, tcr_view_t *view, const tcb_question_t *q,
    const tcr_dns_question_t *asked, const tcr_dns_answer_t *answer,
    int64_t started)
{
    tcr_log_dns_t      l;
    tcr_dns_answer_t   a;
    tcr_dns_record_t  *shown;

    a = *answer;
    shown = tcr_mem_alloc(&asked->mem, (a.n_records + 1) * sizeof(*shown));

    if (shown == NULL) {
        return;
    }

    memset(&l, 0, sizeof(l));
    l.name = q->name;
    l.type = q->client_type;
    l.id = q->id;
    l.has_id = q->has_id;
    l.rcode = "NOERROR";
    l.records = shown;
    l.n_records = of_type(q, a.records, a.n_records, shown);
    l.times.arrival_ms = tcr_now_ms();
    l.times.took_us = (uint64_t) (tcr_ticks_ns() - started) / 1000;

    if (l.n_records == 0 && !a.routed) {
        log_nothing(view, asked, q, &a, &l);
    }

    tcr_count_dns(view, &a, l.times.took_us);

    if (log != NULL) {
        write_line(log, view, asked, &a, &l);
    }
}
