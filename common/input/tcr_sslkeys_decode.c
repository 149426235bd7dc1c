/* SPDX-License-Identifier: Apache-2.0 */

/* The decoder of certificates and keys. */

#include "tcr_sslkeys_decode.h"

#include <stdlib.h>

#include <openssl/decoder.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>

#define RECENT  16                /* authorities are few                     */


/* Forms of keys: what the block is called, and what is in it. */
enum { RSA_PKCS1, EC_SEC1, RSA_PKCS8, EC_PKCS8, ED25519_PKCS8, N_FORMS };

static const struct {
    const char  *name;
    const char  *structure;
    const char  *type;
    int          nid;
} forms[N_FORMS] = {
    [RSA_PKCS1] = { "RSA PRIVATE KEY", "type-specific", "RSA", NID_undef },
    [EC_SEC1] = { "EC PRIVATE KEY", "type-specific", "EC", NID_undef },
    [RSA_PKCS8] = { "PRIVATE KEY", "PrivateKeyInfo", "RSA",
                    NID_rsaEncryption },
    [EC_PKCS8] = { "PRIVATE KEY", "PrivateKeyInfo", "EC",
                   NID_X9_62_id_ecPublicKey },
    [ED25519_PKCS8] = { "PRIVATE KEY", "PrivateKeyInfo", "ED25519",
                        NID_ED25519 }
};

typedef struct {
    X509     *cert;               /* NULL = free                             */
    uint8_t  *der;
    size_t    n;
} recent_t;

struct tcr_decode_s {
    OSSL_DECODER_CTX  *ctx[N_FORMS];
    EVP_PKEY          *key;       /* what the last decoding gave             */
    recent_t           recent[RECENT];
    size_t             next;      /* of recent, to be replaced               */
};


tcr_decode_t *
tcr_decode_create(void)
{
    int            i;
    tcr_decode_t  *d = calloc(1, sizeof(*d));

    for (i = 0; d != NULL && i < N_FORMS; i++) {
        d->ctx[i] = OSSL_DECODER_CTX_new_for_pkey(&d->key, "DER",
                        forms[i].structure, forms[i].type, EVP_PKEY_KEYPAIR,
                        NULL, NULL);

        if (d->ctx[i] == NULL) {
            tcr_decode_destroy(d);
            return NULL;
        }
    }

    return d;
}


static void
forget(recent_t *r)
{
    X509_free(r->cert);
    free(r->der);
    memset(r, 0, sizeof(*r));
}


void
tcr_decode_destroy(tcr_decode_t *d)
{
    int  i;

    if (d == NULL) {
        return;
    }

    for (i = 0; i < N_FORMS; i++) {
        OSSL_DECODER_CTX_free(d->ctx[i]);
    }

    for (i = 0; i < RECENT; i++) {
        forget(&d->recent[i]);
    }

    free(d);
}


static void
remember(tcr_decode_t *d, X509 *cert, const uint8_t *der, size_t n)
{
    recent_t  *r = &d->recent[d->next++ % RECENT];

    forget(r);
    r->der = malloc(n);

    if (r->der != NULL && X509_up_ref(cert) == 1) {
        memcpy(r->der, der, n);
        r->n = n;
        r->cert = cert;
    }
}


X509 *
tcr_decode_cert(tcr_decode_t *d, const uint8_t *der, size_t n)
{
    int                   i;
    X509                 *cert;
    recent_t             *r;
    const unsigned char  *p = der;

    for (i = 0; i < RECENT; i++) {
        r = &d->recent[i];

        if (r->cert != NULL && r->n == n && memcmp(r->der, der, n) == 0) {
            X509_up_ref(r->cert);
            return r->cert;
        }
    }

    cert = d2i_X509(NULL, &p, (long) n);

    /* leaves come once, they would only push the others out */
    if (cert != NULL && X509_check_ca(cert) != 0) {
        remember(d, cert, der, n);
    }

    return cert;
}


bool
tcr_decode_is_key(const char *name)
{
    int  i;

    for (i = 0; i < N_FORMS; i++) {
        if (strcmp(name, forms[i].name) == 0) {
            return true;
        }
    }

    return false;
}


/* The algorithm that PKCS #8 names. */
static int
algorithm(const uint8_t *der, size_t n)
{
    int                   nid = NID_undef;
    const unsigned char  *p = der;
    const ASN1_OBJECT    *object;
    PKCS8_PRIV_KEY_INFO  *info;

    info = d2i_PKCS8_PRIV_KEY_INFO(NULL, &p, (long) n);

    if (info != NULL
        && PKCS8_pkey_get0(&object, NULL, NULL, NULL, info) == 1)
    {
        nid = OBJ_obj2nid(object);
    }

    PKCS8_PRIV_KEY_INFO_free(info);
    return nid;
}


EVP_PKEY *
tcr_decode_key(tcr_decode_t *d, const char *name, const uint8_t *der,
    size_t n, tcr_err_t *err)
{
    int                   i, nid = NID_undef;
    size_t                left = n;
    const unsigned char  *p = der;

    if (strcmp(name, forms[RSA_PKCS8].name) == 0) {
        nid = algorithm(der, n);
    }

    for (i = 0; i < N_FORMS; i++) {
        if (strcmp(name, forms[i].name) == 0 && nid == forms[i].nid) {
            break;
        }
    }

    if (i == N_FORMS) {
        tcr_err_set(err, "a key of type %s, expected RSA, EC or Ed25519",
                    nid != NID_undef ? OBJ_nid2sn(nid) : "that is unknown");
        return NULL;
    }

    d->key = NULL;

    if (OSSL_DECODER_from_data(d->ctx[i], &p, &left) != 1) {
        tcr_err_set(err, "the private key cannot be read");
        return NULL;
    }

    return d->key;
}
