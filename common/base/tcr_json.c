/* SPDX-License-Identifier: Apache-2.0 */

/*
 * yajl's events made into a tree.
 *
 * The whole text is handed to yajl at once.  Between two events there are only
 * blanks, commas and colons, so a value begins at the first other byte behind
 * the end of the event before it; yajl's count of consumed bytes is that end.
 */

#include "tcr_json.h"
#include "tcr_json_text.h"

#include <yajl/yajl_parse.h>


typedef struct {
    tcr_json_t   *node;
    tcr_json_t  **tail;           /* where the next child is hooked in       */
} level_t;

typedef struct {
    tcr_json_doc_t  *doc;
    tcr_arena_t     *arena;
    tcr_err_t       *err;         /* filled when an event was refused        */
    yajl_handle      yajl;
    size_t           end;         /* of the last event                       */
    tcr_str_t        name;        /* of the member to come                   */
    size_t           depth;
    level_t          stack[TCR_JSON_DEPTH + 1];
} parser_t;


static int
refuse(parser_t *p, size_t offset, const char *what)
{
    tcr_pos_t  pos = tcr_json_pos(p->doc, offset);

    tcr_err_at(p->err, &pos, "%s", what);
    return 0;
}


/*
 * Moves to the end of this event and returns where its token began.  yajl
 * hands over a number at the very end of the text only when told that the
 * text is complete, and counts from 0 again then.
 */
static size_t
token(parser_t *p)
{
    size_t       start = p->end;
    tcr_str_t    text = p->doc->text;

    while (start < text.len && strchr(" \t\r\n,:", text.data[start]) != NULL) {
        start++;
    }

    p->end = yajl_get_bytes_consumed(p->yajl);

    if (p->end <= start) {
        p->end = text.len;
    }

    return start;
}


/* A string's text: in place, or unescaped in the arena. */
static bool
string(parser_t *p, tcr_str_t *s)
{
    size_t     start = token(p) + 1;
    tcr_str_t  raw = tcr_str_n(p->doc->text.data + start, p->end - start - 1);

    if (tcr_str_find(raw, '\\') == raw.len) {
        *s = raw;
        return true;
    }

    *s = tcr_json_unescape(p->arena, raw);
    return s->data != NULL;
}


/* A new node hooked in behind its elder sibling; NULL when out of memory. */
static tcr_json_t *
add(parser_t *p, tcr_json_type_e type, size_t offset)
{
    level_t     *top = &p->stack[p->depth];
    tcr_json_t  *node;

    node = tcr_arena_alloc(p->arena, sizeof(*node));

    if (node == NULL) {
        refuse(p, offset, "out of memory");
        return NULL;
    }

    node->next = NULL;
    node->u.list.first = NULL;
    node->u.list.n = 0;
    node->name = p->name.data;
    node->name_len = (uint32_t) p->name.len;
    node->type = type;
    node->offset = offset;

    p->name = tcr_str_n(NULL, 0);

    *top->tail = node;
    top->tail = &node->next;

    if (top->node != NULL) {
        top->node->u.list.n++;
    }

    return node;
}


static int
on_null(void *ctx)
{
    parser_t  *p = ctx;

    return add(p, TCR_JSON_NULL, token(p)) != NULL;
}


static int
on_boolean(void *ctx, int value)
{
    parser_t  *p = ctx;

    return add(p, value ? TCR_JSON_TRUE : TCR_JSON_FALSE, token(p)) != NULL;
}


static int
on_number(void *ctx, const char *data, size_t len)
{
    size_t       start;
    parser_t    *p = ctx;
    tcr_str_t    text;
    tcr_json_t  *node;

    start = token(p);
    node = add(p, TCR_JSON_NUMBER, start);

    if (node == NULL) {
        return 0;
    }

    /* a NUL or a byte of the text follows every number: see tcr_json_real() */
    if (start + len < p->doc->text.len) {
        node->u.str = tcr_str_n(p->doc->text.data + start, len);
        return 1;
    }

    text = tcr_arena_strdup(p->arena, tcr_str_n(data, len));

    if (text.data == NULL) {
        return refuse(p, start, "out of memory");
    }

    node->u.str = text;
    return 1;
}


static int
on_string(void *ctx, const unsigned char *data, size_t len)
{
    size_t       start;
    parser_t    *p = ctx;
    tcr_str_t    text;
    tcr_json_t  *node;

    (void) data;
    (void) len;

    if (!string(p, &text)) {
        return refuse(p, p->end, "out of memory");
    }

    start = (size_t) (p->end);
    node = add(p, TCR_JSON_STRING, start);

    if (node == NULL) {
        return 0;
    }

    node->u.str = text;
    return 1;
}
