/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Publishing: stage every file, rename every file, then one store makes them
 * visible.  What a killed writer leaves is never named by the table in force
 * and is removed by the next one.
 */

#include "tcr_clock.h"
#include "tcr_image_dir.h"
#include "tcr_image_verify.h"
#include "tcr_publish_file.h"
#include "tcr_publish_names.h"
#include "tcr_publisher.h"


/* A publication on its way. */
typedef struct {
    uint64_t         number;
    tcr_img_table_t  table;       /* becomes the one in force                */
    tcr_staged_t     staged[TCR_SLOT_COUNT];
    size_t           n;
} batch_t;


/* Number, pairing and checksum, which the builder could not know. */
static int
stamp(const batch_t *batch, const tcr_publication_t *item, tcr_err_t *err)
{
    tcr_img_health_t  *root;
    tcr_img_header_t  *h = item->data;

    if (item->size < sizeof(*h) || h->size != item->size
        || h->root_size > item->size - sizeof(*h)
        || (item->slot == TCR_SLOT_HEALTH && h->root_size != sizeof(*root)))
    {
        return tcr_err_set(err, "cannot publish \"%s\": the image is not "
                           "finished", tcr_slot_name(item->slot));
    }

    h->number = batch->number;

    if (item->slot == TCR_SLOT_HEALTH) {
        root = (void *) (h + 1);
        root->routing = batch->table.slots[TCR_SLOT_ROUTING].number;
    }

    tcr_image_seal(item->data, item->size);
    return 0;
}


static int
check_items(const tcr_publication_t *items, size_t n, tcr_err_t *err)
{
    size_t    i;
    uint32_t  seen = 0;

    for (i = 0; i < n; i++) {
        if ((unsigned) items[i].slot >= TCR_SLOT_COUNT
            || (seen & 1u << items[i].slot) != 0)
        {
            return tcr_err_set(err, "cannot publish slot %d: it is unknown or "
                               "named twice", (int) items[i].slot);
        }

        if (items[i].path != NULL && !tcr_slot_is_raw(items[i].slot)) {
            return tcr_err_set(err, "cannot publish \"%s\" from a file, it "
                               "has to be built",
                               tcr_slot_name(items[i].slot));
        }

        seen |= 1u << items[i].slot;
    }

    return 0;
}


/* The table as it will be: health is stamped from it. */
static void
plan(batch_t *batch, const tcr_publication_t *items, size_t n)
{
    size_t           i;
    tcr_img_slot_t  *slot;

    for (i = 0; i < n; i++) {
        slot = &batch->table.slots[items[i].slot];
        memset(slot, 0, sizeof(*slot));

        if (items[i].data != NULL || items[i].path != NULL) {
            slot->number = batch->number;
            slot->size = items[i].size;
            slot->published = tcr_now_ms();
        }
    }
}


static int
stage(tcr_publisher_t *pub, batch_t *batch, const tcr_publication_t *items,
    size_t n, tcr_err_t *err)
{
    size_t         i;
    tcr_staged_t  *staged;

    for (i = 0; i < n; i++) {
        if (items[i].data == NULL && items[i].path == NULL) {
            continue;
        }

        if (items[i].data != NULL && !tcr_slot_is_raw(items[i].slot)
            && stamp(batch, &items[i], err) != 0)
        {
            return -1;
        }

        staged = &batch->staged[batch->n];

        if (tcr_publish_stage(staged, pub->dirfd, &items[i], batch->number,
                              pub->owner, err)
            != 0)
        {
            return -1;
        }

        batch->table.slots[items[i].slot].size = staged->size;
        batch->n++;
    }

    return 0;
}


/* The image that will be in force: staged, or opened into *other. */
static const tcr_image_t *
find_image(tcr_publisher_t *pub, const batch_t *batch, tcr_slot_e slot,
    tcr_image_t *other, tcr_err_t *err)
{
    char    name[TCR_SLOT_FILE];
    size_t  i;

    for (i = 0; i < batch->n; i++) {
        if (batch->staged[i].slot == slot) {
            return &batch->staged[i].img;
        }
    }

    tcr_slot_file(slot, batch->table.slots[slot].number, name);

    return tcr_image_open(other, pub->dirfd, name, slot, err) == 0 ? other
                                                                   : NULL;
}


