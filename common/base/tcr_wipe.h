/* SPDX-License-Identifier: Apache-2.0 */

/*
 * free() and realloc() that leave nothing of what was there: for memory that
 * holds secrets, and to lend to libraries that see them.
 */

#ifndef TCR_WIPE_H_INCLUDED
#define TCR_WIPE_H_INCLUDED

#include <stddef.h>


/* p may be NULL. */
void tcr_wipe_free(void *p);

/* As realloc(3), of size 0 as free(3).  NULL: no memory, p is as it was. */
void *tcr_wipe_realloc(void *p, size_t size);


#endif /* TCR_WIPE_H_INCLUDED */
