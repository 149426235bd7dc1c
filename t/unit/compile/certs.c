/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The certs image: order and look-up of hosts, chains that share authorities,
 * what was refused; nothing that is secret in a dump.
 */

#include <stdio.h>
#include <stdlib.h>

#include "tap.h"
#include "tcr_certs.h"
#include "tcr_compile_certs.h"

#define ELEMENT(vec, type, i)                                                 \
    ((const type *) tcr_image_vec(&img, &(vec)) + (i))


static tcr_build_t            *build;
static tcr_image_t             img;
static const tcr_img_certs_t  *root;

static tcr_str_t  abc[] = { TCR_STR("leaf a"), TCR_STR("middle"),
                            TCR_STR("root") };
static tcr_str_t  b_only[] = { TCR_STR("leaf b") };
static tcr_str_t  cmr[] = { TCR_STR("leaf c"), TCR_STR("middle"),
                            TCR_STR("root") };

static tcr_sslkey_t  items[] = {
    { TCR_STR("vod"), TCR_STR("b.example.net"), b_only, 1,
      TCR_STR("hidden 1"), TCR_SSLKEY_EC, 5, 6, { NULL, 0 } },
    { TCR_STR("vod"), TCR_STR("*.a.example.net"), abc, 3,
      TCR_STR("hidden 2"), TCR_SSLKEY_EC, 1, 2, TCR_STR("digest") },
    { TCR_STR("live"), TCR_STR("*.a.example.net"), cmr, 3,
      TCR_STR("hidden 3"), TCR_SSLKEY_RSA, 3, 4, { NULL, 0 } },
    { TCR_STR("more"), TCR_STR("b.example.net"), b_only, 1,
      TCR_STR("hidden 4"), TCR_SSLKEY_ED25519, 7, 8, { NULL, 0 } }
};


/* Compiled, finished, verified as readers verify it. */
static void
compile(const tcr_sslkeys_t *keys)
{
    void       *data;
    size_t      size;
    tcr_err_t   err;

    tcr_build_destroy(build);

    if (tcr_compile_certs(keys, &build, &err) != 0
        || tcr_build_finish(build, NULL, &data, &size, &err) != 0
        || tcr_image_verify(data, size, TCR_SLOT_CERTS, &err) != 0)
    {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }

    img = (tcr_image_t) { data, size, data, false };
    root = tcr_image_root(&img);
}


static const tcr_img_certificate_t *
certificate(uint32_t i)
{
    return ELEMENT(root->certificates, tcr_img_certificate_t, i);
}


static const char *
text(tcr_img_str_t ref)
{
    tcr_str_t  s = tcr_image_str(&img, ref);

    return s.data != NULL ? s.data : "-";
}


static const char *
der(const tcr_img_certificate_t *c, uint32_t i)
{
    return text(ELEMENT(root->ders, tcr_img_der_t,
                        *ELEMENT(c->chain, uint32_t, i))->der);
}


static int64_t
find(const char *host)
{
    uint32_t  first;

    return tcr_certs_find(&img, tcr_str(host), &first) != 0 ? (int64_t) first
                                                           : -1;
}


static void
order(void)
{
    tcr_sslkeys_t  keys = { items, 4, NULL, 0 };

    compile(&keys);
    is_int(root->certificates.n, 4, "all are there");
    is_int(find("*.a.example.net"), 0, "the first of a host is found");
    is_int(find("b.example.net"), 2, "of the other one too");
    is_int(find("x.a.example.net"), 0, "the wildcard for a label");
    is_int(find("x.y.a.example.net"), -1, "not for two");
    is_int(find("a.example.net"), -1, "nor for none");
    is_int(find(".a.example.net"), -1, "nor for an empty one");
    is_int(find("x.b.example.net"), -1, "an exact name is no wildcard");
    is_int(find(""), -1, "no name");

    is_int(certificate(0)->type, TCR_CERT_RSA, "by type");
    is_str(text(certificate(0)->service), "live", "service");
    is_str(text(certificate(0)->key), "hidden 3", "key");
    is_int(certificate(0)->not_before, 3, "begin");
    is_int(certificate(0)->not_after, 4, "end");
    is_int(certificate(1)->type, TCR_CERT_EC, "then EC");
    is_str(text(certificate(1)->host), "*.a.example.net", "of the same host");
    is_int(certificate(3)->type, TCR_CERT_ED25519, "Ed25519 is the last");
}


/* Names that clients make up. */
static void
odd_names(void)
{
    char      name[1024];
    uint32_t  first;

    memset(name, 'x', sizeof(name));
    memcpy(name + sizeof(name) - 15, ".a.example.net", 14);
    is_int(tcr_certs_find(&img, tcr_str_n(name, sizeof(name) - 1), &first), 2,
           "a long label");
    memset(name, '.', sizeof(name));
    is_int(tcr_certs_find(&img, tcr_str_n(name, sizeof(name)), &first), 0,
           "dots");
    memset(name + 1, 'x', sizeof(name) - 1);
    name[0] = 'x';
    name[1] = '.';
    is_int(tcr_certs_find(&img, tcr_str_n(name, sizeof(name)), &first), 0,
           "a long rest");
}


