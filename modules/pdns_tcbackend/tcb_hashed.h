/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Neighbours in a zone's NSEC3 chain: PowerDNS comes with the hash of a name,
 * the compiler has hashed all names that exist, so nothing is hashed here.
 * Reads images only; no lock, no I/O.
 */

#ifndef TCB_HASHED_H_INCLUDED
#define TCB_HASHED_H_INCLUDED

#include "tcb_zones.h"
#include "tcr_nsec3.h"


typedef struct {
    tcr_str_t  owner;             /* of `before`: whose types NSEC3 lists    */
    char       before[TCR_NSEC3_TEXT + 1];    /* not behind the hash         */
    char       after[TCR_NSEC3_TEXT + 1];
} tcb_hashed_t;


/* Has the zone a chain? */
bool tcb_hashed_has(const tcr_img_dns_zone_t *zone);

/*
 * hash: text, with or without a final dot.  The owner is in an image or in the
 * arena.  -1: it is no hash, the zone has no chain, or memory is out.
 */
int tcb_hashed_neighbours(tcr_view_t *view, const tcr_img_dns_zone_t *zone,
    tcr_str_t hash, tcr_arena_t *arena, tcb_hashed_t *out);


#endif /* TCB_HASHED_H_INCLUDED */
