/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Groups of every kind, and references to them.
 */

#include "tcr_regex_parse.h"


typedef struct {
    size_t    begin;              /* in the pattern                          */
    size_t    written;            /* in the translation                      */
    unsigned  groups;             /* opened before it                        */
    unsigned  number;             /* its own, 0 when it does not capture     */
    unsigned  choices;            /* before it                               */
    unsigned  flags;
    bool      assertion;
    bool      behind;
    bool      atomic;
} group_t;


static int
open_capture(tcr_regex_parser_t *p, size_t begin, tcr_str_t name)
{
    if (p->groups == TCR_REGEX_GROUPS) {
        return tcr_regex_fail(p, begin, "more than %d capture groups",
                              TCR_REGEX_GROUPS);
    }

    tcr_regex_put(p, "(");
    p->names[++p->groups] = name;
    return 1;
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

    if (tcr_regex_read_times(p, &times) != 0) {
        return -1;
    }

    p->empty = true;
    tcr_buf_printf(&p->out, "\\g{%u}", group);
    tcr_regex_emit_times(&p->out, times);
    return 0;
}


/* As many digits as make a group that has begun. */
int
tcr_regex_reference(tcr_regex_parser_t *p, size_t begin)
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


int
tcr_regex_named_reference(tcr_regex_parser_t *p, size_t begin)
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

    tcr_regex_put(p, "(?");
    tcr_regex_put(p, off & TCR_REGEX_I ? "-i" : on & TCR_REGEX_I ? "i" : "");
    tcr_buf_char(&p->out, (char) c);
    p->empty = true;
    return c == ':' ? 1 : 0;
}


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
            tcr_regex_put(p, "(");
            tcr_regex_put(p, looks[i]);
            return 1;
        }
    }

    if (tcr_regex_accept(p, "?>")) {
        group->atomic = true;
        tcr_regex_put(p, "(?>");
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
 * text, whatever the count.  It does not take back what was captured within
 * something atomic, nor within a turn of a repeated group that has only one
 * way to match.
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

    if (times.max > 1 && p->choices == group->choices
        && p->groups > group->groups + (group->number != 0))
    {
        return tcr_regex_fail(p, group->begin, "capture group in a repeated "
                              "group of fixed form");
    }

    return 0;
}


static int
close_group(tcr_regex_parser_t *p, const group_t *group)
{
    tcr_regex_times_t  times = { 1, 1, 0 };

    if (!tcr_regex_accept(p, ")")) {
        return tcr_regex_fail(p, group->begin, "group without \")\"");
    }

    p->depth--;
    p->behind -= group->behind;
    p->flags = group->flags;
    p->closed[group->number] = true;

    if (group->assertion) {
        if (check_group(p, group, times) != 0) {
            return -1;
        }

        /* how an assertion matches is no choice of what it stands in */
        p->choices = group->choices;
        return tcr_regex_put_assertion(p, ")");
    }

    if (tcr_regex_read_times(p, &times) != 0) {
        return -1;
    }

    p->choices -= times.min != times.max;

    if (check_group(p, group, times) != 0) {
        return -1;
    }

    p->choices += group->atomic + (times.min != times.max);

    tcr_regex_put(p, ")");

    /* each turn of a possessive repetition is final in Java */
    if (times.kind == '+' && times.max > 1) {
        tcr_regex_insert(p, group->written, "(?>");
        tcr_regex_put(p, ")");
    }

    tcr_regex_emit_times(&p->out, times);
    p->empty |= times.min == 0;
    return 0;
}


int
tcr_regex_group(tcr_regex_parser_t *p)
{
    int      rc;
    group_t  group = {
        .begin = p->at,
        .written = p->out.len,
        .groups = p->groups,
        .choices = p->choices,
        .flags = p->flags
    };

    if (p->depth == TCR_REGEX_NESTING) {
        return tcr_regex_fail(p, group.begin, "more than %d groups or classes "
                              "within each other", TCR_REGEX_NESTING);
    }

    rc = open_group(p, &group);

    if (rc != 1) {
        return rc;
    }

    group.number = p->groups != group.groups ? p->groups : 0;
    p->depth++;
    p->behind += group.behind;

    if (tcr_regex_alternatives(p) != 0) {
        return -1;
    }

    return close_group(p, &group);
}
