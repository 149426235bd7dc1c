/* SPDX-License-Identifier: Apache-2.0 */

/* The reader of certificates and keys. */

#include "tcr_sslkeys.h"

#include <openssl/crypto.h>

#include "tcr_document.h"
#include "tcr_sslkeys_chain.h"
#include "tcr_sslkeys_known.h"

#define STRONG  112               /* bits of security; servers of level 2
                                     refuse less (SSL_CTX_set_security_level) */


typedef struct {
    tcr_read_t      rd;
    tcr_sslkeys_t  *out;
    int64_t         now;
    tcr_known_t     known;
    tcr_decode_t   *decode;
    tcr_names_t     hosts[TCR_SSLKEY_TYPES];  /* that have one of the type   */
    tcr_err_t       why;          /* the entry being read is not usable      */
} reader_t;


static bool
read_hostname(reader_t *r, const tcr_json_t *node, tcr_sslkey_t *key)
{
    char              *text;
    tcr_str_t          name, host;
    tcr_read_t        *rd = &r->rd;
    const tcr_json_t  *member = tcr_json_get(node, "hostname");

    name = tcr_json_str(member, TCR_STR(""));
    host = name;

    if (tcr_str_starts(name, TCR_STR("*."))) {
        host = tcr_str_n(name.data + 2, name.len - 2);
    }

    host = tcr_read_lower_host(rd, host, NULL);

    if (host.data == NULL) {
        tcr_read_wrong(rd, TCR_REPORT_LEFT_OUT, member, "hostname", "a host "
                       "name, or \"*.\" and one; this certificate is left "
                       "out");
        tcr_err_set(&r->why, "no usable host name");
        return false;
    }

    key->hostname = host;

    if (name.data[0] != '*') {
        return true;
    }

    text = tcr_read_alloc(rd, host.len + 2, 1);

    if (text == NULL) {
        return false;
    }

    memcpy(text, "*.", 2);
    memcpy(text + 2, host.data, host.len);
    key->hostname = tcr_str_n(text, host.len + 2);

    return true;
}


static tcr_sslkey_type_e
type_of(const EVP_PKEY *key)
{
    switch (EVP_PKEY_get_base_id(key)) {

    case EVP_PKEY_RSA:
        return TCR_SSLKEY_RSA;

    case EVP_PKEY_EC:
        return TCR_SSLKEY_EC;

    default:
        return TCR_SSLKEY_ED25519;
    }
}


/* Two keys of one type for one name: no client could choose. */
static int
claim_host(reader_t *r, const tcr_sslkey_t *key)
{
    uint32_t      place;
    tcr_names_t  *hosts = &r->hosts[key->type];

    if (tcr_names_find(hosts, key->hostname, &place)) {
        return tcr_err_set(&r->why, "found another certificate for \"%.*s\" "
                           "with a key of the same type, the first one is "
                           "used", TCR_STR_ARG(key->hostname));
    }

    if (!tcr_names_add(hosts, key->hostname, 0)) {
        r->rd.failed = true;
    }

    return 0;
}


/* What does not keep a certificate from being served; true if anything. */
static bool
report_odd(reader_t *r, const tcr_json_t *node, const tcr_chain_t *chain,
    const tcr_sslkey_t *key)
{
    bool  odd = false;

    if (!tcr_chain_names(chain, key->hostname)) {
        odd = true;
        tcr_read_report(&r->rd, TCR_REPORT_WARNING, node, "hostname",
                        "the certificate does not name \"%.*s\", clients "
                        "will refuse it", TCR_STR_ARG(key->hostname));
    }

    if (chain->n_chain < chain->n) {
        odd = true;
        tcr_read_report(&r->rd, TCR_REPORT_WARNING, node, "crt", "%zu of %zu "
                        "certificates are in no chain with the first one and "
                        "not sent", chain->n - chain->n_chain, chain->n);
    }

    if (EVP_PKEY_get_security_bits(chain->key) < STRONG) {
        odd = true;
        tcr_read_report(&r->rd, TCR_REPORT_WARNING, node, "key", "found a key "
                        "of %d bits, which is weak; servers may refuse it",
                        EVP_PKEY_get_bits(chain->key));
    }

    return odd;
}


static bool
fill_key(reader_t *r, tcr_chain_t *chain, tcr_sslkey_t *key)
{
    size_t  i;

    key->chain = tcr_read_alloc(&r->rd, chain->n_chain, sizeof(tcr_str_t));

    if (key->chain == NULL) {
        return false;
    }

    for (i = 0; i < chain->n_chain; i++) {
        key->chain[i] = tcr_chain_cert(chain, i, r->rd.arena);

        if (key->chain[i].data == NULL) {
            r->rd.failed = true;
            return false;
        }
    }

    key->n = chain->n_chain;

    if (tcr_chain_key(chain, &key->key) != 0) {
        r->rd.failed = true;
        return false;
    }

    return true;
}


/* -1 with r->why. */
static int
decode_pair(reader_t *r, const tcr_json_t *node, tcr_str_t certs,
    tcr_str_t pem, tcr_sslkey_t *key)
{
    int          rc = -1;
    tcr_chain_t  chain;

    if (tcr_chain_read(&chain, r->decode, certs, pem, &r->why) != 0) {
        return -1;
    }

    key->type = type_of(chain.key);

    if (tcr_chain_dates(&chain, r->now, &key->not_before, &key->not_after,
                        &r->why) == 0
        && claim_host(r, key) == 0)
    {
        rc = fill_key(r, &chain, key) ? 0 : -1;

        if (report_odd(r, node, &chain, key)) {
            key->source = (tcr_str_t) { NULL, 0 };
        }
    }

    tcr_chain_free(&chain);
    return rc;
}


