/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A small routing image in which every vector has elements, every string is
 * present and every index points somewhere; its health image; a directory
 * for publications that goes away with the test.
 */

#ifndef TCR_IMAGE_FIXTURE_H_INCLUDED
#define TCR_IMAGE_FIXTURE_H_INCLUDED

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tcr_certs_format.h"
#include "tcr_health.h"
#include "tcr_keys_format.h"
#include "tcr_nets.h"
#include "tcr_overlay_format.h"
#include "tcr_publish.h"

#define FIXTURE_CACHES    3
#define FIXTURE_SERVICES  2
#define FIXTURE_GROUPS    2

#define N(array)  (sizeof(array) / sizeof((array)[0]))
#define S(text)   tcr_build_str(b, tcr_str(text))

#define ARRAY(array)                                                          \
    tcr_build_array(b, array, N(array), sizeof((array)[0]),                   \
                    _Alignof(__typeof__((array)[0])))

#define ROOT  ((tcr_img_routing_t *) tcr_build_root(b))


static inline tcr_img_vec_t
fixture_strings(tcr_build_t *b)
{
    tcr_img_str_t  list[2] = { S("one"), S("two") };

    return ARRAY(list);
}


static inline void
fixture_services(tcr_build_t *b)
{
    tcr_img_geo_test_t       tests[] = { { TCR_GEO_COUNTRY_CODE, S("NZ") } };
    tcr_img_geo_limit_t      limits[] = { { ARRAY(tests) } };
    tcr_img_pair_t           pairs[] = { { S("X-Header"), S("value") } };
    tcr_img_service_group_t  in0[] = { { 0, 0, 2 }, { 1, 2, 1 }, { 2, 3, 2 } };
    tcr_img_service_group_t  in1[] = { { 1, 2, 1 } };
    tcr_img_assignment_t     a[] = {
        { 0, S("edge-0"), S("vod.example.net") },
        { 1, S("edge-1"), S("vod.example.net") },
        { 2, S("edge-2"), S("vod.example.net") },
        { 0, S("edge-0"), S("vod.example.net") },
        { 2, S("edge-2"), S("vod.example.net") }
    };
    tcr_str_t                names[] = { TCR_STR("vod"), TCR_STR("live") };
    tcr_img_map_t            map;
    tcr_img_vec_t            vec;
    tcr_img_service_t        s[FIXTURE_SERVICES];
    size_t                   i;

    memset(s, 0, sizeof(s));

    for (i = 0; i < FIXTURE_SERVICES; i++) {
        s[i].id = tcr_build_str(b, names[i]);
        s[i].domain = S("vod.example.net");
        s[i].routing_name = S("tr");
        s[i].fqdn = S("tr.vod.example.net");
        s[i].dispersion_limit = 1;
        s[i].miss_lat = 41.5;
        s[i].miss_lon = -81.25;
        s[i].geo_limits = ARRAY(limits);
        s[i].geo_redirect_url = S("http://www.example.net/");
        s[i].geo_redirect_type = TCR_GEO_REDIRECT_SELF;
        s[i].geo_redirect_path = S("/away");
        s[i].bypass_fqdn = S("bypass.example.net");
        s[i].bypass_port = 8080;
        s[i].bypass_ttl = 30;
        s[i].bypass_ip = S("192.0.2.1");
        s[i].bypass_ip6 = S("2001:db8::1");
        s[i].bypass_cname = S("bypass.example.net.");
        s[i].hash_regex = S("/(.*)/");
        s[i].hash_regex_index = 0;
        s[i].hash_regex_java = S("/(.*)/");
        s[i].hash_params = fixture_strings(b);
        s[i].response_headers = ARRAY(pairs);
        s[i].request_headers = fixture_strings(b);
        s[i].groups = i == 0 ? ARRAY(in0) : ARRAY(in1);
        s[i].topology = S("top");
        s[i].geo_provider = S("maxmind");
    }

    vec = ARRAY(a);
    ROOT->assignments = vec;
    vec = ARRAY(s);
    ROOT->services = vec;
    map = tcr_build_map(b, names, N(names));
    ROOT->service_map = map;
}


