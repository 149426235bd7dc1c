/* SPDX-License-Identifier: Apache-2.0 */

/*
 * MD5 and SHA-256 through OpenSSL.
 */

/*
 * MD5's own functions instead of EVP, which allocates a state for each
 * digest and so takes twice as long (OpenSSL deprecates them as it does MD5).
 */
#define OPENSSL_SUPPRESS_DEPRECATED

#include "tcr_digest.h"

#include <openssl/evp.h>
#include <openssl/md5.h>
#include <stdlib.h>


struct tcr_md5_s {
    MD5_CTX  ctx;
};


tcr_md5_t *
tcr_md5_create(void)
{
    return calloc(1, sizeof(tcr_md5_t));
}


void
tcr_md5_destroy(tcr_md5_t *md5)
{
    free(md5);
}


void
tcr_md5(tcr_md5_t *md5, tcr_str_t s, uint8_t out[16])
{
    /* these have no way to fail */
    MD5_Init(&md5->ctx);
    MD5_Update(&md5->ctx, s.data, s.len);
    MD5_Final(out, &md5->ctx);
}


/* Eight bytes, the most significant one first. */
static uint64_t
big_endian(const uint8_t *p)
{
    size_t    i;
    uint64_t  n;

    for (i = 0, n = 0; i < sizeof(n); i++) {
        n = n << 8 | p[i];
    }

    return n;
}


double
tcr_md5_point(tcr_md5_t *md5, tcr_str_t s)
{
    uint8_t  out[16];

    tcr_md5(md5, s, out);

    /* the compiler's conversion rounds to nearest, ties to even */
    return (double) ((unsigned __int128) big_endian(out) << 64
                     | big_endian(out + 8));
}


int
tcr_sha256(const void *data, size_t len, uint8_t out[32])
{
    return EVP_Digest(data, len, out, NULL, EVP_sha256(), NULL) == 1 ? 0 : -1;
}
