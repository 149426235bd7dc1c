/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The overlay image: steering, federations, challenges and DS, which change
 * without a new snapshot.  Not inside a request.
 */

#ifndef TCR_COMPILE_OVERLAY_H_INCLUDED
#define TCR_COMPILE_OVERLAY_H_INCLUDED

#include "tcr_challenges.h"
#include "tcr_compile_ds.h"
#include "tcr_federations.h"
#include "tcr_image_build.h"
#include "tcr_steering.h"


/* A model that is NULL has nothing in force. */
typedef struct {
    const tcr_steering_doc_t  *steering;
    const tcr_federations_t   *federations;
    const tcr_challenges_t    *challenges;  /* of Traffic Ops                */
    const tcr_challenges_t    *acme;        /* of `tcrouter acme`            */
    const tcr_image_t         *routing;     /* to warn by; NULL: none        */
    tcr_ds_input_t             ds;
    tcr_build_origin_t         origin;  /* for tcr_build_finish              */
} tcr_overlay_input_t;


/* The builder is the caller's to destroy.  -1: nothing was made. */
int tcr_compile_overlay(const tcr_overlay_input_t *in, tcr_build_t **out,
    tcr_report_t *report, tcr_err_t *err);


#endif /* TCR_COMPILE_OVERLAY_H_INCLUDED */
