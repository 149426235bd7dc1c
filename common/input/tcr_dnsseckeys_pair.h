/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside this room only: the two parts of a DNSSEC key as texts and as keys
 * of OpenSSL.
 */

#ifndef TCR_DNSSECKEYS_PAIR_H_INCLUDED
#define TCR_DNSSECKEYS_PAIR_H_INCLUDED

#include <openssl/evp.h>

#include "tcr_err.h"

#define TCR_DNSKEY_MAX   4096     /* bytes of a public key                   */
#define TCR_PRIVATE_MAX  16384    /* bytes of a private key's text           */


/* Is this one of the algorithms that are known?  Its mnemonic, or NULL. */
const char *tcr_dnssec_algorithm(unsigned number);

/*
 * Public key field of a DNSKEY record (RFC 3110, 6605, 8080).  NULL with err
 * filled.
 */
EVP_PKEY *tcr_dnssec_public(unsigned algorithm, const uint8_t *data,
    size_t n, tcr_err_t *err);

/*
 * Private-key text of BIND; the algorithm is the DNSKEY's, whatever the text
 * says.  *text becomes the same key with its fields in order, n bytes long,
 * for OPENSSL_clear_free.  NULL with err filled, *text is NULL then.
 */
EVP_PKEY *tcr_dnssec_private(unsigned algorithm, tcr_str_t in, char **text,
    size_t *n, tcr_err_t *err);

/* Does a signature of the one pass with the other? */
bool tcr_dnssec_is_pair(EVP_PKEY *private_key, EVP_PKEY *public_key);


#endif /* TCR_DNSSECKEYS_PAIR_H_INCLUDED */