static inline void
fixture_caches(tcr_build_t *b)
{
    double           points[] = { 1.0, 2.0 };
    tcr_str_t        names[] = { TCR_STR("edge-0"), TCR_STR("edge-1"),
                                 TCR_STR("edge-2") };
    tcr_img_cache_t  c[FIXTURE_CACHES];
    tcr_img_map_t    map;
    tcr_img_vec_t    vec;
    size_t           i;

    memset(c, 0, sizeof(c));

    for (i = 0; i < FIXTURE_CACHES; i++) {
        c[i].id = tcr_build_str(b, names[i]);
        c[i].fqdn = S("edge.example.net");
        c[i].hash_id = tcr_build_str(b, names[i]);
        c[i].hash_count = 2;
        c[i].group = i == 2;
        c[i].local = i % 2;
        c[i].port = 80;
        c[i].https_port = 443;
        c[i].ip = S("198.51.100.7");
        c[i].ip6 = S("2001:db8::7");
        c[i].capabilities = fixture_strings(b);
        c[i].points = ARRAY(points);
    }

    vec = ARRAY(c);
    ROOT->caches = vec;
    map = tcr_build_map(b, names, N(names));
    ROOT->cache_map = map;
}


static inline void
fixture_groups(tcr_build_t *b)
{
    double           points[] = { 1.0, 1.5, 2.0, 2.5 };
    uint32_t         owners0[] = { 0, 1, 0, 1 }, owners1[] = { 0, 0, 0, 0 };
    uint32_t         members[] = { 0, 2 }, backups[] = { 1, 0 };
    tcr_str_t        names[] = { TCR_STR("east"), TCR_STR("west") };
    tcr_img_group_t  g[3] = {
        { S("east"), TCR_METHOD_CZ, 40.0, -105.0, 0, 2, { 0, 0 },
          ARRAY(backups), ARRAY(points), ARRAY(owners0) },
        { S("west"), TCR_METHOD_GEO, -37.0, 175.0, 2, 1, { 0, 0 },
          ARRAY(backups), ARRAY(points), ARRAY(owners1) },
        { S("deep"), TCR_GROUP_DEEP, 1.0, 2.0, 0, 0, ARRAY(members),
          ARRAY(backups), ARRAY(points), ARRAY(owners0) }
    };
    tcr_img_map_t    map;
    tcr_img_vec_t    vec;

    vec = ARRAY(g);
    ROOT->groups = vec;
    ROOT->n_groups = FIXTURE_GROUPS;
    map = tcr_build_map(b, names, N(names));
    ROOT->group_map = map;
}


static inline tcr_img_coverage_t
fixture_coverage(tcr_build_t *b)
{
    tcr_img_zone_t  zones[] = {
        { S("east"), 0, 40.0, -105.0, 1, 0 },
        { S("west"), 1, 41.0, -106.0, 1, 0 }
    };
    tcr_net4_t      v4[] = { { 0, TCR_NONE }, { 0xc0000200, 0 },
                             { 0xc0000300, 1 } };
    tcr_net6_t      v6[] = { { 0, 0, TCR_NONE, 0 },
                             { UINT64_C(0x20010db800000000), 0, 0, 0 },
                             { UINT64_C(0x20010db800000000), 1, 1, 0 } };

    return (tcr_img_coverage_t) { ARRAY(zones), ARRAY(v4), ARRAY(v6) };
}


static inline void
fixture_matching(tcr_build_t *b)
{
    tcr_img_matcher_t    matchers[] = {
        { TCR_MATCH_HOST_LABELS, 0, S("vod"), S("-"), 0 },
        { TCR_MATCH_HOST_REGEX, 0, S("live[0-9]"), S("-"), 1 },
        { TCR_MATCH_HEADER_REGEX, 0, S("x.*"), S("X-Header"), 0 }
    };
    tcr_img_matchset_t   sets[] = { { 0, 0, 1 }, { 0, 0, 1 }, { 1, 1, 2 },
                                    { 1, 1, 1 } };
    tcr_img_exact_t      exact[] = { { S("tr.vod.example.net"), 0, 0 } };
    tcr_img_label_set_t  labels[] = { { 0, 2, S("vod") } };
    uint32_t             label_matchsets[] = { 0, 1 }, odd[] = { 2, 3 };
    tcr_str_t            exact_keys[] = { TCR_STR("tr.vod.example.net") };
    tcr_str_t            label_keys[] = { TCR_STR("vod") };
    tcr_img_matching_t   m = {
        ARRAY(sets), ARRAY(matchers), ARRAY(exact),
        tcr_build_map(b, exact_keys, 1), ARRAY(labels),
        tcr_build_map(b, label_keys, 1), ARRAY(label_matchsets), ARRAY(odd)
    };

    ROOT->matching = m;
    ROOT->n_regexes = 2;
}


