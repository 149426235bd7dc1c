/* SPDX-License-Identifier: Apache-2.0 */

/*
 * From libyaml's events to a tree: one container is open at a time, its
 * parents are reached through the nodes, so nothing here recurses.
 */

#include "tcr_yaml.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <yaml.h>


typedef struct {
    tcr_arena_t       *arena;
    tcr_report_t      *report;
    const char        *file;
    tcr_str_t          text;
    tcr_yaml_t        *root;
    tcr_yaml_t        *open;      /* container being filled                  */
    tcr_yaml_t        *key;       /* name whose value comes next             */
    size_t             depth;
    size_t             documents;
    bool               done;
} reader_t;


static int
no_memory(tcr_report_t *report, const char *file)
{
    tcr_report_add(report, TCR_REPORT_ERROR, "%s: no memory to read it", file);
    return -1;
}


/* --- messages --- */

void
tcr_yaml_path(const tcr_yaml_t *node, char path[TCR_YAML_PATH])
{
    int    n;
    char   step[TCR_YAML_PATH];
    char  *at = path + TCR_YAML_PATH - 1;

    *at = '\0';

    /* from the leaf to the root, so written from the back */
    for ( /* void */ ; node->parent != NULL; node = node->parent) {

        if (node->key != NULL) {
            n = snprintf(step, sizeof(step), "%s%.*s",
                         node->parent->parent != NULL ? "." : "",
                         TCR_STR_ARG(node->key->text));
        } else {
            n = snprintf(step, sizeof(step), "[%zu]", node->index);
        }

        if (n < 0 || n >= (int) sizeof(step) || n > at - path) {
            break;
        }

        at -= n;
        memcpy(at, step, (size_t) n);
    }

    memmove(path, at, strlen(at) + 1);
}


void
tcr_yaml_wrong(tcr_report_t *report, const tcr_yaml_t *node,
    const char *fmt, ...)
{
    char       path[TCR_YAML_PATH];
    va_list    ap;
    tcr_err_t  what;

    tcr_yaml_path(node, path);

    va_start(ap, fmt);
    vsnprintf(what.text, sizeof(what.text), fmt, ap);
    va_end(ap);

    tcr_report_add(report, TCR_REPORT_ERROR, "%s:%zu:%zu: %s%s%s",
                   node->pos.file, node->pos.line, node->pos.column, path,
                   path[0] != '\0' ? ": " : "", what.text);
}


/* The reader of bytes knows an offset, all others know a mark. */
static int
syntax_error(reader_t *rd, const yaml_parser_t *parser)
{
    size_t  i, line, column;

    line = parser->problem_mark.line + 1;
    column = parser->problem_mark.column + 1;

    if (parser->error == YAML_MEMORY_ERROR) {
        return no_memory(rd->report, rd->file);
    }

    if (parser->error == YAML_READER_ERROR) {
        line = column = 1;

        for (i = 0; i < parser->problem_offset && i < rd->text.len; i++) {
            column++;

            if (rd->text.data[i] == '\n') {
                line++;
                column = 1;
            }
        }
    }

    tcr_report_add(rd->report, TCR_REPORT_ERROR, "%s:%zu:%zu: %s%s%s",
                   rd->file, line, column,
                   parser->context ? parser->context : "",
                   parser->context ? ": " : "",
                   parser->problem ? parser->problem : "not YAML");
    return -1;
}


/* --- nodes --- */

static tcr_yaml_t *
new_node(reader_t *rd, tcr_yaml_type_e type, const yaml_event_t *event)
{
    tcr_yaml_t  *node;

    node = tcr_arena_calloc(rd->arena, 1, sizeof(*node));

    if (node == NULL) {
        no_memory(rd->report, rd->file);
        return NULL;
    }

    node->type = type;
    node->parent = rd->open;
    node->pos = (tcr_pos_t) { rd->file, event->start_mark.line + 1,
                              event->start_mark.column + 1 };
    return node;
}


static void
append(tcr_yaml_t *parent, tcr_yaml_t *node)
{
    node->next = NULL;
    node->parent = parent;
    node->index = parent->n++;

    if (parent->last != NULL) {
        parent->last->next = node;

    } else {
        parent->first = node;
    }

    parent->last = node;
}


/* Puts a node where it belongs: root, element, name of a member, its value. */
static int
place(reader_t *rd, tcr_yaml_t *node)
{
    if (rd->open == NULL) {
        rd->root = node;
        return 0;
    }

    if (rd->open->type == TCR_YAML_MAPPING && rd->key == NULL) {

        if (node->type != TCR_YAML_SCALAR) {
            node->parent = NULL;
            tcr_yaml_wrong(rd->report, node, "a key must be text");
            return -1;
        }

        rd->key = node;
        return 0;
    }

    node->key = rd->key;
    rd->key = NULL;
    append(rd->open, node);
    return 0;
}


