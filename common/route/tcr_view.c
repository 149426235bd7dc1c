/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The view: follows the publications and prepares each new set of images for
 * the engine.  Helpers of images that did not change move on to the new set.
 */

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#include "tcr_cdn.h"

#define WANTED                                                                \
    ((1u << TCR_SLOT_ROUTING) | (1u << TCR_SLOT_HEALTH)                       \
     | (1u << TCR_SLOT_OVERLAY) | (1u << TCR_SLOT_CITY)                       \
     | (1u << TCR_SLOT_ANONYMOUS))


static void
release_city(tcr_shared_city_t *shared)
{
    if (shared == NULL || --shared->users != 0) {
        return;
    }

    tcr_city_close(shared->city);
    free(shared);
}


static void
release_anonymous(tcr_shared_anonymous_t *shared)
{
    if (shared == NULL || --shared->users != 0) {
        return;
    }

    tcr_anonymous_close(shared->db);
    free(shared);
}


static void
free_cdn(void *attachment)
{
    tcr_cdn_t  *cdn = attachment;

    if (cdn != NULL) {
        tcr_cdn_free_overlay(cdn);
        tcr_helpers_release(cdn->overlay_helpers);
        tcr_helpers_release(cdn->helpers);
        release_city(cdn->city);
        release_anonymous(cdn->anonymous);
        free(cdn->counters);
        free(cdn);
    }
}


static void
database_path(const tcr_view_t *view, tcr_slot_e slot, uint64_t number,
    char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/%s.%" PRIu64, view->dir, tcr_slot_name(slot),
             number);
}


/* The database of the new set: the one in use when its number is the same or
   when the new one cannot be opened. */
static tcr_shared_city_t *
city_for(tcr_view_t *view, const tcr_mapped_t *mapped, int *rc, tcr_err_t *err)
{
    char                path[PATH_MAX];
    tcr_city_t         *city;
    tcr_shared_city_t  *shared = view->cdn != NULL ? view->cdn->city : NULL;

    if (mapped == NULL) {
        return NULL;
    }

    if (shared == NULL || shared->number != mapped->number) {
        database_path(view, TCR_SLOT_CITY, mapped->number, path);
        city = tcr_city_open(path, err);

        if (city == NULL) {
            *rc = -1;

        } else {
            shared = calloc(1, sizeof(*shared));

            if (shared == NULL) {
                tcr_city_close(city);
                return NULL;
            }

            shared->number = mapped->number;
            shared->city = city;
        }
    }

    if (shared != NULL) {
        shared->users++;
    }

    return shared;
}


static tcr_shared_anonymous_t *
anonymous_for(tcr_view_t *view, const tcr_mapped_t *mapped, int *rc,
    tcr_err_t *err)
{
    char                     path[PATH_MAX];
    tcr_anonymous_t         *db;
    tcr_shared_anonymous_t  *shared;

    shared = view->cdn != NULL ? view->cdn->anonymous : NULL;

    if (mapped == NULL) {
        return NULL;
    }

    if (shared == NULL || shared->number != mapped->number) {
        database_path(view, TCR_SLOT_ANONYMOUS, mapped->number, path);
        db = tcr_anonymous_open(path, err);

        if (db == NULL) {
            *rc = -1;

        } else {
            shared = calloc(1, sizeof(*shared));

            if (shared == NULL) {
                tcr_anonymous_close(db);
                return NULL;
            }

            shared->number = mapped->number;
            shared->db = db;
        }
    }

    if (shared != NULL) {
        shared->users++;
    }

    return shared;
}


static tcr_nets_t
nets_of(const tcr_image_t *img, const tcr_img_coverage_t *c)
{
    return (tcr_nets_t) {
        tcr_image_vec(img, &c->v4), c->v4.n, tcr_image_vec(img, &c->v6), c->v6.n
    };
}


