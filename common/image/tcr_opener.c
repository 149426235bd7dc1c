/* SPDX-License-Identifier: Apache-2.0 */

/* A thread that opens images. */

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "tcr_opener.h"


typedef struct {
    uint64_t     number;          /* 0 = not asked for, or taken             */
    int          rc;
    tcr_image_t  img;
    tcr_err_t    err;
} opened_t;

struct tcr_opener_s {
    pthread_t  thread;
    int        dirfd;
    int        done;              /* atomic                                  */
    opened_t   slots[TCR_SLOT_COUNT];
};


static void *
open_all(void *arg)
{
    char           name[TCR_SLOT_FILE];
    unsigned       i;
    opened_t      *o;
    tcr_opener_t  *opener = arg;

    for (i = 0; i < TCR_SLOT_COUNT; i++) {
        o = &opener->slots[i];

        if (o->number != 0) {
            tcr_slot_file((tcr_slot_e) i, o->number, name);
            o->rc = tcr_image_open(&o->img, opener->dirfd, name,
                                   (tcr_slot_e) i, &o->err);
        }
    }

    __atomic_store_n(&opener->done, 1, __ATOMIC_RELEASE);
    return NULL;
}


static int
start_thread(tcr_opener_t *opener)
{
    int       rc;
    sigset_t  all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    rc = pthread_create(&opener->thread, NULL, open_all, opener);
    pthread_sigmask(SIG_SETMASK, &before, NULL);

    return rc;
}


tcr_opener_t *
tcr_opener_start(int dirfd, const tcr_img_table_t *table, uint32_t slots)
{
    unsigned       i;
    tcr_opener_t  *opener;

    opener = calloc(1, sizeof(*opener));

    if (opener == NULL) {
        return NULL;
    }

    /* of our own: the directory may be left for another one meanwhile */
    opener->dirfd = fcntl(dirfd, F_DUPFD_CLOEXEC, 0);

    for (i = 0; i < TCR_SLOT_COUNT; i++) {
        if (slots & 1u << i) {
            opener->slots[i].number = table->slots[i].number;
        }
    }

    if (opener->dirfd == -1 || start_thread(opener) != 0) {

        if (opener->dirfd != -1) {
            close(opener->dirfd);
        }

        free(opener);
        return NULL;
    }

    return opener;
}


bool
tcr_opener_done(const tcr_opener_t *opener)
{
    return __atomic_load_n(&opener->done, __ATOMIC_ACQUIRE);
}


bool
tcr_opener_has(const tcr_opener_t *opener, tcr_slot_e slot, uint64_t number)
{
    return opener->slots[slot].number == number;
}


int
tcr_opener_take(tcr_opener_t *opener, tcr_slot_e slot, uint64_t number,
    tcr_image_t *img, tcr_err_t *err)
{
    opened_t  *o = &opener->slots[slot];

    if (o->number == 0 || o->number != number) {
        return 0;
    }

    if (o->rc != 0) {
        *err = o->err;
        return -1;
    }

    *img = o->img;
    o->number = 0;
    return 1;
}


void
tcr_opener_finish(tcr_opener_t *opener)
{
    unsigned  i;

    if (opener == NULL) {
        return;
    }

    pthread_join(opener->thread, NULL);

    for (i = 0; i < TCR_SLOT_COUNT; i++) {
        if (opener->slots[i].number != 0 && opener->slots[i].rc == 0) {
            tcr_image_close(&opener->slots[i].img);
        }
    }

    close(opener->dirfd);
    free(opener);
}
