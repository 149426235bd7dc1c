/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Images whose every field is good by itself, but whose fields contradict
 * each other: order, agreement of groups and caches, zones and names.
 */

#include "fixture.h"

#include "tap.h"
#include "tcr_image_verify.h"

#define ELEMENT(vec, type, i)  ((type *) (image + (vec).off) + (i))


static uint8_t            *good;
static uint8_t            *image;
static size_t              size;
static tcr_img_routing_t  *root;


static void
start(void)
{
    memcpy(image, good, size);
    root = (void *) (image + sizeof(tcr_img_header_t));
}


static void
refused(tcr_slot_e slot, const char *why)
{
    int        rc;
    tcr_err_t  err;

    tcr_image_seal(image, size);
    rc = tcr_image_verify(image, size, slot, &err);
    ok(rc == -1 && strstr(err.text, why) != NULL, "%s: %s", why,
       rc ? err.text : "accepted");
    start();
}


static tcr_img_group_t *
group(uint32_t i)
{
    return ELEMENT(root->groups, tcr_img_group_t, i);
}


static tcr_img_service_t *
service(uint32_t i)
{
    return ELEMENT(root->services, tcr_img_service_t, i);
}


static void
intervals(void)
{
    ELEMENT(root->coverage.v4, tcr_net4_t, 0)->start = 1;
    refused(TCR_SLOT_ROUTING, "coverage.v4[0] starts at 1");
    ELEMENT(root->coverage.v4, tcr_net4_t, 2)->start = 0xc0000200;
    refused(TCR_SLOT_ROUTING, "coverage.v4[2] does not start behind");
    ELEMENT(root->deep.v4, tcr_net4_t, 1)->start = 0;
    refused(TCR_SLOT_ROUTING, "deep.v4[1] does not start behind");

    ELEMENT(root->coverage.v6, tcr_net6_t, 0)->lo = 1;
    refused(TCR_SLOT_ROUTING, "coverage.v6[0] starts at");
    ELEMENT(root->deep.v6, tcr_net6_t, 2)->lo = 0;
    refused(TCR_SLOT_ROUTING, "deep.v6[2] does not start behind");
    ELEMENT(root->deep.v6, tcr_net6_t, 2)->hi = 5;
    refused(TCR_SLOT_ROUTING, "deep.v6[2] does not start behind");
}


static void
groups(void)
{
    root->n_groups = 4;
    refused(TCR_SLOT_ROUTING, "n_groups is 4 of 3 groups");
    root->n_groups = 3;
    refused(TCR_SLOT_ROUTING, "groups[2] is a deep location");
    root->n_groups = 1;
    refused(TCR_SLOT_ROUTING, "groups[1] is no deep location");
    group(0)->members = group(2)->members;
    refused(TCR_SLOT_ROUTING, "groups[0] has members");
    group(2)->n_caches = 1;
    refused(TCR_SLOT_ROUTING, "groups[2] has caches");

    *ELEMENT(group(0)->points, double, 1) = 0.5;
    refused(TCR_SLOT_ROUTING, "groups[0].points[1] is smaller");
    group(0)->owners.n--;
    refused(TCR_SLOT_ROUTING, "groups[0] has 4 points and 3 owners");
    *ELEMENT(group(1)->owners, uint32_t, 3) = 1;
    refused(TCR_SLOT_ROUTING, "groups[1].owners[3] is cache 1 of 1");
    *ELEMENT(group(2)->owners, uint32_t, 0) = 2;
    refused(TCR_SLOT_ROUTING, "groups[2].owners[0] is cache 2 of 2");
}


static void
caches(void)
{
    tcr_img_cache_t  *c;

    group(1)->n_caches = 0;
    group(1)->points = group(1)->owners = (tcr_img_vec_t) { 0, 0 };
    refused(TCR_SLOT_ROUTING, "groups have 2 caches, caches 3");

    c = ELEMENT(root->caches, tcr_img_cache_t, 0);
    c->local = 1;
    refused(TCR_SLOT_ROUTING, "caches[0] is number 1 of groups[0]");
    c->group = 1;
    refused(TCR_SLOT_ROUTING, "caches[0] is number 0 of groups[1]");
    c->group = 2;
    refused(TCR_SLOT_ROUTING, "caches[0] is number 0 of groups[2]");
    *ELEMENT(c[1].points, double, 0) = 9.0;
    refused(TCR_SLOT_ROUTING, "caches[1].points[1] is smaller");
}


static void
services(void)
{
    tcr_img_service_group_t  *sg;

    sg = ELEMENT(service(0)->groups, tcr_img_service_group_t, 0);
    sg[1].group = 0;
    refused(TCR_SLOT_ROUTING, "services[0].groups[1] is 0, expected more");
    ELEMENT(root->assignments, tcr_img_assignment_t, 1)->cache = 2;
    refused(TCR_SLOT_ROUTING, "services[0] has caches[2] in groups[0]");
    service(1)->hash_regex_index = 4;
    refused(TCR_SLOT_ROUTING, "services[1].hash_regex_index is 4 of 4");
    root->n_regexes = 8;
    refused(TCR_SLOT_ROUTING, "n_regexes is 8");
}


