/* SPDX-License-Identifier: Apache-2.0 */

/* Walking through JSON (RFC 8259). */

#include "tcr_scan.h"

#include "tcr_utf8.h"


typedef struct {
    const char       *p;
    const char       *end;
    tcr_arena_t      *arena;
    tcr_scan_pt       tell;
    void             *ctx;
    size_t            depth;
    tcr_scan_step_t   path[TCR_SCAN_DEPTH];
} scan_t;


static int scan_value(scan_t *s);


/* The next byte that is no blank, or 0. */
static char
peek(scan_t *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\n'
                             || *s->p == '\r'))
    {
        s->p++;
    }

    return s->p < s->end ? *s->p : '\0';
}


static bool
take(scan_t *s, char c)
{
    if (peek(s) != c) {
        return false;
    }

    s->p++;
    return true;
}


static int
hex4(scan_t *s, uint32_t *out)
{
    int       i;
    char      c;
    uint32_t  n = 0;

    if (s->end - s->p < 4) {
        return -1;
    }

    for (i = 0; i < 4; i++) {
        c = *s->p++;

        if (c >= '0' && c <= '9') {
            n = n * 16 + (uint32_t) (c - '0');

        } else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') {
            n = n * 16 + (uint32_t) ((c | 0x20) - 'a' + 10);

        } else {
            return -1;
        }
    }

    *out = n;
    return 0;
}


/* The second half of a character beyond 16 bits, 0 when it is not there. */
static uint32_t
low_half(scan_t *s)
{
    uint32_t     low;
    const char  *before = s->p;

    if (s->end - s->p >= 6 && s->p[0] == '\\' && s->p[1] == 'u') {
        s->p += 2;

        if (hex4(s, &low) == 0 && low >= 0xdc00 && low < 0xe000) {
            return low;
        }
    }

    s->p = before;
    return 0;
}


/* What is behind a backslash; half a character becomes "?". */
static int
unescape(scan_t *s, char **out)
{
    char         c;
    const char  *known;
    uint32_t     code, low;

    static const char  from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";

    c = s->p < s->end ? *s->p++ : '\0';
    known = c != '\0' ? strchr(from, c) : NULL;

    if (known != NULL) {
        *(*out)++ = to[known - from];
        return 0;
    }

    if (c != 'u' || hex4(s, &code) != 0) {
        return -1;
    }

    if (code >= 0xd800 && code < 0xe000) {
        low = code < 0xdc00 ? low_half(s) : 0;
        code = low == 0 ? '?'
                        : 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }

    *out += tcr_utf8_put(*out, code);
    return 0;
}


/* Behind the opening quote.  No text grows when it is unescaped. */
static int
scan_string(scan_t *s, tcr_str_t *value)
{
    char        *copy, *out;
    const char  *close;

    for (close = s->p; close < s->end && *close != '"'; close++) {
        if (*close == '\\' && ++close == s->end) {
            return -1;
        }
    }

    if (close == s->end) {
        return -1;
    }

    copy = tcr_arena_alloc(s->arena, (size_t) (close - s->p) + 1);

    if (copy == NULL) {
        return -1;
    }

    for (out = copy; s->p < close; /* void */ ) {

        if (*s->p != '\\') {
            *out++ = *s->p++;
            continue;
        }

        s->p++;

        if (unescape(s, &out) != 0) {
            return -1;
        }
    }

    s->p = close + 1;
    *value = tcr_str_n(copy, (size_t) (out - copy));
    return 0;
}


static int
scan_scalar(scan_t *s)
{
    bool         text = take(s, '"');
    tcr_str_t    value;
    const char  *start = s->p;

    if (text) {

        if (scan_string(s, &value) != 0) {
            return -1;
        }

    } else {
        while (s->p < s->end && memchr(",]} \t\r\n", *s->p, 7) == NULL) {
            s->p++;
        }

        value = tcr_str_n(start, (size_t) (s->p - start));
    }

    if (!text && value.len == 0) {
        return -1;
    }

    s->tell(s->ctx, s->path, s->depth, value, text);
    return 0;
}


static int
scan_members(scan_t *s, char close)
{
    tcr_str_t  name;
    uint32_t   i = 0;

    if (s->depth == TCR_SCAN_DEPTH) {
        return -1;
    }

    s->depth++;

    do {
        name = tcr_str_n(NULL, 0);

        if (close == '}'
            && (!take(s, '"') || scan_string(s, &name) != 0 || !take(s, ':')))
        {
            return -1;
        }

        s->path[s->depth - 1] = (tcr_scan_step_t) { name, i++ };

        if (scan_value(s) != 0) {
            return -1;
        }

    } while (take(s, ','));

    s->depth--;
    return take(s, close) ? 0 : -1;
}


static int
scan_value(scan_t *s)
{
    char  close;

    switch (peek(s)) {

    case '{':
        close = '}';
        break;

    case '[':
        close = ']';
        break;

    default:
        return scan_scalar(s);
    }

    s->p++;
    return take(s, close) ? 0 : scan_members(s, close);
}


int
tcr_scan(tcr_str_t json, tcr_arena_t *arena, tcr_scan_pt tell, void *ctx)
{
    scan_t  s;

    memset(&s, 0, sizeof(s));
    s.p = json.data;
    s.end = json.data + json.len;
    s.arena = arena;
    s.tell = tell;
    s.ctx = ctx;

    return scan_value(&s) == 0 && peek(&s) == '\0' && s.p == s.end ? 0 : -1;
}
