/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Rules of NSEC3 chains: order, owners of the zone, a salt that is one.
 * Expects a passed structural walk.
 */

#include <inttypes.h>
#include <stdio.h>

#include "tcr_image_verify.h"
#include "tcr_nsec3.h"

#define PATH  64                  /* "dns.zones[N].chain" fits               */


int
tcr_image_rules_hashed(const tcr_image_t *img, const tcr_img_vec_t *vec,
    const char *path, tcr_err_t *err)
{
    uint32_t                 i;
    const tcr_img_hashed_t  *all = tcr_image_vec(img, vec);

    for (i = 1; i < vec->n; i++) {

        if (memcmp(all[i - 1].hash, all[i].hash, TCR_NSEC3_HASH) >= 0) {
            return tcr_err_set(err, "is damaged: %s[%" PRIu32 "] does not "
                               "ascend", path, i);
        }
    }

    return 0;
}


static int
check_chain(const tcr_image_t *img, const tcr_img_routing_t *root,
    uint32_t at, tcr_err_t *err)
{
    char                       path[PATH];
    uint32_t                   i, owner;
    const tcr_img_hashed_t    *all;
    const tcr_img_dns_zone_t  *zone;

    zone = (const tcr_img_dns_zone_t *) tcr_image_vec(img, &root->dns.zones)
           + at;
    all = tcr_image_vec(img, &zone->chain);

    for (i = 0; i < zone->chain.n; i++) {
        owner = all[i].owner;

        if (owner < root->dns.names.n
            ? owner < zone->first_name
              || owner - zone->first_name >= zone->n_names
            : owner - root->dns.names.n >= root->caches.n)
        {
            return tcr_err_set(err, "is damaged: dns.zones[%" PRIu32 "].chain"
                               "[%" PRIu32 "] is of name %" PRIu32 ", which "
                               "is none of the zone", at, i, owner);
        }
    }

    snprintf(path, sizeof(path), "dns.zones[%" PRIu32 "].chain", at);

    return tcr_image_rules_hashed(img, &zone->chain, path, err);
}


int
tcr_image_rules_chains(const tcr_image_t *img, tcr_err_t *err)
{
    uint32_t                  i;
    const tcr_img_routing_t  *root = tcr_image_root(img);

    if (!tcr_nsec3_is_salt(tcr_image_str(img, root->nsec3_salt))) {
        return tcr_err_set(err, "is damaged: nsec3_salt is none");
    }

    for (i = 0; i < root->dns.zones.n; i++) {
        if (check_chain(img, root, i, err) != 0) {
            return -1;
        }
    }

    return 0;
}
