/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Publishing: stage every file, rename every file, then one store makes them
 * visible.  What a killed writer leaves is never named by the table in force
 * and is removed by the next one.
 */

#include "tcr_publish.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tcr_clock.h"
#include "tcr_current.h"
#include "tcr_image_dir.h"
#include "tcr_image_verify.h"
#include "tcr_publish_file.h"

#define LOCK_NAME   "lock"
#define LOCK_TRIES  10


struct tcr_publisher_s {
    char           *path;
    int             dirfd;        /* -1 = not attached                       */
    int             lockfd;
    uid_t           owner;        /* who owns what we make; -1 = we          */
    tcr_current_t   current;
    void           *health;       /* writable mapping                        */
    size_t          health_size;
    uint64_t        health_number;
};

/* A publication on its way. */
typedef struct {
    uint64_t         number;
    tcr_img_table_t  table;       /* becomes the one in force                */
    tcr_staged_t     staged[TCR_SLOT_COUNT];
    size_t           n;
} batch_t;


static void
forget_health(tcr_publisher_t *pub)
{
    if (pub->health != NULL) {
        munmap(pub->health, pub->health_size);
        pub->health = NULL;
    }
}


static void
detach(tcr_publisher_t *pub)
{
    forget_health(pub);
    tcr_current_close(&pub->current);

    if (pub->lockfd != -1) {
        close(pub->lockfd);
        pub->lockfd = -1;
    }

    if (pub->dirfd != -1) {
        close(pub->dirfd);
        pub->dirfd = -1;
    }
}


static int
check_owner(tcr_publisher_t *pub, uid_t owner, tcr_err_t *err)
{
    uid_t  we = geteuid();

    if (we != 0 && owner != we && owner != 0) {
        return tcr_err_set(err, "image directory \"%s\" belongs to user %u, "
                           "expected %u or root", pub->path, (unsigned) owner,
                           (unsigned) we);
    }

    /* what root publishes must stay writable for the directory's owner */
    pub->owner = we == 0 && owner != 0 ? owner : (uid_t) -1;
    return 0;
}


static int
attach(tcr_publisher_t *pub, tcr_err_t *err)
{
    uid_t  owner;

    /* chmod: whatever the umask, readers must get in */
    if (mkdir(pub->path, 0755) == 0) {
        if (chmod(pub->path, 0755) != 0) {
            return tcr_err_set(err, "cannot set the mode of \"%s\": %s",
                               pub->path, strerror(errno));
        }

    } else if (errno != EEXIST) {
        return tcr_err_set(err, "cannot make the image directory \"%s\": %s",
                           pub->path, strerror(errno));
    }

    pub->dirfd = tcr_image_dir_open(pub->path, &owner, NULL, err);

    if (pub->dirfd == -1 || check_owner(pub, owner, err) != 0) {
        return -1;
    }

    /* 0600: who can open it can keep writers waiting */
    pub->lockfd = openat(pub->dirfd, LOCK_NAME,
                         O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

    if (pub->lockfd == -1) {
        return tcr_err_set(err, "cannot open \"%s/%s\": %s", pub->path,
                           LOCK_NAME, strerror(errno));
    }

    if (pub->owner != (uid_t) -1
        && fchown(pub->lockfd, pub->owner, (gid_t) -1) != 0)
    {
        return tcr_err_set(err, "cannot change the owner of \"%s/%s\": %s",
                           pub->path, LOCK_NAME, strerror(errno));
    }

    return 0;
}


/* Directory and lock may have been removed and made anew under us. */
static bool
is_attached(const tcr_publisher_t *pub)
{
    struct stat  ours, named;

    return pub->dirfd != -1 && pub->lockfd != -1
           && tcr_image_dir_is_there(pub->dirfd, pub->path)
           && fstat(pub->lockfd, &ours) == 0
           && fstatat(pub->dirfd, LOCK_NAME, &named, AT_SYMLINK_NOFOLLOW) == 0
           && ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
}


/* The page as we left it, the one that stands there, or a new one. */
static int
open_current(tcr_publisher_t *pub, tcr_err_t *err)
{
    if (tcr_current_is_there(&pub->current, pub->dirfd)) {
        return 0;
    }

    forget_health(pub);
    tcr_current_close(&pub->current);

    if (tcr_current_open(&pub->current, pub->dirfd, true, NULL, NULL) == 0) {
        return 0;
    }

    if (tcr_current_create(pub->dirfd, pub->owner, err) != 0) {
        return -1;
    }

    return tcr_current_open(&pub->current, pub->dirfd, true, NULL, err);
}


static void
unlock(tcr_publisher_t *pub)
{
    if (pub->lockfd != -1) {
        flock(pub->lockfd, LOCK_UN);
    }
}


/* Lock of the directory that stands under the path now, and its page. */
static int
lock(tcr_publisher_t *pub, tcr_err_t *err)
{
    int  i;

    for (i = 0; i < LOCK_TRIES; i++) {
        if (!is_attached(pub)) {
            detach(pub);

            if (attach(pub, err) != 0) {
                detach(pub);
                return -1;
            }
        }

        while (flock(pub->lockfd, LOCK_EX) != 0) {
            if (errno != EINTR) {
                return tcr_err_set(err, "cannot lock \"%s/%s\": %s",
                                   pub->path, LOCK_NAME, strerror(errno));
            }
        }

        if (is_attached(pub)) {
            if (open_current(pub, err) == 0) {
                return 0;
            }

            unlock(pub);
            return -1;
        }
    }

    return tcr_err_set(err, "cannot lock \"%s/%s\": it is removed again and "
                       "again", pub->path, LOCK_NAME);
}


static void
clean(tcr_publisher_t *pub)
{
    tcr_img_table_t  now, before;

    tcr_current_read(&pub->current, &now);
    tcr_current_before(&pub->current, &before);
    tcr_image_dir_clean(pub->dirfd, &before, &now);
}


tcr_publisher_t *
tcr_publisher_open(const char *dir, tcr_err_t *err)
{
    tcr_publisher_t  *pub;

    pub = calloc(1, sizeof(*pub));

    if (pub != NULL) {
        pub->dirfd = -1;
        pub->lockfd = -1;
        pub->path = strdup(dir);
    }

    if (pub == NULL || pub->path == NULL) {
        tcr_err_set(err, "no memory for a publisher");
        tcr_publisher_close(pub);
        return NULL;
    }

    if (lock(pub, err) != 0) {
        tcr_publisher_close(pub);
        return NULL;
    }

    clean(pub);
    unlock(pub);

    return pub;
}


void
tcr_publisher_close(tcr_publisher_t *pub)
{
    if (pub == NULL) {
        return;
    }

    detach(pub);
    free(pub->path);
    free(pub);
}


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
        tcr_current_write(&pub->current, &batch->table);
        clean(pub);
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

    if (check_items(items, n, err) != 0 || lock(pub, err) != 0) {
        return -1;
    }

    memset(&batch, 0, sizeof(batch));
    rc = publish(pub, &batch, items, n, err);
    unlock(pub);

    if (rc != 0) {
        return -1;
    }

    for (i = 0; numbers != NULL && i < n; i++) {
        numbers[i] = batch.table.slots[items[i].slot].number;
    }

    return 0;
}