static void
resolve_arrays(tcr_cdn_t *cdn, const tcr_image_t *img,
    const tcr_image_t *health)
{
    const tcr_img_routing_t  *rt = tcr_image_root(img);

    cdn->img = img;
    cdn->rt = rt;
    cdn->services = tcr_image_vec(img, &rt->services);
    cdn->caches = tcr_image_vec(img, &rt->caches);
    cdn->groups = tcr_image_vec(img, &rt->groups);
    cdn->assignments = tcr_image_vec(img, &rt->assignments);
    cdn->coverage = nets_of(img, &rt->coverage);
    cdn->zones = tcr_image_vec(img, &rt->coverage.zones);
    cdn->deep = nets_of(img, &rt->deep);
    cdn->deep_zones = tcr_image_vec(img, &rt->deep.zones);

    if (health == NULL) {
        return;
    }

    cdn->health = tcr_image_root(health);
    cdn->cache_words = tcr_image_vec(health, &cdn->health->caches);
    cdn->service_words = tcr_image_vec(health, &cdn->health->services);
    cdn->disabled = tcr_image_vec(health, &cdn->health->disabled);
}


/* Helpers of the image before go on when it is still the same one. */
static tcr_helpers_t *
helpers_for(tcr_helpers_t *old, uint64_t number, uint32_t n_regexes,
    uint32_t n_groups)
{
    if (old != NULL && tcr_helpers_number(old) == number) {
        return tcr_helpers_share(old);
    }

    return tcr_helpers_create(n_regexes, n_groups, number);
}


static int
prepare_overlay(tcr_view_t *view, const tcr_mapped_t *mapped, tcr_cdn_t *cdn)
{
    const tcr_img_overlay_t  *root;

    if (mapped == NULL) {
        return 0;
    }

    root = tcr_image_root(&mapped->img);
    cdn->overlay = &mapped->img;
    cdn->overlay_helpers = helpers_for(
        view->cdn != NULL ? view->cdn->overlay_helpers : NULL,
        mapped->number, root->n_regexes, 0);

    return cdn->overlay_helpers == NULL ? -1 : tcr_cdn_resolve_overlay(cdn);
}


/*
 * Numbers of the services in the shared counters.  Without a file, or memory,
 * nothing is counted: no reason to refuse images.
 */
static void
prepare_counters(tcr_view_t *view, tcr_cdn_t *cdn)
{
    uint32_t   i;
    tcr_err_t  err;

    if (view->count_kind[0] == '\0') {
        return;
    }

    if (view->stats == NULL) {
        view->stats = tcr_stats_open(view->dir, view->count_kind, &err);
    }

    if (view->stats == NULL) {
        return;
    }

    cdn->counters = calloc((size_t) cdn->rt->services.n + 1,
                           sizeof(*cdn->counters));

    for (i = 0; cdn->counters != NULL && i < cdn->rt->services.n; i++) {
        cdn->counters[i] = tcr_stats_find(view->stats,
            tcr_cdn_str(cdn, cdn->services[i].fqdn));
    }
}


static tcr_cdn_t *
prepare(tcr_view_t *view, const tcr_set_t *set, int *rc, tcr_err_t *err)
{
    tcr_cdn_t                *cdn;
    const tcr_mapped_t       *routing = set->slots[TCR_SLOT_ROUTING];
    const tcr_mapped_t       *health = set->slots[TCR_SLOT_HEALTH];
    const tcr_img_routing_t  *rt = tcr_image_root(&routing->img);

    cdn = calloc(1, sizeof(*cdn));

    if (cdn == NULL) {
        *rc = tcr_err_set(err, "no memory for a new generation");
        return NULL;
    }

    resolve_arrays(cdn, &routing->img, health ? &health->img : NULL);
    cdn->helpers = helpers_for(view->cdn != NULL ? view->cdn->helpers : NULL,
                               routing->number, rt->n_regexes, rt->n_groups);

    if (cdn->helpers == NULL
        || prepare_overlay(view, set->slots[TCR_SLOT_OVERLAY], cdn) != 0)
    {
        *rc = tcr_err_set(err, "no memory for a new generation");
        free_cdn(cdn);
        return NULL;
    }

    cdn->city = city_for(view, set->slots[TCR_SLOT_CITY], rc, err);
    cdn->anonymous = anonymous_for(view, set->slots[TCR_SLOT_ANONYMOUS], rc,
                                   err);
    prepare_counters(view, cdn);
    return cdn;
}


