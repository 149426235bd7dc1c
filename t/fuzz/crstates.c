/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Any bytes as health states: refused, or names that can all be read.
 */

#include "tcr_crstates.h"

#include <stdlib.h>

#define REPORTS  20


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


/* Reads every byte: a sanitizer sees a string that points elsewhere. */
static void
text(tcr_str_t s)
{
    size_t                   i;
    static volatile uint8_t  sum;

    if (s.data == NULL) {
        abort();
    }

    for (i = 0; i < s.len; i++) {
        sum = (uint8_t) (sum + (uint8_t) s.data[i]);
    }
}


static void
model(const tcr_crstates_t *states)
{
    size_t  i, j;

    for (i = 0; i < states->n_caches; i++) {
        text(states->caches[i].name);
    }

    for (i = 0; i < states->n_services; i++) {
        text(states->services[i].id);

        for (j = 0; j < states->services[i].n_disabled; j++) {
            text(states->services[i].disabled[j]);
        }
    }

    if (states->n_caches != 0 && !states->has_caches) {
        abort();
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tcr_err_t        err;
    tcr_arena_t     *arena = tcr_arena_create(0);
    tcr_report_t     report;
    tcr_json_doc_t   doc;
    tcr_crstates_t   states;

    if (arena == NULL) {
        return 0;
    }

    tcr_report_init(&report, arena, REPORTS);

    if (tcr_json_parse(&doc, arena, "x", tcr_str_n((const char *) data, size),
                       &err)
        == 0
        && tcr_crstates_parse(&states, arena, &doc, &report, &err) == 0)
    {
        model(&states);
    }

    if (report.kept > REPORTS) {
        abort();
    }

    tcr_arena_destroy(arena);
    return 0;
}
