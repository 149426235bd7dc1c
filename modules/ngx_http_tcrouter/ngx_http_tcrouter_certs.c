/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A worker's certificates.
 *
 * A certificate is parsed when it is first asked for and kept as long as it
 * stands in the image and is among those used lately.  Connections hold
 * references of their own, so nothing here waits for a handshake to end.
 */

#include <openssl/decoder.h>

#include "tcr_certs.h"
#include "tcr_snapshot.h"

#include "ngx_http_tcrouter.h"

#if (NGX_HTTP_SSL)

#include "ngx_http_tcrouter_certs.h"

/* Kept parsed: some 8 kilobytes each, far more than in the image. */
#define PARSED_MAX  20000

/* The same refusal is not repeated before so many seconds have passed. */
#define REPEAT      60


/* An image and what has been parsed of it. */
typedef struct {
    tcr_set_t                     *set;      /* pinned                       */
    const tcr_image_t             *img;      /* NULL = no image              */
    const tcr_img_certs_t         *root;
    const tcr_img_certificate_t   *items;
    ngx_http_tcrouter_cert_t     **parsed;   /* by item, NULL = not yet      */
    X509                         **issuers;  /* by place in ders, likewise   */
} generation_t;

struct ngx_http_tcrouter_certs_s {
    tcr_snapshot_t                *snap;
    generation_t                   gen;
    ngx_queue_t                    recent;   /* parsed ones, latest first    */
    ngx_uint_t                     n;        /* of them                      */
    OSSL_DECODER_CTX              *decoders[TCR_CERT_TYPES];
    EVP_PKEY                      *decoded;  /* what a decoder leaves        */
    tcr_err_t                      refusal;  /* the one logged last          */
    time_t                         refusal_time;
};


static void
drop(ngx_http_tcrouter_certs_t *certs, generation_t *gen,
    ngx_http_tcrouter_cert_t *cert)
{
    gen->parsed[cert->index] = NULL;

    ngx_queue_remove(&cert->queue);
    certs->n--;

    X509_free(cert->leaf);
    EVP_PKEY_free(cert->key);
    sk_X509_pop_free(cert->chain, X509_free);
    ngx_free(cert);
}


static void
end_generation(generation_t *gen)
{
    uint32_t  i;

    if (gen->img != NULL && gen->issuers != NULL) {
        for (i = 0; i < gen->root->ders.n; i++) {
            X509_free(gen->issuers[i]);
        }
    }

    ngx_free(gen->issuers);
    ngx_free(gen->parsed);

    if (gen->set != NULL) {
        tcr_snapshot_unpin(gen->set);
    }

    ngx_memzero(gen, sizeof(generation_t));
}


static ngx_int_t
begin_generation(generation_t *gen, tcr_snapshot_t *snap)
{
    tcr_mapped_t  *mapped;

    ngx_memzero(gen, sizeof(generation_t));

    gen->set = tcr_snapshot_pin(snap);
    mapped = gen->set->slots[TCR_SLOT_CERTS];

    if (mapped == NULL) {
        return NGX_OK;
    }

    gen->img = &mapped->img;
    gen->root = tcr_image_root(gen->img);
    gen->items = tcr_image_vec(gen->img, &gen->root->certificates);
    gen->parsed = ngx_calloc((gen->root->certificates.n + 1)
                             * sizeof(ngx_http_tcrouter_cert_t *),
                             ngx_cycle->log);
    gen->issuers = ngx_calloc((gen->root->ders.n + 1) * sizeof(X509 *),
                              ngx_cycle->log);

    if (gen->parsed == NULL || gen->issuers == NULL) {
        end_generation(gen);
        return NGX_ERROR;
    }

    return NGX_OK;
}


/* Setting one up takes ten times as long as decoding a key with it. */

