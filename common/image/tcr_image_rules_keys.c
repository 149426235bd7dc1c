/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Rules of keys: moments that can be reckoned with.  Expects a passed
 * structural walk.
 */

#include <inttypes.h>

#include "tcr_image_verify.h"
#include "tcr_keys_format.h"

#define MOMENT_MAX  ((int64_t) 1 << 48)


static bool
is_moment(int64_t t)
{
    return t >= 0 && t <= MOMENT_MAX;
}


static int
check_keys(const tcr_image_t *img, const tcr_img_key_zone_t *zones,
    uint32_t at, tcr_err_t *err)
{
    uint32_t              i;
    const tcr_img_key_t  *keys = tcr_image_vec(img, &zones[at].keys);

    for (i = 0; i < zones[at].keys.n; i++) {

        if (!is_moment(keys[i].inception) || !is_moment(keys[i].effective)
            || !is_moment(keys[i].expiration)
            || !is_moment(keys[i].ds_known))
        {
            return tcr_err_set(err, "is damaged: zones[%" PRIu32 "].keys[%"
                               PRIu32 "] has a date that is none", at, i);
        }
    }

    return 0;
}


int
tcr_image_rules_keys(const tcr_image_t *img, tcr_err_t *err)
{
    uint32_t                   i;
    const tcr_img_keys_t      *root = tcr_image_root(img);
    const tcr_img_key_zone_t  *zones = tcr_image_vec(img, &root->zones);

    for (i = 0; i < root->zones.n; i++) {

        if (check_keys(img, zones, i, err) != 0) {
            return -1;
        }
    }

    return 0;
}
