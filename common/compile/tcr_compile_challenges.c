/* SPDX-License-Identifier: Apache-2.0 */

/*
 * ACME challenges of both sources as one list without repetitions, and the
 * names above them, which exist by them (RFC 8020).
 */

#include "tcr_compile_challenges.h"

#include "tcr_crconfig_names.h"
#include "tcr_keys.h"
#include "tcr_zones.h"


typedef struct {
    const tcr_challenges_input_t  *in;
    tcr_arena_t                   *arena;
    tcr_build_t                   *b;
    tcr_report_t                  *report;
    tcr_img_challenge_t           *out;
    tcr_str_t                     *owners;
    size_t                         n;
    tcr_names_t                    seen;      /* owner, or owner and text    */
} challenges_t;


/* Is it new?  The key's bytes outlive the list. */
static bool
note(challenges_t *c, tcr_str_t key)
{
    uint32_t  before;

    if (tcr_names_find(&c->seen, key, &before)) {
        return false;
    }

    return tcr_names_add(&c->seen, key, 0);
}


static void
put(challenges_t *c, tcr_str_t owner, tcr_str_t text, uint32_t ttl)
{
    c->owners[c->n] = owner;
    c->out[c->n].owner = tcr_build_str(c->b, owner);
    c->out[c->n].text = tcr_build_str(c->b, text);
    c->out[c->n].ttl = ttl;
    c->n++;
}


/*
 * All of them, those outside our zones too: nobody asks for these, and zones
 * come and go without a new overlay.
 */
static void
put_above(challenges_t *c, tcr_str_t name)
{
    (void) tcr_str_split(&name, '.');

    while (name.data != NULL && note(c, name)) {
        put(c, name, TCR_STR(""), 0);
        (void) tcr_str_split(&name, '.');
    }
}


static bool
is_signed(const challenges_t *c, tcr_str_t origin)
{
    uint8_t                   *roles;
    tcr_zone_keys_t            zone;
    const tcr_img_key_zone_t  *found;

    found = c->in->keys != NULL ? tcr_keys_zone(c->in->keys, origin) : NULL;

    if (found == NULL) {
        return false;
    }

    zone = tcr_keys_of(c->in->keys, found);
    roles = tcr_arena_calloc(c->arena, zone.n + 1, 1);

    return roles == NULL || tcr_keys_roles(&zone, c->in->now, roles);
}


/* Who answers for a name by a forged answer gets its certificate. */
static void
warn(challenges_t *c, tcr_str_t owner)
{
    tcr_str_t                  name = owner;
    const tcr_img_dns_zone_t  *zone = NULL;

    if (c->in->routing == NULL) {
        return;
    }

    while (name.data != NULL && zone == NULL) {
        zone = tcr_zones_named(c->in->routing, name);

        if (zone == NULL) {
            (void) tcr_str_split(&name, '.');
        }
    }

    if (zone == NULL) {
        tcr_report_add(c->report, TCR_REPORT_WARNING, "challenge \"%.*s\" is "
                       "in no zone of ours", TCR_STR_ARG(owner));

    } else if (!is_signed(c, name)) {
        tcr_report_add(c->report, TCR_REPORT_WARNING, "challenge \"%.*s\" is "
                       "in zone \"%.*s\", which is not signed: who can forge "
                       "answers can get the certificate",
                       TCR_STR_ARG(owner), TCR_STR_ARG(name));
    }
}


static int
put_list(challenges_t *c, const tcr_challenges_t *list)
{
    size_t                  i;
    char                   *key;
    const tcr_challenge_t  *item;

    for (i = 0; list != NULL && i < list->n; i++) {
        item = &list->items[i];
        key = tcr_arena_printf(c->arena, "%.*s %.*s",
                               TCR_STR_ARG(item->owner),
                               TCR_STR_ARG(item->text));

        if (key == NULL) {
            return -1;
        }

        if (note(c, tcr_str(key))) {
            put(c, item->owner, item->text, item->ttl);
            put_above(c, item->owner);
            warn(c, item->owner);
        }
    }

    return 0;
}


/* Names above, counted before they are known to be others' as well. */
static size_t
count(const tcr_challenges_t *list)
{
    size_t  i, k, n = 0;

    for (i = 0; list != NULL && i < list->n; i++) {
        n++;

        for (k = 0; k < list->items[i].owner.len; k++) {
            n += list->items[i].owner.data[k] == '.';
        }
    }

    return n;
}


int
tcr_compile_challenges(const tcr_challenges_input_t *in, tcr_arena_t *arena,
    tcr_build_t *b, tcr_img_overlay_t *root, tcr_report_t *report)
{
    size_t        n = count(in->ops) + count(in->local);
    challenges_t  c = {
        .in = in, .arena = arena, .b = b, .report = report
    };

    c.out = tcr_arena_calloc(arena, n + 1, sizeof(*c.out));
    c.owners = tcr_arena_calloc(arena, n + 1, sizeof(*c.owners));

    if (c.out == NULL || c.owners == NULL
        || tcr_names_init(&c.seen, arena, n) != 0
        || put_list(&c, in->ops) != 0 || put_list(&c, in->local) != 0)
    {
        return -1;
    }

    root->challenges = tcr_build_array(b, c.out, c.n, sizeof(*c.out),
                                       _Alignof(tcr_img_challenge_t));
    root->challenge_map = tcr_build_map(b, c.owners, c.n);

    return tcr_chain_challenges(in->routing, c.owners, c.n, arena, b,
                                &root->hashed);
}
