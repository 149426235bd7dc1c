/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The pattern as a row of characters: looking, going on, complaining.
 */

#include "tcr_regex_parse.h"
#include "tcr_utf8.h"

#include <stdarg.h>
#include <stdio.h>


static const tcr_regex_range_t  terminators[] = {
    { '\n', '\n' }, { '\r', '\r' }, { 0x85, 0x85 }, { 0x2028, 0x2029 }
};


tcr_regex_set_t
tcr_regex_terminators(void)
{
    return TCR_REGEX_SET(terminators);
}


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
void
tcr_regex_skip_blanks(tcr_regex_parser_t *p)
{
    uint32_t         c;
    tcr_regex_set_t  ends = tcr_regex_terminators();

    while (tcr_regex_blank_follows(p)) {
        c = tcr_regex_next(p);

        if (c == '#') {
            do {
                c = tcr_regex_next(p);
            } while (c != TCR_REGEX_END && !tcr_regex_set_has(ends, c));
        }
    }
}
