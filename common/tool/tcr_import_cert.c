/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A certificate for names that have none, self-signed, with the attributes
 * of https.properties; as the reference makes one at its start.
 */

#include "tcr_import_pem.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#define BITS_MIN   2048           /* what OpenSSL's default level takes      */
#define BITS_MAX   8192
#define YEARS_MAX  100
#define YEAR       (365L * 24 * 3600)


static int64_t
number(tcr_import_t *im, const char *name, const char *def, uint64_t min,
    uint64_t max)
{
    uint64_t            n;
    tcr_import_value_t  v = tcr_import_take_https(im, name, def);

    if (tcr_parse_uint(v.value, min, max, &n) != 0) {
        tcr_import_say(im, TCR_REPORT_WARNING,
                       v.file != NULL ? v.file : im->conf, v.line, name,
                       "is \"%.*s\", expected a number from %u to %u: %s is "
                       "taken", TCR_STR_ARG(v.value), (unsigned) min,
                       (unsigned) max, def);
        tcr_parse_uint(tcr_str(def), min, max, &n);
    }

    return (int64_t) n;
}


/* A list gives one part of the name for each of its items. */
static void
add_part(tcr_import_t *im, X509_NAME *name, const char *field,
    const char *property, const char *def)
{
    tcr_str_t  item, rest = tcr_import_take_https(im, property, def).value;

    while (rest.data != NULL) {
        item = tcr_str_trim(tcr_str_split(&rest, ','));

        if (item.len != 0
            && X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8,
                   (const unsigned char *) item.data, (int) item.len, -1, 0)
               != 1)
        {
            tcr_report_add(im->report, TCR_REPORT_WARNING, "%s/"
                           "https.properties: %s: \"%.*s\" cannot stand in a "
                           "certificate", im->conf, property,
                           TCR_STR_ARG(item));
        }
    }
}


static X509 *
make_cert(tcr_import_t *im, EVP_PKEY *key)
{
    int64_t     years;
    X509       *cert = X509_new();
    X509_NAME  *name = cert != NULL ? X509_get_subject_name(cert) : NULL;

    if (name == NULL) {
        return NULL;
    }

    years = number(im, "https.validity.years", "3", 1, YEARS_MAX);
    add_part(im, name, "C", "https.certificate.country", "US");
    add_part(im, name, "ST", "https.certificate.state", "CO");
    add_part(im, name, "L", "https.certificate.locality", "Denver");
    add_part(im, name, "O", "https.certificate.organization",
             "Apache Traffic Control");
    add_part(im, name, "OU", "https.certificate.organizational.unit",
             "Apache Foundation,Hosted by Traffic Control,CDNDefault");

    if (X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8,
            (const unsigned char *) "default.invalid", -1, -1, 0) != 1
        || X509_set_version(cert, X509_VERSION_3) != 1
        || ASN1_INTEGER_set(X509_get_serialNumber(cert), 1) != 1
        || X509_gmtime_adj(X509_getm_notBefore(cert), 0) == NULL
        || X509_gmtime_adj(X509_getm_notAfter(cert), (long) years * YEAR)
           == NULL
        || X509_set_issuer_name(cert, name) != 1
        || X509_set_pubkey(cert, key) != 1
        || X509_sign(cert, key, EVP_sha256()) == 0)
    {
        X509_free(cert);
        return NULL;
    }

    return cert;
}


/* The bytes of a memory BIO, which is freed. */
static void
take_bio(tcr_buf_t *out, BIO *bio)
{
    char  *data;
    long   n = BIO_get_mem_data(bio, &data);

    tcr_buf_add(out, data, (size_t) n);
    OPENSSL_cleanse(data, (size_t) n);
    BIO_free(bio);
}


int
tcr_import_pem(tcr_import_t *im, EVP_PKEY *key, X509 *cert,
    STACK_OF(X509) *chain)
{
    int   i, rc;
    BIO  *certs = BIO_new(BIO_s_mem()), *keys = BIO_new(BIO_s_mem());

    rc = certs != NULL && keys != NULL
         && PEM_write_bio_X509(certs, cert) == 1
         && PEM_write_bio_PrivateKey(keys, key, NULL, NULL, 0, NULL, NULL)
            == 1;

    for (i = 0; rc && i < sk_X509_num(chain); i++) {
        rc = PEM_write_bio_X509(certs, sk_X509_value(chain, i)) == 1;
    }

    if (certs != NULL && keys != NULL) {
        take_bio(&im->files[TCR_IMPORT_CERT], certs);
        take_bio(&im->files[TCR_IMPORT_KEY], keys);
    }

    return rc ? 0 : -1;
}


int
tcr_import_cert(tcr_import_t *im)
{
    int        rc = -1;
    X509      *cert = NULL;
    int64_t    bits;
    EVP_PKEY  *key;

    bits = number(im, "https.key.size", "2048", BITS_MIN, BITS_MAX);
    key = EVP_RSA_gen((unsigned) bits);

    if (key != NULL && (cert = make_cert(im, key)) != NULL) {
        rc = tcr_import_pem(im, key, cert, NULL);
    }

    if (rc != 0) {
        tcr_report_add(im->report, TCR_REPORT_ERROR, "a self-signed "
                       "certificate cannot be made");
    }

    X509_free(cert);
    EVP_PKEY_free(key);
    return rc;
}
