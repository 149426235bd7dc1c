/* SPDX-License-Identifier: Apache-2.0 */

/* One file of a publication: written aside, then moved to its name. */

#ifndef TCR_PUBLISH_FILE_H_INCLUDED
#define TCR_PUBLISH_FILE_H_INCLUDED

#include <sys/types.h>

#include "tcr_publish.h"

#define TCR_PUBLISH_TEMP  (TCR_SLOT_FILE + sizeof(".tmp"))


typedef struct {
    tcr_slot_e   slot;
    uint64_t     size;
    tcr_image_t  img;             /* verified; raw slots: base and size      */
    char         temp[TCR_PUBLISH_TEMP];
    char         name[TCR_SLOT_FILE];
    bool         renamed;
} tcr_staged_t;


/*
 * Writes the item under its temporary name with owner, group and mode, and
 * opens it as a reader would.  owner (uid_t) -1 = we.  After -1 nothing is
 * left.
 */
int tcr_publish_stage(tcr_staged_t *staged, int dirfd,
    const tcr_publication_t *item, uint64_t number, uid_t owner,
    tcr_err_t *err);

/* Moves it to its name. */
int tcr_publish_rename(tcr_staged_t *staged, int dirfd, tcr_err_t *err);

/* Closes the image; undo removes the file too, wherever it stands. */
void tcr_publish_unstage(tcr_staged_t *staged, int dirfd, bool undo);


#endif /* TCR_PUBLISH_FILE_H_INCLUDED */
