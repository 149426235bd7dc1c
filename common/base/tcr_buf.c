/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Text that grows up to a limit, and digits into a fixed place.
 */

#include "tcr_buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tcr_utf8.h"

#define TCR_BUF_FIRST  256


void
tcr_buf_init(tcr_buf_t *buf, size_t too_big)
{
    memset(buf, 0, sizeof(*buf));
    buf->too_big = too_big;
}


void
tcr_buf_free(tcr_buf_t *buf)
{
    free(buf->data);
    tcr_buf_init(buf, buf->too_big);
}


void
tcr_buf_reset(tcr_buf_t *buf)
{
    buf->len = 0;
    buf->failed = false;
}


/* Room for len more bytes; false once the buffer has failed. */
static bool
reserve(tcr_buf_t *buf, size_t len)
{
    char    *data;
    size_t   size;

    if (buf->failed || len > buf->too_big - buf->len) {
        buf->failed = true;
        return false;
    }

    if (len <= buf->size - buf->len) {
        return true;
    }

    size = buf->size > buf->too_big / 2 ? buf->too_big : buf->size * 2;

    if (size < TCR_BUF_FIRST) {
        size = TCR_BUF_FIRST;
    }

    if (size < buf->len + len) {
        size = buf->len + len;
    }

    data = realloc(buf->data, size);

    if (data == NULL) {
        buf->failed = true;
        return false;
    }

    buf->data = data;
    buf->size = size;
    return true;
}


void
tcr_buf_add(tcr_buf_t *buf, const void *data, size_t len)
{
    if (len == 0 || !reserve(buf, len)) {
        return;
    }

    memcpy(buf->data + buf->len, data, len);
    buf->len += len;
}


void
tcr_buf_str(tcr_buf_t *buf, tcr_str_t s)
{
    tcr_buf_add(buf, s.data, s.len);
}


void
tcr_buf_char(tcr_buf_t *buf, char c)
{
    if (!reserve(buf, 1)) {
        return;
    }

    buf->data[buf->len++] = c;
}


void
tcr_buf_printf(tcr_buf_t *buf, const char *fmt, ...)
{
    int      n;
    char     small[256], *big;
    va_list  ap;

    if (buf->failed) {
        return;
    }

    va_start(ap, fmt);
    n = vsnprintf(small, sizeof(small), fmt, ap);
    va_end(ap);

    if (n < 0 || (size_t) n > buf->too_big - buf->len) {
        buf->failed = true;
        return;
    }

    if ((size_t) n < sizeof(small)) {
        tcr_buf_add(buf, small, (size_t) n);
        return;
    }

    /* vsnprintf wants room for a NUL that the buffer may not have */
    big = malloc((size_t) n + 1);

    if (big == NULL) {
        buf->failed = true;
        return;
    }

    va_start(ap, fmt);
    vsnprintf(big, (size_t) n + 1, fmt, ap);
    va_end(ap);

    tcr_buf_add(buf, big, (size_t) n);
    free(big);
}


static void
json_control(tcr_buf_t *buf, unsigned char c)
{
    switch (c) {
    case '\n':
        tcr_buf_add(buf, "\\n", 2);
        break;

    case '\r':
        tcr_buf_add(buf, "\\r", 2);
        break;

    case '\t':
        tcr_buf_add(buf, "\\t", 2);
        break;

    default:
        tcr_buf_printf(buf, "\\u%04x", c);
    }
}


void
tcr_buf_json_str(tcr_buf_t *buf, tcr_str_t s)
{
    size_t         i, n, plain = 0;
    unsigned char  c;

    tcr_buf_char(buf, '"');

    for (i = 0; i < s.len; i += n) {
        c = (unsigned char) s.data[i];
        n = 1;

        if (c >= 0x80) {
            n = tcr_utf8_len(s.data + i, s.len - i);
        }

        if (n != 0 && c >= ' ' && c != '"' && c != '\\') {
            continue;
        }

        tcr_buf_add(buf, s.data + plain, i - plain);

        if (n == 0) {
            n = 1;
            tcr_buf_add(buf, "\xef\xbf\xbd", 3);

        } else if (c < ' ') {
            json_control(buf, c);

        } else {
            tcr_buf_char(buf, '\\');
            tcr_buf_char(buf, (char) c);
        }

        plain = i + n;
    }

    if (plain < s.len) {
        tcr_buf_add(buf, s.data + plain, s.len - plain);
    }

    tcr_buf_char(buf, '"');
}


void
tcr_out_str(tcr_out_t *out, tcr_str_t s)
{
    size_t  room = (size_t) (out->end - out->pos);

    if (s.len > room) {
        s.len = room;
        out->cut = true;
    }

    if (s.len != 0) {
        memcpy(out->pos, s.data, s.len);
        out->pos += s.len;
    }
}


/* Two digits a division. */
void
tcr_out_uint(tcr_out_t *out, uint64_t n)
{
    char    digits[20];
    size_t  i = sizeof(digits);

    static const char  pairs[] =
        "00010203040506070809" "10111213141516171819"
        "20212223242526272829" "30313233343536373839"
        "40414243444546474849" "50515253545556575859"
        "60616263646566676869" "70717273747576777879"
        "80818283848586878889" "90919293949596979899";

    for ( ; n > 9; n /= 100) {
        i -= 2;
        memcpy(&digits[i], &pairs[n % 100 * 2], 2);
    }

    if (n != 0 || i == sizeof(digits)) {
        digits[--i] = (char) ('0' + n);
    }

    tcr_out_str(out, tcr_str_n(digits + i, sizeof(digits) - i));
}


void
tcr_out_plain(tcr_out_t *out, const char *text)
{
    unsigned char      c;
    static const char  hex[] = "0123456789abcdef";

    for ( /* void */ ; *text != '\0'; text++) {
        c = (unsigned char) *text;

        if (c >= 0x20 && c != 0x7f) {
            tcr_out_char(out, *text);
            continue;
        }

        tcr_out_str(out, TCR_STR("\\x"));
        tcr_out_char(out, hex[c >> 4]);
        tcr_out_char(out, hex[c & 15]);
    }
}
