/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside the compiler only: services that get their caches from a topology
 * (spec/routing.md §5.4).
 */

#ifndef TCR_TOPOLOGY_H_INCLUDED
#define TCR_TOPOLOGY_H_INCLUDED

#include "tcr_compiler.h"


/* A service's topology. */
typedef struct {
    tcr_compiler_t       *c;
    const tcr_service_t  *service;
    bool                  known;    /* it has one that the snapshot knows    */
    bool                  named;    /* a host pattern gives its caches names */
    tcr_str_t             name;     /* the same for every cache, or absent:
                                       cache id "." domain                   */
    bool                 *nodes;    /* by group: is it a node?               */
} tcr_topology_use_t;


/* One for each service, in the arena. */
int tcr_topology_prepare(tcr_compiler_t *c, tcr_topology_use_t **all);

/* Does the topology give this cache to the service? */
bool tcr_topology_serves(const tcr_topology_use_t *t, uint32_t cache);


#endif /* TCR_TOPOLOGY_H_INCLUDED */
