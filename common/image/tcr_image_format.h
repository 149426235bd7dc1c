/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What stands in an image file, byte for byte (docs/image-format.md).
 *
 * An image is a header, a root structure right behind it, and what they
 * refer to.  References are offsets from the first byte of the file, so an
 * image can be mapped anywhere.  Integers are in the byte order of the
 * machine that wrote them; a reader of the other order refuses the file.
 * A published image never changes, except the words of a health image, and
 * the slots of stats.
 *
 * Adding a field: append it where `reserved` stands or at the end of the
 * structure, raise TCR_IMAGE_VERSION, describe it in tcr_image_schema.c (that
 * table drives verification and dump), and assert the new size here.
 */

#ifndef TCR_IMAGE_FORMAT_H_INCLUDED
#define TCR_IMAGE_FORMAT_H_INCLUDED

#include <stdint.h>

#define TCR_IMAGE_MAGIC       "TCRIMAGE"
#define TCR_IMAGE_VERSION     2
#define TCR_IMAGE_BYTE_ORDER  0x01020304u
#define TCR_NONE              0xffffffffu


/* One file each in the image directory.  Order is part of the format. */
typedef enum {
    TCR_SLOT_ROUTING,
    TCR_SLOT_HEALTH,
    TCR_SLOT_OVERLAY,
    TCR_SLOT_ALTO,
    TCR_SLOT_ADMIN,
    TCR_SLOT_STATUS,
    TCR_SLOT_CERTS,
    TCR_SLOT_KEYS,
    TCR_SLOT_CITY,                /* GeoIP2 City database, as it is          */
    TCR_SLOT_ANONYMOUS,           /* GeoIP2 Anonymous-IP database, as it is  */
    TCR_SLOT_COUNT
} tcr_slot_e;

#define TCR_SLOT_MAX  16          /* room for slots in the current page      */


/* Offset of { uint32_t len; bytes; NUL }, 4-byte aligned; 0 = absent. */
typedef uint32_t  tcr_img_str_t;

/* n elements at off, aligned for their type; n == 0: off is 0. */
typedef struct {
    uint32_t  off;
    uint32_t  n;
} tcr_img_vec_t;


typedef struct {
    char           magic[8];
    uint32_t       byte_order;
    uint16_t       version;
    uint16_t       slot;          /* tcr_slot_e                              */
    uint64_t       size;          /* of the file                             */
    uint64_t       number;        /* the N of "routing.N"                    */
    uint64_t       created;       /* seconds since 1970                      */
    uint64_t       snapshot_date; /* stats.date of the source, 0 if none     */
    uint32_t       root_size;     /* sizeof the root structure as written    */
    uint32_t       crc;           /* CRC-32C of all bytes behind the header  */
    uint32_t       incompat;      /* bits a reader must know                 */
    uint32_t       compat;        /* bits a reader may ignore                */
    uint8_t        source_sha256[32];
    char           source[96];    /* where it came from, NUL-terminated      */
    uint8_t        reserved[32];
} tcr_img_header_t;

_Static_assert(sizeof(tcr_img_header_t) == 224, "image header");


/*
 * current: one page, two tables.  `change` counts publications; table
 * change & 1 is in force, the writer fills the other one and then adds one to
 * change (release).  A writer killed at any instruction has published nothing
 * or everything.
 */
typedef struct {
    uint64_t  number;             /* N of the file in force, 0 = none        */
    uint64_t  size;
    int64_t   published;          /* milliseconds since 1970                 */
} tcr_img_slot_t;

typedef struct {
    tcr_img_slot_t  slots[TCR_SLOT_MAX];
} tcr_img_table_t;

#define TCR_CURRENT_MAGIC  "TCRCURR"

typedef struct {
    char             magic[8];
    uint32_t         byte_order;
    uint32_t         version;
    uint64_t         change;      /* atomic                                  */
    uint64_t         reserved[5];
    tcr_img_table_t  tables[2];
} tcr_img_current_t;

_Static_assert(sizeof(tcr_img_current_t) == 64 + 2 * 16 * 24, "current page");


/* ---------------------------------------------------------------- routing */

typedef struct {
    uint32_t  hash;               /* low half of the key's tcr_str_hash      */
    uint32_t  value;              /* TCR_NONE = empty place                  */
} tcr_img_slot32_t;

