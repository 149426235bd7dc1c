/* SPDX-License-Identifier: Apache-2.0 */

/* The schedule of keys that are made here. */

#include "tcr_keys_plan.h"

#include "tcr_keys.h"
#include "tcr_keys_make.h"

#define KEEP     (7 * 86400)      /* longer than any TTL of ours             */
#define MAX_TTL  86400            /* the SOA's default (spec/dns.md §2)      */


static int64_t
life(const tcr_keys_plan_t *plan, uint16_t flags)
{
    return flags == TCR_DNSKEY_KSK ? plan->ksk_life : plan->zsk_life;
}


/* The zone's key of that kind that expires last, or NULL. */
static const tcr_dnsseckey_t *
latest(const tcr_keys_store_t *s, tcr_str_t zone, uint16_t flags)
{
    size_t                  i;
    const tcr_dnsseckey_t  *k, *found = NULL;

    for (i = 0; i < s->n; i++) {
        k = &s->items[i];

        if (k->flags == flags && tcr_str_eq(k->zone, zone)
            && (found == NULL || k->expiration > found->expiration))
        {
            found = k;
        }
    }

    return found;
}


static int
add(const tcr_keys_plan_t *plan, tcr_keys_store_t *s, tcr_str_t zone,
    uint16_t flags, int64_t effective, int64_t expiration,
    tcr_keys_did_pt did, tcr_err_t *err)
{
    tcr_dnsseckey_t  key = {
        .zone = tcr_arena_strdup(s->arena, zone), .flags = flags,
        .algorithm = (uint8_t) plan->algorithm, .ttl = plan->ttl,
        .inception = plan->now, .effective = effective,
        .expiration = expiration
    };

    if (key.zone.data == NULL
        || tcr_keys_make(plan->algorithm, s->arena, &key.public_key,
                         &key.private_key, err) != 0
        || tcr_keys_store_add(s, &key, err) != 0)
    {
        return -1;
    }

    did("made", &key);
    return 0;
}


int
tcr_keys_plan_first(const tcr_keys_plan_t *plan, tcr_keys_store_t *s,
    tcr_str_t zone, tcr_keys_did_pt did, tcr_err_t *err)
{
    size_t    i;
    uint16_t  kinds[] = { TCR_DNSKEY_KSK, TCR_DNSKEY_ZSK };

    for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {

        if (latest(s, zone, kinds[i]) == NULL
            && add(plan, s, zone, kinds[i], plan->now - 1,
                   plan->now + life(plan, kinds[i]), did, err) != 0)
        {
            return -1;
        }
    }

    return 0;
}


/*
 * The keys' own TTL and algorithm go on: an algorithm is changed by hand, all
 * keys of a zone at once (RFC 6781 4.1.4).
 */
static int
make_next(const tcr_keys_plan_t *plan, tcr_keys_store_t *s,
    const tcr_dnsseckey_t *last, tcr_keys_did_pt did, tcr_err_t *err)
{
    int64_t          ahead, from, ready;
    tcr_keys_plan_t  own = *plan;

    own.ttl = last->ttl;
    own.algorithm = last->algorithm;
    ahead = (int64_t) plan->generation * last->ttl;

    if (last->expiration > plan->now + ahead) {
        return 0;
    }

    from = last->expiration - (int64_t) plan->effective * last->ttl;
    ready = plan->now + (int64_t) plan->effective * last->ttl;

    /* late: caches must see it first, the old one goes on although expired */
    if (last->expiration < ready) {
        from = ready;
    }

    return add(&own, s, last->zone, last->flags,
               from > plan->now ? from : plan->now,
               (last->expiration > plan->now ? last->expiration : plan->now)
               + life(plan, last->flags), did, err);
}


int
tcr_keys_plan_due(const tcr_keys_plan_t *plan, tcr_keys_store_t *s,
    tcr_keys_did_pt did, tcr_err_t *err)
{
    size_t           i, n = s->n;
    tcr_dnsseckey_t  last;

    for (i = 0; i < n; i++) {

        if (latest(s, s->items[i].zone, s->items[i].flags) != &s->items[i]) {
            continue;
        }

        last = s->items[i];       /* adding may move the items */

        if (make_next(plan, s, &last, did, err) != 0) {
            return -1;
        }
    }

    return 0;
}


