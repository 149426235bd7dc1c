/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The page "current" by itself: a writer that changes the table as fast as
 * it can, and a reader that must never see a table of two publications.
 */

#include "fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "tap.h"
#include "tcr_clock.h"
#include "tcr_current.h"

#define RUN_MS  300


static int            dirfd_;
static tcr_err_t      err;
static tcr_current_t  current;


/* Every number of the table is that of the change it belongs to. */
static void
fill(tcr_img_table_t *table, uint64_t change)
{
    size_t  i;

    for (i = 0; i < TCR_SLOT_MAX; i++) {
        table->slots[i] = (tcr_img_slot_t) { change, change,
                                             (int64_t) change };
    }
}


static void
write_for_ever(void)
{
    uint64_t         change;
    tcr_img_table_t  table;

    for (change = tcr_current_change(&current) + 1;; change++) {
        fill(&table, change);
        tcr_current_write(&current, &table);
    }
}


static void
read_while_written(void)
{
    pid_t            pid;
    int64_t          end;
    uint64_t         change, reads = 0, torn = 0, moved = 0, last = 0;
    tcr_img_table_t  table, want;

    pid = fork();

    if (pid == 0) {
        write_for_ever();
    }

    end = tcr_ticks_ms() + RUN_MS;

    while (tcr_ticks_ms() < end) {
        change = tcr_current_read(&current, &table);
        fill(&want, change);
        torn += memcmp(&table, &want, sizeof(table)) != 0;
        moved += change != last;
        last = change;
        reads++;
    }

    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);

    ok(moved > 1, "%d tables in %d reads", (int) moved, (int) reads);
    is_int(torn, 0, "none of two publications");
}


static void
tables(void)
{
    tcr_img_table_t  one, two, got;

    fill(&one, 1);
    fill(&two, 2);

    is_int(tcr_current_read(&current, &got), 0, "no publication yet");
    is_int(got.slots[0].number, 0, "no image");

    tcr_current_write(&current, &one);
    is_int(tcr_current_read(&current, &got), 1, "first change");
    ok(memcmp(&got, &one, sizeof(got)) == 0, "its table");

    tcr_current_write(&current, &two);
    is_int(tcr_current_read(&current, &got), 2, "second change");
    ok(memcmp(&got, &two, sizeof(got)) == 0, "its table");
    tcr_current_before(&current, &got);
    ok(memcmp(&got, &one, sizeof(got)) == 0, "the table before");
}


static void
replaced(void)
{
    bool           missing;
    tcr_current_t  other;

    ok(tcr_current_is_there(&current, dirfd_), "the page is there");
    ok(tcr_current_create(dirfd_, (uid_t) -1, &err) == 0, "a new one");
    ok(!tcr_current_is_there(&current, dirfd_), "the old one is not");

    unlinkat(dirfd_, TCR_CURRENT_NAME, 0);
    ok(tcr_current_open(&other, dirfd_, false, &missing, &err) == -1
       && missing, "no page: %s", err.text);
    ok(mkdirat(dirfd_, TCR_CURRENT_NAME, 0700) == 0
       && tcr_current_open(&other, dirfd_, false, &missing, &err) == -1
       && !missing, "a directory: %s", err.text);
    unlinkat(dirfd_, TCR_CURRENT_NAME, AT_REMOVEDIR);
}


int
main(void)
{
    char  dir[64];

    dirfd_ = open(fixture_make_dir(dir), O_RDONLY | O_DIRECTORY);

    ok(tcr_current_create(dirfd_, (uid_t) -1, &err) == 0
       && tcr_current_open(&current, dirfd_, true, NULL, &err) == 0,
       "a page is made");

    tables();
    read_while_written();
    replaced();

    tcr_current_close(&current);
    close(dirfd_);
    fixture_remove_dir(dir);

    return done();
}
