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


/*
 * Blocks of 64 bytes; behind the text come a bit and, in the last eight
 * bytes, its length in bits (RFC 1321, 3.1 and 3.2).  With MD5_Update and
 * MD5_Final, which keep what is left over and wipe it, a short text takes a
 * quarter longer.
 */
static void
digest(MD5_CTX *ctx, tcr_str_t s)
{
    size_t    i, n;
    uint8_t   tail[2 * MD5_CBLOCK];
    uint64_t  bits = (uint64_t) s.len * 8;

    MD5_Init(ctx);

    for ( ; s.len >= MD5_CBLOCK; s.data += MD5_CBLOCK, s.len -= MD5_CBLOCK) {
        MD5_Transform(ctx, (const uint8_t *) s.data);
    }

    n = s.len < MD5_CBLOCK - sizeof(bits) ? MD5_CBLOCK : 2 * MD5_CBLOCK;
    memset(tail, 0, n);

    if (s.len != 0) {
        memcpy(tail, s.data, s.len);
    }

    tail[s.len] = 0x80;

    for (i = n - sizeof(bits); i < n; i++, bits >>= 8) {
        tail[i] = (uint8_t) bits;
    }

    for (i = 0; i < n; i += MD5_CBLOCK) {
        MD5_Transform(ctx, tail + i);
    }
}


double
tcr_md5_point(tcr_md5_t *md5, tcr_str_t s)
{
    uint64_t        hi, lo;
    const MD5_CTX  *ctx = &md5->ctx;

    digest(&md5->ctx, s);

    /* the digest's bytes are the words', the lowest one first */
    hi = (uint64_t) __builtin_bswap32(ctx->A) << 32
         | __builtin_bswap32(ctx->B);
    lo = (uint64_t) __builtin_bswap32(ctx->C) << 32
         | __builtin_bswap32(ctx->D);

    /* the compiler's conversion rounds to nearest, ties to even */
    return (double) ((unsigned __int128) hi << 64 | lo);
}


int
tcr_sha256(const void *data, size_t len, uint8_t out[32])
{
    return EVP_Digest(data, len, out, NULL, EVP_sha256(), NULL) == 1 ? 0 : -1;
}
