/* SPDX-License-Identifier: Apache-2.0 */

/* Keys on their way from the document into their image. */

#include "tcr_compile_keys.h"

#include "tcr_crconfig_names.h"
#include "tcr_zones.h"

#define MOMENT_MAX  ((int64_t) 1 << 48)   /* tcr_image_rules_keys            */
#define ALGORITHM_NSEC3  6        /* DSA-NSEC3-SHA1, RFC 5155 2              */
#define SOA_TTL     86400                 /* spec/dns.md §2                  */


/* Keys of one zone: a list through the document's, in its order. */
typedef struct {
    tcr_str_t  origin;
    uint32_t   first, last, n;
} group_t;

typedef struct {
    const tcr_keys_input_t  *in;
    tcr_arena_t             *arena;
    tcr_build_t             *b;
    group_t                 *groups;
    uint32_t                 n_groups;
    uint32_t                *next;        /* key behind a key, or TCR_NONE   */
    tcr_report_t            *report;
    tcr_err_t               *err;
} keys_t;


static int
group_keys(keys_t *k)
{
    uint32_t                 i, at;
    tcr_names_t              names;
    const tcr_dnsseckeys_t  *keys = k->in->keys;

    k->groups = tcr_arena_calloc(k->arena, keys->n + 1, sizeof(*k->groups));
    k->next = tcr_arena_calloc(k->arena, keys->n + 1, sizeof(*k->next));

    if (k->groups == NULL || k->next == NULL
        || tcr_names_init(&names, k->arena, keys->n) != 0)
    {
        return tcr_err_set(k->err, "out of memory while compiling keys");
    }

    for (i = 0; i < keys->n; i++) {
        k->next[i] = TCR_NONE;

        if (tcr_names_find(&names, keys->items[i].zone, &at)) {
            k->next[k->groups[at].last] = i;

        } else {
            at = k->n_groups++;
            k->groups[at].origin = keys->items[i].zone;
            k->groups[at].first = i;
            tcr_names_add(&names, keys->items[i].zone, at);
        }

        k->groups[at].last = i;
        k->groups[at].n++;
    }

    return 0;
}


static int64_t
moment(int64_t t)
{
    return t < MOMENT_MAX ? t : MOMENT_MAX;
}


static int
add_key(keys_t *k, const tcr_dnsseckey_t *key, tcr_img_key_t *out)
{
    char                         ds[TCR_DS_TEXT];
    const tcr_ds_known_entry_t  *known;

    out->flags = key->flags;
    out->algorithm = key->algorithm;
    out->ttl = key->ttl;
    out->tag = key->tag;
    out->inception = moment(key->inception);
    out->effective = moment(key->effective);
    out->expiration = moment(key->expiration);
    out->public_key = tcr_build_str(k->b, key->public_key);
    out->private_key = tcr_build_str_copy(k->b, key->private_key);

    if ((key->flags & TCR_DNSSEC_SEP) == 0) {
        return 0;
    }

    if (tcr_dnsseckey_ds_text(key, ds) != 0) {
        return tcr_err_set(k->err, "cannot make the DS of key %u of \"%.*s\"",
                           key->tag, TCR_STR_ARG(key->zone));
    }

    known = tcr_ds_known_find(k->in->known, key->zone, tcr_str(ds));
    out->ds_known = known != NULL ? moment(known->since) : 0;
    return 0;
}


uint32_t
tcr_compile_keys_ttl(const tcr_image_t *img, tcr_str_t origin)
{
    uint32_t                   i, n, ttl;
    const tcr_img_name_t      *names;
    const tcr_img_rrset_t     *sets;
    const tcr_img_routing_t   *root;
    const tcr_img_dns_zone_t  *zone = tcr_zones_named(img, origin);

    if (zone == NULL) {
        return SOA_TTL;
    }

    root = tcr_image_root(img);
    names = tcr_image_vec(img, &root->dns.names);
    names += zone->first_name;

    for (i = 0, ttl = 0; i < zone->n_names; i++) {
        sets = tcr_image_vec(img, &names[i].rrsets);

        for (n = 0; n < names[i].rrsets.n; n++) {
            ttl = sets[n].ttl > ttl ? sets[n].ttl : ttl;
        }
    }

    return ttl;
}


/*
 * Validators that know RSASHA1 (5) or less may know no NSEC3, so with such a
 * key it must not be used (RFC 5155, 2).
 */
