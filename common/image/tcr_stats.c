/* SPDX-License-Identifier: Apache-2.0 */

/* Slots: taken, counted in, added up, folded when their process is gone. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tcr_image_dir.h"
#include "tcr_stats_file.h"

#define GONE     0                /* slot of those that ended                */
#define FOLDING  UINT64_MAX       /* owner while a dead slot is folded       */


struct tcr_stats_s {
    tcr_stats_file_t  *file;
    tcr_stats_slot_t  *own;       /* NULL: reads only                        */
};


/* Start of a process in ticks since boot, 0 when it is not there. */
static uint64_t
start_of(uint64_t pid)
{
    int         i;
    char        path[64], text[1024];
    FILE       *stat;
    size_t      n;
    const char *p;

    snprintf(path, sizeof(path), "/proc/%llu/stat", (unsigned long long) pid);
    stat = fopen(path, "re");

    if (stat == NULL) {
        return 0;
    }

    n = fread(text, 1, sizeof(text) - 1, stat);
    fclose(stat);
    text[n] = '\0';

    /* the command may hold blanks: count from its closing bracket */
    p = strrchr(text, ')');

    for (i = 2; p != NULL && i < 22; i++) {
        p = strchr(p + 1, ' ');
    }

    return p != NULL ? strtoull(p + 1, NULL, 10) : 0;
}


static bool
is_alive(const tcr_stats_slot_t *slot, uint64_t owner)
{
    return owner != FOLDING && start_of(owner) == slot->started;
}


/* Adds one slot's counters to another's and clears them. */
static void
fold(tcr_stats_slot_t *to, tcr_stats_slot_t *from, uint32_t names)
{
    size_t     i, n;
    uint64_t  *a, *b;

    a = (uint64_t *) &to->sums;
    b = (uint64_t *) &from->sums;
    n = sizeof(to->sums) / sizeof(*a);

    for (i = 0; i < n; i++) {
        __atomic_fetch_add(&a[i], b[i], __ATOMIC_RELAXED);
        __atomic_store_n(&b[i], 0, __ATOMIC_RELAXED);
    }

    a = (uint64_t *) to->tally;
    b = (uint64_t *) from->tally;
    n = names * (sizeof(to->tally[0]) / sizeof(*a));

    for (i = 0; i < n; i++) {
        if (b[i] != 0) {
            __atomic_fetch_add(&a[i], b[i], __ATOMIC_RELAXED);
            __atomic_store_n(&b[i], 0, __ATOMIC_RELAXED);
        }
    }
}