static inline void
fixture_dns(tcr_build_t *b)
{
    tcr_img_rrset_t     rrsets[] = { { 1, 30, fixture_strings(b) } };
    tcr_img_name_t      names[] = {
        { S("example.net"), 0, 0, TCR_NONE, ARRAY(rrsets) },
        { S("vod.example.net"), 1, 0, TCR_NONE, ARRAY(rrsets) },
        { S("tr.vod.example.net"), 1, TCR_NAME_ROUTED, 0, ARRAY(rrsets) }
    };
    uint32_t            services[] = { 0, 1 };
    uint32_t            edge[] = { 0 };
    tcr_img_hashed_t    chain[] = { { { 1 }, 1 }, { { 1, 1 }, 3 },
                                    { { 2 }, 2 } };
    tcr_img_dns_zone_t  zones[2];
    tcr_str_t           zone_keys[] = { TCR_STR("example.net"),
                                        TCR_STR("vod.example.net") };
    tcr_str_t           name_keys[] = { TCR_STR("example.net"),
                                        TCR_STR("vod.example.net"),
                                        TCR_STR("tr.vod.example.net") };
    tcr_img_dns_t       dns;

    memset(zones, 0, sizeof(zones));
    zones[0].edge = ARRAY(edge);
    zones[1].edge = ARRAY(edge);
    zones[0].origin = S("example.net");
    zones[0].service = TCR_NONE;
    zones[0].n_names = 1;
    zones[0].services = ARRAY(services);
    zones[1].origin = S("vod.example.net");
    zones[1].service = 0;
    zones[1].first_name = 1;
    zones[1].n_names = 2;
    zones[1].services = ARRAY(services);
    zones[1].chain = ARRAY(chain);
    zones[1].flags = TCR_ZONE_DNSSEC;

    dns = (tcr_img_dns_t) {
        ARRAY(zones), ARRAY(names), tcr_build_map(b, zone_keys, 2),
        tcr_build_map(b, name_keys, 3)
    };
    ROOT->dns = dns;
}


static inline tcr_img_vec_t
fixture_net4(tcr_build_t *b)
{
    tcr_net4_t  v4[] = { { 0, TCR_NONE }, { 0xc0000200, 0 },
                         { 0xc0000300, TCR_NONE } };

    return ARRAY(v4);
}


static inline tcr_img_vec_t
fixture_net6(tcr_build_t *b)
{
    tcr_net6_t  v6[] = { { 0, 0, TCR_NONE, 0 },
                         { UINT64_C(0x20010db800000000), 0, 0, 0 } };

    return ARRAY(v6);
}


static inline void
fixture_policies(tcr_build_t *b)
{
    tcr_img_box_t       boxes[] = { { -10.0, -20.0, 10.0, 20.0 } };
    tcr_img_rule_t      rules[] = {
        { 0, TCR_RULE_INCLUDE, S("http://.*"), 2, S("/away"),
          fixture_strings(b), ARRAY(boxes), fixture_net4(b),
          fixture_net6(b) },
        { 1, TCR_RULE_ABSOLUTE, S("http://.*"), 3,
          S("http://www.example.net/"), fixture_strings(b), ARRAY(boxes),
          fixture_net4(b), fixture_net6(b) }
    };
    tcr_img_policies_t  p = {
        ARRAY(rules), 1, TCR_ANON_ON | TCR_ANON_TOR,
        S("http://www.example.net/"), fixture_net4(b), fixture_net6(b), { 0 }
    };

    ROOT->policies = p;
    ROOT->n_regexes = 4;
}


static inline void
fixture_rest(tcr_build_t *b)
{
    tcr_img_override_t         overrides[] = { { S("US"), 0, 37.0, -97.0 } };
    tcr_img_router_t           routers[] = {
        { S("router-0"), S("router.example.net"), S("192.0.2.53"),
          S("2001:db8::53"), S("ONLINE"), 0, 80, 443, 3333, 3443,
          S("router.example.net."), S("router.example.net.") }
    };
    tcr_img_router_location_t  locations[] = {
        { S("there"), 0, 1.0, 2.0, 1, 0 }
    };
    tcr_img_coverage_t         coverage;
    tcr_img_str_t              names[3] = { S("cdn"), S("example.net"),
                                            S("router-0") };
    tcr_img_str_t              salt = S("ab");
    tcr_img_vec_t              vec[4] = { fixture_strings(b), ARRAY(overrides),
                                          ARRAY(routers), ARRAY(locations) };

    ROOT->cdn_name = names[0];
    ROOT->domain = names[1];
    ROOT->router = names[2];
    ROOT->nsec3_iterations = 1;
    ROOT->nsec3_salt = salt;
    ROOT->request_headers = vec[0];
    ROOT->overrides = vec[1];
    ROOT->routers = vec[2];
    ROOT->router_locations = vec[3];
    coverage = fixture_coverage(b);
    ROOT->coverage = coverage;
    coverage = fixture_coverage(b);
    ROOT->deep = coverage;
}


