/* SPDX-License-Identifier: Apache-2.0 */

/* The stats file as a file: made, mapped, extended by names. */

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tcr_clock.h"
#include "tcr_image_format.h"
#include "tcr_stats_file.h"

#define TEMPORARY  "tmp.stats"
#define OTHER      "other"


static int
check(const tcr_stats_file_t *file, tcr_err_t *err)
{
    const tcr_stats_header_t  *h = &file->header;

    if (memcmp(h->magic, TCR_STATS_MAGIC, sizeof(h->magic)) != 0) {
        return tcr_err_set(err, "\"" TCR_STATS_FILE "\" is no stats file");
    }

    if (h->byte_order != TCR_IMAGE_BYTE_ORDER
        || h->version != TCR_STATS_VERSION || h->size != sizeof(*file))
    {
        return tcr_err_set(err, "\"" TCR_STATS_FILE "\" has format %u, this "
                           "program counts in format %d", h->version,
                           TCR_STATS_VERSION);
    }

    return 0;
}


static tcr_stats_file_t *
map_fd(int fd, int protection, tcr_err_t *err)
{
    void         *map;
    struct stat   st;

    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)
        || st.st_size != (off_t) sizeof(tcr_stats_file_t))
    {
        tcr_err_set(err, "\"" TCR_STATS_FILE "\" is not of this release");
        return NULL;
    }

    map = mmap(NULL, sizeof(tcr_stats_file_t), protection, MAP_SHARED, fd, 0);

    if (map == MAP_FAILED) {
        tcr_err_set(err, "cannot map \"" TCR_STATS_FILE "\": %s",
                    strerror(errno));
        return NULL;
    }

    if (check(map, err) != 0) {
        tcr_stats_unmap(map);
        return NULL;
    }

    return map;
}