/* Indices of health are those of routing: never one without the other. */
static int
check_pair(tcr_publisher_t *pub, const batch_t *batch, tcr_err_t *err)
{
    int                 rc = -1;
    tcr_image_t         other = { NULL, 0, NULL, false };
    const tcr_image_t  *health, *routing;

    if (batch->table.slots[TCR_SLOT_HEALTH].number == 0) {
        return 0;
    }

    if (batch->table.slots[TCR_SLOT_ROUTING].number == 0) {
        return tcr_err_set(err, "cannot publish: \"health\" needs \"routing\" "
                           "to be in force");
    }

    health = find_image(pub, batch, TCR_SLOT_HEALTH, &other, err);
    routing = health == NULL ? NULL
                             : find_image(pub, batch, TCR_SLOT_ROUTING,
                                          &other, err);

    if (routing != NULL) {
        rc = tcr_image_pair(routing, health, err);
    }

    tcr_image_close(&other);
    return rc;
}


static bool
touches_pair(const tcr_publication_t *items, size_t n)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        if (items[i].slot == TCR_SLOT_ROUTING
            || items[i].slot == TCR_SLOT_HEALTH)
        {
            return true;
        }
    }

    return false;
}


static int
rename_all(tcr_publisher_t *pub, batch_t *batch, tcr_err_t *err)
{
    size_t  i;

    for (i = 0; i < batch->n; i++) {
        if (tcr_publish_rename(&batch->staged[i], pub->dirfd, err) != 0) {
            return -1;
        }
    }

    return 0;
}


/*
 * Services get their place in the counters before anyone can ask for them.
 * Counting is no reason to hold a publication back.
 */
static void
register_names(tcr_publisher_t *pub, const tcr_publication_t *items, size_t n)
{
    size_t       i;
    tcr_image_t  img;

    for (i = 0; i < n; i++) {
        if (items[i].slot == TCR_SLOT_ROUTING && items[i].data != NULL) {
            img = (tcr_image_t) { items[i].data, items[i].size, items[i].data,
                                  false };
            tcr_publish_names(pub->dirfd, &img);
        }
    }
}


/* With the lock held. */
static int
publish(tcr_publisher_t *pub, batch_t *batch, const tcr_publication_t *items,
    size_t n, tcr_err_t *err)
{
    int              rc;
    size_t           i;
    tcr_img_table_t  before;

    tcr_current_read(&pub->current, &batch->table);
    tcr_current_before(&pub->current, &before);
    batch->number = tcr_image_dir_number(pub->dirfd, &before, &batch->table);

    if (batch->number == 0) {
        return tcr_err_set(err, "no number is left for a new image in \"%s\"; "
                           "empty the directory", pub->path);
    }

    plan(batch, items, n);

    rc = stage(pub, batch, items, n, err);

    if (rc == 0 && touches_pair(items, n)) {
        rc = check_pair(pub, batch, err);
    }

    if (rc == 0) {
        rc = rename_all(pub, batch, err);
    }

    for (i = 0; i < batch->n; i++) {
        tcr_publish_unstage(&batch->staged[i], pub->dirfd, rc != 0);
    }

    if (rc == 0) {
        register_names(pub, items, n);
        tcr_current_write(&pub->current, &batch->table);
        tcr_publisher_clean(pub);
    }

    return rc;
}


int
tcr_publish(tcr_publisher_t *pub, const tcr_publication_t *items, size_t n,
    uint64_t *numbers, tcr_err_t *err)
{
    int      rc;
    size_t   i;
    batch_t  batch;

    if (check_items(items, n, err) != 0 || tcr_publisher_lock(pub, err) != 0) {
        return -1;
    }

    memset(&batch, 0, sizeof(batch));
    rc = publish(pub, &batch, items, n, err);
    tcr_publisher_unlock(pub);

    if (rc != 0) {
        return -1;
    }

    for (i = 0; numbers != NULL && i < n; i++) {
        numbers[i] = batch.table.slots[items[i].slot].number;
    }

    return 0;
}
