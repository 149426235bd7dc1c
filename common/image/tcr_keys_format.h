/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The keys image: DNSSEC keys of zones, for the backend alone.  Private keys
 * stand nowhere else; its file is for the group of the DNS server (design §4).
 *
 * Keys of a zone are in the order of the document, which decides between
 * equals (spec/dns.md §8.2).
 */

#ifndef TCR_KEYS_FORMAT_H_INCLUDED
#define TCR_KEYS_FORMAT_H_INCLUDED

#include "tcr_image_format.h"

#define TCR_DNSKEY_ZSK  256u      /* flags of DNSKEY, RFC 4034 2.1.1         */
#define TCR_DNSKEY_KSK  257u      /* with SEP                                */

typedef struct {
    uint32_t       flags;         /* DNSKEY: TCR_DNSKEY_…                    */
    uint32_t       algorithm;     /* RFC 8624 3.1                            */
    uint32_t       ttl;           /* as published by the keys' maker         */
    uint32_t       tag;           /* RFC 4034 B                              */
    tcr_img_str_t  public_key;    /* base64                                  */
    tcr_img_str_t  private_key;   /* text: "Private-key-format: v1.2" …      */
    int64_t        inception;     /* seconds since 1970                      */
    int64_t        effective;
    int64_t        expiration;
    int64_t        ds_known;      /* everybody can have seen its DS at the
                                     parent since then; 0 = nobody looked    */
} tcr_img_key_t;

/* How a zone denies what it has not. */
typedef enum {
    TCR_DENIAL_NSEC,
    TCR_DENIAL_NSEC3_NARROW,      /* made up for each answer, RFC 7129 B     */
    TCR_DENIAL_NSEC3              /* the routing image's chain               */
} tcr_denial_e;

typedef struct {
    tcr_img_str_t  origin;        /* lower case, no final dot                */
    uint32_t       max_ttl;       /* longest TTL of its records              */
    uint32_t       denial;        /* tcr_denial_e                            */
    tcr_img_vec_t  keys;          /* of tcr_img_key_t                        */
} tcr_img_key_zone_t;


#define TCR_KEYS_ALLOW_EXPIRED  1u    /* dnssec.allow.expired.keys           */

/* No zones: nothing is signed. */
typedef struct {
    uint32_t       flags;         /* TCR_KEYS_…                              */
    uint32_t       reserved;
    tcr_img_vec_t  zones;         /* of tcr_img_key_zone_t                   */
    tcr_img_map_t  zone_map;      /* origin -> zones                         */
    uint32_t       more[4];
} tcr_img_keys_t;


_Static_assert(sizeof(tcr_img_key_t) == 56, "DNSSEC key");
_Static_assert(sizeof(tcr_img_key_zone_t) == 20, "zone of keys");
_Static_assert(sizeof(tcr_img_keys_t) == 40, "keys root");


#endif /* TCR_KEYS_FORMAT_H_INCLUDED */
