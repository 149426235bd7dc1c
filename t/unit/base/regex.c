/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Java's patterns through PCRE2: rows by Java's documentation, what must be
 * refused, limits, and t/data/unit/regex_java.jsonl: what java.util.regex
 * answered (releases 17 and 25, where both agree) for patterns made at random
 * and for such as a CDN has.
 */

#include "tcr_file.h"
#include "tcr_json.h"
#include "tcr_regex.h"

#include <stdlib.h>

#include "tap.h"


static tcr_arena_t  *arena;
static tcr_err_t     err;


/* 1, 0, or -1 when the pattern is refused */
static int
matches(tcr_str_t pattern, tcr_str_t text, unsigned flags)
{
    bool          found;
    tcr_str_t     pcre;
    tcr_regex_t  *re;

    if (tcr_regex_translate(arena, pattern, &pcre, &err) != 0) {
        return -1;
    }

    re = tcr_regex_compile(pcre, flags, &err);

    if (re == NULL) {
        return -1;
    }

    found = tcr_regex_match(re, text);
    tcr_regex_free(re);
    return found;
}


static const struct {
    const char  *pattern;
    const char  *text;
    int          whole;
    int          search;
} rows[] = {
    { "a", "xa", 0, 1 },
    { "", "", 1, 1 },
    { "", "x", 0, 1 },
    { ".*\\.vod\\..*", "edge.vod.example.net", 1, 1 },
    { ".*\\.vod\\..*", "edge-vod.example.net", 0, 0 },

    /* line terminators */
    { "a.b", "a\nb", 0, 0 },
    { "a.b", "a\rb", 0, 0 },
    { "a.b", "a\xc2\x85" "b", 0, 0 },
    { "a.b", "a\xe2\x80\xa8" "b", 0, 0 },
    { "a.b", "a\xe2\x80\xaa" "b", 1, 1 },
    { "a.b", "a\vb", 1, 1 },
    { "(?s)a.b", "a\nb", 1, 1 },
    { "(?s:a.)b.", "a\nb\n", 0, 0 },
    { "a$", "a\n", 0, 1 },
    { "a$", "a\r\n", 0, 1 },
    { "a$", "a\xe2\x80\xa9", 0, 1 },
    { "a$", "a\n\n", 0, 0 },
    { "a$", "a\v", 0, 0 },
    { "a\\Z", "a\n", 0, 1 },
    { "a\\z", "a\n", 0, 0 },
    { "(?m)a$", "a\nb", 0, 1 },
    { "(?m)^b", "a\r\nb", 0, 1 },
    { "(?m)^", "", 0, 0 },
    { "a\\Rb", "a\r\nb", 1, 1 },
    { "a\\Rb", "a\xc2\x85" "b", 1, 1 },
    { "\\R\\n", "\r\n", 1, 1 },
    { "\\R+\\n", "\r\n", 0, 0 },

    /* characters are whole */
    { "a.b", "a\xc3\xa9" "b", 1, 1 },
    { "a..b", "a\xc3\xa9" "b", 0, 0 },
    { "[^/]{2}", "\xe6\x97\xa5\xe6\x9c\xac", 1, 1 },
    { ".", "\xf0\x9f\x98\x80", 1, 1 },
    { "\xc3\xa9+", "\xc3\xa9\xc3\xa9", 1, 1 },
    { "[\xc3\xa0-\xc3\xbc]", "\xc3\xa9", 1, 1 },
    { "[\xc3\xa0-\xc3\xbc]", "\xc3\xbd", 0, 0 },
    { "[^\xc3\xa9]b", "\xc3\xa9" "b", 0, 0 },
    { "\\xe9", "\xc3\xa9", 1, 1 },
    { "\\u65e5", "\xe6\x97\xa5", 1, 1 },
    { "\\ud83d\\ude00", "\xf0\x9f\x98\x80", 1, 1 },
    { "\\x{1F600}", "\xf0\x9f\x98\x80", 1, 1 },
    { "\\W", "\xc3\xa9", 1, 1 },
    { "\\w", "\xc3\xa9", 0, 0 },
    { "\\h", "\xe3\x80\x80", 1, 1 },
    { "\\pL+", "a\xc3\xa9\xe6\x97\xa5", 1, 1 },
    { "\\PL", "\xc3\xa9", 0, 0 },
    { "\\p{IsNd}", "\xd9\xa3", 1, 1 },
    { "(?<!^)(?!$)", "\xe6\x97\xa5", 0, 0 },
    { ".*", "caf\xe9.ts", 1, 1 },
    { "/[^/]*/", "/\xff\xfe\x80/", 1, 1 },

    /* escapes */
    { "\\0101\\x41\\u0041", "AAA", 1, 1 },
    { "\\018", "\x01" "8", 1, 1 },
    { "\\0377", "\xc3\xbf", 1, 1 },
    { "\\0400", "\x20" "0", 1, 1 },
    { "\\cA\\ca", "\x01!", 1, 1 },
    { "\\a\\e\\f\\n\\r\\t", "\a\033\f\n\r\t", 1, 1 },
    { "\\Qa.b*\\E+", "a.b**", 1, 1 },
    { "\\Q(?#", "(?#", 1, 1 },
    { "\\.\\-\\/\\<\\_\\]", ".-/<_]", 1, 1 },
    { "a]b}", "a]b}", 1, 1 },

    /* classes */
    { "[a-z&&[^aeiou]]", "b", 1, 1 },
    { "[a-z&&[^aeiou]]", "e", 0, 0 },
    { "[a-z&&[^aeiou]]", "&", 0, 0 },
    { "[a-c[x-z]]", "y", 1, 1 },
    { "[a-c[x-z]]", "[", 0, 0 },
    { "[a-z&&b-y&&c-x]", "c", 1, 1 },
    { "[a-z&&b-y&&c-x]", "b", 0, 0 },
    { "[^a-z&&b-y]", "a", 1, 1 },
    { "[^a-z&&b-y]", "b", 0, 0 },
    { "[]a]", "]", 1, 1 },
    { "[^]a]", "b", 1, 1 },
    { "[a^-]", "-", 1, 1 },
    { "[a&b]", "&", 1, 1 },
    { "[\\w.-]", "-", 1, 1 },
    { "[[:alpha:]]", ":", 1, 1 },
    { "[[:alpha:]]", "z", 0, 0 },
    { "[a&&b]*", "", 1, 1 },
    { "[a&&b]", "a", 0, 0 },
    { "\\p{Punct}\\p{Alpha}\\p{XDigit}\\p{Space}", "~af ", 1, 1 },
    { "\\p{Lower}\\p{Upper}\\p{Digit}\\p{Cntrl}", "aA0\x7f", 1, 1 },
    { "\\P{Lower}[\\P{ASCII}][^\\p{Graph}]", "A\xc3\xa9 ", 1, 1 },

    /* groups */
    { "(?i)A(?-i)b", "ab", 1, 1 },
    { "(?i)A(?-i)b", "aB", 0, 0 },
    { "(?i)\xc3\x89", "\xc3\xa9", 0, 0 },
    { "a(?i)b|c", "C", 1, 1 },
    { "(a(?i)b)c", "aBC", 0, 0 },
    { "(?x) a b # c\n [c] \\ d", "abc d", 1, 1 },
    { "(?<x>a|b)\\k<x>", "bb", 1, 1 },
    { "(.)\\1", "\xc3\xa9\xc3\xa9", 1, 1 },
    { "(a)\\10", "aa0", 1, 1 },
    { "a++a", "aaa", 0, 0 },
    { "a*(?:bc)?+a", "a", 1, 1 },
    { "(?>ab|a)b", "ab", 0, 0 },
    { "(?<!/)b(?=c)", "abc", 0, 1 },
    { "(?:a|ab){2}+c", "abac", 0, 0 },
};


