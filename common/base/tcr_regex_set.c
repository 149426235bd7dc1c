/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Sets of code points as sorted ranges.
 */

#include "tcr_regex_set.h"


static const tcr_regex_range_t  upper[] = { { 'A', 'Z' } };
static const tcr_regex_range_t  lower[] = { { 'a', 'z' } };


static tcr_regex_set_t
no_memory(void)
{
    return (tcr_regex_set_t) { NULL, 0 };
}


tcr_regex_set_t
tcr_regex_set_range(tcr_arena_t *arena, uint32_t lo, uint32_t hi)
{
    tcr_regex_range_t  *range;

    range = tcr_arena_alloc(arena, sizeof(*range));

    if (range == NULL) {
        return no_memory();
    }

    *range = (tcr_regex_range_t) { lo, hi };
    return (tcr_regex_set_t) { range, 1 };
}


tcr_regex_set_t
tcr_regex_set_or(tcr_arena_t *arena, tcr_regex_set_t a, tcr_regex_set_t b)
{
    size_t              i = 0, j = 0, n = 0;
    tcr_regex_range_t  *out, next;

    if (a.ranges == NULL || b.ranges == NULL) {
        return no_memory();
    }

    out = tcr_arena_calloc(arena, a.n + b.n, sizeof(*out));

    if (out == NULL) {
        return no_memory();
    }

    while (i < a.n || j < b.n) {
        next = j == b.n || (i < a.n && a.ranges[i].lo <= b.ranges[j].lo)
               ? a.ranges[i++] : b.ranges[j++];

        if (n == 0 || next.lo > out[n - 1].hi + 1) {
            out[n++] = next;

        } else if (next.hi > out[n - 1].hi) {
            out[n - 1].hi = next.hi;
        }
    }

    return (tcr_regex_set_t) { out, n };
}


tcr_regex_set_t
tcr_regex_set_not(tcr_arena_t *arena, tcr_regex_set_t a)
{
    size_t              i, n = 0;
    uint32_t            from = 0;
    tcr_regex_range_t  *out;

    if (a.ranges == NULL) {
        return no_memory();
    }

    out = tcr_arena_calloc(arena, a.n + 1, sizeof(*out));

    if (out == NULL) {
        return no_memory();
    }

    for (i = 0; i < a.n; i++) {
        if (a.ranges[i].lo > from) {
            out[n++] = (tcr_regex_range_t) { from, a.ranges[i].lo - 1 };
        }

        from = a.ranges[i].hi + 1;
    }

    if (from <= TCR_REGEX_CODE_MAX) {
        out[n++] = (tcr_regex_range_t) { from, TCR_REGEX_CODE_MAX };
    }

    return (tcr_regex_set_t) { out, n };
}


tcr_regex_set_t
tcr_regex_set_and(tcr_arena_t *arena, tcr_regex_set_t a, tcr_regex_set_t b)
{
    tcr_regex_set_t  either;

    either = tcr_regex_set_or(arena, tcr_regex_set_not(arena, a),
                              tcr_regex_set_not(arena, b));

    return tcr_regex_set_not(arena, either);
}


/* The part of a within one case, moved to the other. */
static tcr_regex_set_t
other_case(tcr_arena_t *arena, tcr_regex_set_t a, tcr_regex_set_t letters,
    uint32_t distance)
{
    size_t              i;
    tcr_regex_set_t     part;
    tcr_regex_range_t  *out;

    part = tcr_regex_set_and(arena, a, letters);
    out = tcr_arena_calloc(arena, part.n, sizeof(*out));

    if (part.ranges == NULL || out == NULL) {
        return no_memory();
    }

    for (i = 0; i < part.n; i++) {
        out[i].lo = part.ranges[i].lo + distance;
        out[i].hi = part.ranges[i].hi + distance;
    }

    return (tcr_regex_set_t) { out, part.n };
}


tcr_regex_set_t
tcr_regex_set_fold(tcr_arena_t *arena, tcr_regex_set_t a)
{
    tcr_regex_set_t  down, up;

    down = other_case(arena, a, TCR_REGEX_SET(upper), 'a' - 'A');
    up = other_case(arena, a, TCR_REGEX_SET(lower), (uint32_t) 'A' - 'a');

    return tcr_regex_set_or(arena, a, tcr_regex_set_or(arena, down, up));
}


bool
tcr_regex_set_eq(tcr_regex_set_t a, tcr_regex_set_t b)
{
    size_t  i;

    if (a.n != b.n) {
        return false;
    }

    for (i = 0; i < a.n; i++) {
        if (a.ranges[i].lo != b.ranges[i].lo
            || a.ranges[i].hi != b.ranges[i].hi)
        {
            return false;
        }
    }

    return true;
}


bool
tcr_regex_set_has(tcr_regex_set_t a, uint32_t code)
{
    size_t  i;

    for (i = 0; i < a.n; i++) {
        if (code <= a.ranges[i].hi) {
            return code >= a.ranges[i].lo;
        }
    }

    return false;
}


tcr_regex_chars_t
tcr_regex_chars(tcr_arena_t *arena, tcr_regex_set_t set)
{
    return (tcr_regex_chars_t) { set, tcr_regex_set_fold(arena, set) };
}


tcr_regex_chars_t
tcr_regex_chars_or(tcr_arena_t *arena, tcr_regex_chars_t a,
    tcr_regex_chars_t b)
{
    return (tcr_regex_chars_t) {
        tcr_regex_set_or(arena, a.exact, b.exact),
        tcr_regex_set_or(arena, a.folded, b.folded)
    };
}


tcr_regex_chars_t
tcr_regex_chars_and(tcr_arena_t *arena, tcr_regex_chars_t a,
    tcr_regex_chars_t b)
{
    return (tcr_regex_chars_t) {
        tcr_regex_set_and(arena, a.exact, b.exact),
        tcr_regex_set_and(arena, a.folded, b.folded)
    };
}


tcr_regex_chars_t
tcr_regex_chars_not(tcr_arena_t *arena, tcr_regex_chars_t a)
{
    return (tcr_regex_chars_t) {
        tcr_regex_set_not(arena, a.exact),
        tcr_regex_set_not(arena, a.folded)
    };
}
