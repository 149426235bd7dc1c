/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reading an image: map it, check all of it, then trust it.
 *
 * tcr_image_open checks header, checksum and every reference of every
 * structure (table in tcr_image_schema.c), so that the accessors below need
 * no further checks on an image that never changes.  A file that fails any
 * check is refused with one sentence.
 */

#ifndef TCR_IMAGE_H_INCLUDED
#define TCR_IMAGE_H_INCLUDED

#include "tcr_buf.h"
#include "tcr_err.h"
#include "tcr_image_format.h"


typedef struct {
    const uint8_t           *base;
    size_t                   size;
    const tcr_img_header_t  *header;
    bool                     mapped;
} tcr_image_t;


/* slot names: "routing", "health", … ; NULL outside the enum */
const char *tcr_slot_name(tcr_slot_e slot);

/* Mode of the published file (design §4). */
unsigned tcr_slot_mode(tcr_slot_e slot);

/* Name of a published file: "routing.7". */
#define TCR_SLOT_FILE  48

void tcr_slot_file(tcr_slot_e slot, uint64_t number, char name[TCR_SLOT_FILE]);

/* City and anonymous are foreign files without our header. */
bool tcr_slot_is_raw(tcr_slot_e slot);


/*
 * Maps and verifies.  Health images are mapped shared, so that words that
 * the fetcher changes are seen; everything read-only.  Not inside a request
 * (but once a generation).
 */
int tcr_image_open(tcr_image_t *img, int dirfd, const char *name,
    tcr_slot_e slot, tcr_err_t *err);
void tcr_image_close(tcr_image_t *img);

/*
 * The same checks on bytes in memory, aligned for uint64_t.  Messages go
 * behind a name of the bytes: "is cut: …".  Not for raw slots.
 */
int tcr_image_verify(const void *data, size_t size, tcr_slot_e slot,
    tcr_err_t *err);


/* Root structure, right behind the header. */
static inline const void *
tcr_image_root(const tcr_image_t *img)
{
    return img->base + sizeof(tcr_img_header_t);
}


/* Elements of a verified vector. */
static inline const void *
tcr_image_vec(const tcr_image_t *img, const tcr_img_vec_t *vec)
{
    return img->base + vec->off;
}


/* A verified string; data == NULL when absent. */
static inline tcr_str_t
tcr_image_str(const tcr_image_t *img, tcr_img_str_t ref)
{
    uint32_t  len;

    if (ref == 0) {
        return (tcr_str_t) { NULL, 0 };
    }

    memcpy(&len, img->base + ref, sizeof(len));
    return tcr_str_n((const char *) img->base + ref + sizeof(len), len);
}


/*
 * Look-up walk through a map: the values whose hash fits, one after another;
 * TCR_NONE when there are no more.  The caller compares keys.
 *
 *     for (v = tcr_map_first(img, map, key, &it); v != TCR_NONE;
 *          v = tcr_map_next(&it)) …
 */
typedef struct {
    const tcr_img_slot32_t  *places;
    uint32_t                 mask;
    uint32_t                 at;
    uint32_t                 hash;
} tcr_map_iter_t;


static inline uint32_t
tcr_map_next(tcr_map_iter_t *it)
{
    const tcr_img_slot32_t  *p;

    for ( ;; ) {
        p = &it->places[it->at & it->mask];

        if (p->value == TCR_NONE) {
            return TCR_NONE;
        }

        it->at++;

        if (p->hash == it->hash) {
            return p->value;
        }
    }
}


static inline uint32_t
tcr_map_first(const tcr_image_t *img, const tcr_img_map_t *map, tcr_str_t key,
    tcr_map_iter_t *it)
{
    uint64_t  hash;

    if (map->places.n == 0) {
        return TCR_NONE;
    }

    hash = tcr_str_hash(key);

    it->places = tcr_image_vec(img, &map->places);
    it->mask = map->places.n - 1;
    it->hash = (uint32_t) hash;
    it->at = (uint32_t) (hash >> 32);

    return tcr_map_next(it);
}


/*
 * Text of the whole image, for `tcrouter image dump`: one JSON object, with a
 * line for each element of the root's vectors.
 */
void tcr_image_dump(const tcr_image_t *img, tcr_buf_t *buf);


#endif /* TCR_IMAGE_H_INCLUDED */
