/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Java's pattern language, read in one pass and written as PCRE2's.
 */

#include "tcr_regex_parse.h"
#include "tcr_utf8.h"

#define TCR_REGEX_SOURCE   ((size_t) 16 * 1024)   /* bytes of Java pattern   */
#define TCR_REGEX_SCRATCH  ((size_t) 16 * 1024)   /* arena's block           */
#define TCR_REGEX_RESULT   ((size_t) 256 * 1024)  /* bytes of PCRE2 pattern  */

#define ANY_TERMINATOR  "\\r|(?<!\\r)\\n|\\xc2\\x85|\\xe2\\x80[\\xa8\\xa9]"

/* "$" and \Z: at the end, or before a line terminator that ends the text */
#define AT_END                                                                \
    "(?=(?:\\r\\n|\\r|(?<!\\r)\\n|\\xc2\\x85|\\xe2\\x80[\\xa8\\xa9])?\\z)"

/* "$" under (?m): never between \r and \n */
#define AT_LINE_END  "(?=" ANY_TERMINATOR "|\\z)"

/* "^" under (?m): not at the end, not even behind a line terminator */
#define AT_LINE                                                               \
    "(?!\\z)(?:\\A|(?<=\\n|\\xc2\\x85|\\xe2\\x80\\xa8|\\xe2\\x80\\xa9)"       \
    "|(?<=\\r)(?!\\n))"

/* \R, without its opening */
#define LINE_BREAK  "\\r\\n|[\\n-\\r]|\\xc2\\x85|\\xe2\\x80[\\xa8\\xa9])"

/* a search must not begin within a character */
#define NOT_WITHIN  "(?!(?<=[\\x80-\\xff])[\\x80-\\xbf])(?:"


static int
parse_dot(tcr_regex_parser_t *p)
{
    size_t             begin = p->at++;
    tcr_regex_chars_t  out;

    out.exact = tcr_regex_terminators();

    if (p->flags & TCR_REGEX_S) {
        out.exact.n = 0;
    }

    out.folded = out.exact;

    return tcr_regex_put_chars(p, begin, tcr_regex_chars_not(p->arena, out));
}


static int
parse_characters(tcr_regex_parser_t *p, size_t begin)
{
    tcr_regex_item_t  item;

    if (tcr_regex_escape(p, &item) != 0) {
        return -1;
    }

    return item.several ? tcr_regex_put_chars(p, begin, item.chars)
                        : tcr_regex_put_literal(p, item.code);
}


/* Java gives the \n behind a \r up again, but not where \R is repeated. */
static int
parse_line_break(tcr_regex_parser_t *p)
{
    tcr_regex_times_t  times;

    if (tcr_regex_read_times(p, &times) != 0) {
        return -1;
    }

    p->empty = times.min == 0;
    tcr_regex_put(p, times.min == 1 && times.max == 1 ? "(?:" : "(?>");
    tcr_regex_put(p, LINE_BREAK);
    tcr_regex_emit_times(&p->out, times);
    return 0;
}


static int
parse_backslash(tcr_regex_parser_t *p)
{
    size_t    begin = p->at++;
    uint32_t  c = tcr_regex_peek(p);

    if (c >= '1' && c <= '9') {
        return tcr_regex_reference(p, begin);
    }

    if (c == 'k') {
        return tcr_regex_named_reference(p, begin);
    }

    if (tcr_regex_accept(p, "A")) {
        return tcr_regex_put_assertion(p, "\\A");
    }

    if (tcr_regex_accept(p, "G")) {
        return tcr_regex_put_assertion(p, "\\G");
    }

    if (tcr_regex_accept(p, "z")) {
        return tcr_regex_put_assertion(p, "\\z");
    }

    if (tcr_regex_accept(p, "Z")) {
        return tcr_regex_put_assertion(p, AT_END);
    }

    if (tcr_regex_accept(p, "B")) {
        return tcr_regex_put_assertion(p, "\\B");
    }

    if (tcr_regex_accept(p, "b")) {
        return tcr_regex_put_assertion(p, "\\b");
    }

    if (tcr_regex_accept(p, "R")) {
        return parse_line_break(p);
    }

    if (tcr_regex_accept(p, "Q")) {
        p->quoted = true;
        p->empty = true;
        return 0;
    }

    return parse_characters(p, begin);
}


static int
parse_class(tcr_regex_parser_t *p)
{
    size_t             begin = p->at++;
    tcr_regex_chars_t  chars;

    if (tcr_regex_class(p, &chars) != 0) {
        return -1;
    }

    return tcr_regex_put_chars(p, begin, chars);
}