static void
matching(void)
{
    *ELEMENT(root->matching.label_matchsets, uint32_t, 1) = 0;
    refused(TCR_SLOT_ROUTING, "matching.label_matchsets[1] is 0");
    *ELEMENT(root->matching.odd, uint32_t, 1) = 1;
    refused(TCR_SLOT_ROUTING, "matching.odd[1] is 1, expected more than 2");
    ELEMENT(root->matching.matchers, tcr_img_matcher_t, 1)->regex_index = 4;
    refused(TCR_SLOT_ROUTING, "matching.matchers[1].regex_index is 4 of 4");
    ELEMENT(root->matching.matchers, tcr_img_matcher_t, 0)->regex_index = 4;
    tcr_image_seal(image, size);
    ok(tcr_image_verify(image, size, TCR_SLOT_ROUTING, NULL) == 0,
       "a matcher without a pattern needs no place for one");
    start();
}


static void
names(void)
{
    ELEMENT(root->dns.zones, tcr_img_dns_zone_t, 1)->n_names = 1;
    refused(TCR_SLOT_ROUTING, "dns.zones have 2 names, dns.names 3");
    ELEMENT(root->dns.names, tcr_img_name_t, 1)->dns_zone = 0;
    refused(TCR_SLOT_ROUTING, "dns.names[1] is outside of its zone");
    ELEMENT(root->dns.names, tcr_img_name_t, 2)->service = TCR_NONE;
    refused(TCR_SLOT_ROUTING, "dns.names[2] is routed, but by no service");
    ELEMENT(root->dns.names, tcr_img_name_t, 2)->service = TCR_NONE;
    ELEMENT(root->dns.names, tcr_img_name_t, 2)->flags = TCR_NAME_EDGE;
    refused(TCR_SLOT_ROUTING, "dns.names[2] is routed, but by no service");
}


static void
chains(void)
{
    tcr_img_hashed_t    *chain;
    tcr_img_dns_zone_t  *zone;

    zone = ELEMENT(root->dns.zones, tcr_img_dns_zone_t, 1);
    chain = ELEMENT(zone->chain, tcr_img_hashed_t, 0);

    chain[1].hash[1] = 0;
    refused(TCR_SLOT_ROUTING, "dns.zones[1].chain[1] does not ascend");
    chain[2].hash[0] = 0;
    refused(TCR_SLOT_ROUTING, "dns.zones[1].chain[2] does not ascend");
    chain[0].owner = 0;
    refused(TCR_SLOT_ROUTING, "dns.zones[1].chain[0] is of name 0, which is "
            "none of the zone");
    chain[1].owner = root->dns.names.n + root->caches.n;
    refused(TCR_SLOT_ROUTING, "dns.zones[1].chain[1] is of name 6, which");
    root->nsec3_salt = root->domain;
    refused(TCR_SLOT_ROUTING, "nsec3_salt is none");
    root->nsec3_iterations = 51;
    refused(TCR_SLOT_ROUTING, "nsec3_iterations: value 51, expected 0..50");
}


static void
policies(void)
{
    tcr_img_rule_t  *rules;

    rules = ELEMENT(root->policies.rules, tcr_img_rule_t, 0);
    rules[1].service = 0;
    rules[0].service = 1;
    refused(TCR_SLOT_ROUTING, "policies.rules[1] is of service 0, behind a "
            "rule of service 1");
    rules[1].regex_index = 4;
    refused(TCR_SLOT_ROUTING, "policies.rules[1].regex_index is 4 of 4");
    ELEMENT(rules[0].allow4, tcr_net4_t, 1)->start = 0;
    refused(TCR_SLOT_ROUTING, "policies.rules[0].allow.v4[1] does not start");
    ELEMENT(rules[1].allow6, tcr_net6_t, 0)->hi = 1;
    refused(TCR_SLOT_ROUTING, "policies.rules[1].allow.v6[0] starts at");
    ELEMENT(root->policies.anonymous_allow4, tcr_net4_t, 0)->start = 1;
    refused(TCR_SLOT_ROUTING, "policies.anonymous_allow.v4[0] starts at 1");
    ELEMENT(root->policies.anonymous_allow6, tcr_net6_t, 1)->hi = 0;
    refused(TCR_SLOT_ROUTING, "policies.anonymous_allow.v6[1] does not start");
}


