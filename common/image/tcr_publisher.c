/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Opening the directory for writing, and the lock that all writers hold
 * while they publish.
 */

#include "tcr_publisher.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tcr_image_dir.h"

#define LOCK_NAME   "lock"
#define LOCK_TRIES  10


static void
detach(tcr_publisher_t *pub)
{
    tcr_publisher_forget_health(pub);
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

    tcr_publisher_forget_health(pub);
    tcr_current_close(&pub->current);

    if (tcr_current_open(&pub->current, pub->dirfd, true, NULL, NULL) == 0) {
        return 0;
    }

    if (tcr_current_create(pub->dirfd, pub->owner, err) != 0) {
        return -1;
    }

    return tcr_current_open(&pub->current, pub->dirfd, true, NULL, err);
}


void
tcr_publisher_unlock(tcr_publisher_t *pub)
{
    if (pub->lockfd != -1) {
        flock(pub->lockfd, LOCK_UN);
    }
}


/* Lock of the directory that stands under the path now, and its page. */
int
tcr_publisher_lock(tcr_publisher_t *pub, tcr_err_t *err)
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

            tcr_publisher_unlock(pub);
            return -1;
        }
    }

    detach(pub);

    return tcr_err_set(err, "cannot lock \"%s/%s\": it is removed again and "
                       "again", pub->path, LOCK_NAME);
}


void
tcr_publisher_clean(tcr_publisher_t *pub)
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

    if (tcr_publisher_lock(pub, err) != 0) {
        tcr_publisher_close(pub);
        return NULL;
    }

    tcr_publisher_clean(pub);
    tcr_publisher_unlock(pub);

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
