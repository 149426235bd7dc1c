/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Sets of characters written as PCRE2 classes of bytes.
 */

#include "tcr_regex_emit.h"
#include "tcr_utf8.h"

#include <inttypes.h>

#define TCR_REGEX_REPLACEMENT  0xfffd

/* see the head of tcr_regex_emit.h */
#define TCR_REGEX_WIDE                                                        \
    "(?:[\\xc0-\\xff][\\x80-\\xbf]*+|(?<![\\x80-\\xff])[\\x80-\\xbf]++)"


static const tcr_regex_range_t  ascii[] = { { 0, 0x7f } };

/* what UTF-8 can write beyond ASCII */
static const tcr_regex_range_t  wide[] = {
    { 0x80, 0xd7ff }, { 0xe000, TCR_REGEX_CODE_MAX }
};


void
tcr_regex_emit_times(tcr_buf_t *out, tcr_regex_times_t times)
{
    if (times.min == 1 && times.max == 1) {
        return;
    }

    if (times.max == TCR_REGEX_INFINITE && times.min < 2) {
        tcr_buf_char(out, times.min == 0 ? '*' : '+');

    } else if (times.max == TCR_REGEX_INFINITE) {
        tcr_buf_printf(out, "{%" PRIu32 ",}", times.min);

    } else if (times.min == 0 && times.max == 1) {
        tcr_buf_char(out, '?');

    } else {
        tcr_buf_printf(out, "{%" PRIu32 ",%" PRIu32 "}", times.min, times.max);
    }

    if (times.kind != 0) {
        tcr_buf_char(out, times.kind);
    }
}


static bool
is_alnum(uint32_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z')
           || (c >= 'a' && c <= 'z');
}


static void
put_byte(tcr_buf_t *out, uint32_t c)
{
    if (is_alnum(c)) {
        tcr_buf_char(out, (char) c);

    } else {
        tcr_buf_printf(out, "\\x%02" PRIx32, c);
    }
}


void
tcr_regex_emit_literal(tcr_buf_t *out, uint32_t code, tcr_regex_times_t times)
{
    bool    group = code >= 0x80 && (times.min != 1 || times.max != 1);
    char    bytes[4];
    size_t  i, n;

    n = tcr_utf8_put(bytes, code);

    if (group) {
        tcr_buf_str(out, TCR_STR("(?:"));
    }

    for (i = 0; i < n; i++) {
        if (bytes[i] == '/' || bytes[i] == '-' || bytes[i] == '_') {
            tcr_buf_char(out, bytes[i]);

        } else if (bytes[i] > ' ' && bytes[i] < 0x7f
                   && !is_alnum((unsigned char) bytes[i]))
        {
            tcr_buf_char(out, '\\');
            tcr_buf_char(out, bytes[i]);

        } else {
            put_byte(out, (unsigned char) bytes[i]);
        }
    }

    if (group) {
        tcr_buf_char(out, ')');
    }

    tcr_regex_emit_times(out, times);
}


static void
put_ranges(tcr_buf_t *out, tcr_regex_set_t set)
{
    size_t  i;

    for (i = 0; i < set.n; i++) {
        put_byte(out, set.ranges[i].lo);

        if (set.ranges[i].hi != set.ranges[i].lo) {
            tcr_buf_char(out, '-');
            put_byte(out, set.ranges[i].hi);
        }
    }
}


static void
put_byte_range(tcr_buf_t *out, unsigned char lo, unsigned char hi)
{
    if (lo == hi) {
        tcr_buf_printf(out, "\\x%02x", lo);

    } else {
        tcr_buf_printf(out, "[\\x%02x-\\x%02x]", lo, hi);
    }
}


/*
 * Alternatives for the characters lo..hi, each with a "|" behind it.  A range
 * is cut until each of its bytes runs through a range of its own; cuts nest no
 * deeper than twice a byte.
 */
