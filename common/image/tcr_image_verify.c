/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Whether bytes are an image that this program may trust: the header, the
 * checksum, the walk through all structures, the rules between them.
 * Messages go behind the name of the file: "is cut: …".
 */

#include "tcr_image_verify.h"

#include <inttypes.h>

#include "tcr_digest.h"
#include "tcr_image_schema.h"


/* What the first 16 bytes say: whose file, which order, which version. */
static int
check_kind(const tcr_img_header_t *h, size_t size, tcr_slot_e slot,
    tcr_err_t *err)
{
    const char  *found;

    if (size < sizeof(*h)) {
        return tcr_err_set(err, "is cut: %zu bytes, an image has at least "
                           "%zu", size, sizeof(*h));
    }

    if (memcmp(h->magic, TCR_IMAGE_MAGIC, sizeof(h->magic)) != 0) {
        return tcr_err_set(err, "is not an image: it does not begin with "
                           "\"%s\"", TCR_IMAGE_MAGIC);
    }

    if (h->byte_order != TCR_IMAGE_BYTE_ORDER) {
        return tcr_err_set(err, "has byte order %08" PRIx32 ", this machine "
                           "has %08x; run the fetcher on this machine",
                           h->byte_order, TCR_IMAGE_BYTE_ORDER);
    }

    if (h->version != TCR_IMAGE_VERSION) {
        return tcr_err_set(err, "has format %d, this program reads %d; run "
                           "the fetcher of the same release", h->version,
                           TCR_IMAGE_VERSION);
    }

    if (h->slot != slot) {
        found = tcr_slot_name(h->slot);

        return tcr_err_set(err, "holds \"%s\", expected \"%s\"; remove it, "
                           "the next publication replaces it",
                           found ? found : "unknown data",
                           tcr_slot_name(slot));
    }

    return 0;
}


static int
check_sizes(const tcr_img_header_t *h, size_t size,
    const tcr_schema_t *schema, tcr_err_t *err)
{
    if (h->size != size) {
        return tcr_err_set(err, "is cut: %zu bytes, its header says %" PRIu64,
                           size, h->size);
    }

    if (h->root_size != schema->size) {
        return tcr_err_set(err, "has a root of %" PRIu32 " bytes, expected "
                           "%" PRIu32 "; run the fetcher of the same release",
                           h->root_size, schema->size);
    }

    if (schema->size > size - sizeof(*h)) {
        return tcr_err_set(err, "is cut: %zu bytes, header and root alone "
                           "have %zu", size, sizeof(*h) + schema->size);
    }

    if (size > UINT32_MAX) {
        return tcr_err_set(err, "is too large: %zu bytes, offsets reach %"
                           PRIu32, size, UINT32_MAX);
    }

    if (h->incompat != 0) {
        return tcr_err_set(err, "needs features %08" PRIx32 ", this program "
                           "knows none; run the servers of the same release",
                           h->incompat);
    }

    if (memchr(h->source, '\0', sizeof(h->source)) == NULL) {
        return tcr_err_set(err, "is damaged: source does not end in NUL");
    }

    return 0;
}


static uint32_t
checksum(const void *data, size_t size)
{
    return tcr_crc32c(0, (const uint8_t *) data + sizeof(tcr_img_header_t),
                      size - sizeof(tcr_img_header_t));
}


/* The words of a health image change in place, so it has no checksum. */
static int
check_crc(const tcr_img_header_t *h, tcr_err_t *err)
{
    uint32_t  crc;

    if (h->slot == TCR_SLOT_HEALTH) {
        return 0;
    }

    crc = checksum(h, h->size);

    if (crc != h->crc) {
        return tcr_err_set(err, "is damaged: checksum %08" PRIx32 ", its "
                           "header says %08" PRIx32, crc, h->crc);
    }

    return 0;
}


void
tcr_image_seal(void *data, size_t size)
{
    tcr_img_header_t  *h = data;

    h->crc = h->slot == TCR_SLOT_HEALTH ? 0 : checksum(data, size);
}


int
tcr_image_verify(const void *data, size_t size, tcr_slot_e slot,
    tcr_err_t *err)
{
    tcr_image_t              img;
    const tcr_schema_t      *schema;
    const tcr_img_header_t  *h = data;

    schema = tcr_schema_root(slot);

    if (schema == NULL) {
        return tcr_err_set(err, "cannot be verified: this program knows no "
                           "structure of slot %d", (int) slot);
    }

    if (check_kind(h, size, slot, err) != 0
        || check_sizes(h, size, schema, err) != 0
        || check_crc(h, err) != 0)
    {
        return -1;
    }

    img = (tcr_image_t) { data, size, h, false };

    if (tcr_image_walk(&img, slot, err) != 0) {
        return -1;
    }

    return tcr_image_rules(&img, slot, err);
}
