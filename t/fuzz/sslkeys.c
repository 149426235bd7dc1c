/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Fuzzes TLS certificates.  What is accepted can be read again by OpenSSL:
 * every certificate, and a key that is the first one's.
 */

#include <stdint.h>
#include <stdlib.h>

#include <openssl/x509.h>

#include "tcr_sslkeys.h"

#define NOW  1790000000


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static X509 *
read_cert(tcr_str_t der)
{
    const unsigned char  *p = (const unsigned char *) der.data;
    X509                 *cert = d2i_X509(NULL, &p, (long) der.len);

    if (cert == NULL) {
        abort();
    }

    return cert;
}


static void
check(const tcr_sslkey_t *key)
{
    size_t                i;
    X509                 *leaf = read_cert(key->chain[0]);
    EVP_PKEY             *pkey;
    const unsigned char  *p = (const unsigned char *) key->key.data;

    pkey = d2i_AutoPrivateKey(NULL, &p, (long) key->key.len);

    if (pkey == NULL || X509_check_private_key(leaf, pkey) != 1
        || key->service.len == 0 || key->hostname.len == 0
        || key->not_after < NOW)
    {
        abort();
    }

    for (i = 1; i < key->n; i++) {
        X509_free(read_cert(key->chain[i]));
    }

    EVP_PKEY_free(pkey);
    X509_free(leaf);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t           i, n;
    tcr_err_t        err;
    tcr_arena_t     *arena = tcr_arena_create(0);
    tcr_report_t     report;
    tcr_sslkeys_t    keys;
    tcr_json_doc_t   doc;

    tcr_report_init(&report, arena, 10);

    if (tcr_json_parse(&doc, arena, "fuzz",
                       tcr_str_n((const char *) data, size), &err) == 0)
    {
        if (tcr_sslkeys_parse(&keys, arena, &doc, NOW, NULL, &report,
                              &err) == 0) {

            for (i = 0; i < keys.n; i++) {
                check(&keys.items[i]);
            }

            if (tcr_sslkeys_services(&keys, arena, &n, &err) == NULL) {
                abort();
            }
        }

        tcr_sslkeys_free(&keys);
    }

    tcr_arena_destroy(arena);
    return 0;
}
