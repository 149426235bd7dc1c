/* SPDX-License-Identifier: Apache-2.0 */

/*
 * MD5 and SHA-256 through OpenSSL.
 */

#include "tcr_digest.h"

#include <openssl/evp.h>
#include <stdlib.h>


struct tcr_md5_s {
    EVP_MD      *md;              /* looked up once: that takes microseconds */
    EVP_MD_CTX  *ctx;
};


tcr_md5_t *
tcr_md5_create(void)
{
    tcr_md5_t  *md5;

    md5 = calloc(1, sizeof(*md5));

    if (md5 == NULL) {
        return NULL;
    }

    md5->md = EVP_MD_fetch(NULL, "MD5", NULL);
    md5->ctx = EVP_MD_CTX_new();

    if (md5->md == NULL || md5->ctx == NULL
        || EVP_DigestInit_ex2(md5->ctx, md5->md, NULL) != 1)
    {
        tcr_md5_destroy(md5);
        return NULL;
    }

    return md5;
}


void
tcr_md5_destroy(tcr_md5_t *md5)
{
    if (md5 == NULL) {
        return;
    }

    EVP_MD_CTX_free(md5->ctx);
    EVP_MD_free(md5->md);
    free(md5);
}


void
tcr_md5(tcr_md5_t *md5, tcr_str_t s, uint8_t out[16])
{
    /*
     * With the digest chosen and its state allocated, no step has a reason
     * to fail; were it to, callers would still get the same bytes each time.
     */
    if (EVP_DigestInit_ex2(md5->ctx, NULL, NULL) != 1
        || EVP_DigestUpdate(md5->ctx, s.data, s.len) != 1
        || EVP_DigestFinal_ex(md5->ctx, out, NULL) != 1)
    {
        memset(out, 0, 16);
    }
}


double
tcr_md5_point(tcr_md5_t *md5, tcr_str_t s)
{
    size_t             i;
    uint8_t            out[16];
    unsigned __int128  n = 0;

    tcr_md5(md5, s, out);

    for (i = 0; i < sizeof(out); i++) {
        n = n << 8 | out[i];
    }

    /* the compiler's conversion rounds to nearest, ties to even */
    return (double) n;
}


int
tcr_sha256(const void *data, size_t len, uint8_t out[32])
{
    return EVP_Digest(data, len, out, NULL, EVP_sha256(), NULL) == 1 ? 0 : -1;
}
