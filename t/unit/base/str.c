/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Strings, errors, arenas, buffers, UTF-8 and the clock.
 */

#include "tcr_buf.h"
#include "tcr_clock.h"
#include "tcr_err.h"
#include "tcr_utf8.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"


static bool
is(tcr_str_t got, const char *want)
{
    return tcr_str_eq(got, tcr_str(want));
}


static void
comparing(void)
{
    tcr_str_t  none = { NULL, 0 };

    ok(tcr_str_ieq(TCR_STR("AbZ"), TCR_STR("aBz")), "equal but for case");
    ok(!tcr_str_ieq(TCR_STR("["), TCR_STR("{")), "only letters have case");
    ok(!tcr_str_ieq(TCR_STR("\xc9"), TCR_STR("\xe9")), "only ASCII letters");
    ok(!tcr_str_ieq(TCR_STR("ab"), TCR_STR("a")), "lengths differ");
    ok(tcr_str_ieq(none, TCR_STR("")), "absent and empty hold the same");

    ok(tcr_str_cmp(TCR_STR("a"), TCR_STR("ab")) < 0, "prefix first");
    ok(tcr_str_cmp(TCR_STR("b"), TCR_STR("ab")) > 0, "byte order");
    ok(tcr_str_cmp(TCR_STR("\xff"), TCR_STR("a")) > 0, "bytes are unsigned");
    ok(tcr_str_cmp(none, TCR_STR("")) == 0, "nothing equals nothing");

    ok(tcr_str_starts(TCR_STR("abc"), TCR_STR("ab")), "starts");
    ok(!tcr_str_starts(TCR_STR("a"), TCR_STR("ab")), "too short to start");
    ok(tcr_str_ends(TCR_STR("abc"), TCR_STR("bc")), "ends");
    ok(!tcr_str_ends(TCR_STR("c"), TCR_STR("bc")), "too short to end");
    ok(tcr_str_starts(none, none) && tcr_str_ends(none, none), "nothing does");

    is_int(tcr_str_find(TCR_STR("a.b.c"), '.'), 1, "first dot");
    is_int(tcr_str_find(TCR_STR("abc"), '.'), 3, "no dot");
    is_int(tcr_str_find(none, '.'), 0, "nothing to find");
}


static void
cutting(void)
{
    tcr_str_t  rest, piece;

    ok(is(tcr_str_trim(TCR_STR(" \t\nab c\r ")), "ab c"), "trimmed");
    is_int(tcr_str_trim(TCR_STR("  ")).len, 0, "all blanks");

    rest = TCR_STR("a,,b");
    ok(is(tcr_str_split(&rest, ','), "a"), "first piece");
    piece = tcr_str_split(&rest, ',');
    ok(piece.data != NULL && piece.len == 0, "empty piece");
    ok(is(tcr_str_split(&rest, ','), "b") && rest.data == NULL, "last piece");
    ok(tcr_str_split(&rest, ',').data == NULL, "nothing is left");

    rest = TCR_STR("a,");
    tcr_str_split(&rest, ',');
    ok(rest.data != NULL && rest.len == 0, "empty piece behind the last comma");
}


static const struct {
    const char  *text;
    uint64_t     min;
    uint64_t     max;
    int          rc;
    uint64_t     want;
} numbers[] = {
    { "0", 0, 9, 0, 0 },
    { "007", 0, 9, 0, 7 },
    { "65535", 1, 65535, 0, 65535 },
    { "65536", 1, 65535, -1, 0 },
    { "0", 1, 65535, -1, 0 },
    { "18446744073709551615", 0, UINT64_MAX, 0, UINT64_MAX },
    { "18446744073709551616", 0, UINT64_MAX, -1, 0 },
    { "99999999999999999999", 0, UINT64_MAX, -1, 0 },
    { "", 0, 9, -1, 0 },
    { "-1", 0, 9, -1, 0 },
    { "+1", 0, 9, -1, 0 },
    { " 1", 0, 9, -1, 0 },
    { "1x", 0, 9, -1, 0 },
    { "0x1", 0, 9, -1, 0 },
};


