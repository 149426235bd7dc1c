/* SPDX-License-Identifier: Apache-2.0 */

/* A directory of a command's own files, locked. */

#include "tcr_tool_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tcr_file.h"

#define LOCK_NAME  "lock"


/* A new one goes to the owner of the directory that it is in. */
static int
open_dir(const char *path, mode_t mode, tcr_err_t *err)
{
    int   fd, rc, parent;
    bool  made;

    made = mkdir(path, mode) == 0;

    if (!made && errno != EEXIST) {
        return tcr_err_set(err, "cannot make \"%s\": %s", path,
                           strerror(errno));
    }

    fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC
                    | (made ? O_NOFOLLOW : 0));

    if (fd == -1) {
        return tcr_err_set(err, "cannot open \"%s\": %s", path,
                           strerror(errno));
    }

    if (!made) {
        return fd;
    }

    parent = openat(fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    rc = parent == -1 ? tcr_err_set(err, "cannot open \"%s/..\": %s", path,
                                    strerror(errno))
                      : tcr_file_give(fd, parent, err);

    if (parent != -1) {
        close(parent);
    }

    if (rc != 0) {
        close(fd);
        return -1;
    }

    return fd;
}


/* For reading: whoever may read the directory may lock it. */
static int
open_lock(int dirfd, mode_t mode)
{
    int        fd;
    tcr_err_t  err;
    const int  flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC;

    fd = openat(dirfd, LOCK_NAME, flags | O_CREAT | O_EXCL, mode & 0666);

    if (fd == -1) {
        return errno == EEXIST ? openat(dirfd, LOCK_NAME, flags) : -1;
    }

    if (tcr_file_give(fd, dirfd, &err) != 0) {
        close(fd);
        return -1;
    }

    return fd;
}


int
tcr_tool_dir_open(tcr_tool_dir_t *d, const char *path, mode_t mode,
    tcr_err_t *err)
{
    *d = TCR_TOOL_DIR_CLOSED;
    d->fd = open_dir(path, mode, err);

    if (d->fd == -1) {
        return -1;
    }

    d->lockfd = open_lock(d->fd, mode);

    if (d->lockfd == -1 || flock(d->lockfd, LOCK_EX) != 0) {
        return tcr_err_set(err, "cannot lock \"%s\": %s", path,
                           strerror(errno));
    }

    return 0;
}


void
tcr_tool_dir_unlock(tcr_tool_dir_t *d)
{
    if (d->lockfd != -1) {
        close(d->lockfd);
        d->lockfd = -1;
    }
}


void
tcr_tool_dir_close(tcr_tool_dir_t *d)
{
    tcr_tool_dir_unlock(d);

    if (d->fd != -1) {
        close(d->fd);
        d->fd = -1;
    }
}
