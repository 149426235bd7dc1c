/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The slots, and opening an image: no links followed, regular files only,
 * everything checked before anyone sees a pointer.
 *
 * A file that somebody shortens while it is mapped ends the program with
 * SIGBUS; that is why readers check who may write to the directory, and why
 * the writer never changes the size of a published file.
 */

#include "tcr_image.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* of x86-64 and arm64; on another machine the wish below is in vain */
#define HUGE_PAGE  ((size_t) 2 << 20)

/* linux/mman.h, since 6.1 */
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE  25
#endif


/* design §4 */
static const struct {
    const char  *name;
    unsigned     mode;
    bool         raw;
} slots[TCR_SLOT_COUNT] = {
    [TCR_SLOT_ROUTING] = { "routing", 0644, false },
    [TCR_SLOT_HEALTH] = { "health", 0644, false },
    [TCR_SLOT_OVERLAY] = { "overlay", 0644, false },
    [TCR_SLOT_ALTO] = { "alto", 0640, false },
    [TCR_SLOT_ADMIN] = { "admin", 0644, false },
    [TCR_SLOT_STATUS] = { "status", 0644, false },
    [TCR_SLOT_CERTS] = { "certs", 0640, false },
    [TCR_SLOT_KEYS] = { "keys", 0640, false },
    [TCR_SLOT_CITY] = { "city", 0644, true },
    [TCR_SLOT_ANONYMOUS] = { "anonymous", 0644, true }
};


const char *
tcr_slot_name(tcr_slot_e slot)
{
    return (unsigned) slot < TCR_SLOT_COUNT ? slots[slot].name : NULL;
}


unsigned
tcr_slot_mode(tcr_slot_e slot)
{
    return (unsigned) slot < TCR_SLOT_COUNT ? slots[slot].mode : 0600;
}


void
tcr_slot_file(tcr_slot_e slot, uint64_t number, char name[TCR_SLOT_FILE])
{
    const char  *base = tcr_slot_name(slot);

    snprintf(name, TCR_SLOT_FILE, "%s.%" PRIu64, base ? base : "unknown",
             number);
}


bool
tcr_slot_is_raw(tcr_slot_e slot)
{
    return (unsigned) slot < TCR_SLOT_COUNT && slots[slot].raw;
}


/*
 * Large images are mapped in huge pages: a decision reads here and there, and
 * with small pages most of its time goes into finding where they lie.  The
 * address must be a multiple of their size, hence the room around it.  The
 * first reader's call makes a tmpfs put the file into huge pages, those that
 * come after find it so.  Where the kernel cannot do it (before 6.1, other
 * file systems) the pages stay small.
 */
static void *
map_large(int fd, size_t size)
{
    char    *room, *map;
    size_t   before, page = (size_t) sysconf(_SC_PAGESIZE);

    /* in whole pages, so that what is left of the room can be given back */
    size += (page - size % page) % page;

    room = mmap(NULL, size + HUGE_PAGE, PROT_NONE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (room == MAP_FAILED) {
        return MAP_FAILED;
    }

    before = HUGE_PAGE - (uintptr_t) room % HUGE_PAGE;
    map = mmap(room + before, size, PROT_READ,
               MAP_SHARED | MAP_POPULATE | MAP_FIXED, fd, 0);

    if (map == MAP_FAILED) {
        munmap(room, size + HUGE_PAGE);
        return MAP_FAILED;
    }

    munmap(room, before);
    munmap(map + size, HUGE_PAGE - before);
    madvise(map, size - size % HUGE_PAGE, MADV_COLLAPSE);

    return map;
}


static void *
map_file(int fd, size_t size)
{
    if (size >= HUGE_PAGE && size < SIZE_MAX - 2 * HUGE_PAGE) {
        return map_large(fd, size);
    }

    return mmap(NULL, size, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
}


static int
map_fd(tcr_image_t *img, int fd, const char *name, tcr_err_t *err)
{
    void         *map;
    struct stat   st;

    if (fstat(fd, &st) != 0) {
        return tcr_err_set(err, "cannot stat \"%s\": %s", name,
                           strerror(errno));
    }

    if (!S_ISREG(st.st_mode)) {
        return tcr_err_set(err, "\"%s\" is not a regular file", name);
    }

    if (st.st_size == 0) {
        return tcr_err_set(err, "\"%s\" is empty", name);
    }

    map = map_file(fd, (size_t) st.st_size);

    if (map == MAP_FAILED) {
        return tcr_err_set(err, "cannot map \"%s\": %s", name,
                           strerror(errno));
    }

    *img = (tcr_image_t) { map, (size_t) st.st_size, NULL, true };
    return 0;
}


int
tcr_image_open(tcr_image_t *img, int dirfd, const char *name, tcr_slot_e slot,
    tcr_err_t *err)
{
    int        fd, rc;
    tcr_err_t  why;

    memset(img, 0, sizeof(*img));

    /* O_NONBLOCK: a pipe under that name must not hold us up */
    fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);

    if (fd == -1) {
        return tcr_err_set(err, "cannot open \"%s\": %s", name,
                           strerror(errno));
    }

    rc = map_fd(img, fd, name, err);
    close(fd);

    if (rc != 0 || tcr_slot_is_raw(slot)) {
        return rc;
    }

    /* private keys: whatever the server's core_pattern and filter are */
    if ((tcr_slot_mode(slot) & S_IROTH) == 0) {
        madvise((void *) (uintptr_t) img->base, img->size, MADV_DONTDUMP);
    }

    if (tcr_image_verify(img->base, img->size, slot, &why) != 0) {
        tcr_image_close(img);
        return tcr_err_set(err, "\"%s\" %s", name, why.text);
    }

    img->header = (const void *) img->base;
    return 0;
}


void
tcr_image_close(tcr_image_t *img)
{
    if (img->mapped) {
        munmap((void *) (uintptr_t) img->base, img->size);
    }

    memset(img, 0, sizeof(*img));
}
