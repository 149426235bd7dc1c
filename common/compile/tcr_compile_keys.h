/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The keys image: what the DNS server signs with.  Not inside a request.
 */

#ifndef TCR_COMPILE_KEYS_H_INCLUDED
#define TCR_COMPILE_KEYS_H_INCLUDED

#include "tcr_dnsseckeys.h"
#include "tcr_ds_known.h"
#include "tcr_image_build.h"
#include "tcr_keys.h"


typedef struct {
    const tcr_dnsseckeys_t  *keys;      /* NULL: nothing is signed           */
    bool                     allow_expired;   /* dnssec.allow.expired.keys   */
    const tcr_ds_known_t    *known;     /* NULL: nobody looked               */
    const tcr_image_t       *routing;   /* for the longest TTL of each zone;
                                           NULL: the SOA's default           */
    tcr_denial_e             denial;    /* of zones whose keys allow it      */
    tcr_build_origin_t       origin;    /* for tcr_build_finish              */
} tcr_keys_input_t;


/*
 * Zones in the order in which the document has them.  The builder is the
 * caller's to destroy: it holds private keys, as the data of tcr_build_finish
 * does.  -1: nothing was made.
 */
int tcr_compile_keys(const tcr_keys_input_t *in, tcr_build_t **out,
    tcr_report_t *report, tcr_err_t *err);

/*
 * Longest TTL of a zone's record sets, which the keys image was compiled with.
 * routing may be NULL.
 */
uint32_t tcr_compile_keys_ttl(const tcr_image_t *routing, tcr_str_t origin);

/*
 * First moment (seconds since 1970) behind now at which keys of the image
 * change their roles, INT64_MAX for never: then its DS are to be compiled
 * anew.
 */
int64_t tcr_compile_keys_next(const tcr_image_t *keys, int64_t now);


#endif /* TCR_COMPILE_KEYS_H_INCLUDED */
