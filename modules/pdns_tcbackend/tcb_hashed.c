/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Two lists in ascending order, each a circle: the zone's names in the routing
 * image, and in the overlay the names of challenges of all zones, of which
 * only those of this zone count.
 */

#include "tcb_hashed.h"

#include "tcr_image.h"
#include "tcr_overlay_format.h"


typedef struct {
    tcr_view_t                *view;
    const tcr_img_dns_zone_t  *zone;
    const tcr_img_hashed_t    *names;
    size_t                     n_names;
    const tcr_image_t         *overlay;
    const tcr_img_hashed_t    *more;
    size_t                     n_more;
} search_t;


static int
compare(const uint8_t *a, const uint8_t *b)
{
    return memcmp(a, b, TCR_NSEC3_HASH);
}


/* How many are not behind the hash? */
static size_t
upto(const tcr_img_hashed_t *all, size_t n, const uint8_t *hash)
{
    size_t  mid, low = 0, high = n;

    while (low < high) {
        mid = low + (high - low) / 2;

        if (compare(all[mid].hash, hash) <= 0) {
            low = mid + 1;

        } else {
            high = mid;
        }
    }

    return low;
}


static tcr_str_t
challenge_owner(const search_t *s, const tcr_img_hashed_t *at)
{
    const tcr_img_overlay_t    *root = tcr_image_root(s->overlay);
    const tcr_img_challenge_t  *all;

    all = tcr_image_vec(s->overlay, &root->challenges);
    return tcr_image_str(s->overlay, all[at->owner].owner);
}


static bool
is_ours(const search_t *s, const tcr_img_hashed_t *at)
{
    return tcr_dns_zone_of(s->view, challenge_owner(s, at)) == s->zone;
}


/* Last challenge of the zone among the first n that is behind `floor`. */
static const tcr_img_hashed_t *
last_behind(const search_t *s, size_t n, const tcr_img_hashed_t *floor)
{
    for ( /* void */ ; n != 0; n--) {

        if (floor != NULL && compare(s->more[n - 1].hash, floor->hash) <= 0) {
            return NULL;
        }

        if (is_ours(s, &s->more[n - 1])) {
            return &s->more[n - 1];
        }
    }

    return NULL;
}


/* First challenge of the zone from `from` on that is before `ceiling`. */
static const tcr_img_hashed_t *
first_before(const search_t *s, size_t from, const tcr_img_hashed_t *ceiling)
{
    for ( /* void */ ; from < s->n_more; from++) {

        if (ceiling != NULL
            && compare(s->more[from].hash, ceiling->hash) >= 0)
        {
            return NULL;
        }

        if (is_ours(s, &s->more[from])) {
            return &s->more[from];
        }
    }

    return NULL;
}


static const tcr_img_hashed_t *
find_before(const search_t *s, size_t at, size_t more)
{
    const tcr_img_hashed_t  *name, *other;

    name = at != 0 ? &s->names[at - 1] : NULL;
    other = last_behind(s, more, name);

    if (name == NULL && other == NULL) {
        name = &s->names[s->n_names - 1];
        other = last_behind(s, s->n_more, name);
    }

    return other != NULL ? other : name;
}


static const tcr_img_hashed_t *
find_after(const search_t *s, size_t at, size_t more)
{
    const tcr_img_hashed_t  *name, *other;

    name = at != s->n_names ? &s->names[at] : NULL;
    other = first_before(s, more, name);

    if (name == NULL && other == NULL) {
        name = &s->names[0];
        other = first_before(s, 0, name);
    }

    return other != NULL ? other : name;
}


static void
open_lists(search_t *s)
{
    const tcr_img_overlay_t  *root;

    s->names = tcr_image_vec(tcr_view_image(s->view, TCR_SLOT_ROUTING),
                             &s->zone->chain);
    s->n_names = s->zone->chain.n;
    s->overlay = tcr_view_image(s->view, TCR_SLOT_OVERLAY);

    if (s->overlay != NULL) {
        root = tcr_image_root(s->overlay);
        s->more = tcr_image_vec(s->overlay, &root->hashed);
        s->n_more = root->hashed.n;
    }
}


/* Absent: no memory. */
static tcr_str_t
name_owner(const search_t *s, uint32_t owner, tcr_arena_t *arena)
{
    tcr_str_t                 id;
    const tcr_image_t        *img = tcr_view_image(s->view, TCR_SLOT_ROUTING);
    const tcr_img_name_t     *names;
    const tcr_img_cache_t    *caches;
    const tcr_img_routing_t  *root = tcr_image_root(img);

    if (owner < root->dns.names.n) {
        names = tcr_image_vec(img, &root->dns.names);
        return tcr_image_str(img, names[owner].owner);
    }

    caches = tcr_image_vec(img, &root->caches);
    id = tcr_image_str(img, caches[owner - root->dns.names.n].id);

    return tcr_str(tcr_arena_printf(arena, "%.*s.%.*s", TCR_STR_ARG(id),
                                    TCR_STR_ARG(tcr_image_str(img,
                                                    s->zone->origin))));
}


bool
tcb_hashed_has(const tcr_img_dns_zone_t *zone)
{
    return zone->chain.n != 0;
}


int
tcb_hashed_neighbours(tcr_view_t *view, const tcr_img_dns_zone_t *zone,
    tcr_str_t text, tcr_arena_t *arena, tcb_hashed_t *out)
{
    size_t                   at, more;
    uint8_t                  hash[TCR_NSEC3_HASH];
    search_t                 s = { .view = view, .zone = zone };
    const tcr_img_hashed_t  *before;

    if (text.len != 0 && text.data[text.len - 1] == '.') {
        text.len--;
    }

    if (!tcb_hashed_has(zone) || tcr_nsec3_parse(text, hash) != 0) {
        return -1;
    }

    open_lists(&s);
    at = upto(s.names, s.n_names, hash);
    more = upto(s.more, s.n_more, hash);
    before = find_before(&s, at, more);

    tcr_nsec3_text(before->hash, out->before);
    tcr_nsec3_text(find_after(&s, at, more)->hash, out->after);
    out->owner = before >= s.names && before < s.names + s.n_names
                 ? name_owner(&s, before->owner, arena)
                 : challenge_owner(&s, before);

    return out->owner.data != NULL ? 0 : -1;
}
