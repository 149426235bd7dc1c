/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A monitor's states in the words of a health image (spec/inputs.md §7,
 * spec/routing.md §5.1, §5.2).  Runs once a second on live memory: words
 * change one by one, and only those that differ.
 */

#include "tcr_compile.h"
#include "tcr_crconfig_names.h"

#include <stdlib.h>

#define ALL_UP  (TCR_HEALTH_AVAILABLE | TCR_HEALTH_IP4 | TCR_HEALTH_IP6)


typedef struct {
    const tcr_image_t        *img;
    const tcr_img_routing_t  *root;
    const tcr_crstates_t     *states;
    uint8_t                  *base;       /* of the health image             */
    tcr_img_health_t         *health;
    int64_t                   now;        /* seconds                         */
    tcr_arena_t              *arena;
    size_t                    changed;
} apply_t;


static uint64_t *
words(apply_t *a, const tcr_img_vec_t *vec)
{
    return (uint64_t *) (void *) (a->base + vec->off);
}


static void
store(apply_t *a, uint64_t *word, uint32_t flags)
{
    uint64_t  old = tcr_health_load(word);

    /* once named, known for good */
    flags |= old & TCR_HEALTH_KNOWN;

    if (tcr_health_store(word, flags, a->now)) {
        a->changed++;
    }
}


/*
 * What is not listed is down, unless nobody looks; listed under the id up to
 * the first "@".  What the settings take out is out.
 */
static int
apply_caches(apply_t *a)
{
    size_t                    i;
    uint32_t                  k, flags;
    tcr_str_t                 id;
    tcr_names_t               names;
    const tcr_img_cache_t    *caches = tcr_image_vec(a->img, &a->root->caches);
    const tcr_cache_state_t  *s;

    if (tcr_names_init(&names, a->arena, a->states->n_caches) != 0) {
        return -1;
    }

    for (i = 0; i < a->states->n_caches; i++) {
        tcr_names_add(&names, a->states->caches[i].name, (uint32_t) i);
    }

    for (i = 0; i < a->root->caches.n && i < a->health->caches.n; i++) {
        id = tcr_image_str(a->img, caches[i].id);
        id.len = tcr_str_find(id, '@');
        flags = a->states->unwatched ? ALL_UP : 0;

        if (caches[i].flags & TCR_CACHE_DOWN) {
            flags = TCR_HEALTH_KNOWN;

        } else if (tcr_names_find(&names, id, &k)) {
            s = &a->states->caches[k];
            flags = TCR_HEALTH_KNOWN
                    | (s->available ? TCR_HEALTH_AVAILABLE : 0)
                    | (s->ip4 ? TCR_HEALTH_IP4 : 0)
                    | (s->ip6 ? TCR_HEALTH_IP6 : 0);
        }

        store(a, words(a, &a->health->caches) + i, flags);
    }

    return 0;
}


/* Column of a group in the bitmap, or TCR_NONE. */
static uint32_t
find_group(apply_t *a, tcr_str_t id)
{
    uint32_t                v;
    tcr_map_iter_t          it;
    const tcr_img_group_t  *groups = tcr_image_vec(a->img, &a->root->groups);

    for (v = tcr_map_first(a->img, &a->root->group_map, id, &it);
         v != TCR_NONE;
         v = tcr_map_next(&it))
    {
        if (tcr_str_eq(tcr_image_str(a->img, groups[v].id), id)) {
            return v;
        }
    }

    if (!tcr_str_starts(id, TCR_STR("deep."))) {
        return TCR_NONE;
    }

    for (v = a->root->n_groups; v < a->root->groups.n; v++) {
        if (tcr_str_eq(tcr_image_str(a->img, groups[v].id), id)) {
            return v;
        }
    }

    return TCR_NONE;
}


static void
disable(apply_t *a, uint64_t *bits, size_t service,
    const tcr_service_state_t *s)
{
    size_t    i;
    uint32_t  g;
    uint64_t  bit;

    for (i = 0; i < s->n_disabled; i++) {
        g = find_group(a, s->disabled[i]);

        if (g < a->health->groups) {
            bit = (uint64_t) service * a->health->groups + g;
            bits[bit / 64] |= (uint64_t) 1 << (bit % 64);
        }
    }
}


/*
 * A service that is not listed is available, with no location disabled (rule
 * disabled-locations).  bits: the whole bitmap as it shall become.
 */
static int
apply_services(apply_t *a, uint64_t *bits)
{
    size_t                      i;
    uint32_t                    k, flags;
    tcr_names_t                 names;
    const tcr_img_service_t    *services;
    const tcr_service_state_t  *s;

    services = tcr_image_vec(a->img, &a->root->services);

    if (tcr_names_init(&names, a->arena, a->states->n_services) != 0) {
        return -1;
    }

    for (i = 0; i < a->states->n_services; i++) {
        tcr_names_add(&names, a->states->services[i].id, (uint32_t) i);
    }

    for (i = 0; i < a->root->services.n && i < a->health->services.n; i++) {
        flags = ALL_UP;

        if (tcr_names_find(&names, tcr_image_str(a->img, services[i].id), &k))
        {
            s = &a->states->services[k];
            flags |= TCR_HEALTH_KNOWN;
            flags &= s->available ? ~0u : ~TCR_HEALTH_AVAILABLE;
            disable(a, bits, i, s);
        }

        store(a, words(a, &a->health->services) + i, flags);
    }

    return 0;
}


static void
apply_disabled(apply_t *a, const uint64_t *bits)
{
    size_t     i;
    uint64_t  *word = words(a, &a->health->disabled);

    for (i = 0; i < a->health->disabled.n; i++) {
        if (tcr_health_load(&word[i]) != bits[i]) {
            __atomic_store_n(&word[i], bits[i], __ATOMIC_RELAXED);
            a->changed++;
        }
    }
}


size_t
tcr_compile_states(const tcr_image_t *routing, void *base,
    tcr_img_health_t *health, const tcr_crstates_t *states, int64_t now_ms)
{
    apply_t    a;
    uint64_t  *bits;

    memset(&a, 0, sizeof(a));
    a.img = routing;
    a.root = tcr_image_root(routing);
    a.states = states;
    a.base = base;
    a.health = health;
    a.now = now_ms / 1000;
    a.arena = tcr_arena_create(0);

    if (a.arena == NULL) {
        return 0;
    }

    bits = tcr_arena_calloc(a.arena, health->disabled.n, sizeof(*bits));

    /* without the key "caches" the document says nothing about them */
    if (bits != NULL
        && ((!states->has_caches && !states->unwatched)
            || apply_caches(&a) == 0)
        && apply_services(&a, bits) == 0)
    {
        apply_disabled(&a, bits);
        __atomic_store_n(&health->states_time, now_ms, __ATOMIC_RELAXED);
    }

    tcr_arena_destroy(a.arena);
    return a.changed;
}
