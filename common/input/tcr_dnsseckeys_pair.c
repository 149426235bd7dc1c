/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Texts of DNSSEC keys to keys of OpenSSL.
 */

#include "tcr_dnsseckeys_pair.h"

#include <stdio.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>

#include "tcr_base64.h"

#define RSA_FIELDS  8
#define RSA_BYTES   512           /* longest number (RFC 3110, 2)            */
#define RSA_MIN     512           /* bits, likewise                          */


typedef enum {
    KIND_RSA,
    KIND_EC,
    KIND_ED25519
} kind_e;

typedef struct {
    unsigned     number;
    const char  *name;
    kind_e       kind;
    const char  *curve;
    int          nid;
    size_t       size;            /* bytes of a private key, EC and Ed25519  */
} algorithm_t;

/* A number of a private key. */
typedef struct {
    const char  *name;            /* in the text                             */
    const char  *param;           /* OpenSSL's                               */
} field_t;

static const algorithm_t  algorithms[] = {
    { 5, "RSASHA1", KIND_RSA, NULL, 0, 0 },
    { 7, "NSEC3RSASHA1", KIND_RSA, NULL, 0, 0 },
    { 8, "RSASHA256", KIND_RSA, NULL, 0, 0 },
    { 10, "RSASHA512", KIND_RSA, NULL, 0, 0 },
    { 13, "ECDSAP256SHA256", KIND_EC, "P-256", NID_X9_62_prime256v1, 32 },
    { 14, "ECDSAP384SHA384", KIND_EC, "P-384", NID_secp384r1, 48 },
    { 15, "ED25519", KIND_ED25519, NULL, 0, 32 }
};

static const field_t  rsa_fields[RSA_FIELDS] = {
    { "Modulus", OSSL_PKEY_PARAM_RSA_N },
    { "PublicExponent", OSSL_PKEY_PARAM_RSA_E },
    { "PrivateExponent", OSSL_PKEY_PARAM_RSA_D },
    { "Prime1", OSSL_PKEY_PARAM_RSA_FACTOR1 },
    { "Prime2", OSSL_PKEY_PARAM_RSA_FACTOR2 },
    { "Exponent1", OSSL_PKEY_PARAM_RSA_EXPONENT1 },
    { "Exponent2", OSSL_PKEY_PARAM_RSA_EXPONENT2 },
    { "Coefficient", OSSL_PKEY_PARAM_RSA_COEFFICIENT1 }
};


static const algorithm_t *
find(unsigned number)
{
    size_t  i;

    for (i = 0; i < sizeof(algorithms) / sizeof(algorithms[0]); i++) {
        if (algorithms[i].number == number) {
            return &algorithms[i];
        }
    }

    return NULL;
}


const char *
tcr_dnssec_algorithm(unsigned number)
{
    const algorithm_t  *a = find(number);

    return a != NULL ? a->name : NULL;
}


/* A key from parameters, which are given back. */
static EVP_PKEY *
from_params(const char *type, int selection, OSSL_PARAM_BLD *bld)
{
    EVP_PKEY      *key = NULL;
    OSSL_PARAM    *params = OSSL_PARAM_BLD_to_param(bld);
    EVP_PKEY_CTX  *ctx = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);

    if (params == NULL || ctx == NULL || EVP_PKEY_fromdata_init(ctx) <= 0
        || EVP_PKEY_fromdata(ctx, &key, selection, params) <= 0)
    {
        key = NULL;
    }

    EVP_PKEY_CTX_free(ctx);
    OSSL_PARAM_free(params);
    ERR_clear_error();
    return key;
}


