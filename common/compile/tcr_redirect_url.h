/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside the compiler only: absolute URLs as the reference's URL class takes
 * them apart (spec/routing.md §4.5).
 */

#ifndef TCR_REDIRECT_URL_H_INCLUDED
#define TCR_REDIRECT_URL_H_INCLUDED

#include "tcr_arena.h"


typedef struct {
    tcr_str_t  host;              /* lower case, no user, no port            */
    tcr_str_t  path;              /* without query; may be empty             */
    tcr_str_t  target;            /* path[?query], no fragment               */
} tcr_redirect_url_t;


/* "://" makes a URL absolute; without, it is a path. */
bool tcr_redirect_url_is_absolute(tcr_str_t text);

/* -1: malformed, or no memory.  text must be absolute. */
int tcr_redirect_url_parse(tcr_arena_t *arena, tcr_str_t text,
    tcr_redirect_url_t *url);


#endif /* TCR_REDIRECT_URL_H_INCLUDED */
