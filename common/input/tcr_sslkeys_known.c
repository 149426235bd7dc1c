/* SPDX-License-Identifier: Apache-2.0 */

/* Taking over what is known of entries that have not changed. */

#include "tcr_sslkeys_known.h"

#include <openssl/crypto.h>

#define DIGEST  32


int
tcr_known_init(tcr_known_t *known, tcr_arena_t *arena,
    const tcr_sslkeys_t *previous)
{
    size_t     i, n = previous != NULL ? previous->n : 0;
    uint32_t   place;
    tcr_str_t  source;

    memset(known, 0, sizeof(*known));
    known->previous = previous;
    known->ctx = EVP_MD_CTX_new();
    known->sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);

    if (known->ctx == NULL || known->sha256 == NULL
        || tcr_names_init(&known->sources, arena, n) != 0)
    {
        return -1;
    }

    for (i = 0; i < n; i++) {
        source = previous->items[i].source;

        if (source.data != NULL
            && !tcr_names_find(&known->sources, source, &place))
        {
            tcr_names_add(&known->sources, source, (uint32_t) i);
        }
    }

    return 0;
}


void
tcr_known_end(tcr_known_t *known)
{
    EVP_MD_CTX_free(known->ctx);
    EVP_MD_free(known->sha256);
}


/* The length goes first, so that no two entries give the same bytes. */
static bool
add(tcr_known_t *known, tcr_str_t text)
{
    uint64_t  len = text.len;

    return EVP_DigestUpdate(known->ctx, &len, sizeof(len)) == 1
           && EVP_DigestUpdate(known->ctx, text.data, text.len) == 1;
}


tcr_str_t
tcr_known_source(tcr_known_t *known, tcr_arena_t *arena, tcr_str_t hostname,
    tcr_str_t certs, tcr_str_t key)
{
    unsigned char  digest[DIGEST];

    if (EVP_DigestInit_ex2(known->ctx, known->sha256, NULL) != 1
        || !add(known, hostname) || !add(known, certs) || !add(known, key)
        || EVP_DigestFinal_ex(known->ctx, digest, NULL) != 1)
    {
        return (tcr_str_t) { NULL, 0 };
    }

    return tcr_arena_strdup(arena, tcr_str_n((const char *) digest, DIGEST));
}


static bool
copy_chain(tcr_arena_t *arena, const tcr_sslkey_t *old, tcr_sslkey_t *key)
{
    size_t  i;

    key->n = old->n;
    key->chain = tcr_arena_calloc(arena, old->n, sizeof(*key->chain));

    if (key->chain == NULL) {
        return false;
    }

    for (i = 0; i < old->n; i++) {
        key->chain[i] = tcr_arena_strdup(arena, old->chain[i]);

        if (key->chain[i].data == NULL) {
            return false;
        }
    }

    return true;
}


bool
tcr_known_take(const tcr_known_t *known, tcr_arena_t *arena,
    tcr_str_t source, int64_t now, tcr_sslkey_t *key)
{
    void                *copy;
    uint32_t             place;
    const tcr_sslkey_t  *old;

    if (source.data == NULL
        || !tcr_names_find(&known->sources, source, &place))
    {
        return false;
    }

    old = &known->previous->items[place];

    if (now < old->not_before || now > old->not_after) {
        return false;
    }

    if (!copy_chain(arena, old, key)) {
        return false;
    }

    copy = OPENSSL_memdup(old->key.data, old->key.len);

    if (copy == NULL) {
        return false;
    }

    key->key = tcr_str_n(copy, old->key.len);
    key->type = old->type;
    key->not_before = old->not_before;
    key->not_after = old->not_after;
    key->source = source;

    return true;
}
