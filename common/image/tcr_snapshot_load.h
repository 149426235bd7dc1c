/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a reader of the image directory knows, and loading a publication into
 * it.  Inside of tcr_snapshot only.
 */

#ifndef TCR_SNAPSHOT_LOAD_H_INCLUDED
#define TCR_SNAPSHOT_LOAD_H_INCLUDED

#include "tcr_current.h"
#include "tcr_opener.h"
#include "tcr_snapshot.h"


struct tcr_snapshot_s {
    char           *dir;
    uint32_t        wanted;
    int             dirfd;        /* -1 = not attached                       */
    tcr_current_t   current;
    bool            fresh;        /* attached anew: numbers start over       */
    bool            looked;
    int64_t         look_time;
    uint64_t        seen;         /* change that set was made from           */
    uint64_t        refused;
    tcr_set_t      *set;
    bool            background;   /* a thread opens large images             */
    tcr_opener_t   *opener;       /* at work, or its images not yet taken    */
};

/* Slots of a set in the making, and the first thing that went wrong. */
typedef struct {
    tcr_mapped_t  *slots[TCR_SLOT_COUNT];
    bool           failed[TCR_SLOT_COUNT];
    tcr_err_t     *err;
    uint64_t       refused;
} tcr_load_t;


/*
 * The images of the table in force.  err, unless NULL, is the reason of the
 * first that is refused; what it stands for is as it was.  Returns the change
 * that the table came from.
 */
uint64_t tcr_load_table(const tcr_snapshot_t *snap, tcr_load_t *load,
    tcr_err_t *err);
void tcr_load_drop(tcr_load_t *load);

/* Does this reader map the slot at all? */
bool tcr_load_is_wanted(const tcr_snapshot_t *snap, tcr_slot_e slot);

/* Is the image of the table the one that is mapped? */
bool tcr_load_is_mapped(const tcr_snapshot_t *snap, tcr_slot_e slot,
    const tcr_img_slot_t *entry);

/* One user less; NULL is none. */
void tcr_mapped_release(tcr_mapped_t *mapped);


#endif /* TCR_SNAPSHOT_LOAD_H_INCLUDED */
