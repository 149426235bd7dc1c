/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The readers' side: notice a publication, map what moved, keep what is
 * refused as it was.
 *
 * A set is one consistent choice of images.  Routing and health are chosen
 * together: when either is refused, or they do not belong to each other, both
 * stay as they were.
 */

#include "tcr_snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "tcr_current.h"
#include "tcr_image_dir.h"
#include "tcr_image_verify.h"
#include "tcr_opener.h"

#define LOOK_MS     1000          /* between two looks at the path           */
#define LOAD_TRIES  8             /* publications that may overtake a load   */
#define LARGE       (1u << 20)    /* bytes that a thread opens: a millisecond */


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
} load_t;


static void
mapped_release(tcr_mapped_t *mapped)
{
    if (mapped == NULL || --mapped->users != 0) {
        return;
    }

    tcr_image_close(&mapped->img);
    free(mapped);
}


static tcr_mapped_t *
mapped_share(tcr_mapped_t *mapped)
{
    if (mapped != NULL) {
        mapped->users++;
    }

    return mapped;
}


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


/* Opened by the thread, or here and now. */
static int
open_slot(const tcr_snapshot_t *snap, tcr_slot_e slot, uint64_t number,
    const char *name, tcr_image_t *img, tcr_err_t *err)
{
    int  rc = 0;

    if (snap->opener != NULL) {
        rc = tcr_opener_take(snap->opener, slot, number, img, err);
    }

    return rc != 0 ? (rc == 1 ? 0 : -1)
                   : tcr_image_open(img, snap->dirfd, name, slot, err);
}


static tcr_mapped_t *
map_slot(const tcr_snapshot_t *snap, tcr_slot_e slot,
    const tcr_img_slot_t *entry, tcr_err_t *err)
{
    char           name[TCR_SLOT_FILE];
    tcr_mapped_t  *mapped;

    mapped = calloc(1, sizeof(*mapped));

    if (mapped == NULL) {
        tcr_err_set(err, "no memory to map \"%s\"", tcr_slot_name(slot));
        return NULL;
    }

    tcr_slot_file(slot, entry->number, name);

    if (open_slot(snap, slot, entry->number, name, &mapped->img, err) != 0) {
        free(mapped);
        return NULL;
    }

    if (mapped->img.header != NULL
        && mapped->img.header->number != entry->number)
    {
        tcr_err_set(err, "\"%s\" is a copy of number %llu, remove it", name,
                    (unsigned long long) mapped->img.header->number);
        tcr_image_close(&mapped->img);
        free(mapped);
        return NULL;
    }

    mapped->number = entry->number;
    mapped->published = entry->published;
    mapped->users = 1;
    mapped->slot = slot;

    return mapped;
}


/* err keeps the first reason. */
static void
refuse(load_t *load, const tcr_err_t *why)
{
    if (load->refused++ == 0 && load->err != NULL) {
        *load->err = *why;
    }
}


/* Is the image of the table the one that is mapped? */
static bool
is_mapped(const tcr_snapshot_t *snap, tcr_slot_e slot,
    const tcr_img_slot_t *entry)
{
    const tcr_mapped_t  *old = snap->set->slots[slot];

    return !snap->fresh && old != NULL && old->number == entry->number
           && old->published == entry->published;
}


static void
load_slot(const tcr_snapshot_t *snap, load_t *load, tcr_slot_e slot,
    const tcr_img_slot_t *entry)
{
    tcr_err_t  why;

    if (entry->number == 0) {
        return;
    }

    if (is_mapped(snap, slot, entry)) {
        load->slots[slot] = mapped_share(snap->set->slots[slot]);
        return;
    }

    load->slots[slot] = map_slot(snap, slot, entry, &why);

    if (load->slots[slot] == NULL) {
        refuse(load, &why);
        load->failed[slot] = true;
    }
}


static void
keep_old(const tcr_snapshot_t *snap, load_t *load, tcr_slot_e slot)
{
    mapped_release(load->slots[slot]);
    load->slots[slot] = mapped_share(snap->set->slots[slot]);
}


static bool
is_wanted(const tcr_snapshot_t *snap, tcr_slot_e slot)
{
    return (snap->wanted & 1u << slot) != 0;
}


/* Do the two that were loaded fit?  Readers of one of them do not care. */
static bool
is_pair(const tcr_snapshot_t *snap, load_t *load)
{
    tcr_err_t      why;
    tcr_mapped_t  *health = load->slots[TCR_SLOT_HEALTH];
    tcr_mapped_t  *routing = load->slots[TCR_SLOT_ROUTING];

    if (load->failed[TCR_SLOT_HEALTH] || load->failed[TCR_SLOT_ROUTING]) {
        return false;
    }

    if (health == NULL || !is_wanted(snap, TCR_SLOT_ROUTING)) {
        return true;
    }

    if (routing == NULL) {
        tcr_err_set(&why, "\"health\" is in force without \"routing\"");

    } else if (tcr_image_pair(&routing->img, &health->img, &why) == 0) {
        return true;
    }

    refuse(load, &why);
    return false;
}


static void
load_slots(const tcr_snapshot_t *snap, load_t *load,
    const tcr_img_table_t *table)
{
    unsigned  i;

    for (i = 0; i < TCR_SLOT_COUNT; i++) {
        if (is_wanted(snap, i)) {
            load_slot(snap, load, i, &table->slots[i]);
        }
    }

    if (!is_pair(snap, load)) {
        load->failed[TCR_SLOT_ROUTING] = true;
        load->failed[TCR_SLOT_HEALTH] = true;
    }

    for (i = 0; i < TCR_SLOT_COUNT; i++) {
        if (load->failed[i]) {
            keep_old(snap, load, i);
        }
    }
}


static void
load_drop(load_t *load)
{
    unsigned  i;

    for (i = 0; i < TCR_SLOT_COUNT; i++) {
        mapped_release(load->slots[i]);
        load->slots[i] = NULL;
    }
}


/*
 * Files go away with the second publication after theirs, so a failure only
 * counts when the table it came from is still in force.
 */
static uint64_t
load_table(const tcr_snapshot_t *snap, load_t *load, tcr_err_t *err)
{
    int              i;
    uint64_t         change;
    tcr_img_table_t  table;

    for (i = 1;; i++) {
        memset(load, 0, sizeof(*load));
        load->err = err;

        change = tcr_current_read(&snap->current, &table);
        load_slots(snap, load, &table);

        if (load->refused == 0 || i == LOAD_TRIES
            || tcr_current_change(&snap->current) == change)
        {
            return change;
        }

        load_drop(load);
    }
}


static bool
is_same(const tcr_set_t *set, const load_t *load)
{
    return memcmp(set->slots, load->slots, sizeof(set->slots)) == 0;
}


/* 1 new set, 0 the same images as before, -1 no memory */
static int
put_into_force(tcr_snapshot_t *snap, load_t *load)
{
    tcr_set_t  *set;

    if (is_same(snap->set, load)) {
        load_drop(load);
        return 0;
    }

    set = calloc(1, sizeof(*set));

    if (set == NULL) {
        load_drop(load);
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
    load_t  load;

    snap->seen = load_table(snap, &load, err);
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
        if (is_wanted(snap, i) && table->slots[i].number != 0
            && table->slots[i].size >= LARGE && !tcr_slot_is_raw(i)
            && !is_mapped(snap, i, &table->slots[i]))
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
        mapped_release(set->slots[i]);
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
