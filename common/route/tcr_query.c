/* SPDX-License-Identifier: Apache-2.0 */

/* Query strings: reading, choosing what is hashed, stripping. */

#include "tcr_path.h"
#include "tcr_query.h"
#include "tcr_utf8.h"


/* Decodes "+" and escapes into out; -1 for a bad escape. */
static int
decode_piece(tcr_str_t in, char *out, size_t *len)
{
    int     hi, lo;
    size_t  i, w;

    for (i = 0, w = 0; i < in.len; i++) {

        if (in.data[i] == '%') {

            if (in.len - i < 3) {
                return -1;
            }

            hi = tcr_hex_digit(in.data[i + 1]);
            lo = tcr_hex_digit(in.data[i + 2]);

            if (hi < 0 || lo < 0) {
                return -1;
            }

            out[w++] = (char) (hi * 16 + lo);
            i += 2;

        } else {
            out[w++] = in.data[i] == '+' ? ' ' : in.data[i];
        }
    }

    *len = w;
    return 0;
}


static tcr_str_t
decoded(const tcr_mem_t *mem, tcr_str_t in)
{
    char    *out;
    size_t   len;

    if (tcr_str_find(in, '%') == in.len && tcr_str_find(in, '+') == in.len) {
        return in;
    }

    out = tcr_mem_alloc(mem, in.len + 1);

    if (out == NULL || decode_piece(in, out, &len) != 0) {
        return tcr_str_n(NULL, 0);
    }

    return tcr_str_n(out, len);
}


void
tcr_query_read(const tcr_mem_t *mem, tcr_str_t query,
    tcr_query_params_t *params)
{
    size_t      i;
    tcr_str_t   piece, name, value;

    const struct {
        tcr_str_t   name;
        tcr_str_t  *value;
    } wanted[] = {
        { TCR_STR("trred"), &params->trred },
        { TCR_STR("format"), &params->format },
        { TCR_STR("fakeClientIpAddress"), &params->client },
    };

    while (query.data != NULL) {
        piece = tcr_str_split(&query, '&');
        name = tcr_str_n(piece.data, tcr_str_find(piece, '='));
        name = decoded(mem, name);

        if (name.data == NULL) {
            continue;
        }

        for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {

            if (wanted[i].value->data != NULL
                || !tcr_str_eq(name, wanted[i].name))
            {
                continue;
            }

            value = piece;
            tcr_str_split(&value, '=');

            *wanted[i].value = value.data != NULL ? decoded(mem, value)
                                                  : TCR_STR("");
        }
    }
}


/*
 * Order by UTF-16 code units: as bytes, but characters above U+FFFF (lead
 * bytes f0..f4, surrogates in UTF-16) come before U+E000..U+FFFF (ee, ef).
 */
static int
cmp_utf16(tcr_str_t a, tcr_str_t b)
{
    size_t         i;
    unsigned char  x, y;

    for (i = 0; i < a.len && i < b.len; i++) {
        x = (unsigned char) a.data[i];
        y = (unsigned char) b.data[i];

        if (x == y) {
            continue;
        }

        if (x >= 0xee && y >= 0xee) {
            x = x >= 0xf0 ? x - 0x10 : x + 0x10;
            y = y >= 0xf0 ? y - 0x10 : y + 0x10;
        }

        return x < y ? -1 : 1;
    }

    return a.len < b.len ? -1 : a.len > b.len;
}


static bool
listed(const tcr_image_t *img, const tcr_img_vec_t *names, tcr_str_t name)
{
    uint32_t              i;
    const tcr_img_str_t  *refs = tcr_image_vec(img, names);

    for (i = 0; i < names->n; i++) {
        if (tcr_str_eq(tcr_image_str(img, refs[i]), name)) {
            return true;
        }
    }

    return false;
}


/*
 * "name=value=..." with every part decoded and trailing empty parts dropped;
 * absent when the piece is empty, has a bad escape (rule
 * bad-escape-is-no-parameter) or a name that is not listed.
 */
