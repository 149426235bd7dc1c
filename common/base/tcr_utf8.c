/* SPDX-License-Identifier: Apache-2.0 */

/*
 * UTF-8, one character at a time.
 */

#include "tcr_utf8.h"


/* Length by the first byte, with the smallest code of that length. */
static size_t
head(unsigned char c, uint32_t *code, uint32_t *min)
{
    if (c < 0x80) {
        *code = c;
        *min = 0;
        return 1;
    }

    if (c >= 0xc2 && c <= 0xdf) {
        *code = c & 0x1f;
        *min = 0x80;
        return 2;
    }

    if (c >= 0xe0 && c <= 0xef) {
        *code = c & 0x0f;
        *min = 0x800;
        return 3;
    }

    if (c >= 0xf0 && c <= 0xf4) {
        *code = c & 0x07;
        *min = 0x10000;
        return 4;
    }

    return 0;
}


size_t
tcr_utf8_get(const char *p, size_t left, uint32_t *code)
{
    size_t               i, n;
    uint32_t             min;
    const unsigned char  *u = (const unsigned char *) p;

    if (left == 0) {
        return 0;
    }

    n = head(u[0], code, &min);

    if (n == 0 || n > left) {
        return 0;
    }

    for (i = 1; i < n; i++) {
        if ((u[i] & 0xc0) != 0x80) {
            return 0;
        }

        *code = *code << 6 | (u[i] & 0x3f);
    }

    if (*code < min || *code > 0x10ffff
        || (*code >= 0xd800 && *code <= 0xdfff))
    {
        return 0;
    }

    return n;
}


size_t
tcr_utf8_len(const char *p, size_t left)
{
    uint32_t  code;

    return tcr_utf8_get(p, left, &code);
}


size_t
tcr_utf8_put(char out[4], uint32_t code)
{
    if (code < 0x80) {
        out[0] = (char) code;
        return 1;
    }

    if (code < 0x800) {
        out[0] = (char) (0xc0 | code >> 6);
        out[1] = (char) (0x80 | (code & 0x3f));
        return 2;
    }

    if (code < 0x10000) {
        out[0] = (char) (0xe0 | code >> 12);
        out[1] = (char) (0x80 | (code >> 6 & 0x3f));
        out[2] = (char) (0x80 | (code & 0x3f));
        return 3;
    }

    out[0] = (char) (0xf0 | code >> 18);
    out[1] = (char) (0x80 | (code >> 12 & 0x3f));
    out[2] = (char) (0x80 | (code >> 6 & 0x3f));
    out[3] = (char) (0x80 | (code & 0x3f));
    return 4;
}
