/* SPDX-License-Identifier: Apache-2.0 */

/*
 * PCRE2 text that matches one character of UTF-8 byte by byte.  Internal to
 * the translation of patterns.
 *
 * PCRE2 runs without its UTF mode, which would fold case as Unicode does and
 * wants valid text.  A character is then a byte below 0x80, or a byte from
 * 0xc0 with the bytes 0x80..0xbf that follow it, or a run of such bytes that
 * follows none: every text falls into characters in exactly one way, valid
 * UTF-8 in the right one, and no matcher can begin inside of one.  A character
 * that is not valid counts as U+FFFD, which Java would have made of it.
 */

#ifndef TCR_REGEX_EMIT_H_INCLUDED
#define TCR_REGEX_EMIT_H_INCLUDED

#include "tcr_buf.h"
#include "tcr_regex_set.h"

#define TCR_REGEX_INFINITE  UINT32_MAX


typedef struct {
    uint32_t  min;
    uint32_t  max;                /* or TCR_REGEX_INFINITE                   */
    char      kind;               /* 0 greedy, '?' reluctant, '+' possessive */
} tcr_regex_times_t;


/* "*", "{2,5}?"; nothing for once. */
void tcr_regex_emit_times(tcr_buf_t *out, tcr_regex_times_t times);

/* One character, that often. */
void tcr_regex_emit_literal(tcr_buf_t *out, uint32_t code,
    tcr_regex_times_t times);

/*
 * One of a set, that often.  -1 when PCRE2 cannot say it for patterns with
 * and without regard to case alike, or without memory (out->failed is set).
 */
int tcr_regex_emit_chars(tcr_buf_t *out, tcr_arena_t *arena,
    tcr_regex_chars_t chars, tcr_regex_times_t times);


#endif /* TCR_REGEX_EMIT_H_INCLUDED */
