/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a publisher holds open, and its lock.  For the writers' files of this
 * room only.
 */

#ifndef TCR_PUBLISHER_H_INCLUDED
#define TCR_PUBLISHER_H_INCLUDED

#include "tcr_current.h"
#include "tcr_publish.h"


struct tcr_publisher_s {
    char           *path;
    int             dirfd;        /* -1 = not attached                       */
    int             lockfd;
    uid_t           owner;        /* who owns what we make; -1 = we          */
    tcr_current_t   current;
    void           *health;       /* writable mapping                        */
    size_t          health_size;
    uint64_t        health_number;
};


/*
 * Takes the lock of the directory that stands under the path now, attaching
 * anew where it has been replaced, and opens or makes "current".
 */
int tcr_publisher_lock(tcr_publisher_t *pub, tcr_err_t *err);
void tcr_publisher_unlock(tcr_publisher_t *pub);

/* With the lock held: removes what no table in use names. */
void tcr_publisher_clean(tcr_publisher_t *pub);

/* Unmaps the health image that was mapped for writing. */
void tcr_publisher_forget_health(tcr_publisher_t *pub);


#endif /* TCR_PUBLISHER_H_INCLUDED */
