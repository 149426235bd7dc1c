/* SPDX-License-Identifier: Apache-2.0 */

/*
 * YAML as a tree whose nodes know where they stood.
 *
 * libyaml's events become nodes of one arena, each with file, line and column
 * (from 1, columns in characters).  Scalars stay text: what a word means is
 * said by the key that it is the value of, so "NO" is never false where a
 * country is expected.  Anchors, aliases, tags, keys that are no text, a key
 * given twice and a second document are errors.
 */

#ifndef TCR_YAML_H_INCLUDED
#define TCR_YAML_H_INCLUDED

#include "tcr_buf.h"
#include "tcr_err.h"

#define TCR_YAML_DEPTH  64
#define TCR_YAML_PATH   256


typedef enum {
    TCR_YAML_SCALAR,
    TCR_YAML_SEQUENCE,
    TCR_YAML_MAPPING
} tcr_yaml_type_e;


typedef struct tcr_yaml_s  tcr_yaml_t;

/* Children are linked by next in document order. */
struct tcr_yaml_s {
    tcr_yaml_t        *next;
    const tcr_yaml_t  *parent;    /* NULL at the root                        */
    const tcr_yaml_t  *key;       /* of a mapping's member: its name         */
    tcr_yaml_t        *first;
    tcr_yaml_t        *last;
    size_t             n;         /* children                                */
    size_t             index;     /* among its parent's children             */
    tcr_str_t          text;      /* SCALAR; a NUL stands behind it          */
    tcr_pos_t          pos;
    tcr_yaml_type_e    type;
    bool               plain;     /* SCALAR without quotes                   */
};


/*
 * Parses a file's text into the arena; file is kept by pointer.  Every
 * problem goes into the report as an error.  0 with a tree (an empty file
 * gives an empty scalar) even when the report has errors that leave a tree,
 * -1 when there is none.
 */
int tcr_yaml_parse(tcr_yaml_t **root, tcr_arena_t *arena, const char *file,
    tcr_str_t text, tcr_report_t *report);

/*
 * Moves the members of the mapping `from` behind those of `into`.  A member
 * that is a mapping in both is merged one level deep; any other name in both
 * is an error in the report.  -1 only when out of memory.
 */
int tcr_yaml_merge(tcr_yaml_t *into, tcr_yaml_t *from, tcr_report_t *report);

/* Member of a mapping; NULL for anything else and when there is none. */
const tcr_yaml_t *tcr_yaml_get(const tcr_yaml_t *map, const char *name);

/* Nothing, "~" or "null" without quotes. */
bool tcr_yaml_is_null(const tcr_yaml_t *node);

/* As text that reads as the same tree. */
void tcr_yaml_write(const tcr_yaml_t *node, tcr_buf_t *buf);

/* "traffic_monitor.hosts[1]"; cut at the front where it is too long. */
void tcr_yaml_path(const tcr_yaml_t *node, char path[TCR_YAML_PATH]);

/* Adds the error "FILE:LINE:COL: PATH: text" (without PATH at the root). */
void tcr_yaml_wrong(tcr_report_t *report, const tcr_yaml_t *node,
    const char *fmt, ...) __attribute__((format(printf, 3, 4)));


#endif /* TCR_YAML_H_INCLUDED */
