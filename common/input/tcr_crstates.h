/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Health states of a Traffic Monitor (CrStates, spec/inputs.md §7).  A
 * document is read once per second: no tree of its own, just the few facts.
 */

#ifndef TCR_CRSTATES_H_INCLUDED
#define TCR_CRSTATES_H_INCLUDED

#include "tcr_json.h"


typedef struct {
    tcr_str_t  name;
    bool       available, ip4, ip6;
} tcr_cache_state_t;

typedef struct {
    tcr_str_t    id;
    bool         available;
    tcr_str_t   *disabled;        /* disabledLocations                       */
    size_t       n_disabled;
} tcr_service_state_t;

/* What stands in for states where nobody watches the caches. */
#define TCR_CRSTATES_UNWATCHED  "{\"unwatched\":true}"

typedef struct {
    bool                  unwatched;        /* all caches are up             */
    bool                  has_caches;       /* the key "caches" was there    */
    tcr_cache_state_t    *caches;
    size_t                n_caches;
    tcr_service_state_t  *services;
    size_t                n_services;
} tcr_crstates_t;


/* Strings point into doc or arena.  -1: not a states document. */
int tcr_crstates_parse(tcr_crstates_t *states, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, tcr_report_t *report, tcr_err_t *err);


#endif /* TCR_CRSTATES_H_INCLUDED */
