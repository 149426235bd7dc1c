/* SPDX-License-Identifier: Apache-2.0 */

/*
 * For tests of the small documents: one document at a time, what it reports,
 * its strings.
 */

#ifndef TCR_TEST_DOCUMENT_H_INCLUDED
#define TCR_TEST_DOCUMENT_H_INCLUDED

#include <stdlib.h>

#include "jsonl.h"
#include "tap.h"
#include "tcr_json.h"
#include "tcr_nets.h"


static tcr_arena_t     *arena;
static tcr_json_doc_t   doc;
static tcr_report_t     report;
static tcr_err_t        err;


/* The text must outlive what is made of it. */
static inline void
read_text(const char *file, tcr_str_t text)
{
    tcr_arena_destroy(arena);
    arena = tcr_arena_create(0);
    tcr_report_init(&report, arena, 0);
    err.text[0] = '\0';

    if (tcr_json_parse(&doc, arena, file, text, &err) != 0) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }
}


/* Is there a report of that kind with this in its text? */
static inline bool
reported(tcr_severity_e severity, const char *text)
{
    tcr_problem_t  *p;

    for (p = report.first; p != NULL; p = p->next) {
        if (p->severity == severity && strstr(p->text, text) != NULL) {
            return true;
        }
    }

    for (p = report.first; p != NULL; p = p->next) {
        printf("# %d: %s\n", p->severity, p->text);
    }

    return false;
}


#define warned(text)  reported(TCR_REPORT_WARNING, text)
#define left(text)    reported(TCR_REPORT_LEFT_OUT, text)


/* How many reports of any kind */
static inline size_t
problems(void)
{
    return report.count[0] + report.count[1] + report.count[2];
}


/* NUL-terminated, NULL for an absent string */
static inline const char *
z(tcr_str_t s)
{
    return s.data != NULL ? tcr_arena_strdup(arena, s).data : NULL;
}


static inline bool
inside(const tcr_nets_t *nets, const char *text)
{
    tcr_addr_t  addr;

    return tcr_addr_parse(tcr_str(text), &addr) == 0
           && tcr_nets_find(nets, &addr, NULL) == 0;
}


#endif /* TCR_TEST_DOCUMENT_H_INCLUDED */