static void
by_documentation(void)
{
    size_t  i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        err.text[0] = '\0';

        is_int(matches(tcr_str(rows[i].pattern), tcr_str(rows[i].text),
                       TCR_REGEX_WHOLE), rows[i].whole,
               "row %zu, %s: whole text", i, rows[i].pattern);
        is_int(matches(tcr_str(rows[i].pattern), tcr_str(rows[i].text), 0),
               rows[i].search, "row %zu: search", i);
    }

    is_int(matches(TCR_STR("[^a]"), TCR_STR("A"), TCR_REGEX_CASELESS), 0,
           "negated class without regard to case");
    is_int(matches(TCR_STR("[a-z&&[^b]]"), TCR_STR("B"), TCR_REGEX_CASELESS),
           0, "intersection without regard to case");
    is_int(matches(TCR_STR("K"), TCR_STR("\xe2\x84\xaa"), TCR_REGEX_CASELESS),
           0, "only ASCII is folded");
    is_int(matches(tcr_str_n("a\0b", 3), tcr_str_n("a\0b", 3),
                   TCR_REGEX_WHOLE), 1, "NUL bytes");
    is_int(matches(TCR_STR("a*"), tcr_str_n(NULL, 0), TCR_REGEX_WHOLE), 1,
           "a text that is absent is empty");
}


