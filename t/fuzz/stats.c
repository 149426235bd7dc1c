/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Any bytes where processes count: behind the head, which the publisher made,
 * whoever counts may write what he likes.  Others register names, look them
 * up, add up and give their slot back all the same.
 */

#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>

#include "scratch.h"
#include "tcr_stats.h"
#include "tcr_stats_file.h"

#define NAMES  offsetof(tcr_stats_file_t, names)


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static tcr_stats_file_t  *file;
static int                dirfd = -1, file_fd = -1;

static const char *const  names[] = {
    "edge.one.example.net", "edge.two.example.net", "edge.three.example.net"
};


static void
make(void)
{
    tcr_err_t  err;

    if (chmod(scratch(), 0755) != 0) {
        abort();
    }

    dirfd = open(scratch(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (dirfd == -1 || tcr_stats_create(dirfd, &err) != 0) {
        abort();
    }

    file = tcr_stats_map(dirfd, &file_fd, &err);
}


/* Pieces of the input in names, places and slots, at places it says. */
static void
spoil(const uint8_t *data, size_t size)
{
    size_t    n, room = offsetof(tcr_stats_file_t, slots[4]) - NAMES;
    uint32_t  at;

    /* zeros, as if nothing was written before */
    if (fallocate(file_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, NAMES,
                  (off_t) room) != 0)
    {
        abort();
    }

    if (size >= 4) {
        memcpy(&file->header.n_names, data, 4);
        data += 4;
        size -= 4;
    }

    while (size > 4) {
        memcpy(&at, data, 4);
        n = 1 + data[3] % 64u;
        n = n < size - 4 ? n : size - 4;
        memcpy((char *) file + NAMES + at % (room - n), data + 4, n);
        data += 4 + n;
        size -= 4 + n;
    }
}


static void
check(const tcr_stats_t *stats)
{
    uint32_t           i, n = tcr_stats_names(stats);
    tcr_stats_sums_t   sums;
    tcr_stats_tally_t  tally;

    if (n > TCR_STATS_NAMES) {
        abort();
    }

    for (i = 0; i < n && i < 4; i++) {
        if (tcr_stats_name(stats, i).len > TCR_STATS_NAME_LEN) {
            abort();
        }

        tcr_stats_total_tally(stats, i, &tally);
    }

    tcr_stats_total(stats, &sums);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t        i;
    tcr_err_t     err;
    tcr_str_t     list[3];
    tcr_stats_t  *stats;

    if (file == NULL) {
        make();
    }

    for (i = 0; i < 3; i++) {
        list[i] = tcr_str(names[i]);
    }

    spoil(data, size);

    if (tcr_stats_register(dirfd, list, 3, &err) != 0) {
        abort();
    }

    stats = tcr_stats_open(scratch(), "fuzz", &err);

    if (stats != NULL) {
        for (i = 0; i < 3; i++) {
            if (tcr_stats_find(stats, list[i]) >= TCR_STATS_NAMES) {
                abort();
            }
        }

        check(stats);
        tcr_stats_close(stats);
    }

    return 0;
}
