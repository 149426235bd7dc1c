/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The writers' side of the image directory.
 *
 * A publication writes each new file aside, verifies it with the readers' own
 * code, renames it to "SLOT.N", and only then makes all of them visible with
 * one store in "current".  Killed at any instruction, it has published
 * nothing or everything; the next writer removes what was left behind.
 * Files of the generation before stay until the next publication, so that a
 * reader that has just read "current" still finds them.
 *
 * Every writer holds "lock" in the directory while it publishes (decisions
 * E2).  Not inside a request.
 */

#ifndef TCR_PUBLISH_H_INCLUDED
#define TCR_PUBLISH_H_INCLUDED

#include "tcr_image.h"


typedef struct tcr_publisher_s  tcr_publisher_t;

/*
 * Opens (and makes, mode 0755) the directory, which must belong to us or root
 * (root may use anyone's, and gives its files to the directory's owner) and
 * not be writable by others; makes "current" when it is not there or is
 * not ours to read (wrong magic, version or byte order: then it starts anew).
 * NULL with a reason.
 */
tcr_publisher_t *tcr_publisher_open(const char *dir, tcr_err_t *err);
void tcr_publisher_close(tcr_publisher_t *pub);


/* data NULL withdraws the slot. */
typedef struct {
    tcr_slot_e   slot;
    void        *data;            /* of tcr_build_finish; raw slots: bytes   */
    size_t       size;
    const char  *path;            /* raw slots may name a file instead       */
    const char  *group;           /* file's group, NULL = leave              */
    bool         owner_only;      /* mode 0600, whatever the slot's is       */
} tcr_publication_t;

/*
 * Publishes all items as one change; they get the same number.  A health item
 * is stamped with the number of the routing image that will be in force, and
 * must have its numbers of caches, services and groups; a routing item must
 * bring its health when there is one in force.  -1: nothing changed.
 * numbers (may be NULL) gets each item's file number, 0 for a withdrawn one.
 */
int tcr_publish(tcr_publisher_t *pub, const tcr_publication_t *items,
    size_t n, uint64_t *numbers, tcr_err_t *err);


/*
 * Writable mapping of the health image in force, for changes in place; valid
 * until the next publication of health.  NULL when there is none.
 */
tcr_img_health_t *tcr_publisher_health(tcr_publisher_t *pub, void **base,
    tcr_err_t *err);


#endif /* TCR_PUBLISH_H_INCLUDED */