static void
parsing(void)
{
    int       rc;
    size_t    i;
    uint64_t  n;

    for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        n = 0;
        rc = tcr_parse_uint(tcr_str(numbers[i].text), numbers[i].min,
                            numbers[i].max, &n);
        ok(rc == numbers[i].rc && n == numbers[i].want,
           "\"%s\" in %ju..%ju", numbers[i].text,
           (uintmax_t) numbers[i].min, (uintmax_t) numbers[i].max);
    }
}


static const struct {
    const char  *bytes;
    size_t       len;
    uint32_t     code;
} characters[] = {
    { "a", 1, 'a' },
    { "\x7f", 1, 0x7f },
    { "\xc2\x80", 2, 0x80 },
    { "\xdf\xbf", 2, 0x7ff },
    { "\xe0\xa0\x80", 3, 0x800 },
    { "\xed\x9f\xbf", 3, 0xd7ff },
    { "\xee\x80\x80", 3, 0xe000 },
    { "\xef\xbf\xbf", 3, 0xffff },
    { "\xf0\x90\x80\x80", 4, 0x10000 },
    { "\xf4\x8f\xbf\xbf", 4, 0x10ffff },
    { "\x80", 0, 0 },
    { "\xc0\x80", 0, 0 },
    { "\xc1\xbf", 0, 0 },
    { "\xe0\x9f\xbf", 0, 0 },
    { "\xed\xa0\x80", 0, 0 },
    { "\xf0\x8f\xbf\xbf", 0, 0 },
    { "\xf4\x90\x80\x80", 0, 0 },
    { "\xf5\x80\x80\x80", 0, 0 },
    { "\xff", 0, 0 },
    { "\xc3", 0, 0 },
    { "\xc3(", 0, 0 },
    { "\xe2\x82", 0, 0 },
    { "\xe2(\xac", 0, 0 },
};


static void
utf8(void)
{
    char      out[4];
    size_t    i, n;
    uint32_t  code;

    for (i = 0; i < sizeof(characters) / sizeof(characters[0]); i++) {
        code = 0;
        n = tcr_utf8_get(characters[i].bytes, strlen(characters[i].bytes),
                         &code);

        ok(n == characters[i].len && (n == 0 || code == characters[i].code),
           "character in row %zu", i);

        if (n != 0) {
            ok(tcr_utf8_put(out, code) == n
               && memcmp(out, characters[i].bytes, n) == 0, "and back");
        }
    }

    is_int(tcr_utf8_len("", 0), 0, "no bytes");
}


static void
errors(void)
{
    char           name[2000];
    size_t         i;
    tcr_pos_t      pos = { "f.json", 3, 7 };
    tcr_err_t      err;
    tcr_arena_t   *arena;
    tcr_report_t   report;

    tcr_err_set(&err, "\"%s\" %d", "a\nforged\x1b\x7f\xc3\xa9", 1);
    is_str(err.text, "\"a\\x0aforged\\x1b\\x7f\xc3\xa9\" 1",
           "one line whatever stands in it");

    is_int(tcr_err_set(&err, "bad \"%s\"", "x"), -1, "an error is -1");
    is_str(err.text, "bad \"x\"", "its text");
    is_int(tcr_err_set(NULL, "x"), -1, "nobody wants to know");
    is_int(tcr_err_at(NULL, &pos, "x"), -1, "nor where");

    tcr_err_at(&err, &pos, "bad");
    is_str(err.text, "f.json:3:7: bad", "with a position");
    pos.column = 0;
    tcr_err_at(&err, &pos, "bad");
    is_str(err.text, "f.json:3: bad", "with a line");
    pos.line = 0;
    tcr_err_at(&err, &pos, "bad");
    is_str(err.text, "f.json: bad", "with a file");

    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    pos.file = name;
    tcr_err_at(&err, &pos, "bad");
    is_str(err.text, "bad", "a name that is too long gives way");
    tcr_err_set(&err, "%s", name);
    is_int(strlen(err.text), sizeof(err.text) - 1, "a long text is cut");

    arena = tcr_arena_create(0);
    tcr_report_init(&report, arena, 2);

    for (i = 0; i < 3; i++) {
        tcr_report_add(&report, TCR_REPORT_LEFT_OUT, "problem %zu", i);
    }

    tcr_report_add(NULL, TCR_REPORT_ERROR, "unheard");
    is_int(report.kept, 2, "kept up to the limit");
    is_int(report.count[TCR_REPORT_LEFT_OUT], 3, "all are counted");
    is_int(report.count[TCR_REPORT_ERROR], 0, "by severity");
    is_str(report.first->text, "problem 0", "the first");
    is_str(report.first->next->text, "problem 1", "the second");
    ok(report.last == report.first->next && report.last->next == NULL, "last");
    tcr_arena_destroy(arena);
}


