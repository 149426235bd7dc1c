/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Any bytes as JSON: refused with a position, or a tree whose nodes lie in
 * the text in document order and whose strings are UTF-8.
 */

#include "tcr_json.h"
#include "tcr_utf8.h"

#include <stdlib.h>


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
check_utf8(tcr_str_t s)
{
    size_t  at, n;

    for (at = 0; at < s.len; at += n) {
        n = tcr_utf8_len(s.data + at, s.len - at);

        if (n == 0) {
            abort();
        }
    }
}


static void
check_scalar(const tcr_json_t *node)
{
    int64_t    n;
    tcr_str_t  s;

    n = tcr_json_int(node, 0);

    if (n < INT32_MIN || n > INT32_MAX) {
        abort();
    }

    (void) tcr_json_long(node, 0);
    (void) tcr_json_bool(node, tcr_json_real(node, 0) > 0);

    s = tcr_json_required_str(node);

    if (s.data == NULL) {
        abort();
    }

    check_utf8(s);
}


static char
first_byte(const tcr_json_t *node)
{
    static const char  bytes[] = "nft0\"[{";

    return bytes[node->type];
}


/* Bounded recursion: the reader refuses deeper texts. */
static void
check(const tcr_json_doc_t *doc, const tcr_json_t *node, uint64_t *last)
{
    char               c;
    size_t             n = 0;
    const tcr_json_t  *child;

    if (node->offset >= doc->text.len || node->offset < *last) {
        abort();
    }

    *last = node->offset + 1;
    c = doc->text.data[node->offset];

    if (c != first_byte(node)
        && !(node->type == TCR_JSON_NUMBER && (c == '-' || (c > '0'
                                                            && c <= '9'))))
    {
        abort();
    }

    if (node->name != NULL) {
        check_utf8(tcr_json_name(node));
    }

    check_scalar(node);

    for (child = tcr_json_first(node); child != NULL; child = child->next) {
        n++;
        check(doc, child, last);

        if ((child->name != NULL) != (node->type == TCR_JSON_OBJECT)) {
            abort();
        }
    }

    if (node->type >= TCR_JSON_ARRAY && n != node->u.list.n) {
        abort();
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t         last = 0;
    tcr_err_t        err;
    tcr_arena_t     *arena;
    tcr_json_doc_t   doc;

    arena = tcr_arena_create(0);

    if (arena == NULL) {
        return 0;
    }

    err.text[0] = '\0';

    if (tcr_json_parse(&doc, arena, "f", tcr_str_n((const char *) data, size),
                       &err) == 0)
    {
        check(&doc, doc.root, &last);

    } else if (strncmp(err.text, "f:", 2) != 0 || doc.root != NULL) {
        abort();
    }

    tcr_arena_destroy(arena);
    return 0;
}
