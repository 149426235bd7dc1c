/* SPDX-License-Identifier: Apache-2.0 */

/*
 * When keys are made and how long they live (spec/dns.md §8.3): the schedule
 * of Traffic Ops.  A new key is made `generation` TTLs before the last one
 * expires and published at once; it signs when that one has expired
 * (tcr_keys.h).  For tcrouter keys.
 */

#ifndef TCR_KEYS_PLAN_H_INCLUDED
#define TCR_KEYS_PLAN_H_INCLUDED

#include "tcr_ds_known.h"
#include "tcr_keys_store.h"


typedef struct {
    int64_t    now;               /* seconds since 1970                      */
    unsigned   algorithm;         /* of new keys                             */
    uint32_t   ttl;               /* of new keys                             */
    int64_t    ksk_life;          /* seconds                                 */
    int64_t    zsk_life;
    uint32_t   generation;        /* DNSKEY.generation.multiplier            */
    uint32_t   effective;         /* DNSKEY.effective.multiplier             */
} tcr_keys_plan_t;

/* What was done, for the operator; the key's place is only good now. */
typedef void (*tcr_keys_did_pt)(const char *what, const tcr_dnsseckey_t *key);


/*
 * Makes the missing keys of the zone, one a kind, effective at once.  -1: err
 * filled.
 */
int tcr_keys_plan_first(const tcr_keys_plan_t *plan, tcr_keys_store_t *s,
    tcr_str_t zone, tcr_keys_did_pt did, tcr_err_t *err);

/* Makes what is due for every zone of the store. */
int tcr_keys_plan_due(const tcr_keys_plan_t *plan, tcr_keys_store_t *s,
    tcr_keys_did_pt did, tcr_err_t *err);

/*
 * Begins a roll of one kind (flags) now: a new key, and the others of that
 * kind expire when it was published for `effective` TTLs.
 */
int tcr_keys_plan_force(const tcr_keys_plan_t *plan, tcr_keys_store_t *s,
    tcr_str_t zone, uint16_t flags, tcr_keys_did_pt did, tcr_err_t *err);

/* Removes keys that expired a week ago and that nothing needs any more. */
int tcr_keys_plan_clean(const tcr_keys_plan_t *plan, tcr_keys_store_t *s,
    const tcr_ds_known_t *known, tcr_keys_did_pt did, tcr_err_t *err);


/*
 * Roles (tcr_keys.h) of all items of the store, in the arena: expired keys are
 * allowed, as is Traffic Router's default.  NULL when memory is out.
 */
uint8_t *tcr_keys_plan_roles(const tcr_keys_store_t *s,
    const tcr_ds_known_t *known, int64_t now);


#endif /* TCR_KEYS_PLAN_H_INCLUDED */
