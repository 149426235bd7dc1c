/* SPDX-License-Identifier: Apache-2.0 */

/* Keys of OpenSSL to the texts of DNSSEC. */

#include "tcr_keys_make.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <stdio.h>

#include "tcr_buf.h"

#define RSA_BITS    2048          /* RFC 8624 3.1 names no size; NIST does   */
#define KEY_BYTES   1024          /* a public key on the wire                */
#define TEXT_BYTES  8192


typedef struct {
    unsigned     number;          /* RFC 8624 3.1                            */
    const char  *name;
    const char  *text;            /* in the private key's text               */
    const char  *curve;           /* EC only                                 */
    size_t       size;            /* of its private key, EC and Ed25519      */
} algorithm_t;

static const algorithm_t  algorithms[] = {
    { 13, "ecdsap256", "13 (ECDSAP256SHA256)", "P-256", 32 },
    { 14, "ecdsap384", "14 (ECDSAP384SHA384)", "P-384", 48 },
    { 15, "ed25519", "15 (ED25519)", NULL, 32 },
    { 8, "rsasha256", "8 (RSASHA256)", NULL, 0 },
};

#define ALGORITHMS  (sizeof(algorithms) / sizeof(algorithms[0]))

static const struct {
    const char  *name;
    const char  *param;
} rsa_fields[] = {
    { "Modulus", OSSL_PKEY_PARAM_RSA_N },
    { "PublicExponent", OSSL_PKEY_PARAM_RSA_E },
    { "PrivateExponent", OSSL_PKEY_PARAM_RSA_D },
    { "Prime1", OSSL_PKEY_PARAM_RSA_FACTOR1 },
    { "Prime2", OSSL_PKEY_PARAM_RSA_FACTOR2 },
    { "Exponent1", OSSL_PKEY_PARAM_RSA_EXPONENT1 },
    { "Exponent2", OSSL_PKEY_PARAM_RSA_EXPONENT2 },
    { "Coefficient", OSSL_PKEY_PARAM_RSA_COEFFICIENT1 }
};


unsigned
tcr_keys_algorithm(const char *name)
{
    size_t  i;

    for (i = 0; i < ALGORITHMS; i++) {

        if (strcmp(algorithms[i].name, name) == 0) {
            return algorithms[i].number;
        }
    }

    return 0;
}


const char *
tcr_keys_algorithm_name(unsigned number)
{
    size_t  i;

    for (i = 0; i < ALGORITHMS; i++) {

        if (algorithms[i].number == number) {
            return algorithms[i].name;
        }
    }

    return NULL;
}


const char *
tcr_keys_algorithms(void)
{
    return "ecdsap256, ecdsap384, ed25519 or rsasha256";
}


/* --- texts --- */

/* "Name: base64" and a line end. */
static void
add_field(tcr_buf_t *out, const char *name, const uint8_t *data, size_t n)
{
    char  text[KEY_BYTES * 2];

    if (n > KEY_BYTES) {
        out->failed = true;
        return;
    }

    EVP_EncodeBlock((unsigned char *) text, data, (int) n);
    tcr_buf_printf(out, "%s: %s\n", name, text);
    OPENSSL_cleanse(text, sizeof(text));
}


/* A number of the key, big-endian; size 0: as short as it is. */
static int
number(EVP_PKEY *pkey, const char *param, uint8_t *out, size_t size,
    size_t *n)
{
    int      rc = -1;
    BIGNUM  *bn = NULL;

    if (EVP_PKEY_get_bn_param(pkey, param, &bn) != 1) {
        return -1;
    }

    *n = size != 0 ? size : (size_t) BN_num_bytes(bn);

    if (*n <= KEY_BYTES && BN_bn2binpad(bn, out, (int) *n) == (int) *n) {
        rc = 0;
    }

    BN_clear_free(bn);
    return rc;
}


/* RFC 3110 2: length of the exponent, exponent, modulus. */
static int
rsa_public(EVP_PKEY *pkey, uint8_t *out, size_t *n)
{
    size_t   e_len, n_len;
    uint8_t  e[KEY_BYTES], modulus[KEY_BYTES];

    if (number(pkey, OSSL_PKEY_PARAM_RSA_E, e, 0, &e_len) != 0
        || number(pkey, OSSL_PKEY_PARAM_RSA_N, modulus, 0, &n_len) != 0
        || e_len > 255 || 1 + e_len + n_len > KEY_BYTES)
    {
        return -1;
    }

    out[0] = (uint8_t) e_len;
    memcpy(out + 1, e, e_len);
    memcpy(out + 1 + e_len, modulus, n_len);
    *n = 1 + e_len + n_len;
    return 0;
}