static bool
read_pair(reader_t *r, const tcr_json_t *node, tcr_sslkey_t *key)
{
    int        rc;
    tcr_str_t  pem, certs;

    certs = tcr_json_str(tcr_json_get(node, "crt"), TCR_STR(""));
    pem = tcr_json_str(tcr_json_get(node, "key"), TCR_STR(""));
    key->source = tcr_known_source(&r->known, r->rd.arena, key->hostname,
                                   certs, pem);

    if (tcr_known_take(&r->known, r->rd.arena, key->source, r->now, key)) {
        rc = claim_host(r, key);

        if (rc != 0) {
            OPENSSL_clear_free((void *) key->key.data, key->key.len);
        }

    } else {
        rc = decode_pair(r, node, certs, pem, key);
    }

    if (rc != 0) {
        tcr_read_report(&r->rd, TCR_REPORT_LEFT_OUT, node, NULL,
                        "%s; this certificate is left out", r->why.text);
    }

    return rc == 0;
}


static bool
read_key(reader_t *r, const tcr_json_t *node, tcr_sslkey_t *key)
{
    bool               usable;
    tcr_read_t        *rd = &r->rd;
    tcr_read_mark_t    mark;
    const tcr_json_t  *pair = tcr_json_get(node, "certificate");

    memset(key, 0, sizeof(*key));
    key->service = tcr_document_id(rd, node, "deliveryservice",
                                   "this certificate");

    if (key->service.data == NULL || !read_hostname(r, node, key)) {
        return false;
    }

    if (!tcr_json_is(pair, TCR_JSON_OBJECT)) {
        tcr_read_wrong(rd, TCR_REPORT_LEFT_OUT, pair, "certificate",
                       "an object with crt and key; this certificate is left "
                       "out");
        tcr_err_set(&r->why, "no certificate in the entry");
        return false;
    }

    mark = tcr_read_enter(rd, pair, TCR_STR("certificate"));
    usable = read_pair(r, pair, key);
    tcr_read_leave(rd, mark);

    return usable;
}


static void
keep_refused(reader_t *r, const tcr_sslkey_t *key)
{
    tcr_sslkeys_t  *out = r->out;

    if (key->service.data != NULL) {
        out->refused[out->n_refused++] = (tcr_sslkey_refused_t) {
            key->service, key->hostname,
            tcr_arena_strdup(r->rd.arena, tcr_str(r->why.text))
        };
    }
}


static void
read_item(void *ctx, const tcr_json_t *node)
{
    reader_t      *r = ctx;
    tcr_sslkey_t  *key = &r->out->items[r->out->n];

    if (read_key(r, node, key)) {
        r->out->n++;

    } else {
        keep_refused(r, key);
    }
}


/* Room for every entry to be one or the other. */
static bool
make_room(reader_t *r, size_t n)
{
    int  i;

    r->out->items = tcr_read_alloc(&r->rd, n, sizeof(tcr_sslkey_t));
    r->out->refused = tcr_read_alloc(&r->rd, n, sizeof(tcr_sslkey_refused_t));

    for (i = 0; i < TCR_SSLKEY_TYPES; i++) {
        if (tcr_names_init(&r->hosts[i], r->rd.arena, n) != 0) {
            r->rd.failed = true;
        }
    }

    return !r->rd.failed;
}


static void
read_keys(reader_t *r, const tcr_json_t *response)
{
    size_t  n = response->u.list.n;

    n = n < TCR_DOCUMENT_SERVICES ? n : TCR_DOCUMENT_SERVICES;

    if (make_room(r, n)) {
        tcr_document_items(&r->rd, response, n, read_item, r);
    }
}


int
tcr_sslkeys_parse(tcr_sslkeys_t *out, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, int64_t now, const tcr_sslkeys_t *previous,
    tcr_report_t *report, tcr_err_t *err)
{
    reader_t           r = { .out = out, .now = now };
    const tcr_json_t  *response;

    memset(out, 0, sizeof(*out));
    tcr_document_start(&r.rd, arena, doc, report);
    response = tcr_document_member(&r.rd, "response", TCR_JSON_ARRAY, err);

    if (response == NULL) {
        return -1;
    }

    r.decode = tcr_decode_create();

    if (tcr_known_init(&r.known, arena, previous) == 0 && r.decode != NULL) {
        read_keys(&r, response);

    } else {
        r.rd.failed = true;
    }

    tcr_decode_destroy(r.decode);
    tcr_known_end(&r.known);

    if (tcr_document_end(&r.rd, err) != 0) {
        tcr_sslkeys_free(out);
        return -1;
    }

    return 0;
}


void
tcr_sslkeys_free(tcr_sslkeys_t *keys)
{
    size_t  i;

    for (i = 0; i < keys->n; i++) {
        OPENSSL_clear_free((void *) keys->items[i].key.data,
                           keys->items[i].key.len);
    }

    memset(keys, 0, sizeof(*keys));
}


tcr_str_t *
tcr_sslkeys_services(const tcr_sslkeys_t *keys, tcr_arena_t *arena,
    size_t *n, tcr_err_t *err)
{
    size_t        i, all = keys->n + keys->n_refused;
    uint32_t      place;
    tcr_str_t    *ids, id;
    tcr_names_t   seen;

    *n = 0;
    ids = tcr_arena_calloc(arena, all + 1, sizeof(*ids));

    if (ids == NULL || tcr_names_init(&seen, arena, all) != 0) {
        tcr_err_set(err, "out of memory");
        return NULL;
    }

    for (i = 0; i < all; i++) {
        id = i < keys->n ? keys->items[i].service
                         : keys->refused[i - keys->n].service;

        if (!tcr_names_find(&seen, id, &place)) {
            tcr_names_add(&seen, id, 0);
            ids[(*n)++] = id;
        }
    }

    return ids;
}
