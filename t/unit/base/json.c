/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The JSON reader: trees, offsets, positions, refusals, coercions.
 */

#include "tcr_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tap.h"


static tcr_arena_t  *arena;


static tcr_json_doc_t
parse(const char *text)
{
    tcr_err_t       err;
    tcr_json_doc_t  doc;

    if (tcr_json_parse(&doc, arena, "x.json", tcr_str(text), &err) != 0) {
        printf("# %s\n", err.text);
    }

    return doc;
}


static bool
text_is(tcr_str_t got, const char *want)
{
    return got.data != NULL && tcr_str_eq(got, tcr_str(want));
}


static void
trees(void)
{
    const char        *text;
    tcr_json_doc_t     doc;
    const tcr_json_t  *a, *b;

    text = " { \"a\" : [ 1 , \"two\", \"t\\\"hr\\u0065e\", null,true,false,"
           "-1.5e3 ], \"b\\u0062\":{}, \"a\": 7 } ";
    doc = parse(text);

    ok(tcr_json_is(doc.root, TCR_JSON_OBJECT), "object at the root");
    is_int(doc.root->offset, 1, "root's offset");
    is_int(doc.root->u.list.n, 3, "three members, equal names included");
    ok(tcr_json_get(doc.root, "a")->type == TCR_JSON_NUMBER,
       "of equal names the last wins");
    ok(tcr_json_get(doc.root, "c") == NULL, "no such member");
    ok(tcr_json_get(NULL, "c") == NULL, "no object, no member");
    ok(tcr_json_is(tcr_json_get(doc.root, "bb"), TCR_JSON_OBJECT),
       "an escaped name is unescaped");

    a = tcr_json_first(doc.root);
    ok(text_is(tcr_json_name(a), "a"), "name of the first member");
    is_int(a->u.list.n, 7, "seven elements");

    b = tcr_json_first(a);
    ok(text_is(b->u.str, "1") && text[b->offset] == '1', "integer");
    ok(b->name == NULL, "no name outside an object");

    b = b->next;
    ok(text_is(b->u.str, "two") && text[b->offset] == '"', "string");
    ok(b->u.str.data > text && b->u.str.data < text + strlen(text),
       "a plain string stays where it is");

    b = b->next;
    ok(text_is(b->u.str, "t\"hree") && text[b->offset + 1] == 't',
       "escaped string");

    b = b->next;
    ok(b->type == TCR_JSON_NULL && text[b->offset] == 'n', "null");

    b = b->next;
    ok(b->type == TCR_JSON_TRUE && text[b->offset] == 't', "true");

    b = b->next;
    ok(b->type == TCR_JSON_FALSE && text[b->offset] == 'f', "false");

    b = b->next;
    ok(text_is(b->u.str, "-1.5e3") && text[b->offset] == '-', "real");
    ok(b->next == NULL, "end of the array");

    a = a->next;
    ok(a->type == TCR_JSON_OBJECT && text[a->offset] == '{'
       && tcr_json_first(a) == NULL, "empty object");
    ok(tcr_json_first(b) == NULL && tcr_json_first(NULL) == NULL,
       "scalars have no children");

    doc = parse("  12");
    ok(text_is(doc.root->u.str, "12") && doc.root->offset == 2,
       "number that ends the text");
    is_int(tcr_json_int(doc.root, 0), 12, "its value");

    doc = parse("\t\"x\\\\\"");
    ok(text_is(doc.root->u.str, "x\\") && doc.root->offset == 1,
       "string that ends the text");
}


static const struct {
    const char  *raw;
    const char  *want;
    size_t       len;
} escapes[] = {
    { "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", 8 },
    { "\"\\u00e9\\u20AC\"", "\xc3\xa9\xe2\x82\xac", 5 },
    { "\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80", 4 },
    { "\"a\\u0000b\"", "a\0b", 3 },
    { "\"\\ud83dx\"", "?x", 2 },
    { "\"\\ud83d\"", "?", 1 },
    { "\"\\ude00\\ud83d\"", "??", 2 },
    { "\"\\ud83d\\u0041\"", "?A", 2 },
    { "\"\\ud83d\\n\\u0041\"", "?\nA", 3 },
    { "\"\xc3\xa9\\n\"", "\xc3\xa9\n", 3 },
};