/*
 * Open addressing, linear probing; the number of places is a power of two
 * and at least one is empty.  The caller compares keys.
 */
typedef struct {
    tcr_img_vec_t  places;        /* of tcr_img_slot32_t                     */
} tcr_img_map_t;

typedef struct {
    tcr_img_str_t  name;
    tcr_img_str_t  value;
} tcr_img_pair_t;


/* flags of a service */
#define TCR_SERVICE_DNS             0x00000001u
#define TCR_SERVICE_CZ_ONLY         0x00000002u
#define TCR_SERVICE_IP6             0x00000004u
#define TCR_SERVICE_ECS             0x00000008u
#define TCR_SERVICE_ACCEPT_HTTP     0x00000010u
#define TCR_SERVICE_ACCEPT_HTTPS    0x00000020u
#define TCR_SERVICE_REDIRECT_HTTPS  0x00000040u
#define TCR_SERVICE_SSL_ENABLED     0x00000080u
#define TCR_SERVICE_SSL_READY       0x00000100u   /* enabled, and has a cert */
#define TCR_SERVICE_APPEND_QUERY    0x00000200u
#define TCR_SERVICE_REGIONAL        0x00000400u
#define TCR_SERVICE_ANONYMOUS       0x00000800u
#define TCR_SERVICE_DEEP            0x00001000u
#define TCR_SERVICE_SHUFFLED        0x00002000u
#define TCR_SERVICE_HAS_MISS        0x00004000u   /* miss location given     */
#define TCR_SERVICE_BYPASS          0x00008000u   /* bypassDestination given */
#define TCR_SERVICE_BYPASS_DNS      0x00010000u   /* usable DNS member       */
#define TCR_SERVICE_MISS_OVERRIDES  0x00020000u   /* miss lat and lon != 0   */
#define TCR_SERVICE_CACHE_NAMES     0x00040000u   /* see tcr_img_dns_zone_t  */

typedef enum {
    TCR_GEO_REDIRECT_NONE,
    TCR_GEO_REDIRECT_INVALID,
    TCR_GEO_REDIRECT_SELF,        /* relative, or leads to this service      */
    TCR_GEO_REDIRECT_OTHER
} tcr_geo_redirect_e;

/* All tests of one limit must hold (spec/routing.md §4.4). */
typedef struct {
    tcr_img_vec_t  tests;         /* of tcr_img_geo_test_t                   */
} tcr_img_geo_limit_t;

typedef enum {
    TCR_GEO_COUNTRY_CODE,
    TCR_GEO_COUNTRY_NAME,
    TCR_GEO_CITY,
    TCR_GEO_POSTAL_CODE,
    TCR_GEO_LATITUDE,
    TCR_GEO_LONGITUDE,
    TCR_GEO_UNKNOWN               /* an unknown property never matches       */
} tcr_geo_property_e;

typedef struct {
    uint32_t       property;      /* tcr_geo_property_e                      */
    tcr_img_str_t  value;
} tcr_img_geo_test_t;

/* A service's caches in one group (or deep location). */
typedef struct {
    uint32_t  group;              /* index into groups                       */
    uint32_t  first;              /* first of its assignments                */
    uint32_t  n;
} tcr_img_service_group_t;

/* A cache serves a service under the name host "." domain. */
typedef struct {
    uint32_t       cache;
    tcr_img_str_t  host;          /* first label                             */
    tcr_img_str_t  domain;        /* the rest                                */
} tcr_img_assignment_t;

