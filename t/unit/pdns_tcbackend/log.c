/* SPDX-License-Identifier: Apache-2.0 */

/* The access log: whole lines from several threads, none lost silently. */

#include "tap.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tcb_log.h"

#define THREADS  4
#define LINES    20000


static void *
write_lines(void *data)
{
    int         i, len;
    char        line[128];
    tcb_log_t  *log = data;

    for (i = 0; i < LINES; i++) {
        len = snprintf(line, sizeof(line), "begin %d %0*d end\n", i,
                       i % 60 + 1, 0);
        tcb_log_write(log, line, (size_t) len);
    }

    return NULL;
}


static size_t
count_lines(const char *path, size_t *broken)
{
    FILE    *f;
    char     line[256];
    size_t   n, len;

    n = 0;
    f = fopen(path, "r");

    while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
        len = strlen(line);
        n++;

        if (strncmp(line, "begin ", 6) != 0
            || strcmp(line + len - 5, " end\n") != 0)
        {
            (*broken)++;
        }
    }

    if (f != NULL) {
        fclose(f);
    }

    return n;
}


static void
test_threads(const char *path)
{
    int          i;
    size_t       n, broken;
    uint64_t     dropped;
    tcr_err_t    err;
    pthread_t    threads[THREADS];
    tcb_log_t   *log;
    struct stat  st;

    log = tcb_log_open(path, &err);
    ok(log != NULL, "opens");

    for (i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, write_lines, log);
    }

    for (i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }

    dropped = tcb_log_dropped(log);
    tcb_log_close(log);

    broken = 0;
    n = count_lines(path, &broken);

    is_int(n + dropped, THREADS * LINES, "every line written or counted");
    is_int(broken, 0, "every line whole");
    ok(n > LINES, "not all dropped");
    ok(stat(path, &st) == 0 && (st.st_mode & 07) == 0, "not for everybody");
}


static void
test_time(const char *path)
{
    int         i;
    size_t      broken;
    tcr_err_t   err;
    tcb_log_t  *log;

    (void) unlink(path);
    log = tcb_log_open(path, &err);
    tcb_log_write(log, "begin 1 end\n", 12);
    broken = 0;

    for (i = 0; i < 300 && count_lines(path, &broken) == 0; i++) {
        usleep(10000);
    }

    ok(i < 200, "a lonely line is written after a second");
    tcb_log_close(log);
    tcb_log_close(NULL);
    tcb_log_write(NULL, "x\n", 2);
    ok(tcb_log_dropped(NULL) == 0, "no log is none");
}


int
main(void)
{
    char       dir[] = "/tmp/tcr-log-XXXXXX";
    char       path[64];
    tcr_err_t  err;

    if (mkdtemp(dir) == NULL) {
        printf("Bail out! no temporary directory\n");
        return 1;
    }

    snprintf(path, sizeof(path), "%s/dns.log", dir);
    test_threads(path);
    test_time(path);
    (void) unlink(path);
    (void) rmdir(dir);

    ok(tcb_log_open(path, &err) == NULL, "no directory");
    ok(strstr(err.text, "cannot open \"") != NULL, "... and a reason");

    return done();
}
