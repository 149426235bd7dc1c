/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Policy file of anonymous-IP blocking (spec/routing.md §11, spec/inputs.md
 * §9.5): which kinds of anonymous address are refused, and where they go.
 */

#ifndef TCR_ANONYMOUS_POLICY_H_INCLUDED
#define TCR_ANONYMOUS_POLICY_H_INCLUDED

#include "tcr_json.h"
#include "tcr_nets.h"


typedef struct {
    bool               vpn;       /* blockAnonymousVPN                       */
    bool               hosting;   /* blockHostingProvider                    */
    bool               proxy;     /* blockPublicProxy                        */
    bool               tor;       /* blockTorExitNode                        */
    tcr_str_t          redirect;  /* absent = refused with 403               */
    tcr_nets_t         allow;     /* value 0: whitelisted                    */
    tcr_nets_build_t  *build;     /* owns the arrays of allow                */
} tcr_anonymous_policy_t;


/*
 * Reads a parsed file.  Strings point into the document, which must outlive
 * the model.  Prefix tables are on the heap until tcr_anonymous_policy_free.
 * -1: one of the four mandatory booleans is missing or no boolean; err is
 * "FILE:LINE:COL: PATH: what", out is empty (it may be freed).  A malformed
 * prefix is left out and reported.  Not inside a request.
 */
int tcr_anonymous_policy_parse(tcr_anonymous_policy_t *out,
    tcr_arena_t *arena, const tcr_json_doc_t *doc, tcr_report_t *report,
    tcr_err_t *err);

void tcr_anonymous_policy_free(tcr_anonymous_policy_t *policy);


#endif /* TCR_ANONYMOUS_POLICY_H_INCLUDED */
