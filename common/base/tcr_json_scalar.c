/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Scalars of snapshots, where one field may be a number here and a string
 * there: spec/inputs.md §1.
 */

#include "tcr_json.h"

#include <math.h>
#include <stdlib.h>


typedef enum {
    NOT_A_NUMBER,
    INTEGER,                      /* sign and digits                         */
    DECIMAL
} form_e;


static size_t
digits(tcr_str_t s, size_t from)
{
    size_t  at = from;

    while (at < s.len && s.data[at] >= '0' && s.data[at] <= '9') {
        at++;
    }

    return at - from;
}


static size_t
sign(tcr_str_t s, size_t at)
{
    return at < s.len && (s.data[at] == '-' || s.data[at] == '+');
}


/* [sign] digits [. digits] [e [sign] digits], with digits on one side */
static form_e
form(tcr_str_t s)
{
    size_t  at, n, whole, fraction = 0;

    at = sign(s, 0);
    whole = digits(s, at);
    at += whole;

    if (at == s.len) {
        return whole != 0 ? INTEGER : NOT_A_NUMBER;
    }

    if (s.data[at] == '.') {
        fraction = digits(s, at + 1);
        at += 1 + fraction;
    }

    if (whole == 0 && fraction == 0) {
        return NOT_A_NUMBER;
    }

    if (at < s.len && tcr_lower(s.data[at]) == 'e') {
        at += 1 + sign(s, at + 1);
        n = digits(s, at);
        at = n != 0 ? at + n : 0;
    }

    return at == s.len ? DECIMAL : NOT_A_NUMBER;
}


/*
 * s has form INTEGER or DECIMAL.  Its bytes stand in a JSON text or are
 * followed by a NUL, so strtod() finds something to stop at.
 */
static double
real(tcr_str_t s)
{
    return strtod(s.data, NULL);
}


/* A real cut to bits: what does not fit becomes the nearest end. */
static int64_t
truncated(double value, int bits)
{
    double  end = ldexp(1, bits - 1);

    if (value >= end) {
        return bits == 32 ? INT32_MAX : INT64_MAX;
    }

    if (value < -end) {
        return bits == 32 ? INT32_MIN : INT64_MIN;
    }

    return (int64_t) value;
}


static int64_t
narrowed(uint64_t n, int bits)
{
    return bits == 32 ? (int64_t) (int32_t) (uint32_t) n : (int64_t) n;
}


/*
 * Low 64 bits of an integer of any length; *fits = that it is one of `bits`
 * bits with its sign.
 */
static uint64_t
integer(tcr_str_t s, int bits, bool *fits)
{
    bool      minus = s.data[0] == '-';
    size_t    i;
    uint64_t  n = 0, digit, limit;

    limit = (UINT64_C(1) << (bits - 1)) - (minus ? 0 : 1);
    *fits = true;

    for (i = sign(s, 0); i < s.len; i++) {
        digit = (uint64_t) (s.data[i] - '0');

        if (n > limit / 10 || digit > limit - n * 10) {
            *fits = false;
        }

        n = n * 10 + digit;
    }

    return minus ? 0 - n : n;
}


/* What a scalar holds of a number: true is 1, false 0; else absent. */
static tcr_str_t
number_text(const tcr_json_t *node)
{
    if (node == NULL) {
        return tcr_str(NULL);
    }

    switch (node->type) {

    case TCR_JSON_FALSE:
        return TCR_STR("0");

    case TCR_JSON_TRUE:
        return TCR_STR("1");

    case TCR_JSON_NUMBER:
    case TCR_JSON_STRING:
        return tcr_str_trim(node->u.str);

    default:
        return tcr_str(NULL);
    }
}


static int64_t
integer_field(const tcr_json_t *node, int64_t def, int bits)
{
    bool       fits;
    form_e     kind;
    int64_t    value;
    tcr_str_t  s = number_text(node);

    kind = form(s);

    if (kind == NOT_A_NUMBER) {
        return def;
    }

    if (kind == DECIMAL) {
        return truncated(real(s), bits);
    }

    value = narrowed(integer(s, bits, &fits), bits);

    /* digits in a string must fit, a number loses its high bits */
    return fits || node->type == TCR_JSON_NUMBER ? value : def;
}


int64_t
tcr_json_int(const tcr_json_t *node, int64_t def)
{
    return integer_field(node, def, 32);
}


int64_t
tcr_json_long(const tcr_json_t *node, int64_t def)
{
    return integer_field(node, def, 64);
}


double
tcr_json_real(const tcr_json_t *node, double def)
{
    tcr_str_t  s = number_text(node);

    return form(s) != NOT_A_NUMBER ? real(s) : def;
}


bool
tcr_json_bool(const tcr_json_t *node, bool def)
{
    tcr_str_t  s;

    if (node == NULL) {
        return def;
    }

    switch (node->type) {

    case TCR_JSON_FALSE:
        return false;

    case TCR_JSON_TRUE:
        return true;

    case TCR_JSON_NUMBER:
        return real(node->u.str) != 0;

    case TCR_JSON_STRING:
        s = tcr_str_trim(node->u.str);

        if (tcr_str_eq(s, TCR_STR("true"))) {
            return true;
        }

        return tcr_str_eq(s, TCR_STR("false")) ? false : def;

    default:
        return def;
    }
}


tcr_str_t
tcr_json_required_str(const tcr_json_t *node)
{
    return tcr_json_str(node, node != NULL ? TCR_STR("null") : TCR_STR(""));
}


tcr_str_t
tcr_json_str(const tcr_json_t *node, tcr_str_t def)
{
    if (node == NULL) {
        return def;
    }

    switch (node->type) {

    case TCR_JSON_NULL:
        return def;

    case TCR_JSON_FALSE:
        return TCR_STR("false");

    case TCR_JSON_TRUE:
        return TCR_STR("true");

    case TCR_JSON_NUMBER:
    case TCR_JSON_STRING:
        return node->u.str;

    default:
        return TCR_STR("");
    }
}