typedef struct {
    tcr_img_str_t   id;           /* xml_id                                  */
    tcr_img_str_t   domain;       /* domains[0], lower case, no final dot    */
    tcr_img_str_t   routing_name;
    tcr_img_str_t   fqdn;         /* routing_name "." domain, absent without */
    uint32_t        flags;
    uint32_t        dispersion_limit;   /* >= 1                              */
    uint32_t        max_dns_ips;        /* 0 = all                           */
    uint32_t        failover_limit;     /* cache groups, 0 = unlimited       */
    double          miss_lat;
    double          miss_lon;
    tcr_img_vec_t   geo_limits;         /* of tcr_img_geo_limit_t; none = all */
    tcr_img_str_t   geo_redirect_url;
    uint32_t        geo_redirect_type;  /* tcr_geo_redirect_e                */
    tcr_img_str_t   geo_redirect_path;  /* SELF: path[?query], begins with / */
    tcr_img_str_t   bypass_fqdn;        /* HTTP; absent = none               */
    uint32_t        bypass_port;        /* 0 = by scheme                     */
    uint32_t        bypass_ttl;         /* DNS                               */
    tcr_img_str_t   bypass_ip;
    tcr_img_str_t   bypass_ip6;
    tcr_img_str_t   bypass_cname;       /* absolute, with final dot          */
    tcr_img_str_t   hash_regex;         /* translated; absent = whole path   */
    uint32_t        hash_regex_index;   /* for the process's pattern cache   */
    tcr_img_vec_t   hash_params;        /* of tcr_img_str_t                  */
    tcr_img_vec_t   response_headers;   /* of tcr_img_pair_t                 */
    tcr_img_vec_t   request_headers;    /* of tcr_img_str_t, as spelled      */
    uint32_t        ttl_a;              /* of routed answers, seconds        */
    uint32_t        ttl_aaaa;
    uint32_t        ttl_ns;             /* of edge-routed NS                 */
    uint32_t        zone;               /* its DNS zone, or TCR_NONE         */
    tcr_img_vec_t   groups;             /* of tcr_img_service_group_t, by
                                           group; deep locations are behind
                                           the groups                        */
    tcr_img_str_t   topology;
    tcr_img_str_t   geo_provider;
    uint32_t        ttl_cache_a;        /* of names of caches, seconds       */
    uint32_t        ttl_cache_aaaa;
    tcr_img_str_t   hash_regex_java;    /* as written, for people            */
    uint32_t        reserved[2];
} tcr_img_service_t;

#define TCR_CACHE_DOWN  0x1u      /* by the settings, whatever states say    */

typedef struct {
    tcr_img_str_t  id;
    tcr_img_str_t  fqdn;
    tcr_img_str_t  hash_id;
    uint32_t       hash_count;
    uint32_t       group;
    uint32_t       local;         /* its number within the group             */
    uint32_t       port;
    uint32_t       https_port;
    tcr_img_str_t  ip;            /* canonical text, absent = none           */
    tcr_img_str_t  ip6;
    tcr_img_vec_t  capabilities;  /* of tcr_img_str_t                        */
    tcr_img_vec_t  points;        /* of double, ascending; only for members
                                     of a deep location                      */
    uint32_t       flags;         /* TCR_CACHE_*                             */
    uint32_t       reserved;
} tcr_img_cache_t;

/* localizationMethods of a group */
#define TCR_METHOD_CZ    1u
#define TCR_METHOD_DEEP  2u
#define TCR_METHOD_GEO   4u

#define TCR_GROUP_DEEP         0x100u   /* a deep location                   */
#define TCR_GROUP_HAS_BACKUPS  0x200u   /* backupLocations.list was given    */
#define TCR_GROUP_CLOSEST      0x400u   /* may fall back to the closest      */
#define TCR_GROUP_BACKUPS      0x800u   /* backupLocations was given         */

#define TCR_GROUP_CACHES  65536u  /* most caches a group may have            */

/*
 * Cache groups in document order, then deep locations.  The caches of a group
 * are first_cache .. first_cache + n_caches - 1, in document order; those of
 * a deep location are listed in members instead.
 */
typedef struct {
    tcr_img_str_t  id;
    uint32_t       flags;
    double         lat;
    double         lon;
    uint32_t       first_cache;
    uint32_t       n_caches;
    tcr_img_vec_t  members;       /* of uint32_t cache indices, deep only    */
    tcr_img_vec_t  backups;       /* of uint32_t group indices               */
    tcr_img_vec_t  points;        /* of double, ascending: every point of
                                     every cache of the group                */
    tcr_img_vec_t  owners;        /* of uint32_t: local number of each
                                     point's cache                           */
} tcr_img_group_t;

typedef struct {
    tcr_img_str_t  name;
    uint32_t       group;         /* group of that name (deep: location), or
                                     TCR_NONE                                */
    double         lat;
    double         lon;
    uint32_t       has_point;
    uint32_t       reserved;
} tcr_img_zone_t;

/* A coverage zone file. */
typedef struct {
    tcr_img_vec_t  zones;         /* of tcr_img_zone_t                       */
    tcr_img_vec_t  v4;            /* of tcr_net4_t, value = zone             */
    tcr_img_vec_t  v6;            /* of tcr_net6_t                           */
} tcr_img_coverage_t;


