/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside this room only: decoding many certificates and keys, one after
 * another.  What OpenSSL sets up for each single one, which takes longer than
 * the decoding, is set up once.
 */

#ifndef TCR_SSLKEYS_DECODE_H_INCLUDED
#define TCR_SSLKEYS_DECODE_H_INCLUDED

#include <openssl/x509.h>

#include "tcr_err.h"

typedef struct tcr_decode_s  tcr_decode_t;


/* NULL when out of memory. */
tcr_decode_t *tcr_decode_create(void);
void tcr_decode_destroy(tcr_decode_t *d);

/* For X509_free; NULL: it is none. */
X509 *tcr_decode_cert(tcr_decode_t *d, const uint8_t *der, size_t n);

/*
 * What stands in a PEM block of that name: PKCS #8, PKCS #1 or SEC 1.  For
 * EVP_PKEY_free; NULL: not decodable, or neither RSA nor EC nor Ed25519.
 */
EVP_PKEY *tcr_decode_key(tcr_decode_t *d, const char *name,
    const uint8_t *der, size_t n, tcr_err_t *err);

/* Can a block of that name hold a key in the clear? */
bool tcr_decode_is_key(const char *name);


#endif /* TCR_SSLKEYS_DECODE_H_INCLUDED */
