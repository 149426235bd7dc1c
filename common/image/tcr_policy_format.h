/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Policies in a routing image: regional geo-blocking and anonymous-IP
 * blocking (spec/routing.md §11, §12).  The routing root holds one
 * tcr_img_policies_t.
 */

#ifndef TCR_POLICY_FORMAT_H_INCLUDED
#define TCR_POLICY_FORMAT_H_INCLUDED

#include <stdint.h>


/* Inclusive on every side, degrees. */
typedef struct {
    double  min_lat, min_lon, max_lat, max_lon;
} tcr_img_box_t;

#define TCR_RULE_INCLUDE   1u     /* listed postal codes are allowed; else
                                     they are refused                        */
#define TCR_RULE_ABSOLUTE  2u     /* redirect is a whole URL                 */

typedef struct {
    uint32_t       service;
    uint32_t       flags;
    tcr_img_str_t  pattern;       /* translated; of the URL without query    */
    uint32_t       regex_index;
    tcr_img_str_t  redirect;      /* URL, or path that begins with "/"       */
    tcr_img_vec_t  postal_codes;  /* of tcr_img_str_t                        */
    tcr_img_vec_t  boxes;         /* of tcr_img_box_t                        */
    tcr_img_vec_t  allow4;        /* of tcr_net4_t; value 0 = whitelisted    */
    tcr_img_vec_t  allow6;        /* of tcr_net6_t                           */
} tcr_img_rule_t;


/* flags of the anonymous-IP policy; 0 = the policy is off */
#define TCR_ANON_ON       0x01u
#define TCR_ANON_VPN      0x02u
#define TCR_ANON_HOSTING  0x04u
#define TCR_ANON_PROXY    0x08u
#define TCR_ANON_TOR      0x10u

typedef struct {
    tcr_img_vec_t  rules;         /* of tcr_img_rule_t, by service, then file
                                     order                                   */
    uint32_t       regional_fallback;   /* the last policy file was refused  */
    uint32_t       anonymous;     /* TCR_ANON_*                              */
    tcr_img_str_t  anonymous_redirect;
    tcr_img_vec_t  anonymous_allow4;
    tcr_img_vec_t  anonymous_allow6;
    uint32_t       reserved[4];
} tcr_img_policies_t;


#endif /* TCR_POLICY_FORMAT_H_INCLUDED */
