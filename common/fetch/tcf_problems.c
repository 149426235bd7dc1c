/* SPDX-License-Identifier: Apache-2.0 */

/* Problems kept by the place that they were found at. */

#include "tcf_problems.h"

#include <stdlib.h>

#include "tcr_buf.h"
#include "tcr_digest.h"

#define TEXTS_MAX  (16u * 1024 * 1024)


void
tcf_problems_free(tcf_problems_t *problems)
{
    while (problems->n != 0) {
        free(problems->texts[--problems->n]);
    }

    problems->count = 0;
}


void
tcf_problems_add(tcf_problems_t *problems, tcr_str_t text)
{
    if (problems->n < TCF_PROBLEMS_KEPT) {
        problems->texts[problems->n] = strndup(text.data, text.len);
        problems->n += problems->texts[problems->n] != NULL;
    }
}


static void
hash(const tcr_report_t *report, uint8_t sha256[32])
{
    tcr_buf_t             buf;
    const tcr_problem_t  *p;

    tcr_buf_init(&buf, TEXTS_MAX);

    for (p = report->first; p != NULL; p = p->next) {
        tcr_buf_printf(&buf, "%s\n", p->text);
    }

    memset(sha256, 0, 32);

    if (buf.len != 0) {
        tcr_sha256(buf.data, buf.len, sha256);
    }

    tcr_buf_free(&buf);
}


bool
tcf_problems_take(tcf_problems_t *problems, const tcr_report_t *report)
{
    bool                  other;
    uint8_t               sha256[32];
    const tcr_problem_t  *p;

    hash(report, sha256);
    other = memcmp(sha256, problems->sha256, sizeof(sha256)) != 0;
    memcpy(problems->sha256, sha256, sizeof(sha256));
    tcf_problems_free(problems);

    for (p = report->first; p != NULL; p = p->next) {
        tcf_problems_add(problems, tcr_str(p->text));
    }

    problems->count = report->count[TCR_REPORT_WARNING]
                      + report->count[TCR_REPORT_LEFT_OUT]
                      + report->count[TCR_REPORT_ERROR];
    return other;
}
