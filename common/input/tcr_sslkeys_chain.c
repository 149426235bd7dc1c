/* SPDX-License-Identifier: Apache-2.0 */

/* Certificates in the order in which a TLS server sends them. */

#include "tcr_sslkeys_chain.h"

#include <time.h>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "tcr_base64.h"

#define PEM_MAX   (1024 * 1024)   /* base64 of one entry's texts             */


/* What OpenSSL says, and nothing stays in its queue. */
static int
failed(tcr_err_t *err, const char *what)
{
    const char     *reason;
    unsigned long   code = ERR_peek_last_error();

    reason = code != 0 ? ERR_reason_error_string(code) : NULL;
    ERR_clear_error();

    return tcr_err_set(err, "%s%s%s", what, reason != NULL ? ": " : "",
                       reason != NULL ? reason : "");
}


/* Base64 to PEM in memory of OpenSSL's, which wipes what it gives back. */
static BIO *
open_pem(tcr_str_t text, void **buffer, size_t *size, tcr_err_t *err)
{
    size_t    n;
    BIO      *bio = NULL;

    *buffer = NULL;
    *size = 0;

    if (text.len == 0 || text.len > PEM_MAX) {
        tcr_err_set(err, "found %zu bytes of base64, expected 1 to %d",
                    text.len, PEM_MAX);
        return NULL;
    }

    *size = TCR_BASE64_SIZE(text.len);
    *buffer = OPENSSL_malloc(*size);

    if (*buffer == NULL) {
        tcr_err_set(err, "out of memory");
        return NULL;
    }

    if (tcr_base64_mime(text, *buffer, &n) != 0) {
        tcr_err_set(err, "not base64");

    } else {
        bio = BIO_new_mem_buf(*buffer, (int) n);
    }

    if (bio == NULL) {
        OPENSSL_clear_free(*buffer, *size);
        *buffer = NULL;
    }

    return bio;
}


/* Of a PEM block, which may be secret. */
typedef struct {
    char     *name;
    char     *header;
    uint8_t  *data;
    long      n;
} block_t;


static void
free_block(block_t *block)
{
    OPENSSL_free(block->name);
    OPENSSL_free(block->header);
    OPENSSL_clear_free(block->data, (size_t) block->n);
    memset(block, 0, sizeof(*block));
}


static bool
next_block(BIO *bio, block_t *block)
{
    free_block(block);

    return PEM_read_bio(bio, &block->name, &block->header, &block->data,
                        &block->n)
           == 1;
}


static bool
is_cert(const block_t *block)
{
    return strcmp(block->name, PEM_STRING_X509) == 0
           || strcmp(block->name, PEM_STRING_X509_OLD) == 0
           || strcmp(block->name, PEM_STRING_X509_TRUSTED) == 0;
}


static int
add_cert(tcr_chain_t *chain, tcr_decode_t *decode, const block_t *block,
    tcr_err_t *err)
{
    X509  *cert;

    if (chain->n == TCR_CHAIN_MAX) {
        return tcr_err_set(err, "more than %d certificates", TCR_CHAIN_MAX);
    }

    cert = tcr_decode_cert(decode, block->data, (size_t) block->n);

    if (cert == NULL) {
        return failed(err, "a certificate cannot be read");
    }

    chain->certs[chain->n++] = cert;
    return 0;
}


static int
read_certs(tcr_chain_t *chain, tcr_decode_t *decode, tcr_str_t text,
    tcr_err_t *err)
{
    int       rc = 0;
    BIO      *bio;
    void     *buffer;
    size_t    size;
    block_t   block = { .n = 0 };

    bio = open_pem(text, &buffer, &size, err);

    if (bio == NULL) {
        return -1;
    }

    while (rc == 0 && next_block(bio, &block)) {
        if (is_cert(&block)) {
            rc = add_cert(chain, decode, &block, err);
        }
    }

    if (rc == 0 && chain->n == 0) {
        rc = failed(err, "no certificate in PEM");

    } else if (rc == 0
               && ERR_GET_REASON(ERR_peek_last_error())
                  != PEM_R_NO_START_LINE)
    {
        rc = failed(err, "a certificate cannot be read");
    }

    ERR_clear_error();
    free_block(&block);
    BIO_free(bio);
    OPENSSL_clear_free(buffer, size);
    return rc;
}


/* A key that is locked by a pass phrase says so in its header or name. */
static int
take_key(tcr_chain_t *chain, tcr_decode_t *decode, block_t *block,
    tcr_err_t *err)
{
    if (block->header[0] != '\0') {
        return tcr_err_set(err, "no private key in PEM: it is encrypted");
    }

    chain->key = tcr_decode_key(decode, block->name, block->data,
                                (size_t) block->n, err);
    ERR_clear_error();

    if (chain->key == NULL) {
        return -1;
    }

    if (strcmp(block->name, PEM_STRING_PKCS8INF) == 0) {
        chain->pkcs8 = block->data;
        chain->n_pkcs8 = (size_t) block->n;
        block->data = NULL;
        block->n = 0;
    }

    return 0;
}


static int
read_key(tcr_chain_t *chain, tcr_decode_t *decode, tcr_str_t text,
    tcr_err_t *err)
{
    int       rc = 1;
    BIO      *bio;
    void     *buffer;
    size_t    size;
    block_t   block = { .n = 0 };

    bio = open_pem(text, &buffer, &size, err);

    if (bio == NULL) {
        return -1;
    }

    while (rc == 1 && next_block(bio, &block)) {
        if (strcmp(block.name, PEM_STRING_PKCS8) == 0) {
            rc = tcr_err_set(err, "no private key in PEM: it is encrypted");

        } else if (tcr_decode_is_key(block.name)) {
            rc = take_key(chain, decode, &block, err);
        }
    }

    if (rc == 1) {
        rc = failed(err, "no private key in PEM");
    }

    ERR_clear_error();
    free_block(&block);
    BIO_free(bio);
    OPENSSL_clear_free(buffer, size);
    return rc;
}


