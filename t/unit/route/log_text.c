/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Escapes and numbers of the access log: no byte from outside ends a field or
 * a line, wherever in the text it stands (spec/outputs.md §1.1, rule
 * log-escape); degrees are cut as the specification's examples show.
 */

#include <stdio.h>

#include "tap.h"
#include "tcr_log_text.h"


static const char *
escaped(tcr_str_t s)
{
    static char  text[256];
    tcr_out_t    out = { text, text + sizeof(text) - 1, false };

    tcr_log_escaped(&out, s);
    *out.pos = '\0';
    return text;
}


/* What one byte becomes, by the rule's words. */
static void
want_of(unsigned c, char want[8])
{
    if (c == '"') {
        snprintf(want, 8, "'");

    } else if (c < 0x20 || c == 0x7f) {
        snprintf(want, 8, "\\x%02x", c);

    } else if (c < 0x80) {
        snprintf(want, 8, "%c", (int) c);

    } else {
        snprintf(want, 8, "%c%c", 0xc0 + (int) c / 64, 0x80 + (int) c % 64);
    }
}


/* Every byte at every place of texts of every length up to 24. */
static void
every_byte(void)
{
    char      text[24], one[8], want[64];
    size_t    len, at, wrong = 0;
    unsigned  c;

    for (c = 0; c < 256; c++) {
        want_of(c, one);

        for (len = 1; len <= sizeof(text); len++) {
            for (at = 0; at < len; at++) {
                memset(text, 'a', len);
                text[at] = (char) c;
                snprintf(want, sizeof(want), "%.*s%s%.*s", (int) at,
                         "aaaaaaaaaaaaaaaaaaaaaaaa", one,
                         (int) (len - at - 1), "aaaaaaaaaaaaaaaaaaaaaaaa");
                wrong += strcmp(escaped(tcr_str_n(text, len)), want) != 0;
            }
        }
    }

    ok(wrong == 0, "every byte at every place: %zu wrong", wrong);
}


static void
texts(void)
{
    is_str(escaped(TCR_STR("")), "", "nothing");
    is_str(escaped(tcr_str_n(NULL, 0)), "", "absent");
    is_str(escaped(TCR_STR("a\" rdtl=\"b\r\nc")), "a' rdtl='b\\x0d\\x0ac",
           "a forged field and line");
    is_str(escaped(TCR_STR("\x80\xff\xc3\xa4")),
           "\xc2\x80\xc3\xbf\xc3\x83\xc2\xa4", "Latin-1 becomes UTF-8");
    is_str(escaped(TCR_STR("!\x21~}\x22#\x23 \x20")), "!!~}'##  ",
           "neighbours of what is escaped");
}


static void
no_room(void)
{
    char       text[32];
    size_t     n;
    tcr_out_t  out;

    for (n = 0; n < sizeof(text); n++) {
        memset(text, '.', sizeof(text));
        out = (tcr_out_t) { text, text + n, false };
        tcr_log_escaped(&out, TCR_STR("0123456789abcdef0123456789abcdef"));

        if (out.pos != text + n || !out.cut || text[n] != '.') {
            break;
        }
    }

    ok(n == sizeof(text), "what does not fit is cut and noted");
}


static const struct {
    double       degrees;
    const char  *http, *dns;
} cases[] = {
    { 52.519, "52.51", "52.51" },       { -0.119, "-0.11", "-.11" },
    { -104.9903, "-104.99", "-104.99" },{ 39.75, "39.75", "39.75" },
    { 40, "40.00", "40.0" },            { 48.9, "48.90", "48.9" },
    { 2.425, "2.42", "2.42" },          { 0.5, "0.50", ".5" },
    { -0.5, "-0.50", "-.5" },           { 0, "0.00", ".0" },
    { -0.001, "-0.00", "-.0" },
};


static void
degrees(void)
{
    char       text[64];
    size_t     i;
    tcr_out_t  out;

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        out = (tcr_out_t) { text, text + sizeof(text) - 1, false };
        tcr_log_degrees_http(&out, cases[i].degrees);
        *out.pos = '\0';
        is_str(text, cases[i].http, "%g of HTTP", cases[i].degrees);

        out = (tcr_out_t) { text, text + sizeof(text) - 1, false };
        tcr_log_degrees_dns(&out, cases[i].degrees);
        *out.pos = '\0';
        is_str(text, cases[i].dns, "%g of DNS", cases[i].degrees);
    }
}


int
main(void)
{
    every_byte();
    texts();
    no_room();
    degrees();

    return done();
}