/* Shapes of a host pattern (spec/routing.md §1). */
typedef enum {
    TCR_MATCH_HOST_LABELS,        /* .*\.name\..*  : text = name             */
    TCR_MATCH_HOST_LITERAL,       /* no operator: text is the host           */
    TCR_MATCH_HOST_REGEX,
    TCR_MATCH_PATH_REGEX,
    TCR_MATCH_HEADER_REGEX
} tcr_match_e;

#define TCR_MATCHER_AT_START  1u  /* LABELS: name may begin the host         */

typedef struct {
    uint32_t       kind;          /* tcr_match_e                             */
    uint32_t       flags;
    tcr_img_str_t  text;          /* lower case for LABELS, LITERAL;
                                     translated pattern for REGEX            */
    tcr_img_str_t  target;        /* header name                             */
    uint32_t       regex_index;   /* for the process's pattern cache         */
} tcr_img_matcher_t;

/* In document order; all matchers of a set must match. */
typedef struct {
    uint32_t  service;
    uint32_t  first;              /* index into matchers                     */
    uint32_t  n;
} tcr_img_matchset_t;

/*
 * exact:  host name -> service; for a request only where that can hide no path
 *         or header matcher (rule match-order), which no DNS question has
 * labels: first label of a LABELS matcher -> index into label_sets
 * odd:    matchsets without a LABELS matcher, ascending
 */
typedef struct {
    uint32_t  first;              /* index into label_matchsets              */
    uint32_t  n;
    tcr_img_str_t  label;
} tcr_img_label_set_t;

typedef struct {
    tcr_img_str_t  name;
    uint32_t       service;
    uint32_t       hides;         /* 1: a path or header matcher waits here  */
} tcr_img_exact_t;

typedef struct {
    tcr_img_vec_t  matchsets;       /* of tcr_img_matchset_t                 */
    tcr_img_vec_t  matchers;        /* of tcr_img_matcher_t                  */
    tcr_img_vec_t  exact;           /* of tcr_img_exact_t                    */
    tcr_img_map_t  exact_map;       /* host -> exact                         */
    tcr_img_vec_t  label_sets;      /* of tcr_img_label_set_t                */
    tcr_img_map_t  label_map;       /* label -> label_sets                   */
    tcr_img_vec_t  label_matchsets; /* of uint32_t, ascending in each set    */
    tcr_img_vec_t  odd;             /* of uint32_t                           */
} tcr_img_matching_t;


#include "tcr_policy_format.h"


/* ------------------------------------------------------------ DNS content */

/* flags of an owner name */
#define TCR_NAME_ROUTED      1u   /* routing name of a DNS service           */
#define TCR_NAME_DELEGATION  2u   /* a child zone's name in the CDN zone     */
#define TCR_NAME_GLUE        4u   /* lies below a delegation                 */
#define TCR_NAME_EMPTY       8u   /* exists without records: empty
                                     non-terminal, routing name without
                                     addresses                               */
#define TCR_NAME_EDGE       16u   /* routing name of an HTTP service whose
                                     addresses are chosen by edge routing    */

typedef struct {
    uint32_t       type;          /* RFC 1035 and later                      */
    uint32_t       ttl;
    tcr_img_vec_t  data;          /* of tcr_img_str_t, presentation form     */
} tcr_img_rrset_t;

typedef struct {
    tcr_img_str_t  owner;         /* lower case, no final dot                */
    uint32_t       dns_zone;
    uint32_t       flags;
    uint32_t       service;       /* ROUTED, EDGE: its service, else NONE    */
    tcr_img_vec_t  rrsets;        /* of tcr_img_rrset_t                      */
} tcr_img_name_t;

/*
 * A name by its hash (RFC 5155 §5); in ascending order of hashes, which is
 * the NSEC3 chain of the names listed.
 */
typedef struct {
    uint8_t        hash[20];
    uint32_t       owner;         /* routing: of dns.names, and from their
                                     number on a cache: its id "." origin.
                                     overlay: of challenges                  */
} tcr_img_hashed_t;

#define TCR_ZONE_DNSSEC  1u       /* is signed, if there are keys            */