/* tag stands in api_max_age, so that generations can be told apart. */
static inline tcr_build_t *
fixture_routing(uint32_t tag, void **data, size_t *size)
{
    tcr_err_t           err;
    tcr_build_t        *b = tcr_build_create(TCR_SLOT_ROUTING,
                                             sizeof(tcr_img_routing_t));
    tcr_build_origin_t  origin = { 1700000000, "fixture", { 0 } };

    fixture_services(b);
    fixture_caches(b);
    fixture_groups(b);
    fixture_matching(b);
    fixture_dns(b);
    fixture_policies(b);
    fixture_rest(b);
    ROOT->api_max_age = tag;

    if (tcr_build_finish(b, &origin, data, size, &err) != 0) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }

    return b;
}


static inline void
fixture_steering(tcr_build_t *b, tcr_img_overlay_t *root)
{
    double              points[] = { 1.0, 2.0 };
    tcr_img_target_t    targets[] = {
        { S("vod"), -1, 2, TCR_TARGET_HAS_POINT, 40.0, -105.0,
          ARRAY(points) },
        { S("live"), 0, 0, 0, 0, 0, ARRAY(points) }
    };
    tcr_img_filter_t    filters[] = {
        { S("vod"), S("/vod/.*"), S("/vod/.*"), 0 },
        { S("live"), S("/live/.*"), S("/live/.*"), 1 }
    };
    tcr_img_steering_t  steering[] = {
        { S("steer"), TCR_STEERING_CLIENT, ARRAY(targets), ARRAY(filters) }
    };

    root->steering = ARRAY(steering);
    root->n_regexes = 2;
}


static inline void
fixture_federations(tcr_build_t *b, tcr_img_overlay_t *root)
{
    tcr_img_str_t         prefixes[] = { S("192.0.2.0/24") };
    tcr_img_mapping_t     mappings[] = {
        { S("one.example.net."), 30, fixture_net4(b), fixture_net6(b),
          ARRAY(prefixes) },
        { S("two.example.net."), 60, fixture_net4(b), fixture_net6(b),
          ARRAY(prefixes) }
    };
    tcr_img_federation_t  federations[] = { { S("vod"), ARRAY(mappings) } };

    root->federations = ARRAY(federations);
}


static inline tcr_build_t *
fixture_overlay(void **data, size_t *size)
{
    tcr_err_t            err;
    tcr_str_t            owner = TCR_STR("_acme-challenge.vod.example.net");
    tcr_build_t         *b = tcr_build_create(TCR_SLOT_OVERLAY,
                                              sizeof(tcr_img_overlay_t));
    tcr_img_overlay_t    root = { 0 };
    tcr_img_challenge_t  challenges[] = {
        { tcr_build_str(b, owner), S("\"token\""), 10 }
    };

    tcr_str_t            child = TCR_STR("vod.example.net");
    tcr_img_ds_t         ds[] = {
        { tcr_build_str(b, child), S("1 13 2 AB"), 60, 0, 0, INT64_MAX }
    };

    tcr_img_hashed_t     hashed[] = { { { 9 }, 0 } };

    root.challenges = ARRAY(challenges);
    root.hashed = ARRAY(hashed);
    root.challenge_map = tcr_build_map(b, &owner, 1);
    root.ds = ARRAY(ds);
    root.ds_map = tcr_build_map(b, &child, 1);
    fixture_steering(b, &root);
    fixture_federations(b, &root);
    memcpy(tcr_build_root(b), &root, sizeof(root));

    if (tcr_build_finish(b, NULL, data, size, &err) != 0) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }

    return b;
}


