/* SPDX-License-Identifier: Apache-2.0 */

/* Doubles as text (declared in tcr_jw.h). */

#include "tcr_jw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DIGITS  17                /* of any double, enough to read it back   */


static bool
reads_back(double d, int n, char out[TCR_REAL_TEXT])
{
    snprintf(out, TCR_REAL_TEXT, "%.*e", n, d);
    return strtod(out, NULL) == d;
}


/*
 * Digits behind the first one that "%.*e" needs.  Every second hash point
 * needs them all and nearly all others one less, so that is tried first; 15
 * digits hold whatever people write, with zeros at the end.
 */
static int
digits_needed(double d, char out[TCR_REAL_TEXT])
{
    if (!reads_back(d, DIGITS - 2, out)) {
        return DIGITS - 1;
    }

    return reads_back(d, DIGITS - 3, out) ? DIGITS - 3 : DIGITS - 2;
}


size_t
tcr_real_text(double d, char out[TCR_REAL_TEXT])
{
    int  n;

    if (!isfinite(d)) {
        return (size_t) snprintf(out, TCR_REAL_TEXT, "null");
    }

    n = digits_needed(d, out);

    /* "%g" drops what is zero at the end */
    return (size_t) snprintf(out, TCR_REAL_TEXT, "%.*g", n + 1, d);
}


/* Puts the point behind `before` of n digits, zeros where there are none. */
static size_t
put_point(char *out, const char *digits, int n, int before)
{
    int     i;
    size_t  len = 0;

    if (before <= 0) {
        out[len++] = '0';
        out[len++] = '.';

        for (i = before; i < 0; i++) {
            out[len++] = '0';
        }
    }

    for (i = 0; i < n || i <= before; i++) {

        if (i == before && before > 0) {
            out[len++] = '.';
        }

        out[len++] = i < n ? digits[i] : '0';
    }

    out[len] = '\0';
    return len;
}


size_t
tcr_real_java(double d, char out[TCR_REAL_TEXT])
{
    int     n, exponent;
    char    text[TCR_REAL_TEXT], digits[DIGITS];
    char   *p, *end;
    size_t  len = 0;

    if (!isfinite(d)) {
        return (size_t) snprintf(out, TCR_REAL_TEXT, "%s",
                                 isnan(d) ? "NaN" : d < 0 ? "-Infinity"
                                                          : "Infinity");
    }

    if (signbit(d)) {
        out[len++] = '-';
        d = -d;
    }

    snprintf(text, sizeof(text), "%.*e", digits_needed(d, text), d);
    exponent = (int) strtol(strchr(text, 'e') + 1, NULL, 10);
    end = strchr(text, 'e');

    for (p = text, n = 0; p < end; p++) {
        if (*p != '.') {
            digits[n++] = *p;
        }
    }

    while (n > 1 && digits[n - 1] == '0') {
        n--;
    }

    if (d == 0 || (d >= 1e-3 && d < 1e7)) {
        return len + put_point(out + len, digits, n, exponent + 1);
    }

    len += put_point(out + len, digits, n, 1);
    return len + (size_t) snprintf(out + len, TCR_REAL_TEXT - len, "E%d",
                                   exponent);
}
