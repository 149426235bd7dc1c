/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Recorded answers of the reference: files with one JSON object a line.
 * Memory is kept until the program ends.
 */

#ifndef TCR_JSONL_H_INCLUDED
#define TCR_JSONL_H_INCLUDED


#include <stdio.h>
#include <stdlib.h>

#include "tcr_json.h"


typedef struct {
    FILE            *file;
    const char      *path;
    tcr_arena_t     *arena;
    tcr_json_doc_t   doc;         /* the line read                           */
} jsonl_t;


static inline void
jsonl_open(jsonl_t *jsonl, const char *path)
{
    jsonl->path = path;
    jsonl->file = fopen(path, "r");
    jsonl->arena = tcr_arena_create(0);

    if (jsonl->file == NULL || jsonl->arena == NULL) {
        printf("Bail out! cannot read \"%s\"\n", path);
        exit(1);
    }
}


/* The next line's object, NULL behind the last one. */
static inline const tcr_json_t *
jsonl_next(jsonl_t *jsonl)
{
    char       *line;
    size_t      size;
    ssize_t     n;
    tcr_err_t   err;

    line = NULL;
    size = 0;
    n = getline(&line, &size, jsonl->file);

    if (n <= 0) {
        free(line);
        fclose(jsonl->file);
        return NULL;
    }

    if (tcr_json_parse(&jsonl->doc, jsonl->arena, jsonl->path,
                       tcr_arena_strdup(jsonl->arena,
                                        tcr_str_n(line, (size_t) n)), &err)
        != 0)
    {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }

    free(line);
    return jsonl->doc.root;
}


static inline tcr_str_t
jsonl_str(const tcr_json_t *object, const char *key)
{
    return tcr_json_str(tcr_json_get(object, key), tcr_str_n(NULL, 0));
}


static inline bool
jsonl_is(const tcr_json_t *object, const char *key, const char *value)
{
    return tcr_str_eq(jsonl_str(object, key), tcr_str(value));
}


#endif /* TCR_JSONL_H_INCLUDED */
