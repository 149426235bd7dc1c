/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside this room only: what the small documents beside the snapshot have in
 * common.  They are read with the same means (tcr_crconfig_read.h): a fault
 * inside an object leaves that object out, and paths of reports begin at the
 * root of the document.
 */

#ifndef TCR_DOCUMENT_H_INCLUDED
#define TCR_DOCUMENT_H_INCLUDED

#include "tcr_crconfig_read.h"
#include "tcr_nets.h"

#define TCR_DOCUMENT_SERVICES  100000     /* most entries of a document      */


void tcr_document_start(tcr_read_t *rd, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, tcr_report_t *report);

/* 0, or -1 when memory ran out on the way. */
int tcr_document_end(const tcr_read_t *rd, tcr_err_t *err);

/*
 * Refuses the document: "FILE:LINE:COL: PATH.FIELD: text".  node NULL: the
 * place of the object being read; field NULL: no field.  Always -1.
 */
int tcr_document_refuse(const tcr_read_t *rd, tcr_err_t *err,
    const tcr_json_t *node, const char *field, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/*
 * "response" of an answer of Traffic Ops (spec/inputs.md §8), or the root's
 * member of another name.  NULL: not there or of another type, err is filled.
 */
const tcr_json_t *tcr_document_member(const tcr_read_t *rd, const char *name,
    tcr_json_type_e type, tcr_err_t *err);

/* One item of a list; the reader's path leads to it. */
typedef void (*tcr_document_item_pt)(void *ctx, const tcr_json_t *item);

/*
 * Puts the first max items of "response" to a reader; that there are more is
 * reported.  Ends early when memory runs out.
 */
void tcr_document_items(tcr_read_t *rd, const tcr_json_t *response, size_t max,
    tcr_document_item_pt read, void *ctx);

/*
 * The field as a service's id; absent when it cannot be one, reported with
 * "…; WHAT is left out".
 */
tcr_str_t tcr_document_id(tcr_read_t *rd, const tcr_json_t *object,
    const char *field, const char *what);

/*
 * A Java pattern, translated; absent when it is none, reported with
 * "…; WHAT is left out".
 */
tcr_str_t tcr_document_pattern(tcr_read_t *rd, const tcr_json_t *object,
    const char *field, const char *what);

/* Adds the prefixes of a list, value 0; a malformed one is left out. */
void tcr_document_prefixes(tcr_read_t *rd, const tcr_json_t *object,
    const char *field, tcr_nets_build_t *build);


#endif /* TCR_DOCUMENT_H_INCLUDED */
