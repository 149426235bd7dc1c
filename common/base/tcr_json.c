/* SPDX-License-Identifier: Apache-2.0 */

/*
 * yajl's events made into a tree.
 *
 * Between two events there are only blanks, commas and colons: a value begins
 * at the first other byte behind the end of the event before it, and its own
 * text says where it ends.  So offsets need nothing of yajl's inner state.
 */

#include "tcr_json.h"
#include "tcr_json_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <yajl/yajl_parse.h>

#include "tcr_wipe.h"


typedef struct {
    tcr_json_t   *node;           /* NULL outside the root                   */
    tcr_json_t  **tail;           /* where the next child is hooked in       */
} level_t;

typedef struct {
    tcr_json_doc_t  *doc;
    tcr_arena_t     *arena;
    tcr_err_t       *err;         /* filled when a callback refused          */
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


static bool
between(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ','
           || c == ':';
}


/* First byte of the event that is being told. */
static size_t
begin(const parser_t *p)
{
    size_t     at = p->end;
    tcr_str_t  text = p->doc->text;

    while (at < text.len && between(text.data[at])) {
        at++;
    }

    return at;
}


/* A new node, hooked in behind its elder sibling. */
static tcr_json_t *
add(parser_t *p, tcr_json_type_e type, size_t offset, size_t len)
{
    level_t     *top = &p->stack[p->depth];
    tcr_json_t  *node;

    node = tcr_arena_alloc(p->arena, sizeof(*node));

    if (node == NULL) {
        refuse(p, offset, "out of memory");
        return NULL;
    }

    *node = (tcr_json_t) {
        .name = p->name.data,
        .name_len = (uint32_t) p->name.len,
        .type = type,
        .offset = offset
    };

    p->name = tcr_str_n(NULL, 0);
    p->end = offset + len;

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
    return add(ctx, TCR_JSON_NULL, begin(ctx), 4) != NULL;
}


static int
on_boolean(void *ctx, int value)
{
    if (value) {
        return add(ctx, TCR_JSON_TRUE, begin(ctx), 4) != NULL;
    }

    return add(ctx, TCR_JSON_FALSE, begin(ctx), 5) != NULL;
}


static int
on_number(void *ctx, const char *data, size_t len)
{
    size_t       start = begin(ctx);
    parser_t    *p = ctx;
    tcr_json_t  *node;

    node = add(p, TCR_JSON_NUMBER, start, len);

    if (node == NULL) {
        return 0;
    }

    if (p->end < p->doc->text.len) {
        node->u.str = tcr_str_n(p->doc->text.data + start, len);
        return 1;
    }

    /* the text ends here: tcr_json_real() wants a byte behind the digits */
    node->u.str = tcr_arena_strdup(p->arena, tcr_str_n(data, len));

    return node->u.str.data != NULL || refuse(p, start, "out of memory");
}


/*
 * The string that begins at offset; *end = behind its closing quote.  yajl
 * points into our text when there was nothing to unescape.
 */
static tcr_str_t
string(parser_t *p, size_t offset, const unsigned char *data, size_t len,
    size_t *end)
{
    const char  *raw = p->doc->text.data + offset + 1;

    if ((const char *) data == raw) {
        *end = offset + len + 2;
        return tcr_str_n(raw, len);
    }

    len = tcr_json_raw_len(tcr_str_n(raw, p->doc->text.len - offset - 1));
    *end = offset + len + 2;

    return tcr_json_unescape(p->arena, tcr_str_n(raw, len));
}


static int
on_string(void *ctx, const unsigned char *data, size_t len)
{
    size_t       end, start = begin(ctx);
    parser_t    *p = ctx;
    tcr_str_t    text;
    tcr_json_t  *node;

    text = string(p, start, data, len, &end);

    if (text.data == NULL) {
        return refuse(p, start, "out of memory");
    }

    node = add(p, TCR_JSON_STRING, start, end - start);

    if (node == NULL) {
        return 0;
    }

    node->u.str = text;
    return 1;
}


static int
on_name(void *ctx, const unsigned char *data, size_t len)
{
    size_t     start = begin(ctx);
    parser_t  *p = ctx;

    p->name = string(p, start, data, len, &p->end);

    if (p->name.data == NULL) {
        return refuse(p, start, "out of memory");
    }

    return 1;
}


static int
open_container(parser_t *p, tcr_json_type_e type)
{
    char         what[64];
    size_t       start = begin(p);
    tcr_json_t  *node;

    if (p->depth == TCR_JSON_DEPTH) {
        snprintf(what, sizeof(what), "more than %d nested values",
                 TCR_JSON_DEPTH);
        return refuse(p, start, what);
    }

    node = add(p, type, start, 1);

    if (node == NULL) {
        return 0;
    }

    p->depth++;
    p->stack[p->depth].node = node;
    p->stack[p->depth].tail = &node->u.list.first;
    return 1;
}


static int
on_open_object(void *ctx)
{
    return open_container(ctx, TCR_JSON_OBJECT);
}


static int
on_open_array(void *ctx)
{
    return open_container(ctx, TCR_JSON_ARRAY);
}


static int
on_close(void *ctx)
{
    parser_t  *p = ctx;

    p->end = begin(p) + 1;
    p->depth--;
    return 1;
}


static const yajl_callbacks  callbacks = {
    .yajl_null = on_null,
    .yajl_boolean = on_boolean,
    .yajl_number = on_number,
    .yajl_string = on_string,
    .yajl_start_map = on_open_object,
    .yajl_map_key = on_name,
    .yajl_end_map = on_close,
    .yajl_start_array = on_open_array,
    .yajl_end_array = on_close
};


/* --- yajl's memory: keys pass through it, as strings with escapes --- */

static void *
get(void *ctx, size_t size)
{
    (void) ctx;
    return malloc(size);
}


static void *
resize(void *ctx, void *p, size_t size)
{
    (void) ctx;
    return tcr_wipe_realloc(p, size);
}


static void
give_back(void *ctx, void *p)
{
    (void) ctx;
    tcr_wipe_free(p);
}


static yajl_alloc_funcs  memory = { get, resize, give_back, NULL };


/* yajl's words for what is wrong, without their layout. */
static void
syntax_error(parser_t *p, yajl_handle yajl, size_t offset)
{
    char           text[256];
    size_t         len;
    unsigned char  *what;

    what = yajl_get_error(yajl, 0, NULL, 0);
    snprintf(text, sizeof(text), "%s",
             what != NULL ? (const char *) what : "not JSON");

    if (what != NULL) {
        yajl_free_error(yajl, what);
    }

    len = strlen(text);

    while (len != 0 && (text[len - 1] == '\n' || text[len - 1] == '.')) {
        text[--len] = '\0';
    }

    refuse(p, offset, text);
}


/*
 * Offset of the byte that stopped yajl: it has consumed that byte, unless it
 * stopped within a string.
 */
static size_t
culprit(const parser_t *p, size_t consumed)
{
    size_t     start = begin(p), len;
    tcr_str_t  text = p->doc->text;

    if (start < consumed && text.data[start] == '"') {
        start++;
        len = tcr_json_raw_len(tcr_str_n(text.data + start, text.len - start));

        if (start + len >= consumed) {
            return consumed;
        }
    }

    return consumed != 0 ? consumed - 1 : 0;
}


static int
run_yajl(parser_t *p, yajl_handle yajl)
{
    tcr_str_t    text = p->doc->text;
    yajl_status  status;

    /* our own check is stricter */
    yajl_config(yajl, yajl_dont_validate_strings, 1);

    status = yajl_parse(yajl, (const unsigned char *) text.data, text.len);

    if (status == yajl_status_error) {
        syntax_error(p, yajl, culprit(p, yajl_get_bytes_consumed(yajl)));
        return -1;
    }

    if (status == yajl_status_ok) {
        status = yajl_complete_parse(yajl);

        if (status == yajl_status_error) {
            syntax_error(p, yajl, text.len);
            return -1;
        }
    }

    /* anything else: a callback has said why */
    if (status != yajl_status_ok) {
        return -1;
    }

    /* the beginning of a string behind the document is overlooked by yajl */
    if (begin(p) != text.len) {
        refuse(p, begin(p), "parse error: trailing garbage");
        return -1;
    }

    return 0;
}


static int
check_text(parser_t *p)
{
    size_t           bad;
    const char      *what;
    tcr_json_doc_t  *doc = p->doc;

    /* lengths of names are 32-bit */
    if (doc->text.len >= UINT32_MAX) {
        tcr_err_set(p->err, "%s: %zu bytes are more than the 4 GiB that can be "
                    "read", doc->file, doc->text.len);
        return -1;
    }

    doc->lines = tcr_json_find_lines(p->arena, doc->text);

    if (doc->lines == NULL) {
        tcr_err_set(p->err, "%s: out of memory", doc->file);
        return -1;
    }

    bad = tcr_json_bad_byte(doc->text, &what);

    if (bad != doc->text.len) {
        refuse(p, bad, what);
        return -1;
    }

    if (tcr_str_trim(doc->text).len == 0) {
        refuse(p, 0, "no text, a JSON value was expected");
        return -1;
    }

    return 0;
}


int
tcr_json_parse(tcr_json_doc_t *doc, tcr_arena_t *arena, const char *file,
    tcr_str_t text, tcr_err_t *err)
{
    int          rc;
    parser_t     p;
    yajl_handle  yajl;

    *doc = (tcr_json_doc_t) { .file = file, .text = text };

    p.doc = doc;
    p.arena = arena;
    p.err = err;
    p.end = 0;
    p.name = tcr_str_n(NULL, 0);
    p.depth = 0;
    p.stack[0] = (level_t) { NULL, &doc->root };

    if (check_text(&p) != 0) {
        return -1;
    }

    yajl = yajl_alloc(&callbacks, &memory, &p);

    if (yajl == NULL) {
        return tcr_err_set(err, "%s: out of memory", file);
    }

    rc = run_yajl(&p, yajl);
    yajl_free(yajl);

    if (rc != 0) {
        doc->root = NULL;
    }

    return rc;
}


const tcr_json_t *
tcr_json_first(const tcr_json_t *container)
{
    if (tcr_json_is(container, TCR_JSON_OBJECT)
        || tcr_json_is(container, TCR_JSON_ARRAY))
    {
        return container->u.list.first;
    }

    return NULL;
}


const tcr_json_t *
tcr_json_get(const tcr_json_t *object, const char *name)
{
    size_t             len;
    const tcr_json_t  *member, *found = NULL;

    if (!tcr_json_is(object, TCR_JSON_OBJECT)) {
        return NULL;
    }

    len = strlen(name);

    for (member = object->u.list.first; member; member = member->next) {
        if (member->name_len == len && memcmp(member->name, name, len) == 0) {
            found = member;
        }
    }

    return found;
}
