/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Prefix tables: CIDRs in, disjoint sorted intervals out, longest prefix
 * wins.  A table is two plain arrays (IPv4, IPv6) that stand in an image; a
 * look-up is a binary search.
 *
 * Interval i reaches from its start to just before the start of interval
 * i + 1 (the last one to the end of the address space).  The first interval
 * starts at 0, so every address has one.
 */

#ifndef TCR_NETS_H_INCLUDED
#define TCR_NETS_H_INCLUDED

#include "tcr_addr.h"

#define TCR_NETS_NONE  0xffffffffu


typedef struct {
    uint32_t  start;
    uint32_t  value;              /* TCR_NETS_NONE = no prefix covers it     */
} tcr_net4_t;

typedef struct {
    uint64_t  hi;
    uint64_t  lo;
    uint32_t  value;
    uint32_t  reserved;
} tcr_net6_t;

typedef struct {
    const tcr_net4_t  *v4;
    size_t             n4;
    const tcr_net6_t  *v6;
    size_t             n6;
} tcr_nets_t;


/*
 * Value of the longest prefix that contains addr, or TCR_NETS_NONE.
 * *scope becomes the length of the widest prefix around addr whose members
 * all get the same value (scope may be NULL).  Safe inside a request.
 */
uint32_t tcr_nets_find(const tcr_nets_t *nets, const tcr_addr_t *addr,
    uint32_t *scope);


typedef struct tcr_nets_build_s  tcr_nets_build_t;

/* NULL when out of memory */
tcr_nets_build_t *tcr_nets_build_create(void);
void tcr_nets_build_destroy(tcr_nets_build_t *b);

/*
 * Adds a prefix.  Of equal prefixes (host bits ignored) the first stays
 * (rule czf-first-wins).  -1 when out of memory.
 */
int tcr_nets_build_add(tcr_nets_build_t *b, const tcr_cidr_t *cidr,
    uint32_t value);

/*
 * Makes the intervals; they belong to the builder.  Neighbours of equal value
 * are merged.  -1 when out of memory.
 */
int tcr_nets_build_finish(tcr_nets_build_t *b, tcr_nets_t *out);


#endif /* TCR_NETS_H_INCLUDED */
