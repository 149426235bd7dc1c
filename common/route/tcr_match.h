/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside the engine only: which service a request belongs to
 * (spec/routing.md §1; rule match-order).
 */

#ifndef TCR_MATCH_H_INCLUDED
#define TCR_MATCH_H_INCLUDED

#include "tcr_cdn.h"


typedef struct {
    tcr_str_t         host;       /* lower case, no port, no final dot       */
    tcr_str_t         path;       /* decoded; data == NULL: a DNS question   */
    tcr_str_t         query;      /* raw; data == NULL without "?"           */
    tcr_header_pt     header;     /* may be NULL                             */
    void             *header_ctx;
    const tcr_mem_t  *mem;
    tcr_str_t         path_text;  /* path?query, made when first needed      */
} tcr_match_input_t;


/*
 * Index of the service, or TCR_NONE.  Costs a look-up per label of the host,
 * plus one test for each pattern of an unusual shape.
 */
uint32_t tcr_match_service(const tcr_cdn_t *cdn, tcr_match_input_t *in);


#endif /* TCR_MATCH_H_INCLUDED */
