/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The image directory: opened without following a link, owner and mode
 * checked, names taken apart.
 */

#ifndef TCR_IMAGE_DIR_H_INCLUDED
#define TCR_IMAGE_DIR_H_INCLUDED

#include <sys/types.h>

#include "tcr_image.h"


/*
 * Opens the directory and gives its owner.  -1: cannot open, a link, or
 * others may write to it.  *missing (may be NULL) when there is none.
 */
int tcr_image_dir_open(const char *path, uid_t *owner, bool *missing,
    tcr_err_t *err);

/* Is the open directory still what stands under the path? */
bool tcr_image_dir_is_there(int dirfd, const char *path);


/*
 * For the lock's holder.  before and now: tables of "current".
 *
 * _number gives a number above everything in the directory and the tables,
 * 0 when there is none left.  _clean removes temporary files and images of
 * neither table, and those newer than the table in force: a publication that
 * was killed.
 */
uint64_t tcr_image_dir_number(int dirfd, const tcr_img_table_t *before,
    const tcr_img_table_t *now);
void tcr_image_dir_clean(int dirfd, const tcr_img_table_t *before,
    const tcr_img_table_t *now);


#endif /* TCR_IMAGE_DIR_H_INCLUDED */