static void
overlay(void)
{
    void                *data;
    tcr_build_t         *b;
    tcr_img_mapping_t   *m;
    tcr_img_steering_t  *s;
    tcr_img_overlay_t   *o;

    b = fixture_overlay(&data, &size);
    good = data;
    start();
    o = (void *) root;
    s = ELEMENT(o->steering, tcr_img_steering_t, 0);

    *ELEMENT(ELEMENT(s->targets, tcr_img_target_t, 1)->points, double, 1) = 0;
    refused(TCR_SLOT_OVERLAY, "steering[0].targets[1].points[1] is smaller");
    ELEMENT(s->filters, tcr_img_filter_t, 1)->regex_index = 2;
    refused(TCR_SLOT_OVERLAY, "steering[0].filters[1].regex_index is 2 of 2");
    o->n_regexes = 3;
    refused(TCR_SLOT_OVERLAY, "n_regexes is 3, more than the 2 filters");

    m = ELEMENT(ELEMENT(o->federations, tcr_img_federation_t, 0)->mappings,
                tcr_img_mapping_t, 1);
    ELEMENT(m->v4, tcr_net4_t, 2)->start = 5;
    refused(TCR_SLOT_OVERLAY, "federations[0].mappings[1].v4[2] does not");
    ELEMENT(m->v6, tcr_net6_t, 0)->lo = 5;
    refused(TCR_SLOT_OVERLAY, "federations[0].mappings[1].v6[0] starts at");
    tcr_build_destroy(b);
}


/* Vectors that share elements a million times must not take a million walks. */
static void
endless(void)
{
    void              *data;
    size_t             i, n = 40000;
    tcr_err_t          err;
    tcr_build_t       *b;
    tcr_img_vec_t      strings, services_vec;
    tcr_img_str_t     *list, one;
    tcr_img_service_t *many;

    b = tcr_build_create(TCR_SLOT_ROUTING, sizeof(tcr_img_routing_t));
    one = tcr_build_str(b, TCR_STR("one"));
    list = calloc(n * 10, sizeof(*list));
    many = calloc(n, sizeof(*many));

    for (i = 0; i < n * 10; i++) {
        list[i] = one;
    }

    strings = tcr_build_array(b, list, n * 10, sizeof(*list), 4);

    for (i = 0; i < n; i++) {
        many[i].id = one;
        many[i].dispersion_limit = 1;
        many[i].hash_params = strings;
    }

    services_vec = tcr_build_array(b, many, n, sizeof(*many), 8);
    ((tcr_img_routing_t *) tcr_build_root(b))->services = services_vec;

    ok(tcr_build_finish(b, NULL, &data, &size, &err) == 0, "a hostile image");
    ok(tcr_image_verify(data, size, TCR_SLOT_ROUTING, &err) == -1
       && strstr(err.text, "vectors hold more than 64 times the file")
          != NULL, "is refused in time: %s", err.text);
    tcr_build_destroy(b);
    free(list);
    free(many);
}


static void
health(void)
{
    void         *data;
    tcr_build_t  *b;

    b = fixture_health(1, &data, &size);
    good = data;
    start();
    ((tcr_img_health_t *) root)->groups = 33;
    refused(TCR_SLOT_HEALTH, "disabled has 1 words");
    ((tcr_img_health_t *) root)->groups = 0;
    refused(TCR_SLOT_HEALTH, "disabled has 1 words");
    tcr_build_destroy(b);
}


static void
keys(void)
{
    void                *data;
    tcr_build_t         *b = fixture_keys(&data, &size);
    tcr_img_key_t       *key;
    tcr_img_keys_t      *r;
    tcr_img_key_zone_t  *zone;

    good = data;
    image = realloc(image, size);
    start();

    r = (void *) root;
    zone = ELEMENT(r->zones, tcr_img_key_zone_t, 0);
    key = ELEMENT(zone->keys, tcr_img_key_t, 1);

    key->expiration = INT64_MAX;
    refused(TCR_SLOT_KEYS, "zones[0].keys[1] has a date that is none");
    key->inception = -1;
    refused(TCR_SLOT_KEYS, "zones[0].keys[1] has a date that is none");
    key->effective = (INT64_C(1) << 48) + 1;
    refused(TCR_SLOT_KEYS, "zones[0].keys[1] has a date that is none");

    tcr_build_destroy(b);
}


static void
certs(void)
{
    void                   *data;
    tcr_build_t            *b = fixture_certs(&data, &size);
    tcr_img_certs_t        *r;
    tcr_img_certificate_t  *c;

    good = data;
    image = realloc(image, size);
    start();

    r = (void *) root;
    c = ELEMENT(r->certificates, tcr_img_certificate_t, 0);

    c[1].type = TCR_CERT_RSA;
    refused(TCR_SLOT_CERTS, "certificates[1] of \"*.vod.example.net\" does "
            "not come behind");
    c[2].host = c[0].host;
    refused(TCR_SLOT_CERTS, "certificates[2] of \"*.vod.example.net\" does "
            "not come behind");
    c[1].chain = (tcr_img_vec_t) { 0, 0 };
    refused(TCR_SLOT_CERTS, "certificates[1] has no chain");

    tcr_build_destroy(b);
}


int
main(void)
{
    void         *data;
    tcr_build_t  *b;

    b = fixture_routing(1, &data, &size);
    good = data;
    image = malloc(size);
    start();

    intervals();
    groups();
    caches();
    services();
    matching();
    names();
    chains();
    policies();
    tcr_build_destroy(b);
    health();
    overlay();
    keys();
    certs();
    endless();
    free(image);

    return done();
}
