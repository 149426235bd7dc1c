/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs a command and writes what it took into a file, as one line of JSON:
 * wall and CPU seconds, peak memory in KiB.
 *
 * usage: usage FILE COMMAND [ARGUMENT...]
 */

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tcr_clock.h"


static double
seconds(const struct timeval *tv)
{
    return (double) tv->tv_sec + (double) tv->tv_usec / 1e6;
}


int
main(int argc, char **argv)
{
    int            status;
    FILE          *out;
    pid_t          pid;
    int64_t        start;
    double         wall;
    struct rusage  used;

    if (argc < 3) {
        fprintf(stderr, "usage: usage FILE COMMAND [ARGUMENT...]\n");
        return 2;
    }

    start = tcr_ticks_ns();
    pid = fork();

    if (pid == 0) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }

    if (pid == -1 || wait4(pid, &status, 0, &used) != pid) {
        perror("usage");
        return 1;
    }

    wall = (double) (tcr_ticks_ns() - start) / 1e9;
    out = fopen(argv[1], "w");

    if (out == NULL) {
        perror(argv[1]);
        return 1;
    }

    fprintf(out, "{\"wall\":%.3f,\"user\":%.3f,\"system\":%.3f,"
                 "\"rss_kib\":%ld}\n", wall, seconds(&used.ru_utime),
            seconds(&used.ru_stime), used.ru_maxrss);

    return fclose(out) == 0 && status == 0 ? 0 : 1;
}
