/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Whose turn it is.
 */

#include "tcf_monitors.h"

#include "tap.h"


static const char *const   abc[] = { "a", "b", "c" };
static tcf_monitors_t      m;
static tcr_err_t           err;


static void
set(const char *const *hosts, uint32_t n, int rc, const char *what)
{
    is_int(tcf_monitors_set(&m, hosts, n, &err), rc, "%s", what);
}


/* Host that is asked, or "-". */
static const char *
pick(unsigned poller, uint64_t round, int64_t now)
{
    const tcf_monitor_t  *one = tcf_monitors_pick(&m, poller, round, now);

    return one != NULL ? one->host : "-";
}


static const char *
pick_ok(unsigned poller, uint64_t round, int64_t now)
{
    const char  *host = pick(poller, round, now);

    tcf_monitors_ok(&m, host, poller);
    return host;
}


static void
lists(void)
{
    static const char *const  cba[] = { "c", "b", "a", "b" };
    static const char *const  bd[] = { "b", "d" };

    is_str(pick(0, 1, 0), "-", "nobody to ask");
    ok(tcf_monitors_all_tried(&m), "nobody is left to be tried");

    set(abc, 3, 1, "a list");
    set(cba, 4, 0, "order and repetition do not matter");
    tcf_monitors_failed(&m, "b", 0, 1000);
    set(bd, 2, 1, "another list");
    is_int(m.n, 2, "of two");
    is_int(m.list[0].failures, 1, "what is known of one that stays");
    tcf_monitors_ok(&m, "a", 0);
    tcf_monitors_failed(&m, "a", 0, 0);
    ok(true, "one that is gone is ignored");
    set(NULL, 0, 1, "no list");
}


static void
turns(void)
{
    set(abc, 3, 1, "three");
    is_str(pick_ok(0, 1, 0), "a", "first poll");
    is_str(pick_ok(0, 2, 0), "b", "second poll");
    is_str(pick_ok(0, 3, 0), "c", "third poll");
    is_str(pick_ok(0, 4, 0), "a", "from the front");
    is_str(pick_ok(1, 1, 0), "a", "the other poller has its own turn");
    set(NULL, 0, 1, "end");
}


static void
failures(void)
{
    set(abc, 3, 1, "three");
    ok(!tcf_monitors_all_tried(&m), "none was tried");

    is_str(pick(0, 1, 0), "a", "the first");
    tcf_monitors_failed(&m, "a", 0, 0);
    is_str(pick(0, 1, 0), "b", "fails: the next at once");
    tcf_monitors_failed(&m, "b", 0, 0);
    is_str(pick_ok(0, 1, 0), "c", "and the next");
    ok(tcf_monitors_all_tried(&m), "all were tried");

    is_str(pick_ok(0, 2, 100), "c", "the dead ones are passed over");
    is_str(pick_ok(0, 3, 200), "c", "again");
    is_str(pick(0, 4, 2000), "a", "until the pause is over");
    tcf_monitors_failed(&m, "a", 0, 2000);
    is_str(pick_ok(0, 4, 2000), "b", "one is back");
    is_str(pick_ok(0, 5, 4100), "c", "the other has a longer pause");
    is_str(pick_ok(0, 6, 4200), "b", "still");
    is_str(pick_ok(0, 7, 6000), "c", "its turn comes again");
    is_str(pick_ok(0, 8, 6001), "a", "when that is over");
    is_int(m.list[0].failures, 0, "it answers: all is forgotten");
    set(NULL, 0, 1, "end");
}


static void
all_dead(void)
{
    int  i;

    set(abc, 3, 1, "three");

    for (i = 0; i < 3; i++) {
        is_str(pick(0, 1, i), abc[i], "round 1: %s", abc[i]);
        tcf_monitors_failed(&m, abc[i], 0, i);
    }

    is_str(pick(0, 1, 3), "-", "nobody is asked twice in a round");
    is_str(pick(0, 2, 100), "a", "round 2: passed over longest comes first");
    tcf_monitors_failed(&m, "a", 0, 100);
    is_str(pick(0, 2, 100), "b", "then the others");
    is_int(m.list[0].failures, 1, "a failure during the pause is the same one");
    tcf_monitors_failed(&m, "b", 1, 100);
    is_int(m.list[1].failures, 1, "seen by the other poller as well");

    for (i = 0; i < 100; i++) {
        tcf_monitors_failed(&m, "c", 0, INT64_C(100000) * i);
    }

    is_int(m.list[2].dead_until, INT64_C(9900000) + TCF_MONITOR_BACKOFF_MAX,
           "pauses grow to a minute");
    set(NULL, 0, 1, "end");
}


static void
flying(void)
{
    set(abc, 2, 1, "two");
    is_str(pick(0, 1, 0), "a", "the first is asked and hangs");
    is_str(pick(0, 2, 1000), "b", "the next poll asks the other");
    is_str(pick(0, 3, 2000), "-", "both hang: nobody is asked");
    is_str(pick(1, 1, 2000), "a", "the other poller may ask");
    tcf_monitors_ok(&m, "b", 0);
    is_str(pick(0, 4, 3000), "b", "one answers: it is asked again");
    set(NULL, 0, 1, "end");
}


int
main(void)
{
    lists();
    turns();
    failures();
    all_dead();
    flying();
    tcf_monitors_free(&m);

    return done();
}
