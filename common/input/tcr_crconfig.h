/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A Traffic Ops snapshot (CRConfig, spec/inputs.md §5) as a checked model.
 *
 * Everything in the model is valid: names are legal and lower-cased where the
 * reference lower-cases, addresses are addresses, patterns are translated,
 * numbers are in range.  An object that cannot be used is left out and
 * reported with file, line, column and path (rule per-object); only a
 * document without stats.date, config or any usable shape is refused.
 *
 * Strings point into the document or the arena: both must outlive the model.
 * Lists keep document order.
 */

#ifndef TCR_CRCONFIG_H_INCLUDED
#define TCR_CRCONFIG_H_INCLUDED

#include "tcr_addr.h"
#include "tcr_distance.h"
#include "tcr_json.h"


/* Member of stats that only a snapshot made of our own settings has. */
#define TCR_CRCONFIG_OWN  "tcrouter"


typedef struct {
    tcr_str_t  *items;
    size_t      n;
} tcr_str_list_t;

typedef struct {
    tcr_str_t  name;
    tcr_str_t  value;
} tcr_pair_t;

/* TTLs by type; -1 = not given (or empty text): the user takes a default. */
typedef struct {
    int64_t  a, aaaa, ns, soa, ds, dnskey, cname, txt;
} tcr_ttls_t;

typedef struct {
    tcr_str_t  admin;             /* absent = not given                      */
    int64_t    refresh, retry, expire, minimum, serial;       /* -1 = not    */
} tcr_soa_t;


typedef enum {
    TCR_MATCHER_HOST,
    TCR_MATCHER_PATH,
    TCR_MATCHER_HEADER
} tcr_matcher_kind_e;

typedef struct {
    tcr_matcher_kind_e  kind;
    tcr_str_t           java;     /* as written                              */
    tcr_str_t           pattern;  /* translated for tcr_regex_compile        */
    tcr_str_t           target;   /* HEADER                                  */
} tcr_matcher_t;

/* An unusable matchset is left out of its service. */
typedef struct {
    bool            dns;          /* protocol is DNS                         */
    tcr_matcher_t  *matchers;
    size_t          n;
} tcr_matchset_t;

typedef struct {
    tcr_pair_t  *tests;           /* property name, value                    */
    size_t       n;
} tcr_geo_limit_t;

/* In a zone of its own the types may also be 2 NS, 15 MX, 33 SRV, 257 CAA. */
typedef struct {
    uint16_t   type;              /* 1 A, 28 AAAA, 5 CNAME, 16 TXT           */
    tcr_str_t  name;              /* relative to the zone, lower case; empty:
                                     that of the zone                        */
    tcr_str_t  value;             /* A, AAAA canonical; CNAME absolute with
                                     final dot, names of others too; TXT as
                                     given                                   */
    int64_t    ttl;               /* 0 = the service's, or the zone's        */
} tcr_static_entry_t;

/* A zone beside the CDN's, which only our own settings have. */
typedef struct {
    tcr_str_t            origin;  /* lower case, no final dot                */
    tcr_str_list_t       ns;      /* absolute with final dot; one at least   */
    tcr_soa_t            soa;
    tcr_ttls_t           ttls;    /* one for all                             */
    bool                 dnssec;  /* is signed, if there are keys            */
    tcr_static_entry_t  *records;
    size_t               n_records;
} tcr_own_zone_t;

typedef struct {
    bool       given;             /* the DNS member exists                   */
    int64_t    ttl;               /* -1 = missing: unusable                  */
    tcr_str_t  ip, ip6;           /* canonical or absent                     */
    tcr_str_t  cname;             /* absolute, only without ip and ip6       */
} tcr_bypass_dns_t;

typedef struct {
    tcr_str_t           id;
    bool                dns;      /* any matchset says DNS                   */
    bool                cz_only;
    tcr_str_t           routing_name;       /* lower case                    */
    tcr_str_t           domain;             /* domains[0]; lower case, no
                                               final dot, "+" expanded;
                                               absent = none                 */
    tcr_str_list_t      domains;            /* all, treated alike            */
    tcr_matchset_t     *matchsets;
    size_t              n_matchsets;
    tcr_ttls_t          ttls;
    tcr_soa_t           soa;
    tcr_geo_limit_t    *geo_limits;
    size_t              n_geo_limits;
    tcr_str_t           geo_redirect_url;   /* absent or empty = none        */
    bool                has_miss;
    tcr_point_t         miss;
    tcr_str_t           geo_provider;
    bool                has_bypass;         /* bypassDestination given       */
    tcr_str_t           bypass_fqdn;        /* HTTP                          */
    uint32_t            bypass_port;        /* 0 = by scheme                 */
    tcr_bypass_dns_t    bypass_dns;
    bool                has_dispersion;
    int64_t             dispersion_limit;   /* 1 where absent or 0           */
    bool                shuffled;
    bool                has_max_dns_ips;
    int64_t             max_dns_ips;
    int64_t             failover_limit;
    bool                ip6, ecs, accept_http, accept_https, redirect_https;
    bool                ssl_enabled, append_query, regional, anonymous, deep;
    tcr_pair_t         *response_headers;
    size_t              n_response_headers;
    tcr_str_list_t      request_headers;
    tcr_str_t           hash_regex;         /* translated; absent = none     */
    tcr_str_t           hash_regex_java;    /* as written                    */
    tcr_str_list_t      hash_params;
    tcr_str_t           topology;
    tcr_str_list_t      capabilities;       /* requiredCapabilities          */
    tcr_static_entry_t *static_entries;
    size_t              n_static_entries;
    uint64_t            offset;             /* in the document               */
} tcr_service_t;

