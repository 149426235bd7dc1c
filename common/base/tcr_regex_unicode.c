/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Unicode categories as sets: PCRE2 is asked about every character once per
 * pattern that names a category, which is a matter of milliseconds and only
 * done when an image is compiled.
 */

#define PCRE2_CODE_UNIT_WIDTH  8

#include "tcr_regex_parse.h"
#include "tcr_utf8.h"

#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>

/* all characters, four bytes each at most */
#define ALL_SIZE  ((size_t) 4 * (TCR_REGEX_CODE_MAX + 1))

/* a category has at most some 700 ranges */
#define RANGES    2000


static size_t
all_characters(char *text)
{
    size_t    n = 0;
    uint32_t  code;

    for (code = 0; code <= TCR_REGEX_CODE_MAX; code++) {
        if (code < 0xd800 || code > 0xdfff) {
            n += tcr_utf8_put(text + n, code);
        }
    }

    return n;
}


/* The runs of a category's characters in the text of all characters. */
static size_t
find_runs(pcre2_code *re, pcre2_match_data *match, const char *text,
    size_t len, tcr_regex_range_t *ranges)
{
    size_t       n, at, last;
    PCRE2_SIZE  *run = pcre2_get_ovector_pointer(match);

    for (n = 0, at = 0; n < RANGES; n++, at = run[1]) {
        if (pcre2_match(re, (PCRE2_SPTR) text, len, at, PCRE2_NO_UTF_CHECK,
                        match, NULL) < 1)
        {
            break;
        }

        last = run[1] - 1;

        while (((unsigned char) text[last] & 0xc0) == 0x80) {
            last--;
        }

        tcr_utf8_get(text + run[0], len - run[0], &ranges[n].lo);
        tcr_utf8_get(text + last, len - last, &ranges[n].hi);
    }

    return n;
}


int
tcr_regex_category(tcr_arena_t *arena, const char *name, tcr_regex_set_t *set)
{
    int                 number;
    char                pattern[16], *text;
    pcre2_code         *re;
    PCRE2_SIZE          offset;
    pcre2_match_data   *match;
    tcr_regex_range_t  *ranges;

    snprintf(pattern, sizeof(pattern), "\\p{%s}+", name);

    *set = (tcr_regex_set_t) { NULL, 0 };
    re = pcre2_compile((PCRE2_SPTR) pattern, PCRE2_ZERO_TERMINATED, PCRE2_UTF,
                       &number, &offset, NULL);
    match = pcre2_match_data_create(1, NULL);
    ranges = tcr_arena_calloc(arena, RANGES, sizeof(*ranges));
    text = malloc(ALL_SIZE);

    if (re != NULL && match != NULL && ranges != NULL && text != NULL) {
        pcre2_jit_compile(re, PCRE2_JIT_COMPLETE);
        set->n = find_runs(re, match, text, all_characters(text), ranges);
        set->ranges = ranges;
    }

    free(text);
    pcre2_match_data_free(match);
    pcre2_code_free(re);
    return set->ranges != NULL ? 0 : -1;
}
