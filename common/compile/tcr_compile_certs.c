/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Certificates in the order in which they are looked up; those of authorities,
 * which most chains share, once.
 */

#include "tcr_compile_certs.h"

#include <stdio.h>
#include <stdlib.h>

#include "tcr_certs_format.h"
#include "tcr_crconfig_names.h"
#include "tcr_digest.h"

#define HEX_MAX  65

_Static_assert((int) TCR_SSLKEY_RSA == (int) TCR_CERT_RSA
               && (int) TCR_SSLKEY_EC == (int) TCR_CERT_EC
               && (int) TCR_SSLKEY_ED25519 == (int) TCR_CERT_ED25519,
               "types of keys");


typedef struct {
    tcr_arena_t      *arena;
    tcr_build_t      *b;
    tcr_names_t       known;      /* DER -> place in ders                    */
    tcr_img_der_t    *ders;
    uint32_t          n_ders;
    bool              failed;     /* out of memory                           */
    tcr_img_certs_t   root;       /* copied in at the end                    */
} certs_t;


static void *
alloc(certs_t *c, size_t n, size_t size)
{
    void  *p = tcr_arena_calloc(c->arena, n != 0 ? n : 1, size);

    c->failed = c->failed || p == NULL;
    return p;
}


static int
by_host(const void *a, const void *b)
{
    int                  order;
    const tcr_sslkey_t  *x = *(const tcr_sslkey_t *const *) a;
    const tcr_sslkey_t  *y = *(const tcr_sslkey_t *const *) b;

    order = tcr_str_cmp(x->hostname, y->hostname);

    return order != 0 ? order : (int) x->type - (int) y->type;
}


static const tcr_sslkey_t **
sorted(certs_t *c, const tcr_sslkeys_t *keys)
{
    size_t                i;
    const tcr_sslkey_t  **items = alloc(c, keys->n, sizeof(*items));

    if (items == NULL) {
        return NULL;
    }

    for (i = 0; i < keys->n; i++) {
        items[i] = &keys->items[i];
    }

    if (keys->n != 0) {
        qsort(items, keys->n, sizeof(*items), by_host);
    }

    return items;
}


static bool
make_room(certs_t *c, const tcr_sslkeys_t *keys)
{
    size_t  i, n = 0;

    for (i = 0; i < keys->n; i++) {
        n += keys->items[i].n;
    }

    c->ders = alloc(c, n, sizeof(*c->ders));

    if (tcr_names_init(&c->known, c->arena, n) != 0) {
        c->failed = true;
    }

    return !c->failed;
}


static uint32_t
add_der(certs_t *c, tcr_str_t der)
{
    uint32_t  at;

    if (tcr_names_find(&c->known, der, &at)) {
        return at;
    }

    at = c->n_ders++;
    c->ders[at].der = tcr_build_str_copy(c->b, der);
    tcr_names_add(&c->known, der, at);

    return at;
}


static tcr_img_vec_t
add_chain(certs_t *c, const tcr_sslkey_t *key)
{
    size_t     i;
    uint32_t  *chain = alloc(c, key->n, sizeof(*chain));

    for (i = 0; chain != NULL && i < key->n; i++) {
        chain[i] = add_der(c, key->chain[i]);
    }

    return tcr_build_array(c->b, chain, chain != NULL ? key->n : 0,
                           sizeof(*chain), _Alignof(uint32_t));
}


static tcr_img_str_t
add_fingerprint(certs_t *c, tcr_str_t der)
{
    char     hex[HEX_MAX];
    size_t   i;
    uint8_t  sha[32];

    if (tcr_sha256(der.data, der.len, sha) != 0) {
        c->failed = true;
        return 0;
    }

    for (i = 0; i < sizeof(sha); i++) {
        snprintf(hex + 2 * i, 3, "%02x", sha[i]);
    }

    return tcr_build_str_copy(c->b, tcr_str(hex));
}


