/* SPDX-License-Identifier: Apache-2.0 */

/*
 * DNSSEC keys of Traffic Ops (spec/inputs.md §8.2, spec/dns.md §8.1).
 *
 * Every key of the model can sign: a signature made with its private part was
 * verified with its public one.  A bad key is left out and reported.
 */

#ifndef TCR_DNSSECKEYS_H_INCLUDED
#define TCR_DNSSECKEYS_H_INCLUDED

#include "tcr_json.h"

#define TCR_DNSSEC_SEP  1u        /* flag: key signing key (RFC 4034 2.1.1)  */


typedef struct {
    tcr_str_t  zone;              /* lower case, no final dot                */
    uint16_t   flags;             /* 256, or 257 with TCR_DNSSEC_SEP         */
    uint8_t    algorithm;         /* IANA number                             */
    uint16_t   tag;               /* key tag (RFC 4034 appendix B)           */
    uint32_t   ttl;               /* of the DNSKEY record                    */
    int64_t    inception;         /* seconds since 1970                      */
    int64_t    effective;         /* not for signing before                  */
    int64_t    expiration;
    tcr_str_t  public_key;        /* base64 without blanks                   */
    tcr_str_t  private_key;       /* BIND's private-key format; on the heap  */
} tcr_dnsseckey_t;

typedef struct {
    tcr_dnsseckey_t  *items;      /* document order                          */
    size_t            n;
} tcr_dnsseckeys_t;


/*
 * Reads a parsed answer.  default_ttl is for keys that give none (the
 * snapshot's ttls.DNSKEY, else 60).  Public parts are in the arena, names may
 * point into the document: both must outlive the model.  Private parts are
 * nowhere but in the model, and of course in the document: wiping that is for
 * whoever made it.  -1: no "response", or out of memory; out is empty (it may
 * be freed).  Not inside a request.
 */
int tcr_dnsseckeys_parse(tcr_dnsseckeys_t *out, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, uint32_t default_ttl, tcr_report_t *report,
    tcr_err_t *err);

/* Overwrites the private parts before their memory is given back. */
void tcr_dnsseckeys_free(tcr_dnsseckeys_t *keys);

/*
 * SHA-256 of the DS record (RFC 4509): of owner name and DNSKEY.  -1 when
 * OpenSSL fails.
 */
int tcr_dnsseckey_ds(const tcr_dnsseckey_t *key, uint8_t digest[32]);

/* Data of that record: "TAG ALGORITHM 2 DIGEST", digest in upper case. */
#define TCR_DS_TEXT  80

int tcr_dnsseckey_ds_text(const tcr_dnsseckey_t *key, char text[TCR_DS_TEXT]);


#endif /* TCR_DNSSECKEYS_H_INCLUDED */
