/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A writer that publishes without end is killed at random moments, again and
 * again, while a reader goes on refreshing: every set must be whole, routing
 * and health of one publication, never an older one than before.  So must be
 * what a reader finds that starts after the kill, and the next writer must
 * go on.
 */

#include "fixture.h"

#include <signal.h>
#include <sys/wait.h>

#include "tap.h"
#include "tcr_clock.h"
#include "tcr_snapshot.h"

#define KILLS     50
#define PATIENCE  10000000000     /* ns until a writer has to publish        */
#define WANTED    (1u << TCR_SLOT_ROUTING | 1u << TCR_SLOT_HEALTH)


static char       dir[64];
static uint32_t   seed = 20240229;
static tcr_err_t  err;


static uint32_t
draw(uint32_t below)
{
    seed = seed * 1664525 + 1013904223;
    return (uint32_t) ((uint64_t) seed * below >> 32);
}


static void
publish_for_ever(void)
{
    uint32_t          tag;
    tcr_publisher_t  *pub;

    pub = tcr_publisher_open(dir, &err);

    if (pub == NULL) {
        _exit(1);
    }

    for (tag = 1; fixture_publish(pub, tag, &err) != 0; tag++) {
        /* until we are killed */
    }

    _exit(1);
}


/* Number of the set when it is whole, 0 when not. */
static uint64_t
check_set(tcr_snapshot_t *snap)
{
    const tcr_set_t          *set = tcr_snapshot_current(snap);
    const tcr_mapped_t       *routing = set->slots[TCR_SLOT_ROUTING];
    const tcr_mapped_t       *health = set->slots[TCR_SLOT_HEALTH];
    const tcr_img_health_t   *h;
    const tcr_img_routing_t  *r;

    if (routing == NULL || health == NULL) {
        return 0;
    }

    r = tcr_image_root(&routing->img);
    h = tcr_image_root(&health->img);

    return routing->number == health->number
           && h->routing == routing->number
           && h->states_time == (int64_t) r->api_max_age ? routing->number
                                                         : 0;
}


/* Refreshes until the time is up; how many sets were seen, -1 for a bad one. */
static int
read_until(tcr_snapshot_t *snap, int64_t end, uint64_t *last)
{
    int       rc, sets = 0;
    uint64_t  number;

    do {
        /* a clock that runs fast: it looks at the path every millisecond */
        rc = tcr_snapshot_refresh(snap, tcr_ticks_ns() / 1000, &err);
        number = check_set(snap);

        if (rc == -1 || (*last != 0 && number < *last)) {
            return -1;
        }

        if (rc == 1 && number == 0) {
            return -1;
        }

        sets += rc;
        *last = number;

    } while (tcr_ticks_ns() < end);

    return sets;
}


/*
 * A machine that is slow or busy may not get to a publication in that time:
 * every other writer is only killed some time after its first one.
 */
static void
one_kill(tcr_snapshot_t *snap, uint64_t *last, bool patient)
{
    int              sets, rc;
    pid_t            pid;
    int64_t          deadline;
    uint64_t         before = *last;
    tcr_snapshot_t  *fresh;

    pid = fork();

    if (pid == 0) {
        publish_for_ever();
    }

    deadline = tcr_ticks_ns() + PATIENCE;

    do {
        sets = read_until(snap, tcr_ticks_ns() + 2000000 + draw(20000000),
                          last);
    } while (patient && sets != -1 && *last == before
             && tcr_ticks_ns() < deadline);

    kill(pid, SIGKILL);
    waitpid(pid, &rc, 0);

    ok(WIFSIGNALED(rc), "the writer was at work");
    ok(sets != -1 && read_until(snap, 0, last) != -1,
       "%d whole sets, the last is %d%s%s", sets, (int) *last,
       sets == -1 ? ": " : "", sets == -1 ? err.text : "");

    fresh = tcr_snapshot_create(dir, WANTED);
    rc = tcr_snapshot_refresh(fresh, 0, &err);
    ok(rc != -1 && check_set(fresh) == *last, "a new reader has it too");
    tcr_snapshot_destroy(fresh);
}


static size_t
count_images(void)
{
    DIR            *d = opendir(dir);
    size_t          n = 0;
    struct dirent  *e;

    while ((e = readdir(d)) != NULL) {
        n += strchr(e->d_name, '.') > e->d_name;
    }

    closedir(d);
    return n;
}


int
main(void)
{
    int               i;
    uint64_t          last = 0;
    tcr_snapshot_t   *snap;
    tcr_publisher_t  *pub;

    fixture_make_dir(dir);
    snap = tcr_snapshot_create(dir, WANTED);

    for (i = 0; i < KILLS; i++) {
        one_kill(snap, &last, i % 2 != 0);
    }

    ok(last >= KILLS / 2, "%d publications", (int) last);
    is_int(tcr_snapshot_refused(snap), 0, "nothing was ever refused");

    pub = tcr_publisher_open(dir, &err);
    ok(pub != NULL, "the next writer opens");
    ok(count_images() <= 4, "at most two generations of files are there");
    ok(fixture_publish(pub, 1, &err) > last, "and publishes");
    is_int(count_images(), 4, "exactly two");

    tcr_publisher_close(pub);
    tcr_snapshot_destroy(snap);
    fixture_remove_dir(dir);

    return done();
}
