/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Views of bytes: comparing, cutting, reading numbers.
 */

#include "tcr_str.h"


bool
tcr_str_ieq(tcr_str_t a, tcr_str_t b)
{
    size_t  i;

    if (a.len != b.len) {
        return false;
    }

    for (i = 0; i < a.len; i++) {
        if (tcr_lower(a.data[i]) != tcr_lower(b.data[i])) {
            return false;
        }
    }

    return true;
}


int
tcr_str_cmp(tcr_str_t a, tcr_str_t b)
{
    int     rc;
    size_t  n = a.len < b.len ? a.len : b.len;

    rc = n != 0 ? memcmp(a.data, b.data, n) : 0;

    if (rc != 0) {
        return rc;
    }

    return (a.len > b.len) - (a.len < b.len);
}


size_t
tcr_str_find(tcr_str_t s, char c)
{
    const char  *p;

    p = s.len != 0 ? memchr(s.data, c, s.len) : NULL;

    return p != NULL ? (size_t) (p - s.data) : s.len;
}


tcr_str_t
tcr_str_trim(tcr_str_t s)
{
    while (s.len != 0 && (unsigned char) s.data[0] <= ' ') {
        s.data++;
        s.len--;
    }

    while (s.len != 0 && (unsigned char) s.data[s.len - 1] <= ' ') {
        s.len--;
    }

    return s;
}


bool
tcr_str_starts(tcr_str_t s, tcr_str_t prefix)
{
    return s.len >= prefix.len
           && tcr_str_eq(tcr_str_n(s.data, prefix.len), prefix);
}


bool
tcr_str_ends(tcr_str_t s, tcr_str_t suffix)
{
    if (s.len < suffix.len) {
        return false;
    }

    if (suffix.len == 0) {
        return true;
    }

    return tcr_str_eq(tcr_str_n(s.data + (s.len - suffix.len), suffix.len),
                      suffix);
}


tcr_str_t
tcr_str_split(tcr_str_t *rest, char sep)
{
    size_t     at;
    tcr_str_t  piece;

    if (rest->data == NULL) {
        return *rest;
    }

    at = tcr_str_find(*rest, sep);
    piece = tcr_str_n(rest->data, at);

    if (at == rest->len) {
        *rest = tcr_str_n(NULL, 0);

    } else {
        rest->data += at + 1;
        rest->len -= at + 1;
    }

    return piece;
}


int
tcr_parse_uint(tcr_str_t s, uint64_t min, uint64_t max, uint64_t *out)
{
    size_t    i;
    uint64_t  n = 0, digit;

    if (s.len == 0) {
        return -1;
    }

    for (i = 0; i < s.len; i++) {
        if (s.data[i] < '0' || s.data[i] > '9') {
            return -1;
        }

        digit = (uint64_t) (s.data[i] - '0');

        if (n > (UINT64_MAX - digit) / 10) {
            return -1;
        }

        n = n * 10 + digit;
    }

    if (n < min || n > max) {
        return -1;
    }

    *out = n;
    return 0;
}


/* Offset basis and prime of 64 bits: draft-eastlake-fnv §5. */
uint64_t
tcr_str_hash(tcr_str_t s)
{
    size_t    i;
    uint64_t  hash = UINT64_C(0xcbf29ce484222325);

    for (i = 0; i < s.len; i++) {
        hash ^= (unsigned char) s.data[i];
        hash *= UINT64_C(0x100000001b3);
    }

    return hash;
}
