/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Names of caches, which are in no table of the image (tcr_image_format.h at
 * tcr_img_dns_zone_t): whoever walks a zone has to add them.
 */

#ifndef TCB_CACHES_H_INCLUDED
#define TCB_CACHES_H_INCLUDED

#include "tcb_zones.h"


/* Numbers to try with tcb_cache_owner; 0 when the zone has no such names. */
uint32_t tcb_cache_count(tcr_view_t *view, const tcr_img_dns_zone_t *zone);

/* The name cache i would have in the zone, in buf; absent when too long. */
tcr_str_t tcb_cache_owner(tcr_view_t *view, const tcr_img_dns_zone_t *zone,
    uint32_t i, char buf[TCB_NAME_TEXT]);

/*
 * Records at a cache's name; none when it is no name of the zone, or one that
 * stands in the table.
 */
int tcb_cache_records(tcr_view_t *view, const tcr_img_dns_zone_t *zone,
    tcr_str_t owner, tcr_arena_t *arena, tcr_dns_answer_t *a);

/*
 * tcb_zone_neighbours, with the caches' names among them.  The names are in
 * the image or in the arena.  Walks all caches once.
 */
int tcb_cache_neighbours(tcr_view_t *view, const tcr_img_dns_zone_t *zone,
    tcr_str_t name, tcr_arena_t *arena, tcr_str_t *before, tcr_str_t *after);


#endif /* TCB_CACHES_H_INCLUDED */
