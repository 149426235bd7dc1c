/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Arbitrary bytes as an image.  Size and checksum are made right first, so
 * that what lies behind them is reached.  Promise: an image that is accepted
 * can be dumped and looked up in without leaving its bytes.
 */

#include <stdlib.h>

#include "tcr_image_verify.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


/* Every string of the root's caches leads somewhere or nowhere, but ends. */
static void
look_up(const tcr_image_t *img)
{
    uint32_t                  i, v, found;
    tcr_str_t                 id;
    tcr_map_iter_t            it;
    const tcr_img_cache_t    *caches;
    const tcr_img_routing_t  *root = tcr_image_root(img);

    caches = tcr_image_vec(img, &root->caches);

    for (i = 0; i < root->caches.n; i++) {
        id = tcr_image_str(img, caches[i].id);
        found = 0;

        for (v = tcr_map_first(img, &root->cache_map, id, &it); v != TCR_NONE;
             v = tcr_map_next(&it))
        {
            if (v >= root->caches.n || found++ > root->cache_map.places.n) {
                abort();
            }
        }
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t           *copy;
    tcr_err_t          err;
    tcr_buf_t          buf;
    tcr_image_t        img;
    tcr_img_header_t  *h;

    if (size < sizeof(*h)) {
        return 0;
    }

    copy = malloc(size);

    if (copy == NULL) {
        return 0;
    }

    memcpy(copy, data, size);
    h = (void *) copy;
    h->size = size;
    tcr_image_seal(copy, size);

    if (tcr_image_verify(copy, size, h->slot, &err) == 0) {
        img = (tcr_image_t) { copy, size, h, false };
        tcr_buf_init(&buf, 1 << 24);
        tcr_image_dump(&img, &buf);
        tcr_buf_free(&buf);

        if (h->slot == TCR_SLOT_ROUTING) {
            look_up(&img);
        }
    }

    free(copy);
    return 0;
}
