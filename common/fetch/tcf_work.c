/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The one thread beside the main one: what takes long goes there, so that
 * health moves on meanwhile.
 */

#include "tcf.h"

#include <signal.h>


static void *
run(void *ctx)
{
    tcf_t  *f = ctx;

    if (f->work == TCF_JUDGING) {
        tcf_judge(f->job);

    } else {
        tcf_generation_write(f);
    }

    __atomic_store_n(&f->work_done, 1, __ATOMIC_RELEASE);
    tcf_http_wake(f->http);

    return NULL;
}


int
tcf_work_start(tcf_t *f, tcf_work_e work, tcr_err_t *err)
{
    int       rc;
    sigset_t  all, before;

    f->work = work;
    f->work_done = 0;

    /* signals are the main thread's */
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    rc = pthread_create(&f->thread, NULL, run, f);
    pthread_sigmask(SIG_SETMASK, &before, NULL);

    if (rc != 0) {
        f->work = TCF_IDLE;
        return tcr_err_set(err, "cannot start a thread: %s", strerror(rc));
    }

    return 0;
}


void
tcf_work_look(tcf_t *f)
{
    tcf_work_e  work = f->work;

    if (work == TCF_IDLE
        || !__atomic_load_n(&f->work_done, __ATOMIC_ACQUIRE))
    {
        return;
    }

    pthread_join(f->thread, NULL);
    f->work = TCF_IDLE;

    if (work == TCF_JUDGING) {
        tcf_job_finish(f);

    } else {
        tcf_generation_finish(f);
    }
}
