/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside this room only: entries that have not changed since the last answer.
 *
 * Decoding a certificate and its key takes OpenSSL most of a millisecond; of
 * thousands in a list a few are new.  Entries are told apart by a digest of
 * the texts they are made from.
 */

#ifndef TCR_SSLKEYS_KNOWN_H_INCLUDED
#define TCR_SSLKEYS_KNOWN_H_INCLUDED

#include <openssl/evp.h>

#include "tcr_crconfig_names.h"
#include "tcr_sslkeys.h"


typedef struct {
    const tcr_sslkeys_t  *previous;   /* NULL = none                         */
    tcr_names_t           sources;    /* their digests -> items              */
    EVP_MD_CTX           *ctx;
    EVP_MD               *sha256;
} tcr_known_t;


/* -1: out of memory; tcr_known_end is needed all the same. */
int tcr_known_init(tcr_known_t *known, tcr_arena_t *arena,
    const tcr_sslkeys_t *previous);
void tcr_known_end(tcr_known_t *known);

/* Digest of an entry in the arena; absent when that fails. */
tcr_str_t tcr_known_source(tcr_known_t *known, tcr_arena_t *arena,
    tcr_str_t hostname, tcr_str_t certs, tcr_str_t key);

/*
 * Fills everything but service and hostname from the entry with that digest.
 * False: there is none, or it is not valid at that time.
 */
bool tcr_known_take(const tcr_known_t *known, tcr_arena_t *arena,
    tcr_str_t source, int64_t now, tcr_sslkey_t *key);


#endif /* TCR_SSLKEYS_KNOWN_H_INCLUDED */
