/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Bracketed classes: unions, negation, nested classes, intersections.
 */

#include "tcr_regex_parse.h"


/* One side of "&&", or the whole class. */
typedef struct {
    tcr_regex_chars_t  chars;
    bool               empty;
    bool               nested;    /* it began with a nested class            */
} operand_t;

typedef struct {
    size_t             begin;
    bool               negated;
    bool               intersected;
    bool               ampersand; /* a single one was read                   */
    tcr_regex_chars_t  left;      /* of the "&&" before this operand         */
    operand_t          operand;
} class_t;


static void
add(tcr_regex_parser_t *p, operand_t *operand, tcr_regex_chars_t chars)
{
    if (!operand->empty) {
        chars = tcr_regex_chars_or(p->arena, operand->chars, chars);
    }

    operand->chars = chars;
    operand->empty = false;
}


/* A character of a class, or several; the place of its first byte in *at. */
static int
member(tcr_regex_parser_t *p, tcr_regex_item_t *item, size_t *at)
{
    *at = p->at;

    if (tcr_regex_blank_follows(p)) {
        return tcr_regex_fail(p, *at, "unsupported blank or \"#\" in a class "
                              "under \"(?x)\"");
    }

    item->several = false;
    item->code = tcr_regex_next(p);

    if (item->code == '\\') {
        if (tcr_regex_peek(p) == 'Q') {
            return tcr_regex_fail(p, *at, "unsupported \"\\Q\" in a class");
        }

        return tcr_regex_escape(p, item);
    }

    return 0;
}


/* Whether "-" comes next and is neither the last nor before a class. */
static bool
range_follows(const tcr_regex_parser_t *p)
{
    size_t  at = p->at;

    return p->src.len - at > 1 && p->src.data[at] == '-'
           && p->src.data[at + 1] != ']' && p->src.data[at + 1] != '[';
}


/* A character, an escape, or a range. */
static int
plain(tcr_regex_parser_t *p, operand_t *operand)
{
    size_t            begin, end;
    tcr_regex_set_t   set;
    tcr_regex_item_t  first, last;

    if (member(p, &first, &begin) != 0) {
        return -1;
    }

    if (first.several) {

        /* Java takes \v for one character here */
        if (p->src.data[p->at - 1] == 'v' && tcr_regex_peek(p) == '-') {
            return tcr_regex_fail(p, begin, "unsupported \"-\" behind \"\\v\"");
        }

        add(p, operand, first.chars);
        return 0;
    }

    last = first;

    if (range_follows(p)) {
        p->at++;

        if (member(p, &last, &end) != 0) {
            return -1;
        }

        if (last.several || last.code < first.code) {
            return tcr_regex_fail(p, begin, "bad range in a class");
        }
    }

    set = tcr_regex_set_range(p->arena, first.code, last.code);
    add(p, operand, tcr_regex_chars(p->arena, set));
    return 0;
}


static int
nested(tcr_regex_parser_t *p, class_t *class)
{
    tcr_regex_chars_t  chars;

    p->at++;

    if (tcr_regex_class(p, &chars) != 0) {
        return -1;
    }

    if (class->operand.empty) {
        class->operand.nested = true;
    }

    add(p, &class->operand, chars);
    return 0;
}


static int
intersect(tcr_regex_parser_t *p, class_t *class, size_t at)
{
    if (class->operand.empty) {
        return tcr_regex_fail(p, at, "nothing on one side of \"&&\"");
    }

    if (class->intersected) {
        class->left = tcr_regex_chars_and(p->arena, class->left,
                                          class->operand.chars);

    } else {
        class->left = class->operand.chars;
    }

    class->intersected = true;
    class->operand.empty = true;
    class->operand.nested = false;
    return 0;
}


static int
finish(tcr_regex_parser_t *p, class_t *class, tcr_regex_chars_t *chars)
{
    if (class->intersected) {
        if (intersect(p, class, p->at - 1) != 0) {
            return -1;
        }

        if (class->ampersand) {
            return tcr_regex_fail(p, class->begin, "unsupported mix of \"&\" "
                                  "and \"&&\" in a class");
        }

        *chars = class->left;

    } else {
        *chars = class->operand.chars;
    }

    if (class->negated) {
        *chars = tcr_regex_chars_not(p->arena, *chars);
    }

    p->depth--;
    return 0;
}


/* 1 when the class is complete. */
static int
step(tcr_regex_parser_t *p, class_t *class, tcr_regex_chars_t *chars)
{
    bool    first = class->operand.empty && !class->intersected;
    size_t  at = p->at;

    switch (tcr_regex_peek(p)) {

    case TCR_REGEX_END:
        return tcr_regex_fail(p, class->begin, "class without \"]\"");

    case '[':
        return nested(p, class);

    case ']':
        if (first) {
            break;
        }

        p->at++;
        return finish(p, class, chars) == 0 ? 1 : -1;

    case '&':
        if (tcr_regex_accept(p, "&&")) {
            return intersect(p, class, at);
        }

        class->ampersand = true;
        break;
    }

    /* Java intersects only the rest with what follows */
    if (class->intersected && class->operand.nested) {
        return tcr_regex_fail(p, at, "unsupported characters between a nested "
                              "class and the end of a side of \"&&\"");
    }

    return plain(p, &class->operand);
}


int
tcr_regex_class(tcr_regex_parser_t *p, tcr_regex_chars_t *chars)
{
    int      rc;
    class_t  class = { .begin = p->at - 1 };

    if (p->depth == TCR_REGEX_NESTING) {
        return tcr_regex_fail(p, class.begin, "more than %d groups or classes "
                              "within each other", TCR_REGEX_NESTING);
    }

    p->depth++;
    class.operand.empty = true;
    class.negated = tcr_regex_accept(p, "^");

    do {
        rc = step(p, &class, chars);
    } while (rc == 0);

    return rc == 1 ? 0 : -1;
}
