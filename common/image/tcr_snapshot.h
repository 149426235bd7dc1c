/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The readers' side of the image directory: which images are in force.
 *
 * A reader keeps one tcr_snapshot_t per thread.  tcr_snapshot_refresh costs
 * one acquire load when nothing was published.  After a publication only the
 * images whose number moved are mapped anew, into a new tcr_set_t; the old
 * set lives until its last user lets go.  An image that is refused leaves the
 * last good one in force, is counted, and is tried once per publication.
 */

#ifndef TCR_SNAPSHOT_H_INCLUDED
#define TCR_SNAPSHOT_H_INCLUDED

#include "tcr_image.h"


/* One mapped image, shared by the sets that contain it. */
typedef struct {
    tcr_image_t  img;             /* raw slots: base and size only           */
    uint64_t     number;          /* 0 = this slot is empty                  */
    int64_t      published;       /* ms since 1970                           */
    uint32_t     users;
    tcr_slot_e   slot;
} tcr_mapped_t;

typedef struct {
    tcr_mapped_t  *slots[TCR_SLOT_COUNT];    /* NULL = none                  */
    uint64_t       change;
    uint32_t       users;
    void          *attachment;    /* the engine's helpers for this set       */
    void         (*attachment_free)(void *attachment);
} tcr_set_t;

typedef struct tcr_snapshot_s  tcr_snapshot_t;


/*
 * Never fails for a missing directory or image: a server starts before its
 * first image.  NULL only when out of memory.  wanted = bit set of slots
 * (1u << TCR_SLOT_…) to map.
 */
tcr_snapshot_t *tcr_snapshot_create(const char *dir, uint32_t wanted);
void tcr_snapshot_destroy(tcr_snapshot_t *snap);

/*
 * From now on a thread opens and verifies large images, so that no request
 * waits for that; the set before serves until they are good.  The first
 * images are always opened by tcr_snapshot_refresh itself.
 */
void tcr_snapshot_background(tcr_snapshot_t *snap);

/*
 * Looks whether something was published.  0 = as before, 1 = a new set is in
 * force, -1 = something was refused (err says what; its last good image
 * serves, other images of the same publication may be new).
 * Once a second by now_ms it looks whether "current" is still the one under
 * the path: it may be missing yet, or the directory may have been made anew.
 * Safe inside a request; maps and verifies after a publication.
 */
int tcr_snapshot_refresh(tcr_snapshot_t *snap, int64_t now_ms,
    tcr_err_t *err);

/*
 * Set in force: never NULL, its slots may be.  Pinned until the matching
 * tcr_snapshot_unpin; pins are per thread, not atomic.
 */
tcr_set_t *tcr_snapshot_pin(tcr_snapshot_t *snap);
void tcr_snapshot_unpin(tcr_set_t *set);

/* Without pinning: good until the next refresh. */
tcr_set_t *tcr_snapshot_current(tcr_snapshot_t *snap);

/* Images refused since the start. */
uint64_t tcr_snapshot_refused(const tcr_snapshot_t *snap);


#endif /* TCR_SNAPSHOT_H_INCLUDED */
