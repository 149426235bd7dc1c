/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The readers' side: notice a publication, and put a set of its images into
 * force.
 *
 * A set is one consistent choice of images.  Routing and health are chosen
 * together: when either is refused, or they do not belong to each other, both
 * stay as they were.
 */

#include "tcr_snapshot_load.h"

#include <stdlib.h>
#include <unistd.h>

#include "tcr_image_dir.h"

#define LOOK_MS     1000          /* between two looks at the path           */
#define LARGE       (1u << 20)    /* bytes that a thread opens: a millisecond */


tcr_snapshot_t *
tcr_snapshot_create(const char *dir, uint32_t wanted)
{
    tcr_snapshot_t  *snap;

    snap = calloc(1, sizeof(*snap));

    if (snap == NULL) {
        return NULL;
    }

    snap->dirfd = -1;
    snap->wanted = wanted;
    snap->dir = strdup(dir);
    snap->set = calloc(1, sizeof(*snap->set));

    if (snap->dir == NULL || snap->set == NULL) {
        free(snap->dir);
        free(snap->set);
        free(snap);
        return NULL;
    }

    snap->set->users = 1;
    return snap;
}


static void
detach(tcr_snapshot_t *snap)
{
    tcr_current_close(&snap->current);

    if (snap->dirfd != -1) {
        close(snap->dirfd);
        snap->dirfd = -1;
    }
}


void
tcr_snapshot_destroy(tcr_snapshot_t *snap)
{
    if (snap == NULL) {
        return;
    }

    tcr_opener_finish(snap->opener);
    detach(snap);
    tcr_snapshot_unpin(snap->set);
    free(snap->dir);
    free(snap);
}


void
tcr_snapshot_background(tcr_snapshot_t *snap)
{
    snap->background = true;
}


/* Who may change the images: root, or the owner of the page. */
static int
check_owner(const tcr_snapshot_t *snap, uid_t owner, tcr_err_t *err)
{
    if (owner != 0 && owner != snap->current.owner) {
        return tcr_err_set(err, "image directory \"%s\" belongs to user %u, "
                           "expected root or %u, the owner of \"%s\"",
                           snap->dir, (unsigned) owner,
                           (unsigned) snap->current.owner, TCR_CURRENT_NAME);
    }

    return 0;
}


/* 1 attached, 0 nothing there yet, -1 something we must not use */
static int
attach(tcr_snapshot_t *snap, tcr_err_t *err)
{
    bool   missing;
    uid_t  owner;

    detach(snap);
    snap->dirfd = tcr_image_dir_open(snap->dir, &owner, &missing, err);

    if (snap->dirfd == -1) {
        return missing ? 0 : -1;
    }

    if (tcr_current_open(&snap->current, snap->dirfd, false, &missing, err)
        != 0)
    {
        detach(snap);
        return missing ? 0 : -1;
    }

    if (check_owner(snap, owner, err) != 0) {
        detach(snap);
        return -1;
    }

    snap->fresh = true;
    return 1;
}


/*
 * Once a second: is the page still the one that stands under the path?  It
 * is not when the directory has been emptied or made anew.  What is in force
 * stays until a page is found that can replace it.
 */
static int
look(tcr_snapshot_t *snap, int64_t now_ms, tcr_err_t *err)
{
    if (snap->looked && now_ms >= snap->look_time
        && now_ms - snap->look_time < LOOK_MS)
    {
        return 0;
    }

    snap->looked = true;
    snap->look_time = now_ms;

    if (snap->dirfd != -1 && tcr_image_dir_is_there(snap->dirfd, snap->dir)
        && tcr_current_is_there(&snap->current, snap->dirfd))
    {
        return 0;
    }

    if (attach(snap, err) == -1) {
        snap->refused++;
        return -1;
    }

    return 0;
}


static bool
is_same(const tcr_set_t *set, const tcr_load_t *load)
{
    return memcmp(set->slots, load->slots, sizeof(set->slots)) == 0;
}


