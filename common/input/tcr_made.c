/* SPDX-License-Identifier: Apache-2.0 */

/*
 * JSON with a note for each value of where it comes from.
 */

#include "tcr_made.h"

#include <stdio.h>
#include <stdlib.h>

#define JSON_MAX   (512u * 1024 * 1024)
#define FIELD_MAX  64


/* Any value that a row hands on. */
typedef union {
    int64_t      number;
    bool         boolean;
    tcr_str_t    text;
    tcr_texts_t  texts;
} value_t;


void
tcr_made_init(tcr_made_t *made, tcr_arena_t *arena, tcr_report_t *report)
{
    memset(made, 0, sizeof(*made));
    made->arena = arena;
    made->report = report;
    tcr_buf_init(&made->json, JSON_MAX);
    made->w = tcr_jw(&made->json);
}


void
tcr_made_free(tcr_made_t *made)
{
    tcr_buf_free(&made->json);
    free(made->origins);
    made->origins = NULL;
}


/* --- writing --- */

/* What is written next, up to the next call, comes from node. */
static void
note(tcr_made_t *made, const tcr_yaml_t *node)
{
    size_t         room = made->room != 0 ? made->room * 2 : 1024;
    tcr_origin_t  *more;

    if (made->n == made->room) {
        more = reallocarray(made->origins, room, sizeof(*more));

        if (more == NULL) {
            made->failed = true;
            return;
        }

        made->origins = more;
        made->room = room;
    }

    made->origins[made->n++] = (tcr_origin_t) { made->json.len, node };
}


void
tcr_made_open(tcr_made_t *made, const tcr_yaml_t *node, tcr_str_t name,
    char bracket)
{
    note(made, node);
    tcr_jw_open_named(&made->w, name, bracket);
}


void
tcr_made_close(tcr_made_t *made, char bracket)
{
    tcr_jw_close(&made->w, bracket);
}


void
tcr_made_str(tcr_made_t *made, const tcr_yaml_t *node, tcr_str_t name,
    tcr_str_t value)
{
    note(made, node);
    tcr_jw_str_named(&made->w, name, value);
}


void
tcr_made_bool(tcr_made_t *made, const tcr_yaml_t *node, const char *name,
    bool value)
{
    note(made, node);
    tcr_jw_bool(&made->w, name, value);
}


void
tcr_made_texts(tcr_made_t *made, const tcr_yaml_t *list, const char *name,
    const tcr_texts_t *texts)
{
    size_t             i;
    const tcr_yaml_t  *item = list->first;

    tcr_made_open(made, list, tcr_str(name), '[');

    for (i = 0; i < texts->n && item != NULL; i++, item = item->next) {
        tcr_made_str(made, item, tcr_str(NULL), texts->items[i]);
    }

    tcr_made_close(made, ']');
}


/* --- rows --- */

static void
write_value(tcr_made_t *made, const tcr_yaml_t *node, const tcr_key_t *key,
    const value_t *v)
{
    switch (key->kind) {

    case TCR_KIND_BOOL:
        tcr_made_bool(made, node, key->as, v->boolean);
        break;

    case TCR_KIND_INT:
        note(made, node);
        tcr_jw_int(&made->w, key->as, v->number);
        break;

    case TCR_KIND_DURATION:
        note(made, node);
        tcr_jw_int(&made->w, key->as, v->number / 1000);
        break;

    case TCR_KIND_TEXTS:
        tcr_made_texts(made, node, key->as, &v->texts);
        break;

    case TCR_KIND_WORD:
        tcr_made_str(made, node, tcr_str(key->as),
                     tcr_str(key->words[v->number]));
        break;

    default:
        tcr_made_str(made, node, tcr_str(key->as), v->text);
        break;
    }
}