static int
parse_quoted(tcr_regex_parser_t *p)
{
    if (tcr_regex_accept(p, "\\E")) {
        p->quoted = false;
        p->empty = true;
        return 0;
    }

    return tcr_regex_put_literal(p, tcr_regex_next(p));
}


/* The next thing that may be repeated. */
static int
parse_piece(tcr_regex_parser_t *p)
{
    bool      lines = p->flags & TCR_REGEX_M;
    uint32_t  c = tcr_regex_peek(p);

    if (p->quoted) {
        return parse_quoted(p);
    }

    switch (c) {

    case '(':
        return tcr_regex_group(p);

    case '[':
        return parse_class(p);

    case '.':
        return parse_dot(p);

    case '\\':
        return parse_backslash(p);

    case '^':
        p->at++;
        return tcr_regex_put_assertion(p, lines ? AT_LINE : "\\A");

    case '$':
        p->at++;
        return tcr_regex_put_assertion(p, lines ? AT_LINE_END : AT_END);

    case '*':
    case '+':
    case '?':
    case '{':
        return tcr_regex_fail(p, p->at, "nothing to repeat before \"%c\"",
                              (char) c);
    }

    return tcr_regex_put_literal(p, tcr_regex_next(p));
}


int
tcr_regex_alternatives(tcr_regex_parser_t *p)
{
    bool      any_empty = false, empty = true;
    uint32_t  c;

    for ( ;; ) {
        tcr_regex_skip_blanks(p);
        c = p->quoted ? 0 : tcr_regex_peek(p);

        if (p->out.failed) {
            return tcr_regex_fail(p, p->at, "more than %zu bytes of "
                                  "translation, or out of memory,",
                                  TCR_REGEX_RESULT);
        }

        if (c == ')' || p->at == p->src.len) {
            p->empty = any_empty || empty;
            return 0;
        }

        if (c == '|') {
            p->at++;
            tcr_buf_char(&p->out, '|');
            any_empty |= empty;
            empty = true;
            p->choices++;

        } else if (parse_piece(p) != 0) {
            return -1;

        } else {
            empty &= p->empty;
        }
    }
}


static int
check_source(tcr_regex_parser_t *p)
{
    size_t  n;

    if (p->src.len > TCR_REGEX_SOURCE) {
        return tcr_err_set(p->err, "pattern of %zu bytes, at most %zu are "
                           "allowed", p->src.len, TCR_REGEX_SOURCE);
    }

    for (p->at = 0; p->at < p->src.len; p->at += n) {
        n = tcr_utf8_len(p->src.data + p->at, p->src.len - p->at);

        if (n == 0) {
            return tcr_err_set(p->err, "invalid UTF-8 at offset %zu of a "
                               "pattern", p->at);
        }
    }

    p->at = 0;
    return 0;
}


static int
parse_pattern(tcr_regex_parser_t *p)
{
    if (check_source(p) != 0 || tcr_regex_alternatives(p) != 0) {
        return -1;
    }

    if (p->at != p->src.len) {
        return tcr_regex_fail(p, p->at, "\")\" without a group");
    }

    if (p->empty) {
        tcr_regex_insert(p, 0, NOT_WITHIN);
        tcr_regex_put(p, ")");
    }

    if (p->out.failed) {
        return tcr_err_set(p->err, "out of memory");
    }

    return 0;
}


static int
test_compile(tcr_str_t java, tcr_str_t pcre, tcr_err_t *err)
{
    tcr_err_t     reason;
    tcr_regex_t  *re;

    re = tcr_regex_compile(pcre, 0, &reason);

    if (re == NULL) {
        return tcr_err_set(err, "no translation of \"%.*s\": %s",
                           TCR_STR_ARG(java), reason.text);
    }

    tcr_regex_free(re);
    return 0;
}


int
tcr_regex_translate(tcr_arena_t *arena, tcr_str_t java, tcr_str_t *pcre,
    tcr_err_t *err)
{
    int                 rc = -1;
    tcr_str_t           out;
    tcr_regex_parser_t  p = { .err = err, .src = java };

    *pcre = tcr_str_n(NULL, 0);
    tcr_buf_init(&p.out, TCR_REGEX_RESULT);
    p.arena = tcr_arena_create(TCR_REGEX_SCRATCH);

    if (p.arena == NULL) {
        tcr_err_set(err, "out of memory");

    } else if (parse_pattern(&p) == 0) {
        out = tcr_str_n(p.out.data, p.out.len);
        rc = test_compile(java, out, err);

        if (rc == 0) {
            *pcre = tcr_arena_strdup(arena, out);
            rc = pcre->data != NULL ? 0 : tcr_err_set(err, "out of memory");
        }
    }

    tcr_arena_destroy(p.arena);
    tcr_buf_free(&p.out);
    return rc;
}
