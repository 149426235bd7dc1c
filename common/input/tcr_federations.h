/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Federations of Traffic Ops (spec/routing.md §13, spec/inputs.md §8.3):
 * clients of some networks get the name of a partner's CDN.
 */

#ifndef TCR_FEDERATIONS_H_INCLUDED
#define TCR_FEDERATIONS_H_INCLUDED

#include "tcr_json.h"
#include "tcr_nets.h"


typedef struct {
    tcr_str_t          cname;     /* absolute, lower case, with final dot    */
    uint32_t           ttl;       /* seconds                                 */
    tcr_nets_t         nets;      /* value 0: for clients in here            */
    tcr_nets_build_t  *build;     /* owns the arrays of nets                 */
    tcr_str_t         *prefixes;  /* "ADDRESS/LENGTH" as listed, IPv6 in eight
                                     groups                                  */
    size_t             n_prefixes;
} tcr_federation_mapping_t;

typedef struct {
    tcr_str_t                  service;   /* xml_id                          */
    tcr_federation_mapping_t  *mappings;  /* document order                  */
    size_t                     n;
} tcr_federation_t;

typedef struct {
    tcr_federation_t  *items;     /* one a service                           */
    size_t             n;
} tcr_federations_t;


/*
 * Reads a parsed answer.  The model is in the arena, its strings may point
 * into the document: both must outlive it.  Prefix tables are on the heap
 * until tcr_federations_free.  A bad mapping or prefix is left out and
 * reported; overlapping prefixes all count, whatever list they stand in; of a
 * service that is listed twice the first one counts.  An element without
 * service and mappings (Traffic Ops puts the CDN's name first) is passed over.
 * -1: no "response", or out of memory; out is empty (it may be freed).
 * Not inside a request.
 */
int tcr_federations_parse(tcr_federations_t *out, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, tcr_report_t *report, tcr_err_t *err);

void tcr_federations_free(tcr_federations_t *federations);


#endif /* TCR_FEDERATIONS_H_INCLUDED */
