/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The image directory from both sides: publications, readers, what is left
 * behind, and what is refused.
 */

#include "fixture.h"

#include <errno.h>
#include <fcntl.h>

#include "tap.h"
#include "tcr_snapshot.h"

#define WANTED  (1u << TCR_SLOT_ROUTING | 1u << TCR_SLOT_HEALTH               \
                 | 1u << TCR_SLOT_CITY)


static char       dir[64];
static int64_t    now = 1000000;
static tcr_err_t  err;


static uint32_t
tag_of(tcr_snapshot_t *snap)
{
    const tcr_mapped_t       *m;
    const tcr_img_routing_t  *root;

    m = tcr_snapshot_current(snap)->slots[TCR_SLOT_ROUTING];

    if (m == NULL) {
        return 0;
    }

    root = tcr_image_root(&m->img);
    return root->api_max_age;
}


static bool
exists(const char *name)
{
    char  path[128];

    snprintf(path, sizeof(path), "%s/%s", dir, name);
    return access(path, F_OK) == 0;
}


static void
write_file(const char *name, const void *data, size_t size)
{
    int   fd;
    char  path[128];

    snprintf(path, sizeof(path), "%s/%s", dir, name);
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ok(fd != -1 && write(fd, data, size) == (ssize_t) size, "write %s", name);
    close(fd);
}


static void
first_images(tcr_publisher_t **pub, tcr_snapshot_t **snap)
{
    tcr_set_t  *set;

    *snap = tcr_snapshot_create(dir, WANTED);
    ok(*snap != NULL, "reader before any directory entry");
    is_int(tcr_snapshot_refresh(*snap, now, &err), 0, "nothing there: quiet");
    ok(tcr_snapshot_current(*snap) != NULL
       && tcr_snapshot_current(*snap)->slots[TCR_SLOT_ROUTING] == NULL,
       "empty set");

    *pub = tcr_publisher_open(dir, &err);
    ok(*pub != NULL, "publisher opens");
    ok(exists("current") && exists("lock"), "current and lock are made");

    is_int(tcr_snapshot_refresh(*snap, now + 500, &err), 0,
           "no look within a second");
    is_int(tcr_snapshot_refresh(*snap, now += 1000, &err), 0,
           "a page without images");

    is_int(fixture_publish(*pub, 7, &err), 1, "first number is 1");
    is_int(tcr_snapshot_refresh(*snap, now, &err), 1, "new set at once");
    is_int(tag_of(*snap), 7, "the routing image that was published");

    set = tcr_snapshot_current(*snap);
    is_int(set->slots[TCR_SLOT_HEALTH]->number, 1, "its health");
    is_int(((const tcr_img_health_t *)
            tcr_image_root(&set->slots[TCR_SLOT_HEALTH]->img))->routing, 1,
           "health is stamped with the number of routing");
    is_int(tcr_snapshot_refresh(*snap, now, &err), 0, "nothing new");
}


static void
pins(tcr_publisher_t *pub, tcr_snapshot_t *snap)
{
    tcr_set_t                *old;
    const tcr_img_routing_t  *root;

    old = tcr_snapshot_pin(snap);
    root = tcr_image_root(&old->slots[TCR_SLOT_ROUTING]->img);

    is_int(fixture_publish(pub, 8, &err), 2, "second number");
    ok(exists("routing.1") && exists("routing.2"), "one generation is kept");
    is_int(fixture_publish(pub, 9, &err), 3, "third number");
    ok(!exists("routing.1") && !exists("health.1") && exists("routing.2"),
       "the one before that is gone");

    is_int(tcr_snapshot_refresh(snap, now, &err), 1, "newest set");
    is_int(tag_of(snap), 9, "newest routing");
    is_int(root->api_max_age, 7, "a pinned set still reads");
    tcr_snapshot_unpin(old);
}


