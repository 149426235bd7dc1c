/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A snapshot that is made of YAML: JSON as it is written, and which node of
 * the YAML each value comes from.  So one reader, that of snapshots, says
 * what is wrong with either, and says it where the operator wrote it.
 */

#ifndef TCR_MADE_H_INCLUDED
#define TCR_MADE_H_INCLUDED

#include "tcr_jw.h"
#include "tcr_schema.h"

#define TCR_MADE_TOLD  64         /* nodes that are known to be wrong        */


typedef struct {
    uint64_t           offset;    /* in the JSON, ascending                  */
    const tcr_yaml_t  *node;
} tcr_origin_t;

typedef struct {
    tcr_arena_t       *arena;
    tcr_report_t      *report;
    tcr_buf_t          json;
    tcr_jw_t           w;
    tcr_origin_t      *origins;   /* on the heap                             */
    size_t             n, room;
    const tcr_yaml_t  *told[TCR_MADE_TOLD];
    size_t             n_told;
    bool               incomplete;            /* wrong values were left out  */
    bool               failed;    /* out of memory                           */
} tcr_made_t;


void tcr_made_init(tcr_made_t *made, tcr_arena_t *arena,
    tcr_report_t *report);
void tcr_made_free(tcr_made_t *made);

/*
 * A value that comes from node.  name: its name in an object, absent for an
 * element; bracket: '{' or '['; '}' or ']'.
 */
void tcr_made_open(tcr_made_t *made, const tcr_yaml_t *node, tcr_str_t name,
    char bracket);
void tcr_made_close(tcr_made_t *made, char bracket);
void tcr_made_str(tcr_made_t *made, const tcr_yaml_t *node, tcr_str_t name,
    tcr_str_t value);
void tcr_made_bool(tcr_made_t *made, const tcr_yaml_t *node, const char *name,
    bool value);
void tcr_made_texts(tcr_made_t *made, const tcr_yaml_t *list,
    const char *name, const tcr_texts_t *texts);

/*
 * Reads a mapping by a table: rows with `as` become members of the object
 * that is open, the others go into out.  The second form: every other key is
 * an error.
 */
void tcr_made_rows(tcr_made_t *made, const tcr_yaml_t *map,
    const tcr_key_t *keys, size_t n, void *out);
void tcr_made_fields(tcr_made_t *made, const tcr_yaml_t *map,
    const tcr_key_t *keys, size_t n, void *out);

/* The same as an object of that name; nothing where map is NULL. */
void tcr_made_object(tcr_made_t *made, const tcr_yaml_t *map,
    const char *name, const tcr_key_t *keys, size_t n);

/*
 * What the reader of snapshots has to say of the value at offset, or of a
 * field that is missing there, as an error in the YAML.  What is missing
 * because it was left out has been reported, and what stands in the snapshot
 * many times is wrong once.
 */
void tcr_made_wrong(tcr_made_t *made, uint64_t offset, bool missing,
    const char *field, const char *text);


#endif /* TCR_MADE_H_INCLUDED */
