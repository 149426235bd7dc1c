/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Coverage zone files.  A zone leads to the cache group of its name; a deep
 * zone is a location of its own behind the groups, with the caches that the
 * file lists (spec/routing.md §4.2, 1).
 */

#include "tcr_compiler.h"

#include <stdlib.h>


static int
by_number(const void *a, const void *b)
{
    uint32_t  x = *(const uint32_t *) a;
    uint32_t  y = *(const uint32_t *) b;

    return x < y ? -1 : x > y;
}


static int
add_coverage(tcr_compiler_t *c, const tcr_coverage_t *coverage, bool deep,
    tcr_img_coverage_t *out)
{
    size_t                      i;
    tcr_img_zone_t             *zones;
    const tcr_coverage_zone_t  *z;

    zones = tcr_compiler_alloc(c, coverage->n_zones, sizeof(*zones));

    if (zones == NULL) {
        return -1;
    }

    for (i = 0; i < coverage->n_zones; i++) {
        z = &coverage->zones[i];
        zones[i].name = tcr_build_str(c->b, z->name);
        zones[i].has_point = z->has_point;
        zones[i].lat = z->has_point ? z->point.lat : 0;
        zones[i].lon = z->has_point ? z->point.lon : 0;

        if (deep) {
            zones[i].group = c->n_groups + (uint32_t) i;

        } else if (!tcr_names_find(&c->group_names, z->name,
                                   &zones[i].group))
        {
            zones[i].group = TCR_NONE;
        }
    }

    out->zones = tcr_build_array(c->b, zones, coverage->n_zones,
                                 sizeof(*zones), _Alignof(tcr_img_zone_t));
    out->v4 = tcr_build_array(c->b, coverage->nets.v4, coverage->nets.n4,
                              sizeof(tcr_net4_t), _Alignof(tcr_net4_t));
    out->v6 = tcr_build_array(c->b, coverage->nets.v6, coverage->nets.n6,
                              sizeof(tcr_net6_t), _Alignof(tcr_net6_t));
    return 0;
}


/* Names that are no caches of the snapshot are passed over. */
static int
find_members(tcr_compiler_t *c, const tcr_coverage_zone_t *z, uint32_t i)
{
    size_t     k;
    uint32_t   n;
    uint32_t  *found;

    found = tcr_compiler_alloc(c, z->n_caches, sizeof(*found));

    if (found == NULL) {
        return -1;
    }

    for (k = 0, n = 0; k < z->n_caches && n < TCR_GROUP_CACHES; k++) {
        if (tcr_names_find(&c->cache_names, z->caches[k], &found[n])) {
            n++;
        }
    }

    qsort(found, n, sizeof(*found), by_number);

    c->members[i] = found;
    c->n_members[i] = n;
    return 0;
}


static int
add_deep_location(tcr_compiler_t *c, uint32_t i)
{
    tcr_str_t                   id;
    tcr_img_group_t            *out = &c->groups[c->n_groups + i];
    const tcr_coverage_zone_t  *z = &c->in->deep->zones[i];

    id = tcr_compiler_printf(c, "deep.%.*s", TCR_STR_ARG(z->name));

    if (id.data == NULL || find_members(c, z, i) != 0) {
        return -1;
    }

    out->id = tcr_build_str(c->b, id);
    out->flags = TCR_GROUP_DEEP | TCR_METHOD_CZ | TCR_METHOD_DEEP
                 | TCR_METHOD_GEO;
    out->lat = z->has_point ? z->point.lat : 0;
    out->lon = z->has_point ? z->point.lon : 0;
    out->members = tcr_build_array(c->b, c->members[i], c->n_members[i],
                                   sizeof(uint32_t), _Alignof(uint32_t));
    return 0;
}


int
tcr_compile_coverage(tcr_compiler_t *c)
{
    uint32_t  i, n = c->n_all - c->n_groups;

    c->members = tcr_compiler_alloc(c, n, sizeof(*c->members));
    c->n_members = tcr_compiler_alloc(c, n, sizeof(*c->n_members));

    if (c->members == NULL || c->n_members == NULL) {
        return -1;
    }

    for (i = 0; i < n; i++) {
        if (add_deep_location(c, i) != 0) {
            return -1;
        }
    }

    if (c->in->coverage != NULL
        && add_coverage(c, c->in->coverage, false, &c->root.coverage) != 0)
    {
        return -1;
    }

    if (c->in->deep != NULL) {
        return add_coverage(c, c->in->deep, true, &c->root.deep);
    }

    return 0;
}
