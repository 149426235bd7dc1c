/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Text to address.
 *
 * Two readers share the code.  The strict one takes what RFC 4291 and a plain
 * dotted quad allow.  The loose one takes what java.net.InetAddress takes
 * without asking DNS, because clients of the reference are named to it in
 * those forms (QUIRKS 15).
 */

#include "tcr_addr.h"

#define V4_TEXT_MAX  15           /* a longer text is a host name in Java    */
#define V6_GROUPS    8


/* Groups of an IPv6 address as they are read. */
typedef struct {
    uint16_t  group[V6_GROUPS];
    size_t    n;
    size_t    gap;                /* groups in front of "::"                 */
    bool      has_gap;
} v6_t;


static int  parse_v4(tcr_str_t s, bool loose, uint32_t *out);
static int  parse_v6(tcr_str_t s, bool loose, uint64_t *hi, uint64_t *lo);
static int  parse_v6_tail(tcr_str_t s, bool loose, v6_t *v6);
static int  parse_group(tcr_str_t s, bool loose, uint16_t *out);
static int  add_quad(tcr_str_t s, bool loose, v6_t *v6);
static int  close_gap(v6_t *v6);
static int  hex_digit(char c);
static int  parse_loose(tcr_str_t s, uint64_t *hi, uint64_t *lo);
static int  set_len(tcr_cidr_t *cidr, bool mapped, uint64_t len);


int
tcr_addr_parse(tcr_str_t s, tcr_addr_t *addr)
{
    uint32_t  v4;
    uint64_t  hi, lo;

    if (parse_v4(s, false, &v4) == 0) {
        *addr = (tcr_addr_t) { 0, v4, 4 };
        return 0;
    }

    if (parse_v6(s, false, &hi, &lo) != 0) {
        return -1;
    }

    *addr = tcr_addr_v6(hi, lo);
    return 0;
}


int
tcr_addr_parse_override(tcr_str_t s, tcr_addr_t *addr)
{
    int       family;
    uint32_t  v4;
    uint64_t  hi, lo;

    /* most texts are a dotted quad and nothing else */
    if (parse_v4(s, true, &v4) == 0) {
        *addr = (tcr_addr_t) { 0, v4, 4 };
        return 0;
    }

    s.len = tcr_str_find(s, '/');
    s = tcr_str_trim(s);

    if (s.len == 0) {
        *addr = (tcr_addr_t) { 0, 0x7f000001, 4 };
        return 0;
    }

    family = parse_loose(s, &hi, &lo);

    if (family < 0) {
        return -1;
    }

    *addr = family == 4 ? (tcr_addr_t) { 0, lo, 4 } : tcr_addr_v6(hi, lo);
    return 0;
}


int
tcr_cidr_parse(tcr_str_t s, tcr_cidr_t *cidr, tcr_err_t *err)
{
    int        family;
    bool       mapped;
    uint64_t   hi, lo, len;
    tcr_str_t  rest, text;

    rest = s;
    text = tcr_str_trim(tcr_str_split(&rest, '/'));
    family = parse_loose(text, &hi, &lo);

    if (family < 0) {
        return tcr_err_set(err, "\"%.*s\" is not a prefix, expected ADDRESS "
                           "or ADDRESS/LENGTH", TCR_STR_ARG(s));
    }

    mapped = family == 6 && tcr_addr_is_mapped(hi, lo);
    cidr->addr = family == 4 ? (tcr_addr_t) { 0, lo, 4 } : tcr_addr_v6(hi, lo);
    cidr->len = tcr_addr_bits(&cidr->addr);

    if (rest.data == NULL) {
        return 0;
    }

    if (tcr_parse_uint(tcr_str_trim(rest), 0, 128, &len) != 0
        || set_len(cidr, mapped, len) != 0)
    {
        return tcr_err_set(err, "\"%.*s\" has no valid prefix length, "
                           "expected 0 to %s", TCR_STR_ARG(s),
                           mapped ? "32 (as IPv4) or 96 to 128"
                           : family == 4 ? "32" : "128");
    }

    return 0;
}


/*
 * A mapped prefix is IPv4.  Its length counts from the IPv6 side, 96 or more,
 * as it should, or from the IPv4 side, as the reference has it.
 */
static int
set_len(tcr_cidr_t *cidr, bool mapped, uint64_t len)
{
    if (mapped && len >= 96) {
        len -= 96;
    }

    if (len > tcr_addr_bits(&cidr->addr)) {
        return -1;
    }

    cidr->len = (uint32_t) len;
    return 0;
}


/* The family, or -1.  IPv4-mapped is still 6 here. */
static int
parse_loose(tcr_str_t s, uint64_t *hi, uint64_t *lo)
{
    bool      brackets;
    size_t    zone;
    uint32_t  v4;

    brackets = s.len > 2 && s.data[0] == '[' && s.data[s.len - 1] == ']';

    if (brackets) {
        s = tcr_str_n(s.data + 1, s.len - 2);

    } else if (parse_v4(s, true, &v4) == 0) {
        *hi = 0;
        *lo = v4;
        return 4;
    }

    zone = tcr_str_find(s, '%');

    if (zone + 1 == s.len) {
        return -1;
    }

    return parse_v6(tcr_str_n(s.data, zone), true, hi, lo) == 0 ? 6 : -1;
}