/*
 * Names of a zone are contiguous, in canonical order (RFC 4034 §6.1).
 *
 * Millions of names of caches would be one cache's addresses again and again:
 * they are not in the table where a service has the flag CACHE_NAMES, which
 * says that each of its assignments is named (cache id "." origin).  Such a
 * name exists when the cache of that id is assigned to a flagged service of
 * `services`; it has the cache's A with ttl_cache_a and, where the service
 * has IP6, its AAAA with ttl_cache_aaaa (the lowest TTL when several services
 * name it).  A name that is in the table has all its records there, those of
 * a cache of that name included.
 */
typedef struct {
    tcr_img_str_t  origin;        /* lower case, no final dot                */
    uint32_t       service;       /* whose ttls and soa it has; TCR_NONE for
                                     the CDN's own zone                      */
    uint32_t       first_name;
    uint32_t       n_names;
    uint32_t       serial;
    uint32_t       minimum;       /* negative TTL: the lower of the SOA's TTL
                                     and minimum (RFC 2308, 5)               */
    uint64_t       content;       /* hash of all but the serial              */
    tcr_img_vec_t  services;      /* of uint32_t: those whose domain is the
                                     origin, in document order               */
    tcr_img_vec_t  edge;          /* of uint32_t: usable routers, location
                                     by location, each in the order of the
                                     zone's consistent hash                  */
    tcr_img_vec_t  chain;         /* of tcr_img_hashed_t: NSEC3              */
    uint32_t       flags;         /* TCR_ZONE_…                              */
    uint32_t       reserved;
} tcr_img_dns_zone_t;

typedef struct {
    tcr_img_vec_t  zones;         /* of tcr_img_dns_zone_t                   */
    tcr_img_vec_t  names;         /* of tcr_img_name_t                       */
    tcr_img_map_t  zone_map;      /* origin -> zones                         */
    tcr_img_map_t  name_map;      /* owner -> names                          */
} tcr_img_dns_t;


typedef struct {
    tcr_img_str_t  id;            /* key in contentRouters                   */
    tcr_img_str_t  fqdn;
    tcr_img_str_t  ip;
    tcr_img_str_t  ip6;
    tcr_img_str_t  status;
    uint32_t       location;      /* index into router_locations or TCR_NONE */
    uint32_t       port;
    uint32_t       https_port;
    uint32_t       api_port;
    uint32_t       secure_api_port;
    tcr_img_str_t  ns;            /* its name in edge-routed NS: fqdn, and   */
    tcr_img_str_t  ns_below;      /* in zones below the CDN's; final dots    */
} tcr_img_router_t;

/*
 * Routers first .. first + n - 1 of every zone's `edge` are here; a location
 * with the coordinates of an earlier one has none.
 */
typedef struct {
    tcr_img_str_t  id;
    uint32_t       first;
    double         lat;
    double         lon;
    uint32_t       n;
    uint32_t       reserved;
} tcr_img_router_location_t;

/* config.maxmindDefaultOverride */
typedef struct {
    tcr_img_str_t  country_code;
    uint32_t       reserved;
    double         lat;
    double         lon;
} tcr_img_override_t;


/* flags of the CDN */
#define TCR_CDN_CONSISTENT_DNS   0x01u
#define TCR_CDN_STRIP_SPECIAL    0x02u
#define TCR_CDN_ECS              0x04u
#define TCR_CDN_EDGE_DNS         0x08u
#define TCR_CDN_EDGE_HTTP        0x10u
#define TCR_CDN_CHAINS           0x20u    /* zones have their NSEC3 chain    */

