/* SPDX-License-Identifier: Apache-2.0 */

/* SHA-1 of names again and again, through OpenSSL. */

#include "tcr_nsec3.h"

#include <openssl/evp.h>
#include <stdlib.h>

#include "tcr_wire.h"

#define DIGIT_BITS  5             /* of base32                               */


struct tcr_nsec3_s {
    EVP_MD_CTX  *ctx;             /* with SHA-1 set: to begin anew is cheap  */
    uint32_t     iterations;
    size_t       salt_len;
    uint8_t      salt[TCR_NSEC3_SALT_MAX];
};


/* 0..15, or -1. */
static int
hex_digit(char c)
{
    c = tcr_lower(c);

    if (c >= '0' && c <= '9') {
        return c - '0';
    }

    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}


bool
tcr_nsec3_is_salt(tcr_str_t text)
{
    size_t  i;

    for (i = 0; i < text.len; i++) {

        if (hex_digit(text.data[i]) < 0) {
            return false;
        }
    }

    return text.len % 2 == 0 && text.len / 2 <= TCR_NSEC3_SALT_MAX;
}


tcr_nsec3_t *
tcr_nsec3_create(const tcr_nsec3_params_t *params)
{
    size_t        i;
    tcr_str_t     salt = params->salt;
    tcr_nsec3_t  *n;

    n = tcr_nsec3_is_salt(salt) ? calloc(1, sizeof(*n)) : NULL;

    if (n == NULL) {
        return NULL;
    }

    n->iterations = params->iterations;
    n->salt_len = salt.len / 2;

    for (i = 0; i < n->salt_len; i++) {
        n->salt[i] = (uint8_t) (hex_digit(salt.data[2 * i]) << 4
                                | hex_digit(salt.data[2 * i + 1]));
    }

    n->ctx = EVP_MD_CTX_new();

    if (n->ctx == NULL
        || EVP_DigestInit_ex(n->ctx, EVP_sha1(), NULL) != 1)
    {
        tcr_nsec3_destroy(n);
        return NULL;
    }

    return n;
}


void
tcr_nsec3_destroy(tcr_nsec3_t *n)
{
    if (n != NULL) {
        EVP_MD_CTX_free(n->ctx);
        free(n);
    }
}


/* H(x || salt), RFC 5155 5. */
static int
digest(tcr_nsec3_t *n, const uint8_t *data, size_t len,
    uint8_t hash[TCR_NSEC3_HASH])
{
    return EVP_DigestInit_ex(n->ctx, NULL, NULL) == 1
           && EVP_DigestUpdate(n->ctx, data, len) == 1
           && EVP_DigestUpdate(n->ctx, n->salt, n->salt_len) == 1
           && EVP_DigestFinal_ex(n->ctx, hash, NULL) == 1 ? 0 : -1;
}


int
tcr_nsec3_hash(tcr_nsec3_t *n, tcr_str_t name, uint8_t hash[TCR_NSEC3_HASH])
{
    int       rc;
    uint8_t   wire[TCR_WIRE_MAX];
    uint32_t  i;

    rc = digest(n, wire, tcr_wire_name(name, wire), hash);

    for (i = 0; i < n->iterations && rc == 0; i++) {
        rc = digest(n, hash, TCR_NSEC3_HASH, hash);
    }

    return rc;
}


void
tcr_nsec3_text(const uint8_t hash[TCR_NSEC3_HASH],
    char text[TCR_NSEC3_TEXT + 1])
{
    size_t    i, n = 0;
    uint32_t  bits = 0, have = 0;

    static const char  digits[] = "0123456789abcdefghijklmnopqrstuv";

    for (i = 0; i < TCR_NSEC3_HASH; i++) {
        bits = bits << 8 | hash[i];

        for (have += 8; have >= DIGIT_BITS; have -= DIGIT_BITS) {
            text[n++] = digits[bits >> (have - DIGIT_BITS) & 31];
        }
    }

    text[n] = '\0';
}


int
tcr_nsec3_parse(tcr_str_t text, uint8_t hash[TCR_NSEC3_HASH])
{
    char      c;
    size_t    i, n = 0;
    uint32_t  bits = 0, have = 0;

    if (text.len != TCR_NSEC3_TEXT) {
        return -1;
    }

    for (i = 0; i < text.len; i++) {
        c = tcr_lower(text.data[i]);

        if ((c < '0' || c > '9') && (c < 'a' || c > 'v')) {
            return -1;
        }

        bits = bits << DIGIT_BITS | (uint32_t) (c <= '9' ? c - '0'
                                                         : c - 'a' + 10);
        have += DIGIT_BITS;

        if (have >= 8) {
            have -= 8;
            hash[n++] = (uint8_t) (bits >> have);
        }
    }

    return 0;
}