static void
health_in_place(tcr_publisher_t *pub, tcr_snapshot_t *snap)
{
    void                    *base;
    uint64_t                *words;
    tcr_image_t              img;
    tcr_img_health_t        *h;
    const uint64_t          *seen;
    const tcr_img_health_t  *root;

    h = tcr_publisher_health(pub, &base, &err);
    ok(h != NULL && base != NULL, "writable health");
    words = (void *) ((uint8_t *) base + h->caches.off);

    img = tcr_snapshot_current(snap)->slots[TCR_SLOT_HEALTH]->img;
    root = tcr_image_root(&img);
    seen = tcr_image_vec(&img, &root->caches);

    ok(tcr_health_up(tcr_health_load(&seen[1]), 4)
       && tcr_health_up(tcr_health_load(&seen[1]), 6), "all up at first");

    ok(tcr_health_store(&words[1], TCR_HEALTH_AVAILABLE | TCR_HEALTH_IP6, 99),
       "a change is one");
    ok(!tcr_health_store(&words[1], TCR_HEALTH_AVAILABLE | TCR_HEALTH_IP6,
                         100), "no change is none");
    is_int(seen[1], (99LL << 32) | TCR_HEALTH_AVAILABLE | TCR_HEALTH_IP6,
           "the reader sees word and time of change");
    ok(!tcr_health_up(seen[1], 4) && tcr_health_up(seen[1], 6),
       "down for one family");

    ok(tcr_publisher_health(pub, &base, &err) == h, "same mapping again");
}


static void
pairing(tcr_publisher_t *pub, tcr_snapshot_t *snap)
{
    tcr_build_t        *b;
    tcr_publication_t   item;

    memset(&item, 0, sizeof(item));
    b = fixture_routing(10, &item.data, &item.size);
    ok(tcr_publish(pub, &item, 1, NULL, &err) == -1
       && strstr(err.text, "\"health.3\" belongs to \"routing.3\"") != NULL,
       "routing without its health is refused: %s", err.text);
    tcr_build_destroy(b);

    ok(!exists("routing.4") && !exists("routing.4.tmp"), "nothing is left");

    item.slot = TCR_SLOT_HEALTH;
    ok(tcr_health_build(&b, 4, FIXTURE_SERVICES, FIXTURE_GROUPS, &err) == 0
       && tcr_build_finish(b, NULL, &item.data, &item.size, &err) == 0,
       "health for another number of caches");
    ok(tcr_publish(pub, &item, 1, NULL, &err) == -1
       && strstr(err.text, "is for 4 caches") != NULL, "is refused: %s",
       err.text);
    tcr_build_destroy(b);

    b = fixture_health(11, &item.data, &item.size);
    ok(tcr_publish(pub, &item, 1, NULL, &err) == 0, "fresh health alone");
    tcr_build_destroy(b);

    is_int(tcr_snapshot_refresh(snap, now, &err), 1, "reader has it");
    is_int(tag_of(snap), 9, "with the routing it had");
}


static void
raw(tcr_publisher_t *pub, tcr_snapshot_t *snap)
{
    char                path[128];
    tcr_set_t          *set, *before;
    tcr_publication_t   item = { .slot = TCR_SLOT_CITY };

    before = tcr_snapshot_pin(snap);
    write_file("source.mmdb", "foreign bytes", 13);
    snprintf(path, sizeof(path), "%s/source.mmdb", dir);
    item.path = path;
    ok(tcr_publish(pub, &item, 1, NULL, &err) == 0, "a file as it is");
    is_int(tcr_snapshot_refresh(snap, now, &err), 1, "new set");

    set = tcr_snapshot_current(snap);
    ok(set->slots[TCR_SLOT_CITY]->img.size == 13
       && memcmp(set->slots[TCR_SLOT_CITY]->img.base, "foreign bytes", 13)
          == 0, "its bytes");
    ok(set->slots[TCR_SLOT_ROUTING] == before->slots[TCR_SLOT_ROUTING],
       "images that did not move are shared");
    tcr_snapshot_unpin(before);

    item.path = NULL;
    ok(tcr_publish(pub, &item, 1, NULL, &err) == 0, "withdrawn");
    is_int(tcr_snapshot_refresh(snap, now, &err), 1, "new set");
    ok(tcr_snapshot_current(snap)->slots[TCR_SLOT_CITY] == NULL, "without it");

    item.slot = TCR_SLOT_ROUTING;
    item.path = path;
    ok(tcr_publish(pub, &item, 1, NULL, &err) == -1, "routing from a file: %s",
       err.text);

    item.slot = TCR_SLOT_CITY;
    item.path = "/nonexistent/file";
    ok(tcr_publish(pub, &item, 1, NULL, &err) == -1, "no such file: %s",
       err.text);
}