static void
hand_on(tcr_made_t *made, const tcr_yaml_t *map, const tcr_key_t *key)
{
    value_t            v;
    tcr_key_t          own = *key;
    const tcr_yaml_t  *node = tcr_yaml_get(map, key->name);

    own.offset = 0;
    memset(&v, 0, sizeof(v));

    if (tcr_schema_member(map, &own, &v, made->arena, made->report)) {
        write_value(made, node != NULL ? node : map, key, &v);
    }
}


void
tcr_made_rows(tcr_made_t *made, const tcr_yaml_t *map,
    const tcr_key_t *keys, size_t n, void *out)
{
    size_t  i;

    for (i = 0; i < n; i++) {

        if (keys[i].as != NULL) {
            hand_on(made, map, &keys[i]);

        } else {
            tcr_schema_member(map, &keys[i], out, made->arena, made->report);
        }
    }
}


void
tcr_made_fields(tcr_made_t *made, const tcr_yaml_t *map,
    const tcr_key_t *keys, size_t n, void *out)
{
    tcr_made_rows(made, map, keys, n, out);
    tcr_schema_unknown(map, keys, n, made->report);
}


void
tcr_made_object(tcr_made_t *made, const tcr_yaml_t *map, const char *name,
    const tcr_key_t *keys, size_t n)
{
    if (map != NULL) {
        tcr_made_open(made, map, tcr_str(name), '{');
        tcr_made_fields(made, map, keys, n, NULL);
        tcr_made_close(made, '}');
    }
}


/* --- problems --- */

/* The last note at or before that place. */
static const tcr_yaml_t *
find_origin(const tcr_made_t *made, uint64_t offset)
{
    size_t  middle, low = 0, high = made->n;

    while (high - low > 1) {
        middle = low + (high - low) / 2;

        if (made->origins[middle].offset <= offset) {
            low = middle;

        } else {
            high = middle;
        }
    }

    return made->origins[low].node;
}


/* "hashCount" of a snapshot is hash_count here. */
static void
plain_name(const char *field, char name[FIELD_MAX])
{
    size_t  n = 0;

    for ( /* void */ ; *field != '\0' && n < FIELD_MAX - 2; field++) {

        if (tcr_lower(*field) != *field) {
            name[n++] = '_';
        }

        name[n++] = tcr_lower(*field);
    }

    name[n] = '\0';
}


/*
 * Without what happens to the object in a snapshot, where the rest is taken:
 * that stands behind the last semicolon that is in no quoted text.
 */
static size_t
without_outcome(const char *text)
{
    const char  *at, *end = NULL, *quote = strrchr(text, '"');

    for (at = strstr(quote != NULL ? quote : text, "; "); at != NULL;
         at = strstr(at + 1, "; "))
    {
        end = at;
    }

    return end != NULL ? (size_t) (end - text) : strlen(text);
}


static bool
is_told(tcr_made_t *made, const tcr_yaml_t *node)
{
    size_t  i;

    for (i = 0; i < made->n_told; i++) {

        if (made->told[i] == node) {
            return true;
        }
    }

    if (made->n_told < TCR_MADE_TOLD) {
        made->told[made->n_told++] = node;
    }

    return false;
}


void
tcr_made_wrong(tcr_made_t *made, uint64_t offset, bool missing,
    const char *field, const char *text)
{
    int                n = (int) without_outcome(text);
    char               name[FIELD_MAX] = "";
    const tcr_yaml_t  *node = find_origin(made, offset);

    if ((missing && made->incomplete) || is_told(made, node)) {
        return;
    }

    if (field != NULL) {
        plain_name(field, name);
    }

    if (name[0] != '\0'
        && (missing || (node->type == TCR_YAML_MAPPING && node->key != NULL
                        && !tcr_str_eq(node->key->text, tcr_str(name)))))
    {
        tcr_yaml_wrong(made->report, node, "%s: %.*s", name, n, text);

    } else {
        tcr_yaml_wrong(made->report, node, "%.*s", n, text);
    }
}
