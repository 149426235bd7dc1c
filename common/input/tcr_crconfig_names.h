/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A table from names to numbers, made once for a known count, for finding
 * services and groups while caches are read.  Not inside a request.
 */

#ifndef TCR_CRCONFIG_NAMES_H_INCLUDED
#define TCR_CRCONFIG_NAMES_H_INCLUDED

#include "tcr_arena.h"


typedef struct {
    tcr_str_t  name;              /* data NULL = free                        */
    uint32_t   hash;
    uint32_t   value;
} tcr_name_slot_t;

typedef struct {
    tcr_name_slot_t  *slots;
    size_t            mask;
    size_t            left;       /* names there is still room for           */
} tcr_names_t;


/* Room for n names, from the arena.  -1: out of memory. */
int tcr_names_init(tcr_names_t *names, tcr_arena_t *arena, size_t n);

bool tcr_names_find(const tcr_names_t *names, tcr_str_t name, uint32_t *value);

/*
 * Adds a name that is not in the table; its bytes must outlive it.  False when
 * there is no room left.
 */
bool tcr_names_add(tcr_names_t *names, tcr_str_t name, uint32_t value);


#endif /* TCR_CRCONFIG_NAMES_H_INCLUDED */
