/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The overlay image: what changes every few seconds and must not wait for a
 * new routing image: steering, federations, ACME challenges, DS of signed
 * zones.
 *
 * Services are named, not numbered: an overlay goes with any routing image.
 * Readers resolve the names once when they map a new pair.
 */

#ifndef TCR_OVERLAY_FORMAT_H_INCLUDED
#define TCR_OVERLAY_FORMAT_H_INCLUDED

#include "tcr_image_format.h"


#define TCR_TARGET_HAS_POINT  1u  /* the origin's coordinates are given      */

typedef struct {
    tcr_img_str_t  service;       /* xml_id of the target                    */
    int32_t        order;
    int32_t        geo_order;
    uint32_t       flags;
    double         lat;           /* of the origin                           */
    double         lon;
    tcr_img_vec_t  points;        /* of double, ascending: `weight` points of
                                     xml_id; none: placed by order alone     */
} tcr_img_target_t;

/* A path that matches goes to that target (spec/routing.md §8.1). */
typedef struct {
    tcr_img_str_t  service;
    tcr_img_str_t  pattern;       /* translated                              */
    tcr_img_str_t  java;          /* as written, for people                  */
    uint32_t       regex_index;
} tcr_img_filter_t;

#define TCR_STEERING_CLIENT  1u   /* CLIENT_STEERING: every target is named  */

typedef struct {
    tcr_img_str_t  service;
    uint32_t       flags;
    tcr_img_vec_t  targets;       /* of tcr_img_target_t, document order     */
    tcr_img_vec_t  filters;       /* of tcr_img_filter_t                     */
} tcr_img_steering_t;


/* A client inside any of the prefixes gets the CNAME (§13). */
typedef struct {
    tcr_img_str_t  cname;         /* absolute, with final dot                */
    uint32_t       ttl;
    tcr_img_vec_t  v4;            /* of tcr_net4_t; value 0 = inside         */
    tcr_img_vec_t  v6;            /* of tcr_net6_t                           */
    tcr_img_vec_t  prefixes;      /* of tcr_img_str_t: "ADDRESS/LENGTH" as
                                     listed, IPv6 in eight groups; for people */
} tcr_img_mapping_t;

typedef struct {
    tcr_img_str_t  service;
    tcr_img_vec_t  mappings;      /* of tcr_img_mapping_t: the first counts  */
} tcr_img_federation_t;


/*
 * TXT records of ACME, joined to whatever stands at the name; and the names
 * above them, which exist by them and have no text.
 */
typedef struct {
    tcr_img_str_t  owner;         /* lower case, no final dot                */
    tcr_img_str_t  text;          /* presentation form, quoted; or absent    */
    uint32_t       ttl;
} tcr_img_challenge_t;


/*
 * DS of a zone, at its name in the zone around it.  Public: the keys
 * themselves are in an image of their own.
 */
typedef struct {
    tcr_img_str_t  owner;         /* lower case, no final dot                */
    tcr_img_str_t  text;          /* TAG ALGORITHM 2 DIGEST                  */
    uint32_t       ttl;
    uint32_t       reserved;
    int64_t        since;         /* seconds: not before, the DNS server has
                                     to know the keys first                  */
    int64_t        until;         /* not from then on; INT64_MAX = no end    */
} tcr_img_ds_t;


typedef struct {
    tcr_img_vec_t  steering;      /* of tcr_img_steering_t, one per service  */
    tcr_img_vec_t  federations;   /* of tcr_img_federation_t, likewise       */
    tcr_img_vec_t  challenges;    /* of tcr_img_challenge_t                  */
    tcr_img_map_t  challenge_map; /* owner -> challenges                     */
    uint32_t       n_regexes;
    tcr_img_vec_t  ds;            /* of tcr_img_ds_t                         */
    tcr_img_map_t  ds_map;        /* owner -> ds                             */
    tcr_img_vec_t  hashed;        /* of tcr_img_hashed_t: each owner of a
                                     challenge once, where the routing image
                                     has chains                              */
    uint32_t       reserved;
} tcr_img_overlay_t;


#endif /* TCR_OVERLAY_FORMAT_H_INCLUDED */
