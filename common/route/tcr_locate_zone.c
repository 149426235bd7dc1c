/* SPDX-License-Identifier: Apache-2.0 */

/* Localisation by coverage zone (spec/routing.md §4.2). */

#include "tcr_locate.h"
#include "tcr_order.h"


static bool
usable_at(tcr_locate_t *l, const tcr_img_group_t *g)
{
    if (l->hashed.text.data != NULL) {
        tcr_order_fetch(l->cdn, g, l->hashed.place);
    }

    return tcr_usable_find(l->cdn, l->service, g, l->family, &l->usable);
}


static const tcr_img_zone_t *
find_zone(tcr_locate_t *l, bool deep)
{
    uint32_t           zone, scope;
    const tcr_cdn_t   *cdn = l->cdn;

    if (l->client.family == 0) {
        return NULL;
    }

    zone = tcr_nets_find(deep ? &cdn->deep : &cdn->coverage, &l->client,
                         &scope);

    if (scope > l->scope) {
        l->scope = scope;
    }

    if (zone == TCR_NETS_NONE) {
        TCR_TRACE(l->trace, deep ? "deep zone" : "coverage zone",
                  "the client is in none");
        return NULL;
    }

    return deep ? &cdn->deep_zones[zone] : &cdn->zones[zone];
}


static const tcr_img_group_t *
deep_location(tcr_locate_t *l, const tcr_img_zone_t *zone)
{
    tcr_str_t               name = tcr_cdn_str(l->cdn, zone->name);
    const tcr_img_group_t  *g;

    if (zone->group == TCR_NONE) {
        return NULL;
    }

    g = &l->cdn->groups[zone->group];

    if (!usable_at(l, g)) {
        TCR_TRACE(l->trace, "deep zone", "\"%.*s\" has no usable cache",
                  TCR_STR_ARG(name));
        return NULL;
    }

    TCR_TRACE(l->trace, "deep zone", "\"%.*s\", %u usable caches",
              TCR_STR_ARG(name), l->usable.n);
    return g;
}


static const tcr_img_group_t *
from_backups(tcr_locate_t *l, const tcr_img_group_t *own)
{
    uint32_t                i;
    const uint32_t         *backups;
    const tcr_img_group_t  *g;

    backups = tcr_image_vec(l->cdn->img, &own->backups);

    for (i = 0; i < own->backups.n; i++) {
        g = &l->cdn->groups[backups[i]];

        if (!(g->flags & TCR_METHOD_CZ) || !usable_at(l, g)) {
            continue;
        }

        TCR_TRACE(l->trace, "coverage zone", "backup group \"%.*s\"",
                  TCR_STR_ARG(tcr_cdn_str(l->cdn, g->id)));
        l->from_backup = true;
        return g;
    }

    return NULL;
}


static const tcr_img_group_t *
closest_to_zone(tcr_locate_t *l, const tcr_img_zone_t *zone)
{
    uint32_t                i;
    const uint32_t         *ranked;
    const tcr_img_group_t  *g;

    if (!zone->has_point) {
        return NULL;
    }

    ranked = tcr_helpers_ranked(l->cdn->helpers, l->cdn,
                                (tcr_point_t) { zone->lat, zone->lon });

    for (i = 0; i < l->cdn->rt->n_groups; i++) {
        g = &l->cdn->groups[ranked[i]];

        if ((g->flags & TCR_METHOD_CZ)
            && !tcr_cdn_disabled(l->cdn, l->service, g)
            && usable_at(l, g))
        {
            TCR_TRACE(l->trace, "coverage zone",
                      "closest group \"%.*s\" to the zone's coordinates",
                      TCR_STR_ARG(tcr_cdn_str(l->cdn, g->id)));
            l->from_backup = true;
            return g;
        }
    }

    return NULL;
}


static const tcr_img_group_t *
forbid_geo(tcr_locate_t *l, const char *why)
{
    TCR_TRACE(l->trace, "coverage zone", "%s: geography is not asked", why);
    l->geo_allowed = false;
    return NULL;
}


const tcr_img_group_t *
tcr_locate_zone(tcr_locate_t *l, bool deep)
{
    const tcr_img_zone_t   *zone;
    const tcr_img_group_t  *g, *stand_in;

    zone = find_zone(l, deep);

    if (zone == NULL) {
        return NULL;
    }

    if (deep) {
        return deep_location(l, zone);
    }

    TCR_TRACE(l->trace, "coverage zone", "\"%.*s\"",
              TCR_STR_ARG(tcr_cdn_str(l->cdn, zone->name)));

    if (zone->group == TCR_NONE) {
        return closest_to_zone(l, zone);
    }

    g = &l->cdn->groups[zone->group];

    if (!(g->flags & TCR_METHOD_CZ)) {
        return forbid_geo(l, "the group does not take coverage zones");
    }

    if (usable_at(l, g)) {
        return g;
    }

    if (g->flags & TCR_GROUP_HAS_BACKUPS) {
        stand_in = from_backups(l, g);

        if (stand_in != NULL) {
            return stand_in;
        }

        if (!(g->flags & TCR_GROUP_CLOSEST)) {
            return forbid_geo(l, "no backup group can serve");
        }
    }

    return closest_to_zone(l, zone);
}