/* 1 new set, 0 the same images as before, -1 no memory */
static int
put_into_force(tcr_snapshot_t *snap, tcr_load_t *load)
{
    tcr_set_t  *set;

    if (is_same(snap->set, load)) {
        tcr_load_drop(load);
        return 0;
    }

    set = calloc(1, sizeof(*set));

    if (set == NULL) {
        tcr_load_drop(load);
        return -1;
    }

    memcpy(set->slots, load->slots, sizeof(set->slots));
    set->change = snap->seen;
    set->users = 1;

    tcr_snapshot_unpin(snap->set);
    snap->set = set;
    return 1;
}


static int
reload(tcr_snapshot_t *snap, tcr_err_t *err)
{
    int     rc;
    tcr_load_t  load;

    snap->seen = tcr_load_table(snap, &load, err);
    snap->fresh = false;
    snap->refused += load.refused;

    rc = put_into_force(snap, &load);

    if (rc == -1) {
        return tcr_err_set(err, "no memory for a new set of images");
    }

    return load.refused != 0 ? -1 : rc;
}


/* Large images that have moved, while the ones before can go on serving. */
static uint32_t
to_open_aside(const tcr_snapshot_t *snap, const tcr_img_table_t *table)
{
    unsigned  i;
    uint32_t  slots = 0;

    if (!snap->background || snap->set->slots[TCR_SLOT_ROUTING] == NULL) {
        return 0;
    }

    for (i = 0; i < TCR_SLOT_COUNT; i++) {
        if (tcr_load_is_wanted(snap, i) && table->slots[i].number != 0
            && table->slots[i].size >= LARGE && !tcr_slot_is_raw(i)
            && !tcr_load_is_mapped(snap, i, &table->slots[i]))
        {
            slots |= 1u << i;
        }
    }

    return slots;
}


/* Has the thread opened all that the table wants from it? */
static bool
opener_fits(const tcr_snapshot_t *snap, const tcr_img_table_t *table,
    uint32_t slots)
{
    unsigned  i;

    for (i = 0; i < TCR_SLOT_COUNT; i++) {
        if ((slots & 1u << i)
            && !tcr_opener_has(snap->opener, i, table->slots[i].number))
        {
            return false;
        }
    }

    return true;
}


/* True: a thread is opening what is new; the old set serves meanwhile. */
static bool
opens_aside(tcr_snapshot_t *snap)
{
    uint32_t         slots;
    tcr_img_table_t  table;

    if (snap->opener != NULL && !tcr_opener_done(snap->opener)) {
        return true;
    }

    tcr_current_read(&snap->current, &table);
    slots = to_open_aside(snap, &table);

    if (snap->opener != NULL) {

        if (opener_fits(snap, &table, slots)) {
            return false;
        }

        /* overtaken by another publication */
        tcr_opener_finish(snap->opener);
        snap->opener = NULL;
    }

    if (slots != 0) {
        snap->opener = tcr_opener_start(snap->dirfd, &table, slots);
    }

    return snap->opener != NULL;
}


int
tcr_snapshot_refresh(tcr_snapshot_t *snap, int64_t now_ms, tcr_err_t *err)
{
    int  rc;

    if (look(snap, now_ms, err) != 0) {
        return -1;
    }

    if (snap->current.page == NULL
        || (!snap->fresh && tcr_current_change(&snap->current) == snap->seen))
    {
        return 0;
    }

    if (opens_aside(snap)) {
        return 0;
    }

    rc = reload(snap, err);
    tcr_opener_finish(snap->opener);
    snap->opener = NULL;

    return rc;
}


tcr_set_t *
tcr_snapshot_pin(tcr_snapshot_t *snap)
{
    snap->set->users++;
    return snap->set;
}


void
tcr_snapshot_unpin(tcr_set_t *set)
{
    unsigned  i;

    if (--set->users != 0) {
        return;
    }

    if (set->attachment_free != NULL) {
        set->attachment_free(set->attachment);
    }

    for (i = 0; i < TCR_SLOT_COUNT; i++) {
        tcr_mapped_release(set->slots[i]);
    }

    free(set);
}


tcr_set_t *
tcr_snapshot_current(tcr_snapshot_t *snap)
{
    return snap->set;
}


uint64_t
tcr_snapshot_refused(const tcr_snapshot_t *snap)
{
    return snap->refused;
}
