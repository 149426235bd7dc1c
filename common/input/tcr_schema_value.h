/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Values of settings: one function per kind, in two files, for the table of
 * kinds in tcr_schema.c.
 */

#ifndef TCR_SCHEMA_VALUE_H_INCLUDED
#define TCR_SCHEMA_VALUE_H_INCLUDED

#include "tcr_schema.h"


typedef struct {
    const tcr_key_t   *key;
    const tcr_yaml_t  *node;      /* where problems are shown                */
    tcr_str_t          text;      /* of a scalar                             */
    void              *out;       /* the value's place                       */
    tcr_arena_t       *arena;
    tcr_report_t      *report;
} tcr_value_t;


/* Reports that the value is another than expected. */
void tcr_value_wrong(const tcr_value_t *v, const char *expected);

/* A copy in the arena; out of memory: reported, and "". */
tcr_str_t tcr_value_copy(const tcr_value_t *v, tcr_str_t text);


/*
 * Each reads the value into its place, whose type the key's kind tells
 * (tcr_schema.h), or reports why not and leaves the place as it was.
 */

/* numbers */
void tcr_value_int(tcr_value_t *v);
void tcr_value_duration(tcr_value_t *v);
void tcr_value_size(tcr_value_t *v);
void tcr_value_percent(tcr_value_t *v);
void tcr_value_real(tcr_value_t *v);

/* words and texts */
void tcr_value_bool(tcr_value_t *v);
void tcr_value_word(tcr_value_t *v);
void tcr_value_text(tcr_value_t *v);
void tcr_value_path(tcr_value_t *v);
void tcr_value_file(tcr_value_t *v);
void tcr_value_url(tcr_value_t *v);
void tcr_value_origin(tcr_value_t *v);
void tcr_value_hosts(tcr_value_t *v);
void tcr_value_texts(tcr_value_t *v);


#endif /* TCR_SCHEMA_VALUE_H_INCLUDED */