typedef struct {
    tcr_str_t       id;
    tcr_point_t     point;
    bool            cz, deep, geo;          /* localizationMethods           */
    bool            backups_given;          /* backupLocations is there      */
    bool            has_backups;            /* its list too                  */
    tcr_str_list_t  backups;
    bool            closest;                /* may fall back to the closest  */
} tcr_group_t;

/* fqdns[0] redirects; the others only count. */
typedef struct {
    uint32_t        service;                /* index into services           */
    tcr_str_t       fqdn;                   /* first; lower case             */
} tcr_cache_service_t;

typedef struct {
    tcr_str_t             id;
    tcr_str_t             state_name;       /* id up to the first "@"        */
    tcr_str_t             fqdn;
    tcr_str_t             hash_id;
    uint32_t              hash_count;       /* >= 1                          */
    uint32_t              group;            /* index into groups             */
    uint32_t              port, https_port;
    tcr_str_t             ip, ip6;          /* canonical text or absent      */
    tcr_str_list_t        capabilities;
    bool                  down;             /* by our own settings           */
    tcr_cache_service_t  *services;         /* known services only           */
    size_t                n_services;
} tcr_cache_t;

typedef struct {
    tcr_str_t  id, fqdn, ip, ip6, status, location;
    uint32_t   port, https_port, api_port, secure_api_port;   /* 0 = absent  */
} tcr_router_t;

typedef struct {
    tcr_str_t  fqdn;
    uint32_t   port;
    bool       online;
} tcr_monitor_t;

typedef struct {
    tcr_str_t       name;
    tcr_str_list_t  nodes;
} tcr_topology_t;

typedef struct {
    tcr_str_t    country_code;
    tcr_point_t  point;
} tcr_override_t;

typedef struct {
    /* stats */
    int64_t          date;
    tcr_str_t        cdn_name;
    tcr_str_t        traffic_ops;           /* tm_host or to_host            */

    /* config */
    tcr_str_t        domain;                /* lower case, no final dot      */
    tcr_soa_t        soa;
    tcr_ttls_t       ttls;
    bool             superhack, consistent_dns, strip_special, ecs;
    bool             edge_dns, edge_http, allow_expired_keys;
    bool             dnssec;                /* for the CDN's zones           */
    bool             any_dnssec;            /* for some zone                 */
    int64_t          edge_dns_limit, edge_http_limit;
    int64_t          api_max_age;
    tcr_str_list_t   request_headers;
    tcr_override_t  *overrides;
    size_t           n_overrides;
    const tcr_json_t *config;               /* for URLs and intervals        */

    tcr_service_t   *services;
    size_t           n_services;
    tcr_group_t     *groups;                /* edgeLocations                 */
    size_t           n_groups;
    tcr_cache_t     *caches;
    size_t           n_caches;
    size_t           n_assignments;
    tcr_router_t    *routers;
    size_t           n_routers;
    tcr_group_t     *router_locations;      /* id and point only             */
    size_t           n_router_locations;
    tcr_monitor_t   *monitors;
    size_t           n_monitors;
    tcr_topology_t  *topologies;
    size_t           n_topologies;
    tcr_own_zone_t  *zones;
    size_t           n_zones;
} tcr_crconfig_t;


/*
 * 0 and a model, -1 with err when the document as a whole cannot be used.
 * Not inside a request.
 */
int tcr_crconfig_parse(tcr_crconfig_t *cfg, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, tcr_report_t *report, tcr_err_t *err);

/*
 * config.NAME as text; absent data when there is none.  ${toHostname},
 * ${tmHostname} and ${cdnName} are replaced.
 */
tcr_str_t tcr_crconfig_parameter(const tcr_crconfig_t *cfg,
    tcr_arena_t *arena, const char *name);


#endif /* TCR_CRCONFIG_H_INCLUDED */
