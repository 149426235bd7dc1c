/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The page "current", the writer's and the readers' side of it together,
 * because the order of their loads and stores is one argument.
 */

#include "tcr_current.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY  TCR_CURRENT_NAME ".tmp"
#define WORDS      (sizeof(tcr_img_table_t) / sizeof(uint64_t))

_Static_assert(sizeof(tcr_img_table_t) % sizeof(uint64_t) == 0,
               "the table is copied in words");


static int
check_page(const tcr_img_current_t *page, tcr_err_t *err)
{
    if (memcmp(page->magic, TCR_CURRENT_MAGIC, sizeof(page->magic)) != 0) {
        return tcr_err_set(err, "\"%s\" does not begin with \"%s\"; remove "
                           "it, the next publication makes it anew",
                           TCR_CURRENT_NAME, TCR_CURRENT_MAGIC);
    }

    if (page->byte_order != TCR_IMAGE_BYTE_ORDER) {
        return tcr_err_set(err, "\"%s\" has byte order %08" PRIx32 ", this "
                           "machine has %08x; run the fetcher on this "
                           "machine", TCR_CURRENT_NAME, page->byte_order,
                           TCR_IMAGE_BYTE_ORDER);
    }

    if (page->version != TCR_IMAGE_VERSION) {
        return tcr_err_set(err, "\"%s\" has format %" PRIu32 ", this program "
                           "reads %d; run the fetcher of the same release",
                           TCR_CURRENT_NAME, page->version,
                           TCR_IMAGE_VERSION);
    }

    return 0;
}


static int
map_page(tcr_current_t *cur, int fd, bool writable, tcr_err_t *err)
{
    void         *map;
    struct stat   st;

    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        return tcr_err_set(err, "\"%s\" is not a regular file",
                           TCR_CURRENT_NAME);
    }

    if ((uint64_t) st.st_size < sizeof(tcr_img_current_t)) {
        return tcr_err_set(err, "\"%s\" is cut: %" PRIu64 " bytes, expected "
                           "%zu", TCR_CURRENT_NAME, (uint64_t) st.st_size,
                           sizeof(tcr_img_current_t));
    }

    map = mmap(NULL, sizeof(tcr_img_current_t),
               writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, fd,
               0);

    if (map == MAP_FAILED) {
        return tcr_err_set(err, "cannot map \"%s\": %s", TCR_CURRENT_NAME,
                           strerror(errno));
    }

    *cur = (tcr_current_t) { map, st.st_dev, st.st_ino, st.st_uid };
    return 0;
}


int
tcr_current_open(tcr_current_t *cur, int dirfd, bool writable, bool *missing,
    tcr_err_t *err)
{
    int  fd, rc;

    memset(cur, 0, sizeof(*cur));

    fd = openat(dirfd, TCR_CURRENT_NAME, (writable ? O_RDWR : O_RDONLY)
                                         | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);

    if (missing != NULL) {
        *missing = fd == -1 && errno == ENOENT;
    }

    if (fd == -1) {
        return tcr_err_set(err, "cannot open \"%s\": %s", TCR_CURRENT_NAME,
                           strerror(errno));
    }

    rc = map_page(cur, fd, writable, err);
    close(fd);

    if (rc != 0) {
        return -1;
    }

    if (check_page(cur->page, err) != 0) {
        tcr_current_close(cur);
        return -1;
    }

    return 0;
}


void
tcr_current_close(tcr_current_t *cur)
{
    if (cur->page != NULL) {
        munmap(cur->page, sizeof(*cur->page));
        cur->page = NULL;
    }
}


bool
tcr_current_is_there(const tcr_current_t *cur, int dirfd)
{
    struct stat  st;

    return cur->page != NULL
           && fstatat(dirfd, TCR_CURRENT_NAME, &st, AT_SYMLINK_NOFOLLOW) == 0
           && st.st_dev == cur->dev && st.st_ino == cur->ino;
}


int
tcr_current_create(int dirfd, uid_t owner, tcr_err_t *err)
{
    int                fd;
    tcr_img_current_t  page;

    memset(&page, 0, sizeof(page));
    memcpy(page.magic, TCR_CURRENT_MAGIC, sizeof(page.magic));
    page.byte_order = TCR_IMAGE_BYTE_ORDER;
    page.version = TCR_IMAGE_VERSION;

    unlinkat(dirfd, TEMPORARY, 0);

    fd = openat(dirfd, TEMPORARY, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
                                  | O_CLOEXEC, 0644);

    if (fd == -1) {
        return tcr_err_set(err, "cannot make \"%s\": %s", TCR_CURRENT_NAME,
                           strerror(errno));
    }

    /* fchmod: the umask must not hide the page from readers */
    if (write(fd, &page, sizeof(page)) != (ssize_t) sizeof(page)
        || (owner != (uid_t) -1 && fchown(fd, owner, (gid_t) -1) != 0)
        || fchmod(fd, 0644) != 0
        || renameat(dirfd, TEMPORARY, dirfd, TCR_CURRENT_NAME) != 0)
    {
        tcr_err_set(err, "cannot make \"%s\": %s", TCR_CURRENT_NAME,
                    strerror(errno));
        close(fd);
        unlinkat(dirfd, TEMPORARY, 0);
        return -1;
    }

    close(fd);
    return 0;
}


static void
copy_out(tcr_img_table_t *out, const tcr_img_table_t *shared)
{
    size_t           i;
    uint64_t        *to = (void *) out;
    const uint64_t  *from = (const void *) shared;

    for (i = 0; i < WORDS; i++) {
        to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
    }
}


uint64_t
tcr_current_read(const tcr_current_t *cur, tcr_img_table_t *table)
{
    uint64_t  before, after;

    after = tcr_current_change(cur);

    do {
        before = after;
        copy_out(table, &cur->page->tables[before & 1]);

        /* the copy's loads are done before the word is looked at again */
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        after = tcr_current_change(cur);

    } while (after != before);

    return before;
}


void
tcr_current_before(const tcr_current_t *cur, tcr_img_table_t *table)
{
    copy_out(table, &cur->page->tables[(tcr_current_change(cur) + 1) & 1]);
}


void
tcr_current_write(tcr_current_t *cur, const tcr_img_table_t *table)
{
    size_t           i;
    uint64_t        *to, change;
    const uint64_t  *from = (const void *) table;

    change = tcr_current_change(cur);
    to = (void *) &cur->page->tables[(change + 1) & 1];

    /* who sees a word of the table also sees the change stored before it */
    __atomic_thread_fence(__ATOMIC_RELEASE);

    for (i = 0; i < WORDS; i++) {
        __atomic_store_n(&to[i], from[i], __ATOMIC_RELAXED);
    }

    __atomic_store_n(&cur->page->change, change + 1, __ATOMIC_RELEASE);
}