static tcr_denial_e
denial(keys_t *k, const group_t *group)
{
    uint32_t  key;

    if (k->in->denial == TCR_DENIAL_NSEC) {
        return TCR_DENIAL_NSEC;
    }

    for (key = group->first; key != TCR_NONE; key = k->next[key]) {

        if (k->in->keys->items[key].algorithm < ALGORITHM_NSEC3) {
            tcr_report_add(k->report, TCR_REPORT_WARNING, "zone \"%.*s\" "
                           "stays with NSEC: a key has algorithm %u, NSEC3 "
                           "goes with %d and more",
                           TCR_STR_ARG(group->origin),
                           k->in->keys->items[key].algorithm,
                           ALGORITHM_NSEC3);
            return TCR_DENIAL_NSEC;
        }
    }

    return k->in->denial;
}


static int
add_zone(keys_t *k, const group_t *group, tcr_img_key_zone_t *out)
{
    uint32_t        i, key;
    tcr_img_key_t  *keys;

    keys = tcr_arena_calloc(k->arena, group->n, sizeof(*keys));

    if (keys == NULL) {
        return tcr_err_set(k->err, "out of memory while compiling keys");
    }

    for (i = 0, key = group->first; key != TCR_NONE; key = k->next[key]) {

        if (add_key(k, &k->in->keys->items[key], &keys[i++]) != 0) {
            return -1;
        }
    }

    out->origin = tcr_build_str(k->b, group->origin);
    out->max_ttl = tcr_compile_keys_ttl(k->in->routing, group->origin);
    out->denial = denial(k, group);
    out->keys = tcr_build_array(k->b, keys, i, sizeof(*keys),
                                _Alignof(tcr_img_key_t));
    return 0;
}


/* Keys of a zone that nobody knows do no harm. */
static bool
is_wanted(const keys_t *k, tcr_str_t origin)
{
    const tcr_img_dns_zone_t  *zone = tcr_zones_named(k->in->routing, origin);

    return zone == NULL || (zone->flags & TCR_ZONE_DNSSEC) != 0;
}


static int
add_zones(keys_t *k)
{
    uint32_t             i, n = 0;
    tcr_str_t           *origins;
    tcr_img_keys_t       root = { 0 };
    tcr_img_key_zone_t  *zones;

    if (group_keys(k) != 0) {
        return -1;
    }

    origins = tcr_arena_calloc(k->arena, k->n_groups + 1u, sizeof(*origins));
    zones = tcr_arena_calloc(k->arena, k->n_groups + 1u, sizeof(*zones));

    if (origins == NULL || zones == NULL) {
        return tcr_err_set(k->err, "out of memory while compiling keys");
    }

    for (i = 0; i < k->n_groups; i++) {

        if (!is_wanted(k, k->groups[i].origin)) {
            continue;
        }

        origins[n] = k->groups[i].origin;

        if (add_zone(k, &k->groups[i], &zones[n++]) != 0) {
            return -1;
        }
    }

    root.flags = k->in->allow_expired ? TCR_KEYS_ALLOW_EXPIRED : 0;
    root.zones = tcr_build_array(k->b, zones, n, sizeof(*zones),
                                 _Alignof(tcr_img_key_zone_t));
    root.zone_map = tcr_build_map(k->b, origins, n);
    memcpy(tcr_build_root(k->b), &root, sizeof(root));
    return 0;
}


int
tcr_compile_keys(const tcr_keys_input_t *in, tcr_build_t **out,
    tcr_report_t *report, tcr_err_t *err)
{
    int     rc;
    keys_t  k = { .in = in, .report = report, .err = err };

    k.arena = tcr_arena_create(0);
    k.b = tcr_build_create(TCR_SLOT_KEYS, sizeof(tcr_img_keys_t));

    if (k.arena == NULL || k.b == NULL) {
        rc = tcr_err_set(err, "out of memory while compiling keys");

    } else {
        rc = in->keys != NULL ? add_zones(&k) : 0;
    }

    if (rc == 0) {
        *out = k.b;

    } else {
        tcr_build_destroy(k.b);
    }

    tcr_arena_destroy(k.arena);
    return rc;
}


int64_t
tcr_compile_keys_next(const tcr_image_t *keys, int64_t now)
{
    int64_t                    next, first = INT64_MAX;
    uint32_t                   i;
    tcr_zone_keys_t            zone;
    const tcr_img_keys_t      *root = tcr_image_root(keys);
    const tcr_img_key_zone_t  *zones = tcr_image_vec(keys, &root->zones);

    for (i = 0; i < root->zones.n; i++) {
        zone = tcr_keys_of(keys, &zones[i]);
        next = tcr_keys_next(&zone, now);
        first = next < first ? next : first;
    }

    return first;
}
