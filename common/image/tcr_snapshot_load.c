/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The images of one publication: mapped anew, shared with the set in force
 * where they have not moved, and as they were where they are refused.
 */

#include "tcr_snapshot_load.h"

#include <stdlib.h>

#include "tcr_image_verify.h"

#define LOAD_TRIES  8             /* publications that may overtake a load   */


void
tcr_mapped_release(tcr_mapped_t *mapped)
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
refuse(tcr_load_t *load, const tcr_err_t *why)
{
    if (load->refused++ == 0 && load->err != NULL) {
        *load->err = *why;
    }
}


bool
tcr_load_is_mapped(const tcr_snapshot_t *snap, tcr_slot_e slot,
    const tcr_img_slot_t *entry)
{
    const tcr_mapped_t  *old = snap->set->slots[slot];

    return !snap->fresh && old != NULL && old->number == entry->number
           && old->published == entry->published;
}


static void
load_slot(const tcr_snapshot_t *snap, tcr_load_t *load, tcr_slot_e slot,
    const tcr_img_slot_t *entry)
{
    tcr_err_t  why;

    if (entry->number == 0) {
        return;
    }

    if (tcr_load_is_mapped(snap, slot, entry)) {
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
keep_old(const tcr_snapshot_t *snap, tcr_load_t *load, tcr_slot_e slot)
{
    tcr_mapped_release(load->slots[slot]);
    load->slots[slot] = mapped_share(snap->set->slots[slot]);
}


bool
tcr_load_is_wanted(const tcr_snapshot_t *snap, tcr_slot_e slot)
{
    return (snap->wanted & 1u << slot) != 0;
}


/* Do the two that were loaded fit?  Readers of one of them do not care. */
static bool
is_pair(const tcr_snapshot_t *snap, tcr_load_t *load)
{
    tcr_err_t      why;
    tcr_mapped_t  *health = load->slots[TCR_SLOT_HEALTH];
    tcr_mapped_t  *routing = load->slots[TCR_SLOT_ROUTING];

    if (load->failed[TCR_SLOT_HEALTH] || load->failed[TCR_SLOT_ROUTING]) {
        return false;
    }

    if (health == NULL || !tcr_load_is_wanted(snap, TCR_SLOT_ROUTING)) {
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
load_slots(const tcr_snapshot_t *snap, tcr_load_t *load,
    const tcr_img_table_t *table)
{
    unsigned  i;

    for (i = 0; i < TCR_SLOT_COUNT; i++) {
        if (tcr_load_is_wanted(snap, i)) {
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


void
tcr_load_drop(tcr_load_t *load)
{
    unsigned  i;

    for (i = 0; i < TCR_SLOT_COUNT; i++) {
        tcr_mapped_release(load->slots[i]);
        load->slots[i] = NULL;
    }
}


/*
 * Files go away with the second publication after theirs, so a failure only
 * counts when the table it came from is still in force.
 */
uint64_t
tcr_load_table(const tcr_snapshot_t *snap, tcr_load_t *load, tcr_err_t *err)
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

        tcr_load_drop(load);
    }
}