static void
chains(void)
{
    is_int(root->ders.n, 5, "each certificate once");
    is_int(certificate(0)->chain.n, 3, "a chain");
    is_str(der(certificate(0), 0), "leaf c", "the leaf");
    is_str(der(certificate(0), 1), "middle", "its issuer");
    is_str(der(certificate(0), 2), "root", "and the root");
    is_str(der(certificate(1), 0), "leaf a", "another leaf");
    is_int(*ELEMENT(certificate(1)->chain, uint32_t, 1),
           *ELEMENT(certificate(0)->chain, uint32_t, 1), "the same issuer");
    is_int(certificate(2)->chain.n, 1, "a leaf alone");

    /* of "leaf b", by sha256sum */
    is_str(text(certificate(2)->fingerprint),
           "88ec02a1103a579388699868fa67654f"
           "579747b71592a13dcb76311f7d8eb29e", "fingerprint");
}


/* Out of the image again, for the next answer. */
static void
known(void)
{
    tcr_err_t            err;
    tcr_arena_t         *arena = tcr_arena_create(0);
    tcr_sslkeys_t        keys;
    const tcr_sslkey_t  *k;

    is_int(tcr_compile_certs_known(&img, arena, &keys, &err), 0, "known");
    is_int(keys.n, 4, "all of them");
    k = &keys.items[1];
    ok(tcr_str_eq(k->hostname, TCR_STR("*.a.example.net"))
       && tcr_str_eq(k->service, TCR_STR("vod"))
       && tcr_str_eq(k->key, TCR_STR("hidden 2"))
       && tcr_str_eq(k->source, TCR_STR("digest"))
       && k->type == TCR_SSLKEY_EC && k->not_before == 1
       && k->not_after == 2, "every field");
    ok(k->n == 3 && tcr_str_eq(k->chain[0], TCR_STR("leaf a"))
       && tcr_str_eq(k->chain[2], TCR_STR("root")), "the chain");
    ok(keys.items[0].source.data == NULL, "no digest");
    tcr_arena_destroy(arena);
}


static void
refused(void)
{
    tcr_buf_t             buf;
    tcr_sslkey_refused_t  list[] = {
        { TCR_STR("vod"), TCR_STR("c.example.net"), TCR_STR("too old") },
        { TCR_STR("live"), { NULL, 0 }, TCR_STR("no name") }
    };
    tcr_sslkeys_t         keys = { items, 2, list, 2 };

    compile(&keys);
    is_int(root->refused.n, 2, "refused ones are kept");
    is_str(text(ELEMENT(root->refused, tcr_img_refused_t, 0)->host),
           "c.example.net", "host");
    is_str(text(ELEMENT(root->refused, tcr_img_refused_t, 0)->why), "too old",
           "why");
    is_str(text(ELEMENT(root->refused, tcr_img_refused_t, 1)->host), "-",
           "without a host");

    tcr_buf_init(&buf, 1 << 20);
    tcr_image_dump(&img, &buf);
    tcr_buf_char(&buf, '\0');
    ok(strstr(buf.data, "hidden") == NULL
       && strstr(buf.data, "\"key\":\"(secret)\"") != NULL,
       "a dump has no key");
    tcr_buf_free(&buf);
}


/* The builder grows many times on the way. */
static void
many(void)
{
    char            host[32];
    size_t          i, n = 3000;
    tcr_arena_t    *arena = tcr_arena_create(0);
    tcr_sslkeys_t   keys = { tcr_arena_calloc(arena, n, sizeof(*items)), n,
                             NULL, 0 };
    bool            found = true;

    for (i = 0; i < n; i++) {
        keys.items[i] = items[1];
        snprintf(host, sizeof(host), "h%zu.example.net", n - i);
        keys.items[i].hostname = tcr_arena_strdup(arena, tcr_str(host));
    }

    compile(&keys);

    for (i = 0; i < n; i++) {
        snprintf(host, sizeof(host), "h%zu.example.net", n - i);
        found = found && find(host) >= 0;
    }

    ok(found, "each of many is found");
    is_int(root->ders.n, 3, "their chain is there once");
    tcr_arena_destroy(arena);
}


int
main(void)
{
    tcr_sslkeys_t  none = { NULL, 0, NULL, 0 };

    order();
    odd_names();
    chains();
    known();
    refused();
    many();

    compile(&none);
    is_int(root->certificates.n, 0, "no certificates");
    is_int(find("a.example.net"), -1, "and none is found");
    tcr_build_destroy(build);

    return done();
}
