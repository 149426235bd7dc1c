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


/* 2^64 by the golden ratio (Knuth, TAOCP 6.4), and the fraction of pi */
#define HASH_FACTOR  UINT64_C(0x9e3779b97f4a7c15)
#define HASH_START   UINT64_C(0x243f6a8885a308d3)


/* Both halves of a 128-bit product: each bit of a and b reaches all of them. */
static uint64_t
fold(uint64_t a, uint64_t b)
{
    unsigned __int128  product = (unsigned __int128) a * b;

    return (uint64_t) product ^ (uint64_t) (product >> 64);
}


uint64_t
tcr_str_hash(tcr_str_t s)
{
    size_t       left = s.len;
    uint64_t     word, hash = HASH_START ^ s.len;
    const char  *p = s.data;

    for ( /* void */ ; left > sizeof(word); left -= sizeof(word)) {
        memcpy(&word, p, sizeof(word));
        hash = fold(hash ^ word, HASH_FACTOR);
        p += sizeof(word);
    }

    /* the last eight bytes, or all of a shorter string */
    if (s.len >= sizeof(word)) {
        memcpy(&word, p + left - sizeof(word), sizeof(word));

    } else {
        for (word = 0; left != 0; left--) {
            word = word << 8 | (unsigned char) *p++;
        }
    }

    return fold(hash ^ word, HASH_FACTOR);
}