static inline tcr_build_t *
fixture_certs(void **data, size_t *size)
{
    tcr_err_t              err;
    tcr_str_t              hosts[] = { TCR_STR("*.vod.example.net"), { 0 },
                                       TCR_STR("live.example.net") };
    tcr_build_t           *b = tcr_build_create(TCR_SLOT_CERTS,
                                                sizeof(tcr_img_certs_t));
    uint32_t               chain[] = { 0, 1 };
    tcr_img_der_t          ders[] = { { S("leaf") }, { S("authority") } };
    tcr_img_refused_t      refused[] = { { S("a.example.net"), S("a"),
                                           S("expired") } };
    tcr_img_certificate_t  certificates[] = {
        { tcr_build_str(b, hosts[0]), TCR_CERT_RSA, S("vod"), S("private"),
          ARRAY(chain), 1, 2, S("0123"), S("digest") },
        { tcr_build_str(b, hosts[0]), TCR_CERT_EC, S("vod"), S("private"),
          ARRAY(chain), 1, 2, S("4567"), S("digest") },
        { tcr_build_str(b, hosts[2]), TCR_CERT_RSA, S("live"), S("private"),
          ARRAY(chain), 1, 2, S("89ab"), S("digest") }
    };
    tcr_img_certs_t        root = { 0 };

    root.ders = ARRAY(ders);
    root.certificates = ARRAY(certificates);
    root.host_map = tcr_build_map(b, hosts, N(hosts));
    root.refused = ARRAY(refused);
    memcpy(tcr_build_root(b), &root, sizeof(root));

    if (tcr_build_finish(b, NULL, data, size, &err) != 0) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }

    return b;
}


static inline tcr_build_t *
fixture_keys(void **data, size_t *size)
{
    tcr_err_t           err;
    tcr_str_t           origin = TCR_STR("example.net");
    tcr_build_t        *b = tcr_build_create(TCR_SLOT_KEYS,
                                             sizeof(tcr_img_keys_t));
    tcr_img_map_t       map = tcr_build_map(b, &origin, 1);
    tcr_img_key_t       keys[] = {
        { TCR_DNSKEY_KSK, 13, 60, 1, S("AAAA"), S("first"), 1700000000,
          1700000000, 1800000000, 1700086400 },
        { TCR_DNSKEY_ZSK, 13, 60, 2, S("BBBB"), S("second"), 1700000000,
          1700000000, 1750000000, 0 }
    };
    tcr_img_key_zone_t  zones[] = {
        { tcr_build_str(b, origin), 86400, TCR_DENIAL_NSEC, ARRAY(keys) }
    };
    tcr_img_keys_t      root = { 0 };

    root.flags = TCR_KEYS_ALLOW_EXPIRED;
    root.zones = ARRAY(zones);
    root.zone_map = map;
    memcpy(tcr_build_root(b), &root, sizeof(root));

    if (tcr_build_finish(b, NULL, data, size, &err) != 0) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }

    return b;
}


static inline tcr_build_t *
fixture_health(int64_t tag, void **data, size_t *size)
{
    tcr_err_t     err;
    tcr_build_t  *b = NULL;

    if (tcr_health_build(&b, FIXTURE_CACHES, FIXTURE_SERVICES,
                         FIXTURE_GROUPS, &err) != 0)
    {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }

    ((tcr_img_health_t *) tcr_build_root(b))->states_time = tag;

    if (tcr_build_finish(b, NULL, data, size, &err) != 0) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }

    return b;
}


/* One publication of both with that tag; the number, 0 on failure. */
static inline uint64_t
fixture_publish(tcr_publisher_t *pub, uint32_t tag, tcr_err_t *err)
{
    int                rc;
    uint64_t           numbers[2];
    tcr_build_t       *routing, *health;
    tcr_publication_t  items[2] = {
        { .slot = TCR_SLOT_ROUTING }, { .slot = TCR_SLOT_HEALTH }
    };

    routing = fixture_routing(tag, &items[0].data, &items[0].size);
    health = fixture_health(tag, &items[1].data, &items[1].size);
    rc = tcr_publish(pub, items, 2, numbers, err);
    tcr_build_destroy(routing);
    tcr_build_destroy(health);

    return rc == 0 ? numbers[0] : 0;
}


static inline void
fixture_empty_dir(const char *dir)
{
    DIR            *d = opendir(dir);
    char            path[512];
    struct dirent  *e;

    while (d != NULL && (e = readdir(d)) != NULL) {
        snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
        unlink(path);
    }

    if (d != NULL) {
        closedir(d);
    }
}


static inline void
fixture_remove_dir(const char *dir)
{
    fixture_empty_dir(dir);
    rmdir(dir);
}


/* /dev/shm where there is one: a tmpfs, as /run is. */
static inline const char *
fixture_make_dir(char dir[64])
{
    snprintf(dir, 64, "%s/tcr-image-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");

    if (mkdtemp(dir) == NULL) {
        printf("Bail out! no temporary directory\n");
        exit(1);
    }

    return dir;
}


#endif /* TCR_IMAGE_FIXTURE_H_INCLUDED */