static void
group_and_mode(tcr_publisher_t *pub)
{
    char               path[128];
    uint64_t           number;
    struct stat        st;
    tcr_publication_t  item = { .slot = TCR_SLOT_CITY, .data = (void *) "x",
                                .size = 1, .group = "no-such-group" };

    ok(tcr_publish(pub, &item, 1, NULL, &err) == -1
       && strstr(err.text, "there is no group \"no-such-group\"") != NULL,
       "unknown group: %s", err.text);

    item.group = NULL;
    umask(077);
    ok(tcr_publish(pub, &item, 1, &number, &err) == 0,
       "under a strict umask");
    umask(022);

    snprintf(path, sizeof(path), "%s/city.%d", dir, (int) number);
    ok(stat(path, &st) == 0 && (st.st_mode & 07777) == 0644,
       "the mode is the slot's");
    snprintf(path, sizeof(path), "%s/lock", dir);
    ok(stat(path, &st) == 0 && (st.st_mode & 07777) == 0600,
       "only writers open the lock");
}


static void
leftovers(tcr_publisher_t **pub)
{
    write_file("routing.999", "x", 1);
    write_file("routing.1000.tmp", "x", 1);
    write_file("stats", "x", 1);

    tcr_publisher_close(*pub);
    *pub = tcr_publisher_open(dir, &err);

    ok(*pub != NULL && !exists("routing.999") && !exists("routing.1000.tmp"),
       "orphans go when a writer opens");
    ok(exists("routing.3") && exists("health.4"), "what is in force stays");
    ok(exists("stats") && exists("source.mmdb"), "what is not ours stays");

    write_file("routing.999", "x", 1);
    is_int(fixture_publish(*pub, 12, &err), 1000, "numbers are never reused");
    ok(!exists("routing.999"), "orphans go with a publication");
}


static void
refused(tcr_publisher_t *pub, tcr_snapshot_t *snap)
{
    int       fd;
    char      path[128], byte = 0;
    uint64_t  before;

    is_int(tcr_snapshot_refresh(snap, now, &err), 1, "good image");
    is_int(fixture_publish(pub, 13, &err), 1001, "the next one");

    snprintf(path, sizeof(path), "%s/routing.1001", dir);
    fd = open(path, O_WRONLY);
    ok(pwrite(fd, &byte, 1, 300) == 1, "is damaged");
    close(fd);

    before = tcr_snapshot_refused(snap);
    is_int(tcr_snapshot_refresh(snap, now, &err), -1, "refused: %s", err.text);
    ok(strstr(err.text, "\"routing.1001\" is damaged: checksum") != NULL,
       "with name and reason");
    is_int(tag_of(snap), 12, "the last good one serves");
    is_int(tcr_snapshot_current(snap)->slots[TCR_SLOT_HEALTH]->number, 1000,
           "and so does its health");
    is_int(tcr_snapshot_refused(snap), before + 1, "counted");
    is_int(tcr_snapshot_refresh(snap, now, &err), 0, "tried once");

    is_int(fixture_publish(pub, 14, &err), 1002, "a good one");
    is_int(tcr_snapshot_refresh(snap, now, &err), 1, "is taken");
    is_int(tag_of(snap), 14, "and serves");
}


