/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Java's pattern language, read in one pass and written as PCRE2's.
 */

#include "tcr_regex_parse.h"
#include "tcr_utf8.h"

#include <stdarg.h>
#include <stdio.h>

#define TCR_REGEX_SOURCE  ((size_t) 16 * 1024)    /* bytes of Java pattern   */
#define TCR_REGEX_RESULT  ((size_t) 256 * 1024)   /* bytes of PCRE2 pattern  */
#define TCR_REGEX_REPEAT  65535                   /* PCRE2's own limit       */

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


/* what "." leaves out */
static const tcr_regex_range_t  terminators[] = {
    { '\n', '\n' }, { '\r', '\r' }, { 0x85, 0x85 }, { 0x2028, 0x2029 }
};


static int parse_alternatives(tcr_regex_parser_t *p);


uint32_t
tcr_regex_peek(const tcr_regex_parser_t *p)
{
    uint32_t  code;

    if (p->at == p->src.len) {
        return TCR_REGEX_END;
    }

    tcr_utf8_get(p->src.data + p->at, p->src.len - p->at, &code);
    return code;
}


uint32_t
tcr_regex_next(tcr_regex_parser_t *p)
{
    uint32_t  code = tcr_regex_peek(p);

    if (code != TCR_REGEX_END) {
        p->at += tcr_utf8_len(p->src.data + p->at, p->src.len - p->at);
    }

    return code;
}


bool
tcr_regex_accept(tcr_regex_parser_t *p, const char *text)
{
    tcr_str_t  rest = tcr_str_n(p->src.data + p->at, p->src.len - p->at);

    if (!tcr_str_starts(rest, tcr_str(text))) {
        return false;
    }

    p->at += strlen(text);
    return true;
}


int
tcr_regex_fail(tcr_regex_parser_t *p, size_t at, const char *fmt, ...)
{
    char     text[200];
    va_list  ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);

    return tcr_err_set(p->err, "%s at offset %zu of \"%.*s\"", text, at,
                       TCR_STR_ARG(p->src));
}


bool
tcr_regex_blank_follows(const tcr_regex_parser_t *p)
{
    uint32_t  c = tcr_regex_peek(p);

    return (p->flags & TCR_REGEX_X) && !p->quoted
           && (c == ' ' || c == '#' || (c >= '\t' && c <= '\r'));
}


/* White space, and comments up to the end of their line. */
static void
skip_blanks(tcr_regex_parser_t *p)
{
    uint32_t         c;
    tcr_regex_set_t  ends = TCR_REGEX_SET(terminators);

    while (tcr_regex_blank_follows(p)) {
        c = tcr_regex_next(p);

        if (c == '#') {
            do {
                c = tcr_regex_next(p);
            } while (c != TCR_REGEX_END && !tcr_regex_set_has(ends, c));
        }
    }
}


static void
put(tcr_regex_parser_t *p, const char *text)
{
    tcr_buf_str(&p->out, tcr_str(text));
}