static const struct {
    const char  *pattern;
    const char  *want;
} refused[] = {
    { "(", "group without \")\" at offset 0 of \"(\"" },
    { "a)", "\")\" without a group at offset 1" },
    { "[a", "class without \"]\" at offset 0" },
    { "*a", "nothing to repeat before \"*\" at offset 0" },
    { "a**", "nothing to repeat before \"*\" at offset 2" },
    { "{2}", "nothing to repeat before \"{\"" },
    { "a{", "no number up to 65535 behind \"{\"" },
    { "a{x}", "no number up to 65535 behind \"{\"" },
    { "a{,2}", "no number up to 65535 behind \"{\"" },
    { "a{3,2}", "bad repetition" },
    { "a{2", "bad repetition" },
    { "a{70000}", "no number up to 65535" },
    { "a{1,99999999999999999999}", "no number up to 65535" },
    { "[b-a]", "bad range in a class" },
    { "[a-\\d]", "bad range in a class" },
    { "[a&&]", "nothing on one side of \"&&\"" },
    { "[&&a]", "nothing on one side of \"&&\"" },
    { "[a&&b&c]", "unsupported mix of \"&\" and \"&&\"" },
    { "[a&&[b]c]", "unsupported characters between a nested class" },
    { "\\", "nothing behind \"\\\"" },
    { "\\y", "unsupported escape \"\\y\"" },
    { "\\X", "unsupported escape \"\\X\"" },
    { "\\N{DIGIT ONE}", "unsupported escape \"\\N\"" },
    { "a\\E", "unsupported escape \"\\E\"" },
    { "[\\b]", "unsupported escape \"\\b\"" },
    { "\\x4", "bad escape \"\\x\"" },
    { "\\x{110000}", "bad escape \"\\x\"" },
    { "\\u12", "bad escape \"\\u\"" },
    { "\\ud83d", "bad escape \"\\u\"" },
    { "\\08", "bad escape \"\\0\"" },
    { "\\p{Foo}", "unsupported property \"Foo\"" },
    { "\\p{Lu}", "unsupported property \"Lu\"" },
    { "\\p{javaLowerCase}", "unsupported property" },
    { "\\p{L", "property without \"}\"" },
    { "(?u)a", "unsupported group or flag" },
    { "(?U)a", "unsupported group or flag" },
    { "(?d)a", "unsupported group or flag" },
    { "(?#comment)", "unsupported group or flag" },
    { "(?|a)", "unsupported group or flag" },
    { "(*UTF)a", "nothing to repeat before \"*\"" },
    { "(?<1>a)", "bad name of a group" },
    { "(?<a", "bad name of a group" },
    { "(?<a>x)(?<a>y)", "second group named \"a\"" },
    { "\\1", "reference to a group" },
    { "(a\\1)", "reference to a group" },
    { "\\k<a>", "reference to a group" },
    { "^*", "repeated assertion" },
    { "(?=a)+", "repeated assertion" },
    { "(a?)*", "repeated group that may match no text" },
    { "(?=(a))", "capture group in an atomic group" },
    { "(a|b)++", "capture group in an atomic group" },
    { "(?<=a*)b", "no translation of \"(?<=a*)b\": lookbehind" },
    { "(?x)[a b]", "unsupported blank or \"#\" in a class" },
    { "\xff", "invalid UTF-8 at offset 0" },
};


