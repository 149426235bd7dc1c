/* SPDX-License-Identifier: Apache-2.0 */

/*
 * For targets whose code reads files: a directory that goes away with the
 * process, in memory where there is such a place.
 */

#ifndef SCRATCH_H_INCLUDED
#define SCRATCH_H_INCLUDED

#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SCRATCH_PATH  512

static char  scratch_dir[64];


static inline int
scratch_unlink(const char *path, const struct stat *st, int flag,
    struct FTW *ftw)
{
    (void) st;
    (void) flag;
    (void) ftw;

    return remove(path);
}


static inline void
scratch_remove(void)
{
    nftw(scratch_dir, scratch_unlink, 8, FTW_DEPTH | FTW_PHYS);
}


/* Makes it when it is not there yet. */
static inline const char *
scratch(void)
{
    if (scratch_dir[0] == '\0') {
        snprintf(scratch_dir, sizeof(scratch_dir), "%s/tcr-fuzz-XXXXXX",
                 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");

        if (mkdtemp(scratch_dir) == NULL || atexit(scratch_remove) != 0) {
            abort();
        }
    }

    return scratch_dir;
}


/* A file of that name there; its path is good until the next call. */
static inline const char *
scratch_file(const char *name, const void *data, size_t size)
{
    FILE         *f;
    static char   path[SCRATCH_PATH];

    snprintf(path, sizeof(path), "%s/%s", scratch(), name);
    f = fopen(path, "we");

    if (f == NULL || fwrite(data, 1, size, f) != size || fclose(f) != 0) {
        abort();
    }

    return path;
}


#endif /* SCRATCH_H_INCLUDED */