/* Before what has been written from `at` on. */
static void
insert(tcr_regex_parser_t *p, size_t at, const char *text)
{
    size_t  len = strlen(text);

    put(p, text);

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
static int
parse_times(tcr_regex_parser_t *p, tcr_regex_times_t *times)
{
    size_t  begin;

    *times = (tcr_regex_times_t) { 1, 1, 0 };

    if (p->quoted && !tcr_regex_accept(p, "\\E")) {
        return 0;
    }

    p->quoted = false;
    skip_blanks(p);
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

    skip_blanks(p);

    if (tcr_regex_accept(p, "?")) {
        times->kind = '?';

    } else if (tcr_regex_accept(p, "+")) {
        times->kind = '+';
    }

    return 0;
}


static int
put_literal(tcr_regex_parser_t *p, uint32_t code)
{
    tcr_regex_times_t  times;

    if (parse_times(p, &times) != 0) {
        return -1;
    }

    p->empty = times.min == 0;
    tcr_regex_emit_literal(&p->out, code, times);
    return 0;
}


static int
put_chars(tcr_regex_parser_t *p, size_t begin, tcr_regex_chars_t chars)
{
    tcr_regex_times_t  times;

    if (parse_times(p, &times) != 0) {
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
static int
put_assertion(tcr_regex_parser_t *p, const char *text)
{
    size_t             begin = p->at;
    tcr_regex_times_t  times;

    p->empty = true;
    put(p, text);

    if (parse_times(p, &times) != 0) {
        return -1;
    }

    if (p->at != begin && (times.min != 1 || times.max != 1)) {
        return tcr_regex_fail(p, begin, "repeated assertion");
    }

    return 0;
}


static int
parse_dot(tcr_regex_parser_t *p)
{
    size_t           begin = p->at++;
    tcr_regex_set_t  out = TCR_REGEX_SET(terminators);

    if (p->flags & TCR_REGEX_S) {
        out.n = 0;
    }

    return put_chars(p, begin,
                     tcr_regex_chars_not(p->arena,
                                         tcr_regex_chars(p->arena, out)));
}


static int
put_reference(tcr_regex_parser_t *p, size_t begin, unsigned group)
{
    tcr_regex_times_t  times;

    if (group > p->groups || !p->closed[group]) {
        return tcr_regex_fail(p, begin, "reference to a group that does not "
                              "end before it");
    }

    if (p->behind != 0) {
        return tcr_regex_fail(p, begin, "reference in a look-behind");
    }

    if (parse_times(p, &times) != 0) {
        return -1;
    }

    p->empty = true;
    tcr_buf_printf(&p->out, "\\g{%u}", group);
    tcr_regex_emit_times(&p->out, times);
    return 0;
}


/* As many digits as make a group that has begun. */
static int
parse_reference(tcr_regex_parser_t *p, size_t begin)
{
    unsigned  group = tcr_regex_next(p) - '0', longer;
    uint32_t  c;

    for ( ;; ) {
        c = tcr_regex_peek(p);
        longer = group * 10 + (c - '0');

        if (c < '0' || c > '9' || longer > p->groups) {
            break;
        }

        group = longer;
        p->at++;
    }

    if (tcr_regex_blank_follows(p)) {
        return tcr_regex_fail(p, begin, "unsupported blank behind a reference "
                              "under \"(?x)\"");
    }

    return put_reference(p, begin, group);
}


/* The name between "<" and ">"; absent when it is not one. */
static tcr_str_t
group_name(tcr_regex_parser_t *p)
{
    char       c;
    size_t     i;
    tcr_str_t  name = tcr_str_n(p->src.data + p->at, p->src.len - p->at);

    name.len = tcr_str_find(name, '>');

    for (i = 0; i < name.len; i++) {
        c = tcr_lower(name.data[i]);

        if ((c < 'a' || c > 'z') && (i == 0 || c < '0' || c > '9')) {
            return tcr_str_n(NULL, 0);
        }
    }

    p->at += name.len;

    if (name.len == 0 || !tcr_regex_accept(p, ">")) {
        return tcr_str_n(NULL, 0);
    }

    return name;
}


static unsigned
find_group(const tcr_regex_parser_t *p, tcr_str_t name)
{
    unsigned  i;

    for (i = 1; i <= p->groups; i++) {
        if (p->names[i].data != NULL && tcr_str_eq(p->names[i], name)) {
            return i;
        }
    }

    return 0;
}


static int
parse_named_reference(tcr_regex_parser_t *p, size_t begin)
{
    tcr_str_t  name = { NULL, 0 };

    if (tcr_regex_accept(p, "k<")) {
        name = group_name(p);
    }

    if (name.data == NULL) {
        return tcr_regex_fail(p, begin, "no group's name behind \"\\k\"");
    }

    return put_reference(p, begin, find_group(p, name));
}


static int
parse_characters(tcr_regex_parser_t *p, size_t begin)
{
    tcr_regex_item_t  item;

    if (tcr_regex_escape(p, &item) != 0) {
        return -1;
    }

    return item.several ? put_chars(p, begin, item.chars)
                        : put_literal(p, item.code);
}


/* Java gives the \n behind a \r up again, but not where \R is repeated. */
static int
parse_line_break(tcr_regex_parser_t *p)
{
    tcr_regex_times_t  times;

    if (parse_times(p, &times) != 0) {
        return -1;
    }

    p->empty = times.min == 0;
    put(p, times.min == 1 && times.max == 1 ? "(?:" : "(?>");
    put(p, LINE_BREAK);
    tcr_regex_emit_times(&p->out, times);
    return 0;
}


static int
parse_backslash(tcr_regex_parser_t *p)
{
    size_t    begin = p->at++;
    uint32_t  c = tcr_regex_peek(p);

    if (c >= '1' && c <= '9') {
        return parse_reference(p, begin);
    }

    if (c == 'k') {
        return parse_named_reference(p, begin);
    }

    if (tcr_regex_accept(p, "A")) {
        return put_assertion(p, "\\A");
    }

    if (tcr_regex_accept(p, "G")) {
        return put_assertion(p, "\\G");
    }

    if (tcr_regex_accept(p, "z")) {
        return put_assertion(p, "\\z");
    }

    if (tcr_regex_accept(p, "Z")) {
        return put_assertion(p, AT_END);
    }

    if (tcr_regex_accept(p, "B")) {
        return put_assertion(p, "\\B");
    }

    if (tcr_regex_accept(p, "b")) {
        return put_assertion(p, "\\b");
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


static unsigned
flag(uint32_t c)
{
    switch (c) {
    case 'i':
        return TCR_REGEX_I;
    case 's':
        return TCR_REGEX_S;
    case 'm':
        return TCR_REGEX_M;
    case 'x':
        return TCR_REGEX_X;
    default:
        return 0;
    }
}


/*
 * (?flags) and (?flags:X); the parser is behind "(?".  Only "i" is PCRE2's
 * business: it knows whether the pattern as a whole is caseless.
 */
static int
parse_flags(tcr_regex_parser_t *p, size_t begin)
{
    unsigned  on = 0, off = 0, *to = &on;
    uint32_t  c;

    for (c = tcr_regex_next(p); c != ')' && c != ':'; c = tcr_regex_next(p)) {

        if (c == '-' && to == &on) {
            to = &off;

        } else if (flag(c) != 0) {
            *to |= flag(c);

        } else {
            return tcr_regex_fail(p, begin, "unsupported group or flag");
        }
    }

    p->flags = (p->flags | on) & ~off;

    put(p, "(?");
    put(p, off & TCR_REGEX_I ? "-i" : on & TCR_REGEX_I ? "i" : "");
    tcr_buf_char(&p->out, (char) c);
    p->empty = true;
    return c == ':' ? 1 : 0;
}


static int
open_capture(tcr_regex_parser_t *p, size_t begin, tcr_str_t name)
{
    if (p->groups == TCR_REGEX_GROUPS) {
        return tcr_regex_fail(p, begin, "more than %d capture groups",
                              TCR_REGEX_GROUPS);
    }

    put(p, "(");
    p->names[++p->groups] = name;
    return 1;
}


static int
open_named(tcr_regex_parser_t *p, size_t begin)
{
    tcr_str_t  name = group_name(p);

    if (name.data == NULL) {
        return tcr_regex_fail(p, begin, "bad name of a group");
    }

    if (find_group(p, name) != 0) {
        return tcr_regex_fail(p, begin, "second group named \"%.*s\"",
                              TCR_STR_ARG(name));
    }

    return open_capture(p, begin, name);
}


typedef struct {
    size_t    begin;              /* in the pattern                          */
    size_t    written;            /* in the translation                      */
    unsigned  groups;             /* opened before it                        */
    unsigned  flags;
    bool      assertion;
    bool      behind;
    bool      atomic;
} group_t;


/* Writes what opens the group.  0 when there is nothing in it: flags only. */
static int
open_group(tcr_regex_parser_t *p, group_t *group)
{
    size_t              i;
    static const char  *looks[] = { "?=", "?!", "?<=", "?<!" };

    p->at++;

    for (i = 0; i < sizeof(looks) / sizeof(looks[0]); i++) {
        if (tcr_regex_accept(p, looks[i])) {
            group->assertion = true;
            group->behind = looks[i][1] == '<';
            put(p, "(");
            put(p, looks[i]);
            return 1;
        }
    }

    if (tcr_regex_accept(p, "?>")) {
        group->atomic = true;
        put(p, "(?>");
        return 1;
    }

    if (tcr_regex_accept(p, "?<")) {
        return open_named(p, group->begin);
    }

    if (tcr_regex_accept(p, "?")) {
        return parse_flags(p, group->begin);
    }

    return open_capture(p, group->begin, tcr_str_n(NULL, 0));
}


/*
 * Where Java goes its own way.  It ends a repetition at a turn that matched no
 * text, whatever the count, and does not take back what was captured within
 * something atomic.
 */
static int
check_group(tcr_regex_parser_t *p, const group_t *group,
    tcr_regex_times_t times)
{
    bool  captures = p->groups != group->groups;

    if (captures && (group->assertion || group->atomic || times.kind == '+')) {
        return tcr_regex_fail(p, group->begin, "capture group in an atomic "
                              "group, an assertion or a possessive repetition");
    }

    if (times.max > 1 && p->empty
        && (captures || times.min > 1 || times.max != TCR_REGEX_INFINITE))
    {
        return tcr_regex_fail(p, group->begin, "repeated group that may match "
                              "no text");
    }

    return 0;
}


static int
close_group(tcr_regex_parser_t *p, const group_t *group, unsigned number)
{
    tcr_regex_times_t  times = { 1, 1, 0 };

    if (!tcr_regex_accept(p, ")")) {
        return tcr_regex_fail(p, group->begin, "group without \")\"");
    }

    p->depth--;
    p->behind -= group->behind;
    p->flags = group->flags;
    p->closed[number] = true;

    if (group->assertion) {
        return check_group(p, group, times) == 0 ? put_assertion(p, ")") : -1;
    }

    if (parse_times(p, &times) != 0 || check_group(p, group, times) != 0) {
        return -1;
    }

    put(p, ")");

    /* each turn of a possessive repetition is final in Java */
    if (times.kind == '+' && times.max > 1) {
        insert(p, group->written, "(?>");
        put(p, ")");
    }

    tcr_regex_emit_times(&p->out, times);
    p->empty |= times.min == 0;
    return 0;
}


static int
parse_group(tcr_regex_parser_t *p)
{
    int       rc;
    group_t   group = {
        .begin = p->at,
        .written = p->out.len,
        .groups = p->groups,
        .flags = p->flags
    };
    unsigned  number;

    if (p->depth == TCR_REGEX_NESTING) {
        return tcr_regex_fail(p, group.begin, "more than %d groups or classes "
                              "within each other", TCR_REGEX_NESTING);
    }

    rc = open_group(p, &group);

    if (rc != 1) {
        return rc;
    }

    /* 0 for a group that does not capture: nothing can refer to that */
    number = p->groups != group.groups ? p->groups : 0;
    p->depth++;
    p->behind += group.behind;

    if (parse_alternatives(p) != 0) {
        return -1;
    }

    return close_group(p, &group, number);
}


static int
parse_class(tcr_regex_parser_t *p)
{
    size_t             begin = p->at++;
    tcr_regex_chars_t  chars;

    if (tcr_regex_class(p, &chars) != 0) {
        return -1;
    }

    return put_chars(p, begin, chars);
}


static int
parse_quoted(tcr_regex_parser_t *p)
{
    if (tcr_regex_accept(p, "\\E")) {
        p->quoted = false;
        p->empty = true;
        return 0;
    }

    return put_literal(p, tcr_regex_next(p));
}


/* The next thing that may be repeated. */
static int
parse_piece(tcr_regex_parser_t *p)
{
    uint32_t  c = tcr_regex_peek(p);

    if (p->quoted) {
        return parse_quoted(p);
    }

    switch (c) {

    case '(':
        return parse_group(p);

    case '[':
        return parse_class(p);

    case '.':
        return parse_dot(p);

    case '\\':
        return parse_backslash(p);

    case '^':
        p->at++;
        return put_assertion(p, p->flags & TCR_REGEX_M ? AT_LINE : "\\A");

    case '$':
        p->at++;
        return put_assertion(p, p->flags & TCR_REGEX_M ? AT_LINE_END : AT_END);

    case '*':
    case '+':
    case '?':
    case '{':
        return tcr_regex_fail(p, p->at, "nothing to repeat before \"%c\"",
                              (char) c);
    }

    return put_literal(p, tcr_regex_next(p));
}


static int
parse_alternatives(tcr_regex_parser_t *p)
{
    bool      any_empty = false, empty = true;
    uint32_t  c;

    for ( ;; ) {
        skip_blanks(p);
        c = p->quoted ? 0 : tcr_regex_peek(p);

        if (c == ')' || p->at == p->src.len) {
            p->empty = any_empty || empty;
            return 0;
        }

        if (c == '|') {
            p->at++;
            tcr_buf_char(&p->out, '|');
            any_empty |= empty;
            empty = true;

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
    if (check_source(p) != 0 || parse_alternatives(p) != 0) {
        return -1;
    }

    if (p->at != p->src.len) {
        return tcr_regex_fail(p, p->at, "\")\" without a group");
    }

    if (p->empty) {
        insert(p, 0, NOT_WITHIN);
        put(p, ")");
    }

    if (p->out.failed) {
        return tcr_regex_fail(p, 0, "more than %zu bytes of translation, or "
                              "out of memory,", TCR_REGEX_RESULT);
    }

    return 0;
}


int
tcr_regex_translate(tcr_arena_t *arena, tcr_str_t java, tcr_str_t *pcre,
    tcr_err_t *err)
{
    int                 rc;
    tcr_regex_t        *re;
    tcr_regex_parser_t  p = { .arena = arena, .err = err, .src = java };

    *pcre = tcr_str_n(NULL, 0);
    tcr_buf_init(&p.out, TCR_REGEX_RESULT);
    rc = parse_pattern(&p);

    if (rc == 0) {
        *pcre = tcr_arena_strdup(arena, tcr_str_n(p.out.data, p.out.len));
        rc = pcre->data != NULL ? 0 : tcr_err_set(err, "out of memory");
    }

    tcr_buf_free(&p.out);

    if (rc != 0) {
        return -1;
    }

    re = tcr_regex_compile(*pcre, 0, err);

    if (re == NULL) {
        *pcre = tcr_str_n(NULL, 0);
        return -1;
    }

    tcr_regex_free(re);
    return 0;
}
