/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside the engine only: policies that look at the client after a cache was
 * found (spec/routing.md §11, §12).
 */

#ifndef TCR_POLICY_H_INCLUDED
#define TCR_POLICY_H_INCLUDED

#include "tcr_http.h"


typedef enum {
    TCR_VERDICT_ALLOW,
    TCR_VERDICT_URL,              /* redirect to another place               */
    TCR_VERDICT_PATH,             /* another path on the chosen cache        */
    TCR_VERDICT_REFUSE
} tcr_verdict_e;

typedef struct {
    tcr_verdict_e  kind;
    unsigned       status;        /* REFUSE                                  */
    tcr_str_t      redirect;      /* URL, PATH                               */
} tcr_verdict_t;


/* Anonymous-IP, then regional policy; notes result, details and rgb. */
tcr_verdict_t tcr_policy_check(tcr_http_flow_t *f, const tcr_img_service_t *s,
    tcr_locate_t *l);

/* Regional policy alone; with_cache: a path on a cache can be answered. */
tcr_verdict_t tcr_policy_regional(tcr_http_flow_t *f,
    const tcr_img_service_t *s, tcr_locate_t *l, bool with_cache);


#endif /* TCR_POLICY_H_INCLUDED */