/* RFC 3110 2: length of the exponent in one byte, or 0 and two more. */
static EVP_PKEY *
rsa_public(const uint8_t *data, size_t n, tcr_err_t *err)
{
    size_t           len, skip = 1;
    BIGNUM          *modulus, *exponent;
    EVP_PKEY        *key = NULL;
    OSSL_PARAM_BLD  *bld;

    len = n > 0 ? data[0] : 0;

    if (len == 0 && n > 3) {
        len = (size_t) data[1] << 8 | data[2];
        skip = 3;
    }

    if (len == 0 || n <= skip || len >= n - skip
        || n - skip - len < RSA_MIN / 8 || n - skip - len > RSA_BYTES)
    {
        tcr_err_set(err, "no RSA key of %d to %d bits", RSA_MIN,
                    RSA_BYTES * 8);
        return NULL;
    }

    exponent = BN_bin2bn(data + skip, (int) len, NULL);
    modulus = BN_bin2bn(data + skip + len, (int) (n - skip - len), NULL);
    bld = OSSL_PARAM_BLD_new();

    if (bld != NULL && exponent != NULL && modulus != NULL
        && OSSL_PARAM_BLD_push_BN(bld, OSSL_PKEY_PARAM_RSA_N, modulus)
        && OSSL_PARAM_BLD_push_BN(bld, OSSL_PKEY_PARAM_RSA_E, exponent))
    {
        key = from_params("RSA", EVP_PKEY_PUBLIC_KEY, bld);
    }

    OSSL_PARAM_BLD_free(bld);
    BN_free(exponent);
    BN_free(modulus);

    if (key == NULL) {
        tcr_err_set(err, "no RSA key");
    }

    return key;
}


/* RFC 6605 4: the point's two numbers, one behind the other. */
static EVP_PKEY *
ec_public(const algorithm_t *a, const uint8_t *data, size_t n,
    tcr_err_t *err)
{
    uint8_t          point[1 + 2 * 48];
    EVP_PKEY        *key = NULL;
    OSSL_PARAM_BLD  *bld;

    if (n != 2 * a->size) {
        tcr_err_set(err, "found %zu bytes, expected %zu for %s", n,
                    2 * a->size, a->name);
        return NULL;
    }

    point[0] = POINT_CONVERSION_UNCOMPRESSED;
    memcpy(point + 1, data, n);
    bld = OSSL_PARAM_BLD_new();

    if (bld != NULL
        && OSSL_PARAM_BLD_push_utf8_string(bld, OSSL_PKEY_PARAM_GROUP_NAME,
                                           a->curve, 0)
        && OSSL_PARAM_BLD_push_octet_string(bld, OSSL_PKEY_PARAM_PUB_KEY,
                                            point, n + 1))
    {
        key = from_params("EC", EVP_PKEY_PUBLIC_KEY, bld);
    }

    OSSL_PARAM_BLD_free(bld);

    if (key == NULL) {
        tcr_err_set(err, "no point of %s", a->curve);
    }

    return key;
}


EVP_PKEY *
tcr_dnssec_public(unsigned algorithm, const uint8_t *data, size_t n,
    tcr_err_t *err)
{
    EVP_PKEY           *key;
    const algorithm_t  *a = find(algorithm);

    if (a == NULL) {
        tcr_err_set(err, "algorithm %u is not known", algorithm);
        return NULL;
    }

    if (a->kind == KIND_RSA) {
        return rsa_public(data, n, err);
    }

    if (a->kind == KIND_EC) {
        return ec_public(a, data, n, err);
    }

    key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, data, n);
    ERR_clear_error();

    if (key == NULL) {
        tcr_err_set(err, "found %zu bytes, expected %zu for %s", n, a->size,
                    a->name);
    }

    return key;
}


/* Value of "Name: value" in the text; absent when it is not there. */
static tcr_str_t
field_of(tcr_str_t text, const char *name)
{
    tcr_str_t  line, key;

    while (text.data != NULL) {
        line = tcr_str_split(&text, '\n');
        key = tcr_str_split(&line, ':');

        if (tcr_str_eq(tcr_str_trim(key), tcr_str(name))) {
            return tcr_str_trim(line);
        }
    }

    return tcr_str(NULL);
}


