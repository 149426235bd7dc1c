/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Zones as PowerDNS wants to see them: numbers that stay, names one after
 * another, and the neighbours of a name in canonical order.
 *
 * A zone's number is made from its origin, not from its place in the image:
 * PowerDNS keeps it over generations, and beside another backend our numbers
 * cannot be mistaken for that one's small ones.
 * Everything here reads the routing image only; no lock, no I/O.
 */

#ifndef TCB_ZONES_H_INCLUDED
#define TCB_ZONES_H_INCLUDED

#include "tcr_route.h"

/* longest domain name in text: 255 bytes, each perhaps written "\DDD" */
#define TCB_NAME_TEXT  1024

/* no zone has this number */
#define TCB_ZONE_NONE  0


/* Lower case without the final dot, in buf; data == NULL when too long. */
tcr_str_t tcb_name(tcr_str_t name, char buf[TCB_NAME_TEXT]);

/* Canonical order of two lower-case names without final dot: <0, 0, >0. */
int tcb_name_cmp(tcr_str_t a, tcr_str_t b);

/* 1 .. 2^31 - 1; one name always has the same, PowerDNS keeps it */
uint32_t tcb_zone_number(tcr_str_t origin);

/*
 * NULL when there is none.  By origin (lower case, no final dot), or by
 * number; the latter walks all zones.
 */
const tcr_img_dns_zone_t *tcb_zone_exact(tcr_view_t *view, tcr_str_t origin);
const tcr_img_dns_zone_t *tcb_zone_numbered(tcr_view_t *view,
    uint32_t number);

/*
 * The zone PowerDNS asks in: the one with that number if it encloses name,
 * else the deepest one that does; NULL outside all zones.
 */
const tcr_img_dns_zone_t *tcb_zone_asked(tcr_view_t *view, tcr_str_t name,
    uint32_t number);


/* An owner name of exactly this zone; NULL when it has none such. */
const tcr_img_name_t *tcb_zone_name(tcr_view_t *view,
    const tcr_img_dns_zone_t *zone, tcr_str_t owner);

/*
 * Neighbours of a name of the zone in its NSEC chain: the last owner not
 * behind name (name itself if it is an owner), and the one that follows, the
 * apex after the last.  -1 when the zone has no names.
 */
int tcb_zone_neighbours(tcr_view_t *view, const tcr_img_dns_zone_t *zone,
    tcr_str_t name, tcr_str_t *before, tcr_str_t *after);


#endif /* TCB_ZONES_H_INCLUDED */
