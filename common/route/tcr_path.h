/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside the engine only: the path that is matched and hashed.
 */

#ifndef TCR_PATH_H_INCLUDED
#define TCR_PATH_H_INCLUDED

#include "tcr_arena.h"


/*
 * The request path as the reference hashes it (spec/routing.md §6.5): ";..."
 * of each segment removed, percent escapes decoded, repeated slashes and dot
 * segments resolved, bytes that are no UTF-8 replaced by U+FFFD, a leading
 * "/crs" of a longer path removed.  A plain path comes back as it is, without
 * a copy.  data == NULL when memory is out.
 */
tcr_str_t tcr_path_decode(const tcr_mem_t *mem, tcr_str_t raw);

/* Value of a hexadecimal digit, -1 for another byte. */
int tcr_hex_digit(char c);


#endif /* TCR_PATH_H_INCLUDED */
