/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Up to the first line end a Java pattern, then a text: the pattern is refused
 * with a reason, or its translation compiles in every way and gives groups
 * that lie in the text.
 */

#include "tcr_regex.h"

#include <stdlib.h>


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
check_groups(tcr_str_t pcre, tcr_str_t text)
{
    int           i, n;
    tcr_err_t     err;
    tcr_str_t     groups[TCR_REGEX_GROUPS];
    tcr_regex_t  *re;

    re = tcr_regex_compile(pcre, 0, &err);

    if (re == NULL) {
        abort();
    }

    n = tcr_regex_groups(re, text, groups);

    if (n > TCR_REGEX_GROUPS || (n >= 0) != tcr_regex_match(re, text)) {
        abort();
    }

    for (i = 0; i < n; i++) {
        if (groups[i].data != NULL
            && (groups[i].data < text.data
                || groups[i].len > text.len
                || groups[i].data - text.data
                   > (ptrdiff_t) (text.len - groups[i].len)))
        {
            abort();
        }
    }

    tcr_regex_free(re);
}


static void
check_whole(tcr_str_t pcre, tcr_str_t text)
{
    tcr_err_t     err;
    tcr_regex_t  *re;

    re = tcr_regex_compile(pcre, TCR_REGEX_WHOLE | TCR_REGEX_CASELESS, &err);

    if (re == NULL) {
        abort();
    }

    (void) tcr_regex_match(re, text);
    tcr_regex_free(re);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tcr_err_t     err;
    tcr_str_t     pattern, pcre, text;
    tcr_arena_t  *arena;

    text = tcr_str_n((const char *) data, size);
    pattern = tcr_str_split(&text, '\n');

    if (text.data == NULL) {
        text = TCR_STR("");
    }

    arena = tcr_arena_create(0);

    if (arena == NULL || pattern.data == NULL) {
        tcr_arena_destroy(arena);
        return 0;
    }

    err.text[0] = '\0';

    if (tcr_regex_translate(arena, pattern, &pcre, &err) == 0) {
        check_groups(pcre, text);
        check_whole(pcre, text);

    } else if (err.text[0] == '\0' || pcre.data != NULL) {
        abort();
    }

    tcr_arena_destroy(arena);
    return 0;
}