static int
rsa_private(EVP_PKEY *pkey, tcr_buf_t *text)
{
    size_t   i, n;
    uint8_t  data[KEY_BYTES];

    for (i = 0; i < sizeof(rsa_fields) / sizeof(rsa_fields[0]); i++) {

        if (number(pkey, rsa_fields[i].param, data, 0, &n) != 0) {
            return -1;
        }

        add_field(text, rsa_fields[i].name, data, n);
    }

    OPENSSL_cleanse(data, sizeof(data));
    return 0;
}


/* RFC 6605 4: both coordinates, without the leading 4 of OpenSSL's form. */
static int
ec_texts(EVP_PKEY *pkey, const algorithm_t *a, uint8_t *out, size_t *n,
    tcr_buf_t *text)
{
    size_t   len;
    uint8_t  point[KEY_BYTES], secret[KEY_BYTES];

    if (EVP_PKEY_get_octet_string_param(pkey, OSSL_PKEY_PARAM_PUB_KEY, point,
                                        sizeof(point), &len) != 1
        || len != 2 * a->size + 1 || point[0] != 4
        || number(pkey, OSSL_PKEY_PARAM_PRIV_KEY, secret, a->size, &len) != 0)
    {
        return -1;
    }

    *n = 2 * a->size;
    memcpy(out, point + 1, *n);
    add_field(text, "PrivateKey", secret, len);
    OPENSSL_cleanse(secret, sizeof(secret));
    return 0;
}


/* RFC 8080 3 */
static int
ed25519_texts(EVP_PKEY *pkey, uint8_t *out, size_t *n, tcr_buf_t *text)
{
    size_t   len = KEY_BYTES;
    uint8_t  secret[KEY_BYTES];

    *n = KEY_BYTES;

    if (EVP_PKEY_get_raw_public_key(pkey, out, n) != 1
        || EVP_PKEY_get_raw_private_key(pkey, secret, &len) != 1)
    {
        return -1;
    }

    add_field(text, "PrivateKey", secret, len);
    OPENSSL_cleanse(secret, sizeof(secret));
    return 0;
}


/* --- keys --- */

static EVP_PKEY *
generate(const algorithm_t *a)
{
    if (a->curve != NULL) {
        return EVP_PKEY_Q_keygen(NULL, NULL, "EC", a->curve);
    }

    return a->size != 0 ? EVP_PKEY_Q_keygen(NULL, NULL, "ED25519")
                        : EVP_PKEY_Q_keygen(NULL, NULL, "RSA",
                                            (size_t) RSA_BITS);
}


static int
write_texts(EVP_PKEY *pkey, const algorithm_t *a, uint8_t *out, size_t *n,
    tcr_buf_t *text)
{
    tcr_buf_printf(text, "Private-key-format: v1.2\nAlgorithm: %s\n", a->text);

    if (a->curve != NULL) {
        return ec_texts(pkey, a, out, n, text);
    }

    if (a->size != 0) {
        return ed25519_texts(pkey, out, n, text);
    }

    return rsa_public(pkey, out, n) != 0 ? -1 : rsa_private(pkey, text);
}


int
tcr_keys_make(unsigned algorithm, tcr_arena_t *arena, tcr_str_t *public_key,
    tcr_str_t *private_key, tcr_err_t *err)
{
    int                 rc = -1;
    char                base64[KEY_BYTES * 2];
    size_t              i, n;
    uint8_t             wire[KEY_BYTES];
    EVP_PKEY           *pkey;
    tcr_buf_t           text;

    for (i = 0; i < ALGORITHMS && algorithms[i].number != algorithm; i++) {
        continue;
    }

    pkey = i < ALGORITHMS ? generate(&algorithms[i]) : NULL;
    tcr_buf_init(&text, TEXT_BYTES);

    if (pkey != NULL
        && write_texts(pkey, &algorithms[i], wire, &n, &text) == 0
        && !text.failed)
    {
        EVP_EncodeBlock((unsigned char *) base64, wire, (int) n);
        *public_key = tcr_arena_strdup(arena, tcr_str(base64));
        *private_key = tcr_arena_strdup(arena, tcr_str_n(text.data, text.len));
        rc = public_key->data != NULL && private_key->data != NULL ? 0 : -1;
    }

    if (text.data != NULL) {
        OPENSSL_cleanse(text.data, text.len);
    }

    tcr_buf_free(&text);
    EVP_PKEY_free(pkey);

    return rc == 0 ? 0 : tcr_err_set(err, "cannot make a key of algorithm %u",
                                     algorithm);
}
