/* SPDX-License-Identifier: Apache-2.0 */

/*
 * TLS certificates and keys of Traffic Ops (spec/inputs.md §8.1).
 *
 * Every item of the model can be served: its key belongs to its first
 * certificate, the others follow issuer by issuer, and all of them are valid
 * now.  A host name has at most one item for each type of key; the first one
 * counts.  What cannot be served is reported and kept with its reason: the
 * service behind it counts as having a certificate all the same (§8.1), its
 * clients get the server's own.
 */

#ifndef TCR_SSLKEYS_H_INCLUDED
#define TCR_SSLKEYS_H_INCLUDED

#include "tcr_json.h"


typedef enum {
    TCR_SSLKEY_RSA,
    TCR_SSLKEY_EC,
    TCR_SSLKEY_ED25519,
    TCR_SSLKEY_TYPES
} tcr_sslkey_type_e;

typedef struct {
    tcr_str_t   service;          /* xml_id                                  */
    tcr_str_t   hostname;         /* lower case, may begin with "*."         */
    tcr_str_t  *chain;            /* DER, the leaf first                     */
    size_t      n;
    tcr_str_t   key;              /* PKCS #8, DER; on the heap               */
    tcr_sslkey_type_e  type;
    int64_t     not_before;       /* last begin of validity in the chain     */
    int64_t     not_after;        /* first end of it; seconds since 1970     */
    tcr_str_t   source;           /* digest of its texts; absent when there
                                     was something to report                 */
} tcr_sslkey_t;

typedef struct {
    tcr_str_t   service;
    tcr_str_t   hostname;         /* absent: it is that which is wrong       */
    tcr_str_t   why;
} tcr_sslkey_refused_t;

typedef struct {
    tcr_sslkey_t          *items;     /* document order                      */
    size_t                 n;
    tcr_sslkey_refused_t  *refused;   /* those that name their service       */
    size_t                 n_refused;
} tcr_sslkeys_t;


/*
 * Reads a parsed answer; now = seconds since 1970.  previous (may be NULL) is
 * what an earlier answer gave: entries that have not changed are copied, not
 * decoded.  Certificates are in the arena, names may point into the document:
 * both must outlive the model.  Private keys are nowhere but in the model, and
 * of course in the document: wiping that is for whoever made it.  -1: no
 * "response", or out of memory; out is empty (it may be freed).  Not inside a
 * request.
 */
int tcr_sslkeys_parse(tcr_sslkeys_t *out, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, int64_t now, const tcr_sslkeys_t *previous,
    tcr_report_t *report, tcr_err_t *err);

/* Overwrites the keys before their memory is given back. */
void tcr_sslkeys_free(tcr_sslkeys_t *keys);

/*
 * Ids of the services that are in the list, each once, in the arena, for
 * tcr_compile_input_t.  NULL with err filled when out of memory.
 */
tcr_str_t *tcr_sslkeys_services(const tcr_sslkeys_t *keys,
    tcr_arena_t *arena, size_t *n, tcr_err_t *err);


#endif /* TCR_SSLKEYS_H_INCLUDED */