static void
put_sequences(tcr_buf_t *out, uint32_t lo, uint32_t hi)
{
    char      first[4], last[4];
    size_t    i, n;
    uint32_t  mask, cut;

    n = tcr_utf8_put(first, lo);

    if (n != tcr_utf8_put(last, hi)) {
        cut = lo < 0x800 ? 0x7ff : 0xffff;
        put_sequences(out, lo, cut);
        put_sequences(out, cut + 1, hi);
        return;
    }

    for (i = 1; i < n; i++) {
        mask = (UINT32_C(1) << (6 * i)) - 1;

        if ((lo & ~mask) == (hi & ~mask)) {
            break;
        }

        if ((lo & mask) != 0 || (hi & mask) != mask) {
            cut = (lo & mask) != 0 ? lo | mask : (hi & ~mask) - 1;
            put_sequences(out, lo, cut);
            put_sequences(out, cut + 1, hi);
            return;
        }
    }

    for (i = 0; i < n; i++) {
        put_byte_range(out, (unsigned char) first[i], (unsigned char) last[i]);
    }

    tcr_buf_char(out, '|');
}


static void
put_alternatives(tcr_buf_t *out, tcr_regex_set_t set)
{
    size_t  i;

    for (i = 0; i < set.n; i++) {
        put_sequences(out, set.ranges[i].lo, set.ranges[i].hi);
    }

    if (!out->failed) {
        out->len--;
    }
}


/* What both sets have; without memory the buffer fails. */
static tcr_regex_set_t
common(tcr_buf_t *out, tcr_arena_t *arena, tcr_regex_set_t a,
    tcr_regex_set_t b)
{
    tcr_regex_set_t  set;

    set = tcr_regex_set_and(arena, a, b);

    if (set.ranges == NULL) {
        out->failed = true;
    }

    return set;
}


/* Matcher of a set of characters beyond ASCII. */
static void
put_wide(tcr_buf_t *out, tcr_arena_t *arena, tcr_regex_set_t set)
{
    tcr_regex_set_t  missing;

    if (!tcr_regex_set_has(set, TCR_REGEX_REPLACEMENT)) {
        tcr_buf_str(out, TCR_STR("(?:"));
        put_alternatives(out, set);
        tcr_buf_char(out, ')');
        return;
    }

    missing = common(out, arena, tcr_regex_set_not(arena, set),
                     TCR_REGEX_SET(wide));

    if (missing.n != 0) {
        tcr_buf_str(out, TCR_STR("(?!"));
        put_alternatives(out, missing);
        tcr_buf_char(out, ')');
    }

    tcr_buf_str(out, TCR_STR(TCR_REGEX_WIDE));
}


/*
 * Class of a set of ASCII characters.  PCRE2 adds the other case to what a
 * class lists, so the list is the set or its complement, whichever becomes
 * the folded set in that way.
 */
static int
put_ascii(tcr_buf_t *out, tcr_arena_t *arena, tcr_regex_set_t exact,
    tcr_regex_set_t folded)
{
    tcr_regex_set_t  all = TCR_REGEX_SET(ascii);

    if (tcr_regex_set_eq(tcr_regex_set_fold(arena, exact), folded)) {
        tcr_buf_char(out, '[');
        put_ranges(out, exact);
        tcr_buf_char(out, ']');
        return 0;
    }

    exact = common(out, arena, tcr_regex_set_not(arena, exact), all);
    folded = common(out, arena, tcr_regex_set_not(arena, folded), all);

    if (tcr_regex_set_eq(tcr_regex_set_fold(arena, exact), folded)) {
        tcr_buf_str(out, TCR_STR("[^"));
        put_ranges(out, exact);
        tcr_buf_str(out, TCR_STR("\\x80-\\xff]"));
        return 0;
    }

    return -1;
}


typedef struct {
    tcr_str_t  ascii;             /* absent when it has none                 */
    tcr_str_t  wide;
} parts_t;