static void
arenas(void)
{
    char         *p;
    size_t        i, wrong = 0, size;
    tcr_mem_t     mem;
    tcr_str_t     s;
    tcr_arena_t  *arena;

    arena = tcr_arena_create(1000);

    for (i = 0; i < 3000; i++) {
        p = tcr_arena_alloc(arena, i % 700);
        wrong += p == NULL || (uintptr_t) p % _Alignof(max_align_t) != 0;

        if (p != NULL) {
            memset(p, 0xa5, i % 700);
        }
    }

    is_int(wrong, 0, "every block is there and aligned");

    p = tcr_arena_calloc(arena, 10, 7);
    ok(p != NULL && p[0] == 0 && memcmp(p, p + 1, 69) == 0, "zeroed");
    ok(tcr_arena_calloc(arena, SIZE_MAX / 2, 3) == NULL, "n * size wraps");
    ok(tcr_arena_alloc(arena, SIZE_MAX) == NULL, "all there is");
    ok(tcr_arena_alloc(arena, SIZE_MAX - 100) == NULL, "nearly all there is");

    s = tcr_arena_strdup(arena, tcr_str_n("a\0bc", 3));
    ok(s.len == 3 && memcmp(s.data, "a\0b", 4) == 0, "copy with a NUL");
    is_str(tcr_arena_printf(arena, "%s-%d", "x", 5), "x-5", "formatted");

    mem = tcr_arena_mem(arena);
    ok(tcr_mem_alloc(&mem, 10) != NULL, "as a lender of memory");

    size = tcr_arena_size(arena);
    ok(size > 3000 * 300, "%zu bytes are held", size);
    tcr_arena_reset(arena);
    ok(tcr_arena_size(arena) < 2000, "%zu are kept", tcr_arena_size(arena));
    ok(tcr_arena_alloc(arena, 100) != NULL, "and used again");
    tcr_arena_destroy(arena);

    arena = tcr_arena_create(1000);
    tcr_arena_reset(arena);
    p = tcr_arena_alloc(arena, 1 << 20);
    ok(p != NULL, "larger than a chunk");
    tcr_arena_reset(arena);
    ok(tcr_arena_size(arena) < 2000, "is not kept");
    tcr_arena_destroy(arena);
    tcr_arena_destroy(NULL);
}


static const struct {
    const char  *raw;
    const char  *want;
} quoted[] = {
    { "", "\"\"" },
    { "plain", "\"plain\"" },
    { "a\"b\\c", "\"a\\\"b\\\\c\"" },
    { "\n\r\t\x01\x1f", "\"\\n\\r\\t\\u0001\\u001f\"" },
    { "\x7f/\xc3\xa9", "\"\x7f/\xc3\xa9\"" },
    { "\xc3", "\"\xef\xbf\xbd\"" },
    { "a\xe2\x82z\xff", "\"a\xef\xbf\xbd\xef\xbf\xbdz\xef\xbf\xbd\"" },
};


