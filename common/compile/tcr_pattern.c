/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Host patterns: nearly all are ".*\.name\..*", the rest mostly a host.  Both
 * are told from real patterns, so that they cost a look-up.
 */

#include "tcr_pattern.h"

#include "tcr_regex.h"

#define HEAD  TCR_STR(".*\\.")
#define TAIL  TCR_STR("\\..*")


static bool
is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
           || (c >= '0' && c <= '9') || c == '-' || c == '_';
}


/*
 * Text without operators, unescaped and in lower case; data == NULL when there
 * is one.  A bare dot is an operator.
 */
static tcr_str_t
unescape(tcr_arena_t *arena, tcr_str_t s)
{
    char    *out;
    size_t   i, n;

    out = tcr_arena_alloc(arena, s.len + 1);

    if (out == NULL) {
        return tcr_str_n(NULL, 0);
    }

    for (i = 0, n = 0; i < s.len; i++) {

        if (s.data[i] == '\\' && i + 1 < s.len
            && (s.data[i + 1] == '.' || s.data[i + 1] == '-'))
        {
            i++;

        } else if (!is_plain(s.data[i])) {
            return tcr_str_n(NULL, 0);
        }

        out[n++] = tcr_lower(s.data[i]);
    }

    return tcr_str_n(out, n);
}


static bool
is_labels(tcr_str_t text)
{
    tcr_str_t  rest, label;

    if (text.data == NULL) {
        return false;
    }

    for (rest = text; rest.data != NULL; ) {
        label = tcr_str_split(&rest, '.');

        if (label.len == 0) {
            return false;
        }
    }

    return true;
}


static tcr_str_t
middle(tcr_str_t s)
{
    tcr_str_t  head = HEAD, tail = TAIL;

    if (s.len <= head.len + tail.len || !tcr_str_starts(s, head)
        || !tcr_str_ends(s, tail))
    {
        return tcr_str_n(NULL, 0);
    }

    return tcr_str_n(s.data + head.len, s.len - head.len - tail.len);
}


/* "(.*\.|^)" in place of a leading ".*\." */
static int
rewrite(tcr_arena_t *arena, tcr_str_t java, tcr_str_t *regex, tcr_err_t *err)
{
    char       *p;
    size_t      skip = HEAD.len;

    p = tcr_arena_printf(arena, "(.*\\.|^)%.*s", (int) (java.len - skip),
                         java.data + skip);

    if (p == NULL) {
        return tcr_err_set(err, "out of memory");
    }

    return tcr_regex_translate(arena, tcr_str(p), regex, err);
}


int
tcr_pattern_read(tcr_arena_t *arena, const tcr_matcher_t *m, bool superhack,
    tcr_pattern_t *out, tcr_err_t *err)
{
    tcr_str_t  inner;

    superhack = superhack && tcr_str_starts(m->java, HEAD);
    *out = (tcr_pattern_t) { TCR_MATCH_HOST_REGEX, superhack, m->pattern,
                             m->pattern };

    if (superhack && rewrite(arena, m->java, &out->regex, err) != 0) {
        return -1;
    }

    out->text = out->regex;
    inner = middle(m->java);

    if (inner.data != NULL) {
        inner = unescape(arena, inner);

        if (is_labels(inner)) {
            out->kind = TCR_MATCH_HOST_LABELS;
            out->text = inner;
        }

        return 0;
    }

    inner = unescape(arena, m->java);

    if (inner.data != NULL) {
        out->kind = TCR_MATCH_HOST_LITERAL;
        out->text = inner;
    }

    return 0;
}
