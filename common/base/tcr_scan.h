/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A walk through a small JSON text without building anything: each scalar is
 * told with the names on the way to it.  For our own status file in a server
 * that links no JSON library; it is more lenient than the reader of inputs
 * (control bytes and broken UTF-8 in strings, any word as a scalar).
 */

#ifndef TCR_SCAN_H_INCLUDED
#define TCR_SCAN_H_INCLUDED

#include "tcr_arena.h"

#define TCR_SCAN_DEPTH  16


typedef struct {
    tcr_str_t  name;              /* absent: an element of an array          */
    uint32_t   index;             /* of a member or element, from 0          */
} tcr_scan_step_t;

/*
 * value is good until the arena goes.  text: it was a string; else one of
 * numbers, true, false, null as written.
 */
typedef void (*tcr_scan_pt)(void *ctx, const tcr_scan_step_t *path,
    size_t depth, tcr_str_t value, bool text);

/* -1: malformed, too deep, or no memory; what came before was told. */
int tcr_scan(tcr_str_t json, tcr_arena_t *arena, tcr_scan_pt tell, void *ctx);


#endif /* TCR_SCAN_H_INCLUDED */
