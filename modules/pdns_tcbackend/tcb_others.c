/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The engine knows whether a name is a cache's or a challenge's; here are the
 * names to ask for.
 */

#include "tcb_others.h"

#include <stdlib.h>

#include "tcr_image.h"
#include "tcr_overlay_format.h"


struct tcb_others_s {
    tcr_str_t  *ids;              /* of caches, in canonical order           */
    uint32_t    n;
    uint64_t    number;           /* of the routing image they point into    */
    uint32_t    crc;
};


tcb_others_t *
tcb_others_create(void)
{
    return calloc(1, sizeof(tcb_others_t));
}


void
tcb_others_destroy(tcb_others_t *o)
{
    if (o != NULL) {
        free(o->ids);
        free(o);
    }
}


static const tcr_img_routing_t *
routing(tcr_view_t *view)
{
    const tcr_image_t  *img = tcr_view_image(view, TCR_SLOT_ROUTING);

    return img != NULL ? tcr_image_root(img) : NULL;
}


static const tcr_img_overlay_t *
overlay(tcr_view_t *view)
{
    const tcr_image_t  *img = tcr_view_image(view, TCR_SLOT_OVERLAY);

    return img != NULL ? tcr_image_root(img) : NULL;
}


/* --- caches --- */

static uint32_t
count_caches(tcr_view_t *view, const tcr_img_dns_zone_t *zone)
{
    uint32_t                  i;
    const uint32_t           *ids;
    const tcr_image_t        *img = tcr_view_image(view, TCR_SLOT_ROUTING);
    const tcr_img_service_t  *services;
    const tcr_img_routing_t  *root = routing(view);

    if (root == NULL) {
        return 0;
    }

    ids = tcr_image_vec(img, &zone->services);
    services = tcr_image_vec(img, &root->services);

    for (i = 0; i < zone->services.n; i++) {

        if ((services[ids[i]].flags & TCR_SERVICE_CACHE_NAMES) != 0) {
            return root->caches.n;
        }
    }

    return 0;
}


static tcr_str_t
cache_id(tcr_view_t *view, uint32_t i)
{
    const tcr_image_t      *img = tcr_view_image(view, TCR_SLOT_ROUTING);
    const tcr_img_cache_t  *caches;

    caches = tcr_image_vec(img, &routing(view)->caches);
    return tcr_image_str(img, caches[i].id);
}


/* id "." origin; absent when it does not fit. */
static tcr_str_t
name_in(tcr_view_t *view, const tcr_img_dns_zone_t *zone, tcr_str_t id,
    char buf[TCB_NAME_TEXT])
{
    tcr_out_t  out = { buf, buf + TCB_NAME_TEXT, false };

    tcr_out_str(&out, id);
    tcr_out_char(&out, '.');
    tcr_out_str(&out, tcr_view_str(view, zone->origin));

    return out.cut ? tcr_str_n(NULL, 0)
                   : tcr_str_n(buf, (size_t) (out.pos - buf));
}


/* --- challenges --- */

static uint32_t
count_challenges(tcr_view_t *view)
{
    return overlay(view) != NULL ? overlay(view)->challenges.n : 0;
}


/* Owner of challenge i; absent unless it is the first of that owner. */
static tcr_str_t
challenge_owner(tcr_view_t *view, const tcr_img_dns_zone_t *zone, uint32_t i)
{
    uint32_t                    v;
    tcr_str_t                   owner;
    tcr_map_iter_t              it;
    const tcr_image_t          *img = tcr_view_image(view, TCR_SLOT_OVERLAY);
    const tcr_img_overlay_t    *root = overlay(view);
    const tcr_img_challenge_t  *all = tcr_image_vec(img, &root->challenges);

    owner = tcr_image_str(img, all[i].owner);

    if (tcr_dns_zone_of(view, owner) != zone) {
        return tcr_str_n(NULL, 0);
    }

    for (v = tcr_map_first(img, &root->challenge_map, owner, &it);
         v != TCR_NONE;
         v = tcr_map_next(&it))
    {
        if (v < i && tcr_str_eq(tcr_image_str(img, all[v].owner), owner)) {
            return tcr_str_n(NULL, 0);
        }
    }

    return owner;
}


/* --- both --- */

uint32_t
tcb_others_count(tcr_view_t *view, const tcr_img_dns_zone_t *zone)
{
    return count_caches(view, zone) + count_challenges(view);
}


/* What stands at the owner, if it is in no table. */
static int
records_at(tcr_view_t *view, const tcr_img_dns_zone_t *zone, tcr_str_t owner,
    tcr_arena_t *arena, tcr_dns_answer_t *a)
{
    tcr_dns_question_t  q;

    memset(&q, 0, sizeof(q));
    q.name = owner;
    q.type = TCR_TYPE_ANY;
    q.zone = zone;
    q.mem = tcr_arena_mem(arena);

    if (tcr_route_dns(view, &q, a) != 0) {
        return -1;
    }

    if (a->name != NULL || a->status != TCR_DNS_NAME) {
        a->n_records = 0;
    }

    return 0;
}


static bool
only_text(const tcr_dns_answer_t *a)
{
    size_t  i;

    for (i = 0; i < a->n_records; i++) {

        if (a->records[i].type != TCR_TYPE_TXT) {
            return false;
        }
    }

    return true;
}


int
tcb_others_records(tcr_view_t *view, const tcr_img_dns_zone_t *zone,
    uint32_t i, char buf[TCB_NAME_TEXT], tcr_arena_t *arena, tcr_str_t *owner,
    tcr_dns_answer_t *a)
{
    uint32_t  n = count_caches(view, zone);

    memset(a, 0, sizeof(*a));
    *owner = i < n ? name_in(view, zone, cache_id(view, i), buf)
                   : challenge_owner(view, zone, i - n);

    if (owner->data == NULL) {
        return 0;
    }

    if (records_at(view, zone, *owner, arena, a) != 0) {
        return -1;
    }

    /* a cache's name with a challenge came as the cache's */
    if (i >= n && !only_text(a)) {
        a->n_records = 0;
    }

    return 0;
}


