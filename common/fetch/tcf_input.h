/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The bytes of a source made into a checked model: what has just been
 * fetched, else the last good copy, else the one before.
 *
 * A copy is first only found: its hash tells whether the images in force are
 * made of it.  It is read when a model is needed.
 */

#ifndef TCF_INPUT_H_INCLUDED
#define TCF_INPUT_H_INCLUDED

#include "tcf_source.h"
#include "tcf_store.h"
#include "tcr_anonymous_policy.h"
#include "tcr_challenges.h"
#include "tcr_coverage.h"
#include "tcr_crconfig.h"
#include "tcr_dnsseckeys.h"
#include "tcr_ds_known.h"
#include "tcr_federations.h"
#include "tcr_image.h"
#include "tcr_regional.h"
#include "tcr_sslkeys.h"
#include "tcr_steering.h"


typedef enum {
    TCF_INPUT_NONE,
    TCF_INPUT_FETCHED,
    TCF_INPUT_STORED,
    TCF_INPUT_OLDER
} tcf_origin_e;

/* Bytes that were good when they were looked at last. */
typedef struct {
    uint64_t  size;               /* 0 = nothing is known                    */
    uint8_t   sha256[32];
} tcf_known_t;

typedef struct {
    tcf_origin_e    origin;
    bool            is_read;      /* there is a model                        */
    tcr_str_t       bytes;        /* the body's, or of the mapped copy; data
                                     NULL: only size and hash are known      */
    tcr_file_t      file;
    uint64_t        size;
    uint8_t         sha256[32];
    tcr_arena_t    *arena;        /* document and model                      */
    tcr_json_doc_t  doc;
    tcr_report_t    report;
    char            path[PATH_MAX];           /* of a copy                   */
    tcr_err_t       damaged;      /* copies passed over; "" = none           */
} tcf_input_t;

typedef struct {
    tcf_input_t             in[TCF_SOURCES];
    tcr_str_t               unsaved[TCF_SOURCES]; /* there is no room for: is
                                                     newer than the copies   */
    tcr_crconfig_t          crconfig;
    tcr_coverage_t          coverage, deep;
    tcr_sslkeys_t           certificates;
    tcr_dnsseckeys_t        keys;
    tcr_ds_known_t          ds_known;
    tcr_federations_t       federations;
    tcr_steering_doc_t      steering;
    tcr_challenges_t        challenges, acme;
    tcr_regional_t          regional;
    tcr_anonymous_policy_t  policy;

    /* what reading depends on */
    int64_t                 now;              /* seconds since 1970          */
    uint32_t                ttl_dnskey;
    const tcr_image_t      *certs;            /* in force, NULL = none: what
                                                 has not changed is copied   */
} tcf_inputs_t;


/*
 * Makes a body the input of its source; inputs points into it.  -1: it is
 * refused.  A database is opened and asked once.
 */
int tcf_input_take(tcf_inputs_t *inputs, tcf_source_e source,
    const tcf_body_t *body, tcr_err_t *err);

/*
 * Finds a copy.  known: what the newest one is known to be, which is believed
 * without a look.  Nothing to find is no error.
 */
void tcf_input_find(tcf_inputs_t *inputs, tcf_source_e source,
    const tcf_store_t *store, const tcf_known_t *known);

/*
 * Reads what was found; a damaged copy makes room for the one before.  -1: no
 * input is left.
 */
int tcf_input_read(tcf_inputs_t *inputs, tcf_source_e source,
    const tcf_store_t *store);

void tcf_input_drop(tcf_inputs_t *inputs, tcf_source_e source);
void tcf_inputs_free(tcf_inputs_t *inputs);

static inline bool
tcf_input_has(const tcf_inputs_t *inputs, tcf_source_e source)
{
    return inputs->in[source].origin != TCF_INPUT_NONE;
}


#endif /* TCF_INPUT_H_INCLUDED */
