/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Making an image: bytes grow at the end, references are offsets.
 *
 *     b = tcr_build_create(TCR_SLOT_ROUTING, sizeof(tcr_img_routing_t));
 *     services = tcr_build_vec(b, &vec, n, sizeof(tcr_img_service_t), 8);
 *     … fill …            (see the warning below)
 *     tcr_build_root(b)->services = vec;
 *     tcr_build_finish(b, &header_fields);
 *
 * Warning: any call that adds bytes may move the buffer.  Fill structures in
 * memory of your own and copy them in with tcr_build_array, or fetch pointers
 * anew with tcr_build_at.
 *
 * After the first failure (out of memory, 4 GiB reached) every call is a
 * no-op that returns 0; tcr_build_finish reports it.  Not inside a request.
 */

#ifndef TCR_IMAGE_BUILD_H_INCLUDED
#define TCR_IMAGE_BUILD_H_INCLUDED

#include "tcr_image.h"


typedef struct tcr_build_s  tcr_build_t;

tcr_build_t *tcr_build_create(tcr_slot_e slot, size_t root_size);
void tcr_build_destroy(tcr_build_t *b);

/*
 * Adds a string, which must not lie in the builder; equal strings are stored
 * once.  data == NULL gives 0.
 * _copy stores without looking for an equal one (cheaper for unique text).
 */
tcr_img_str_t tcr_build_str(tcr_build_t *b, tcr_str_t s);
tcr_img_str_t tcr_build_str_copy(tcr_build_t *b, tcr_str_t s);

/* Copies n elements in and describes them; elements NULL = zeroed room. */
tcr_img_vec_t tcr_build_array(tcr_build_t *b, const void *elements, size_t n,
    size_t size, size_t align);

/*
 * Pointer to what stands at an offset, good until the next addition; NULL at
 * 0, which is what additions give after a failure.  The root is always there.
 */
void *tcr_build_at(tcr_build_t *b, uint32_t off);
void *tcr_build_root(tcr_build_t *b);

/* Map over n keys with values 0..n-1; absent keys (data == NULL) skipped. */
tcr_img_map_t tcr_build_map(tcr_build_t *b, const tcr_str_t *keys, size_t n);


typedef struct {
    uint64_t     snapshot_date;
    const char  *source;
    uint8_t      source_sha256[32];
} tcr_build_origin_t;

/*
 * Writes size, origin, creation time and checksum: what stands in *data then
 * passes tcr_image_verify.  The bytes stay the builder's and may be changed
 * until they are published; tcr_publish fills in the number and renews the
 * checksum.  origin may be NULL.
 */
int tcr_build_finish(tcr_build_t *b, const tcr_build_origin_t *origin,
    void **data, size_t *size, tcr_err_t *err);


#endif /* TCR_IMAGE_BUILD_H_INCLUDED */
