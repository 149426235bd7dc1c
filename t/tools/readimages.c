/* SPDX-License-Identifier: Apache-2.0 */

/*
 * For tests: a reader of images that is no server.
 *
 * usage: readimages DIR show                 what is in force, as JSON
 *        readimages DIR watch SECONDS        refresh all the time; JSON
 *        readimages DIR wait CACHE up|down MS
 *                                            until its word says so; prints
 *                                            the time, ms since 1970
 *
 * watch counts sets, images refused, sets whose routing and health do not
 * belong together, and the longest time without a poll ("gap", ms).  It ends
 * early on SIGTERM.
 */

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tcr_clock.h"
#include "tcr_health.h"
#include "tcr_snapshot.h"

#define PAUSE_NS  200000


static volatile sig_atomic_t  stopped;


static void
on_term(int signo)
{
    (void) signo;
    stopped = 1;
}


static void
rest(void)
{
    nanosleep(&(struct timespec) { 0, PAUSE_NS }, NULL);
}


static const tcr_image_t *
image(const tcr_set_t *set, tcr_slot_e slot)
{
    return set->slots[slot] != NULL ? &set->slots[slot]->img : NULL;
}


/* Word of the cache, NULL when there is none of that name. */
static const uint64_t *
word_of(const tcr_set_t *set, const char *name)
{
    uint32_t                  i;
    const tcr_image_t        *routing = image(set, TCR_SLOT_ROUTING);
    const tcr_image_t        *health = image(set, TCR_SLOT_HEALTH);
    const tcr_img_cache_t    *caches;
    const tcr_img_health_t   *words;
    const tcr_img_routing_t  *root;

    if (routing == NULL || health == NULL) {
        return NULL;
    }

    root = tcr_image_root(routing);
    words = tcr_image_root(health);
    caches = tcr_image_vec(routing, &root->caches);

    for (i = 0; i < root->caches.n; i++) {

        if (tcr_str_eq(tcr_image_str(routing, caches[i].id), tcr_str(name))) {
            return (const uint64_t *) tcr_image_vec(health, &words->caches)
                   + i;
        }
    }

    return NULL;
}


/* Two images of one generation, with a word for every cache and service? */
static bool
is_whole(const tcr_set_t *set)
{
    const tcr_image_t        *routing = image(set, TCR_SLOT_ROUTING);
    const tcr_image_t        *health = image(set, TCR_SLOT_HEALTH);
    const tcr_img_health_t   *words;
    const tcr_img_routing_t  *root;

    if (routing == NULL || health == NULL) {
        return routing == NULL && health == NULL;
    }

    root = tcr_image_root(routing);
    words = tcr_image_root(health);

    return words->routing == routing->header->number
           && words->caches.n == root->caches.n
           && words->services.n == root->services.n;
}


/* --- show --- */

static void
show_caches(const tcr_set_t *set)
{
    uint32_t                  i;
    tcr_str_t                 id;
    const char               *comma = "";
    const uint64_t           *words;
    const tcr_image_t        *routing = image(set, TCR_SLOT_ROUTING);
    const tcr_image_t        *health = image(set, TCR_SLOT_HEALTH);
    const tcr_img_cache_t    *caches;
    const tcr_img_routing_t  *root = tcr_image_root(routing);

    caches = tcr_image_vec(routing, &root->caches);
    words = tcr_image_vec(health, &((const tcr_img_health_t *)
                                    tcr_image_root(health))->caches);

    for (i = 0; i < root->caches.n; i++) {
        id = tcr_image_str(routing, caches[i].id);
        printf("%s\"%.*s\":%u", comma, TCR_STR_ARG(id),
               (unsigned) (words[i] & 0xff));
        comma = ",";
    }
}


static size_t
size_of(const tcr_set_t *set, tcr_slot_e slot)
{
    const tcr_image_t  *img = image(set, slot);

    return img != NULL ? img->size : 0;
}


