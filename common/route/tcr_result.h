/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The vocabulary of decisions: what was decided (result) and why (details),
 * under the names the access log, the API and the metrics print
 * (spec/routing.md §15, docs/reasons.md).
 */

#ifndef TCR_RESULT_H_INCLUDED
#define TCR_RESULT_H_INCLUDED

#include "tcr_str.h"


typedef enum {
    TCR_RESULT_NONE,              /* "-": no routing took place              */
    TCR_RESULT_ERROR,
    TCR_RESULT_CZ,
    TCR_RESULT_DEEP_CZ,
    TCR_RESULT_GEO,
    TCR_RESULT_GEO_DS,
    TCR_RESULT_GEO_REDIRECT,
    TCR_RESULT_MISS,
    TCR_RESULT_DS_REDIRECT,
    TCR_RESULT_DS_MISS,
    TCR_RESULT_FED,
    TCR_RESULT_RGALT,
    TCR_RESULT_RGDENY,
    TCR_RESULT_ANON_BLOCK,
    TCR_RESULT_COUNT
} tcr_result_e;

typedef enum {
    TCR_DETAILS_NONE,             /* "-"                                     */
    TCR_DETAILS_DS_NOT_FOUND,
    TCR_DETAILS_DS_TLS_MISMATCH,
    TCR_DETAILS_DS_NO_BYPASS,
    TCR_DETAILS_DS_BYPASS,
    TCR_DETAILS_DS_CZ_ONLY,
    TCR_DETAILS_DS_CLIENT_GEO_UNSUPPORTED,
    TCR_DETAILS_GEO_NO_CACHE_FOUND,
    TCR_DETAILS_DS_CZ_BACKUP_CG,
    TCR_DETAILS_REGIONAL_GEO_NO_RULE,
    TCR_DETAILS_REGIONAL_GEO_ALTERNATE_WITHOUT_CACHE,
    TCR_DETAILS_REGIONAL_GEO_ALTERNATE_WITH_CACHE,
    TCR_DETAILS_LOCALIZED_DNS,
    TCR_DETAILS_COUNT
} tcr_details_e;


/* Static storage; "-" for NONE and for anything outside the enum. */
tcr_str_t tcr_result_name(tcr_result_e result);
tcr_str_t tcr_details_name(tcr_details_e details);

/* One sentence for people. */
const char *tcr_details_sentence(tcr_details_e details);


#endif /* TCR_RESULT_H_INCLUDED */
