/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside the engine only: the images in force as the routing steps see them,
 * with every array resolved once a generation, and the helpers that belong to
 * them.  A tcr_cdn_t hangs on a tcr_set_t and dies with it.
 */

#ifndef TCR_CDN_H_INCLUDED
#define TCR_CDN_H_INCLUDED

#include "tcr_anonymous.h"
#include "tcr_city.h"
#include "tcr_digest.h"
#include "tcr_health.h"
#include "tcr_nets.h"
#include "tcr_overlay_format.h"
#include "tcr_regex.h"
#include "tcr_route.h"
#include "tcr_stats.h"


/* Patterns and ranked groups of one routing image, shared by its sets. */
typedef struct tcr_helpers_s  tcr_helpers_t;

typedef struct {
    uint64_t     number;          /* of the city database                    */
    uint32_t     users;
    tcr_city_t  *city;
} tcr_shared_city_t;

typedef struct {
    uint64_t          number;     /* of the anonymous-IP database            */
    uint32_t          users;
    tcr_anonymous_t  *db;
} tcr_shared_anonymous_t;


/* A steering service, its names resolved (TCR_NONE: not in the snapshot). */
typedef struct {
    const tcr_img_steering_t  *entry;
    const tcr_img_target_t    *targets;
    const tcr_img_filter_t    *filters;
    uint32_t                   service;
    uint32_t                   n_targets;
    uint32_t                   n_filters;
    uint32_t                  *target_services;
    uint32_t                  *filter_services;
} tcr_steering_t;


typedef struct {
    const tcr_image_t           *img;       /* routing                       */
    const tcr_img_routing_t     *rt;
    const tcr_img_service_t     *services;
    const tcr_img_cache_t       *caches;
    const tcr_img_group_t       *groups;
    const tcr_img_assignment_t  *assignments;
    tcr_nets_t                   coverage;
    const tcr_img_zone_t        *zones;
    tcr_nets_t                   deep;
    const tcr_img_zone_t        *deep_zones;
    const tcr_img_health_t      *health;    /* NULL: everything is up        */
    const uint64_t              *cache_words;
    const uint64_t              *service_words;
    const uint64_t              *disabled;
    tcr_helpers_t               *helpers;
    tcr_shared_city_t           *city;      /* NULL = no database            */
    tcr_shared_anonymous_t      *anonymous; /* NULL = no database            */
    const tcr_image_t           *overlay;   /* NULL = none                   */
    tcr_helpers_t               *overlay_helpers;
    tcr_steering_t              *steering;
    uint32_t                    *steering_of;   /* by service; TCR_NONE      */
    uint32_t                    *federation_of; /* by service; TCR_NONE      */
    uint32_t                    *resolved;  /* owns all these indices        */
    uint32_t                    *counters;  /* by service; NULL: not counted */
} tcr_cdn_t;


struct tcr_view_s {
    tcr_snapshot_t  *snap;
    tcr_set_t       *set;         /* pinned: cdn belongs to it               */
    tcr_cdn_t       *cdn;         /* of that set; NULL: no routing image     */
    tcr_md5_t       *md5;
    uint64_t         random;
    int64_t          now_ms;      /* of the last refresh                     */
    char            *dir;
    char             count_kind[16];    /* empty: does not count             */
    tcr_stats_t     *stats;       /* NULL: no counting                       */
};


/* --------------------------------------------------------------- helpers */

/* n_groups 0: patterns only (an overlay's) */
tcr_helpers_t *tcr_helpers_create(uint32_t n_regexes, uint32_t n_groups,
    uint64_t number);
tcr_helpers_t *tcr_helpers_share(tcr_helpers_t *h);
void tcr_helpers_release(tcr_helpers_t *h);
uint64_t tcr_helpers_number(const tcr_helpers_t *h);

/*
 * The compiled pattern of that index, compiled at first use; NULL when it
 * does not compile (it was test-compiled when the image was made).
 */
