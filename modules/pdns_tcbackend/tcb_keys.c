/* SPDX-License-Identifier: Apache-2.0 */

/* The reader of the keys image. */

#include "tcb_keys.h"

#include <stdlib.h>

#include "tcr_keys.h"
#include "tcr_snapshot.h"


struct tcb_keys_s {
    tcr_snapshot_t  *snap;
};


tcb_keys_t *
tcb_keys_create(const char *images)
{
    tcb_keys_t  *k;

    k = calloc(1, sizeof(*k));

    if (k == NULL) {
        return NULL;
    }

    k->snap = tcr_snapshot_create(images, 1u << TCR_SLOT_KEYS);

    if (k->snap == NULL) {
        tcb_keys_destroy(k);
        return NULL;
    }

    return k;
}


void
tcb_keys_destroy(tcb_keys_t *k)
{
    if (k == NULL) {
        return;
    }

    if (k->snap != NULL) {
        tcr_snapshot_destroy(k->snap);
    }

    free(k);
}


static int
give_keys(const tcr_image_t *img, const tcr_zone_keys_t *zone, int64_t now,
    tcr_arena_t *arena, tcb_zone_keys_t *out)
{
    size_t      i;
    uint8_t    *roles;
    tcb_key_t  *key;

    roles = tcr_arena_calloc(arena, zone->n + 1, 1);
    out->keys = tcr_arena_calloc(arena, zone->n + 1, sizeof(*out->keys));

    if (roles == NULL || out->keys == NULL) {
        return -1;
    }

    (void) tcr_keys_roles(zone, now, roles);

    for (i = 0; i < zone->n; i++) {

        if (roles[i] == 0) {
            continue;
        }

        key = &out->keys[out->n++];
        key->id = (uint32_t) i + 1;
        key->flags = zone->keys[i].flags;
        key->active = (roles[i] & TCR_ROLE_SIGNS) != 0;
        key->published = (roles[i] & TCR_ROLE_PUBLISHED) != 0;
        key->content = tcr_image_str(img, zone->keys[i].private_key);
    }

    return 0;
}


int
tcb_keys_of(tcb_keys_t *k, tcr_str_t origin, int64_t now_ms,
    tcr_arena_t *arena, tcb_zone_keys_t *out, tcr_err_t *err)
{
    int                        rc;
    tcr_zone_keys_t            zone;
    const tcr_mapped_t        *mapped;
    const tcr_img_key_zone_t  *found;

    memset(out, 0, sizeof(*out));
    rc = tcr_snapshot_refresh(k->snap, now_ms, err) < 0 ? 1 : 0;
    mapped = tcr_snapshot_current(k->snap)->slots[TCR_SLOT_KEYS];

    if (mapped == NULL) {
        return rc;
    }

    found = tcr_keys_zone(&mapped->img, origin);

    if (found == NULL) {
        return rc;
    }

    zone = tcr_keys_of(&mapped->img, found);
    out->denial = (tcr_denial_e) found->denial;

    if (give_keys(&mapped->img, &zone, now_ms / 1000, arena, out) != 0) {
        return -1;
    }

    return rc;
}
