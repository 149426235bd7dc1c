/* SPDX-License-Identifier: Apache-2.0 */

/*
 * tcr-fetch: reads what the CDN knows and publishes it as images.
 */

#include "tcf.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "tcf_wipe.h"
#include "tcr_clock.h"
#include "tcr_harden.h"
#include "tcr_version.h"

#define LATER_MS      5000        /* a window stays so much longer when
                                     nobody comes (decisions E1)             */
#define EXIT_WRONG    1
#define NOT_FINISHED  -1


/* They are read from a descriptor, so that nothing is interrupted. */
static int
open_signals(void)
{
    sigset_t  set;

    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    sigprocmask(SIG_BLOCK, &set, NULL);

    return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}


/* Exit status, or NOT_FINISHED with the lock in hand. */
static int
take_lock(tcf_t *f)
{
    int        ours;
    tcr_err_t  err;

    if (tcf_lock_open(&f->lock, f->store.dirfd, &err) != 0) {
        tcr_log(TCR_LOG_ERR, "%s", err.text);
        return EXIT_WRONG;
    }

    ours = f->options->mode == TCF_ONCE
           ? tcf_lock_try(&f->lock)
           : tcf_lock_wait(&f->lock, TCF_LOCK_WAIT_MS, f->signals);

    if (!ours) {
        tcr_log(TCR_LOG_NOTICE, "another tcr-fetch is at work");
        return 0;
    }

    return NOT_FINISHED;
}


static int
open_dry(tcf_t *f)
{
    tcr_err_t  err;

    if (tcf_store_open_dry(&f->store, f->state, &err) != 0) {
        tcr_log(TCR_LOG_ERR, "%s", err.text);
        return EXIT_WRONG;
    }

    return NOT_FINISHED;
}


static int
open_real(tcf_t *f)
{
    int           rc;
    tcr_err_t     err;
    tcf_source_e  i;

    if (tcf_store_open(&f->store, f->state, &err) != 0) {
        tcr_log(TCR_LOG_ERR, "%s", err.text);
        return EXIT_WRONG;
    }

    rc = take_lock(f);

    if (rc != NOT_FINISHED) {
        return rc;
    }

    for (i = 0; i < TCF_SOURCES; i++) {
        tcf_store_clean(&f->store, tcf_rows[i].file);
    }

    tcf_store_clean(&f->store, TCF_STATUS_NAME);
    tcf_store_clean(&f->store, TCF_SESSION_NAME);
    tcf_store_clean(&f->store, TCF_KEPT_NAME);
    f->publisher = tcr_publisher_open(f->images, &err);
    f->writer = f->publisher != NULL ? tcr_publisher_open(f->images, &err)
                                     : NULL;

    if (f->writer == NULL) {
        tcr_log(TCR_LOG_ERR, "%s", err.text);
        return EXIT_WRONG;
    }

    return NOT_FINISHED;
}


static int
open_all(tcf_t *f)
{
    int        rc = tcf_options_dry(f->options) ? open_dry(f) : open_real(f);
    tcr_err_t  err;

    if (rc != NOT_FINISHED) {
        return rc;
    }

    f->http = tcf_http_create(&err);
    f->reader = tcr_snapshot_create(f->images, TCF_SLOTS);

    if (f->http == NULL || f->reader == NULL) {
        tcr_log(TCR_LOG_ERR, "cannot start: %s",
                f->http == NULL ? err.text : "no memory");
        return EXIT_WRONG;
    }

    if (tcr_snapshot_refresh(f->reader, tcr_now_ms(), &err) < 0) {
        tcr_log(TCR_LOG_WARN, "images in force cannot be read: %s", err.text);
    }

    return NOT_FINISHED;
}


/*
 * There may have been no room for copies of what is in force: what the
 * sources say now goes before them.
 */
static void
await_sources(tcf_t *f, int64_t now)
{
    tcf_source_e  i;

    f->hold = true;

    for (i = 0; i < TCF_SOURCES; i++) {
        f->sources[i].awaited = i != TCF_STATES && f->sources[i].in_use
                                && f->sources[i].due <= now;
    }
}