static tcr_str_t
significant_piece(const tcr_mem_t *mem, tcr_str_t piece,
    const tcr_image_t *img, const tcr_img_vec_t *names)
{
    char       *out;
    size_t      w, n;
    bool        first;
    tcr_str_t   part;

    while (piece.len > 0 && piece.data[piece.len - 1] == '=') {
        piece.len--;
    }

    out = piece.len ? tcr_mem_alloc(mem, piece.len) : NULL;

    if (out == NULL) {
        return tcr_str_n(NULL, 0);
    }

    for (w = 0, first = true; piece.data != NULL; first = false) {
        part = tcr_str_split(&piece, '=');

        if (!first) {
            out[w++] = '=';
        }

        if (decode_piece(part, out + w, &n) != 0
            || (first && !listed(img, names, tcr_str_n(out, n))))
        {
            return tcr_str_n(NULL, 0);
        }

        w += n;
    }

    return tcr_str_n(out, w);
}


/* Puts piece in its place among n sorted ones unless it is there. */
static size_t
insert_sorted(tcr_str_t *pieces, size_t n, tcr_str_t piece)
{
    int     order;
    size_t  i;

    for (i = n; i > 0; i--) {
        order = cmp_utf16(pieces[i - 1], piece);

        if (order == 0) {
            return n;
        }

        if (order < 0) {
            break;
        }
    }

    memmove(&pieces[i + 1], &pieces[i], (n - i) * sizeof(*pieces));
    pieces[i] = piece;

    return n + 1;
}


static tcr_str_t
joined(const tcr_mem_t *mem, const tcr_str_t *pieces, size_t n)
{
    char    *out;
    size_t   i, len;

    for (i = 0, len = 0; i < n; i++) {
        len += pieces[i].len;
    }

    out = tcr_mem_alloc(mem, len + 1);

    if (out == NULL) {
        return tcr_str_n(NULL, 0);
    }

    for (i = 0, len = 0; i < n; i++) {
        memcpy(out + len, pieces[i].data, pieces[i].len);
        len += pieces[i].len;
    }

    return tcr_str_n(out, len);
}


tcr_str_t
tcr_query_significant(const tcr_mem_t *mem, tcr_str_t query,
    const tcr_image_t *img, const tcr_img_vec_t *names)
{
    size_t      i, n;
    tcr_str_t   piece, *pieces;

    if (query.len == 0 || names->n == 0) {
        return TCR_STR("");
    }

    for (i = 0, n = 1; i < query.len; i++) {
        n += (query.data[i] == '&');
    }

    pieces = tcr_mem_alloc(mem, n * sizeof(*pieces));

    if (pieces == NULL) {
        return tcr_str_n(NULL, 0);
    }

    for (n = 0; query.data != NULL; ) {
        piece = tcr_str_split(&query, '&');
        piece = significant_piece(mem, piece, img, names);

        if (piece.data != NULL) {
            n = insert_sorted(pieces, n, piece);
        }
    }

    return joined(mem, pieces, n);
}


static bool
is_special(tcr_str_t piece)
{
    tcr_str_t  name = { piece.data, tcr_str_find(piece, '=') };

    return tcr_str_eq(name, TCR_STR("fakeClientIpAddress"))
           || tcr_str_eq(name, TCR_STR("trred"));
}


tcr_str_t
tcr_query_strip(const tcr_mem_t *mem, tcr_str_t query)
{
    char       *out;
    size_t      w;
    bool        any;
    tcr_str_t   piece;

    out = tcr_mem_alloc(mem, query.len + 1);

    if (out == NULL) {
        return tcr_str_n(NULL, 0);
    }

    for (w = 0, any = false; query.data != NULL; ) {
        piece = tcr_str_split(&query, '&');

        if (is_special(piece)) {
            continue;
        }

        if (any) {
            out[w++] = '&';
        }

        memcpy(out + w, piece.data, piece.len);
        w += piece.len;
        any = true;
    }

    return w != 0 ? tcr_str_n(out, w) : tcr_str_n(NULL, 0);
}
