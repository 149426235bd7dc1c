/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside the compiler only: routers that edge routing may choose, by
 * location, in the order of each zone's consistent hash (spec/routing.md §9).
 */

#ifndef TCR_COMPILE_EDGE_H_INCLUDED
#define TCR_COMPILE_EDGE_H_INCLUDED

#include "tcr_compiler.h"


/* May edge routing choose the router, if it is somewhere? */
bool tcr_edge_usable(const tcr_router_t *router);

/*
 * Places routers in their locations (routers[i].location is known) and
 * computes their hash points; fills first and n of the locations.
 */
int tcr_edge_prepare(tcr_compiler_t *c, const tcr_img_router_t *routers,
    tcr_img_router_location_t *locations, size_t n_locations);

/* The `edge` list of a zone. */
int tcr_edge_order(tcr_compiler_t *c, tcr_str_t origin, tcr_img_vec_t *out);


#endif /* TCR_COMPILE_EDGE_H_INCLUDED */