static int
map_health(tcr_publisher_t *pub, uint64_t number, tcr_err_t *err)
{
    int           fd;
    void         *map;
    char          name[TCR_SLOT_FILE];
    tcr_err_t     why;
    struct stat   st;

    tcr_slot_file(TCR_SLOT_HEALTH, number, name);
    fd = openat(pub->dirfd, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);

    if (fd == -1 || fstat(fd, &st) != 0 || st.st_size == 0) {
        tcr_err_set(err, "cannot open \"%s\" for writing: %s", name,
                    fd == -1 ? strerror(errno) : "not an image");

        if (fd != -1) {
            close(fd);
        }

        return -1;
    }

    map = mmap(NULL, (size_t) st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED,
               fd, 0);
    close(fd);

    if (map == MAP_FAILED) {
        return tcr_err_set(err, "cannot map \"%s\": %s", name,
                           strerror(errno));
    }

    if (tcr_image_verify(map, (size_t) st.st_size, TCR_SLOT_HEALTH, &why)
        != 0)
    {
        munmap(map, (size_t) st.st_size);
        return tcr_err_set(err, "\"%s\" %s", name, why.text);
    }

    pub->health = map;
    pub->health_size = (size_t) st.st_size;
    pub->health_number = number;
    return 0;
}


tcr_img_health_t *
tcr_publisher_health(tcr_publisher_t *pub, void **base, tcr_err_t *err)
{
    uint64_t         number;
    tcr_img_table_t  table;

    *base = NULL;

    if (pub->current.page == NULL) {
        tcr_err_set(err, "\"%s\" has been removed", pub->path);
        return NULL;
    }

    tcr_current_read(&pub->current, &table);
    number = table.slots[TCR_SLOT_HEALTH].number;

    if (number == 0) {
        tcr_err_set(err, "no health image is in force in \"%s\"", pub->path);
        return NULL;
    }

    if (pub->health == NULL || pub->health_number != number) {
        forget_health(pub);

        if (map_health(pub, number, err) != 0) {
            return NULL;
        }
    }

    *base = pub->health;
    return (void *) ((uint8_t *) pub->health + sizeof(tcr_img_header_t));
}