/*
 * Strict: four parts.  Loose: one to four, the last one fills all the bytes
 * that are left.
 */
static int
parse_v4(tcr_str_t s, bool loose, uint32_t *out)
{
    char      c;
    size_t    i, digits;
    uint32_t  shift, v4;
    uint64_t  part;

    /* so short that a part cannot wrap */
    if (s.len > V4_TEXT_MAX) {
        return -1;
    }

    for (i = 0, digits = 0, shift = 32, v4 = 0, part = 0; i < s.len; i++) {
        c = s.data[i];

        if (c >= '0' && c <= '9') {

            /* strict: some read a part with a leading zero as octal */
            if (!loose && digits != 0 && part == 0) {
                return -1;
            }

            part = part * 10 + (uint64_t) (c - '0');
            digits++;
            continue;
        }

        if (c != '.' || digits == 0 || part > 0xff || shift == 8) {
            return -1;
        }

        shift -= 8;
        v4 |= (uint32_t) part << shift;
        digits = 0;
        part = 0;
    }

    if (digits == 0 || part >> shift != 0 || (shift != 8 && !loose)) {
        return -1;
    }

    *out = v4 | (uint32_t) part;
    return 0;
}


static int
parse_v6(tcr_str_t s, bool loose, uint64_t *hi, uint64_t *lo)
{
    size_t  i;
    v6_t    v6 = { { 0 }, 0, 0, false };

    if (s.len < 2) {
        return -1;
    }

    /* a colon at the start is half of a "::" */
    if (s.data[0] == ':') {

        if (s.data[1] != ':') {
            return -1;
        }

        s = tcr_str_n(s.data + 1, s.len - 1);
    }

    if (parse_v6_tail(s, loose, &v6) != 0 || close_gap(&v6) != 0) {
        return -1;
    }

    *hi = 0;
    *lo = 0;

    for (i = 0; i < 4; i++) {
        *hi = *hi << 16 | v6.group[i];
        *lo = *lo << 16 | v6.group[i + 4];
    }

    return 0;
}


/* An empty piece is the place of "::"; at the very end it has two. */
static int
parse_v6_tail(tcr_str_t s, bool loose, v6_t *v6)
{
    tcr_str_t  piece;

    while (s.data != NULL) {
        piece = tcr_str_split(&s, ':');

        if (piece.len == 0) {

            if (v6->has_gap || s.data == NULL) {
                return -1;
            }

            v6->has_gap = true;
            v6->gap = v6->n;

            if (s.len == 0) {
                return 0;
            }

            continue;
        }

        if (s.data == NULL && tcr_str_find(piece, '.') != piece.len) {
            return add_quad(piece, loose, v6);
        }

        if (v6->n == V6_GROUPS
            || parse_group(piece, loose, &v6->group[v6->n]) != 0)
        {
            return -1;
        }

        v6->n++;
    }

    return 0;
}


/* Java counts the value, not the digits: "00001" is a group to it. */
static int
parse_group(tcr_str_t s, bool loose, uint16_t *out)
{
    int       digit;
    size_t    i;
    uint32_t  value;

    if (!loose && s.len > 4) {
        return -1;
    }

    value = 0;

    for (i = 0; i < s.len; i++) {
        digit = hex_digit(s.data[i]);
        value = value << 4 | (uint32_t) digit;

        if (digit < 0 || value > 0xffff) {
            return -1;
        }
    }

    *out = (uint16_t) value;
    return 0;
}


/* RFC 4291, 2.2 (3): the last 32 bits as a dotted quad. */
static int
add_quad(tcr_str_t s, bool loose, v6_t *v6)
{
    size_t    i, dots;
    uint32_t  v4;

    dots = 0;

    for (i = 0; i < s.len; i++) {
        dots += s.data[i] == '.';
    }

    if (dots != 3 || v6->n > V6_GROUPS - 2 || parse_v4(s, loose, &v4) != 0) {
        return -1;
    }

    v6->group[v6->n++] = (uint16_t) (v4 >> 16);
    v6->group[v6->n++] = (uint16_t) v4;

    return 0;
}


/* "::" stands for at least one group. */
static int
close_gap(v6_t *v6)
{
    size_t  tail, zeros;

    if (!v6->has_gap) {
        return v6->n == V6_GROUPS ? 0 : -1;
    }

    if (v6->n == V6_GROUPS) {
        return -1;
    }

    tail = v6->n - v6->gap;
    zeros = V6_GROUPS - v6->n;

    memmove(v6->group + v6->gap + zeros, v6->group + v6->gap,
            tail * sizeof(v6->group[0]));
    memset(v6->group + v6->gap, 0, zeros * sizeof(v6->group[0]));

    return 0;
}


static int
hex_digit(char c)
{
    c = tcr_lower(c);

    if (c >= '0' && c <= '9') {
        return c - '0';
    }

    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}