static void
strings(void)
{
    size_t          i;
    tcr_json_doc_t  doc;

    for (i = 0; i < sizeof(escapes) / sizeof(escapes[0]); i++) {
        doc = parse(escapes[i].raw);

        ok(doc.root != NULL
           && tcr_str_eq(doc.root->u.str,
                         tcr_str_n(escapes[i].want, escapes[i].len)),
           "escapes of %s", escapes[i].raw);
    }
}


static const struct {
    const char  *what;
    const char  *text;
    size_t       len;             /* 0: to the NUL                           */
    const char  *want;
} bad[] = {
    { "nothing", "", 0, "x.json:1:1: no text" },
    { "blanks", " \n ", 0, "x.json:1:1: no text" },
    { "cut object", "{\"a\":1", 0, "x.json:1:7: parse error: premature EOF" },
    { "cut string", "[\"abc", 0, "x.json:1:6: parse error: premature EOF" },
    { "trailing text", "{} x", 0, "x.json:1:4: " },
    { "trailing beginning of a string", "{} \"x", 0, "x.json:1:4: " },
    { "two values", "{}\n\n{}", 0, "x.json:3:1: " },
    { "comma at the end", "[1,\n2,]", 0, "x.json:2:3: " },
    { "no colon", "{\"a\" 1}", 0, "x.json:1:6: " },
    { "bare word", "{\"a\": yes}", 0, "x.json:1:7: " },
    { "comment", "{ /* no */ }", 0, "probable comment" },
    { "NaN", "[NaN]", 0, "x.json:1:2: " },
    { "leading zero", "[01]", 0, "x.json:1:3: " },
    { "NUL byte", "[1,\0 2]", 7, "x.json:1:4: " },
    { "NUL in a string", "[\"a\0b\"]", 7, "x.json:1:4: " },
    { "vertical tab", "[\v1]", 0, "x.json:1:2: invalid control" },
    { "form feed", "{}\n \f", 0, "x.json:2:2: invalid control" },
    { "line end in a string", "[\"a\nb\"]", 0, "x.json:1:4: " },
    { "bad escape", "[\"\\x\"]", 0, "x.json:1:4: " },
    { "cut escape", "[\"\\u12\"]", 0, "x.json:1:7: " },
    { "bad UTF-8", "[\"\xff\"]", 0, "x.json:1:3: invalid UTF-8" },
    { "overlong UTF-8", "\n[\"\xc0\x80\"]", 0, "x.json:2:3: invalid UTF-8" },
    { "surrogate", "[\"\xed\xa0\x80\"]", 0, "x.json:1:3: invalid UTF-8" },
    { "above Unicode", "[\"\xf4\x90\x80\x80\"]", 0, "1:3: invalid UTF-8" },
    { "cut UTF-8", "\"\xe2\x82", 0, "x.json:1:2: invalid UTF-8" },
};


static void
refusals(void)
{
    size_t          i, len;
    tcr_err_t       err;
    tcr_json_doc_t  doc;

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        len = bad[i].len ? bad[i].len : strlen(bad[i].text);
        err.text[0] = '\0';

        ok(tcr_json_parse(&doc, arena, "x.json", tcr_str_n(bad[i].text, len),
                          &err) == -1
           && doc.root == NULL && strstr(err.text, bad[i].want) != NULL,
           "%s is refused", bad[i].what);
        printf("#   %s\n", err.text);
    }
}


static int
nested(int depth, char open, char close, tcr_err_t *err)
{
    char            text[2 * 200];
    tcr_json_doc_t  doc;

    memset(text, open, (size_t) depth);
    memset(text + depth, close, (size_t) depth);

    return tcr_json_parse(&doc, arena, "deep",
                          tcr_str_n(text, 2 * (size_t) depth), err);
}


static void
depths(void)
{
    tcr_err_t  err;

    is_int(nested(TCR_JSON_DEPTH, '[', ']', &err), 0, "deepest nesting");
    is_int(nested(TCR_JSON_DEPTH + 1, '[', ']', &err), -1, "one more");
    is_str(err.text, "deep:1:129: more than 128 nested values", "message");
}


