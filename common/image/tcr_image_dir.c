/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The image directory: who may write to it, which numbers are taken, what
 * was left behind by a writer that was killed.
 */

#include "tcr_image_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>


int
tcr_image_dir_open(const char *path, uid_t *owner, bool *missing,
    tcr_err_t *err)
{
    int          fd;
    struct stat  st;

    fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (missing != NULL) {
        *missing = fd == -1 && errno == ENOENT;
    }

    if (fd == -1) {
        return tcr_err_set(err, "cannot open the image directory \"%s\": %s",
                           path, strerror(errno));
    }

    if (fstat(fd, &st) != 0) {
        tcr_err_set(err, "cannot stat the image directory \"%s\": %s", path,
                    strerror(errno));
        close(fd);
        return -1;
    }

    if ((st.st_mode & S_IWOTH) != 0) {
        tcr_err_set(err, "image directory \"%s\" has mode %04o, others must "
                    "not be able to write to it", path,
                    (unsigned) st.st_mode & 07777);
        close(fd);
        return -1;
    }

    *owner = st.st_uid;
    return fd;
}


bool
tcr_image_dir_is_there(int dirfd, const char *path)
{
    struct stat  open_one, named;

    return fstat(dirfd, &open_one) == 0 && lstat(path, &named) == 0
           && open_one.st_dev == named.st_dev
           && open_one.st_ino == named.st_ino;
}


/* "routing.7" or "routing.7.tmp" */
static bool
parse_name(const char *name, tcr_slot_e *slot, uint64_t *number,
    bool *temporary)
{
    unsigned   i;
    tcr_str_t  rest, head, digits;

    rest = tcr_str(name);
    head = tcr_str_split(&rest, '.');
    digits = tcr_str_split(&rest, '.');

    if (rest.data != NULL && !tcr_str_eq(rest, TCR_STR("tmp"))) {
        return false;
    }

    *temporary = rest.data != NULL;

    for (i = 0; i < TCR_SLOT_COUNT; i++) {
        if (tcr_str_eq(head, tcr_str(tcr_slot_name(i)))) {
            *slot = i;
            return tcr_parse_uint(digits, 1, UINT64_MAX, number) == 0;
        }
    }

    return false;
}


static uint64_t
table_max(const tcr_img_table_t *table)
{
    size_t    i;
    uint64_t  max = 0;

    for (i = 0; i < TCR_SLOT_MAX; i++) {
        if (table->slots[i].number > max) {
            max = table->slots[i].number;
        }
    }

    return max;
}


/* A stream of its own, so that the position of dirfd stays. */
static DIR *
list(int dirfd)
{
    int   fd;
    DIR  *dir;

    fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    dir = fd != -1 ? fdopendir(fd) : NULL;

    if (dir == NULL && fd != -1) {
        close(fd);
    }

    return dir;
}


uint64_t
tcr_image_dir_number(int dirfd, const tcr_img_table_t *before,
    const tcr_img_table_t *now)
{
    DIR            *dir;
    bool            temporary;
    uint64_t        max, number;
    tcr_slot_e      slot;
    struct dirent  *entry;

    max = table_max(now);

    if (table_max(before) > max) {
        max = table_max(before);
    }

    dir = list(dirfd);

    if (dir == NULL) {
        return 0;
    }

    while ((entry = readdir(dir)) != NULL) {
        if (parse_name(entry->d_name, &slot, &number, &temporary)
            && number > max)
        {
            max = number;
        }
    }

    closedir(dir);

    /* wraps to 0 behind the last number */
    return max + 1;
}


void
tcr_image_dir_clean(int dirfd, const tcr_img_table_t *before,
    const tcr_img_table_t *now)
{
    DIR            *dir;
    bool            temporary, keep;
    uint64_t        number, newest;
    tcr_slot_e      slot;
    struct dirent  *entry;

    dir = list(dirfd);

    if (dir == NULL) {
        return;
    }

    newest = table_max(now);

    while ((entry = readdir(dir)) != NULL) {
        if (!parse_name(entry->d_name, &slot, &number, &temporary)) {
            continue;
        }

        keep = number == now->slots[slot].number
               || (number == before->slots[slot].number && number <= newest);

        if (temporary || !keep) {
            unlinkat(dirfd, entry->d_name, 0);
        }
    }

    closedir(dir);
}