static int
show(tcr_snapshot_t *snap)
{
    tcr_set_t                *set = tcr_snapshot_current(snap);
    const tcr_image_t        *routing = image(set, TCR_SLOT_ROUTING);
    const tcr_image_t        *health = image(set, TCR_SLOT_HEALTH);
    const tcr_img_health_t   *words;
    const tcr_img_routing_t  *root;

    if (routing == NULL || health == NULL) {
        printf("{\"generation\":0}\n");
        return 0;
    }

    root = tcr_image_root(routing);
    words = tcr_image_root(health);
    printf("{\"generation\":%" PRIu64 ",\"date\":%" PRIu64
           ",\"source\":\"%.95s\",\"services\":%u,\"zones\":%u,"
           "\"deep\":%u,\"rules\":%u,\"fallback\":%u,\"anonymous\":%u,"
           "\"city\":%zu,\"anonymous_ip\":%zu,\"states_time\":%" PRId64
           ",\"poll_time\":%" PRId64 ",\"whole\":%s,\"caches\":{",
           routing->header->number, routing->header->snapshot_date,
           routing->header->source, root->services.n,
           root->coverage.zones.n, root->deep.zones.n,
           root->policies.rules.n, root->policies.regional_fallback,
           root->policies.anonymous, size_of(set, TCR_SLOT_CITY),
           size_of(set, TCR_SLOT_ANONYMOUS), words->states_time,
           words->poll_time, is_whole(set) ? "true" : "false");
    show_caches(set);
    printf("}}\n");
    return 0;
}


/* --- watch --- */

static int64_t
poll_time(const tcr_set_t *set)
{
    const tcr_image_t  *health = image(set, TCR_SLOT_HEALTH);

    return health != NULL
           ? __atomic_load_n(&((const tcr_img_health_t *)
                               tcr_image_root(health))->poll_time,
                             __ATOMIC_RELAXED) : 0;
}


static int
watch(tcr_snapshot_t *snap, int64_t seconds)
{
    int64_t      now, end, polled = 0, moved = 0, gap = 0;
    uint64_t     sets = 0, broken = 0;
    tcr_err_t    err;
    tcr_set_t   *set;

    end = tcr_ticks_ms() + seconds * 1000;

    while (!stopped && (now = tcr_ticks_ms()) < end) {

        if (tcr_snapshot_refresh(snap, tcr_now_ms(), &err) != 0) {
            sets++;
        }

        set = tcr_snapshot_current(snap);
        broken += !is_whole(set);

        if (poll_time(set) != polled) {
            polled = poll_time(set);
            moved = now;
        }

        if (moved != 0 && now - moved > gap) {
            gap = now - moved;
        }

        rest();
    }

    printf("{\"sets\":%" PRIu64 ",\"refused\":%" PRIu64 ",\"broken\":%" PRIu64
           ",\"gap\":%" PRId64 "}\n", sets, tcr_snapshot_refused(snap),
           broken, gap);
    return 0;
}


/* --- wait --- */

static int
wait_for(tcr_snapshot_t *snap, const char *cache, bool up, int64_t ms)
{
    int64_t          end = tcr_ticks_ms() + ms;
    const uint64_t  *word;

    while (tcr_ticks_ms() < end) {
        tcr_snapshot_refresh(snap, tcr_now_ms(), NULL);
        word = word_of(tcr_snapshot_current(snap), cache);

        if (word != NULL
            && ((tcr_health_load(word) & TCR_HEALTH_AVAILABLE) != 0) == up)
        {
            printf("%" PRId64 "\n", tcr_now_ms());
            return 0;
        }

        rest();
    }

    fprintf(stderr, "readimages: \"%s\" is not %s after %" PRId64 " ms\n",
            cache, up ? "up" : "down", ms);
    return 1;
}


int
main(int argc, char **argv)
{
    int              rc = 2;
    uint64_t         n = 0;
    tcr_snapshot_t  *snap;

    if (argc < 3
        || (argc > 3 && tcr_parse_uint(tcr_str(argv[argc - 1]), 0, 1000000,
                                       &n) != 0))
    {
        fprintf(stderr, "usage: readimages DIR show|watch S|wait CACHE "
                        "up|down MS\n");
        return 2;
    }

    signal(SIGTERM, on_term);
    snap = tcr_snapshot_create(argv[1], 1u << TCR_SLOT_ROUTING
                               | 1u << TCR_SLOT_HEALTH | 1u << TCR_SLOT_CITY
                               | 1u << TCR_SLOT_ANONYMOUS);
    tcr_snapshot_refresh(snap, tcr_now_ms(), NULL);

    if (strcmp(argv[2], "show") == 0) {
        rc = show(snap);

    } else if (strcmp(argv[2], "watch") == 0) {
        rc = watch(snap, (int64_t) n);

    } else if (strcmp(argv[2], "wait") == 0 && argc == 6) {
        rc = wait_for(snap, argv[3], strcmp(argv[4], "up") == 0, (int64_t) n);
    }

    tcr_snapshot_destroy(snap);
    return rc;
}
