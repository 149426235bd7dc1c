/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The one table of the image format.  Order is from the leaves to the roots;
 * within a structure it is the order of the bytes.
 */

#include "tcr_image_schema.h"

#include <stdalign.h>
#include <stddef.h>

#include "tcr_certs_format.h"
#include "tcr_keys_format.h"
#include "tcr_nets.h"
#include "tcr_nsec3.h"
#include "tcr_overlay_format.h"


/* where an index points: a vector of the root structure */
#define ROUTING(vec)        .target = offsetof(tcr_img_routing_t, vec)
#define OVERLAY(vec)        .target = offsetof(tcr_img_overlay_t, vec)
#define CERTS(vec)          .target = offsetof(tcr_img_certs_t, vec)
#define KEYS(vec)           .target = offsetof(tcr_img_keys_t, vec)

#define FIELD(s, m, k, ...)                                                   \
    { .name = #m, .kind = TCR_FIELD_##k, .offset = offsetof(s, m), __VA_ARGS__ }

#define U32(s, m, ...)      FIELD(s, m, U32, __VA_ARGS__)
#define U64(s, m)           FIELD(s, m, U64, .min = 0)
#define I64(s, m)           FIELD(s, m, I64, .min = 0)
#define F64(s, m)           FIELD(s, m, F64, .min = 0)
#define ANY(s, m)           FIELD(s, m, U32, .min = 0)
#define BOOL(s, m)          FIELD(s, m, U32, .max = 1)
#define STR(s, m)           FIELD(s, m, STR, .needed = false)
#define KEY(s, m)           FIELD(s, m, STR, .needed = true)
#define BLOB(s, m)          FIELD(s, m, BLOB, .needed = true)
#define SECRET(s, m)        FIELD(s, m, SECRET, .needed = true)
#define INDEX(s, m, to)     FIELD(s, m, INDEX, to)
#define INDEX_NONE(s, m, to)  FIELD(s, m, INDEX, to, .none = true)
#define FIRST(s, m, to)     FIELD(s, m, FIRST, to)
#define VEC(s, m, t)        FIELD(s, m, VEC, .type = &t)
#define VEC_MAX(s, m, t, n)  FIELD(s, m, VEC, .type = &t, .max = n)
#define MAP(s, m, to)       FIELD(s, m, MAP, to)
#define STRUCT(s, m, t)     FIELD(s, m, STRUCT, .type = &t)
#define BYTES(s, m)                                                           \
    FIELD(s, m, BYTES, .size = sizeof(((s *) 0)->m))
#define RESERVED(s, m)                                                        \
    FIELD(s, m, RESERVED, .size = sizeof(((s *) 0)->m))

#define SCHEMA(var, text, s)                                                  \
    static const tcr_schema_t  var = {                                        \
        text, sizeof(s), alignof(s),                                          \
        sizeof(var##_fields) / sizeof(var##_fields[0]), var##_fields          \
    }

/* an element that is one value */
#define VALUE(var, text, s, k, ...)                                           \
    static const tcr_field_t  var##_fields[] = {                              \
        { .name = NULL, .kind = TCR_FIELD_##k, __VA_ARGS__ }                  \
    };                                                                        \
    SCHEMA(var, text, s)


VALUE(text, "string", tcr_img_str_t, STR, .needed = true);
VALUE(real, "double", double, F64, .min = 0);
VALUE(word, "word", uint64_t, U64, .min = 0);
VALUE(local, "local number", uint32_t, U32, .max = TCR_GROUP_CACHES - 1);
VALUE(cache_index, "cache", uint32_t, INDEX, ROUTING(caches));
VALUE(service_index, "service", uint32_t, INDEX, ROUTING(services));
VALUE(group_index, "group", uint32_t, INDEX, ROUTING(groups));
VALUE(router_index, "router", uint32_t, INDEX, ROUTING(routers));
VALUE(matchset_index, "matchset", uint32_t, INDEX,
      ROUTING(matching.matchsets));


static const tcr_field_t  pair_fields[] = {
    KEY(tcr_img_pair_t, name),
    STR(tcr_img_pair_t, value)
};
SCHEMA(pair, "pair", tcr_img_pair_t);


static const tcr_field_t  geo_test_fields[] = {
    U32(tcr_img_geo_test_t, property, .max = TCR_GEO_UNKNOWN),
    STR(tcr_img_geo_test_t, value)
};
SCHEMA(geo_test, "geo test", tcr_img_geo_test_t);


static const tcr_field_t  geo_limit_fields[] = {
    VEC(tcr_img_geo_limit_t, tests, geo_test)
};
SCHEMA(geo_limit, "geo limit", tcr_img_geo_limit_t);


static const tcr_field_t  service_group_fields[] = {
    INDEX(tcr_img_service_group_t, group, ROUTING(groups)),
    FIRST(tcr_img_service_group_t, first, ROUTING(assignments)),
    ANY(tcr_img_service_group_t, n)
};
SCHEMA(service_group, "service group", tcr_img_service_group_t);


static const tcr_field_t  assignment_fields[] = {
    INDEX(tcr_img_assignment_t, cache, ROUTING(caches)),
    STR(tcr_img_assignment_t, host),
    STR(tcr_img_assignment_t, domain)
};
SCHEMA(assignment, "assignment", tcr_img_assignment_t);


static const tcr_field_t  service_fields[] = {
    KEY(tcr_img_service_t, id),
    STR(tcr_img_service_t, domain),
    STR(tcr_img_service_t, routing_name),
    STR(tcr_img_service_t, fqdn),
    ANY(tcr_img_service_t, flags),
    U32(tcr_img_service_t, dispersion_limit, .min = 1),
    ANY(tcr_img_service_t, max_dns_ips),
    ANY(tcr_img_service_t, failover_limit),
    F64(tcr_img_service_t, miss_lat),
    F64(tcr_img_service_t, miss_lon),
    VEC(tcr_img_service_t, geo_limits, geo_limit),
    STR(tcr_img_service_t, geo_redirect_url),
    U32(tcr_img_service_t, geo_redirect_type, .max = TCR_GEO_REDIRECT_OTHER),
    STR(tcr_img_service_t, geo_redirect_path),
    STR(tcr_img_service_t, bypass_fqdn),
    U32(tcr_img_service_t, bypass_port, .max = 65535),
    ANY(tcr_img_service_t, bypass_ttl),
    STR(tcr_img_service_t, bypass_ip),
    STR(tcr_img_service_t, bypass_ip6),
    STR(tcr_img_service_t, bypass_cname),
    STR(tcr_img_service_t, hash_regex),
    ANY(tcr_img_service_t, hash_regex_index),
    VEC(tcr_img_service_t, hash_params, text),
    VEC(tcr_img_service_t, response_headers, pair),
    VEC(tcr_img_service_t, request_headers, text),
    ANY(tcr_img_service_t, ttl_a),
    ANY(tcr_img_service_t, ttl_aaaa),
    ANY(tcr_img_service_t, ttl_ns),
    INDEX_NONE(tcr_img_service_t, zone, ROUTING(dns.zones)),
    VEC(tcr_img_service_t, groups, service_group),
    STR(tcr_img_service_t, topology),
    STR(tcr_img_service_t, geo_provider),
    ANY(tcr_img_service_t, ttl_cache_a),
    ANY(tcr_img_service_t, ttl_cache_aaaa),
    STR(tcr_img_service_t, hash_regex_java),
    RESERVED(tcr_img_service_t, reserved)
};
SCHEMA(service, "service", tcr_img_service_t);


static const tcr_field_t  cache_fields[] = {
    KEY(tcr_img_cache_t, id),
    STR(tcr_img_cache_t, fqdn),
    STR(tcr_img_cache_t, hash_id),
    ANY(tcr_img_cache_t, hash_count),
    INDEX(tcr_img_cache_t, group, ROUTING(groups)),
    ANY(tcr_img_cache_t, local),
    U32(tcr_img_cache_t, port, .max = 65535),
    U32(tcr_img_cache_t, https_port, .max = 65535),
    STR(tcr_img_cache_t, ip),
    STR(tcr_img_cache_t, ip6),
    VEC(tcr_img_cache_t, capabilities, text),
    VEC(tcr_img_cache_t, points, real),
    U32(tcr_img_cache_t, flags, .max = TCR_CACHE_DOWN),
    RESERVED(tcr_img_cache_t, reserved)
};
SCHEMA(cache, "cache", tcr_img_cache_t);


static const tcr_field_t  group_fields[] = {
    KEY(tcr_img_group_t, id),
    ANY(tcr_img_group_t, flags),
    F64(tcr_img_group_t, lat),
    F64(tcr_img_group_t, lon),
    FIRST(tcr_img_group_t, first_cache, ROUTING(caches)),
    U32(tcr_img_group_t, n_caches, .max = TCR_GROUP_CACHES),
    VEC_MAX(tcr_img_group_t, members, cache_index, TCR_GROUP_CACHES),
    VEC(tcr_img_group_t, backups, group_index),
    VEC(tcr_img_group_t, points, real),
    VEC(tcr_img_group_t, owners, local)
};
SCHEMA(group, "group", tcr_img_group_t);


static const tcr_field_t  zone_fields[] = {
    KEY(tcr_img_zone_t, name),
    INDEX_NONE(tcr_img_zone_t, group, ROUTING(groups)),
    F64(tcr_img_zone_t, lat),
    F64(tcr_img_zone_t, lon),
    BOOL(tcr_img_zone_t, has_point),
    RESERVED(tcr_img_zone_t, reserved)
};
SCHEMA(zone, "coverage zone", tcr_img_zone_t);


/* the two coverages differ in whose zones their intervals name */
#define COVERAGE(var)                                                         \
    static const tcr_field_t  var##_v4_fields[] = {                           \
        ANY(tcr_net4_t, start),                                               \
        INDEX_NONE(tcr_net4_t, value, ROUTING(var.zones))                     \
    };                                                                        \
    SCHEMA(var##_v4, "interval", tcr_net4_t);                                 \
                                                                              \
    static const tcr_field_t  var##_v6_fields[] = {                           \
        U64(tcr_net6_t, hi),                                                  \
        U64(tcr_net6_t, lo),                                                  \
        INDEX_NONE(tcr_net6_t, value, ROUTING(var.zones)),                    \
        RESERVED(tcr_net6_t, reserved)                                        \
    };                                                                        \
    SCHEMA(var##_v6, "interval", tcr_net6_t);                                 \
                                                                              \
    static const tcr_field_t  var##_fields[] = {                              \
        VEC(tcr_img_coverage_t, zones, zone),                                 \
        VEC(tcr_img_coverage_t, v4, var##_v4),                                \
        VEC(tcr_img_coverage_t, v6, var##_v6)                                 \
    };                                                                        \
    SCHEMA(var, "coverage", tcr_img_coverage_t)

COVERAGE(coverage);
COVERAGE(deep);


static const tcr_field_t  matcher_fields[] = {
    U32(tcr_img_matcher_t, kind, .max = TCR_MATCH_HEADER_REGEX),
    ANY(tcr_img_matcher_t, flags),
    KEY(tcr_img_matcher_t, text),
    STR(tcr_img_matcher_t, target),
    ANY(tcr_img_matcher_t, regex_index)
};
SCHEMA(matcher, "matcher", tcr_img_matcher_t);


static const tcr_field_t  matchset_fields[] = {
    INDEX(tcr_img_matchset_t, service, ROUTING(services)),
    FIRST(tcr_img_matchset_t, first, ROUTING(matching.matchers)),
    ANY(tcr_img_matchset_t, n)
};
SCHEMA(matchset, "matchset", tcr_img_matchset_t);


static const tcr_field_t  label_set_fields[] = {
    FIRST(tcr_img_label_set_t, first, ROUTING(matching.label_matchsets)),
    ANY(tcr_img_label_set_t, n),
    KEY(tcr_img_label_set_t, label)
};
SCHEMA(label_set, "label set", tcr_img_label_set_t);


static const tcr_field_t  exact_fields[] = {
    KEY(tcr_img_exact_t, name),
    INDEX(tcr_img_exact_t, service, ROUTING(services)),
    ANY(tcr_img_exact_t, hides)
};
SCHEMA(exact, "exact name", tcr_img_exact_t);


static const tcr_field_t  matching_fields[] = {
    VEC(tcr_img_matching_t, matchsets, matchset),
    VEC(tcr_img_matching_t, matchers, matcher),
    VEC(tcr_img_matching_t, exact, exact),
    MAP(tcr_img_matching_t, exact_map, ROUTING(matching.exact)),
    VEC(tcr_img_matching_t, label_sets, label_set),
    MAP(tcr_img_matching_t, label_map, ROUTING(matching.label_sets)),
    VEC(tcr_img_matching_t, label_matchsets, matchset_index),
    VEC(tcr_img_matching_t, odd, matchset_index)
};
SCHEMA(matching, "matching", tcr_img_matching_t);


/* prefixes of a list: inside (0) or not */
static const tcr_field_t  net4_fields[] = {
    ANY(tcr_net4_t, start),
    ANY(tcr_net4_t, value)
};
SCHEMA(net4, "interval", tcr_net4_t);


static const tcr_field_t  net6_fields[] = {
    U64(tcr_net6_t, hi),
    U64(tcr_net6_t, lo),
    ANY(tcr_net6_t, value),
    RESERVED(tcr_net6_t, reserved)
};
SCHEMA(net6, "interval", tcr_net6_t);


static const tcr_field_t  box_fields[] = {
    F64(tcr_img_box_t, min_lat),
    F64(tcr_img_box_t, min_lon),
    F64(tcr_img_box_t, max_lat),
    F64(tcr_img_box_t, max_lon)
};
SCHEMA(box, "box", tcr_img_box_t);


static const tcr_field_t  rule_fields[] = {
    INDEX(tcr_img_rule_t, service, ROUTING(services)),
    ANY(tcr_img_rule_t, flags),
    KEY(tcr_img_rule_t, pattern),
    ANY(tcr_img_rule_t, regex_index),
    STR(tcr_img_rule_t, redirect),
    VEC(tcr_img_rule_t, postal_codes, text),
    VEC(tcr_img_rule_t, boxes, box),
    VEC(tcr_img_rule_t, allow4, net4),
    VEC(tcr_img_rule_t, allow6, net6)
};
SCHEMA(rule, "regional rule", tcr_img_rule_t);


static const tcr_field_t  policies_fields[] = {
    VEC(tcr_img_policies_t, rules, rule),
    BOOL(tcr_img_policies_t, regional_fallback),
    ANY(tcr_img_policies_t, anonymous),
    STR(tcr_img_policies_t, anonymous_redirect),
    VEC(tcr_img_policies_t, anonymous_allow4, net4),
    VEC(tcr_img_policies_t, anonymous_allow6, net6),
    RESERVED(tcr_img_policies_t, reserved)
};
SCHEMA(policies, "policies", tcr_img_policies_t);


static const tcr_field_t  rrset_fields[] = {
    U32(tcr_img_rrset_t, type, .max = 65535),
    ANY(tcr_img_rrset_t, ttl),
    VEC(tcr_img_rrset_t, data, text)
};
SCHEMA(rrset, "record set", tcr_img_rrset_t);


static const tcr_field_t  name_fields[] = {
    KEY(tcr_img_name_t, owner),
    INDEX(tcr_img_name_t, dns_zone, ROUTING(dns.zones)),
    ANY(tcr_img_name_t, flags),
    INDEX_NONE(tcr_img_name_t, service, ROUTING(services)),
    VEC(tcr_img_name_t, rrsets, rrset)
};
SCHEMA(name, "owner name", tcr_img_name_t);


static const tcr_field_t  chained_fields[] = {
    BYTES(tcr_img_hashed_t, hash),
    ANY(tcr_img_hashed_t, owner)
};
SCHEMA(chained, "hashed name", tcr_img_hashed_t);


static const tcr_field_t  dns_zone_fields[] = {
    KEY(tcr_img_dns_zone_t, origin),
    INDEX_NONE(tcr_img_dns_zone_t, service, ROUTING(services)),
    FIRST(tcr_img_dns_zone_t, first_name, ROUTING(dns.names)),
    ANY(tcr_img_dns_zone_t, n_names),
    ANY(tcr_img_dns_zone_t, serial),
    ANY(tcr_img_dns_zone_t, minimum),
    U64(tcr_img_dns_zone_t, content),
    VEC(tcr_img_dns_zone_t, services, service_index),
    VEC(tcr_img_dns_zone_t, edge, router_index),
    VEC(tcr_img_dns_zone_t, chain, chained),
    ANY(tcr_img_dns_zone_t, flags),
    RESERVED(tcr_img_dns_zone_t, reserved)
};
SCHEMA(dns_zone, "DNS zone", tcr_img_dns_zone_t);


static const tcr_field_t  dns_fields[] = {
    VEC(tcr_img_dns_t, zones, dns_zone),
    VEC(tcr_img_dns_t, names, name),
    MAP(tcr_img_dns_t, zone_map, ROUTING(dns.zones)),
    MAP(tcr_img_dns_t, name_map, ROUTING(dns.names))
};
SCHEMA(dns, "DNS content", tcr_img_dns_t);


static const tcr_field_t  router_fields[] = {
    KEY(tcr_img_router_t, id),
    STR(tcr_img_router_t, fqdn),
    STR(tcr_img_router_t, ip),
    STR(tcr_img_router_t, ip6),
    STR(tcr_img_router_t, status),
    INDEX_NONE(tcr_img_router_t, location, ROUTING(router_locations)),
    U32(tcr_img_router_t, port, .max = 65535),
    U32(tcr_img_router_t, https_port, .max = 65535),
    U32(tcr_img_router_t, api_port, .max = 65535),
    U32(tcr_img_router_t, secure_api_port, .max = 65535),
    STR(tcr_img_router_t, ns),
    STR(tcr_img_router_t, ns_below)
};
SCHEMA(router, "router", tcr_img_router_t);


static const tcr_field_t  router_location_fields[] = {
    KEY(tcr_img_router_location_t, id),
    ANY(tcr_img_router_location_t, first),
    F64(tcr_img_router_location_t, lat),
    F64(tcr_img_router_location_t, lon),
    ANY(tcr_img_router_location_t, n),
    RESERVED(tcr_img_router_location_t, reserved)
};
SCHEMA(router_location, "router location", tcr_img_router_location_t);


static const tcr_field_t  override_fields[] = {
    KEY(tcr_img_override_t, country_code),
    RESERVED(tcr_img_override_t, reserved),
    F64(tcr_img_override_t, lat),
    F64(tcr_img_override_t, lon)
};
SCHEMA(override, "override", tcr_img_override_t);


static const tcr_field_t  routing_fields[] = {
    STR(tcr_img_routing_t, cdn_name),
    STR(tcr_img_routing_t, domain),
    STR(tcr_img_routing_t, router),
    ANY(tcr_img_routing_t, flags),
    ANY(tcr_img_routing_t, edge_dns_limit),
    ANY(tcr_img_routing_t, edge_http_limit),
    ANY(tcr_img_routing_t, n_regexes),
    ANY(tcr_img_routing_t, n_groups),
    ANY(tcr_img_routing_t, api_max_age),
    VEC(tcr_img_routing_t, services, service),
    VEC(tcr_img_routing_t, caches, cache),
    VEC(tcr_img_routing_t, groups, group),
    VEC(tcr_img_routing_t, assignments, assignment),
    VEC(tcr_img_routing_t, request_headers, text),
    VEC(tcr_img_routing_t, overrides, override),
    VEC(tcr_img_routing_t, routers, router),
    VEC(tcr_img_routing_t, router_locations, router_location),
    MAP(tcr_img_routing_t, service_map, ROUTING(services)),
    MAP(tcr_img_routing_t, cache_map, ROUTING(caches)),
    MAP(tcr_img_routing_t, group_map, ROUTING(groups)),
    STRUCT(tcr_img_routing_t, coverage, coverage),
    STRUCT(tcr_img_routing_t, deep, deep),
    STRUCT(tcr_img_routing_t, matching, matching),
    STRUCT(tcr_img_routing_t, dns, dns),
    STRUCT(tcr_img_routing_t, policies, policies),
    ANY(tcr_img_routing_t, edge_ttl_ns),
    U32(tcr_img_routing_t, nsec3_iterations, .max = TCR_NSEC3_ITERATIONS_MAX),
    STR(tcr_img_routing_t, nsec3_salt)
};
SCHEMA(routing, "routing", tcr_img_routing_t);


static const tcr_field_t  health_fields[] = {
    U64(tcr_img_health_t, routing),
    I64(tcr_img_health_t, states_time),
    I64(tcr_img_health_t, poll_time),
    VEC(tcr_img_health_t, caches, word),
    VEC(tcr_img_health_t, services, word),
    ANY(tcr_img_health_t, groups),
    RESERVED(tcr_img_health_t, reserved),
    VEC(tcr_img_health_t, disabled, word)
};
SCHEMA(health, "health", tcr_img_health_t);


static const tcr_field_t  target_fields[] = {
    KEY(tcr_img_target_t, service),
    ANY(tcr_img_target_t, order),
    ANY(tcr_img_target_t, geo_order),
    ANY(tcr_img_target_t, flags),
    F64(tcr_img_target_t, lat),
    F64(tcr_img_target_t, lon),
    VEC(tcr_img_target_t, points, real)
};
SCHEMA(target, "target", tcr_img_target_t);


static const tcr_field_t  filter_fields[] = {
    KEY(tcr_img_filter_t, service),
    KEY(tcr_img_filter_t, pattern),
    KEY(tcr_img_filter_t, java),
    ANY(tcr_img_filter_t, regex_index)
};
SCHEMA(filter, "filter", tcr_img_filter_t);


static const tcr_field_t  steering_fields[] = {
    KEY(tcr_img_steering_t, service),
    ANY(tcr_img_steering_t, flags),
    VEC(tcr_img_steering_t, targets, target),
    VEC(tcr_img_steering_t, filters, filter)
};
SCHEMA(steering, "steering", tcr_img_steering_t);


static const tcr_field_t  mapping_fields[] = {
    KEY(tcr_img_mapping_t, cname),
    ANY(tcr_img_mapping_t, ttl),
    VEC(tcr_img_mapping_t, v4, net4),
    VEC(tcr_img_mapping_t, v6, net6),
    VEC(tcr_img_mapping_t, prefixes, text)
};
SCHEMA(mapping, "mapping", tcr_img_mapping_t);


static const tcr_field_t  federation_fields[] = {
    KEY(tcr_img_federation_t, service),
    VEC(tcr_img_federation_t, mappings, mapping)
};
SCHEMA(federation, "federation", tcr_img_federation_t);


static const tcr_field_t  challenge_fields[] = {
    KEY(tcr_img_challenge_t, owner),
    STR(tcr_img_challenge_t, text),
    ANY(tcr_img_challenge_t, ttl)
};
SCHEMA(challenge, "challenge", tcr_img_challenge_t);


static const tcr_field_t  ds_fields[] = {
    KEY(tcr_img_ds_t, owner),
    KEY(tcr_img_ds_t, text),
    ANY(tcr_img_ds_t, ttl),
    RESERVED(tcr_img_ds_t, reserved),
    I64(tcr_img_ds_t, since),
    I64(tcr_img_ds_t, until)
};
SCHEMA(ds, "DS", tcr_img_ds_t);


static const tcr_field_t  hashed_fields[] = {
    BYTES(tcr_img_hashed_t, hash),
    INDEX(tcr_img_hashed_t, owner, OVERLAY(challenges))
};
SCHEMA(hashed, "hashed name", tcr_img_hashed_t);


static const tcr_field_t  overlay_fields[] = {
    VEC(tcr_img_overlay_t, steering, steering),
    VEC(tcr_img_overlay_t, federations, federation),
    VEC(tcr_img_overlay_t, challenges, challenge),
    MAP(tcr_img_overlay_t, challenge_map, OVERLAY(challenges)),
    ANY(tcr_img_overlay_t, n_regexes),
    VEC(tcr_img_overlay_t, ds, ds),
    MAP(tcr_img_overlay_t, ds_map, OVERLAY(ds)),
    VEC(tcr_img_overlay_t, hashed, hashed),
    RESERVED(tcr_img_overlay_t, reserved)
};
SCHEMA(overlay, "overlay", tcr_img_overlay_t);


static const tcr_field_t  key_fields[] = {
    U32(tcr_img_key_t, flags, .min = TCR_DNSKEY_ZSK, .max = TCR_DNSKEY_KSK),
    U32(tcr_img_key_t, algorithm, .max = 255),
    ANY(tcr_img_key_t, ttl),
    U32(tcr_img_key_t, tag, .max = 65535),
    KEY(tcr_img_key_t, public_key),
    SECRET(tcr_img_key_t, private_key),
    I64(tcr_img_key_t, inception),
    I64(tcr_img_key_t, effective),
    I64(tcr_img_key_t, expiration),
    I64(tcr_img_key_t, ds_known)
};
SCHEMA(key, "DNSSEC key", tcr_img_key_t);


static const tcr_field_t  key_zone_fields[] = {
    KEY(tcr_img_key_zone_t, origin),
    ANY(tcr_img_key_zone_t, max_ttl),
    U32(tcr_img_key_zone_t, denial, .max = TCR_DENIAL_NSEC3),
    VEC(tcr_img_key_zone_t, keys, key)
};
SCHEMA(key_zone, "zone of keys", tcr_img_key_zone_t);


static const tcr_field_t  keys_fields[] = {
    ANY(tcr_img_keys_t, flags),
    RESERVED(tcr_img_keys_t, reserved),
    VEC(tcr_img_keys_t, zones, key_zone),
    MAP(tcr_img_keys_t, zone_map, KEYS(zones)),
    RESERVED(tcr_img_keys_t, more)
};
SCHEMA(keys, "keys", tcr_img_keys_t);


VALUE(der_index, "certificate", uint32_t, INDEX, CERTS(ders));


static const tcr_field_t  der_fields[] = {
    BLOB(tcr_img_der_t, der)
};
SCHEMA(der, "certificate in DER", tcr_img_der_t);


static const tcr_field_t  certificate_fields[] = {
    KEY(tcr_img_certificate_t, host),
    U32(tcr_img_certificate_t, type, .max = TCR_CERT_TYPES - 1),
    KEY(tcr_img_certificate_t, service),
    SECRET(tcr_img_certificate_t, key),
    VEC(tcr_img_certificate_t, chain, der_index),
    I64(tcr_img_certificate_t, not_before),
    I64(tcr_img_certificate_t, not_after),
    KEY(tcr_img_certificate_t, fingerprint),
    FIELD(tcr_img_certificate_t, source, BLOB, .needed = false)
};
SCHEMA(certificate, "certificate", tcr_img_certificate_t);


static const tcr_field_t  refused_fields[] = {
    STR(tcr_img_refused_t, host),
    KEY(tcr_img_refused_t, service),
    KEY(tcr_img_refused_t, why)
};
SCHEMA(refused, "refused certificate", tcr_img_refused_t);


static const tcr_field_t  certs_fields[] = {
    VEC(tcr_img_certs_t, ders, der),
    VEC(tcr_img_certs_t, certificates, certificate),
    MAP(tcr_img_certs_t, host_map, CERTS(certificates)),
    VEC(tcr_img_certs_t, refused, refused),
    RESERVED(tcr_img_certs_t, reserved)
};
SCHEMA(certs, "certs", tcr_img_certs_t);


const tcr_schema_t *
tcr_schema_root(tcr_slot_e slot)
{
    static const tcr_schema_t *const  roots[TCR_SLOT_COUNT] = {
        [TCR_SLOT_ROUTING] = &routing,
        [TCR_SLOT_HEALTH] = &health,
        [TCR_SLOT_OVERLAY] = &overlay,
        [TCR_SLOT_CERTS] = &certs,
        [TCR_SLOT_KEYS] = &keys
    };

    if ((unsigned) slot >= TCR_SLOT_COUNT) {
        return NULL;
    }

    return roots[slot];
}