/* What the last run has left: copies, due times, facts. */
static int
take_up(tcf_t *f)
{
    bool                missing;
    tcr_err_t           err;
    tcr_file_t          file;
    int64_t             now = tcr_ticks_ms();
    tcf_source_e        i;
    const tcr_image_t  *routing = tcf_in_force(f);

    for (i = 0; i < TCF_SOURCES; i++) {
        f->sources[i].row = &tcf_rows[i];
        f->sources[i].interval = INT64_MAX;
        f->sources[i].due = now;
    }

    if (!f->options->ignore_cache) {
        tcf_status_load(f);
    }

    /* it was refused without the option */
    if (f->options->accept_older || f->options->accept_shrink) {
        f->sources[TCF_SNAPSHOT].refused_len = 0;
    }

    f->sources[TCF_STATES].due = now;
    f->date = routing != NULL ? (int64_t) routing->header->snapshot_date : 0;
    f->judge_at = TCF_NEVER;

    if (!f->options->ignore_cache
        && (tcf_store_map(&f->store, tcf_rows[TCF_SNAPSHOT].file, false,
                          &file, &missing, NULL) == 0 || !missing))
    {
        f->judge_at = 0;
        tcr_file_unmap(&file);
    }

    if (tcf_settings_apply(f, &err) != 0) {
        tcr_log(TCR_LOG_ERR, "%s", err.text);
        return EXIT_WRONG;
    }

    if (routing != NULL) {
        await_sources(f, now);
    }

    tcf_health_start(f);
    return NOT_FINISHED;
}


static void
close_all(tcf_t *f)
{
    size_t  i;

    tcf_http_destroy(f->http);
    tcf_judgement_free(f->ready);
    tcf_facts_free(f->facts);
    tcf_states_free(&f->states);
    tcf_monitors_free(&f->monitors);

    for (i = 0; i < TCF_SOURCES; i++) {
        tcf_source_free(&f->sources[i]);
    }

    for (i = 0; i < TCF_SOURCES + TCR_SLOT_COUNT; i++) {
        tcf_problems_free(&f->problems[i]);
    }

    tcf_ops_forget(f);
    free(f->ops.login);

    if (f->reader != NULL) {
        tcr_snapshot_destroy(f->reader);
    }

    tcr_publisher_close(f->publisher);
    tcr_publisher_close(f->writer);
    tcf_store_close(&f->store);
    tcf_lock_close(&f->lock);
    tcr_arena_destroy(f->settings.arena);
}


static void
set_up(tcf_t *f, const tcf_options_t *options)
{
    const tcr_settings_t  *s = &f->settings.v;

    f->options = options;
    f->started = tcr_ticks_ms();
    f->deadline = f->started + options->window + LATER_MS;
    snprintf(f->images, sizeof(f->images), "%s",
             options->images != NULL ? options->images : s->images.data);
    snprintf(f->state, sizeof(f->state), "%s",
             options->state != NULL ? options->state : s->state.data);
    f->store.dirfd = -1;
    f->lock.fd = -1;
    f->signals = open_signals();

    tcr_log_open("tcr-fetch",
                 tcf_options_dry(options) && options->log == TCR_LOG_AUTO
                 ? TCR_LOG_STDERR : options->log,
                 options->verbose ? TCR_LOG_DEBUG
                                  : (tcr_log_level_e) s->log_level);
}


/* Those of the file, else for a run that stays the last good ones. */
static int
load_settings(tcf_t *f, const tcf_options_t *options)
{
    char  state[PATH_MAX];

    if (tcf_settings_load(&f->settings, options->config) == 0) {
        return 0;
    }

    memcpy(state, f->settings.state, sizeof(state));

    if (tcf_kept_load(&f->settings, options, state) != 0) {
        return -1;
    }

    f->wrong = true;
    return 0;
}


static int
run(const tcf_options_t *options)
{
    int    rc;
    tcf_t  f;

    memset(&f, 0, sizeof(f));
    tcr_harden();
    tcf_wipe_openssl();

    if (load_settings(&f, options) != 0) {
        return EXIT_WRONG;
    }

    if (options->mode == TCF_CHECK && tcf_check_settings(&f.settings.v) != 0) {
        tcr_arena_destroy(f.settings.arena);
        return EXIT_WRONG;
    }

    set_up(&f, options);

    if (f.wrong) {
        tcf_event(&f, TCR_LOG_ERR, "the settings are wrong, the last good "
                  "ones are used");
    }

    rc = open_all(&f);

    if (rc == NOT_FINISHED) {
        rc = take_up(&f);
    }

    if (rc == NOT_FINISHED) {
        rc = tcf_loop(&f);
    }

    close_all(&f);
    return rc == 0 && f.wrong ? EXIT_WRONG : rc;
}


int
main(int argc, char **argv)
{
    tcr_err_t      err;
    tcf_options_t  options;

    switch (tcf_options_read(&options, argc, argv, &err)) {

    case TCF_OPTIONS_HELP:
        tcf_options_help(stdout);
        return 0;

    case TCF_OPTIONS_VERSION:
        printf("tcr-fetch %s\n", TCR_VERSION);
        return 0;

    case TCF_OPTIONS_WRONG:
        fprintf(stderr, "tcr-fetch: %s\n", err.text);
        return EXIT_WRONG;

    default:
        return run(&options);
    }
}
