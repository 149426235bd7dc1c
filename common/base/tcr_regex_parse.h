/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The state of a translation, and its parts.  Internal.
 *
 * The rules are those of java.util.regex.Pattern's documentation, with class
 * intersection and negation as in Java 9 and later.  Where releases of Java
 * differ or its parser does what the documentation does not say, the pattern
 * is refused.
 */

#ifndef TCR_REGEX_PARSE_H_INCLUDED
#define TCR_REGEX_PARSE_H_INCLUDED

#include "tcr_regex.h"
#include "tcr_regex_emit.h"

#define TCR_REGEX_NESTING   64    /* groups or classes within each other     */
#define TCR_REGEX_END       UINT32_MAX

#define TCR_REGEX_CATEGORIES  31  /* Unicode's that can be named             */

/* inline flags in force */
#define TCR_REGEX_I  1
#define TCR_REGEX_S  2
#define TCR_REGEX_M  4
#define TCR_REGEX_X  8


typedef struct {
    tcr_arena_t      *arena;      /* of this translation                     */
    tcr_err_t        *err;
    tcr_buf_t         out;

    tcr_str_t         src;
    size_t            at;
    unsigned          flags;
    bool              quoted;     /* between \Q and \E                       */
    unsigned          depth;      /* groups or classes around                */
    unsigned          behind;     /* look-behinds around                     */

    bool              empty;      /* the last piece may match no text        */
    unsigned          choices;    /* alternatives, repetitions of no fixed
                                     count and atomic groups so far          */

    unsigned          groups;     /* that capture, opened so far             */
    bool              closed[TCR_REGEX_GROUPS + 1];
    tcr_str_t         names[TCR_REGEX_GROUPS + 1];

    tcr_regex_set_t   categories[TCR_REGEX_CATEGORIES];    /* asked for      */
} tcr_regex_parser_t;


/* What an escape stands for: one character, or one of several. */
typedef struct {
    bool               several;
    uint32_t           code;
    tcr_regex_chars_t  chars;
} tcr_regex_item_t;


/* --- tcr_regex_source.c --- */

/* The next character, or TCR_REGEX_END. */
uint32_t tcr_regex_peek(const tcr_regex_parser_t *p);

/* The same, and goes behind it. */
uint32_t tcr_regex_next(tcr_regex_parser_t *p);

/* Goes behind text if it comes next. */
bool tcr_regex_accept(tcr_regex_parser_t *p, const char *text);

/* Whether (?x) is in force and white space or a comment comes next. */
bool tcr_regex_blank_follows(const tcr_regex_parser_t *p);
void tcr_regex_skip_blanks(tcr_regex_parser_t *p);

/* \n \r U+0085 U+2028 U+2029: they end a line, and "." leaves them out */
tcr_regex_set_t tcr_regex_terminators(void);

/* "TEXT at offset N of "PATTERN""; returns -1. */
int tcr_regex_fail(tcr_regex_parser_t *p, size_t at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));


/* --- tcr_regex_repeat.c --- */

void tcr_regex_put(tcr_regex_parser_t *p, const char *text);

/* Before what has been written from `at` on. */
void tcr_regex_insert(tcr_regex_parser_t *p, size_t at, const char *text);

/* Reads how often the thing just read is to match. */
int tcr_regex_read_times(tcr_regex_parser_t *p, tcr_regex_times_t *times);

/*
 * Read the quantifier and write the thing with it.  begin = where the thing
 * stood.  Assertions must have none.
 */
int tcr_regex_put_literal(tcr_regex_parser_t *p, uint32_t code);
int tcr_regex_put_chars(tcr_regex_parser_t *p, size_t begin,
    tcr_regex_chars_t chars);
int tcr_regex_put_assertion(tcr_regex_parser_t *p, const char *text);


/* --- tcr_regex_escape.c, tcr_regex_unicode.c, tcr_regex_class.c --- */

/* Escapes that stand for characters; the parser is behind the backslash. */
int tcr_regex_escape(tcr_regex_parser_t *p, tcr_regex_item_t *item);

/*
 * Characters of a Unicode category ("L", "Nd"...), as PCRE2 knows it.  -1
 * without memory.
 */
int tcr_regex_category(tcr_arena_t *arena, const char *name,
    tcr_regex_set_t *set);

/* A class; the parser is behind its "[". */
int tcr_regex_class(tcr_regex_parser_t *p, tcr_regex_chars_t *chars);


/* --- tcr_regex_group.c --- */

/* The parser is before the "(". */
int tcr_regex_group(tcr_regex_parser_t *p);

/* The parser is behind the backslash, which is at begin. */
int tcr_regex_reference(tcr_regex_parser_t *p, size_t begin);
int tcr_regex_named_reference(tcr_regex_parser_t *p, size_t begin);


/* --- tcr_regex_translate.c --- */

/* Up to the end or an unmatched ")". */
int tcr_regex_alternatives(tcr_regex_parser_t *p);


#endif /* TCR_REGEX_PARSE_H_INCLUDED */
