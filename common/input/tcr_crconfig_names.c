/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Names to numbers: open addressing, at most half full.
 */

#include "tcr_crconfig_names.h"


int
tcr_names_init(tcr_names_t *names, tcr_arena_t *arena, size_t n)
{
    size_t  size = 8;

    memset(names, 0, sizeof(*names));

    while (size / 2 < n) {
        if (size > SIZE_MAX / 2) {
            return -1;
        }

        size *= 2;
    }

    names->slots = tcr_arena_calloc(arena, size, sizeof(tcr_name_slot_t));

    if (names->slots == NULL) {
        return -1;
    }

    names->mask = size - 1;
    names->left = n;
    return 0;
}


/* The slot of the name, or the free one where it belongs. */
static tcr_name_slot_t *
slot_of(const tcr_names_t *names, tcr_str_t name, uint32_t hash)
{
    size_t            i = hash & names->mask;
    tcr_name_slot_t  *slot;

    for ( ;; ) {
        slot = &names->slots[i];

        if (slot->name.data == NULL
            || (slot->hash == hash && tcr_str_eq(slot->name, name)))
        {
            return slot;
        }

        i = (i + 1) & names->mask;
    }
}


static uint32_t
hash_of(tcr_str_t name)
{
    uint64_t  hash = tcr_str_hash(name);

    return (uint32_t) (hash ^ (hash >> 32));
}


bool
tcr_names_find(const tcr_names_t *names, tcr_str_t name, uint32_t *value)
{
    tcr_name_slot_t  *slot;

    if (names->slots == NULL) {
        return false;
    }

    slot = slot_of(names, name, hash_of(name));

    if (slot->name.data == NULL) {
        return false;
    }

    *value = slot->value;
    return true;
}


bool
tcr_names_add(tcr_names_t *names, tcr_str_t name, uint32_t value)
{
    uint32_t          hash = hash_of(name);
    tcr_name_slot_t  *slot;

    if (names->left == 0) {
        return false;
    }

    slot = slot_of(names, name, hash);
    slot->name = name;
    slot->hash = hash;
    slot->value = value;
    names->left--;
    return true;
}