/* Lines in and behind blocks of the index, without and with line ends. */
static void
positions(void)
{
    char            *text;
    size_t           i, n = 300000, line = 1, column = 1, wrong = 0;
    tcr_pos_t        pos;
    tcr_json_doc_t   doc;

    text = malloc(n);

    if (text == NULL) {
        abort();
    }

    text[0] = '[';

    for (i = 1; i < n - 2; i++) {
        text[i] = i % 7919 == 0 ? '\n' : ' ';
    }

    text[n - 2] = '1';
    text[n - 1] = ']';
    is_int(tcr_json_parse(&doc, arena, "f", tcr_str_n(text, n), NULL), 0,
           "a text of many blocks");

    for (i = 0; i < n; i++) {
        if (i % 97 == 0 || i % 65536 < 3 || text[i] == '\n') {
            pos = tcr_json_pos(&doc, i);
            wrong += pos.line != line || pos.column != column;
        }

        column++;

        if (text[i] == '\n') {
            line++;
            column = 1;
        }
    }

    is_int(wrong, 0, "all positions are those counted by hand");

    pos = tcr_json_pos(&doc, UINT64_MAX);
    is_int(pos.line, line, "an offset behind the text is its end");
    free(text);
}


#define D  -77                    /* the default in this table               */

static const struct {
    const char  *text;
    int64_t      as_int;
    int64_t      as_long;
    double       as_real;
    int          as_bool;         /* of default true; 2 = of both defaults   */
} scalars[] = {
    { "5", 5, 5, 5, 1 },
    { "0", 0, 0, 0, 0 },
    { "-0", 0, 0, 0, 0 },
    { "-12", -12, -12, -12, 1 },
    { "1.9", 1, 1, 1.9, 1 },
    { "-1.9", -1, -1, -1.9, 1 },
    { "0.0", 0, 0, 0, 0 },
    { "1e3", 1000, 1000, 1000, 1 },
    { "1e30", INT32_MAX, INT64_MAX, 1e30, 1 },
    { "-1e30", INT32_MIN, INT64_MIN, -1e30, 1 },
    { "2147483647", INT32_MAX, INT32_MAX, 2147483647., 1 },
    { "2147483648", INT32_MIN, 2147483648LL, 2147483648., 1 },
    { "4294967301", 5, 4294967301LL, 4294967301., 1 },
    { "9223372036854775807", -1, INT64_MAX, 9223372036854775807., 1 },
    { "18446744073709551617", 1, 1, 18446744073709551617., 1 },
    { "\"5\"", 5, 5, 5, 2 },
    { "\" +5 \"", 5, 5, 5, 2 },
    { "\"\\t-5\\n\"", -5, -5, -5, 2 },
    { "\"007\"", 7, 7, 7, 2 },
    { "\"1.9\"", 1, 1, 1.9, 2 },
    { "\"-.5e1\"", -5, -5, -5, 2 },
    { "\"5.\"", 5, 5, 5, 2 },
    { "\"1e400\"", INT32_MAX, INT64_MAX, INFINITY, 2 },
    { "\"2147483647\"", INT32_MAX, INT32_MAX, 2147483647., 2 },
    { "\"2147483648\"", D, 2147483648LL, 2147483648., 2 },
    { "\"-2147483648\"", INT32_MIN, INT32_MIN, -2147483648., 2 },
    { "\"-2147483649\"", D, -2147483649LL, -2147483649., 2 },
    { "\"2147483648.5\"", INT32_MAX, 2147483648LL, 2147483648.5, 2 },
    { "\"9223372036854775807\"", D, INT64_MAX, 9223372036854775807., 2 },
    { "\"9223372036854775808\"", D, D, 9223372036854775808., 2 },
    { "\"-9223372036854775808\"", D, INT64_MIN, -9223372036854775808., 2 },
    { "\"99999999999999999999\"", D, D, 99999999999999999999., 2 },
    { "\"\"", D, D, D, 2 },
    { "\" \"", D, D, D, 2 },
    { "\"-\"", D, D, D, 2 },
    { "\"+-5\"", D, D, D, 2 },
    { "\".\"", D, D, D, 2 },
    { "\"1e\"", D, D, D, 2 },
    { "\"1e+\"", D, D, D, 2 },
    { "\"5 x\"", D, D, D, 2 },
    { "\"0x10\"", D, D, D, 2 },
    { "\"nan\"", D, D, D, 2 },
    { "\"inf\"", D, D, D, 2 },
    { "\"1\\u00002\"", D, D, D, 2 },
    { "true", 1, 1, 1, 1 },
    { "false", 0, 0, 0, 0 },
    { "\"true\"", D, D, D, 1 },
    { "\" false\\n\"", D, D, D, 0 },
    { "\"True\"", D, D, D, 2 },
    { "\"FALSE\"", D, D, D, 2 },
    { "\"yes\"", D, D, D, 2 },
    { "null", D, D, D, 2 },
    { "[]", D, D, D, 2 },
    { "{\"a\":1}", D, D, D, 2 },
};