tcr_stats_file_t *
tcr_stats_map(int dirfd, int *fd, tcr_err_t *err)
{
    int                file_fd;
    tcr_stats_file_t  *file;

    file_fd = openat(dirfd, TCR_STATS_FILE, (fd != NULL ? O_RDWR : O_RDONLY)
                     | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

    if (file_fd == -1) {
        tcr_err_set(err, "cannot open \"" TCR_STATS_FILE "\": %s",
                    strerror(errno));
        return NULL;
    }

    file = map_fd(file_fd, PROT_READ | (fd != NULL ? PROT_WRITE : 0), err);

    if (file == NULL || fd == NULL) {
        close(file_fd);

    } else {
        *fd = file_fd;
    }

    return file;
}


void
tcr_stats_unmap(tcr_stats_file_t *file)
{
    if (file != NULL) {
        munmap(file, sizeof(*file));
    }
}


/* A file system that cannot reserve space is not one that images are in. */
static int
reserve(int fd, size_t offset, size_t size)
{
    int  rc;

    do {
        rc = fallocate(fd, 0, (off_t) offset, (off_t) size);
    } while (rc != 0 && errno == EINTR);

    return rc == 0 || errno == EOPNOTSUPP ? 0 : -1;
}


int
tcr_stats_reserve(int fd, uint32_t slot)
{
    return reserve(fd, offsetof(tcr_stats_file_t, slots)
                       + slot * sizeof(tcr_stats_slot_t),
                   sizeof(tcr_stats_slot_t));
}


/* Names, the slot of those that ended, and all that tells who has a slot. */
static int
reserve_heads(int fd)
{
    uint32_t  i;

    if (reserve(fd, 0, offsetof(tcr_stats_file_t, slots[1])) != 0) {
        return -1;
    }

    for (i = 1; i < TCR_STATS_SLOTS; i++) {
        if (reserve(fd, offsetof(tcr_stats_file_t, slots)
                        + i * sizeof(tcr_stats_slot_t),
                    offsetof(tcr_stats_slot_t, tally)) != 0)
        {
            return -1;
        }
    }

    return 0;
}


/* The head only: the rest is zero as it should be. */
static int
write_head(int fd)
{
    struct {
        tcr_stats_header_t  header;
        char                other[sizeof(OTHER)];
    } head;

    memset(&head, 0, sizeof(head));
    memcpy(head.header.magic, TCR_STATS_MAGIC, sizeof(TCR_STATS_MAGIC));
    memcpy(head.other, OTHER, sizeof(OTHER));
    head.header.byte_order = TCR_IMAGE_BYTE_ORDER;
    head.header.version = TCR_STATS_VERSION;
    head.header.size = sizeof(tcr_stats_file_t);
    head.header.created = tcr_now_ms();
    head.header.n_names = 1;

    if (ftruncate(fd, sizeof(tcr_stats_file_t)) != 0
        || reserve_heads(fd) != 0
        || fchmod(fd, TCR_STATS_MODE) != 0
        || pwrite(fd, &head, sizeof(head), 0) != (ssize_t) sizeof(head))
    {
        return -1;
    }

    return 0;
}


int
tcr_stats_create(int dirfd, tcr_err_t *err)
{
    int  fd, rc;

    unlinkat(dirfd, TEMPORARY, 0);
    fd = openat(dirfd, TEMPORARY, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (fd == -1) {
        return tcr_err_set(err, "cannot make \"" TCR_STATS_FILE "\": %s",
                           strerror(errno));
    }

    rc = write_head(fd);

    if (rc == 0) {
        rc = renameat(dirfd, TEMPORARY, dirfd, TCR_STATS_FILE);
    }

    if (rc != 0) {
        tcr_err_set(err, "cannot make \"" TCR_STATS_FILE "\": %s",
                    strerror(errno));
        unlinkat(dirfd, TEMPORARY, 0);
    }

    close(fd);
    return rc;
}


uint32_t
tcr_stats_count(const tcr_stats_file_t *file)
{
    uint32_t  n = __atomic_load_n(&file->header.n_names, __ATOMIC_ACQUIRE);

    return n < TCR_STATS_NAMES ? n : TCR_STATS_NAMES;
}


tcr_str_t
tcr_stats_text(const tcr_stats_file_t *file, uint32_t name)
{
    const char  *text = file->names[name];

    return tcr_str_n(text, strnlen(text, TCR_STATS_NAME_LEN));
}


static uint32_t
find(const tcr_stats_file_t *file, tcr_str_t name, uint32_t *place)
{
    uint32_t  i, n, value;

    i = (uint32_t) tcr_str_hash(name) & (TCR_STATS_PLACES - 1);

    for (n = 0; n < TCR_STATS_PLACES; n++) {
        value = __atomic_load_n(&file->places[i], __ATOMIC_ACQUIRE);

        if (value == 0 || value > TCR_STATS_NAMES) {
            break;
        }

        if (tcr_str_eq(tcr_stats_text(file, value - 1), name)) {
            return value - 1;
        }

        i = (i + 1) & (TCR_STATS_PLACES - 1);
    }

    if (place != NULL) {
        *place = i;
    }

    return 0;
}


static void
add(tcr_stats_file_t *file, tcr_str_t name)
{
    uint32_t  place, n = tcr_stats_count(file);

    if (name.len == 0 || name.len >= TCR_STATS_NAME_LEN
        || n == TCR_STATS_NAMES || find(file, name, &place) != 0)
    {
        return;
    }

    memcpy(file->names[n], name.data, name.len);
    file->names[n][name.len] = '\0';

    __atomic_store_n(&file->places[place], n + 1, __ATOMIC_RELEASE);
    __atomic_store_n(&file->header.n_names, n + 1, __ATOMIC_RELEASE);
}


int
tcr_stats_register(int dirfd, const tcr_str_t *names, size_t n,
    tcr_err_t *err)
{
    int                fd;
    size_t             i;
    tcr_stats_file_t  *file;

    file = tcr_stats_map(dirfd, &fd, NULL);

    if (file == NULL) {

        if (tcr_stats_create(dirfd, err) != 0) {
            return -1;
        }

        file = tcr_stats_map(dirfd, &fd, err);

        if (file == NULL) {
            return -1;
        }
    }

    for (i = 0; i < n; i++) {
        add(file, names[i]);
    }

    tcr_stats_unmap(file);
    close(fd);
    return 0;
}


uint32_t
tcr_stats_look_up(const tcr_stats_file_t *file, tcr_str_t name)
{
    return name.len != 0 && name.len < TCR_STATS_NAME_LEN
           ? find(file, name, NULL) : 0;
}
