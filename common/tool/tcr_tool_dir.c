/* SPDX-License-Identifier: Apache-2.0 */

/* A directory of a command's own files, locked. */

#include "tcr_tool_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>


int
tcr_tool_dir_open(tcr_tool_dir_t *d, const char *path, mode_t mode,
    tcr_err_t *err)
{
    *d = TCR_TOOL_DIR_CLOSED;

    if (mkdir(path, mode) != 0 && errno != EEXIST) {
        return tcr_err_set(err, "cannot make \"%s\": %s", path,
                           strerror(errno));
    }

    d->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (d->fd == -1) {
        return tcr_err_set(err, "cannot open \"%s\": %s", path,
                           strerror(errno));
    }

    /* for reading: root may have made it, and another user wants it, too */
    d->lockfd = openat(d->fd, "lock", O_RDONLY | O_CREAT | O_CLOEXEC,
                       mode & 0666);

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