/* A directory that is emptied and filled again starts over with numbers. */
static void
made_anew(tcr_publisher_t *pub, tcr_snapshot_t *snap)
{
    fixture_remove_dir(dir);
    is_int(tcr_snapshot_refresh(snap, now += 1000, &err), 0, "all is gone");
    is_int(tag_of(snap), 14, "what was in force serves");

    is_int(fixture_publish(pub, 15, &err), 1, "the publisher starts anew");
    is_int(tcr_snapshot_refresh(snap, now += 1000, &err), 1, "a new page");
    is_int(tag_of(snap), 15, "the new image");
    is_int(fixture_publish(pub, 16, &err), 2, "goes on");
    is_int(tcr_snapshot_refresh(snap, now, &err), 1, "is seen");
    is_int(tag_of(snap), 16, "as usual");
}


static void
broken_current(void)
{
    int               fd;
    char              path[128];
    uint32_t          version = 99;
    tcr_snapshot_t   *snap;
    tcr_publisher_t  *pub;

    write_file("current", "short", 5);
    snap = tcr_snapshot_create(dir, WANTED);
    is_int(tcr_snapshot_refresh(snap, now, &err), -1, "short page: %s",
           err.text);

    pub = tcr_publisher_open(dir, &err);
    ok(pub != NULL, "a publisher makes it anew");
    is_int(fixture_publish(pub, 17, &err), 1, "and publishes");
    is_int(tcr_snapshot_refresh(snap, now += 1000, &err), 1, "is seen");
    is_int(tag_of(snap), 17, "as usual");
    tcr_snapshot_destroy(snap);
    tcr_publisher_close(pub);

    snprintf(path, sizeof(path), "%s/current", dir);
    fd = open(path, O_WRONLY);
    ok(pwrite(fd, &version, 4, 12) == 4, "another version");
    close(fd);

    snap = tcr_snapshot_create(dir, WANTED);
    ok(tcr_snapshot_refresh(snap, now, &err) == -1
       && strstr(err.text, "has format 99") != NULL, "version: %s", err.text);
    tcr_snapshot_destroy(snap);
}


static void
access_rules(void)
{
    char              path[128];
    tcr_snapshot_t   *snap;

    chmod(dir, 0777);
    ok(tcr_publisher_open(dir, &err) == NULL
       && strstr(err.text, "others must not") != NULL,
       "a directory for everybody: %s", err.text);

    snap = tcr_snapshot_create(dir, WANTED);
    is_int(tcr_snapshot_refresh(snap, now, &err), -1, "readers: %s", err.text);
    tcr_snapshot_destroy(snap);
    chmod(dir, 0755);

    snprintf(path, sizeof(path), "%s.link", dir);
    ok(symlink(dir, path) == 0, "a link to it");
    ok(tcr_publisher_open(path, &err) == NULL, "is not followed: %s",
       err.text);
    unlink(path);

    snprintf(path, sizeof(path), "%s/current", dir);
    unlink(path);
    ok(symlink("/dev/null", path) == 0, "current is a link");
    snap = tcr_snapshot_create(dir, WANTED);
    is_int(tcr_snapshot_refresh(snap, now, &err), -1, "refused: %s",
           err.text);
    tcr_snapshot_destroy(snap);
}


int
main(void)
{
    tcr_snapshot_t   *snap;
    tcr_publisher_t  *pub;

    fixture_make_dir(dir);
    rmdir(dir);

    first_images(&pub, &snap);
    pins(pub, snap);
    health_in_place(pub, snap);
    pairing(pub, snap);
    raw(pub, snap);
    group_and_mode(pub);
    leftovers(&pub);
    refused(pub, snap);
    made_anew(pub, snap);
    tcr_snapshot_destroy(snap);
    tcr_publisher_close(pub);

    fixture_empty_dir(dir);
    broken_current();
    access_rules();
    fixture_remove_dir(dir);

    return done();
}
