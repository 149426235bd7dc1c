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


static int
read_certs(tcr_chain_t *chain, tcr_str_t text, tcr_err_t *err)
{
    int      rc = 0;
    BIO     *bio;
    X509    *cert;
    void    *buffer;
    size_t   size;

    bio = open_pem(text, &buffer, &size, err);

    if (bio == NULL) {
        return -1;
    }

    while ((cert = PEM_read_bio_X509(bio, NULL, NULL, NULL)) != NULL) {

        if (chain->n == TCR_CHAIN_MAX) {
            X509_free(cert);
            rc = tcr_err_set(err, "more than %d certificates", TCR_CHAIN_MAX);
            break;
        }

        chain->certs[chain->n++] = cert;
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
    BIO_free(bio);
    OPENSSL_clear_free(buffer, size);
    return rc;
}


/* Nobody is there to type a pass phrase. */
static int
no_pass_phrase(char *buf, int size, int writing, void *arg)
{
    (void) buf;
    (void) size;
    (void) writing;
    (void) arg;

    return -1;
}


static int
read_key(tcr_chain_t *chain, tcr_str_t text, tcr_err_t *err)
{
    int      kind;
    BIO     *bio;
    void    *buffer;
    size_t   size;

    bio = open_pem(text, &buffer, &size, err);

    if (bio == NULL) {
        return -1;
    }

    chain->key = PEM_read_bio_PrivateKey(bio, NULL, no_pass_phrase, NULL);
    BIO_free(bio);
    OPENSSL_clear_free(buffer, size);

    if (chain->key == NULL) {
        return failed(err, "no private key in PEM");
    }

    ERR_clear_error();
    kind = EVP_PKEY_get_base_id(chain->key);

    if (kind != EVP_PKEY_RSA && kind != EVP_PKEY_EC
        && kind != EVP_PKEY_ED25519)
    {
        return tcr_err_set(err, "a key of type %s, expected RSA, EC or "
                           "Ed25519", OBJ_nid2sn(kind));
    }

    return 0;
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
tcr_chain_read(tcr_chain_t *chain, tcr_str_t certs, tcr_str_t key,
    tcr_err_t *err)
{
    memset(chain, 0, sizeof(*chain));
    ERR_clear_error();

    if (read_certs(chain, certs, err) != 0
        || read_key(chain, key, err) != 0
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
tcr_chain_key(const tcr_chain_t *chain, tcr_str_t *der)
{
    int                   n = -1;
    uint8_t              *data = NULL;
    PKCS8_PRIV_KEY_INFO  *info;

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
