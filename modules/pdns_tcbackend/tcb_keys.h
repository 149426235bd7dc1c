/* SPDX-License-Identifier: Apache-2.0 */

/*
 * DNSSEC keys for PowerDNS.  The one place that opens the keys image; PowerDNS
 * signs, here is decided with what.
 */

#ifndef TCB_KEYS_H_INCLUDED
#define TCB_KEYS_H_INCLUDED

#include "tcr_arena.h"
#include "tcr_err.h"
#include "tcr_keys_format.h"


typedef struct tcb_keys_s  tcb_keys_t;

typedef struct {
    uint32_t   id;                /* its place among the zone's keys, from 1 */
    uint32_t   flags;             /* 256 or 257                              */
    bool       active;            /* signs                                   */
    bool       published;
    tcr_str_t  content;           /* private-key text; good until the next
                                     call on the same tcb_keys_t             */
} tcb_key_t;

typedef struct {
    tcb_key_t  *keys;
    size_t      n;                /* 0: the zone is not signed               */
    tcr_denial_e  denial;
} tcb_zone_keys_t;


/* NULL when out of memory; a missing image is no failure. */
tcb_keys_t *tcb_keys_create(const char *images);
void tcb_keys_destroy(tcb_keys_t *k);

/*
 * Keys of the zone of that origin (lower case, no final dot) at a moment (ms
 * since 1970).  The list is in the arena.  0; 1 when it is filled and err says
 * what the operator should read; -1 when memory is out.
 */
int tcb_keys_of(tcb_keys_t *k, tcr_str_t origin, int64_t now_ms,
    tcr_arena_t *arena, tcb_zone_keys_t *out, tcr_err_t *err);


#endif /* TCB_KEYS_H_INCLUDED */
