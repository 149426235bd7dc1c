/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Quantifiers, and the writing of what they stand behind.
 */

#include "tcr_regex_parse.h"

#define TCR_REGEX_REPEAT  65535                   /* PCRE2's own limit       */


void
tcr_regex_put(tcr_regex_parser_t *p, const char *text)
{
    tcr_buf_str(&p->out, tcr_str(text));
}


/* Before what has been written from `at` on. */
void
tcr_regex_insert(tcr_regex_parser_t *p, size_t at, const char *text)
{
    size_t  len = strlen(text);

    tcr_regex_put(p, text);

    if (!p->out.failed) {
        memmove(p->out.data + at + len, p->out.data + at,
                p->out.len - len - at);
        memcpy(p->out.data + at, text, len);
    }
}


static int
parse_number(tcr_regex_parser_t *p, uint32_t *n)
{
    uint64_t   value;
    tcr_str_t  digits = tcr_str_n(p->src.data + p->at, 0);

    while (tcr_regex_peek(p) >= '0' && tcr_regex_peek(p) <= '9') {
        p->at++;
        digits.len++;
    }

    if (tcr_parse_uint(digits, 0, TCR_REGEX_REPEAT, &value) != 0) {
        return -1;
    }

    *n = (uint32_t) value;
    return 0;
}


/* {n} {n,} {n,m}; the parser is behind the "{". */
static int
braces(tcr_regex_parser_t *p, size_t begin, tcr_regex_times_t *times)
{
    if (parse_number(p, &times->min) != 0) {
        return tcr_regex_fail(p, begin, "no number up to %d behind \"{\"",
                              TCR_REGEX_REPEAT);
    }

    times->max = times->min;

    if (tcr_regex_accept(p, ",")) {
        times->max = TCR_REGEX_INFINITE;

        if (tcr_regex_peek(p) != '}' && parse_number(p, &times->max) != 0) {
            return tcr_regex_fail(p, begin, "no number up to %d in \"{,}\"",
                                  TCR_REGEX_REPEAT);
        }
    }

    if (!tcr_regex_accept(p, "}") || times->max < times->min) {
        return tcr_regex_fail(p, begin, "bad repetition");
    }

    return 0;
}


/* How often the thing just read is to match. */
int
tcr_regex_read_times(tcr_regex_parser_t *p, tcr_regex_times_t *times)
{
    size_t  begin;

    *times = (tcr_regex_times_t) { 1, 1, 0 };

    if (p->quoted && !tcr_regex_accept(p, "\\E")) {
        return 0;
    }

    p->quoted = false;
    tcr_regex_skip_blanks(p);
    begin = p->at;

    if (tcr_regex_accept(p, "?")) {
        times->min = 0;

    } else if (tcr_regex_accept(p, "*")) {
        times->min = 0;
        times->max = TCR_REGEX_INFINITE;

    } else if (tcr_regex_accept(p, "+")) {
        times->max = TCR_REGEX_INFINITE;

    } else if (!tcr_regex_accept(p, "{")) {
        return 0;

    } else if (braces(p, begin, times) != 0) {
        return -1;
    }

    p->choices += times->min != times->max;
    tcr_regex_skip_blanks(p);

    if (tcr_regex_accept(p, "?")) {
        times->kind = '?';

    } else if (tcr_regex_accept(p, "+")) {
        times->kind = '+';
    }

    return 0;
}


int
tcr_regex_put_literal(tcr_regex_parser_t *p, uint32_t code)
{
    tcr_regex_times_t  times;

    if (tcr_regex_read_times(p, &times) != 0) {
        return -1;
    }

    p->empty = times.min == 0;
    tcr_regex_emit_literal(&p->out, code, times);
    return 0;
}


int
tcr_regex_put_chars(tcr_regex_parser_t *p, size_t begin,
    tcr_regex_chars_t chars)
{
    tcr_regex_times_t  times;

    if (tcr_regex_read_times(p, &times) != 0) {
        return -1;
    }

    p->empty = times.min == 0;

    if (tcr_regex_emit_chars(&p->out, p->arena, chars, times) != 0) {
        return tcr_regex_fail(p, begin, "class that cannot be written both "
                              "with and without regard to case");
    }

    return 0;
}


/* PCRE2 repeats what matches no text in ways of its own. */
int
tcr_regex_put_assertion(tcr_regex_parser_t *p, const char *text)
{
    size_t             begin = p->at;
    tcr_regex_times_t  times;

    p->empty = true;
    tcr_regex_put(p, text);

    if (tcr_regex_read_times(p, &times) != 0) {
        return -1;
    }

    if (p->at != begin && (times.min != 1 || times.max != 1)) {
        return tcr_regex_fail(p, begin, "repeated assertion");
    }

    return 0;
}
