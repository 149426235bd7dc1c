/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The parts of tcr_image_verify, for the files of this room only.
 */

#ifndef TCR_IMAGE_VERIFY_H_INCLUDED
#define TCR_IMAGE_VERIFY_H_INCLUDED

#include "tcr_image.h"


/* Everything that one field alone can say, by the table of the format. */
int tcr_image_walk(const tcr_image_t *img, tcr_slot_e slot, tcr_err_t *err);

/*
 * What fields say about each other: order, agreement of two structures.
 * For images that tcr_image_walk has passed.
 */
int tcr_image_rules(const tcr_image_t *img, tcr_slot_e slot, tcr_err_t *err);
int tcr_image_rules_groups(const tcr_image_t *img, tcr_err_t *err);
int tcr_image_rules_names(const tcr_image_t *img, tcr_err_t *err);
int tcr_image_rules_chains(const tcr_image_t *img, tcr_err_t *err);
int tcr_image_rules_policies(const tcr_image_t *img, tcr_err_t *err);
int tcr_image_rules_overlay(const tcr_image_t *img, tcr_err_t *err);
int tcr_image_rules_certs(const tcr_image_t *img, tcr_err_t *err);
int tcr_image_rules_keys(const tcr_image_t *img, tcr_err_t *err);

/* Two arrays of a prefix table: each begins at 0 and ascends. */
int tcr_image_rules_nets(const tcr_image_t *img, const tcr_img_vec_t *v4,
    const tcr_img_vec_t *v6, const char *path, tcr_err_t *err);

/* Hashed names ascend. */
int tcr_image_rules_hashed(const tcr_image_t *img, const tcr_img_vec_t *vec,
    const char *path, tcr_err_t *err);

/*
 * Does the health image belong to the routing image?  Both verified.
 */
int tcr_image_pair(const tcr_image_t *routing, const tcr_image_t *health,
    tcr_err_t *err);

/* Sets the checksum of an image in memory (health images carry none). */
void tcr_image_seal(void *data, size_t size);


#endif /* TCR_IMAGE_VERIFY_H_INCLUDED */