static void
refusals(void)
{
    char       deep[300], wide[200], large[16400] = "";
    size_t     i;
    tcr_str_t  pcre;

    for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        err.text[0] = '\0';

        ok(tcr_regex_translate(arena, tcr_str(refused[i].pattern), &pcre,
                               &err) == -1
           && pcre.data == NULL && strstr(err.text, refused[i].want) != NULL,
           "%s is refused", refused[i].pattern);
        printf("#   %s\n", err.text);
    }

    for (i = 0; i < 100; i++) {
        memcpy(deep + 3 * i, "(?:", 3);
    }

    ok(tcr_regex_translate(arena, tcr_str_n(deep, 300), &pcre, &err) == -1
       && strstr(err.text, "within each other") != NULL, "groups too deep");

    memset(deep, '[', 100);
    memset(deep + 100, ']', 100);
    ok(tcr_regex_translate(arena, tcr_str_n(deep, 200), &pcre, &err) == -1
       && strstr(err.text, "within each other") != NULL, "classes too deep");

    for (i = 0; i < 33; i++) {
        memcpy(wide + 3 * i, "(a)", 3);
    }

    for (i = 0; i + 5 <= 16384; i += 5) {
        memcpy(large + i, "\\p{L}", 5);
    }

    ok(tcr_regex_translate(arena, tcr_str_n(large, i), &pcre, &err) == -1
       && strstr(err.text, "bytes of translation") != NULL,
       "a translation that is too large");
    ok(tcr_regex_translate(arena, tcr_str_n(large, sizeof(large)), &pcre, &err)
       == -1 && strstr(err.text, "pattern of 16400 bytes") != NULL,
       "a pattern that is too large");

    is_int(tcr_regex_translate(arena, tcr_str_n(wide, 96), &pcre, &err), 0,
           "32 groups");
    is_int(tcr_regex_translate(arena, tcr_str_n(wide, 99), &pcre, &err), -1,
           "33 groups");
}


static void
same_groups(const tcr_json_t *want, const tcr_str_t *groups, int n,
    bool *same)
{
    int                i = 0;
    const tcr_json_t  *node;

    *same = tcr_json_is(want, TCR_JSON_ARRAY) ? n == (int) want->u.list.n
                                              : n == -1;

    for (node = tcr_json_first(want); *same && node; node = node->next, i++) {
        *same = tcr_json_is(node, TCR_JSON_NULL)
                ? groups[i].data == NULL
                : groups[i].data != NULL
                  && tcr_str_eq(groups[i], node->u.str);
    }
}


static bool
like_java(const tcr_json_t *line, tcr_str_t pcre, tcr_str_t text)
{
    int           n;
    bool          same, whole;
    unsigned      flags;
    tcr_str_t     groups[TCR_REGEX_GROUPS];
    tcr_regex_t  *search, *all;

    flags = tcr_json_bool(tcr_json_get(line, "caseless"), false)
            ? TCR_REGEX_CASELESS : 0;
    search = tcr_regex_compile(pcre, flags, &err);
    all = tcr_regex_compile(pcre, flags | TCR_REGEX_WHOLE, &err);

    if (search == NULL || all == NULL) {
        tcr_regex_free(search);
        tcr_regex_free(all);
        return false;
    }

    whole = tcr_regex_match(all, text);
    n = tcr_regex_groups(search, text, groups);
    same_groups(tcr_json_get(line, "groups"), groups, n, &same);

    tcr_regex_free(search);
    tcr_regex_free(all);

    return same && whole == tcr_json_bool(tcr_json_get(line, "whole"), !whole);
}


