/* SPDX-License-Identifier: Apache-2.0 */

/*
 * ACME challenges that Traffic Ops wants to see in the DNS (RFC 8555 8.4,
 * spec/inputs.md §8.5), and those of `tcrouter acme`, in the same form.  The
 * latest list is what is in force, whatever the snapshot.
 */

#ifndef TCR_CHALLENGES_H_INCLUDED
#define TCR_CHALLENGES_H_INCLUDED

#include "tcr_json.h"

#define TCR_CHALLENGE_TTL  10     /* seconds: a new one must be seen soon    */

/* Where `tcrouter acme` keeps its list, below the state directory. */
#define TCR_ACME_DIR   "acme"
#define TCR_ACME_FILE  "challenges.json"


typedef struct {
    tcr_str_t  owner;             /* lower case, no final dot                */
    tcr_str_t  text;              /* TXT in presentation form, quoted        */
    uint32_t   ttl;
} tcr_challenge_t;

typedef struct {
    tcr_challenge_t  *items;      /* document order; names may come again    */
    size_t            n;
} tcr_challenges_t;


/*
 * Reads a parsed answer.  The model is in the arena, its strings may point
 * into the document: both must outlive it.  An entry without a record is no
 * challenge; a bad one is left out and reported.  -1: no "response", or out
 * of memory.  Not inside a request.
 */
int tcr_challenges_parse(tcr_challenges_t *out, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, tcr_report_t *report, tcr_err_t *err);


#endif /* TCR_CHALLENGES_H_INCLUDED */
