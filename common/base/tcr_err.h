/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Errors as text with a position, and reports of many problems.
 *
 * Library code never prints and never exits: it fills a tcr_err_t and returns
 * -1; the program at the edge prints once.  A loader that goes on after a bad
 * object adds a line to a tcr_report_t instead.
 */

#ifndef TCR_ERR_H_INCLUDED
#define TCR_ERR_H_INCLUDED

#include "tcr_arena.h"
#include "tcr_str.h"


typedef struct {
    char  text[1024];
} tcr_err_t;


/* Where something was read.  Line and column count from 1; 0 = unknown. */
typedef struct {
    const char  *file;
    size_t       line;
    size_t       column;
} tcr_pos_t;


/*
 * Both return -1 so that a caller can return the call.  err may be NULL.
 * The text is one line whatever stands in it (tcr_out_plain).
 */
int tcr_err_set(tcr_err_t *err, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), cold));

/* "FILE:LINE:COL: text" */
int tcr_err_at(tcr_err_t *err, const tcr_pos_t *pos, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));


typedef enum {
    TCR_REPORT_WARNING,           /* loaded, but look at it                  */
    TCR_REPORT_LEFT_OUT,          /* this object is not in force             */
    TCR_REPORT_ERROR              /* the whole input is refused              */
} tcr_severity_e;


typedef struct tcr_problem_s  tcr_problem_t;

struct tcr_problem_s {
    tcr_problem_t  *next;
    tcr_severity_e  severity;
    const char     *text;         /* position, path, what was found, wanted  */
};


/*
 * Problems in the order found.  The first `limit` are kept, all are counted:
 * a hostile snapshot cannot fill memory with complaints.
 */
typedef struct {
    tcr_arena_t    *arena;        /* owns the texts; not owned by the report */
    tcr_problem_t  *first;
    tcr_problem_t  *last;
    size_t          kept;
    size_t          limit;
    size_t          count[3];     /* by severity                             */
} tcr_report_t;


/* limit 0 = 1000 */
void tcr_report_init(tcr_report_t *report, tcr_arena_t *arena, size_t limit);

/* One line, too; report may be NULL: then nothing is recorded. */
void tcr_report_add(tcr_report_t *report, tcr_severity_e severity,
    const char *fmt, ...) __attribute__((format(printf, 3, 4)));


#endif /* TCR_ERR_H_INCLUDED */