static void
refuse_decoration(reader_t *rd, const yaml_event_t *event,
    const yaml_char_t *anchor, const yaml_char_t *tag)
{
    if (anchor == NULL && tag == NULL) {
        return;
    }

    tcr_report_add(rd->report, TCR_REPORT_ERROR, "%s:%zu:%zu: %s \"%s\" is "
                   "not understood here, write the value itself", rd->file,
                   event->start_mark.line + 1, event->start_mark.column + 1,
                   tag != NULL ? "tag" : "anchor",
                   (const char *) (tag != NULL ? tag : anchor));
}


static int
on_scalar(reader_t *rd, const yaml_event_t *event)
{
    tcr_yaml_t  *node;

    refuse_decoration(rd, event, event->data.scalar.anchor,
                      event->data.scalar.tag);
    node = new_node(rd, TCR_YAML_SCALAR, event);

    if (node == NULL) {
        return -1;
    }

    node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    node->text = tcr_arena_strdup(rd->arena, tcr_str_n(
                                  (const char *) event->data.scalar.value,
                                  event->data.scalar.length));

    if (node->text.data == NULL) {
        return no_memory(rd->report, rd->file);
    }

    return place(rd, node);
}


/* An alias leaves an empty scalar, so that the rest is read as well. */
static int
on_alias(reader_t *rd, const yaml_event_t *event)
{
    tcr_yaml_t  *node;

    tcr_report_add(rd->report, TCR_REPORT_ERROR, "%s:%zu:%zu: alias \"%s\" is "
                   "not understood here, write the value itself", rd->file,
                   event->start_mark.line + 1, event->start_mark.column + 1,
                   (const char *) event->data.alias.anchor);

    node = new_node(rd, TCR_YAML_SCALAR, event);

    if (node == NULL) {
        return -1;
    }

    node->plain = true;
    node->text = TCR_STR("");
    return place(rd, node);
}


static int
on_start(reader_t *rd, const yaml_event_t *event)
{
    tcr_yaml_t       *node;
    tcr_yaml_type_e   type;

    if (event->type == YAML_MAPPING_START_EVENT) {
        type = TCR_YAML_MAPPING;
        refuse_decoration(rd, event, event->data.mapping_start.anchor,
                          event->data.mapping_start.tag);

    } else {
        type = TCR_YAML_SEQUENCE;
        refuse_decoration(rd, event, event->data.sequence_start.anchor,
                          event->data.sequence_start.tag);
    }

    node = new_node(rd, type, event);

    if (node == NULL || place(rd, node) != 0) {
        return -1;
    }

    if (++rd->depth > TCR_YAML_DEPTH) {
        tcr_yaml_wrong(rd->report, node, "nested deeper than %d levels",
                       TCR_YAML_DEPTH);
        return -1;
    }

    rd->open = node;
    return 0;
}


/* --- names given twice --- */

static int
by_name(const void *a, const void *b)
{
    int                 rc;
    const tcr_yaml_t   *x = *(tcr_yaml_t *const *) a;
    const tcr_yaml_t   *y = *(tcr_yaml_t *const *) b;

    rc = tcr_str_cmp(x->key->text, y->key->text);

    if (rc != 0) {
        return rc;
    }

    return x->index < y->index ? -1 : x->index > y->index;
}


static void
given_twice(tcr_report_t *report, const tcr_yaml_t *again,
    const tcr_yaml_t *first)
{
    tcr_yaml_t  shown = *again;

    shown.pos = again->key->pos;
    tcr_yaml_wrong(report, &shown, "given twice, first at %s:%zu:%zu",
                   first->key->pos.file, first->key->pos.line,
                   first->key->pos.column);
}


/*
 * across: only names of different files count, each file's own ones have
 * been seen to.
 */
static int
check_names(tcr_report_t *report, const tcr_yaml_t *map, bool across)
{
    size_t        i = 0;
    tcr_yaml_t   *node, **sorted;

    if (map->n < 2) {
        return 0;
    }

    sorted = calloc(map->n, sizeof(*sorted));

    if (sorted == NULL) {
        return no_memory(report, map->pos.file);
    }

    for (node = map->first; node != NULL; node = node->next) {
        sorted[i++] = node;
    }

    qsort(sorted, map->n, sizeof(*sorted), by_name);

    for (i = 1; i < map->n; i++) {

        if (tcr_str_eq(sorted[i]->key->text, sorted[i - 1]->key->text)
            && !(across && sorted[i]->pos.file == sorted[i - 1]->pos.file))
        {
            given_twice(report, sorted[i], sorted[i - 1]);
        }
    }

    free(sorted);
    return 0;
}


