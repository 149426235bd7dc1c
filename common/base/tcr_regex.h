/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Patterns written for java.util.regex, run by PCRE2.
 *
 * Translation happens when an image is compiled: what PCRE2 would read in
 * another way is rewritten or refused, never silently different (design §11).
 * One difference is left: \b and \B take ASCII letters and digits only, as
 * Java does from release 19 on.
 * Readers compile the translated text lazily, once per process, with JIT
 * where the machine allows it.  No UTF and no UCP flags: Java's
 * CASE_INSENSITIVE folds ASCII only.  Texts are UTF-8; characters are matched
 * as whole ones, and what is not valid counts as U+FFFD.
 */

#ifndef TCR_REGEX_H_INCLUDED
#define TCR_REGEX_H_INCLUDED

#include "tcr_err.h"

#define TCR_REGEX_GROUPS  32      /* capture groups a pattern may have       */


/*
 * Java pattern -> PCRE2 pattern of the same meaning, in the arena.
 * -1 with the reason and the place in the pattern when there is none.
 * The result has been test-compiled.
 */
int tcr_regex_translate(tcr_arena_t *arena, tcr_str_t java, tcr_str_t *pcre,
    tcr_err_t *err);


typedef struct tcr_regex_s  tcr_regex_t;

#define TCR_REGEX_WHOLE     1     /* must match the whole text               */
#define TCR_REGEX_CASELESS  2

/* pattern is a translated one.  Allocates; NULL with the reason. */
tcr_regex_t *tcr_regex_compile(tcr_str_t pattern, unsigned flags,
    tcr_err_t *err);

void tcr_regex_free(tcr_regex_t *re);

/*
 * Limits on backtracking are set: a hostile text counts as "no match".
 * Safe inside a request (where JIT is not to be had, PCRE2 may allocate within
 * a limit).  One thread at a time per pattern.
 */
bool tcr_regex_match(tcr_regex_t *re, tcr_str_t text);

/*
 * Searches and gives the groups 1..n that the pattern has; a group that took
 * no part has data == NULL.  Returns n, or -1 for no match.
 * Safe inside a request.
 */
int tcr_regex_groups(tcr_regex_t *re, tcr_str_t text,
    tcr_str_t groups[TCR_REGEX_GROUPS]);


#endif /* TCR_REGEX_H_INCLUDED */