static void
add_certificates(certs_t *c, const tcr_sslkeys_t *keys)
{
    size_t                  i, n = keys->n;
    tcr_str_t              *hosts = alloc(c, n, sizeof(*hosts));
    const tcr_sslkey_t    **from = sorted(c, keys);
    tcr_img_certificate_t  *out = alloc(c, n, sizeof(*out));

    if (c->failed) {
        return;
    }

    for (i = 0; i < n && !c->failed; i++) {

        /* the map leads to the first of neighbours */
        if (i == 0 || !tcr_str_eq(from[i]->hostname, from[i - 1]->hostname)) {
            hosts[i] = from[i]->hostname;
        }

        out[i] = (tcr_img_certificate_t) {
            .host = tcr_build_str(c->b, from[i]->hostname),
            .type = from[i]->type,
            .service = tcr_build_str(c->b, from[i]->service),
            .key = tcr_build_str_copy(c->b, from[i]->key),
            .chain = add_chain(c, from[i]),
            .not_before = from[i]->not_before,
            .not_after = from[i]->not_after,
            .fingerprint = add_fingerprint(c, from[i]->chain[0]),
            .source = tcr_build_str_copy(c->b, from[i]->source)
        };
    }

    c->root.certificates = tcr_build_array(c->b, out, n, sizeof(*out),
                                           _Alignof(tcr_img_certificate_t));
    c->root.host_map = tcr_build_map(c->b, hosts, n);
    c->root.ders = tcr_build_array(c->b, c->ders, c->n_ders,
                                   sizeof(*c->ders), _Alignof(tcr_img_der_t));
}


static void
add_refused(certs_t *c, const tcr_sslkeys_t *keys)
{
    size_t              i, n = keys->n_refused;
    tcr_img_refused_t  *out = alloc(c, n, sizeof(*out));

    for (i = 0; out != NULL && i < n; i++) {
        out[i].host = tcr_build_str(c->b, keys->refused[i].hostname);
        out[i].service = tcr_build_str(c->b, keys->refused[i].service);
        out[i].why = tcr_build_str(c->b, keys->refused[i].why);
    }

    c->root.refused = tcr_build_array(c->b, out, out != NULL ? n : 0,
                                      sizeof(*out),
                                      _Alignof(tcr_img_refused_t));
}


int
tcr_compile_certs(const tcr_sslkeys_t *keys, tcr_build_t **out,
    tcr_err_t *err)
{
    certs_t  c = { .failed = false };

    c.arena = tcr_arena_create(0);
    c.b = tcr_build_create(TCR_SLOT_CERTS, sizeof(tcr_img_certs_t));
    c.failed = c.arena == NULL || c.b == NULL;

    if (!c.failed && make_room(&c, keys)) {
        add_certificates(&c, keys);
        add_refused(&c, keys);
        memcpy(tcr_build_root(c.b), &c.root, sizeof(c.root));
    }

    if (c.failed) {
        tcr_build_destroy(c.b);
        tcr_err_set(err, "out of memory while compiling certificates");

    } else {
        *out = c.b;
    }

    tcr_arena_destroy(c.arena);
    return c.failed ? -1 : 0;
}


/* Of a certificate of the image: nothing is copied but the list of DERs. */
static bool
fill_known(tcr_sslkey_t *key, const tcr_image_t *img, tcr_arena_t *arena,
    const tcr_img_certificate_t *c)
{
    uint32_t                i;
    const uint32_t         *chain = tcr_image_vec(img, &c->chain);
    const tcr_img_certs_t  *root = tcr_image_root(img);
    const tcr_img_der_t    *ders = tcr_image_vec(img, &root->ders);

    *key = (tcr_sslkey_t) {
        .service = tcr_image_str(img, c->service),
        .hostname = tcr_image_str(img, c->host),
        .chain = tcr_arena_calloc(arena, c->chain.n, sizeof(tcr_str_t)),
        .n = c->chain.n,
        .key = tcr_image_str(img, c->key),
        .type = (tcr_sslkey_type_e) c->type,
        .not_before = c->not_before,
        .not_after = c->not_after,
        .source = tcr_image_str(img, c->source)
    };

    for (i = 0; key->chain != NULL && i < c->chain.n; i++) {
        key->chain[i] = tcr_image_str(img, ders[chain[i]].der);
    }

    return key->chain != NULL;
}


int
tcr_compile_certs_known(const tcr_image_t *img, tcr_arena_t *arena,
    tcr_sslkeys_t *known, tcr_err_t *err)
{
    size_t                        i;
    const tcr_img_certs_t        *root = tcr_image_root(img);
    const tcr_img_certificate_t  *c;

    memset(known, 0, sizeof(*known));
    c = tcr_image_vec(img, &root->certificates);
    known->items = tcr_arena_calloc(arena, root->certificates.n + 1,
                                    sizeof(*known->items));

    for (i = 0; known->items != NULL && i < root->certificates.n; i++) {
        if (!fill_known(&known->items[i], img, arena, &c[i])) {
            known->items = NULL;
        }
    }

    if (known->items == NULL) {
        return tcr_err_set(err, "out of memory");
    }

    known->n = root->certificates.n;
    return 0;
}
