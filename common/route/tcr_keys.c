/* SPDX-License-Identifier: Apache-2.0 */

/* The schedule of DNSSEC keys. */

#include "tcr_keys.h"


tcr_zone_keys_t
tcr_keys_of(const tcr_image_t *img, const tcr_img_key_zone_t *zone)
{
    const tcr_img_keys_t  *root = tcr_image_root(img);

    return (tcr_zone_keys_t) {
        .keys = tcr_image_vec(img, &zone->keys),
        .n = zone->keys.n,
        .allow_expired = (root->flags & TCR_KEYS_ALLOW_EXPIRED) != 0,
        .max_ttl = zone->max_ttl
    };
}


const tcr_img_key_zone_t *
tcr_keys_zone(const tcr_image_t *img, tcr_str_t origin)
{
    uint32_t                   v;
    tcr_map_iter_t             it;
    const tcr_img_keys_t      *root = tcr_image_root(img);
    const tcr_img_key_zone_t  *zones = tcr_image_vec(img, &root->zones);

    for (v = tcr_map_first(img, &root->zone_map, origin, &it);
         v != TCR_NONE;
         v = tcr_map_next(&it))
    {
        if (tcr_str_eq(tcr_image_str(img, zones[v].origin), origin)) {
            return &zones[v];
        }
    }

    return NULL;
}


static bool
is_effective(const tcr_img_key_t *key, int64_t now)
{
    return key->effective < now;
}


static bool
is_expired(const tcr_img_key_t *key, int64_t now)
{
    return key->expiration < now;
}


/* Answers given under the key are kept for as long as max_ttl afterwards. */
static bool
is_published(const tcr_zone_keys_t *zone, const tcr_img_key_t *key,
    int64_t now)
{
    return zone->allow_expired || key->expiration > now - zone->max_ttl;
}


/* May k sign in place of c? */
static bool
is_better(const tcr_img_key_t *k, const tcr_img_key_t *c, int64_t now)
{
    if (is_expired(c, now)) {
        return !is_expired(k, now) || k->effective > c->effective;
    }

    return !is_expired(k, now) && k->effective < c->effective;
}


static bool
is_known(const tcr_img_key_t *key, int64_t now)
{
    return key->ds_known != 0 && key->ds_known < now;
}


/* Has anybody looked for the zone's DS, and found one? */
static bool
has_known(const tcr_zone_keys_t *zone, uint32_t kind, int64_t now)
{
    size_t  i;

    for (i = 0; i < zone->n; i++) {

        if (zone->keys[i].flags == kind && is_known(&zone->keys[i], now)) {
            return true;
        }
    }

    return false;
}


/* The key of that kind that signs; n when there is none. */
static size_t
signing_key(const tcr_zone_keys_t *zone, uint32_t kind, int64_t now)
{
    bool                  known;
    size_t                i, chosen;
    const tcr_img_key_t  *k;

    chosen = zone->n;
    known = has_known(zone, kind, now);

    for (i = 0; i < zone->n; i++) {
        k = &zone->keys[i];

        if (k->flags != kind || !is_effective(k, now)
            || (is_expired(k, now) && !zone->allow_expired)
            || (known && !is_known(k, now)))
        {
            continue;
        }

        if (chosen == zone->n || is_better(k, &zone->keys[chosen], now)) {
            chosen = i;
        }
    }

    return chosen;
}


bool
tcr_keys_roles(const tcr_zone_keys_t *zone, int64_t now, uint8_t *roles)
{
    bool    is_signed;
    size_t  i, ksk, zsk;

    ksk = signing_key(zone, TCR_DNSKEY_KSK, now);
    zsk = signing_key(zone, TCR_DNSKEY_ZSK, now);
    is_signed = ksk != zone->n && zsk != zone->n;

    for (i = 0; i < zone->n; i++) {
        roles[i] = 0;

        if (is_signed && is_published(zone, &zone->keys[i], now)) {
            roles[i] |= TCR_ROLE_PUBLISHED;
        }

        if (is_signed && (i == ksk || i == zsk)) {
            roles[i] |= TCR_ROLE_SIGNS;
        }
    }

    return is_signed;
}


static void
keep_earlier(int64_t moment, int64_t now, int64_t *next)
{
    if (moment > now && moment < *next) {
        *next = moment;
    }
}


int64_t
tcr_keys_next(const tcr_zone_keys_t *zone, int64_t now)
{
    size_t                i;
    int64_t               next;
    const tcr_img_key_t  *k;

    next = INT64_MAX;

    /* comparisons above are strict: what changes does so a second later */
    for (i = 0; i < zone->n; i++) {
        k = &zone->keys[i];
        keep_earlier(k->effective + 1, now, &next);
        keep_earlier(k->expiration + 1, now, &next);

        if (k->ds_known != 0) {
            keep_earlier(k->ds_known + 1, now, &next);
        }

        if (!zone->allow_expired) {
            keep_earlier(k->expiration + zone->max_ttl, now, &next);
        }
    }

    return next;
}