typedef struct {
    tcr_img_str_t       cdn_name;
    tcr_img_str_t       domain;
    tcr_img_str_t       router;         /* this router's key                 */
    uint32_t            flags;
    uint32_t            edge_dns_limit;
    uint32_t            edge_http_limit;
    uint32_t            n_regexes;      /* size of a process's pattern cache */
    uint32_t            n_groups;       /* of groups: without deep locations */
    uint32_t            api_max_age;    /* api.cache-control.max-age, s      */
    tcr_img_vec_t       services;       /* in document order                 */
    tcr_img_vec_t       caches;         /* by group, then document order     */
    tcr_img_vec_t       groups;
    tcr_img_vec_t       assignments;    /* of tcr_img_assignment_t           */
    tcr_img_vec_t       request_headers;/* of tcr_img_str_t, for every line  */
    tcr_img_vec_t       overrides;      /* of tcr_img_override_t             */
    tcr_img_vec_t       routers;        /* of tcr_img_router_t               */
    tcr_img_vec_t       router_locations;
    tcr_img_map_t       service_map;    /* id -> services                    */
    tcr_img_map_t       cache_map;      /* id -> caches                      */
    tcr_img_map_t       group_map;      /* id -> groups, deep ones excluded  */
    tcr_img_coverage_t  coverage;
    tcr_img_coverage_t  deep;
    tcr_img_matching_t  matching;
    tcr_img_dns_t       dns;
    tcr_img_policies_t  policies;
    uint32_t            edge_ttl_ns;    /* of the CDN zone's edge-routed NS  */
    uint32_t            nsec3_iterations;
    tcr_img_str_t       nsec3_salt;     /* hexadecimal digits; absent: none  */
} tcr_img_routing_t;


_Static_assert(sizeof(tcr_img_slot32_t) == 8, "map place");
_Static_assert(sizeof(tcr_img_pair_t) == 8, "pair");
_Static_assert(sizeof(tcr_img_geo_limit_t) == 8, "geo limit");
_Static_assert(sizeof(tcr_img_geo_test_t) == 8, "geo test");
_Static_assert(sizeof(tcr_img_service_group_t) == 12, "service group");
_Static_assert(sizeof(tcr_img_assignment_t) == 12, "assignment");
_Static_assert(sizeof(tcr_img_service_t) == 176, "service");
_Static_assert(sizeof(tcr_img_cache_t) == 64, "cache");
_Static_assert(sizeof(tcr_img_group_t) == 64, "group");
_Static_assert(sizeof(tcr_img_zone_t) == 32, "coverage zone");
_Static_assert(sizeof(tcr_img_coverage_t) == 24, "coverage");
_Static_assert(sizeof(tcr_img_matcher_t) == 20, "matcher");
_Static_assert(sizeof(tcr_img_matchset_t) == 12, "matchset");
_Static_assert(sizeof(tcr_img_label_set_t) == 12, "label set");
_Static_assert(sizeof(tcr_img_exact_t) == 12, "exact name");
_Static_assert(sizeof(tcr_img_matching_t) == 64, "matching");
_Static_assert(sizeof(tcr_img_rrset_t) == 16, "record set");
_Static_assert(sizeof(tcr_img_name_t) == 24, "owner name");
_Static_assert(sizeof(tcr_img_hashed_t) == 24, "hashed name");
_Static_assert(sizeof(tcr_img_dns_zone_t) == 64, "DNS zone");
_Static_assert(sizeof(tcr_img_dns_t) == 32, "DNS content");
_Static_assert(sizeof(tcr_img_router_t) == 48, "router");
_Static_assert(sizeof(tcr_img_router_location_t) == 32, "router location");
_Static_assert(sizeof(tcr_img_override_t) == 24, "override");
_Static_assert(sizeof(tcr_img_routing_t) == 332, "routing root");


/* ----------------------------------------------------------------- health */

/* A word per cache and per service; bits 32..63: seconds since 1970 (low 32
   bits) of the last change. */
#define TCR_HEALTH_AVAILABLE  0x01u
#define TCR_HEALTH_IP4        0x02u
#define TCR_HEALTH_IP6        0x04u
#define TCR_HEALTH_KNOWN      0x08u   /* some states document named it       */
#define TCR_HEALTH_FORCED     0x10u

/*
 * Belongs to one routing image: indices are that image's.  Words are atomic
 * and change in place; so do states_time and poll_time.
 */
typedef struct {
    uint64_t       routing;       /* number of the routing image             */
    int64_t        states_time;   /* ms: last states document applied, 0=none */
    int64_t        poll_time;     /* ms: last poll that answered             */
    tcr_img_vec_t  caches;        /* of uint64_t                             */
    tcr_img_vec_t  services;      /* of uint64_t                             */
    uint32_t       groups;        /* columns of disabled                     */
    uint32_t       reserved;
    tcr_img_vec_t  disabled;      /* of uint64_t: bit service * groups +
                                     group = disabledLocations               */
} tcr_img_health_t;

_Static_assert(sizeof(tcr_img_health_t) == 56, "health root");


#endif /* TCR_IMAGE_FORMAT_H_INCLUDED */
