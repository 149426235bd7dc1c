/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside the compiler only: shapes of host patterns (spec/routing.md §1.1).
 */

#ifndef TCR_PATTERN_H_INCLUDED
#define TCR_PATTERN_H_INCLUDED

#include "tcr_compiler.h"


typedef struct {
    tcr_match_e  kind;            /* HOST_LABELS, HOST_LITERAL, HOST_REGEX   */
    bool         at_start;        /* LABELS: may begin the host              */
    tcr_str_t    text;            /* LABELS, LITERAL: what must be there     */
    tcr_str_t    regex;           /* the same meaning as a translated
                                     pattern, whatever the kind              */
} tcr_pattern_t;


/*
 * Recognises the pattern of a HOST matcher.  superhack: it is the first
 * matcher of the first matchset and may match without anything in front.
 * -1 when the rewritten pattern cannot be translated, or no memory.
 */
int tcr_pattern_read(tcr_arena_t *arena, const tcr_matcher_t *m,
    bool superhack, tcr_pattern_t *out, tcr_err_t *err);


#endif /* TCR_PATTERN_H_INCLUDED */
