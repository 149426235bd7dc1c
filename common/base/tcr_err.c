/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Error texts and reports of many problems.
 */

#include "tcr_err.h"

#include <stdarg.h>
#include <stdio.h>

#include "tcr_buf.h"

#define TCR_REPORT_LIMIT  1000


/* One line of text behind the n bytes that are there. */
static void
format(tcr_err_t *err, size_t n, const char *fmt, va_list ap)
{
    char       raw[sizeof(err->text)];
    tcr_out_t  out = { err->text + n, err->text + sizeof(err->text) - 1,
                       false };

    vsnprintf(raw, sizeof(raw), fmt, ap);
    tcr_out_plain(&out, raw);
    *out.pos = '\0';
}


int
tcr_err_set(tcr_err_t *err, const char *fmt, ...)
{
    va_list  ap;

    if (err == NULL) {
        return -1;
    }

    va_start(ap, fmt);
    format(err, 0, fmt, ap);
    va_end(ap);
    return -1;
}


/* "FILE:LINE:COL: ", less what is unknown.  Returns the length written. */
static size_t
put_pos(tcr_err_t *err, const tcr_pos_t *pos)
{
    int         n;
    const char  *file = pos->file != NULL ? pos->file : "-";

    if (pos->line == 0) {
        n = snprintf(err->text, sizeof(err->text), "%s: ", file);

    } else if (pos->column == 0) {
        n = snprintf(err->text, sizeof(err->text), "%s:%zu: ", file,
                     pos->line);

    } else {
        n = snprintf(err->text, sizeof(err->text), "%s:%zu:%zu: ", file,
                     pos->line, pos->column);
    }

    /* a name that leaves no room for the message gives way to it */
    if (n < 0 || (size_t) n >= sizeof(err->text) / 2) {
        return 0;
    }

    return (size_t) n;
}


int
tcr_err_at(tcr_err_t *err, const tcr_pos_t *pos, const char *fmt, ...)
{
    size_t   n;
    va_list  ap;

    if (err == NULL) {
        return -1;
    }

    n = put_pos(err, pos);

    va_start(ap, fmt);
    format(err, n, fmt, ap);
    va_end(ap);
    return -1;
}


void
tcr_report_init(tcr_report_t *report, tcr_arena_t *arena, size_t limit)
{
    memset(report, 0, sizeof(*report));
    report->arena = arena;
    report->limit = limit != 0 ? limit : TCR_REPORT_LIMIT;
}


void
tcr_report_add(tcr_report_t *report, tcr_severity_e severity,
    const char *fmt, ...)
{
    va_list         ap;
    tcr_err_t       text;
    tcr_problem_t  *problem;

    if (report == NULL) {
        return;
    }

    report->count[severity]++;

    if (report->kept >= report->limit) {
        return;
    }

    va_start(ap, fmt);
    format(&text, 0, fmt, ap);
    va_end(ap);

    problem = tcr_arena_calloc(report->arena, 1, sizeof(*problem));

    if (problem == NULL) {
        return;
    }

    problem->severity = severity;
    problem->text = tcr_arena_strdup(report->arena, tcr_str(text.text)).data;

    if (problem->text == NULL) {
        return;
    }

    if (report->last != NULL) {
        report->last->next = problem;

    } else {
        report->first = problem;
    }

    report->last = problem;
    report->kept++;
}
