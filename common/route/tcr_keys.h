/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What each DNSSEC key of a zone does at a moment (spec/dns.md §8.2): which
 * are published, and which one KSK and one ZSK sign.  Pure: keys and time in,
 * roles out.
 */

#ifndef TCR_KEYS_H_INCLUDED
#define TCR_KEYS_H_INCLUDED

#include "tcr_image.h"
#include "tcr_keys_format.h"

#define TCR_ROLE_PUBLISHED  1u    /* stands in the DNSKEY set                */
#define TCR_ROLE_SIGNS      2u


typedef struct {
    const tcr_img_key_t  *keys;
    size_t                n;
    bool                  allow_expired;
    uint32_t              max_ttl;    /* longest TTL of the zone             */
} tcr_zone_keys_t;


/* Keys of a zone of a keys image; n == 0 when it has none. */
tcr_zone_keys_t tcr_keys_of(const tcr_image_t *img,
    const tcr_img_key_zone_t *zone);

/* The zone of that origin (lower case, no final dot), or NULL. */
const tcr_img_key_zone_t *tcr_keys_zone(const tcr_image_t *img,
    tcr_str_t origin);

/*
 * Of each kind the oldest usable key signs; a key whose time is over only
 * where there is no other and allow_expired is set: then the latest of them.
 * Where the DS of some KSKs is known at the parent, only those may sign: a new
 * key of the CDN's zone waits for its DS.
 *
 * Fills roles[n] with TCR_ROLE_….  True: the zone is signed; otherwise there
 * is no key of one kind and all roles are 0.
 */
bool tcr_keys_roles(const tcr_zone_keys_t *zone, int64_t now,
    uint8_t *roles);

/*
 * First moment behind now at which the roles may be others, INT64_MAX when
 * they stay.
 */
int64_t tcr_keys_next(const tcr_zone_keys_t *zone, int64_t now);


#endif /* TCR_KEYS_H_INCLUDED */
