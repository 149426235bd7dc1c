/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Look-ups that are not decisions: what the API and the status page tell of
 * the images in force (spec/outputs.md §3).  They use the engine's own steps,
 * so what they tell is what a request would get.
 *
 * Nothing here blocks or locks.  Some of it costs more than a decision: none
 * of it is on a client's way.  Without a routing image everything is absent.
 */

#ifndef TCR_EXPLORE_H_INCLUDED
#define TCR_EXPLORE_H_INCLUDED

#include "tcr_city.h"
#include "tcr_overlay_format.h"
#include "tcr_route.h"


/* By xml_id, by name; NULL when there is none. */
const tcr_img_service_t *tcr_explore_service(tcr_view_t *view, tcr_str_t id);
const tcr_img_group_t *tcr_explore_group(tcr_view_t *view, tcr_str_t id);

/* The service that a host name, path and header of a request belong to. */
const tcr_img_service_t *tcr_explore_match(tcr_view_t *view,
    const tcr_http_request_t *req);

/* Health: without a states document everything is up. */
bool tcr_explore_service_up(tcr_view_t *view, const tcr_img_service_t *s);
uint32_t tcr_explore_cache_flags(tcr_view_t *view, uint32_t cache);

/* Group named by the coverage zone (deep: location) around an address. */
const tcr_img_group_t *tcr_explore_zone(tcr_view_t *view,
    const tcr_addr_t *addr, bool deep);

/*
 * As tcr_city_find; 0 without a database.  Strings are good until the next
 * tcr_view_refresh.
 */
int tcr_explore_city(tcr_view_t *view, const tcr_addr_t *addr,
    tcr_city_record_t *record);


/* The overlay in force and its root; NULL without one. */
const tcr_image_t *tcr_explore_overlay(tcr_view_t *view,
    const tcr_img_overlay_t **root);


/*
 * The first `n` letters of a question: which service, for whom, what path
 * (already decoded).
 */
typedef struct {
    tcr_view_t               *view;
    const tcr_img_service_t  *service;
    tcr_str_t                 client;       /* address text                  */
    tcr_str_t                 path;
    tcr_mem_t                 mem;
} tcr_explore_t;

typedef enum {
    TCR_EXPLORE_ZONE,
    TCR_EXPLORE_DEEP,
    TCR_EXPLORE_GEO
} tcr_explore_e;

/*
 * Location by the coverage zones (not GEO), backups and the closest group
 * standing in (§4.2); NULL: none with a usable cache.
 */
const tcr_img_group_t *tcr_explore_location(const tcr_explore_t *x,
    tcr_explore_e how);

/* The cache that way, by the path's hash; TCR_NONE: none. */
uint32_t tcr_explore_cache(const tcr_explore_t *x, tcr_explore_e how);

/* What is hashed of the path; data == NULL when memory is out. */
tcr_str_t tcr_explore_hash_text(const tcr_explore_t *x);

/*
 * The target that a steering service sends the path to, the service itself
 * when it steers nobody; NULL: it has no target.
 */
const tcr_img_service_t *tcr_explore_target(const tcr_explore_t *x);

/*
 * What would be hashed of the path if the service had this Java pattern.
 * -1 with the reason: no pattern, or no memory.
 */
int tcr_explore_pattern(tcr_str_t java, tcr_str_t path, const tcr_mem_t *mem,
    tcr_str_t *text, tcr_err_t *err);


/*
 * Caches of a service in a location that are up for either address family;
 * out has room for all caches of the location.  Returns how many.
 */
size_t tcr_explore_usable(tcr_view_t *view, const tcr_img_service_t *s,
    const tcr_img_group_t *g, uint32_t *out);

/* Caches of a location: its n, and the i-th. */
uint32_t tcr_explore_group_size(const tcr_img_group_t *g);
uint32_t tcr_explore_group_cache(tcr_view_t *view, const tcr_img_group_t *g,
    uint32_t i);

/* The service's name for a cache; NULL when it does not use it. */
const tcr_img_assignment_t *tcr_explore_assignment(tcr_view_t *view,
    const tcr_img_service_t *s, uint32_t cache);

/*
 * Hash points of a cache, ascending, one after another: at = 0 before the
 * first; false after the last.
 */
bool tcr_explore_next_point(tcr_view_t *view, uint32_t cache, uint32_t *at,
    double *point);


#endif /* TCR_EXPLORE_H_INCLUDED */