static void
check_line(tcr_str_t text)
{
    int                rc;
    bool               good;
    tcr_str_t          pattern, pcre;
    tcr_json_doc_t     doc;
    const tcr_json_t  *line;

    if (tcr_json_parse(&doc, arena, "regex_java.jsonl", text, &err) != 0) {
        ok(0, "%s", err.text);
        return;
    }

    line = doc.root;
    pattern = tcr_json_str(tcr_json_get(line, "pattern"), TCR_STR(""));
    rc = tcr_regex_translate(arena, pattern, &pcre, &err);

    if (tcr_json_bool(tcr_json_get(line, "error"), false)) {
        good = rc == -1;

    } else {
        good = rc == 0
               && like_java(line, pcre, tcr_json_str(tcr_json_get(line, "text"),
                                                     TCR_STR("")));
    }

    ok(good, "as Java: %.*s", TCR_STR_ARG(text));
}


static void
recorded(void)
{
    tcr_str_t   rest, line;
    tcr_file_t  file;

    if (tcr_file_map(&file, "t/data/unit/regex_java.jsonl", 1 << 20, &err)
        != 0)
    {
        ok(0, "%s", err.text);
        return;
    }

    rest = file.text;

    while (rest.data != NULL) {
        line = tcr_str_split(&rest, '\n');

        if (line.len != 0) {
            check_line(line);
        }
    }

    tcr_file_unmap(&file);
}


static tcr_regex_t *
compiled(const char *pattern, unsigned flags)
{
    tcr_str_t  pcre;

    if (tcr_regex_translate(arena, tcr_str(pattern), &pcre, &err) != 0) {
        return NULL;
    }

    return tcr_regex_compile(pcre, flags, &err);
}


static void
groups_and_limits(void)
{
    char          text[8192];
    size_t        i;
    tcr_str_t     groups[TCR_REGEX_GROUPS];
    tcr_regex_t  *re;

    re = compiled("/(a)?(b)(c*)", 0);
    is_int(tcr_regex_groups(re, TCR_STR("x/b"), groups), 3, "three groups");
    ok(groups[0].data == NULL, "one took no part");
    ok(tcr_str_eq(groups[1], TCR_STR("b")), "one did");
    ok(groups[2].data != NULL && groups[2].len == 0, "one is empty");
    is_int(tcr_regex_groups(re, TCR_STR("x"), groups), -1, "no match");
    tcr_regex_free(re);

    re = compiled("x", 0);
    is_int(tcr_regex_groups(re, TCR_STR("x"), groups), 0, "no groups");
    tcr_regex_free(re);

    for (i = 0; i < sizeof(text); i++) {
        text[i] = i % 2 == 0 ? 'a' : 'c';
    }

    re = compiled("(?:a|c|ac|ca)*[de][fg]", TCR_REGEX_WHOLE);
    ok(!tcr_regex_match(re, tcr_str_n(text, sizeof(text))),
       "a text that would take for ever does not match");
    text[100] = 'd';
    text[101] = 'f';
    ok(tcr_regex_match(re, tcr_str_n(text, 102)), "others still do");
    tcr_regex_free(re);

    for (i = 0; i + 3 <= sizeof(text); i += 3) {
        memcpy(text + i, "\xe6\x97\xa5", 3);
    }

    re = compiled(".*", TCR_REGEX_WHOLE);
    ok(tcr_regex_match(re, tcr_str_n(text, i)), "a long text beyond ASCII");
    tcr_regex_free(re);

    ok(tcr_regex_compile(TCR_STR("("), 0, &err) == NULL, "bad PCRE2: %s",
       err.text);
    ok(tcr_regex_compile(TCR_STR("(*UTF)a"), 0, &err) == NULL, "UTF: %s",
       err.text);
    tcr_regex_free(NULL);
}


int
main(void)
{
    arena = tcr_arena_create(0);

    if (arena == NULL) {
        return 1;
    }

    by_documentation();
    refusals();
    groups_and_limits();
    recorded();
    tcr_arena_destroy(arena);
    return done();
}
