/* SPDX-License-Identifier: Apache-2.0 */

/* Inside tcrouter keys: what its two files share. */

#ifndef TCR_TOOL_KEYS_H_INCLUDED
#define TCR_TOOL_KEYS_H_INCLUDED

#include "tcr_keys_plan.h"


typedef struct {
    const char       *dir;
    const char       *images;
    const char       *resolver;   /* of --check; NULL: do not check          */
    uint16_t          force;      /* flags of the kind to roll now, 0 = none */
    bool              all;        /* ds: of every zone                       */
    tcr_keys_plan_t   plan;
    char            **zones;      /* given ones                              */
    size_t            n_zones;
} tcr_keys_options_t;


/* Reads what was found at the parents; the file may not be there. */
int tcr_tool_keys_known(tcr_keys_store_t *s, tcr_ds_known_t *out,
    tcr_err_t *err);

/* tcrouter keys ds; the exit code. */
int tcr_tool_keys_ds(const tcr_keys_options_t *o, tcr_keys_store_t *s);

/* Was the zone given, or none at all? */
bool tcr_tool_keys_wanted(const tcr_keys_options_t *o, tcr_str_t zone);


#endif /* TCR_TOOL_KEYS_H_INCLUDED */