/* Decodes a field; n bytes.  -1 with err filled. */
static int
read_field(tcr_str_t text, const char *name, uint8_t *out, size_t room,
    size_t *n, tcr_err_t *err)
{
    tcr_str_t  value = field_of(text, name);

    if (value.data == NULL) {
        return tcr_err_set(err, "no line \"%s:\"", name);
    }

    if (value.len == 0 || TCR_BASE64_SIZE(value.len) > room
        || tcr_base64_plain(value, out, n) != 0)
    {
        return tcr_err_set(err, "the line \"%s:\" is not base64 of a number "
                           "in range", name);
    }

    return 0;
}


static int
push_rsa(OSSL_PARAM_BLD *bld, BIGNUM *numbers[RSA_FIELDS], tcr_str_t text,
    tcr_err_t *err)
{
    size_t   i, n;
    uint8_t  bytes[TCR_BASE64_SIZE(RSA_BYTES * 4 / 3 + 4)];

    for (i = 0; i < RSA_FIELDS; i++) {

        if (read_field(text, rsa_fields[i].name, bytes, sizeof(bytes), &n,
                       err) != 0)
        {
            break;
        }

        numbers[i] = BN_bin2bn(bytes, (int) n, NULL);

        if (numbers[i] == NULL
            || !OSSL_PARAM_BLD_push_BN(bld, rsa_fields[i].param, numbers[i]))
        {
            tcr_err_set(err, "out of memory");
            break;
        }
    }

    OPENSSL_cleanse(bytes, sizeof(bytes));
    return i == RSA_FIELDS ? 0 : -1;
}


static EVP_PKEY *
rsa_private(tcr_str_t text, tcr_err_t *err)
{
    size_t           i;
    BIGNUM          *numbers[RSA_FIELDS] = { NULL };
    EVP_PKEY        *key = NULL;
    OSSL_PARAM_BLD  *bld = OSSL_PARAM_BLD_new();

    if (bld == NULL) {
        tcr_err_set(err, "out of memory");

    } else if (push_rsa(bld, numbers, text, err) == 0) {
        key = from_params("RSA", EVP_PKEY_KEYPAIR, bld);

        if (key == NULL) {
            tcr_err_set(err, "no RSA key");
        }
    }

    OSSL_PARAM_BLD_free(bld);

    for (i = 0; i < RSA_FIELDS; i++) {
        BN_clear_free(numbers[i]);
    }

    return key;
}


/* A key that is one number: its public part follows from it. */
static EVP_PKEY *
ec_key(const algorithm_t *a, const uint8_t *bytes)
{
    BIGNUM          *number = BN_bin2bn(bytes, (int) a->size, NULL);
    uint8_t          point[1 + 2 * 48];
    EC_GROUP        *group = EC_GROUP_new_by_curve_name(a->nid);
    EC_POINT        *p = group != NULL ? EC_POINT_new(group) : NULL;
    EVP_PKEY        *key = NULL;
    OSSL_PARAM_BLD  *bld = OSSL_PARAM_BLD_new();

    if (number != NULL && p != NULL && bld != NULL
        && EC_POINT_mul(group, p, number, NULL, NULL, NULL)
        && EC_POINT_point2oct(group, p, POINT_CONVERSION_UNCOMPRESSED, point,
                              1 + 2 * a->size, NULL) == 1 + 2 * a->size
        && OSSL_PARAM_BLD_push_utf8_string(bld, OSSL_PKEY_PARAM_GROUP_NAME,
                                           a->curve, 0)
        && OSSL_PARAM_BLD_push_octet_string(bld, OSSL_PKEY_PARAM_PUB_KEY,
                                            point, 1 + 2 * a->size)
        && OSSL_PARAM_BLD_push_BN_pad(bld, OSSL_PKEY_PARAM_PRIV_KEY, number,
                                      a->size))
    {
        key = from_params("EC", EVP_PKEY_KEYPAIR, bld);
    }

    ERR_clear_error();
    OSSL_PARAM_BLD_free(bld);
    EC_POINT_free(p);
    EC_GROUP_free(group);
    BN_clear_free(number);
    return key;
}