static tcr_str_t
take(tcr_buf_t *buf, tcr_arena_t *arena)
{
    tcr_str_t  text;

    text = tcr_arena_strdup(arena, tcr_str_n(buf->data, buf->len));

    if (text.data == NULL) {
        buf->failed = true;
        return text;
    }

    buf->len = 0;
    return text;
}


/* The two matchers, as text in the arena. */
static int
make_parts(parts_t *parts, tcr_buf_t *buf, tcr_arena_t *arena,
    tcr_regex_chars_t chars)
{
    tcr_regex_set_t  exact, folded, beyond;

    *parts = (parts_t) { { NULL, 0 }, { NULL, 0 } };

    exact = common(buf, arena, chars.exact, TCR_REGEX_SET(ascii));
    folded = common(buf, arena, chars.folded, TCR_REGEX_SET(ascii));
    beyond = common(buf, arena, chars.exact, TCR_REGEX_SET(wide));

    if (exact.n != 0 || folded.n != 0) {
        if (put_ascii(buf, arena, exact, folded) != 0) {
            return -1;
        }

        parts->ascii = take(buf, arena);
    }

    if (beyond.n != 0) {
        put_wide(buf, arena, beyond);
        parts->wide = take(buf, arena);
    }

    return buf->failed ? -1 : 0;
}


static void
put_once(tcr_buf_t *out, const parts_t *parts)
{
    tcr_buf_str(out, TCR_STR("(?:"));

    if (parts->ascii.data == NULL && parts->wide.data == NULL) {
        tcr_buf_str(out, TCR_STR("(?!)"));
    }

    tcr_buf_str(out, parts->ascii);

    if (parts->ascii.data != NULL && parts->wide.data != NULL) {
        tcr_buf_char(out, '|');
    }

    tcr_buf_str(out, parts->wide);
    tcr_buf_char(out, ')');
}


/*
 * Without an upper bound: runs of ASCII with other characters between them.
 * That tries the same ends in the same order as repeating "one of both" does,
 * but text that is all ASCII goes through a plain class.
 */
static void
put_runs(tcr_buf_t *out, const parts_t *parts, tcr_regex_times_t times)
{
    tcr_regex_times_t  least = { times.min, times.min, 0 };
    tcr_regex_times_t  any = { 0, TCR_REGEX_INFINITE, 0 };

    any.kind = times.kind == '?' ? '?' : 0;

    if (times.kind == '+') {
        tcr_buf_str(out, TCR_STR("(?>"));
    }

    if (times.min != 0) {
        put_once(out, parts);
        tcr_regex_emit_times(out, least);
    }

    if (parts->ascii.data != NULL) {
        tcr_buf_str(out, parts->ascii);
        tcr_regex_emit_times(out, any);
    }

    tcr_buf_str(out, TCR_STR("(?:"));
    tcr_buf_str(out, parts->wide);

    if (parts->ascii.data != NULL) {
        tcr_buf_str(out, parts->ascii);
        tcr_regex_emit_times(out, any);
    }

    tcr_buf_char(out, ')');
    tcr_regex_emit_times(out, any);

    if (times.kind == '+') {
        tcr_buf_char(out, ')');
    }
}


int
tcr_regex_emit_chars(tcr_buf_t *out, tcr_arena_t *arena,
    tcr_regex_chars_t chars, tcr_regex_times_t times)
{
    int        rc;
    parts_t    parts;
    tcr_buf_t  buf;

    tcr_buf_init(&buf, out->too_big);
    rc = make_parts(&parts, &buf, arena, chars);
    out->failed |= buf.failed;
    tcr_buf_free(&buf);

    if (rc != 0) {
        return -1;
    }

    if (parts.wide.data == NULL && parts.ascii.data != NULL) {
        tcr_buf_str(out, parts.ascii);
        tcr_regex_emit_times(out, times);

    } else if (parts.wide.data != NULL && times.max == TCR_REGEX_INFINITE) {
        put_runs(out, &parts, times);

    } else {
        put_once(out, &parts);
        tcr_regex_emit_times(out, times);
    }

    return 0;
}
