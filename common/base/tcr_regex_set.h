/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Sets of characters, and matchers of one character.  Internal to the
 * translation of patterns.
 *
 * A set is a sorted list of disjoint ranges of code points.  Sets live in an
 * arena and are never changed; ranges == NULL means that there was no memory,
 * and every set made from such a one is such a one, so it is enough to look
 * at the last.
 */

#ifndef TCR_REGEX_SET_H_INCLUDED
#define TCR_REGEX_SET_H_INCLUDED

#include "tcr_arena.h"

#define TCR_REGEX_CODE_MAX  0x10ffff


typedef struct {
    uint32_t  lo;
    uint32_t  hi;                 /* included                                */
} tcr_regex_range_t;

typedef struct {
    const tcr_regex_range_t  *ranges;
    size_t                    n;
} tcr_regex_set_t;


/* Set of a table of ranges that are sorted and do not touch. */
#define TCR_REGEX_SET(table)                                                  \
    ((tcr_regex_set_t) { (table), sizeof(table) / sizeof((table)[0]) })


tcr_regex_set_t tcr_regex_set_range(tcr_arena_t *arena, uint32_t lo,
    uint32_t hi);
tcr_regex_set_t tcr_regex_set_or(tcr_arena_t *arena, tcr_regex_set_t a,
    tcr_regex_set_t b);
tcr_regex_set_t tcr_regex_set_not(tcr_arena_t *arena, tcr_regex_set_t a);
tcr_regex_set_t tcr_regex_set_and(tcr_arena_t *arena, tcr_regex_set_t a,
    tcr_regex_set_t b);

/* With the other case of every ASCII letter. */
tcr_regex_set_t tcr_regex_set_fold(tcr_arena_t *arena, tcr_regex_set_t a);

bool tcr_regex_set_eq(tcr_regex_set_t a, tcr_regex_set_t b);
bool tcr_regex_set_has(tcr_regex_set_t a, uint32_t code);


/*
 * What one character may be: with regard to case, and without.  Java folds
 * the single characters and ranges of a class, not the class, so both have to
 * be worked out: [a-z&&[^B]] leaves "b" out only when case does not matter.
 */
typedef struct {
    tcr_regex_set_t  exact;
    tcr_regex_set_t  folded;
} tcr_regex_chars_t;


tcr_regex_chars_t tcr_regex_chars(tcr_arena_t *arena, tcr_regex_set_t set);
tcr_regex_chars_t tcr_regex_chars_or(tcr_arena_t *arena, tcr_regex_chars_t a,
    tcr_regex_chars_t b);
tcr_regex_chars_t tcr_regex_chars_and(tcr_arena_t *arena, tcr_regex_chars_t a,
    tcr_regex_chars_t b);
tcr_regex_chars_t tcr_regex_chars_not(tcr_arena_t *arena, tcr_regex_chars_t a);


#endif /* TCR_REGEX_SET_H_INCLUDED */
