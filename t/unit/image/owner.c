/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Who owns what: root publishes into a user's directory, a user into its own
 * and into nobody else's, and for groups it is a member of.  Needs root.
 */

#include "fixture.h"

#include <fcntl.h>
#include <sys/wait.h>

#include "tap.h"
#include "tcr_snapshot.h"

#define USER    65534             /* nobody, nogroup                         */
#define WANTED  (1u << TCR_SLOT_ROUTING | 1u << TCR_SLOT_HEALTH)


static char       dir[64];
static tcr_err_t  err;


static struct stat
stat_of(const char *name)
{
    char         path[128];
    struct stat  st = { 0 };

    snprintf(path, sizeof(path), "%s/%s", dir, name);
    ok(stat(path, &st) == 0, "%s is there", name);
    return st;
}


static void
root_for_a_user(void)
{
    struct stat        st;
    tcr_publisher_t   *pub;
    tcr_publication_t  item = { .slot = TCR_SLOT_CITY, .data = (void *) "x",
                                .size = 1, .group = "daemon" };

    ok(chown(dir, USER, USER) == 0, "the directory is a user's");
    pub = tcr_publisher_open(dir, &err);
    ok(pub != NULL, "root publishes there");
    is_int(fixture_publish(pub, 1, &err), 1, "and gives all to the user");

    is_int(stat_of("current").st_uid, USER, "the page");
    is_int(stat_of("lock").st_uid, USER, "the lock");
    is_int(stat_of("health.1").st_uid, USER, "an image");

    ok(tcr_publish(pub, &item, 1, NULL, &err) == 0, "for a group");
    st = stat_of("city.2");
    is_int(st.st_uid, USER, "its owner");
    ok(st.st_gid != 0 && st.st_gid != USER, "its group");
    tcr_publisher_close(pub);
}


/* In a child, as the user; 0 = all went as it should. */
static int
as_user(void)
{
    tcr_snapshot_t    *snap;
    tcr_publisher_t   *pub;
    tcr_publication_t  item = { .slot = TCR_SLOT_CITY, .data = (void *) "x",
                                .size = 1, .group = "root" };

    if (setgid(USER) != 0 || setuid(USER) != 0) {
        return 1;
    }

    pub = tcr_publisher_open(dir, &err);

    if (pub == NULL || fixture_publish(pub, 2, &err) != 3) {
        return 2;
    }

    if (tcr_publish(pub, &item, 1, NULL, &err) != -1
        || strstr(err.text, "for group \"root\"") == NULL)
    {
        return 3;
    }

    snap = tcr_snapshot_create(dir, WANTED);

    if (tcr_snapshot_refresh(snap, 0, &err) != 1) {
        return 4;
    }

    tcr_snapshot_destroy(snap);
    tcr_publisher_close(pub);
    return 0;
}


static int
as_stranger(void)
{
    if (setgid(1) != 0 || setuid(1) != 0) {
        return 1;
    }

    if (tcr_publisher_open(dir, &err) != NULL
        || strstr(err.text, "belongs to user 65534, expected 1 or root")
           == NULL)
    {
        return 2;
    }

    return 0;
}


static int
in_child(int (*what)(void))
{
    int    status;
    pid_t  pid;

    fflush(stdout);
    pid = fork();

    if (pid == 0) {
        _exit(what());
    }

    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}


/* Whoever owns the directory can replace every file in it. */
static void
foreign_directory(void)
{
    tcr_snapshot_t  *snap;

    ok(chown(dir, 1, 1) == 0, "the directory becomes another user's");
    snap = tcr_snapshot_create(dir, WANTED);
    ok(tcr_snapshot_refresh(snap, 0, &err) == -1
       && strstr(err.text, "belongs to user 1, expected root or 65534")
          != NULL, "readers refuse it: %s", err.text);
    tcr_snapshot_destroy(snap);
}


int
main(void)
{
    if (geteuid() != 0) {
        printf("1..0 # SKIP needs root\n");
        return 0;
    }

    fixture_make_dir(dir);
    chmod(dir, 0755);

    root_for_a_user();
    is_int(in_child(as_user), 0, "the user goes on where root was");
    is_int(in_child(as_stranger), 0, "another user is refused");
    foreign_directory();
    fixture_remove_dir(dir);

    return done();
}
