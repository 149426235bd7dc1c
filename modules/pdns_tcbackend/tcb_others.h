/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Names which are in no table of the routing image, so that whoever walks a
 * zone has to add them: those of caches (tcr_image_format.h at
 * tcr_img_dns_zone_t), and those that only have an ACME challenge.
 */

#ifndef TCB_OTHERS_H_INCLUDED
#define TCB_OTHERS_H_INCLUDED

#include "tcb_zones.h"


/* Caches in canonical order of their names, made once a generation. */
typedef struct tcb_others_s  tcb_others_t;

/* NULL when out of memory. */
tcb_others_t *tcb_others_create(void);
void tcb_others_destroy(tcb_others_t *o);


/* Numbers to try with tcb_others_records. */
uint32_t tcb_others_count(tcr_view_t *view, const tcr_img_dns_zone_t *zone);

/*
 * Name i, in buf, and the records there; none when there is no such name, it
 * stands in the table, or it came under another number.  -1: no memory.
 */
int tcb_others_records(tcr_view_t *view, const tcr_img_dns_zone_t *zone,
    uint32_t i, char buf[TCB_NAME_TEXT], tcr_arena_t *arena, tcr_str_t *owner,
    tcr_dns_answer_t *a);

/*
 * tcb_zone_neighbours, with these names among them.  The names are in the
 * image or in the arena.
 */
int tcb_others_neighbours(tcb_others_t *o, tcr_view_t *view,
    const tcr_img_dns_zone_t *zone, tcr_str_t name, tcr_arena_t *arena,
    tcr_str_t *before, tcr_str_t *after);


#endif /* TCB_OTHERS_H_INCLUDED */