static EVP_PKEY *
short_private(const algorithm_t *a, tcr_str_t text, tcr_err_t *err)
{
    size_t     n;
    uint8_t    bytes[48 + 3];
    EVP_PKEY  *key = NULL;

    if (read_field(text, "PrivateKey", bytes, sizeof(bytes), &n, err) != 0) {
        return NULL;
    }

    if (n != a->size) {
        tcr_err_set(err, "the line \"PrivateKey:\" has %zu bytes, expected "
                    "%zu for %s", n, a->size, a->name);

    } else {
        key = a->kind == KIND_EC
              ? ec_key(a, bytes)
              : EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, bytes,
                                             n);

        if (key == NULL) {
            tcr_err_set(err, "no private key of %s", a->name);
        }
    }

    OPENSSL_cleanse(bytes, sizeof(bytes));
    return key;
}


/* The fields that matter in BIND's order, and nothing else. */
static int
write_text(const algorithm_t *a, tcr_str_t in, char *out, size_t size,
    size_t *n)
{
    int        len;
    size_t     i, fields = a->kind == KIND_RSA ? RSA_FIELDS : 1;
    tcr_str_t  value;

    len = snprintf(out, size, "Private-key-format: v1.2\nAlgorithm: %u (%s)\n",
                   a->number, a->name);
    *n = (size_t) len;

    for (i = 0; i < fields; i++) {
        const char  *name = a->kind == KIND_RSA ? rsa_fields[i].name
                                                : "PrivateKey";

        value = field_of(in, name);
        len = snprintf(out + *n, size - *n, "%s: %.*s\n", name,
                       TCR_STR_ARG(value));

        if (len < 0 || (size_t) len >= size - *n) {
            return -1;
        }

        *n += (size_t) len;
    }

    return 0;
}


EVP_PKEY *
tcr_dnssec_private(unsigned algorithm, tcr_str_t in, char **text, size_t *n,
    tcr_err_t *err)
{
    EVP_PKEY           *key;
    const size_t        size = TCR_PRIVATE_MAX + 512;
    const algorithm_t  *a = find(algorithm);

    *text = NULL;

    if (a == NULL) {
        tcr_err_set(err, "algorithm %u is not known", algorithm);
        return NULL;
    }

    key = a->kind == KIND_RSA ? rsa_private(in, err)
                              : short_private(a, in, err);

    if (key == NULL) {
        return NULL;
    }

    *text = OPENSSL_malloc(size);

    if (*text == NULL || write_text(a, in, *text, size, n) != 0) {
        tcr_err_set(err, "out of memory");
        OPENSSL_clear_free(*text, size);
        *text = NULL;
        EVP_PKEY_free(key);
        return NULL;
    }

    return key;
}


bool
tcr_dnssec_is_pair(EVP_PKEY *private_key, EVP_PKEY *public_key)
{
    bool           pair = false;
    size_t         n;
    uint8_t        sig[RSA_BYTES];
    EVP_MD_CTX    *ctx = EVP_MD_CTX_new();
    const char     text[] = "a text to sign";
    const EVP_MD  *md;

    md = EVP_PKEY_get_base_id(private_key) == EVP_PKEY_ED25519
         ? NULL : EVP_sha256();
    n = sizeof(sig);

    if (ctx != NULL
        && EVP_DigestSignInit(ctx, NULL, md, NULL, private_key) == 1
        && EVP_DigestSign(ctx, sig, &n, (const uint8_t *) text,
                          sizeof(text)) == 1
        && EVP_MD_CTX_reset(ctx) == 1
        && EVP_DigestVerifyInit(ctx, NULL, md, NULL, public_key) == 1)
    {
        pair = EVP_DigestVerify(ctx, sig, n, (const uint8_t *) text,
                                sizeof(text)) == 1;
    }

    EVP_MD_CTX_free(ctx);
    ERR_clear_error();
    return pair;
}
