/* SPDX-License-Identifier: Apache-2.0 */

/*
 * YAML mappings checked by a table and read into a struct: one row a key,
 * with its kind, default, bounds and place.  Everything that is wrong goes
 * into the report as "FILE:LINE:COL: PATH: what", so that one run shows all.
 */

#ifndef TCR_SCHEMA_H_INCLUDED
#define TCR_SCHEMA_H_INCLUDED

#include "tcr_yaml.h"


/* What a value must look like, and what it becomes in the struct. */
typedef enum {
    TCR_KIND_INT,                 /* digits: int64_t                         */
    TCR_KIND_BOOL,                /* true false yes no on off: bool          */
    TCR_KIND_DURATION,            /* 500ms 10s 5m 3h 2d: int64_t, ms         */
    TCR_KIND_SIZE,                /* 64k 512m 2g: int64_t, bytes             */
    TCR_KIND_PERCENT,             /* 50%: int64_t                            */
    TCR_KIND_TEXT,                /* not empty: tcr_str_t                    */
    TCR_KIND_PATH,                /* begins with "/": tcr_str_t              */
    TCR_KIND_URL,                 /* file:/PATH http:// https://: tcr_str_t  */
    TCR_KIND_FILE,                /* file:/PATH: tcr_str_t                   */
    TCR_KIND_ORIGIN,              /* http[s]://HOST[:PORT]: tcr_str_t        */
    TCR_KIND_WORD,                /* one of words: int64_t, its place there  */
    TCR_KIND_HOSTS,               /* list of [http[s]://]HOST[:PORT]:
                                     tcr_texts_t                             */
    TCR_KIND_REAL,                /* decimal within min and max: tcr_str_t,
                                     as written                              */
    TCR_KIND_TEXTS,               /* list of texts: tcr_texts_t              */
    TCR_KIND_MEMBERS,             /* a mapping whose keys are names, kept:
                                     const tcr_yaml_t *                      */
    TCR_KIND_ITEMS,               /* a list of anything, kept: likewise      */
    TCR_KIND_MAP                  /* keys of its own                         */
} tcr_kind_e;

typedef struct {
    tcr_str_t  *items;            /* a NUL stands behind each                */
    size_t      n;
} tcr_texts_t;

typedef struct tcr_key_s  tcr_key_t;

struct tcr_key_s {
    const char         *name;
    tcr_kind_e          kind;
    bool                required;
    size_t              offset;   /* in the struct                           */
    const char         *def;      /* as it would be written; NULL = zeros    */
    int64_t             min, max; /* numbers, in the unit of the struct      */
    const char *const  *words;    /* WORD: NULL-terminated                   */
    const tcr_key_t    *keys;     /* MAP: its keys, offsets in same struct   */
    size_t              n_keys;
    const char         *as;       /* its name where it is handed on          */
};

#define TCR_KEYS(table)  (table), sizeof(table) / sizeof((table)[0])


/*
 * Reads map into out by the table.  map NULL stands for an empty mapping
 * (required keys are then not missed).  Strings are copies in the arena with
 * a NUL behind them.  Problems are only in the report.
 */
void tcr_schema_read(const tcr_yaml_t *map, const tcr_key_t *keys, size_t n,
    void *out, tcr_arena_t *arena, tcr_report_t *report);

/*
 * One key of it, true when there is a value to use, be it the default; and
 * what is in map and not among the keys.
 */
bool tcr_schema_member(const tcr_yaml_t *map, const tcr_key_t *key, void *out,
    tcr_arena_t *arena, tcr_report_t *report);
void tcr_schema_unknown(const tcr_yaml_t *map, const tcr_key_t *keys,
    size_t n, tcr_report_t *report);

/* Is it of that type?  If not, that is reported with what was expected. */
bool tcr_schema_is(const tcr_yaml_t *node, tcr_yaml_type_e type,
    const char *expected, tcr_report_t *report);

/*
 * The name in the list that a misspelt one probably stands for; NULL when
 * none is near (one change in three characters, exchanged neighbours count
 * as one).
 */
const char *tcr_schema_near(tcr_str_t misspelt, const char *const *names,
    size_t n);


#endif /* TCR_SCHEMA_H_INCLUDED */
