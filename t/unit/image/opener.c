/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Large images opened by a thread: the set before serves until the new one is
 * good, a refused one is refused, one that is overtaken is opened anew.
 */

#include <stdlib.h>
#include <unistd.h>

#include "fixture.h"
#include "tap.h"
#include "tcr_health.h"
#include "tcr_opener.h"
#include "tcr_publish.h"
#include "tcr_snapshot.h"

#define PADDING  (2u << 20)       /* makes a small CDN's image a large one   */
#define NEAR     ((uintptr_t) 4 << 30)

static char  dir[64];


/* tag stands in api_max_age. */
static void
publish(uint32_t tag)
{
    char               *padding = calloc(1, PADDING);
    void               *health_data;
    size_t              health_size;
    tcr_err_t           err = { "" };
    tcr_build_t        *b, *health;
    tcr_publisher_t    *pub = tcr_publisher_open(dir, &err);
    tcr_build_origin_t  origin = { 1700000000, "test", { 0 } };
    tcr_publication_t   items[2] = {
        { .slot = TCR_SLOT_ROUTING }, { .slot = TCR_SLOT_HEALTH }
    };

    b = fixture_routing(tag, &items[0].data, &items[0].size);
    tcr_build_str_copy(b, tcr_str_n(padding, PADDING));
    free(padding);

    if (tcr_build_finish(b, &origin, &items[0].data, &items[0].size, &err) != 0
        || (health = fixture_health(tag, &health_data, &health_size)) == NULL)
    {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }

    items[1].data = health_data;
    items[1].size = health_size;

    ok(pub != NULL && tcr_publish(pub, items, 2, NULL, &err) == 0,
       "publication %u %s", tag, err.text);

    tcr_build_destroy(b);
    tcr_build_destroy(health);
    tcr_publisher_close(pub);
}


static uint32_t
tag_of(tcr_snapshot_t *snap)
{
    tcr_set_t                *set = tcr_snapshot_current(snap);
    const tcr_img_routing_t  *root;

    if (set->slots[TCR_SLOT_ROUTING] == NULL) {
        return 0;
    }

    root = tcr_image_root(&set->slots[TCR_SLOT_ROUTING]->img);
    return root->api_max_age;
}


/* Refreshes until something happens; at most ten seconds. */
static int
await(tcr_snapshot_t *snap)
{
    int        i, rc;
    tcr_err_t  err;

    for (i = 0, rc = 0; i < 10000 && rc == 0; i++) {
        rc = tcr_snapshot_refresh(snap, i, &err);
        usleep(1000);
    }

    return rc;
}


static uintptr_t
address(tcr_snapshot_t *snap)
{
    tcr_set_t  *set = tcr_snapshot_current(snap);

    return (uintptr_t) set->slots[TCR_SLOT_ROUTING]->img.base;
}


/*
 * Pieces of address space that are kept and cannot be used, among those that
 * lie where images are mapped: elsewhere a sanitizer keeps some of each thread
 * that ended.
 */
static int
count_kept(tcr_snapshot_t *snap)
{
    int         n = 0;
    char        line[512];
    FILE       *maps = fopen("/proc/self/maps", "r");
    uintptr_t   from, image = address(snap);

    while (maps != NULL && fgets(line, sizeof(line), maps) != NULL) {
        from = strtoul(line, NULL, 16);
        n += strstr(line, " ---p ") != NULL
             && (from > image ? from - image : image - from) < NEAR;
    }

    if (maps != NULL) {
        fclose(maps);
    }

    return n;
}


int
main(void)
{
    int              kept;
    uint32_t         tag;
    tcr_err_t        err;
    tcr_snapshot_t  *snap;

    fixture_make_dir(dir);

    publish(1);
    snap = tcr_snapshot_create(dir, 1u << TCR_SLOT_ROUTING
                                    | 1u << TCR_SLOT_HEALTH);
    tcr_snapshot_background(snap);

    is_int(tcr_snapshot_refresh(snap, 1, &err), 1,
           "the first images are opened at once");
    is_int(tag_of(snap), 1, "and in force");

    publish(2);
    is_int(tcr_snapshot_refresh(snap, 2, &err), 0,
           "new ones are opened by a thread");
    is_int(tag_of(snap), 1, "while the old ones serve");
    is_int(await(snap), 1, "until they are good");
    is_int(tag_of(snap), 2, "then they are in force");
    is_int(address(snap) % PADDING, 0, "where huge pages can be");

    publish(3);
    tcr_snapshot_refresh(snap, 3, &err);
    publish(4);
    is_int(await(snap), 1, "images that are overtaken");
    is_int(tag_of(snap), 4, "never come into force");

    for (tag = 5, kept = count_kept(snap); tag < 15; tag++) {
        publish(tag);
        await(snap);
    }

    ok(count_kept(snap) < kept + 10, "nothing is left of images that went");

    publish(tag);
    tcr_snapshot_refresh(snap, tag, &err);
    tcr_snapshot_destroy(snap);
    ok(true, "a reader may end while its thread works");

    fixture_remove_dir(dir);
    return done();
}
