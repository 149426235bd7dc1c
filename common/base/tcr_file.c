/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Files: mapped for reading, replaced as a whole for writing.
 */

#include "tcr_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* names of temporary files that one process may leave in a directory */
#define TCR_FILE_TRIES  100


/* Size of the open file; -1 with the reason when it cannot be mapped. */
static int
check_file(int fd, const char *path, uint64_t max_bytes, size_t *size,
    tcr_err_t *err)
{
    struct stat  st;

    if (fstat(fd, &st) != 0) {
        return tcr_err_set(err, "cannot stat \"%s\": %s", path,
                           strerror(errno));
    }

    if (!S_ISREG(st.st_mode)) {
        return tcr_err_set(err, "\"%s\" is not a regular file", path);
    }

    if (st.st_size < 0 || (uint64_t) st.st_size > max_bytes) {
        return tcr_err_set(err, "\"%s\" has %jd bytes, at most %" PRIu64
                           " are allowed", path, (intmax_t) st.st_size,
                           max_bytes);
    }

    *size = (size_t) st.st_size;
    return 0;
}


int
tcr_file_map(tcr_file_t *file, const char *path, uint64_t max_bytes,
    tcr_err_t *err)
{
    int     fd, rc;
    void   *map;
    size_t  size = 0;

    *file = (tcr_file_t) { TCR_STR(""), NULL, 0 };

    /* not blocking: a FIFO must be refused, not waited for */
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (fd == -1) {
        return tcr_err_set(err, "cannot open \"%s\": %s", path,
                           strerror(errno));
    }

    rc = check_file(fd, path, max_bytes, &size, err);

    if (rc == 0 && size != 0) {
        map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);

        if (map == MAP_FAILED) {
            rc = tcr_err_set(err, "cannot map \"%s\": %s", path,
                             strerror(errno));

        } else {
            *file = (tcr_file_t) { tcr_str_n(map, size), map, size };
        }
    }

    close(fd);
    return rc;
}


void
tcr_file_unmap(tcr_file_t *file)
{
    if (file->map != NULL) {
        munmap(file->map, file->map_len);
    }

    *file = (tcr_file_t) { TCR_STR(""), NULL, 0 };
}


/* A new file beside name, its own name in tmp; -1 with the reason. */
static int
create_beside(int dirfd, const char *name, unsigned mode, char *tmp,
    size_t size, tcr_err_t *err)
{
    int  i, n, fd;

    for (i = 0; i < TCR_FILE_TRIES; i++) {
        n = snprintf(tmp, size, ".%s.%ld.%d", name, (long) getpid(), i);

        if (n < 0 || (size_t) n >= size) {
            return tcr_err_set(err, "cannot write \"%s\": name is too long",
                               name);
        }

        fd = openat(dirfd, tmp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
                    | O_CLOEXEC, mode & 0600);

        if (fd != -1 || errno != EEXIST) {
            break;
        }
    }

    if (fd == -1) {
        return tcr_err_set(err, "cannot create \"%s\": %s", tmp,
                           strerror(errno));
    }

    return fd;
}


int
tcr_file_write(int fd, const void *data, size_t len)
{
    ssize_t      n;
    const char  *p = data;

    while (len != 0) {
        n = write(fd, p, len);

        if (n < 0 && errno == EINTR) {
            continue;
        }

        if (n <= 0) {
            errno = n == 0 ? EIO : errno;
            return -1;
        }

        p += n;
        len -= (size_t) n;
    }

    return 0;
}


int
tcr_file_give(int fd, int dirfd, tcr_err_t *err)
{
    struct stat  dir;

    if (geteuid() != 0) {
        return 0;
    }

    if (fstat(dirfd, &dir) != 0
        || (dir.st_uid != 0 && fchown(fd, dir.st_uid, dir.st_gid) != 0))
    {
        return tcr_err_set(err, "cannot give a file to the owner of its "
                           "directory: %s", strerror(errno));
    }

    return 0;
}


int
tcr_file_replace(int dirfd, const char *name, const void *data,
    size_t len, unsigned mode, tcr_err_t *err)
{
    int   fd, rc;
    char  tmp[256];

    fd = create_beside(dirfd, name, mode, tmp, sizeof(tmp), err);

    if (fd == -1) {
        return -1;
    }

    if (tcr_file_give(fd, dirfd, err) != 0) {
        close(fd);
        unlinkat(dirfd, tmp, 0);
        return -1;
    }

    /* the mode comes last: readers let in must find the whole text */
    rc = tcr_file_write(fd, data, len) != 0 || fchmod(fd, mode) != 0
         || fsync(fd) != 0;

    if (rc != 0) {
        tcr_err_set(err, "cannot write \"%s\": %s", tmp, strerror(errno));
    }

    if (close(fd) != 0 && rc == 0) {
        rc = -1;
        tcr_err_set(err, "cannot write \"%s\": %s", tmp, strerror(errno));
    }

    if (rc == 0 && renameat(dirfd, tmp, dirfd, name) != 0) {
        rc = -1;
        tcr_err_set(err, "cannot rename \"%s\" to \"%s\": %s", tmp, name,
                    strerror(errno));
    }

    if (rc != 0) {
        unlinkat(dirfd, tmp, 0);
        return -1;
    }

    if (fsync(dirfd) != 0) {
        return tcr_err_set(err, "cannot sync the directory of \"%s\": %s",
                           name, strerror(errno));
    }

    return 0;
}
