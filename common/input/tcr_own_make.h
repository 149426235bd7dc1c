/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside the reader of CDNs only: what its sections hand to one another, in
 * the order in which they are made (tcr_own.c).
 */

#ifndef TCR_OWN_MAKE_H_INCLUDED
#define TCR_OWN_MAKE_H_INCLUDED

#include "tcr_own.h"
#include "tcr_crconfig_names.h"
#include "tcr_made.h"

/* rows of a table: handed on as they are, or kept in a struct */
#define TCR_OWN_HAND(name, kind, def, as)                                     \
    { name, kind, false, 0, def, 0, INT64_MAX, NULL, NULL, 0, as }

#define TCR_OWN_KEEP(name, kind, type, member, def)                           \
    { name, kind, false, offsetof(type, member), def, 0, INT64_MAX, NULL,     \
      NULL, 0, NULL }

#define TCR_OWN_NEED(name, kind, type, member)                                \
    { name, kind, true, offsetof(type, member), NULL, 0, INT64_MAX, NULL,     \
      NULL, 0, NULL }

#define TCR_OWN_WORD(name, type, member, def, words)                          \
    { name, TCR_KIND_WORD, false, offsetof(type, member), def, 0, 0, words,   \
      NULL, 0, NULL }

#define TCR_OWN_DEGREES(name, type, member, limit)                            \
    { name, TCR_KIND_REAL, true, offsetof(type, member), NULL, -(limit),      \
      limit, NULL, NULL, 0, NULL }


/* Members of a section, by name. */
typedef struct {
    const tcr_yaml_t   *map;
    tcr_names_t         places;   /* name -> its place                       */
    const tcr_yaml_t  **items;
    size_t              n;
    const char         *what;     /* "cache group"                           */
} tcr_own_members_t;

typedef struct {
    tcr_str_t  latitude, longitude;           /* as written                  */
} tcr_own_point_t;

/* A service is served by a cache. */
typedef struct {
    uint32_t  service;
    uint32_t  cache;
} tcr_own_pair_t;

typedef struct {
    const tcr_own_sections_t  *from;
    tcr_made_t                 made;
    tcr_str_t                  name;          /* of the CDN                  */
    tcr_str_t                  domain;        /* lower case, no final dot    */
    const tcr_yaml_t          *ttls, *soa;    /* of the CDN, for services    */
    const tcr_yaml_t          *miss;          /* likewise                    */
    size_t                     date_at;       /* in the JSON                 */
    bool                       failed;        /* out of memory               */

    tcr_own_members_t          groups, caches, services;
    tcr_names_t                hosts;         /* of services -> their places */
    uint32_t                  *group_of;      /* of each cache, or NOWHERE   */
    tcr_own_point_t           *points;        /* of each group               */
    tcr_str_t                 *names;         /* of each service: the part of
                                                 a cache's name behind its id,
                                                 or the whole                */
    bool                      *whole;         /* of each service             */
    tcr_own_pair_t            *pairs;         /* on the heap                 */
    size_t                     n_pairs, room;
} tcr_own_make_t;

#define TCR_OWN_NOWHERE  UINT32_MAX


/* Zeroed memory of the arena; NULL sets failed. */
void *tcr_own_alloc(tcr_own_make_t *make, size_t n, size_t size);

/* Text in the arena; absent sets failed. */
tcr_str_t tcr_own_printf(tcr_own_make_t *make, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Place of the member that the text names; TCR_OWN_NOWHERE (reported) when
 * there is none.
 */
uint32_t tcr_own_find(tcr_own_make_t *make, const tcr_own_members_t *members,
    const tcr_yaml_t *text);

/* Opens a member of a section that is a mapping; false (reported) if not. */
bool tcr_own_open(tcr_own_make_t *make, const tcr_yaml_t *map);

static inline void
tcr_own_error(tcr_own_make_t *make, const tcr_yaml_t *node, const char *text)
{
    tcr_yaml_wrong(make->made.report, node, "%s", text);
}

/* "ID.DOMAIN" unless a name is given */
tcr_str_t tcr_own_name(tcr_own_make_t *make, tcr_str_t given, tcr_str_t id);

/*
 * TTLs by type and SOA of the service at node: those of the map, which may be
 * NULL, then the CDN's.  addresses: its one TTL of addresses, -1 = none.
 */
void tcr_own_ttls(tcr_own_make_t *make, const tcr_yaml_t *node,
    const tcr_yaml_t *map, int64_t addresses);
void tcr_own_soa(tcr_own_make_t *make, const tcr_yaml_t *node,
    const tcr_yaml_t *map);

/* Where clients are that cannot be located; NULL: nowhere. */
void tcr_own_miss(tcr_own_make_t *make, const tcr_yaml_t *map);

/* The sections. */
void tcr_own_config(tcr_own_make_t *make);
void tcr_own_groups(tcr_own_make_t *make);
void tcr_own_group_places(tcr_own_make_t *make);      /* fills group_of      */
void tcr_own_routers(tcr_own_make_t *make);
void tcr_own_services(tcr_own_make_t *make);          /* fills pairs         */
void tcr_own_caches(tcr_own_make_t *make);
void tcr_own_zones(tcr_own_make_t *make);

/* Records of a service or a zone as a list of that name; NULL = none. */
void tcr_own_records(tcr_own_make_t *make, const tcr_yaml_t *list,
    const char *name);

/* What requests of the service look like; returns its domain. */
tcr_str_t tcr_own_match(tcr_own_make_t *make, size_t service,
    const tcr_texts_t *hosts, const tcr_yaml_t *sets, const char *protocol);


#endif /* TCR_OWN_MAKE_H_INCLUDED */
