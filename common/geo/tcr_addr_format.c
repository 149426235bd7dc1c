/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Address to text.
 */

#include <inttypes.h>
#include <stdio.h>

#include "tcr_addr.h"

#define V6_GROUPS  8


static size_t  format_v4(const tcr_addr_t *addr, char out[TCR_ADDR_TEXT]);
static size_t  format_v6(const tcr_addr_t *addr, size_t gap, size_t gap_len,
    char out[TCR_ADDR_TEXT]);
static size_t  longest_gap(const tcr_addr_t *addr, size_t *len);
static unsigned  group_of(const tcr_addr_t *addr, size_t i);
static char  *put_hex(char *p, unsigned group);


size_t
tcr_addr_format(const tcr_addr_t *addr, char out[TCR_ADDR_TEXT])
{
    size_t  gap, len;

    if (addr->family != 6) {
        return format_v4(addr, out);
    }

    gap = longest_gap(addr, &len);
    return format_v6(addr, gap, len, out);
}


size_t
tcr_addr_format_full(const tcr_addr_t *addr, char out[TCR_ADDR_TEXT])
{
    if (addr->family != 6) {
        return format_v4(addr, out);
    }

    return format_v6(addr, V6_GROUPS, 0, out);
}


/* No address has an empty text. */
static size_t
format_v4(const tcr_addr_t *addr, char out[TCR_ADDR_TEXT])
{
    int       n;
    uint32_t  v4;

    out[0] = '\0';

    if (addr->family != 4) {
        return 0;
    }

    v4 = (uint32_t) addr->lo;
    n = snprintf(out, TCR_ADDR_TEXT,
                 "%" PRIu32 ".%" PRIu32 ".%" PRIu32 ".%" PRIu32,
                 v4 >> 24, v4 >> 16 & 0xff, v4 >> 8 & 0xff, v4 & 0xff);

    return (size_t) n;
}


/* The gap_len groups from gap on become "::"; gap_len 0 is none. */
static size_t
format_v6(const tcr_addr_t *addr, size_t gap, size_t gap_len,
    char out[TCR_ADDR_TEXT])
{
    char    *p;
    size_t   i;

    p = out;

    for (i = 0; i < V6_GROUPS; /* void */) {

        if (gap_len != 0 && i == gap) {
            *p++ = ':';
            *p++ = ':';
            i += gap_len;
            continue;
        }

        if (i != 0 && p[-1] != ':') {
            *p++ = ':';
        }

        p = put_hex(p, group_of(addr, i));
        i++;
    }

    *p = '\0';
    return (size_t) (p - out);
}


/* RFC 5952, 4.2: the first longest run of two or more zero groups. */
static size_t
longest_gap(const tcr_addr_t *addr, size_t *len)
{
    size_t  i, best, run;

    best = V6_GROUPS;
    *len = 1;
    run = 0;

    for (i = 0; i < V6_GROUPS; i++) {
        run = group_of(addr, i) == 0 ? run + 1 : 0;

        if (run > *len) {
            *len = run;
            best = i + 1 - run;
        }
    }

    if (best == V6_GROUPS) {
        *len = 0;
    }

    return best;
}


static unsigned
group_of(const tcr_addr_t *addr, size_t i)
{
    uint64_t  half;

    half = i < 4 ? addr->hi : addr->lo;
    return (unsigned) (half >> (48 - 16 * (i % 4)) & 0xffff);
}


static char *
put_hex(char *p, unsigned group)
{
    unsigned  shift;

    shift = group > 0xfff ? 12 : group > 0xff ? 8 : group > 0xf ? 4 : 0;

    for ( ;; ) {
        *p++ = "0123456789abcdef"[group >> shift & 0xf];

        if (shift == 0) {
            return p;
        }

        shift -= 4;
    }
}
