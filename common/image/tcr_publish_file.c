/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Writing one file of a publication.  It is made with mode 0600 and gets
 * group and mode before its first byte, so secrets are never readable for a
 * moment; a group that cannot be set refuses the publication.
 */

#include "tcr_publish_file.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tcr_file.h"

#define CHUNK  65536


static int
write_all(int fd, const void *data, size_t size, const char *name,
    tcr_err_t *err)
{
    return tcr_file_write(fd, data, size) == 0 ? 0
           : tcr_err_set(err, "cannot write \"%s\": %s", name,
                         strerror(errno));
}


/* read, not mmap: the source may be cut while it is copied */
static int
copy_file(int fd, const char *path, const char *name, tcr_err_t *err)
{
    int      from, rc;
    ssize_t  n;
    char     chunk[CHUNK];

    from = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (from == -1) {
        return tcr_err_set(err, "cannot open \"%s\": %s", path,
                           strerror(errno));
    }

    do {
        n = read(from, chunk, sizeof(chunk));

        if (n < 0 && errno == EINTR) {
            rc = 0;
            continue;
        }

        if (n < 0) {
            rc = tcr_err_set(err, "cannot read \"%s\": %s", path,
                             strerror(errno));
            break;
        }

        rc = write_all(fd, chunk, (size_t) n, name, err);

    } while (rc == 0 && n != 0);

    close(from);
    return rc;
}


static int
set_access(int fd, const tcr_publication_t *item, uid_t owner,
    const char *name, tcr_err_t *err)
{
    gid_t          gid = (gid_t) -1;
    struct group  *group;

    if (item->group != NULL) {
        group = getgrnam(item->group);

        if (group == NULL) {
            return tcr_err_set(err, "cannot publish \"%s\": there is no "
                               "group \"%s\"", name, item->group);
        }

        gid = group->gr_gid;
    }

    if ((owner != (uid_t) -1 || gid != (gid_t) -1)
        && fchown(fd, owner, gid) != 0)
    {
        return tcr_err_set(err, "cannot publish \"%s\" for group \"%s\": %s; "
                           "run as a member of that group", name,
                           item->group ? item->group : "-", strerror(errno));
    }

    if (fchmod(fd, item->owner_only ? 0600 : tcr_slot_mode(item->slot)) != 0) {
        return tcr_err_set(err, "cannot set the mode of \"%s\": %s", name,
                           strerror(errno));
    }

    return 0;
}


static int
fill(int fd, const tcr_publication_t *item, uid_t owner, const char *name,
    tcr_err_t *err)
{
    if (set_access(fd, item, owner, name, err) != 0) {
        return -1;
    }

    if (item->data != NULL) {
        if (write_all(fd, item->data, item->size, name, err) != 0) {
            return -1;
        }

    } else if (copy_file(fd, item->path, name, err) != 0) {
        return -1;
    }

    if (fdatasync(fd) != 0) {
        return tcr_err_set(err, "cannot write \"%s\": %s", name,
                           strerror(errno));
    }

    return 0;
}


int
tcr_publish_stage(tcr_staged_t *staged, int dirfd,
    const tcr_publication_t *item, uint64_t number, uid_t owner,
    tcr_err_t *err)
{
    int  fd, rc;

    memset(staged, 0, sizeof(*staged));
    staged->slot = item->slot;
    tcr_slot_file(item->slot, number, staged->name);
    snprintf(staged->temp, sizeof(staged->temp), "%s.tmp", staged->name);

    unlinkat(dirfd, staged->temp, 0);

    fd = openat(dirfd, staged->temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
                                     | O_CLOEXEC, 0600);

    if (fd == -1) {
        return tcr_err_set(err, "cannot make \"%s\": %s", staged->temp,
                           strerror(errno));
    }

    rc = fill(fd, item, owner, staged->temp, err);
    close(fd);

    if (rc == 0) {
        rc = tcr_image_open(&staged->img, dirfd, staged->temp, item->slot,
                            err);
    }

    if (rc != 0) {
        unlinkat(dirfd, staged->temp, 0);
        return -1;
    }

    staged->size = staged->img.size;
    return 0;
}


int
tcr_publish_rename(tcr_staged_t *staged, int dirfd, tcr_err_t *err)
{
    if (renameat(dirfd, staged->temp, dirfd, staged->name) != 0) {
        return tcr_err_set(err, "cannot rename \"%s\" to \"%s\": %s",
                           staged->temp, staged->name, strerror(errno));
    }

    staged->renamed = true;
    return 0;
}


void
tcr_publish_unstage(tcr_staged_t *staged, int dirfd, bool undo)
{
    tcr_image_close(&staged->img);

    if (undo) {
        unlinkat(dirfd, staged->renamed ? staged->name : staged->temp, 0);
    }
}
