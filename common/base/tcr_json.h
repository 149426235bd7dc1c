/* SPDX-License-Identifier: Apache-2.0 */

/*
 * JSON as a tree whose nodes know where they stood.
 *
 * yajl reads and validates the text; the tree is ours, in one arena, 48 bytes
 * a node.  Strings without escapes point into the input, which must outlive
 * the tree.  Object members keep document order; of equal names the last one
 * wins (tcr_json_get).  Invalid UTF-8, trailing text and nesting deeper than
 * TCR_JSON_DEPTH are refused.  A \u0000 in a string is a NUL byte in its text;
 * half a surrogate pair becomes "?", as when Java writes it out.
 */

#ifndef TCR_JSON_H_INCLUDED
#define TCR_JSON_H_INCLUDED

#include "tcr_err.h"

#define TCR_JSON_DEPTH  128


typedef enum {
    TCR_JSON_NULL,
    TCR_JSON_FALSE,
    TCR_JSON_TRUE,
    TCR_JSON_NUMBER,              /* text as written, in u.str               */
    TCR_JSON_STRING,
    TCR_JSON_ARRAY,
    TCR_JSON_OBJECT
} tcr_json_type_e;


typedef struct tcr_json_s  tcr_json_t;

/*
 * Children of a container are linked by next in document order.  A member of
 * an object is its value; the value's name is in `name`.
 */
struct tcr_json_s {
    tcr_json_t  *next;
    union {
        tcr_str_t    str;         /* STRING: unescaped; NUMBER: its text     */
        struct {
            tcr_json_t  *first;
            size_t       n;
        } list;
    } u;
    const char  *name;            /* NULL outside an object                  */
    uint32_t     name_len;
    uint32_t     type;            /* tcr_json_type_e                         */
    uint64_t     offset;          /* of the value's first byte               */
};


typedef struct tcr_json_lines_s  tcr_json_lines_t;

/* A parsed text, for positions. */
typedef struct {
    const char              *file;      /* as messages name it               */
    tcr_str_t                text;
    tcr_json_t              *root;
    const tcr_json_lines_t  *lines;     /* where lines begin, coarsely       */
} tcr_json_doc_t;


/*
 * Parses text into the arena.  err: "FILE:LINE:COL: what".  -1 when the text
 * is not JSON (doc->root is then NULL).
 */
int tcr_json_parse(tcr_json_doc_t *doc, tcr_arena_t *arena, const char *file,
    tcr_str_t text, tcr_err_t *err);

/*
 * Line and column of a byte offset (both from 1, columns in bytes).  Costs a
 * walk over at most 64 KiB, so that a hostile text with a million faults can
 * be reported.
 */
tcr_pos_t tcr_json_pos(const tcr_json_doc_t *doc, uint64_t offset);

/*
 * Last member of that name; NULL when object is NULL, no object, or has none.
 * Walks all members: for large objects go through them once instead.
 */
const tcr_json_t *tcr_json_get(const tcr_json_t *object, const char *name);

/* First child of a container, NULL for anything else (NULL included). */
const tcr_json_t *tcr_json_first(const tcr_json_t *container);

static inline tcr_str_t
tcr_json_name(const tcr_json_t *member)
{
    return tcr_str_n(member->name, member->name_len);
}

static inline bool
tcr_json_is(const tcr_json_t *node, tcr_json_type_e type)
{
    return node != NULL && node->type == type;
}


/*
 * Scalars as the snapshots write them: numbers and booleans may be strings.
 * Coercion rules: spec/inputs.md §1.  node may be NULL (an absent key): the
 * default comes back.  Where a number is too large for the field the rules are
 * Java's: integers lose their high bits, reals stop at the field's ends, digits
 * in a string give the default.
 */
int64_t tcr_json_int(const tcr_json_t *node, int64_t def);   /* 32-bit field */
int64_t tcr_json_long(const tcr_json_t *node, int64_t def);
double tcr_json_real(const tcr_json_t *node, double def);
bool tcr_json_bool(const tcr_json_t *node, bool def);

/*
 * Text of a scalar; of a number, as it was written.
 * Required: null gives "null", a container and an absent key give "".
 * Optional: null and absent give def, a container gives "".
 */
tcr_str_t tcr_json_required_str(const tcr_json_t *node);
tcr_str_t tcr_json_str(const tcr_json_t *node, tcr_str_t def);


#endif /* TCR_JSON_H_INCLUDED */
