/* SPDX-License-Identifier: Apache-2.0 */

/* Escapes, times and degrees of the access log. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tcr_log_text.h"
#include "tcr_piece.h"


/* Of a byte, or of each byte of a piece: may it not stand for itself? */
#define IS_ODD(c)  (((c) < 0x20) | ((c) == 0x7f) | ((c) == '"'))


/* Bytes at the start of s that stand for themselves; of long text pieces. */
static size_t
plain_length(tcr_str_t s)
{
    size_t  n = 0;

    if (s.len < TCR_PIECE) {
        while (n < s.len && !IS_ODD((signed char) s.data[n])) {
            n++;
        }

        return n;
    }

    for ( ; s.len - n > TCR_PIECE; n += TCR_PIECE) {
        if (tcr_piece_any(IS_ODD(tcr_piece(s.data + n)))) {
            return n;
        }
    }

    return tcr_piece_any(IS_ODD(tcr_piece(s.data + s.len - TCR_PIECE)))
           ? n : s.len;
}


static void __attribute__((cold))
escape_byte(tcr_out_t *out, unsigned char c)
{
    static const char  hex[] = "0123456789abcdef";

    if (c == '"') {
        tcr_out_char(out, '\'');

    } else if (c < 0x20 || c == 0x7f) {
        tcr_out_str(out, TCR_STR("\\x"));
        tcr_out_char(out, hex[c >> 4]);
        tcr_out_char(out, hex[c & 15]);

    } else if (c >= 0x80) {
        tcr_out_char(out, (char) (0xc0 | c >> 6));
        tcr_out_char(out, (char) (0x80 | (c & 0x3f)));

    } else {
        tcr_out_char(out, (char) c);
    }
}


/* Most text needs no escape and is one run of plain bytes. */
void
tcr_log_escaped(tcr_out_t *out, tcr_str_t s)
{
    size_t  i, plain;

    while (s.len != 0) {
        plain = plain_length(s);
        tcr_out_str(out, tcr_str_n(s.data, plain));

        for (i = plain; i < s.len && i < plain + TCR_PIECE; i++) {
            escape_byte(out, (unsigned char) s.data[i]);
        }

        s = tcr_str_n(s.data + i, s.len - i);
    }
}


void
tcr_log_time(tcr_out_t *out, int64_t ms)
{
    uint64_t  t = ms > 0 ? (uint64_t) ms : 0;
    unsigned  n = (unsigned) (t % 1000);
    char      fraction[] = { '.', (char) ('0' + n / 100),
                             (char) ('0' + n / 10 % 10),
                             (char) ('0' + n % 10) };

    tcr_out_uint(out, t / 1000);
    tcr_out_str(out, tcr_str_n(fraction, sizeof(fraction)));
}


void
tcr_log_took(tcr_out_t *out, uint64_t us)
{
    tcr_log_time(out, us > INT64_MAX ? INT64_MAX : (int64_t) us);
}


void
tcr_log_addr(tcr_out_t *out, const tcr_addr_t *addr)
{
    char    text[TCR_ADDR_TEXT];
    size_t  len;

    len = tcr_addr_format_full(addr, text);
    tcr_out_str(out, tcr_str_n(text, len));
}


/*
 * Hundredths of the shortest decimal text of v >= 0, cut.  Slow; only for
 * values at the very border of two hundredths.
 */
static uint64_t
hundredths_of_text(double v)
{
    int        precision;
    char       text[64], *dot;
    uint64_t   n;

    for (precision = 15; precision <= 17; precision++) {
        snprintf(text, sizeof(text), "%.*g", precision, v);

        if (strtod(text, NULL) == v) {
            break;
        }
    }

    if (strchr(text, 'e') != NULL) {
        return (uint64_t) (v * 100);
    }

    n = strtoull(text, &dot, 10) * 100;

    if (*dot == '.' && dot[1] != '\0') {
        n += (uint64_t) (dot[1] - '0') * 10;
        n += dot[2] != '\0' ? (uint64_t) (dot[2] - '0') : 0;
    }

    return n;
}


static uint64_t
hundredths(double v)
{
    double  scaled = v * 100, near = (double) (int64_t) (scaled + 0.5);

    if (fabs(scaled - near) > 1e-6) {
        return (uint64_t) scaled;
    }

    /* v is the double of that very decimal */
    if (near / 100 == v) {
        return (uint64_t) near;
    }

    return hundredths_of_text(v);
}


/* Sign; then what stands before and behind the point. */
static uint64_t
split_degrees(tcr_out_t *out, double degrees, unsigned *fraction)
{
    uint64_t  n;

    if (!isfinite(degrees)) {
        degrees = 0;
    }

    if (signbit(degrees)) {
        tcr_out_char(out, '-');
    }

    n = hundredths(fabs(degrees));
    *fraction = (unsigned) (n % 100);

    return n / 100;
}


void
tcr_log_degrees_http(tcr_out_t *out, double degrees)
{
    char      text[3];
    unsigned  fraction;

    tcr_out_uint(out, split_degrees(out, degrees, &fraction));

    text[0] = '.';
    text[1] = (char) ('0' + fraction / 10);
    text[2] = (char) ('0' + fraction % 10);
    tcr_out_str(out, tcr_str_n(text, sizeof(text)));
}


void
tcr_log_degrees_dns(tcr_out_t *out, double degrees)
{
    unsigned  fraction;
    uint64_t  whole;

    whole = split_degrees(out, degrees, &fraction);

    if (whole != 0) {
        tcr_out_uint(out, whole);
    }

    tcr_out_char(out, '.');
    tcr_out_char(out, (char) ('0' + fraction / 10));

    if (fraction % 10 != 0) {
        tcr_out_char(out, (char) ('0' + fraction % 10));
    }
}