static int
on_end(reader_t *rd)
{
    if (rd->open->type == TCR_YAML_MAPPING
        && check_names(rd->report, rd->open, false) != 0)
    {
        return -1;
    }

    rd->depth--;
    rd->open = (tcr_yaml_t *) rd->open->parent;
    return 0;
}


static int
on_event(reader_t *rd, const yaml_event_t *event)
{
    switch (event->type) {

    case YAML_SCALAR_EVENT:
        return on_scalar(rd, event);

    case YAML_ALIAS_EVENT:
        return on_alias(rd, event);

    case YAML_MAPPING_START_EVENT:
    case YAML_SEQUENCE_START_EVENT:
        return on_start(rd, event);

    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        return on_end(rd);

    case YAML_DOCUMENT_START_EVENT:

        if (++rd->documents > 1) {
            tcr_report_add(rd->report, TCR_REPORT_ERROR, "%s:%zu:%zu: a "
                           "second document begins, expected one per file",
                           rd->file, event->start_mark.line + 1,
                           event->start_mark.column + 1);
            rd->done = true;
        }

        return 0;

    case YAML_STREAM_END_EVENT:
        rd->done = true;
        return 0;

    default:
        return 0;
    }
}


static int
read_events(reader_t *rd, yaml_parser_t *parser)
{
    int           rc = 0;
    yaml_event_t  event;

    while (rc == 0 && !rd->done) {

        if (!yaml_parser_parse(parser, &event)) {
            return syntax_error(rd, parser);
        }

        rc = on_event(rd, &event);
        yaml_event_delete(&event);
    }

    return rc;
}


int
tcr_yaml_parse(tcr_yaml_t **root, tcr_arena_t *arena, const char *file,
    tcr_str_t text, tcr_report_t *report)
{
    int            rc;
    reader_t       rd;
    yaml_event_t   none;
    yaml_parser_t  parser;

    *root = NULL;
    memset(&rd, 0, sizeof(rd));
    rd.arena = arena;
    rd.report = report;
    rd.file = file;
    rd.text = text;

    if (!yaml_parser_initialize(&parser)) {
        return no_memory(report, file);
    }

    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *) text.data,
                                 text.len);
    rc = read_events(&rd, &parser);
    yaml_parser_delete(&parser);

    if (rc == 0 && rd.root == NULL) {
        memset(&none, 0, sizeof(none));
        rd.root = new_node(&rd, TCR_YAML_SCALAR, &none);

        if (rd.root == NULL) {
            return -1;
        }

        rd.root->plain = true;
        rd.root->text = TCR_STR("");
    }

    if (rc == 0) {
        *root = rd.root;
    }

    return rc;
}


/* --- use of a tree --- */

static tcr_yaml_t *
find(const tcr_yaml_t *map, tcr_str_t name)
{
    tcr_yaml_t  *node;

    if (map == NULL || map->type != TCR_YAML_MAPPING) {
        return NULL;
    }

    for (node = map->first; node != NULL; node = node->next) {

        if (tcr_str_eq(node->key->text, name)) {
            return node;
        }
    }

    return NULL;
}


const tcr_yaml_t *
tcr_yaml_get(const tcr_yaml_t *map, const char *name)
{
    return find(map, tcr_str(name));
}


static void
move_members(tcr_yaml_t *into, tcr_yaml_t *from)
{
    tcr_yaml_t  *node, *next;

    for (node = from->first; node != NULL; node = next) {
        next = node->next;
        append(into, node);
    }
}


bool
tcr_yaml_is_null(const tcr_yaml_t *node)
{
    if (node->type != TCR_YAML_SCALAR || !node->plain) {
        return false;
    }

    return node->text.len == 0 || tcr_str_eq(node->text, TCR_STR("~"))
           || tcr_str_ieq(node->text, TCR_STR("null"));
}


int
tcr_yaml_merge(tcr_yaml_t *into, tcr_yaml_t *from, tcr_report_t *report)
{
    tcr_yaml_t  *node, *next, *same;

    for (node = from->first; node != NULL; node = next) {
        next = node->next;
        same = find(into, node->key->text);

        if (same == NULL) {
            append(into, node);
            continue;
        }

        if (same->type != TCR_YAML_MAPPING || node->type != TCR_YAML_MAPPING) {
            given_twice(report, node, same);
            continue;
        }

        move_members(same, node);

        if (check_names(report, same, true) != 0) {
            return -1;
        }
    }

    from->first = from->last = NULL;
    from->n = 0;
    return 0;
}