static ngx_int_t
make_decoders(ngx_http_tcrouter_certs_t *certs)
{
    ngx_uint_t                i;
    static const char *const  names[TCR_CERT_TYPES] = {
        [TCR_CERT_RSA] = "RSA",
        [TCR_CERT_EC] = "EC",
        [TCR_CERT_ED25519] = "ED25519"
    };

    for (i = 0; i < TCR_CERT_TYPES; i++) {
        certs->decoders[i] = OSSL_DECODER_CTX_new_for_pkey(&certs->decoded,
                                 "DER", "PrivateKeyInfo", names[i],
                                 EVP_PKEY_KEYPAIR, NULL, NULL);

        if (certs->decoders[i] == NULL) {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


ngx_http_tcrouter_certs_t *
ngx_http_tcrouter_certs_create(ngx_str_t *dir)
{
    ngx_http_tcrouter_certs_t  *certs;

    certs = ngx_calloc(sizeof(ngx_http_tcrouter_certs_t), ngx_cycle->log);

    if (certs == NULL) {
        return NULL;
    }

    ngx_queue_init(&certs->recent);
    certs->snap = tcr_snapshot_create((char *) dir->data,
                                      1u << TCR_SLOT_CERTS);

    if (certs->snap == NULL || make_decoders(certs) != NGX_OK) {
        ngx_http_tcrouter_certs_destroy(certs);
        return NULL;
    }

    tcr_snapshot_background(certs->snap);

    return certs;
}


void
ngx_http_tcrouter_certs_destroy(ngx_http_tcrouter_certs_t *certs)
{
    ngx_uint_t    i;
    ngx_queue_t  *q;

    if (certs == NULL) {
        return;
    }

    while (!ngx_queue_empty(&certs->recent)) {
        q = ngx_queue_head(&certs->recent);
        drop(certs, &certs->gen,
             ngx_queue_data(q, ngx_http_tcrouter_cert_t, queue));
    }

    end_generation(&certs->gen);

    for (i = 0; i < TCR_CERT_TYPES; i++) {
        OSSL_DECODER_CTX_free(certs->decoders[i]);
    }

    tcr_snapshot_destroy(certs->snap);
    ngx_free(certs);
}


/* --- a new image --- */

static tcr_str_t
der_of(const generation_t *gen, uint32_t item, uint32_t i)
{
    const uint32_t       *chain;
    const tcr_img_der_t  *ders;

    chain = tcr_image_vec(gen->img, &gen->items[item].chain);
    ders = tcr_image_vec(gen->img, &gen->root->ders);

    return tcr_image_str(gen->img, ders[chain[i]].der);
}


/* The key need not be compared: it is that of the first certificate. */

static ngx_uint_t
same_chain(const generation_t *a, uint32_t x, const generation_t *b,
    uint32_t y)
{
    uint32_t  i;

    if (a->items[x].chain.n != b->items[y].chain.n) {
        return 0;
    }

    for (i = 0; i < a->items[x].chain.n; i++) {
        if (!tcr_str_eq(der_of(a, x, i), der_of(b, y, i))) {
            return 0;
        }
    }

    return 1;
}


static int
compare(const generation_t *a, uint32_t x, const generation_t *b, uint32_t y)
{
    int  rc;

    rc = tcr_str_cmp(tcr_image_str(a->img, a->items[x].host),
                     tcr_image_str(b->img, b->items[y].host));

    return rc != 0 ? rc : (int) a->items[x].type - (int) b->items[y].type;
}


/* Both are in the order of hosts and types: one walk, side by side. */

static void
take_over(ngx_http_tcrouter_certs_t *certs, generation_t *old,
    generation_t *gen)
{
    uint32_t                   i, k = 0, n, n_old;
    ngx_http_tcrouter_cert_t  *cert;

    n = gen->img != NULL ? gen->root->certificates.n : 0;
    n_old = old->img != NULL ? old->root->certificates.n : 0;

    for (i = 0; i < n_old; i++) {
        cert = old->parsed[i];

        if (cert == NULL) {
            continue;
        }

        while (k < n && compare(gen, k, old, i) < 0) {
            k++;
        }

        if (k < n && !cert->bad && compare(gen, k, old, i) == 0
            && same_chain(gen, k, old, i))
        {
            gen->parsed[k] = cert;
            cert->index = k;

        } else {
            drop(certs, old, cert);
        }
    }
}


static void
change_generation(ngx_http_tcrouter_certs_t *certs)
{
    generation_t  gen;

    if (begin_generation(&gen, certs->snap) != NGX_OK) {
        ngx_log_error(NGX_LOG_ALERT, ngx_cycle->log, 0,
                      "tcrouter: no memory for new certificates, those of "
                      "before serve");
        return;
    }

    take_over(certs, &certs->gen, &gen);
    end_generation(&certs->gen);
    certs->gen = gen;

    ngx_log_error(NGX_LOG_NOTICE, ngx_cycle->log, 0,
                  "tcrouter: %uD certificates are in force",
                  gen.img != NULL ? gen.root->certificates.n : 0);
}


static void
log_refusal(ngx_http_tcrouter_certs_t *certs, tcr_err_t *err)
{
    if (ngx_strcmp(err->text, certs->refusal.text) == 0
        && ngx_time() - certs->refusal_time < REPEAT)
    {
        return;
    }

    certs->refusal = *err;
    certs->refusal_time = ngx_time();

    ngx_log_error(NGX_LOG_ERR, ngx_cycle->log, 0,
                  "tcrouter: %s; %s", err->text,
                  certs->gen.img != NULL
                  ? "the certificates of before serve"
                  : "every client gets the server's own certificate");
}


void
ngx_http_tcrouter_certs_refresh(ngx_http_tcrouter_certs_t *certs)
{
    int          rc;
    tcr_err_t    err;
    ngx_time_t  *tp = ngx_timeofday();

    rc = tcr_snapshot_refresh(certs->snap, (int64_t) tp->sec * 1000 + tp->msec,
                              &err);
    if (rc < 0) {
        log_refusal(certs, &err);

    } else if (rc > 0) {
        change_generation(certs);
    }
}


const tcr_image_t *
ngx_http_tcrouter_certs_image(ngx_http_tcrouter_certs_t *certs)
{
    const tcr_mapped_t  *mapped;

    mapped = tcr_snapshot_current(certs->snap)->slots[TCR_SLOT_CERTS];

    return mapped != NULL ? &mapped->img : NULL;
}


ngx_uint_t
ngx_http_tcrouter_certs_find(ngx_http_tcrouter_certs_t *certs,
    ngx_str_t *name, ngx_uint_t *first)
{
    uint32_t  n, place = 0;

    if (certs->gen.img == NULL) {
        return 0;
    }

    n = tcr_certs_find(certs->gen.img, ngx_http_tcrouter_str(*name), &place);
    *first = place;

    return n;
}


/* --- parsing --- */

static X509 *
parse_x509(tcr_str_t der)
{
    const u_char  *p = (const u_char *) der.data;

    return d2i_X509(NULL, &p, (long) der.len);
}


static EVP_PKEY *
parse_key(ngx_http_tcrouter_certs_t *certs, const tcr_img_certificate_t *item)
{
    size_t         len;
    tcr_str_t      der = tcr_image_str(certs->gen.img, item->key);
    const u_char  *p = (const u_char *) der.data;

    len = der.len;
    certs->decoded = NULL;

    if (OSSL_DECODER_from_data(certs->decoders[item->type], &p, &len) != 1) {
        return NULL;
    }

    return certs->decoded;
}


/* Certificates of authorities are parsed once for all chains. */

static X509 *
issuer(generation_t *gen, uint32_t item, uint32_t i)
{
    const uint32_t  *chain = tcr_image_vec(gen->img, &gen->items[item].chain);
    X509           **place = &gen->issuers[chain[i]];

    if (*place == NULL) {
        *place = parse_x509(der_of(gen, item, i));
    }

    if (*place != NULL) {
        X509_up_ref(*place);
    }

    return *place;
}


static ngx_int_t
parse(ngx_http_tcrouter_certs_t *certs, ngx_http_tcrouter_cert_t *cert)
{
    X509          *x509;
    uint32_t       i, item = (uint32_t) cert->index;
    generation_t  *gen = &certs->gen;

    cert->leaf = parse_x509(der_of(gen, item, 0));
    cert->key = parse_key(certs, &gen->items[item]);
    cert->chain = sk_X509_new_null();

    if (cert->leaf == NULL || cert->key == NULL || cert->chain == NULL) {
        return NGX_ERROR;
    }

    for (i = 1; i < gen->items[item].chain.n; i++) {
        x509 = issuer(gen, item, i);

        if (x509 == NULL || sk_X509_push(cert->chain, x509) == 0) {
            X509_free(x509);
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


/*
 * OpenSSL may refuse what it has parsed, for example a key that is too short
 * for the level of security; the server's own certificate is better then than
 * no handshake.
 */

static void
try_out(ngx_http_tcrouter_certs_t *certs, ngx_http_tcrouter_cert_t *cert,
    ngx_ssl_conn_t *ssl_conn)
{
    ngx_str_t      name;
    tcr_str_t      host;
    generation_t  *gen = &certs->gen;

    if (parse(certs, cert) == NGX_OK
        && SSL_use_cert_and_key(ssl_conn, cert->leaf, cert->key, cert->chain,
                                1)
           == 1)
    {
        return;
    }

    host = tcr_image_str(gen->img, gen->items[cert->index].host);
    name.data = (u_char *) host.data;
    name.len = host.len;

    ngx_ssl_error(NGX_LOG_ERR, ngx_cycle->log, 0,
                  "tcrouter: certificate for \"%V\" cannot be used", &name);
    cert->bad = 1;
}


/* The oldest goes, unless it was used again since it was looked at last. */

static void
make_room(ngx_http_tcrouter_certs_t *certs)
{
    ngx_queue_t               *q;
    ngx_http_tcrouter_cert_t  *cert;

    for ( ;; ) {
        q = ngx_queue_last(&certs->recent);
        cert = ngx_queue_data(q, ngx_http_tcrouter_cert_t, queue);

        if (!cert->used) {
            drop(certs, &certs->gen, cert);
            return;
        }

        cert->used = 0;
        ngx_queue_remove(q);
        ngx_queue_insert_head(&certs->recent, q);
    }
}


static ngx_http_tcrouter_cert_t *
add(ngx_http_tcrouter_certs_t *certs, ngx_uint_t index)
{
    ngx_http_tcrouter_cert_t  *cert;

    if (certs->n == PARSED_MAX) {
        make_room(certs);
    }

    cert = ngx_calloc(sizeof(ngx_http_tcrouter_cert_t), ngx_cycle->log);

    if (cert == NULL) {
        return NULL;
    }

    cert->index = index;
    ngx_queue_insert_head(&certs->recent, &cert->queue);
    certs->n++;
    certs->gen.parsed[index] = cert;

    return cert;
}


ngx_http_tcrouter_cert_t *
ngx_http_tcrouter_certs_get(ngx_http_tcrouter_certs_t *certs,
    ngx_uint_t index, ngx_ssl_conn_t *ssl_conn)
{
    ngx_http_tcrouter_cert_t  *cert = certs->gen.parsed[index];

    if (cert == NULL) {
        cert = add(certs, index);

        if (cert == NULL) {
            return NULL;
        }

        try_out(certs, cert, ssl_conn);

    } else {
        cert->used = 1;
    }

    return cert->bad ? NULL : cert;
}

#endif