int
tcr_keys_plan_force(const tcr_keys_plan_t *plan, tcr_keys_store_t *s,
    tcr_str_t zone, uint16_t flags, tcr_keys_did_pt did, tcr_err_t *err)
{
    size_t                  i;
    int64_t                 end;
    tcr_keys_plan_t         own = *plan;
    const tcr_dnsseckey_t  *last = latest(s, zone, flags);

    if (last == NULL) {
        return tcr_err_set(err, "zone \"%.*s\" has no %s, `tcrouter keys "
                           "generate` makes the first ones",
                           TCR_STR_ARG(zone),
                           flags == TCR_DNSKEY_KSK ? "KSK" : "ZSK");
    }

    own.ttl = last->ttl;
    own.algorithm = last->algorithm;
    end = plan->now + (int64_t) plan->effective * last->ttl;

    for (i = 0; i < s->n; i++) {

        if (s->items[i].flags == flags && s->items[i].expiration > end
            && tcr_str_eq(s->items[i].zone, zone))
        {
            s->items[i].expiration = end;
        }
    }

    return add(&own, s, zone, flags, plan->now, end + life(plan, flags), did,
               err);
}


/* --- roles --- */

static void
fill(const tcr_dnsseckey_t *from, const tcr_ds_known_t *known,
    tcr_img_key_t *to)
{
    char                         ds[TCR_DS_TEXT];
    const tcr_ds_known_entry_t  *found = NULL;

    to->flags = from->flags;
    to->inception = from->inception;
    to->effective = from->effective;
    to->expiration = from->expiration;

    if (from->flags == TCR_DNSKEY_KSK
        && tcr_dnsseckey_ds_text(from, ds) == 0)
    {
        found = tcr_ds_known_find(known, from->zone, tcr_str(ds));
    }

    to->ds_known = found != NULL ? found->since : 0;
}


uint8_t *
tcr_keys_plan_roles(const tcr_keys_store_t *s, const tcr_ds_known_t *known,
    int64_t now)
{
    size_t           i, k, n, *place;
    uint8_t         *roles, *own;
    tcr_img_key_t   *keys;
    tcr_zone_keys_t  zone;

    roles = tcr_arena_calloc(s->arena, s->n + 1, 1);
    own = tcr_arena_calloc(s->arena, s->n + 1, 1);
    keys = tcr_arena_calloc(s->arena, s->n + 1, sizeof(*keys));
    place = tcr_arena_calloc(s->arena, s->n + 1, sizeof(*place));

    if (roles == NULL || own == NULL || keys == NULL || place == NULL) {
        return NULL;
    }

    /* zone by zone, from the first key of each */
    for (i = 0; i < s->n; i++) {

        for (k = 0, n = 0; k < s->n; k++) {

            if (tcr_str_eq(s->items[k].zone, s->items[i].zone)) {
                fill(&s->items[k], known, &keys[n]);
                place[n++] = k;
            }
        }

        if (place[0] != i) {
            continue;
        }

        zone = (tcr_zone_keys_t) { keys, n, true, MAX_TTL };
        (void) tcr_keys_roles(&zone, now, own);

        for (k = 0; k < n; k++) {
            roles[place[k]] = own[k];
        }
    }

    return roles;
}


int
tcr_keys_plan_clean(const tcr_keys_plan_t *plan, tcr_keys_store_t *s,
    const tcr_ds_known_t *known, tcr_keys_did_pt did, tcr_err_t *err)
{
    size_t    i;
    uint8_t  *roles = tcr_keys_plan_roles(s, known, plan->now);

    if (roles == NULL) {
        return tcr_err_set(err, "out of memory");
    }

    for (i = s->n; i != 0; i--) {

        if ((roles[i - 1] & TCR_ROLE_SIGNS) == 0
            && s->items[i - 1].expiration < plan->now - KEEP
            && latest(s, s->items[i - 1].zone, s->items[i - 1].flags)
               != &s->items[i - 1])
        {
            did("removed", &s->items[i - 1]);
            tcr_keys_store_remove(s, i - 1);
        }
    }

    return 0;
}
