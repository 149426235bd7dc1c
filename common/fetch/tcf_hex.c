/* SPDX-License-Identifier: Apache-2.0 */

/* Bytes to hexadecimal digits and back. */

#include "tcf_hex.h"

#include <stdio.h>


void
tcf_hex(const uint8_t bytes[32], char text[TCF_HEX_SIZE])
{
    size_t  i;

    for (i = 0; i < 32; i++) {
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    }
}


static int
digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }

    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}


int
tcf_unhex(tcr_str_t text, uint8_t *bytes, size_t n)
{
    int     hi, lo;
    size_t  i;

    if (text.len != 2 * n) {
        return -1;
    }

    for (i = 0; i < n; i++) {
        hi = digit(text.data[2 * i]);
        lo = digit(text.data[2 * i + 1]);

        if (hi < 0 || lo < 0) {
            return -1;
        }

        bytes[i] = (uint8_t) (hi * 16 + lo);
    }

    return 0;
}