tcr_view_t *
tcr_view_create(const char *dir, uint64_t seed)
{
    tcr_view_t  *view;

    view = calloc(1, sizeof(*view));

    if (view == NULL) {
        return NULL;
    }

    view->dir = strdup(dir);
    view->md5 = tcr_md5_create();
    view->snap = tcr_snapshot_create(dir, WANTED);

    if (view->dir == NULL || view->md5 == NULL || view->snap == NULL) {
        tcr_view_destroy(view);
        return NULL;
    }

    tcr_view_seed(view, seed);
    return view;
}


void
tcr_view_destroy(tcr_view_t *view)
{
    if (view == NULL) {
        return;
    }

    if (view->set != NULL) {
        tcr_snapshot_unpin(view->set);
    }

    tcr_stats_close(view->stats);
    tcr_snapshot_destroy(view->snap);
    tcr_md5_destroy(view->md5);
    free(view->dir);
    free(view);
}


void
tcr_view_background(tcr_view_t *view)
{
    tcr_snapshot_background(view->snap);
}


int
tcr_view_refresh(tcr_view_t *view, int64_t now_ms, tcr_err_t *err)
{
    int         rc;
    tcr_cdn_t  *cdn;
    tcr_set_t  *set;

    view->now_ms = now_ms;
    rc = tcr_snapshot_refresh(view->snap, now_ms, err);

    if (rc == 0) {
        return 0;
    }

    set = tcr_snapshot_pin(view->snap);

    if (set->attachment == NULL && set->slots[TCR_SLOT_ROUTING] != NULL) {
        cdn = prepare(view, set, &rc, err);
        set->attachment = cdn;
        set->attachment_free = free_cdn;
    }

    /* only now may the set before go, with the helpers it lent */
    if (view->set != NULL) {
        tcr_snapshot_unpin(view->set);
    }

    view->set = set;
    view->cdn = set->attachment;
    return rc;
}


bool
tcr_view_ready(const tcr_view_t *view)
{
    return view->cdn != NULL;
}


void
tcr_view_seed(tcr_view_t *view, uint64_t seed)
{
    if (seed == 0 && getrandom(&seed, sizeof(seed), GRND_NONBLOCK)
                     != (ssize_t) sizeof(seed))
    {
        seed = (uint64_t) (uintptr_t) view;
    }

    view->random = seed;
}


uint32_t
tcr_view_random(tcr_view_t *view, uint32_t n)
{
    uint64_t  z;

    view->random += 0x9e3779b97f4a7c15u;
    z = view->random;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;

    return (uint32_t) ((z >> 32) * n >> 32);
}


tcr_set_t *
tcr_view_pin(tcr_view_t *view)
{
    return tcr_snapshot_pin(view->snap);
}


void
tcr_view_state(tcr_view_t *view, tcr_view_state_t *state)
{
    tcr_set_t           *set = tcr_snapshot_current(view->snap);
    const tcr_mapped_t  *routing = set->slots[TCR_SLOT_ROUTING];

    memset(state, 0, sizeof(*state));
    state->refused = tcr_snapshot_refused(view->snap);

    if (routing != NULL) {
        state->generation = routing->number;
        state->snapshot_date = (int64_t) routing->img.header->snapshot_date;
        state->published = routing->published;
    }

    if (view->cdn != NULL && view->cdn->health != NULL) {
        state->states_time = __atomic_load_n(&view->cdn->health->states_time,
                                             __ATOMIC_RELAXED);
        state->poll_time = __atomic_load_n(&view->cdn->health->poll_time,
                                           __ATOMIC_RELAXED);
    }
}


const tcr_image_t *
tcr_view_image(tcr_view_t *view, tcr_slot_e slot)
{
    tcr_set_t  *set = tcr_snapshot_current(view->snap);

    return set->slots[slot] != NULL ? &set->slots[slot]->img : NULL;
}


tcr_str_t
tcr_view_str(tcr_view_t *view, tcr_img_str_t ref)
{
    return view->cdn != NULL ? tcr_cdn_str(view->cdn, ref)
                             : tcr_str_n(NULL, 0);
}
