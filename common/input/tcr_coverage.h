/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Coverage zone files: which prefixes belong to which zone (spec/routing.md
 * §4.3, spec/inputs.md §9.2 and §9.3).
 *
 * A zone is named like the cache group it stands for; whether there is such a
 * group is for the compiler to say.  Deep zones name caches besides.
 */

#ifndef TCR_COVERAGE_H_INCLUDED
#define TCR_COVERAGE_H_INCLUDED

#include "tcr_distance.h"
#include "tcr_json.h"
#include "tcr_nets.h"


typedef struct {
    tcr_str_t    name;
    bool         has_point;       /* both coordinates were given             */
    tcr_point_t  point;
    tcr_str_t   *caches;          /* deep only: host names, each once        */
    size_t       n_caches;
} tcr_coverage_zone_t;

typedef struct {
    tcr_coverage_zone_t  *zones;  /* document order                          */
    size_t                n_zones;
    tcr_nets_t            nets;   /* values are indices into zones           */
    tcr_nets_build_t     *build;  /* owns the arrays of nets                 */
    size_t                n_prefixes;         /* as listed, equal ones too   */
    tcr_str_t             revision;           /* empty when not given        */
    tcr_str_t             customer_name;
} tcr_coverage_t;


/*
 * Reads a parsed file; deep says which of the two kinds is expected.  Zones
 * are in the arena, their strings point into the document: both must outlive
 * the model.  The prefix tables are on the heap until tcr_coverage_free.
 *
 * One malformed or out-of-range prefix refuses the whole file: -1, err is
 * "FILE:LINE:COL: coverageZones.NAME.network[3]: what", and out is empty (it
 * may be freed).  What is odd but harmless becomes a warning in the report,
 * one for each kind, with the first place and the number of zones.
 */
int tcr_coverage_parse(tcr_coverage_t *out, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, bool deep, tcr_report_t *report,
    tcr_err_t *err);

void tcr_coverage_free(tcr_coverage_t *coverage);


#endif /* TCR_COVERAGE_H_INCLUDED */
