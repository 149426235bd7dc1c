/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Byte locks of open file descriptions (fcntl(2), F_OFD_SETLK).
 */

#include "tcf_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "tcr_clock.h"

#define LOCK_NAME  "fetch.lock"
#define WORK       0              /* byte of who works                       */
#define TURN       1              /* byte of who comes next                  */
#define LOOK_MS    20


static int
set(const tcf_lock_t *lock, short type, off_t byte)
{
    struct flock  l = { .l_type = type, .l_whence = SEEK_SET, .l_start = byte,
                        .l_len = 1 };

    return fcntl(lock->fd, F_OFD_SETLK, &l) == 0;
}


int
tcf_lock_open(tcf_lock_t *lock, int dirfd, tcr_err_t *err)
{
    lock->fd = openat(dirfd, LOCK_NAME, O_RDWR | O_CREAT | O_NOFOLLOW
                      | O_CLOEXEC, 0600);

    if (lock->fd == -1) {
        return tcr_err_set(err, "cannot open \"" LOCK_NAME "\" in the state "
                           "directory: %s", strerror(errno));
    }

    return 0;
}


void
tcf_lock_close(tcf_lock_t *lock)
{
    if (lock->fd != -1) {
        close(lock->fd);
        lock->fd = -1;
    }
}


int
tcf_lock_try(tcf_lock_t *lock)
{
    return set(lock, F_WRLCK, WORK);
}


int
tcf_lock_wait(tcf_lock_t *lock, int64_t ms, int stop_fd)
{
    int            ours;
    int64_t        end = tcr_ticks_ms() + ms;
    struct pollfd  stop = { stop_fd, POLLIN, 0 };

    if (tcf_lock_try(lock)) {
        return 1;
    }

    if (!set(lock, F_WRLCK, TURN)) {
        return 0;
    }

    do {
        if (poll(&stop, 1, LOOK_MS) > 0) {
            ours = 0;
            break;
        }

        ours = tcf_lock_try(lock);

    } while (!ours && tcr_ticks_ms() < end);

    set(lock, F_UNLCK, TURN);
    return ours;
}


bool
tcf_lock_wanted(const tcf_lock_t *lock)
{
    struct flock  l = { .l_type = F_WRLCK, .l_whence = SEEK_SET,
                        .l_start = TURN, .l_len = 1 };

    return fcntl(lock->fd, F_OFD_GETLK, &l) == 0 && l.l_type != F_UNLCK;
}
