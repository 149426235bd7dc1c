/* SPDX-License-Identifier: Apache-2.0 */

/* Base64 to bytes. */

#include "tcr_base64.h"


/* Six bits, or -1. */
static int
value_of(char c)
{
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }

    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }

    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }

    return c == '+' ? 62 : c == '/' ? 63 : -1;
}


/* Bytes of `count` characters, whose bits are in `bits`. */
static int
finish(uint32_t bits, unsigned count, uint8_t *out, size_t *n)
{
    switch (count) {

    case 0:
        return 0;

    case 2:
        out[(*n)++] = (uint8_t) (bits >> 4);
        return (bits & 0xf) == 0 ? 0 : -1;

    case 3:
        out[(*n)++] = (uint8_t) (bits >> 10);
        out[(*n)++] = (uint8_t) (bits >> 2);
        return (bits & 0x3) == 0 ? 0 : -1;

    default:
        return -1;
    }
}


int
tcr_base64_mime(tcr_str_t text, uint8_t *out, size_t *n)
{
    int       v;
    size_t    i;
    uint32_t  bits = 0;
    unsigned  count = 0;

    *n = 0;

    for (i = 0; i < text.len && text.data[i] != '='; i++) {
        v = value_of(text.data[i]);

        if (v < 0) {
            continue;
        }

        bits = bits << 6 | (uint32_t) v;

        if (++count == 4) {
            out[(*n)++] = (uint8_t) (bits >> 16);
            out[(*n)++] = (uint8_t) (bits >> 8);
            out[(*n)++] = (uint8_t) bits;
            bits = 0;
            count = 0;
        }
    }

    return finish(bits, count, out, n);
}


int
tcr_base64_plain(tcr_str_t text, uint8_t *out, size_t *n)
{
    size_t  i, padding = 0;

    while (padding < 2 && padding < text.len
           && text.data[text.len - padding - 1] == '=')
    {
        padding++;
    }

    for (i = 0; i < text.len - padding; i++) {
        if (value_of(text.data[i]) < 0) {
            return -1;
        }
    }

    return text.len % 4 == 0 ? tcr_base64_mime(text, out, n) : -1;
}