/* --- neighbours --- */

static int
by_name(const void *a, const void *b)
{
    return tcb_name_cmp(*(const tcr_str_t *) a, *(const tcr_str_t *) b);
}


static int
sort_caches(tcb_others_t *o, tcr_view_t *view)
{
    uint32_t            i, n = routing(view)->caches.n;
    tcr_str_t          *ids;
    const tcr_image_t  *img = tcr_view_image(view, TCR_SLOT_ROUTING);

    if (o->ids != NULL && o->number == img->header->number
        && o->crc == img->header->crc)
    {
        return 0;
    }

    ids = realloc(o->ids, (n + 1) * sizeof(*ids));

    if (ids == NULL) {
        return -1;
    }

    for (i = 0; i < n; i++) {
        ids[i] = cache_id(view, i);
    }

    qsort(ids, n, sizeof(*ids), by_name);
    o->ids = ids;
    o->n = n;
    o->number = img->header->number;
    o->crc = img->header->crc;
    return 0;
}


/* Labels of the name before the origin. */
static tcr_str_t
relative(tcr_str_t name, tcr_str_t origin)
{
    return tcr_str_n(name.data, name.len > origin.len
                                ? name.len - origin.len - 1 : 0);
}


/* How many ids are not behind rel? */
static uint32_t
ids_upto(const tcb_others_t *o, tcr_str_t rel)
{
    uint32_t  mid, low = 0, high = o->n;

    while (low < high) {
        mid = low + (high - low) / 2;

        if (tcb_name_cmp(o->ids[mid], rel) <= 0) {
            low = mid + 1;

        } else {
            high = mid;
        }
    }

    return low;
}


typedef struct {
    tcr_view_t                *view;
    const tcr_img_dns_zone_t  *zone;
    tcr_arena_t               *arena;
    tcr_str_t                  origin;
    tcr_str_t                  rel;       /* of the name that is asked for   */
    tcr_str_t                  before, after;     /* found so far            */
} search_t;


/* 1: the name has records, *neighbour is its copy.  0: it has none. */
static int
keep(search_t *s, tcr_str_t owner, tcr_str_t *neighbour)
{
    tcr_dns_answer_t  a;

    if (owner.data == NULL) {
        return 0;
    }

    if (records_at(s->view, s->zone, owner, s->arena, &a) != 0) {
        return -1;
    }

    if (a.n_records == 0) {
        return 0;
    }

    *neighbour = tcr_arena_strdup(s->arena, owner);
    return neighbour->data != NULL ? 1 : -1;
}


static bool
is_after_before(const search_t *s, tcr_str_t rel)
{
    return tcb_name_cmp(rel, relative(s->before, s->origin)) > 0;
}


/* The apex follows the last name. */
static bool
is_before_after(const search_t *s, tcr_str_t rel)
{
    return tcr_str_eq(s->after, s->origin)
           || tcb_name_cmp(rel, relative(s->after, s->origin)) < 0;
}


/* Nearest cache on each side; the table's neighbours are the bounds. */
static int
search_caches(search_t *s, const tcb_others_t *o)
{
    int       rc;
    char      buf[TCB_NAME_TEXT];
    uint32_t  i, at = ids_upto(o, s->rel);

    for (i = at, rc = 0; rc == 0 && i != 0
         && is_after_before(s, o->ids[i - 1]); i--)
    {
        rc = keep(s, name_in(s->view, s->zone, o->ids[i - 1], buf),
                  &s->before);
    }

    if (rc < 0) {
        return -1;
    }

    for (i = at, rc = 0; rc == 0 && i < o->n
         && is_before_after(s, o->ids[i]); i++)
    {
        rc = keep(s, name_in(s->view, s->zone, o->ids[i], buf), &s->after);
    }

    return rc < 0 ? -1 : 0;
}


static int
search_challenges(search_t *s)
{
    int        rc;
    uint32_t   i, n = count_challenges(s->view);
    tcr_str_t  owner, rel;

    for (i = 0, rc = 0; i < n && rc >= 0; i++) {
        owner = challenge_owner(s->view, s->zone, i);

        if (owner.data == NULL) {
            continue;
        }

        rel = relative(owner, s->origin);

        if (tcb_name_cmp(rel, s->rel) <= 0) {
            rc = is_after_before(s, rel) ? keep(s, owner, &s->before) : 0;

        } else {
            rc = is_before_after(s, rel) ? keep(s, owner, &s->after) : 0;
        }
    }

    return rc < 0 ? -1 : 0;
}


int
tcb_others_neighbours(tcb_others_t *o, tcr_view_t *view,
    const tcr_img_dns_zone_t *zone, tcr_str_t name, tcr_arena_t *arena,
    tcr_str_t *before, tcr_str_t *after)
{
    search_t  s = { .view = view, .zone = zone, .arena = arena };

    if (tcb_zone_neighbours(view, zone, name, &s.before, &s.after) != 0) {
        return -1;
    }

    s.origin = tcr_view_str(view, zone->origin);
    s.rel = relative(name, s.origin);

    if (count_caches(view, zone) != 0
        && (sort_caches(o, view) != 0 || search_caches(&s, o) != 0))
    {
        return -1;
    }

    if (search_challenges(&s) != 0) {
        return -1;
    }

    *before = s.before;
    *after = s.after;
    return 0;
}
