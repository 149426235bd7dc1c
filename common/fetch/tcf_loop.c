/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What happens when.  Nothing in here waits but tcf_http_wait, and every
 * time that it waits for leads to something being done.
 */

#include "tcf.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "tcr_clock.h"

#define LOOK_MS  100              /* how often a window looks for its
                                     successor                               */


static void
take_signals(tcf_t *f)
{
    struct signalfd_siginfo  info;

    while (read(f->signals, &info, sizeof(info)) == sizeof(info)) {

        if (info.ssi_signo == SIGHUP) {
            tcf_settings_again(f);

        } else if (!f->leaving || f->handover) {
            f->leaving = true;
            f->handover = false;
            tcr_log(TCR_LOG_INFO, "told to leave");
        }
    }
}


/*
 * A successor may give up while we finish a long publication: then nobody
 * would poll until cron comes again, so we stay.
 */
static void
look_for_end(tcf_t *f, int64_t now)
{
    bool  wanted;

    if (f->options->mode != TCF_WINDOW || (f->leaving && !f->handover)) {
        return;
    }

    wanted = tcf_lock_wanted(&f->lock);

    if (wanted != f->handover) {
        f->handover = wanted;
        f->leaving = wanted;
        tcr_log(TCR_LOG_INFO, wanted ? "the next one is here, leaving"
                                     : "the next one is gone, staying");
    }

    if (!f->leaving && now >= f->deadline) {
        f->leaving = true;
        tcr_log(TCR_LOG_INFO, "the window is over, leaving");
    }
}


static bool
is_finished(const tcf_t *f, int64_t now)
{
    bool  waits = f->ready != NULL && !tcf_options_dry(f->options);

    if (f->work != TCF_IDLE) {
        return false;
    }

    /* what is judged is stored: the next run publishes what may not yet go */
    if (f->leaving) {
        return !waits || tcf_generation_due(f) > now;
    }

    return tcf_is_once(f) && !waits && tcf_poll_idle(f)
           && (f->failed || !tcf_job_wanted(f, now));
}


static int64_t
earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}


static int64_t
next_time(const tcf_t *f, int64_t now)
{
    int64_t  next = tcf_poll_next(f);

    next = earlier(next, tcf_generation_due(f));

    if (!tcf_is_once(f) && tcf_in_force(f) != NULL) {
        next = earlier(next, f->look_at);
    }

    if (f->work == TCF_IDLE && !f->leaving) {
        next = earlier(next, f->judge_at);
    }

    if (!tcf_is_once(f)) {
        next = earlier(next, f->settings_at);
    }

    if (f->status_changed) {
        next = earlier(next, f->status_at);
    }

    if (f->states.unsaved) {
        next = earlier(next, f->states_at);
    }

    if (f->options->mode == TCF_WINDOW) {
        next = earlier(next, now + LOOK_MS);
    }

    return next;
}


static void
step(tcf_t *f)
{
    int64_t    now = tcr_ticks_ms();
    tcr_err_t  err;

    take_signals(f);
    look_for_end(f, now);
    tcf_generation_look(f, now);
    tcf_settings_look(f, now);
    tcf_poll_due(f, now);
    tcf_poll_run(f);

    tcf_work_look(f);
    tcf_generation_publish(f);

    if (tcf_job_wanted(f, tcr_ticks_ms()) && tcf_job_start(f, &err) != 0) {
        tcr_log_limited(TCR_LOG_ERR, "job", "%s", err.text);
    }

    tcf_health_save(f, false);
    tcf_status_write(f, false);
}


int
tcf_loop(tcf_t *f)
{
    int64_t  now, next;

    for ( ;; ) {
        step(f);
        now = tcr_ticks_ms();

        if (is_finished(f, now)) {
            break;
        }

        next = next_time(f, now);

        if (next > now) {
            tcf_http_wait(f->http, f->signals,
                          next == TCF_NEVER ? INT64_MAX : next - now);
        }
    }

    if (tcf_options_dry(f->options)) {
        return tcf_dry_print(f);
    }

    if (!f->usable) {
        tcr_log_limited(TCR_LOG_ERR, TCF_WAITING, "%s", TCF_WAITING);
    }

    tcf_health_save(f, true);
    tcf_session_save(f);
    tcf_status_write(f, true);

    return f->usable && !f->failed ? 0 : 2;
}
