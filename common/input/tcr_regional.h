/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Policy file of regional geo-blocking (spec/routing.md §12, spec/inputs.md
 * §9.4): where a URL of a service may be asked for.
 *
 * A file is taken as a whole or not at all: half a policy would open what
 * the other half closes.  Only a box outside of the globe and a malformed
 * prefix are left out by themselves.
 */

#ifndef TCR_REGIONAL_H_INCLUDED
#define TCR_REGIONAL_H_INCLUDED

#include "tcr_crconfig.h"
#include "tcr_nets.h"


/* Degrees, inclusive on every side. */
typedef struct {
    double  min_lat, min_lon, max_lat, max_lon;
} tcr_regional_box_t;

typedef struct {
    tcr_str_t            service;       /* xml_id                            */
    tcr_str_t            pattern;       /* translated: whole URL, caseless   */
    bool                 include;       /* postal codes are those allowed;
                                           else those refused                */
    tcr_str_list_t       postal_codes;
    tcr_regional_box_t  *boxes;
    size_t               n_boxes;
    tcr_str_t            redirect;      /* URL, or path that begins with "/" */
    bool                 absolute;      /* redirect is a URL                 */
    tcr_nets_t           allow;         /* value 0: whitelisted              */
    tcr_nets_build_t    *build;         /* owns the arrays of allow          */
} tcr_regional_rule_t;

typedef struct {
    tcr_regional_rule_t  *rules;        /* document order                    */
    size_t                n;
} tcr_regional_t;


/*
 * Reads a parsed file.  Rules are in the arena, strings may point into the
 * document: both must outlive the model.  Prefix tables are on the heap until
 * tcr_regional_free.  -1: refused, err is "FILE:LINE:COL: PATH: what" of the
 * first bad rule, out is empty (it may be freed).  Not inside a request.
 */
int tcr_regional_parse(tcr_regional_t *out, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, tcr_report_t *report, tcr_err_t *err);

void tcr_regional_free(tcr_regional_t *regional);


#endif /* TCR_REGIONAL_H_INCLUDED */