tcr_regex_t *tcr_helpers_regex(tcr_helpers_t *h, uint32_t index,
    tcr_str_t pattern, unsigned flags);

/*
 * Groups (without deep locations) by ascending distance from the point, equal
 * distances in document order (spec/routing.md §4.6).
 */
const uint32_t *tcr_helpers_ranked(tcr_helpers_t *h, const tcr_cdn_t *cdn,
    tcr_point_t point);


/* --------------------------------------------------------------- overlay */

/* Resolves the names of an overlay; -1 when memory is out. */
int tcr_cdn_resolve_overlay(tcr_cdn_t *cdn);
void tcr_cdn_free_overlay(tcr_cdn_t *cdn);

/* Index of the service of that xml_id, or TCR_NONE. */
uint32_t tcr_cdn_service_index(const tcr_cdn_t *cdn, tcr_str_t id);

static inline const tcr_steering_t *
tcr_steering_of(const tcr_cdn_t *cdn, const tcr_img_service_t *s)
{
    uint32_t  i;

    if (cdn->overlay == NULL) {
        return NULL;
    }

    i = cdn->steering_of[s - cdn->services];
    return i != TCR_NONE ? &cdn->steering[i] : NULL;
}


/* The service's federation mappings, or NULL. */
static inline const tcr_img_federation_t *
tcr_federation_of(const tcr_cdn_t *cdn, const tcr_img_service_t *s)
{
    uint32_t                  i;
    const tcr_img_overlay_t  *root;

    if (cdn->overlay == NULL) {
        return NULL;
    }

    i = cdn->federation_of[s - cdn->services];

    if (i == TCR_NONE) {
        return NULL;
    }

    root = tcr_image_root(cdn->overlay);
    return (const tcr_img_federation_t *)
               tcr_image_vec(cdn->overlay, &root->federations) + i;
}


/* ---------------------------------------------------------------- health */

static inline bool
tcr_cdn_cache_up(const tcr_cdn_t *cdn, uint32_t cache, uint32_t family)
{
    return cdn->health == NULL
           || tcr_health_up(tcr_health_load(&cdn->cache_words[cache]), family);
}


static inline bool
tcr_cdn_service_up(const tcr_cdn_t *cdn, const tcr_img_service_t *s)
{
    return cdn->health == NULL
           || (tcr_health_load(&cdn->service_words[s - cdn->services])
               & TCR_HEALTH_AVAILABLE);
}


/* Is the group switched off for the service (disabledLocations)? */
static inline bool
tcr_cdn_disabled(const tcr_cdn_t *cdn, const tcr_img_service_t *s,
    const tcr_img_group_t *g)
{
    uint64_t  bit;
    uint32_t  group = (uint32_t) (g - cdn->groups);

    if (cdn->health == NULL || group >= cdn->health->groups) {
        return false;
    }

    bit = (uint64_t) (s - cdn->services) * cdn->health->groups + group;
    return tcr_health_load(&cdn->disabled[bit / 64]) >> (bit % 64) & 1;
}


static inline tcr_str_t
tcr_cdn_str(const tcr_cdn_t *cdn, tcr_img_str_t ref)
{
    return tcr_image_str(cdn->img, ref);
}


/* ---------------------------------------------------------------- random */

/* 0 .. n - 1, evenly; n > 0 (splitmix64) */
uint32_t tcr_view_random(tcr_view_t *view, uint32_t n);


/* ----------------------------------------------------------------- trace */

/* cold: what leads to it stands apart from the steps themselves */
void tcr_trace_add(tcr_trace_t *trace, const char *step, const char *fmt, ...)
    __attribute__((format(printf, 3, 4), cold));

#define TCR_TRACE(trace, ...)                                                 \
    do {                                                                      \
        if ((trace) != NULL) {                                                \
            tcr_trace_add((trace), __VA_ARGS__);                              \
        }                                                                     \
    } while (0)


#endif /* TCR_CDN_H_INCLUDED */
