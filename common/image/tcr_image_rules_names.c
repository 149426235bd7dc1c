/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Rules between DNS zones and their names.  Expects a passed structural walk.
 */

#include <inttypes.h>

#include "tcr_image_verify.h"


/* A name lies in the range of the zone it names, and every place is taken. */
static int
check_zones(const tcr_image_t *img, const tcr_img_dns_t *dns, tcr_err_t *err)
{
    uint32_t                   i;
    uint64_t                   places = 0;
    const tcr_img_name_t      *names = tcr_image_vec(img, &dns->names);
    const tcr_img_dns_zone_t  *zone, *zones;

    zones = tcr_image_vec(img, &dns->zones);

    for (i = 0; i < dns->zones.n; i++) {
        places += zones[i].n_names;
    }

    if (places != dns->names.n) {
        return tcr_err_set(err, "is damaged: dns.zones have %" PRIu64
                           " names, dns.names %" PRIu32, places,
                           dns->names.n);
    }

    for (i = 0; i < dns->names.n; i++) {
        zone = &zones[names[i].dns_zone];

        if (i < zone->first_name || i - zone->first_name >= zone->n_names) {
            return tcr_err_set(err, "is damaged: dns.names[%" PRIu32 "] is "
                               "outside of its zone, which has %" PRIu32
                               " from %" PRIu32 " on", i, zone->n_names,
                               zone->first_name);
        }
    }

    return 0;
}


static int
check_routed(const tcr_image_t *img, const tcr_img_dns_t *dns, tcr_err_t *err)
{
    uint32_t               i;
    const tcr_img_name_t  *names = tcr_image_vec(img, &dns->names);

    for (i = 0; i < dns->names.n; i++) {
        if ((names[i].flags & (TCR_NAME_ROUTED | TCR_NAME_EDGE))
            && names[i].service == TCR_NONE)
        {
            return tcr_err_set(err, "is damaged: dns.names[%" PRIu32 "] is "
                               "routed, but by no service", i);
        }
    }

    return 0;
}


/* Each zone lists the routers of every location. */
static int
check_edge(const tcr_image_t *img, const tcr_img_routing_t *root,
    tcr_err_t *err)
{
    uint32_t                          i;
    uint64_t                          n = 0;
    const tcr_img_dns_zone_t         *zones;
    const tcr_img_router_location_t  *places;

    zones = tcr_image_vec(img, &root->dns.zones);
    places = tcr_image_vec(img, &root->router_locations);

    for (i = 0; i < root->router_locations.n; i++) {

        if (places[i].first != n || places[i].n > root->routers.n) {
            return tcr_err_set(err, "is damaged: router_locations[%" PRIu32
                               "] begins at %" PRIu32 ", expected %" PRIu64, i,
                               places[i].first, n);
        }

        n += places[i].n;
    }

    for (i = 0; i < root->dns.zones.n; i++) {
        if (zones[i].edge.n != n) {
            return tcr_err_set(err, "is damaged: dns.zones[%" PRIu32 "] lists "
                               "%" PRIu32 " routers, expected %" PRIu64, i,
                               zones[i].edge.n, n);
        }
    }

    return 0;
}


int
tcr_image_rules_names(const tcr_image_t *img, tcr_err_t *err)
{
    const tcr_img_routing_t  *root = tcr_image_root(img);

    if (check_zones(img, &root->dns, err) != 0) {
        return -1;
    }

    if (check_routed(img, &root->dns, err) != 0) {
        return -1;
    }

    return check_edge(img, root, err);
}
