/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Translated patterns at work: compiled once, matched without allocating.
 */

#define PCRE2_CODE_UNIT_WIDTH  8

#include "tcr_regex.h"

#include <pcre2.h>
#include <stdlib.h>

/*
 * Steps of backtracking before a text counts as no match: some milliseconds.
 * Depth and heap (KiB) bind only where there is no JIT.
 */
#define TCR_REGEX_STEPS      1000000
#define TCR_REGEX_DEPTH      20000
#define TCR_REGEX_HEAP       4096

/* JIT's stack grows within address space that is reserved at first. */
#define TCR_REGEX_STACK_MIN  ((size_t) 32 * 1024)
#define TCR_REGEX_STACK_MAX  ((size_t) 256 * 1024)


struct tcr_regex_s {
    pcre2_code           *code;
    pcre2_match_data     *match;
    pcre2_match_context  *context;
    pcre2_jit_stack      *stack;  /* NULL without JIT                        */
    uint32_t              groups;
};


/*
 * Patterns are our own translations, but they come out of an image: nothing
 * in them may switch to UTF or reach into the middle of a character.
 * Making repetitions possessive by itself is what PCRE2 10.42 gets wrong
 * before an atomic group that may match nothing: "a*(?>(?:bc)?)a" misses "a".
 */
static pcre2_code *
compile(tcr_str_t pattern, unsigned flags, tcr_err_t *err)
{
    int          error;
    uint32_t     options;
    PCRE2_SIZE   offset;
    pcre2_code  *code;
    PCRE2_UCHAR  message[120];

    options = PCRE2_NEVER_UTF | PCRE2_NEVER_UCP | PCRE2_NEVER_BACKSLASH_C
              | PCRE2_DOLLAR_ENDONLY | PCRE2_NO_AUTO_POSSESS;

    if (flags & TCR_REGEX_CASELESS) {
        options |= PCRE2_CASELESS;
    }

    /* here and not when matching: JIT knows them only so */
    if (flags & TCR_REGEX_WHOLE) {
        options |= PCRE2_ANCHORED | PCRE2_ENDANCHORED;
    }

    code = pcre2_compile((PCRE2_SPTR) pattern.data, pattern.len, options,
                         &error, &offset, NULL);

    if (code == NULL) {
        pcre2_get_error_message(error, message, sizeof(message));
        tcr_err_set(err, "%s at offset %zu of \"%.*s\"", (char *) message,
                    (size_t) offset, TCR_STR_ARG(pattern));
    }

    return code;
}


/* What matching needs besides the code; -1 without memory. */
static int
prepare(tcr_regex_t *re)
{
    re->match = pcre2_match_data_create_from_pattern(re->code, NULL);
    re->context = pcre2_match_context_create(NULL);

    if (re->match == NULL || re->context == NULL) {
        return -1;
    }

    pcre2_set_match_limit(re->context, TCR_REGEX_STEPS);
    pcre2_set_depth_limit(re->context, TCR_REGEX_DEPTH);
    pcre2_set_heap_limit(re->context, TCR_REGEX_HEAP);

    if (pcre2_jit_compile(re->code, PCRE2_JIT_COMPLETE) != 0) {
        return 0;
    }

    re->stack = pcre2_jit_stack_create(TCR_REGEX_STACK_MIN,
                                       TCR_REGEX_STACK_MAX, NULL);

    if (re->stack != NULL) {
        pcre2_jit_stack_assign(re->context, NULL, re->stack);
    }

    return 0;
}


tcr_regex_t *
tcr_regex_compile(tcr_str_t pattern, unsigned flags, tcr_err_t *err)
{
    tcr_regex_t  *re;

    if (pattern.data == NULL) {
        pattern = TCR_STR("");
    }

    re = calloc(1, sizeof(*re));

    if (re == NULL) {
        tcr_err_set(err, "out of memory");
        return NULL;
    }

    re->code = compile(pattern, flags, err);

    if (re->code == NULL) {
        tcr_regex_free(re);
        return NULL;
    }

    pcre2_pattern_info(re->code, PCRE2_INFO_CAPTURECOUNT, &re->groups);

    if (re->groups > TCR_REGEX_GROUPS) {
        tcr_err_set(err, "%u capture groups, at most %d are allowed",
                    re->groups, TCR_REGEX_GROUPS);
        tcr_regex_free(re);
        return NULL;
    }

    if (prepare(re) != 0) {
        tcr_err_set(err, "out of memory");
        tcr_regex_free(re);
        return NULL;
    }

    return re;
}


void
tcr_regex_free(tcr_regex_t *re)
{
    if (re == NULL) {
        return;
    }

    pcre2_match_data_free(re->match);
    pcre2_match_context_free(re->context);
    pcre2_jit_stack_free(re->stack);
    pcre2_code_free(re->code);
    free(re);
}


bool
tcr_regex_match(tcr_regex_t *re, tcr_str_t text)
{
    if (text.data == NULL) {
        text = TCR_STR("");
    }

    return pcre2_match(re->code, (PCRE2_SPTR) text.data, text.len, 0, 0,
                       re->match, re->context) > 0;
}


int
tcr_regex_groups(tcr_regex_t *re, tcr_str_t text,
    tcr_str_t groups[TCR_REGEX_GROUPS])
{
    size_t       i;
    PCRE2_SIZE  *at;

    if (text.data == NULL) {
        text = TCR_STR("");
    }

    if (!tcr_regex_match(re, text)) {
        return -1;
    }

    at = pcre2_get_ovector_pointer(re->match) + 2;

    for (i = 0; i < re->groups; i++, at += 2) {
        groups[i] = at[0] == PCRE2_UNSET
                    ? tcr_str_n(NULL, 0)
                    : tcr_str_n(text.data + at[0], at[1] - at[0]);
    }

    return (int) re->groups;
}
