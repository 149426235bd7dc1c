/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Encoding, lines and escapes of a JSON text.
 *
 * yajl lets overlong forms and surrogates pass as UTF-8, takes vertical tabs
 * and form feeds for blanks and joins surrogates that are no pair: that is
 * checked or done here.
 */

#include "tcr_json_text.h"
#include "tcr_utf8.h"

#define TCR_JSON_BLOCK  ((size_t) 64 * 1024)


/* State at the beginning of each block of the text. */
struct tcr_json_lines_s {
    size_t  line;                 /* newlines before the block               */
    size_t  begin;                /* offset behind the last of them          */
};


/* First byte at or behind `from` that is not ASCII. */
static size_t
skip_ascii(tcr_str_t text, size_t from)
{
    uint64_t  word;

    while (text.len - from >= sizeof(word)) {
        memcpy(&word, text.data + from, sizeof(word));

        if (word & UINT64_C(0x8080808080808080)) {
            break;
        }

        from += sizeof(word);
    }

    while (from < text.len && (unsigned char) text.data[from] < 0x80) {
        from++;
    }

    return from;
}


static size_t
check_utf8(tcr_str_t text)
{
    size_t  at = 0, n;

    for ( ;; ) {
        at = skip_ascii(text, at);

        if (at == text.len) {
            return at;
        }

        n = tcr_utf8_len(text.data + at, text.len - at);

        if (n == 0) {
            return at;
        }

        at += n;
    }
}


/* Goes on from *state over text[from, to). */
static void
count_lines(tcr_json_lines_t *state, tcr_str_t text, size_t from, size_t to)
{
    const char  *p = text.data + from, *end = text.data + to;

    while (p < end) {
        p = memchr(p, '\n', (size_t) (end - p));

        if (p == NULL) {
            return;
        }

        p++;
        state->line++;
        state->begin = (size_t) (p - text.data);
    }
}


size_t
tcr_json_bad_byte(tcr_str_t text, const char **what)
{
    size_t  bad;

    *what = "invalid UTF-8";
    bad = check_utf8(text);

    if (bad != text.len) {
        return bad;
    }

    /* yajl itself refuses them within strings */
    *what = "invalid control character";
    bad = tcr_str_find(text, '\v');

    return bad != text.len ? bad : tcr_str_find(text, '\f');
}


const tcr_json_lines_t *
tcr_json_find_lines(tcr_arena_t *arena, tcr_str_t text)
{
    size_t             i, n = text.len / TCR_JSON_BLOCK + 1;
    tcr_json_lines_t  *lines;

    lines = tcr_arena_calloc(arena, n, sizeof(*lines));

    if (lines == NULL) {
        return NULL;
    }

    for (i = 1; i < n; i++) {
        lines[i] = lines[i - 1];
        count_lines(&lines[i], text, (i - 1) * TCR_JSON_BLOCK,
                    i * TCR_JSON_BLOCK);
    }

    return lines;
}


tcr_pos_t
tcr_json_pos(const tcr_json_doc_t *doc, uint64_t offset)
{
    size_t            at, block;
    tcr_json_lines_t  state;

    if (doc->lines == NULL) {
        return (tcr_pos_t) { doc->file, 0, 0 };
    }

    at = offset < doc->text.len ? (size_t) offset : doc->text.len;
    block = at / TCR_JSON_BLOCK;
    state = doc->lines[block];

    count_lines(&state, doc->text, block * TCR_JSON_BLOCK, at);

    return (tcr_pos_t) { doc->file, state.line + 1, at - state.begin + 1 };
}


size_t
tcr_json_raw_len(tcr_str_t text)
{
    size_t  i;

    for (i = 0; i < text.len && text.data[i] != '"'; i++) {
        if (text.data[i] == '\\' && text.len - i > 1) {
            i++;
        }
    }

    return i;
}


static uint32_t
hex4(const char *p)
{
    int       i;
    char      c;
    uint32_t  n = 0;

    for (i = 0; i < 4; i++) {
        c = tcr_lower(p[i]);
        n = n << 4 | (uint32_t) (c <= '9' ? c - '0' : c - 'a' + 10);
    }

    return n;
}


/*
 * The character of the \u escape at raw[at], whose length goes to *len.
 * Half a pair is '?': what Java makes of one when it writes UTF-8.
 */
static uint32_t
unicode_escape(tcr_str_t raw, size_t at, size_t *len)
{
    uint32_t     high, low;
    const char  *p = raw.data + at;

    *len = 6;
    high = hex4(p + 2);

    if (high < 0xd800 || high > 0xdfff) {
        return high;
    }

    if (high > 0xdbff || raw.len - at < 12 || p[6] != '\\' || p[7] != 'u') {
        return '?';
    }

    low = hex4(p + 8);

    if (low < 0xdc00 || low > 0xdfff) {
        return '?';
    }

    *len = 12;
    return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}


static char
short_escape(char c)
{
    switch (c) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return c;
    }
}


tcr_str_t
tcr_json_unescape(tcr_arena_t *arena, tcr_str_t raw)
{
    char    *out, *p;
    size_t   i, n;

    /* no escape is shorter than what it stands for */
    out = tcr_arena_alloc(arena, raw.len + 1);

    if (out == NULL) {
        return tcr_str_n(NULL, 0);
    }

    for (i = 0, p = out; i < raw.len; i += n) {
        n = 1;

        if (raw.data[i] != '\\') {
            *p++ = raw.data[i];

        } else if (raw.data[i + 1] != 'u') {
            n = 2;
            *p++ = short_escape(raw.data[i + 1]);

        } else {
            p += tcr_utf8_put(p, unicode_escape(raw, i, &n));
        }
    }

    *p = '\0';
    return tcr_str_n(out, (size_t) (p - out));
}
