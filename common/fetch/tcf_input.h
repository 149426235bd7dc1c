/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The bytes of a source made into a checked model: what has just been
 * fetched, else the last good copy, else the one before.
 */

#ifndef TCF_INPUT_H_INCLUDED
#define TCF_INPUT_H_INCLUDED

#include "tcf_source.h"
#include "tcf_store.h"
#include "tcr_anonymous_policy.h"
#include "tcr_coverage.h"
#include "tcr_crconfig.h"
#include "tcr_regional.h"


typedef enum {
    TCF_INPUT_NONE,
    TCF_INPUT_FETCHED,
    TCF_INPUT_STORED,
    TCF_INPUT_OLDER
} tcf_origin_e;

typedef struct {
    tcf_origin_e    origin;
    tcr_str_t       bytes;        /* the body's, or of the mapped copy       */
    tcr_file_t      file;
    uint8_t         sha256[32];
    tcr_arena_t    *arena;        /* document and model                      */
    tcr_json_doc_t  doc;
    tcr_report_t    report;
    char            path[PATH_MAX];           /* of a copy                   */
    tcr_err_t       damaged;      /* copies passed over; "" = none           */
} tcf_input_t;

typedef struct {
    tcf_input_t      in[TCF_SOURCES];
    tcr_crconfig_t   crconfig;
    tcr_coverage_t   coverage, deep;
    tcr_regional_t   regional;
    tcr_anonymous_policy_t  anonymous;
    tcr_str_t       *certificates;
    size_t           n_certificates;
} tcf_inputs_t;


/*
 * Makes a body the input of its source; inputs points into it.  -1: it is
 * refused.  A database is opened and asked.
 */
int tcf_input_take(tcf_inputs_t *inputs, tcf_source_e source,
    const tcf_body_t *body, tcr_err_t *err);

/* The same with a copy; nothing to find is no error. */
void tcf_input_load(tcf_inputs_t *inputs, tcf_source_e source,
    const tcf_store_t *store);

void tcf_inputs_free(tcf_inputs_t *inputs);

static inline bool
tcf_input_has(const tcf_inputs_t *inputs, tcf_source_e source)
{
    return inputs->in[source].origin != TCF_INPUT_NONE;
}


#endif /* TCF_INPUT_H_INCLUDED */