static bool
take(tcr_stats_file_t *file, tcr_stats_slot_t *slot, uint64_t pid)
{
    uint64_t  owner = __atomic_load_n(&slot->owner, __ATOMIC_ACQUIRE);

    if (owner != 0) {

        if (is_alive(slot, owner)
            || !__atomic_compare_exchange_n(&slot->owner, &owner, FOLDING,
                                            false, __ATOMIC_ACQ_REL,
                                            __ATOMIC_RELAXED))
        {
            return false;
        }

        fold(&file->slots[GONE], slot, tcr_stats_count(file));
        owner = FOLDING;
    }

    return __atomic_compare_exchange_n(&slot->owner, &owner, pid, false,
                                       __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}


/* A free slot, else one whose process is gone; NULL with a reason. */
static tcr_stats_slot_t *
take_slot(tcr_stats_file_t *file, int fd, const char *kind, tcr_err_t *err)
{
    int                pass;
    uint64_t           pid = (uint64_t) getpid();
    uint32_t           i;
    tcr_stats_slot_t  *slot;

    for (pass = 0; pass < 2; pass++) {
        for (i = GONE + 1; i < TCR_STATS_SLOTS; i++) {
            slot = &file->slots[i];

            if (pass == 0 && slot->owner != 0) {
                continue;
            }

            if (tcr_stats_reserve(fd, i) != 0) {
                tcr_err_set(err, "no space for counters in \""
                            TCR_STATS_FILE "\": %s, this process is not "
                            "counted", strerror(errno));
                return NULL;
            }

            if (take(file, slot, pid)) {
                slot->started = start_of(pid);
                snprintf(slot->kind, sizeof(slot->kind), "%s", kind);
                return slot;
            }
        }
    }

    tcr_err_set(err, "\"" TCR_STATS_FILE "\": all %d slots belong to living "
                "processes, this one is not counted", TCR_STATS_SLOTS - 1);
    return NULL;
}


static tcr_stats_t *
open_file(const char *dir, int *fd, tcr_err_t *err)
{
    int           dirfd;
    uid_t         owner;
    tcr_stats_t  *stats;

    stats = calloc(1, sizeof(*stats));

    if (stats == NULL) {
        tcr_err_set(err, "no memory for counters");
        return NULL;
    }

    dirfd = tcr_image_dir_open(dir, &owner, NULL, err);

    if (dirfd != -1) {
        stats->file = tcr_stats_map(dirfd, fd, err);
        close(dirfd);
    }

    if (stats->file == NULL) {
        free(stats);
        return NULL;
    }

    return stats;
}


tcr_stats_t *
tcr_stats_open(const char *dir, const char *kind, tcr_err_t *err)
{
    int           fd;
    tcr_stats_t  *stats = open_file(dir, &fd, err);

    if (stats == NULL) {
        return NULL;
    }

    stats->own = take_slot(stats->file, fd, kind, err);
    close(fd);

    if (stats->own == NULL) {
        tcr_stats_close(stats);
        return NULL;
    }

    return stats;
}


tcr_stats_t *
tcr_stats_open_reader(const char *dir, tcr_err_t *err)
{
    return open_file(dir, NULL, err);
}


void
tcr_stats_close(tcr_stats_t *stats)
{
    if (stats == NULL) {
        return;
    }

    if (stats->own != NULL) {
        fold(&stats->file->slots[GONE], stats->own,
             tcr_stats_count(stats->file));
        __atomic_store_n(&stats->own->owner, 0, __ATOMIC_RELEASE);
    }

    tcr_stats_unmap(stats->file);
    free(stats);
}


uint32_t
tcr_stats_find(const tcr_stats_t *stats, tcr_str_t name)
{
    return tcr_stats_look_up(stats->file, name);
}


tcr_stats_sums_t *
tcr_stats_sums(tcr_stats_t *stats)
{
    return &stats->own->sums;
}


tcr_stats_tally_t *
tcr_stats_tally(tcr_stats_t *stats, uint32_t name)
{
    return &stats->own->tally[name < TCR_STATS_NAMES ? name : 0];
}


uint32_t
tcr_stats_names(const tcr_stats_t *stats)
{
    return tcr_stats_count(stats->file);
}


tcr_str_t
tcr_stats_name(const tcr_stats_t *stats, uint32_t name)
{
    return tcr_stats_text(stats->file, name);
}


/* Adds n counters of every used slot to out. */
static void
add_up(const tcr_stats_t *stats, size_t offset, uint64_t *out, size_t n)
{
    size_t                   i;
    uint32_t                 s;
    const uint64_t          *counters;
    const tcr_stats_slot_t  *slot;

    for (s = 0; s < TCR_STATS_SLOTS; s++) {
        slot = &stats->file->slots[s];

        if (s != GONE && __atomic_load_n(&slot->owner, __ATOMIC_ACQUIRE) == 0)
        {
            continue;
        }

        counters = (const uint64_t *) ((const char *) slot + offset);

        for (i = 0; i < n; i++) {
            tcr_stats_add(&out[i], __atomic_load_n(&counters[i],
                                                   __ATOMIC_RELAXED));
        }
    }
}


void
tcr_stats_total(const tcr_stats_t *stats, tcr_stats_sums_t *out)
{
    memset(out, 0, sizeof(*out));
    add_up(stats, offsetof(tcr_stats_slot_t, sums), (uint64_t *) out,
           sizeof(*out) / sizeof(uint64_t));
}


void
tcr_stats_total_tally(const tcr_stats_t *stats, uint32_t name,
    tcr_stats_tally_t *out)
{
    memset(out, 0, sizeof(*out));

    if (name < TCR_STATS_NAMES) {
        add_up(stats, offsetof(tcr_stats_slot_t, tally)
                      + name * sizeof(tcr_stats_tally_t),
               (uint64_t *) out, sizeof(*out) / sizeof(uint64_t));
    }
}


int64_t
tcr_stats_created(const tcr_stats_t *stats)
{
    return stats->file->header.created;
}
