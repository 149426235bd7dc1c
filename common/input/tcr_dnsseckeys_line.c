/* SPDX-License-Identifier: Apache-2.0 */

/* A DNSKEY record in a zone file's words. */

#include "tcr_dnsseckeys_line.h"

#define TTL_MAX  0x7fffffff       /* RFC 2181, 8                             */


static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0';
}


/*
 * The first record in one line: comments and parentheses become blanks, a
 * line's end inside parentheses too.
 */
static tcr_str_t
one_line(char *text, size_t n)
{
    bool    comment = false, some = false;
    size_t  i, depth = 0;

    for (i = 0; i < n; i++) {

        if (text[i] == '\n') {
            comment = false;

            if (some && depth == 0) {
                break;
            }

        } else if (comment || text[i] == ';') {
            comment = true;
            text[i] = ' ';

        } else if (text[i] == '(' || text[i] == ')') {
            depth = text[i] == '(' ? depth + 1 : depth - (depth > 0);
            text[i] = ' ';

        } else if (!is_blank(text[i])) {
            some = true;
        }
    }

    return tcr_str_n(text, i);
}


/* The next word, taken off *rest; empty at the end. */
static tcr_str_t
next_word(tcr_str_t *rest)
{
    size_t     n = 0;
    tcr_str_t  word;

    while (rest->len != 0 && is_blank(rest->data[0])) {
        rest->data++;
        rest->len--;
    }

    while (n < rest->len && !is_blank(rest->data[n])) {
        n++;
    }

    word = tcr_str_n(rest->data, n);
    rest->data += n;
    rest->len -= n;

    return word;
}


/* What is left without its blanks, in place. */
static tcr_str_t
squeeze(char *text, tcr_str_t rest)
{
    char    *out = text + (rest.data - text);
    char    *begin = out;
    size_t   i;

    for (i = 0; i < rest.len; i++) {
        if (!is_blank(rest.data[i])) {
            *out++ = rest.data[i];
        }
    }

    return tcr_str_n(begin, (size_t) (out - begin));
}


int
tcr_dnskey_line(char *text, size_t n, tcr_dnskey_line_t *line,
    tcr_err_t *err)
{
    uint64_t   number;
    tcr_str_t  rest = one_line(text, n), word;

    line->ttl = -1;
    line->owner = next_word(&rest);

    /* TTL and class stand in any order (RFC 1035 5.1) */
    for (word = next_word(&rest);
         !tcr_str_ieq(word, TCR_STR("DNSKEY"));
         word = next_word(&rest))
    {
        if (tcr_parse_uint(word, 0, TTL_MAX, &number) == 0 && line->ttl < 0) {
            line->ttl = (int64_t) number;

        } else if (!tcr_str_ieq(word, TCR_STR("IN"))) {
            return tcr_err_set(err, "not a line \"NAME TTL IN DNSKEY …\"");
        }
    }

    if (tcr_parse_uint(next_word(&rest), 0, UINT16_MAX, &line->flags) != 0
        || tcr_parse_uint(next_word(&rest), 0, UINT8_MAX, &line->protocol)
           != 0
        || tcr_parse_uint(next_word(&rest), 0, UINT8_MAX, &line->algorithm)
           != 0)
    {
        return tcr_err_set(err, "no flags, protocol and algorithm behind "
                           "DNSKEY");
    }

    line->key = squeeze(text, rest);
    return 0;
}
