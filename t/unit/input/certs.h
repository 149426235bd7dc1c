/* SPDX-License-Identifier: Apache-2.0 */

/*
 * For tests of TLS certificates: keys and certificates made on the spot, and
 * base64 of their PEM texts as Traffic Ops sends them.
 */

#ifndef TCR_TEST_CERTS_H_INCLUDED
#define TCR_TEST_CERTS_H_INCLUDED

#include <stdio.h>
#include <stdlib.h>

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#define CERTS_NOW   1790000000    /* when tests take place                   */
#define CERTS_YEAR  (365 * 86400)


static inline void
certs_check(bool good, const char *what)
{
    if (!good) {
        printf("Bail out! OpenSSL: %s\n", what);
        exit(1);
    }
}


static inline void
certs_extension(X509 *cert, X509 *issuer, int nid, const char *value)
{
    X509V3_CTX       ctx;
    X509_EXTENSION  *ext;

    X509V3_set_ctx(&ctx, issuer, cert, NULL, NULL, 0);
    ext = X509V3_EXT_conf_nid(NULL, &ctx, nid, value);
    certs_check(ext != NULL, value);
    X509_add_ext(cert, ext, -1);
    X509_EXTENSION_free(ext);
}


/* issuer NULL: self-signed.  san NULL: an authority. */
static inline X509 *
certs_make(const char *cn, const char *san, EVP_PKEY *key, X509 *issuer,
    EVP_PKEY *issuer_key, int64_t begin, int64_t end)
{
    X509        *cert = X509_new();
    X509_NAME   *name = X509_NAME_new();
    static long  serial = 1;

    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               (const unsigned char *) cn, -1, -1, 0);
    X509_set_version(cert, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(cert), serial++);
    ASN1_TIME_set(X509_getm_notBefore(cert), (time_t) begin);
    ASN1_TIME_set(X509_getm_notAfter(cert), (time_t) end);
    X509_set_subject_name(cert, name);
    X509_set_issuer_name(cert, issuer != NULL ? X509_get_subject_name(issuer)
                                              : name);
    X509_set_pubkey(cert, key);

    if (san != NULL) {
        certs_extension(cert, issuer != NULL ? issuer : cert,
                        NID_subject_alt_name, san);

    } else {
        certs_extension(cert, issuer != NULL ? issuer : cert,
                        NID_basic_constraints, "critical,CA:TRUE");
    }

    issuer_key = issuer_key != NULL ? issuer_key : key;
    certs_check(X509_sign(cert, issuer_key,
                          EVP_PKEY_get_base_id(issuer_key) == EVP_PKEY_ED25519
                          ? NULL : EVP_sha256()) > 0, "X509_sign");
    X509_NAME_free(name);
    return cert;
}


/* What was written to bio as base64 in one line; free with free(). */
static inline char *
certs_base64(BIO *bio)
{
    char  *text;
    char  *out;
    long   n = BIO_get_mem_data(bio, &text);

    out = malloc((size_t) n * 4 / 3 + 8);
    certs_check(out != NULL, "memory");
    EVP_EncodeBlock((unsigned char *) out, (unsigned char *) text, (int) n);
    BIO_free(bio);
    return out;
}


static inline char *
certs_pem(X509 **certs, size_t n)
{
    BIO     *bio = BIO_new(BIO_s_mem());
    size_t   i;

    for (i = 0; i < n; i++) {
        PEM_write_bio_X509(bio, certs[i]);
    }

    return certs_base64(bio);
}


/* cipher NULL: in the clear */
static inline char *
certs_key_pem(EVP_PKEY *key, const EVP_CIPHER *cipher)
{
    BIO  *bio = BIO_new(BIO_s_mem());

    PEM_write_bio_PrivateKey(bio, key, cipher,
                             (const unsigned char *) "secret",
                             cipher != NULL ? 6 : 0, NULL, NULL);
    return certs_base64(bio);
}


#endif /* TCR_TEST_CERTS_H_INCLUDED */
