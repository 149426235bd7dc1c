/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Two buffers: answers fill one, the thread writes the other.
 */

#include "tcb_log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tcr_file.h"

#define TCB_LOG_BUFFER  (1024 * 1024)
#define TCB_LOG_FLUSH   (64 * 1024)


struct tcb_log_s {
    pthread_mutex_t   lock;
    pthread_cond_t    wake;
    pthread_t         thread;
    char             *fill;       /* answers write here                      */
    char             *spare;      /* the thread writes from here             */
    size_t            len;        /* of fill                                 */
    uint64_t          dropped;
    bool              running;
    bool              stop;
    bool              reopen;
    int               fd;
    char             *path;
};


static int
open_path(const char *path)
{
    return open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY,
                0640);
}


tcb_log_t *
tcb_log_open(const char *path, tcr_err_t *err)
{
    tcb_log_t           *log;
    pthread_condattr_t   attr;

    log = calloc(1, sizeof(*log));

    if (log == NULL) {
        (void) tcr_err_set(err, "no memory for the access log");
        return NULL;
    }

    pthread_mutex_init(&log->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&log->wake, &attr);
    pthread_condattr_destroy(&attr);

    log->path = strdup(path);
    log->fill = malloc(TCB_LOG_BUFFER);
    log->spare = malloc(TCB_LOG_BUFFER);
    log->fd = open_path(path);

    if (log->path == NULL || log->fill == NULL || log->spare == NULL) {
        (void) tcr_err_set(err, "no memory for the access log");
        goto failed;
    }

    if (log->fd == -1) {
        (void) tcr_err_set(err, "cannot open \"%s\": %s", path,
                           strerror(errno));
        goto failed;
    }

    return log;

failed:

    tcb_log_close(log);
    return NULL;
}


/* Opens the file anew when it was moved away, or when asked to. */
static void
look_after_file(tcb_log_t *log, bool asked)
{
    int          fd;
    struct stat  now, held;

    if (!asked && fstat(log->fd, &held) == 0 && stat(log->path, &now) == 0
        && held.st_ino == now.st_ino && held.st_dev == now.st_dev)
    {
        return;
    }

    fd = open_path(log->path);

    if (fd != -1) {
        close(log->fd);
        log->fd = fd;
    }
}


/* Sleeps until a second has passed, enough came together, or the end. */
static void
wait_for_lines(tcb_log_t *log)
{
    struct timespec  until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += 1;

    while (!log->stop && !log->reopen && log->len < TCB_LOG_FLUSH
           && pthread_cond_timedwait(&log->wake, &log->lock, &until) == 0)
    {
        continue;
    }
}


static void *
writer(void *data)
{
    bool        asked, stop;
    char       *full;
    size_t      len;
    time_t      now, looked;
    tcb_log_t  *log = data;

    looked = 0;

    do {
        pthread_mutex_lock(&log->lock);
        wait_for_lines(log);

        full = log->fill;
        len = log->len;
        log->fill = log->spare;
        log->spare = full;
        log->len = 0;
        asked = log->reopen;
        log->reopen = false;
        stop = log->stop;
        pthread_mutex_unlock(&log->lock);

        /* a full disk must not stop the thread */
        (void) tcr_file_write(log->fd, full, len);
        now = time(NULL);

        if (asked || now != looked) {
            looked = now;
            look_after_file(log, asked);
        }

    } while (!stop);

    return NULL;
}


/* The host server's signals are not for this thread. */
static void
start_writer(tcb_log_t *log)
{
    sigset_t  all, old;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    log->running = pthread_create(&log->thread, NULL, writer, log) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}


void
tcb_log_close(tcb_log_t *log)
{
    bool  running;

    if (log == NULL) {
        return;
    }

    pthread_mutex_lock(&log->lock);
    running = log->running;
    log->stop = true;
    pthread_cond_signal(&log->wake);
    pthread_mutex_unlock(&log->lock);

    if (running) {
        pthread_join(log->thread, NULL);
    }

    if (log->fd != -1) {
        (void) tcr_file_write(log->fd, log->fill, log->len);
        close(log->fd);
    }

    pthread_cond_destroy(&log->wake);
    pthread_mutex_destroy(&log->lock);
    free(log->fill);
    free(log->spare);
    free(log->path);
    free(log);
}


bool
tcb_log_write(tcb_log_t *log, const char *line, size_t len)
{
    bool  room;

    if (log == NULL) {
        return true;
    }

    pthread_mutex_lock(&log->lock);

    if (!log->running) {
        start_writer(log);
    }

    room = len <= TCB_LOG_BUFFER - log->len;

    if (!room) {
        log->dropped++;

    } else {
        memcpy(log->fill + log->len, line, len);
        log->len += len;

        if (log->len >= TCB_LOG_FLUSH && log->len - len < TCB_LOG_FLUSH) {
            pthread_cond_signal(&log->wake);
        }
    }

    pthread_mutex_unlock(&log->lock);
    return room;
}


void
tcb_log_reopen(tcb_log_t *log)
{
    if (log == NULL) {
        return;
    }

    pthread_mutex_lock(&log->lock);
    log->reopen = true;
    pthread_cond_signal(&log->wake);
    pthread_mutex_unlock(&log->lock);
}


uint64_t
tcb_log_dropped(tcb_log_t *log)
{
    uint64_t  n;

    if (log == NULL) {
        return 0;
    }

    pthread_mutex_lock(&log->lock);
    n = log->dropped;
    pthread_mutex_unlock(&log->lock);
    return n;
}
