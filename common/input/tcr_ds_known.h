/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Which DS are known at the parents: what `tcrouter keys ds --check` found and
 * wrote down.
 *
 *     {"known":[{"zone":"cdn.example.net.","ds":"TAG ALGORITHM 2 DIGEST",
 *                "since":SECONDS}]}
 */

#ifndef TCR_DS_KNOWN_H_INCLUDED
#define TCR_DS_KNOWN_H_INCLUDED

#include "tcr_json.h"


typedef struct {
    tcr_str_t  zone;              /* lower case, no final dot                */
    tcr_str_t  ds;                /* as tcr_dnsseckey_ds_text writes it      */
    int64_t    since;             /* caches cannot be without it since then  */
} tcr_ds_known_entry_t;

typedef struct {
    tcr_ds_known_entry_t  *items;
    size_t                 n;
} tcr_ds_known_t;


/*
 * Reads a parsed file.  The model is in the arena, its strings may point into
 * the document: both must outlive it.  A bad entry is left out and reported.
 * -1: no "known", or out of memory.  Not inside a request.
 */
int tcr_ds_known_parse(tcr_ds_known_t *out, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, tcr_report_t *report, tcr_err_t *err);

/* NULL: nobody found that one.  known may be NULL. */
const tcr_ds_known_entry_t *tcr_ds_known_find(const tcr_ds_known_t *known,
    tcr_str_t zone, tcr_str_t ds);


#endif /* TCR_DS_KNOWN_H_INCLUDED */
