/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside this room only: a pile of certificates and a key in PEM become a
 * chain that a TLS server can send.
 */

#ifndef TCR_SSLKEYS_CHAIN_H_INCLUDED
#define TCR_SSLKEYS_CHAIN_H_INCLUDED

#include <openssl/x509.h>

#include "tcr_err.h"
#include "tcr_sslkeys_decode.h"

#define TCR_CHAIN_MAX  32         /* certificates of one entry               */


typedef struct {
    X509      *certs[TCR_CHAIN_MAX];  /* the first n_chain in order          */
    size_t     n;
    size_t     n_chain;           /* those behind belong to no chain         */
    EVP_PKEY  *key;
    uint8_t   *pkcs8;             /* the key, when it came in that form      */
    size_t     n_pkcs8;
} tcr_chain_t;


/*
 * From base64 (MIME) of PEM texts.  -1: undecodable, no certificate of that
 * key, too many, or a key of another kind than RSA, EC and Ed25519; the chain
 * is empty then.
 */
int tcr_chain_read(tcr_chain_t *chain, tcr_decode_t *decode,
    tcr_str_t certs, tcr_str_t key, tcr_err_t *err);
void tcr_chain_free(tcr_chain_t *chain);

/*
 * Is every certificate of the chain valid at that time (seconds since 1970)?
 * -1 says which is not.  *not_before becomes the last begin of validity,
 * *not_after the first end.
 */
int tcr_chain_dates(const tcr_chain_t *chain, int64_t now,
    int64_t *not_before, int64_t *not_after, tcr_err_t *err);

/* Does the leaf name the host?  A name "*.DOMAIN" wants a wildcard. */
bool tcr_chain_names(const tcr_chain_t *chain, tcr_str_t hostname);

/*
 * PKCS #8, DER, for OPENSSL_clear_free; to be asked once.  -1 when out of
 * memory.
 */
int tcr_chain_key(tcr_chain_t *chain, tcr_str_t *der);

/* DER in the arena; absent when out of memory. */
tcr_str_t tcr_chain_cert(const tcr_chain_t *chain, size_t i,
    tcr_arena_t *arena);


#endif /* TCR_SSLKEYS_CHAIN_H_INCLUDED */
