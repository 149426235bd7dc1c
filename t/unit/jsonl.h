/* SPDX-License-Identifier: Apache-2.0 */

/* For tests: walks through a file of JSON Lines. */

#ifndef JSONL_H_INCLUDED
#define JSONL_H_INCLUDED

#include <stdio.h>
#include <stdlib.h>

#include "tcr_buf.h"
#include "tcr_file.h"
#include "tcr_json.h"


typedef struct {
    tcr_arena_t     *arena;
    tcr_file_t       file;
    tcr_str_t        rest;
    int              line;
    tcr_json_doc_t   doc;         /* the last line                           */
} jsonl_t;


static inline void
jsonl_open(jsonl_t *j, const char *path)
{
    tcr_err_t  err;

    j->arena = tcr_arena_create(1u << 20);
    j->line = 0;

    if (tcr_file_map(&j->file, path, 1u << 30, &err) != 0) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }

    j->rest = j->file.text;
}


/* The next line's object, or NULL; lives until jsonl_close. */
static inline const tcr_json_t *
jsonl_next(jsonl_t *j)
{
    tcr_err_t  err;
    tcr_str_t  line;

    do {
        if (j->rest.data == NULL) {
            return NULL;
        }

        line = tcr_str_split(&j->rest, '\n');
        j->line++;
    } while (line.len == 0);

    if (tcr_json_parse(&j->doc, j->arena, "line", line, &err) != 0) {
        printf("Bail out! line %d: %s\n", j->line, err.text);
        exit(1);
    }

    return j->doc.root;
}


/* From the first line again; what was read lives on. */
static inline void
jsonl_rewind(jsonl_t *j)
{
    j->rest = j->file.text;
    j->line = 0;
}


static inline void
jsonl_close(jsonl_t *j)
{
    tcr_arena_destroy(j->arena);
    tcr_file_unmap(&j->file);
}


static inline tcr_str_t
jsonl_str(const tcr_json_t *object, const char *name)
{
    return tcr_json_str(tcr_json_get(object, name), tcr_str_n(NULL, 0));
}


static inline bool
jsonl_is(const tcr_json_t *object, const char *name, const char *value)
{
    return tcr_str_eq(jsonl_str(object, name), tcr_str(value));
}


/* The node as JSON again. */
static inline void
jsonl_write(tcr_buf_t *buf, const tcr_json_t *node)
{
    bool               object = node->type == TCR_JSON_OBJECT;
    const tcr_json_t  *child;

    if (node->type == TCR_JSON_STRING) {
        tcr_buf_json_str(buf, node->u.str);

    } else if (object || node->type == TCR_JSON_ARRAY) {
        tcr_buf_char(buf, object ? '{' : '[');

        for (child = tcr_json_first(node); child; child = child->next) {

            if (object) {
                tcr_buf_json_str(buf, tcr_json_name(child));
                tcr_buf_char(buf, ':');
            }

            jsonl_write(buf, child);

            if (child->next != NULL) {
                tcr_buf_char(buf, ',');
            }
        }

        tcr_buf_char(buf, object ? '}' : ']');

    } else {
        tcr_buf_str(buf, tcr_json_required_str(node));
    }
}


#endif /* JSONL_H_INCLUDED */
