/* SPDX-License-Identifier: Apache-2.0 */

/*
 * DS of the zones that are signed: of each published KSK one, SHA-256
 * (spec/dns.md §8.5).
 *
 * A resolver that sees a DS and no key behind it calls the zone bogus.  The
 * DNS server learns of new keys a little after they were published, so a new
 * DS waits; and a DS has an end where its zone's signatures have one.
 */

#include "tcr_compile_ds.h"

#include "tcr_dnsseckeys.h"
#include "tcr_keys.h"

/*
 * PowerDNS keeps keys for 30 s and metadata for 60 s unless it is told
 * otherwise (dnssec-key-cache-ttl, zone-metadata-cache-ttl).
 */
#define DELAY  70


typedef struct {
    const tcr_ds_input_t  *in;
    tcr_arena_t           *arena;
    tcr_build_t           *b;
    tcr_img_ds_t          *out;
    tcr_str_t             *owners;
    uint32_t               n;
    tcr_err_t             *err;
} ds_t;


/* When the DS began to be shown; now + DELAY when it is a new one. */
static int64_t
since(const ds_t *d, tcr_str_t owner, tcr_str_t text)
{
    uint32_t                  v;
    tcr_map_iter_t            it;
    const tcr_image_t        *img = d->in->previous;
    const tcr_img_ds_t       *all;
    const tcr_img_overlay_t  *root;

    if (img == NULL) {
        return 0;
    }

    root = tcr_image_root(img);
    all = tcr_image_vec(img, &root->ds);

    for (v = tcr_map_first(img, &root->ds_map, owner, &it);
         v != TCR_NONE;
         v = tcr_map_next(&it))
    {
        if (tcr_str_eq(tcr_image_str(img, all[v].owner), owner)
            && tcr_str_eq(tcr_image_str(img, all[v].text), text))
        {
            return all[v].since;
        }
    }

    return d->in->now + DELAY;
}


/* When the last key of that kind ends to sign. */
static int64_t
last_expiration(const tcr_zone_keys_t *zone, uint32_t kind)
{
    size_t   i;
    int64_t  last = 0;

    for (i = 0; i < zone->n; i++) {

        if (zone->keys[i].flags == kind && zone->keys[i].expiration > last) {
            last = zone->keys[i].expiration;
        }
    }

    return last;
}


static int64_t
lower(int64_t a, int64_t b)
{
    return a < b ? a : b;
}


/* First second in which the key or the zone's signatures are gone. */
static int64_t
until(const tcr_zone_keys_t *zone, const tcr_img_key_t *key)
{
    int64_t  end;

    if (zone->allow_expired) {
        return INT64_MAX;
    }

    end = lower(last_expiration(zone, TCR_DNSKEY_KSK),
                last_expiration(zone, TCR_DNSKEY_ZSK)) + 1;

    return lower(end, key->expiration + zone->max_ttl);
}


static int
add_ds(ds_t *d, tcr_str_t owner, const tcr_zone_keys_t *zone,
    const tcr_img_key_t *key)
{
    char             text[TCR_DS_TEXT];
    tcr_img_ds_t    *out = &d->out[d->n];
    tcr_dnsseckey_t  from = {
        .zone = owner, .flags = (uint16_t) key->flags,
        .algorithm = (uint8_t) key->algorithm, .tag = (uint16_t) key->tag,
        .public_key = tcr_image_str(d->in->keys, key->public_key)
    };

    if (tcr_dnsseckey_ds_text(&from, text) != 0) {
        return tcr_err_set(d->err, "cannot make the DS of key %u of \"%.*s\"",
                           key->tag, TCR_STR_ARG(owner));
    }

    out->owner = tcr_build_str(d->b, owner);
    out->text = tcr_build_str(d->b, tcr_str(text));
    out->ttl = d->in->ttl;
    out->reserved = 0;
    out->since = since(d, owner, tcr_str(text));
    out->until = until(zone, key);
    d->owners[d->n++] = owner;
    return 0;
}


static int
add_zone(ds_t *d, const tcr_img_key_zone_t *from)
{
    size_t           i;
    uint8_t         *roles;
    tcr_str_t        owner = tcr_image_str(d->in->keys, from->origin);
    tcr_zone_keys_t  zone = tcr_keys_of(d->in->keys, from);

    roles = tcr_arena_calloc(d->arena, zone.n + 1, 1);

    if (roles == NULL) {
        return tcr_err_set(d->err, "out of memory while compiling DS");
    }

    (void) tcr_keys_roles(&zone, d->in->now, roles);

    for (i = 0; i < zone.n; i++) {

        if (zone.keys[i].flags == TCR_DNSKEY_KSK
            && (roles[i] & TCR_ROLE_PUBLISHED) != 0
            && add_ds(d, owner, &zone, &zone.keys[i]) != 0)
        {
            return -1;
        }
    }

    return 0;
}


int
tcr_compile_ds(const tcr_ds_input_t *in, tcr_arena_t *arena, tcr_build_t *b,
    tcr_img_overlay_t *root, tcr_err_t *err)
{
    size_t                     n;
    uint32_t                   i;
    ds_t                       d = { in, arena, b, NULL, NULL, 0, err };
    const tcr_img_keys_t      *keys = tcr_image_root(in->keys);
    const tcr_img_key_zone_t  *zones = tcr_image_vec(in->keys, &keys->zones);

    for (i = 0, n = 1; i < keys->zones.n; i++) {
        n += zones[i].keys.n;
    }

    d.out = tcr_arena_calloc(arena, n, sizeof(*d.out));
    d.owners = tcr_arena_calloc(arena, n, sizeof(*d.owners));

    if (d.out == NULL || d.owners == NULL) {
        return tcr_err_set(err, "out of memory while compiling DS");
    }

    for (i = 0; i < keys->zones.n; i++) {

        if (add_zone(&d, &zones[i]) != 0) {
            return -1;
        }
    }

    root->ds = tcr_build_array(b, d.out, d.n, sizeof(*d.out),
                               _Alignof(tcr_img_ds_t));
    root->ds_map = tcr_build_map(b, d.owners, d.n);
    return 0;
}
