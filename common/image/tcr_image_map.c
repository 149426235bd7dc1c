/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Hash maps of an image: open addressing, linear probing, at most two thirds
 * full.  Equal keys keep their order, since they are filled in one after
 * another.
 */

#include "tcr_image_build.h"


static size_t
places_for(size_t keys)
{
    size_t  n = 2;

    while (n / 2 < keys - keys / 4) {
        n *= 2;
    }

    return n;
}


static void
fill(tcr_img_slot32_t *places, uint32_t mask, const tcr_str_t *keys, size_t n)
{
    size_t    i;
    uint32_t  at;
    uint64_t  hash;

    for (i = 0; i < n; i++) {
        if (keys[i].data == NULL) {
            continue;
        }

        hash = tcr_str_hash(keys[i]);
        at = (uint32_t) (hash >> 32) & mask;

        while (places[at].value != TCR_NONE) {
            at = (at + 1) & mask;
        }

        places[at] = (tcr_img_slot32_t) { (uint32_t) hash, (uint32_t) i };
    }
}


tcr_img_map_t
tcr_build_map(tcr_build_t *b, const tcr_str_t *keys, size_t n)
{
    size_t             i, present;
    tcr_img_map_t      map = { { 0, 0 } };
    tcr_img_slot32_t  *places;

    for (i = 0, present = 0; i < n; i++) {
        present += keys[i].data != NULL;
    }

    if (present == 0) {
        return map;
    }

    map.places = tcr_build_array(b, NULL, places_for(present),
                                 sizeof(*places), _Alignof(tcr_img_slot32_t));

    if (map.places.n == 0) {
        return map;
    }

    places = tcr_build_at(b, map.places.off);

    for (i = 0; i < map.places.n; i++) {
        places[i].value = TCR_NONE;
    }

    fill(places, map.places.n - 1, keys, n);
    return map;
}
