/* SPDX-License-Identifier: Apache-2.0 */

/* Memory that is overwritten before it is given back. */

#include "tcr_wipe.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>


void
tcr_wipe_free(void *p)
{
    if (p != NULL) {
        explicit_bzero(p, malloc_usable_size(p));
        free(p);
    }
}


void *
tcr_wipe_realloc(void *p, size_t size)
{
    void    *more;
    size_t   old = p != NULL ? malloc_usable_size(p) : 0;

    if (size == 0) {
        tcr_wipe_free(p);
        return NULL;
    }

    if (p != NULL && size <= old) {
        return p;
    }

    more = malloc(size);

    if (more != NULL && p != NULL) {
        memcpy(more, p, old);
        tcr_wipe_free(p);
    }

    return more;
}
