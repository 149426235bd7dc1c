/* SPDX-License-Identifier: Apache-2.0 */

/* What stands in the images, found by name, by address, by number. */

#include "tcr_explore.h"
#include "tcr_match.h"
#include "tcr_usable.h"

#define ALL_UP  (TCR_HEALTH_AVAILABLE | TCR_HEALTH_IP4 | TCR_HEALTH_IP6)


const tcr_img_service_t *
tcr_explore_service(tcr_view_t *view, tcr_str_t id)
{
    uint32_t          i;
    const tcr_cdn_t  *cdn = view->cdn;

    if (cdn == NULL) {
        return NULL;
    }

    i = tcr_cdn_service_index(cdn, id);
    return i != TCR_NONE ? &cdn->services[i] : NULL;
}


const tcr_img_group_t *
tcr_explore_group(tcr_view_t *view, tcr_str_t id)
{
    uint32_t          i;
    tcr_map_iter_t    it;
    const tcr_cdn_t  *cdn = view->cdn;

    if (cdn == NULL) {
        return NULL;
    }

    for (i = tcr_map_first(cdn->img, &cdn->rt->group_map, id, &it);
         i != TCR_NONE;
         i = tcr_map_next(&it))
    {
        if (tcr_str_eq(tcr_cdn_str(cdn, cdn->groups[i].id), id)) {
            return &cdn->groups[i];
        }
    }

    return NULL;
}


bool
tcr_explore_service_up(tcr_view_t *view, const tcr_img_service_t *s)
{
    return tcr_cdn_service_up(view->cdn, s);
}


uint32_t
tcr_explore_cache_flags(tcr_view_t *view, uint32_t cache)
{
    const tcr_cdn_t  *cdn = view->cdn;

    if (cdn->health == NULL) {
        return ALL_UP;
    }

    return (uint32_t) tcr_health_load(&cdn->cache_words[cache]);
}


const tcr_img_group_t *
tcr_explore_zone(tcr_view_t *view, const tcr_addr_t *addr, bool deep)
{
    uint32_t               i;
    const tcr_cdn_t       *cdn = view->cdn;
    const tcr_img_zone_t  *zone;

    if (cdn == NULL || addr->family == 0) {
        return NULL;
    }

    i = tcr_nets_find(deep ? &cdn->deep : &cdn->coverage, addr, NULL);

    if (i == TCR_NETS_NONE) {
        return NULL;
    }

    zone = deep ? &cdn->deep_zones[i] : &cdn->zones[i];
    return zone->group != TCR_NONE ? &cdn->groups[zone->group] : NULL;
}


int
tcr_explore_city(tcr_view_t *view, const tcr_addr_t *addr,
    tcr_city_record_t *record)
{
    if (view->cdn == NULL || view->cdn->city == NULL) {
        return 0;
    }

    return tcr_city_find(view->cdn->city->city, addr, record, NULL);
}


const tcr_image_t *
tcr_explore_overlay(tcr_view_t *view, const tcr_img_overlay_t **root)
{
    if (view->cdn == NULL || view->cdn->overlay == NULL) {
        return NULL;
    }

    *root = tcr_image_root(view->cdn->overlay);
    return view->cdn->overlay;
}


uint32_t
tcr_explore_group_size(const tcr_img_group_t *g)
{
    return g->flags & TCR_GROUP_DEEP ? g->members.n : g->n_caches;
}


uint32_t
tcr_explore_group_cache(tcr_view_t *view, const tcr_img_group_t *g,
    uint32_t i)
{
    const uint32_t  *members;

    if (g->flags & TCR_GROUP_DEEP) {
        members = tcr_image_vec(view->cdn->img, &g->members);
        return members[i];
    }

    return g->first_cache + i;
}


size_t
tcr_explore_usable(tcr_view_t *view, const tcr_img_service_t *s,
    const tcr_img_group_t *g, uint32_t *out)
{
    size_t    n = 0;
    uint32_t  i, cache, flags;

    for (i = 0; i < tcr_explore_group_size(g); i++) {
        cache = tcr_explore_group_cache(view, g, i);
        flags = tcr_explore_cache_flags(view, cache);

        if ((flags & TCR_HEALTH_AVAILABLE)
            && (flags & (TCR_HEALTH_IP4 | TCR_HEALTH_IP6))
            && tcr_assignment_of(view->cdn, s, cache) != NULL)
        {
            out[n++] = cache;
        }
    }

    return n;
}


const tcr_img_assignment_t *
tcr_explore_assignment(tcr_view_t *view, const tcr_img_service_t *s,
    uint32_t cache)
{
    return tcr_assignment_of(view->cdn, s, cache);
}


/* A member of a deep location has its own, others theirs in the group's. */
bool
tcr_explore_next_point(tcr_view_t *view, uint32_t cache, uint32_t *at,
    double *point)
{
    uint32_t                i;
    const double           *points;
    const uint32_t         *owners;
    const tcr_cdn_t        *cdn = view->cdn;
    const tcr_img_cache_t  *c = &cdn->caches[cache];
    const tcr_img_group_t  *g = &cdn->groups[c->group];

    points = tcr_image_vec(cdn->img, &g->points);
    owners = tcr_image_vec(cdn->img, &g->owners);

    for (i = *at; i < g->points.n; i++) {
        if (owners[i] == c->local) {
            *point = points[i];
            *at = i + 1;
            return true;
        }
    }

    return false;
}
