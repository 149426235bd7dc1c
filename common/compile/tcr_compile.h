/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Checked models in, images out.  All the work that a request must not do is
 * done here: matchers become look-ups, hash points are computed and merged per
 * cache group, prefixes become intervals, zones get their records.
 * Not inside a request.
 */

#ifndef TCR_COMPILE_H_INCLUDED
#define TCR_COMPILE_H_INCLUDED

#include "tcr_anonymous_policy.h"
#include "tcr_coverage.h"
#include "tcr_crconfig.h"
#include "tcr_crstates.h"
#include "tcr_health.h"
#include "tcr_image_build.h"
#include "tcr_nsec3.h"
#include "tcr_regional.h"


typedef struct {
    const tcr_crconfig_t   *crconfig;
    const tcr_coverage_t   *coverage;       /* NULL = none                   */
    const tcr_coverage_t   *deep;           /* NULL = none                   */
    const char             *router;         /* this router's short host name */
    const tcr_str_t        *certificates;   /* ids of services that have one */
    size_t                  n_certificates;
    bool                    know_certificates;  /* false: every service with
                                                   sslEnabled counts as ready */
    const tcr_regional_t   *regional;       /* NULL = none                   */
    bool                    regional_fallback;  /* the last policy file was
                                                   refused: `regional` is the
                                                   one before                */
    const tcr_anonymous_policy_t  *anonymous;   /* NULL = off: no policy or
                                                   no database configured    */
    const tcr_image_t      *previous;       /* routing image in force or NULL:
                                               serials continue from it, and
                                               groups that have not changed
                                               take their hash points        */
    tcr_nsec3_params_t      nsec3;
    bool                    chains;         /* for zones that deny by NSEC3  */
    tcr_build_origin_t      origin;
} tcr_compile_input_t;


/*
 * A routing image and, for it, a health image in which everything is up.
 * The builders are the caller's to destroy.  -1: nothing was made.
 */
int tcr_compile_routing(const tcr_compile_input_t *in, tcr_build_t **routing,
    tcr_build_t **health, tcr_report_t *report, tcr_err_t *err);

/*
 * Applies a states document to the words of a health image that belongs to
 * the routing image.  base = first byte of the (writable) health image.
 * Returns how many words changed; states_time becomes now (ms since 1970).
 * Without memory it leaves the rest as it was.
 */
size_t tcr_compile_states(const tcr_image_t *routing, void *base,
    tcr_img_health_t *health, const tcr_crstates_t *states, int64_t now_ms);


#endif /* TCR_COMPILE_H_INCLUDED */
