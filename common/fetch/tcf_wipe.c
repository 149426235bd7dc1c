/* SPDX-License-Identifier: Apache-2.0 */

/*
 * OpenSSL wipes keys, but not its buffers of records, in which keys of others
 * and a password came and went.
 */

#include "tcf_wipe.h"

#include <openssl/crypto.h>
#include <stdlib.h>

#include "tcr_wipe.h"


static void *
get(size_t size, const char *file, int line)
{
    (void) file;
    (void) line;

    return size != 0 ? malloc(size) : NULL;
}


static void *
resize(void *p, size_t size, const char *file, int line)
{
    (void) file;
    (void) line;

    return tcr_wipe_realloc(p, size);
}


static void
give_back(void *p, const char *file, int line)
{
    (void) file;
    (void) line;
    tcr_wipe_free(p);
}


void
tcf_wipe_openssl(void)
{
    CRYPTO_set_mem_functions(get, resize, give_back);
}