static void
buffers(void)
{
    char       small[5], big[1000];
    size_t     i;
    tcr_buf_t  buf;
    tcr_out_t  out = { small, small + sizeof(small), false };

    tcr_buf_init(&buf, 2000);

    for (i = 0; i < sizeof(quoted) / sizeof(quoted[0]); i++) {
        tcr_buf_reset(&buf);
        tcr_buf_json_str(&buf, tcr_str(quoted[i].raw));
        ok(is(tcr_str_n(buf.data, buf.len), quoted[i].want), "JSON string %zu",
           i);
    }

    tcr_buf_reset(&buf);
    tcr_buf_json_str(&buf, tcr_str_n(NULL, 0));
    ok(is(tcr_str_n(buf.data, buf.len), "\"\""), "JSON string of nothing");

    memset(big, 'x', sizeof(big) - 1);
    big[sizeof(big) - 1] = '\0';
    tcr_buf_reset(&buf);
    tcr_buf_printf(&buf, "%d,%s", 7, big);
    ok(!buf.failed && buf.len == 1001 && memcmp(buf.data, "7,xx", 4) == 0,
       "formatted, longer than the first try");
    tcr_buf_printf(&buf, "%s", big);
    is_int(buf.len, 2000, "filled to the limit");
    ok(!buf.failed, "which is allowed");
    tcr_buf_char(&buf, 'x');
    ok(buf.failed && buf.len == 2000, "one more is a failure");
    tcr_buf_reset(&buf);
    ok(!buf.failed && buf.len == 0, "forgotten by a reset");
    tcr_buf_free(&buf);
    tcr_buf_str(&buf, TCR_STR("again"));
    ok(is(tcr_str_n(buf.data, buf.len), "again"), "usable after free");
    tcr_buf_free(&buf);

    tcr_out_uint(&out, 0);
    tcr_out_char(&out, '-');
    ok(!out.cut, "fits");
    tcr_out_uint(&out, UINT64_MAX);
    ok(out.cut && memcmp(small, "0-184", 5) == 0, "cut at the end");
    tcr_out_char(&out, 'x');
    ok(out.pos == small + sizeof(small), "nothing is written behind it");
}


/* A new process's time, which reads the environment. */
static int64_t
now_with(const char *stop)
{
    int      ends[2];
    int64_t  now = -1;
    pid_t    child;

    if (pipe(ends) != 0) {
        return -1;
    }

    child = fork();

    if (child == 0) {
        setenv("TCR_TEST_NOW", stop, 1);
        now = tcr_now_ms();
        _exit(write(ends[1], &now, sizeof(now)) != sizeof(now));
    }

    close(ends[1]);

    if (read(ends[0], &now, sizeof(now)) != sizeof(now)) {
        now = -1;
    }

    close(ends[0]);
    waitpid(child, NULL, 0);
    return now;
}


/* Names that differ in a digit or two, as a CDN's do. */
static uint64_t
hash_of(unsigned number)
{
    char  text[64];
    int   n = snprintf(text, sizeof(text), "service-%06u.cdn.example.net",
                       number);

    return tcr_str_hash(tcr_str_n(text, (size_t) n));
}


static void
hashes(void)
{
    char            text[40] = "abcdefghijklmnopqrstuvwxyz0123456789";
    size_t          i, n, same, taken;
    uint64_t        first;
    static uint8_t  high[65536], low[65536];

    for (n = 0, same = 0; n <= 36; n++) {
        first = tcr_str_hash(tcr_str_n(text, n));

        for (i = 0; i < n; i++) {
            text[i] ^= 1;
            same += tcr_str_hash(tcr_str_n(text, n)) == first;
            text[i] ^= 1;
        }

        same += tcr_str_hash(tcr_str_n(text, n)) != first;
        same += tcr_str_hash(tcr_str_n(text, n + 1)) == first;
    }

    is_int(same, 0, "each byte and the length count, nothing else");

    for (i = 0; i < 65536; i++) {
        high[hash_of((unsigned) i) >> 48] = 1;
        low[hash_of((unsigned) i) & 0xffff] = 1;
    }

    /* 65536 (1 - 1/e) = 41427 places are taken by chance, +- 101 */
    for (i = 0, taken = 0; i < 65536; i++) {
        taken += high[i];
    }

    ok(taken > 40900 && taken < 41950, "the upper half is spread evenly");

    for (i = 0, taken = 0; i < 65536; i++) {
        taken += low[i];
    }

    ok(taken > 40900 && taken < 41950, "the lower half, too");
}


static void
clocks(void)
{
    int64_t  ticks = tcr_ticks_ns();

    ok(now_with("1700000000") == INT64_C(1700000000000), "stopped clock");
    ok(now_with("soon") > INT64_C(1700000000000),
       "not a time: it goes on");
    ok(now_with("18446744073709551615") > INT64_C(1700000000000),
       "no such time: it goes on");
    ok(tcr_now_ms() > INT64_C(1700000000000), "running clock");

    ok(tcr_ticks_ns() > ticks, "ticks grow");
    ok(tcr_ticks_ms() >= ticks / 1000000, "in milliseconds, too");
}


int
main(void)
{
    comparing();
    cutting();
    parsing();
    utf8();
    errors();
    arenas();
    buffers();
    hashes();
    clocks();
    return done();
}
