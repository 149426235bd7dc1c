/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Preloaded, it puts the wall clock off by the seconds (an int64_t) in the
 * file that TCR_TEST_CLOCK names, at any moment; the steady clock goes on.
 */

#define _GNU_SOURCE

#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>


static const volatile int64_t  *off;
static int                    (*real)(clockid_t, struct timespec *);


static void __attribute__((constructor))
find(void)
{
    int          fd;
    void        *p;
    const char  *name = getenv("TCR_TEST_CLOCK");

    real = (int (*)(clockid_t, struct timespec *))
           dlsym(RTLD_NEXT, "clock_gettime");
    fd = name != NULL ? open(name, O_RDONLY | O_CLOEXEC) : -1;

    if (fd == -1) {
        return;
    }

    p = mmap(NULL, sizeof(*off), PROT_READ, MAP_SHARED, fd, 0);
    close(fd);

    if (p != MAP_FAILED) {
        off = p;
    }
}


int
clock_gettime(clockid_t id, struct timespec *ts)
{
    int  rc = real(id, ts);

    if (rc == 0 && off != NULL
        && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE))
    {
        ts->tv_sec += *off;
    }

    return rc;
}


time_t
time(time_t *t)
{
    struct timespec  ts = { 0, 0 };

    clock_gettime(CLOCK_REALTIME, &ts);

    if (t != NULL) {
        *t = ts.tv_sec;
    }

    return ts.tv_sec;
}
