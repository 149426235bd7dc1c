/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside the compiler only: zones on their way into the image.  Which zones
 * there are (tcr_compile_zones.c), the records of one (tcr_compile_records.c,
 * tcr_compile_entries.c), its SOA (tcr_compile_soa.c), its content as a number
 * (tcr_compile_content.c), its names in canonical order
 * (tcr_compile_names.c), and in that of their hashes (tcr_compile_chain.c).
 */

#ifndef TCR_ZONES_H_INCLUDED
#define TCR_ZONES_H_INCLUDED

#include "tcr_compiler.h"

#define TCR_RR_NONE   0           /* a name without a record                 */
#define TCR_RR_A      1
#define TCR_RR_NS     2
#define TCR_RR_CNAME  5
#define TCR_RR_SOA    6
#define TCR_RR_TXT    16
#define TCR_RR_AAAA   28


typedef struct {
    tcr_str_t   origin;
    uint32_t    service;          /* whose ttls and soa; TCR_NONE: the CDN's */
    const tcr_own_zone_t  *own;   /* of the settings; NULL: of the CDN       */
    uint32_t    parent;           /* closest zone around it, or TCR_NONE     */
    bool        has_children;
    uint32_t   *services;         /* whose domain this is                    */
    uint32_t    n_services;
    uint32_t   *odd;              /* places in c->odd: names of caches here  */
    uint32_t    n_odd;
} tcr_zone_t;

/*
 * key: labels below the origin, the last one first, a NUL between them, so
 * that byte order is canonical order (RFC 4034 §6.1).
 */
typedef struct {
    tcr_str_t      key;
    tcr_str_t      owner;
    uint32_t       type;
    uint32_t       ttl;
    tcr_img_str_t  data;
    uint32_t       flags;         /* of the name                             */
    uint32_t       service;       /* of the name, or TCR_NONE                */
} tcr_record_t;

typedef struct {
    tcr_compiler_t      *c;
    tcr_zone_t          *zones;
    uint32_t             n_zones;
    tcr_names_t          names;           /* origin -> zone                  */
    tcr_img_dns_zone_t  *out;             /* one a zone                      */
    tcr_str_t           *routers;         /* names of published routers, the
                                             others' are absent              */

    /* of the zone at hand */
    tcr_zone_t          *zone;
    tcr_list_t           records;         /* of tcr_record_t                 */
    tcr_str_t            soa_head;        /* mname rname                     */
    tcr_str_t            soa_timers;      /* refresh retry expire minimum    */

    /* of all zones */
    size_t               n_records;
    uint64_t            *cache_hashes;    /* of name and addresses           */
    tcr_list_t           img_names;       /* of tcr_img_name_t               */
    tcr_list_t           owners;          /* of tcr_str_t                    */
} tcr_zones_t;


/* Innermost zone that the name lies in, or TCR_NONE. */
uint32_t tcr_zones_find(const tcr_zones_t *z, tcr_str_t name);

/* Zone of exactly that origin of a routing image, which may be NULL. */
const tcr_img_dns_zone_t *tcr_zones_named(const tcr_image_t *img,
    tcr_str_t origin);

/* TTLs of the zone at hand. */
const tcr_ttls_t *tcr_zones_ttls(const tcr_zones_t *z);

/* All records of the zone at hand; the SOA is a place without data. */
int tcr_records_make(tcr_zones_t *z);

/* Name servers and records of a zone of the settings. */
int tcr_entries_own(tcr_zones_t *z);

/* Routing names, static entries and names of caches of the zone at hand. */
int tcr_entries_make(tcr_zones_t *z);

/* Does rel "." origin lie in a zone below the one at hand? */
bool tcr_records_hidden(const tcr_zones_t *z, tcr_str_t rel);

/* Addresses at rel; absent ones give no record. */
int tcr_records_add_addresses(tcr_zones_t *z, tcr_str_t rel, tcr_str_t ip,
    uint32_t ttl_a, tcr_str_t ip6, uint32_t ttl_aaaa);

/* Those of every published router at rel, or at each one's name. */
int tcr_records_add_routers(tcr_zones_t *z, tcr_str_t rel, bool ip6);

/* Adds a record at rel "." origin, at the origin when rel is empty. */
int tcr_records_add(tcr_zones_t *z, tcr_str_t rel, uint32_t type,
    uint32_t ttl, tcr_str_t data);

/* Adds a name that exists with those flags, whether or not it has records. */
int tcr_records_add_name(tcr_zones_t *z, tcr_str_t rel, uint32_t flags,
    uint32_t service);

/* Fills routers. */
int tcr_soa_prepare(tcr_zones_t *z);

/*
 * What NS and SOA of the zone call a router (spec/dns.md §2.1).  name: its key
 * as a host name; fqdn may be absent.
 */
tcr_str_t tcr_soa_router_name(tcr_zones_t *z, tcr_str_t name, tcr_str_t fqdn,
    const tcr_zone_t *zone);

/* Once for all zones; then a number for the content of the zone at hand. */
int tcr_zones_prepare_content(tcr_zones_t *z);
uint64_t tcr_zones_content(tcr_zones_t *z);

/* Place for the SOA, and what its text needs. */
int tcr_soa_begin(tcr_zones_t *z);

/* Its text, once the zone's content is known. */
tcr_str_t tcr_soa_text(tcr_zones_t *z, uint64_t content, uint32_t *serial);

/*
 * Sorts the records and writes names, record sets, serial into the image;
 * fills out[] of the zone.
 */
int tcr_names_make(tcr_zones_t *z);

/* NSEC3 chains of all zones whose names are made. */
int tcr_chains_make(tcr_zones_t *z);

/*
 * Owners of challenges by their hashes, for the chains of the routing image,
 * which may be NULL or have none.
 */
int tcr_chain_challenges(const tcr_image_t *routing, const tcr_str_t *owners,
    size_t n, tcr_arena_t *arena, tcr_build_t *b, tcr_img_vec_t *vec);


#endif /* TCR_ZONES_H_INCLUDED */
