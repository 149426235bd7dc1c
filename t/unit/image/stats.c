/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Shared counters: names, slots of living and dead processes, sums.
 */

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"
#include "tcr_stats.h"
#include "tcr_stats_file.h"

static char  dir[] = "/tmp/tcr-stats-XXXXXX";


static void
register_two(int dirfd)
{
    tcr_err_t  err = { "" };
    tcr_str_t  names[] = {
        TCR_STR("edge.one.cdn.example.net"), TCR_STR("edge.two.cdn.example.net")
    };

    ok(tcr_stats_register(dirfd, names, 2, &err) == 0, "two names: %s",
       err.text);
    ok(tcr_stats_register(dirfd, names, 2, &err) == 0, "the same again");
}


static void
count(uint32_t name, uint64_t n)
{
    tcr_err_t     err;
    tcr_stats_t  *stats = tcr_stats_open(dir, "test", &err);

    if (stats != NULL) {
        tcr_stats_add(&tcr_stats_tally(stats, name)->count[TCR_STATS_DNS][2],
                      n);
        tcr_stats_add(&tcr_stats_sums(stats)->missed, n);
    }
}


/* A child that counts and ends without a word. */
static void
count_and_die(uint32_t name, uint64_t n)
{
    pid_t  pid = fork();

    if (pid == 0) {
        count(name, n);
        kill(getpid(), SIGKILL);
    }

    waitpid(pid, NULL, 0);
}


static uint64_t
total(uint32_t name)
{
    tcr_err_t          err;
    uint64_t           n;
    tcr_stats_t       *stats = tcr_stats_open_reader(dir, &err);
    tcr_stats_tally_t  tally;

    tcr_stats_total_tally(stats, name, &tally);
    n = tally.count[TCR_STATS_DNS][2];
    tcr_stats_close(stats);

    return n;
}


static void
test_processes(uint32_t name)
{
    int           i, n;
    tcr_err_t     err;
    tcr_stats_t  *a, *b;

    /* memcheck takes seconds for each mapping of so large a file */
    n = getenv("TCR_TEST_SLOW") != NULL ? 4 : 2 * TCR_STATS_SLOTS;

    a = tcr_stats_open(dir, "test", &err);
    b = tcr_stats_open(dir, "test", &err);
    ok(a != NULL && b != NULL, "two threads of one process have a slot each");

    tcr_stats_add(&tcr_stats_tally(a, name)->count[TCR_STATS_DNS][2], 5);
    tcr_stats_add(&tcr_stats_tally(b, name)->count[TCR_STATS_DNS][2], 7);
    is_int(total(name), 12, "their counters are added up");

    for (i = 0; i < n; i++) {
        count_and_die(name, 1);
    }

    is_int(total(name), 12 + n, "%d processes came and went (there are %d "
           "slots), all are counted", n, TCR_STATS_SLOTS);

    tcr_stats_close(a);
    tcr_stats_close(b);
    is_int(total(name), 12 + n, "closing loses nothing");
}


static void
test_saturation(void)
{
    uint64_t  n = UINT64_MAX - 1;

    tcr_stats_add(&n, 5);
    ok(n == UINT64_MAX, "a counter sticks at its top");

    is_int(tcr_stats_bucket(0), 0, "0 us is in the first bucket");
    is_int(tcr_stats_bucket(1), 1, "1 us is below 2");
    is_int(tcr_stats_bucket(1023), 10, "1023 us is below 1024");
    is_int(tcr_stats_bucket(1024), 11, "1024 us is not");
    is_int(tcr_stats_bucket(UINT64_MAX), TCR_STATS_BUCKETS - 1,
           "the last bucket takes the rest");
}


static void
test_foreign_file(int dirfd)
{
    int           fd;
    tcr_err_t     err = { "" };
    tcr_str_t     name = TCR_STR("edge.three.cdn.example.net");
    tcr_stats_t  *stats;

    fd = openat(dirfd, TCR_STATS_FILE, O_WRONLY | O_TRUNC);
    ok(fd != -1 && write(fd, "x", 1) == 1, "the file is overwritten");
    close(fd);

    ok(tcr_stats_open(dir, "test", &err) == NULL, "refused: %s", err.text);
    ok(tcr_stats_register(dirfd, &name, 1, &err) == 0,
       "the publisher makes a new one");

    stats = tcr_stats_open(dir, "test", &err);
    ok(stats != NULL && tcr_stats_find(stats, name) == 1, "which works");
    tcr_stats_close(stats);
}


/* Whoever counts may write anything, and others count on. */
static void
test_any_bytes(int dirfd)
{
    int           fd = openat(dirfd, TCR_STATS_FILE, O_RDWR | O_CLOEXEC);
    char          full[TCR_STATS_NAME_LEN];
    uint32_t      n = UINT32_MAX;
    tcr_err_t     err = { "" };
    tcr_stats_t  *stats;

    memset(full, 'x', sizeof(full));
    ok(pwrite(fd, &n, sizeof(n), offsetof(tcr_stats_header_t, n_names))
       == sizeof(n)
       && pwrite(fd, full, sizeof(full), offsetof(tcr_stats_file_t, names[1]))
          == sizeof(full),
       "a count beyond all bounds, a name without an end");
    close(fd);

    stats = tcr_stats_open(dir, "test", &err);
    ok(stats != NULL, "opened %s", err.text);
    is_int(tcr_stats_names(stats), TCR_STATS_NAMES, "as many as there can be");
    is_int(tcr_stats_name(stats, 1).len, TCR_STATS_NAME_LEN, "cut");
    is_int(tcr_stats_find(stats, TCR_STR("edge.three.cdn.example.net")), 0,
           "which is not the name it was");
    tcr_stats_close(stats);
    ok(tcr_stats_register(dirfd, NULL, 0, &err) == 0, "and closed");
}


int
main(void)
{
    int           dirfd;
    tcr_err_t     err = { "" };
    tcr_stats_t  *stats;

    if (mkdtemp(dir) == NULL || chmod(dir, 0755) != 0) {
        printf("Bail out! no directory\n");
        return 1;
    }

    dirfd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    ok(tcr_stats_open(dir, "test", &err) == NULL, "no file yet: %s", err.text);
    register_two(dirfd);

    stats = tcr_stats_open_reader(dir, &err);
    is_int(tcr_stats_names(stats), 3, "other and two names");
    is_int(tcr_stats_find(stats, TCR_STR("edge.two.cdn.example.net")), 2,
           "a name has its number");
    is_int(tcr_stats_find(stats, TCR_STR("invented.example.net")), 0,
           "an unknown one is \"other\"");
    ok(tcr_str_eq(tcr_stats_name(stats, 0), TCR_STR("other")), "number 0");
    tcr_stats_close(stats);

    test_processes(2);
    test_saturation();
    test_foreign_file(dirfd);
    test_any_bytes(dirfd);

    unlinkat(dirfd, TCR_STATS_FILE, 0);
    close(dirfd);
    rmdir(dir);
    return done();
}