/* Each value stands alone, and between others. */
static void
scalar(size_t i, bool in_array)
{
    bool               yes, no;
    char               text[128];
    const char        *where = in_array ? "in an array" : "alone";
    tcr_json_doc_t     doc;
    const tcr_json_t  *node;

    snprintf(text, sizeof(text), "%s%s%s", in_array ? "[" : "",
             scalars[i].text, in_array ? "]" : "");
    doc = parse(text);
    node = in_array ? tcr_json_first(doc.root) : doc.root;

    is_int(tcr_json_int(node, D), scalars[i].as_int, "int of %s %s",
           scalars[i].text, where);
    is_int(tcr_json_long(node, D), scalars[i].as_long, "long of %s %s",
           scalars[i].text, where);
    ok(tcr_json_real(node, D) == scalars[i].as_real, "real of %s %s",
       scalars[i].text, where);

    yes = tcr_json_bool(node, true);
    no = tcr_json_bool(node, false);

    ok(scalars[i].as_bool == 2 ? yes && !no
                               : yes == no && yes == (scalars[i].as_bool == 1),
       "boolean of %s %s", scalars[i].text, where);
}


static void
texts(void)
{
    tcr_str_t          def = TCR_STR("d");
    tcr_json_doc_t     doc;
    const tcr_json_t  *node;

    doc = parse("[\"s\",12,1.50,true,false,null,[],{}]");
    node = tcr_json_first(doc.root);

    ok(text_is(tcr_json_str(node, def), "s"), "text of a string");
    node = node->next;
    ok(text_is(tcr_json_str(node, def), "12"), "text of an integer");
    node = node->next;
    ok(text_is(tcr_json_str(node, def), "1.50"), "text of a real");
    node = node->next;
    ok(text_is(tcr_json_str(node, def), "true"), "text of true");
    node = node->next;
    ok(text_is(tcr_json_required_str(node), "false"), "text of false");
    node = node->next;
    ok(text_is(tcr_json_str(node, def), "d"), "null gives the default");
    ok(text_is(tcr_json_required_str(node), "null"), "or its name");
    node = node->next;
    ok(text_is(tcr_json_str(node, def), ""), "an array gives no text");
    node = node->next;
    ok(text_is(tcr_json_required_str(node), ""), "an object gives no text");
    ok(text_is(tcr_json_str(NULL, def), "d"), "absent gives the default");
    ok(text_is(tcr_json_required_str(NULL), ""), "or no text");
    is_int(tcr_json_int(NULL, 3), 3, "absent int");
    is_int(tcr_json_long(NULL, 3), 3, "absent long");
    ok(tcr_json_real(NULL, 3) > 2, "absent real");
    ok(tcr_json_bool(NULL, true), "absent boolean");
}


int
main(void)
{
    size_t  i;

    arena = tcr_arena_create(0);

    if (arena == NULL) {
        return 1;
    }

    trees();
    strings();
    refusals();
    depths();
    positions();

    for (i = 0; i < sizeof(scalars) / sizeof(scalars[0]); i++) {
        scalar(i, false);
        scalar(i, true);
    }

    texts();
    tcr_arena_destroy(arena);
    return done();
}
