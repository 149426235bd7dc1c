/* SPDX-License-Identifier: Apache-2.0 */

/* Decoding and normalising a request path. */

#include "tcr_path.h"
#include "tcr_piece.h"
#include "tcr_utf8.h"


int
tcr_hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }

    c = tcr_lower(c);
    return (c >= 'a' && c <= 'f') ? c - 'a' + 10 : -1;
}


/*
 * Of a byte and the next one, or of pieces: is there anything to decode, or a
 * slash with another one or a dot behind it?
 */
#define IS_SPECIAL(c, next)                                                   \
    (((next) == '%') | ((next) == ';') | ((next) < 0)                         \
     | (((c) == '/') & (((next) == '/') | ((next) == '.'))))


/* Most paths are as they should be; raw[0] is "/". */
static bool
is_plain(tcr_str_t raw)
{
    const char  *p = raw.data, *last = raw.data + raw.len - 1;

    if (last - p < TCR_PIECE) {
        while (p < last && !IS_SPECIAL((signed char) p[0], (signed char) p[1]))
        {
            p++;
        }

        return p == last;
    }

    for ( ; last - p > TCR_PIECE; p += TCR_PIECE) {
        if (tcr_piece_any(IS_SPECIAL(tcr_piece(p), tcr_piece(p + 1)))) {
            return false;
        }
    }

    p = last - TCR_PIECE;
    return !tcr_piece_any(IS_SPECIAL(tcr_piece(p), tcr_piece(p + 1)));
}


/* Drops path parameters and decodes escapes; a bad escape stays as text. */
static size_t
unescape(tcr_str_t raw, char *out)
{
    int     hi, lo;
    bool    skip;
    size_t  i, w;

    for (i = 0, w = 0, skip = false; i < raw.len; i++) {

        if (raw.data[i] == '/') {
            skip = false;

        } else if (raw.data[i] == ';') {
            skip = true;
        }

        if (skip) {
            continue;
        }

        if (raw.data[i] == '%' && raw.len - i > 2) {
            hi = tcr_hex_digit(raw.data[i + 1]);
            lo = tcr_hex_digit(raw.data[i + 2]);

            if (hi >= 0 && lo >= 0) {
                out[w++] = (char) (hi * 16 + lo);
                i += 2;
                continue;
            }
        }

        out[w++] = raw.data[i];
    }

    return w;
}


/*
 * Resolves repeated slashes and dot segments in place (RFC 3986 §5.2.4); ".."
 * stops at the root.  path[0] is "/".
 */
static size_t
resolve_dots(char *path, size_t len)
{
    size_t  r, w, end, n;

    for (r = 0, w = 0; r < len; r = end) {

        while (r < len && path[r] == '/') {
            r++;
        }

        for (end = r; end < len && path[end] != '/'; end++) { /* void */ }

        n = end - r;

        if (n == 2 && path[r] == '.' && path[r + 1] == '.') {

            while (w > 0 && path[--w] != '/') { /* void */ }

            n = 0;

        } else if (n == 1 && path[r] == '.') {
            n = 0;

        } else {
            path[w++] = '/';
            memmove(path + w, path + r, n);
            w += n;
            continue;
        }

        if (end == len) {
            path[w++] = '/';
        }
    }

    if (w == 0) {
        path[w++] = '/';
    }

    return w;
}


static tcr_str_t
repair_utf8(const tcr_mem_t *mem, tcr_str_t s)
{
    char    *out;
    size_t   i, n, w, bad;

    for (i = 0, bad = 0; i < s.len; i += n ? n : 1) {
        n = tcr_utf8_len(s.data + i, s.len - i);
        bad += (n == 0);
    }

    if (bad == 0) {
        return s;
    }

    out = tcr_mem_alloc(mem, s.len + 2 * bad);

    if (out == NULL) {
        return tcr_str_n(NULL, 0);
    }

    for (i = 0, w = 0; i < s.len; i += n ? n : 1) {
        n = tcr_utf8_len(s.data + i, s.len - i);

        if (n == 0) {
            w += tcr_utf8_put(out + w, 0xfffd);

        } else {
            memcpy(out + w, s.data + i, n);
            w += n;
        }
    }

    return tcr_str_n(out, w);
}


static tcr_str_t
without_prefix(tcr_str_t path)
{
    if (tcr_str_starts(path, TCR_STR("/crs/"))) {
        return tcr_str_n(path.data + 4, path.len - 4);
    }

    return path;
}


tcr_str_t
tcr_path_decode(const tcr_mem_t *mem, tcr_str_t raw)
{
    char    *out;
    size_t   len;

    if (raw.len == 0 || raw.data[0] != '/' || is_plain(raw)) {
        return without_prefix(raw);
    }

    out = tcr_mem_alloc(mem, raw.len + 1);

    if (out == NULL) {
        return tcr_str_n(NULL, 0);
    }

    len = resolve_dots(out, unescape(raw, out));
    return without_prefix(repair_utf8(mem, tcr_str_n(out, len)));
}