/* Moves the certificate to place `to`, those between one further. */
static void
move(tcr_chain_t *chain, size_t from, size_t to)
{
    X509  *cert = chain->certs[from];

    memmove(&chain->certs[to + 1], &chain->certs[to],
            (from - to) * sizeof(chain->certs[0]));
    chain->certs[to] = cert;
}


static int
find_leaf(tcr_chain_t *chain, tcr_err_t *err)
{
    int     own;
    size_t  i;

    for (i = 0; i < chain->n; i++) {
        own = X509_check_private_key(chain->certs[i], chain->key);
        ERR_clear_error();

        if (own == 1) {
            move(chain, i, 0);
            chain->n_chain = 1;
            return 0;
        }
    }

    return tcr_err_set(err, "the key belongs to none of the %zu certificates",
                       chain->n);
}


/* Puts the issuer of the last one behind it; false when it is not there. */
static bool
add_issuer(tcr_chain_t *chain)
{
    size_t   i;
    X509    *last = chain->certs[chain->n_chain - 1];

    if (X509_check_issued(last, last) == X509_V_OK) {
        return false;
    }

    for (i = chain->n_chain; i < chain->n; i++) {

        if (X509_check_issued(chain->certs[i], last) == X509_V_OK) {
            move(chain, i, chain->n_chain);
            chain->n_chain++;
            return true;
        }
    }

    return false;
}


int
tcr_chain_read(tcr_chain_t *chain, tcr_decode_t *decode, tcr_str_t certs,
    tcr_str_t key, tcr_err_t *err)
{
    memset(chain, 0, sizeof(*chain));
    ERR_clear_error();

    if (read_certs(chain, decode, certs, err) != 0
        || read_key(chain, decode, key, err) != 0
        || find_leaf(chain, err) != 0)
    {
        tcr_chain_free(chain);
        return -1;
    }

    while (add_issuer(chain)) {
        /* void */
    }

    ERR_clear_error();
    return 0;
}


void
tcr_chain_free(tcr_chain_t *chain)
{
    size_t  i;

    for (i = 0; i < chain->n; i++) {
        X509_free(chain->certs[i]);
    }

    EVP_PKEY_free(chain->key);
    OPENSSL_clear_free(chain->pkcs8, chain->n_pkcs8);
    memset(chain, 0, sizeof(*chain));
}


static int64_t
seconds(const ASN1_TIME *time)
{
    struct tm  tm;

    return ASN1_TIME_to_tm(time, &tm) == 1 ? (int64_t) timegm(&tm)
                                           : INT64_MIN;
}


int
tcr_chain_dates(const tcr_chain_t *chain, int64_t now, int64_t *not_before,
    int64_t *not_after, tcr_err_t *err)
{
    size_t   i;
    int64_t  begin, end;

    *not_before = INT64_MIN;
    *not_after = INT64_MAX;

    for (i = 0; i < chain->n_chain; i++) {
        begin = seconds(X509_get0_notBefore(chain->certs[i]));
        end = seconds(X509_get0_notAfter(chain->certs[i]));

        if (begin == INT64_MIN || begin > now) {
            return tcr_err_set(err, "certificate %zu of the chain is not yet "
                               "valid", i + 1);
        }

        if (end < now) {
            return tcr_err_set(err, "certificate %zu of the chain has "
                               "expired", i + 1);
        }

        *not_before = begin > *not_before ? begin : *not_before;
        *not_after = end < *not_after ? end : *not_after;
    }

    return 0;
}


/* A certificate's "*" matches a literal one, and nothing else does. */
bool
tcr_chain_names(const tcr_chain_t *chain, tcr_str_t hostname)
{
    return X509_check_host(chain->certs[0], hostname.data, hostname.len,
                           X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS, NULL) == 1;
}


int
tcr_chain_key(tcr_chain_t *chain, tcr_str_t *der)
{
    int                   n = -1;
    uint8_t              *data = NULL;
    PKCS8_PRIV_KEY_INFO  *info;

    if (chain->pkcs8 != NULL) {
        *der = tcr_str_n((const char *) chain->pkcs8, chain->n_pkcs8);
        chain->pkcs8 = NULL;
        chain->n_pkcs8 = 0;
        return 0;
    }

    info = EVP_PKEY2PKCS8(chain->key);

    if (info != NULL) {
        n = i2d_PKCS8_PRIV_KEY_INFO(info, &data);
    }

    PKCS8_PRIV_KEY_INFO_free(info);
    ERR_clear_error();

    if (n <= 0) {
        return -1;
    }

    *der = tcr_str_n((const char *) data, (size_t) n);
    return 0;
}


tcr_str_t
tcr_chain_cert(const tcr_chain_t *chain, size_t i, tcr_arena_t *arena)
{
    int        n;
    uint8_t   *data = NULL;
    tcr_str_t  copy = { NULL, 0 };

    n = i2d_X509(chain->certs[i], &data);

    if (n > 0) {
        copy = tcr_arena_strdup(arena, tcr_str_n((const char *) data,
                                                 (size_t) n));
    }

    OPENSSL_free(data);
    return copy;
}
