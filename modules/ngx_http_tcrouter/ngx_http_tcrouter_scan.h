/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A walk through a small JSON text without building anything: each scalar is
 * told with the names on the way to it.  For our own status file; nginx links
 * no JSON library.
 */

#ifndef NGX_HTTP_TCROUTER_SCAN_H_INCLUDED
#define NGX_HTTP_TCROUTER_SCAN_H_INCLUDED

#include "tcr_arena.h"

#define NGX_HTTP_TCROUTER_SCAN_DEPTH  16


typedef struct {
    tcr_str_t  name;              /* absent: an element of an array          */
    uint32_t   index;             /* of a member or element, from 0          */
} ngx_http_tcrouter_scan_step_t;

/*
 * value is good until the arena goes.  text: it was a string; else one of
 * numbers, true, false, null as written.
 */
typedef void (*ngx_http_tcrouter_scan_pt)(void *ctx,
    const ngx_http_tcrouter_scan_step_t *path, size_t depth, tcr_str_t value,
    bool text);

/* -1: malformed, too deep, or no memory; what came before was told. */
int ngx_http_tcrouter_scan(tcr_str_t json, tcr_arena_t *arena,
    ngx_http_tcrouter_scan_pt tell, void *ctx);


#endif /* NGX_HTTP_TCROUTER_SCAN_H_INCLUDED */
