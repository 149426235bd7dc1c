/* SPDX-License-Identifier: Apache-2.0 */

/*
 * TLS certificates: kinds of keys, the order of a chain, dates and names, what
 * is left out and why; the recorded file.
 */

#include "document.h"
#include "certs.h"
#include "tcr_file.h"
#include "tcr_sslkeys.h"

#define DAY  86400


static tcr_sslkeys_t  keys;
static EVP_PKEY      *root_key, *mid_key, *rsa, *ec, *ed, *other;
static X509          *root, *mid, *old_mid;


static int
load(const char *text)
{
    tcr_sslkeys_free(&keys);
    read_text("k", tcr_str(text));
    return tcr_sslkeys_parse(&keys, arena, &doc, CERTS_NOW, NULL, &report,
                             &err);
}


static char *
entry(const char *service, const char *host, X509 **certs, size_t n,
    EVP_PKEY *key)
{
    char  *crt = certs_pem(certs, n);
    char  *pem = certs_key_pem(key, NULL);
    char  *text;

    if (asprintf(&text, "{\"deliveryservice\":\"%s\",\"hostname\":\"%s\","
                 "\"certificate\":{\"crt\":\"%s\",\"key\":\"%s\"},\"x\":1}",
                 service, host, crt, pem) < 0)
    {
        exit(1);
    }

    free(crt);
    free(pem);
    return text;
}


/* One entry for vod.example.net made of these. */
static int
load_one(X509 **certs, size_t n, EVP_PKEY *key)
{
    int          rc;
    char        *one = entry("vod", "*.VOD.example.net", certs, n, key);
    static char  text[65536];

    snprintf(text, sizeof(text), "{\"response\":[%s]}", one);
    rc = load(text);
    free(one);
    return rc;
}


static X509 *
leaf_at(EVP_PKEY *key, const char *san, X509 *issuer, int64_t begin,
    int64_t end)
{
    return certs_make("vod", san, key, issuer, mid_key, begin, end);
}


static X509 *
leaf(EVP_PKEY *key)
{
    return leaf_at(key, "DNS:*.vod.example.net", mid, CERTS_NOW - DAY,
                   CERTS_NOW + 90 * DAY);
}


static void
start(void)
{
    root_key = EVP_EC_gen("P-256");
    mid_key = EVP_EC_gen("P-256");
    other = EVP_EC_gen("P-256");
    ec = EVP_EC_gen("P-384");
    rsa = EVP_RSA_gen(2048);
    ed = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    certs_check(root_key && mid_key && other && ec && rsa && ed, "keys");

    root = certs_make("root", NULL, root_key, NULL, NULL,
                      CERTS_NOW - CERTS_YEAR, CERTS_NOW + CERTS_YEAR);
    mid = certs_make("mid", NULL, mid_key, root, root_key,
                     CERTS_NOW - CERTS_YEAR, CERTS_NOW + CERTS_YEAR);
    old_mid = certs_make("old mid", NULL, mid_key, root, root_key,
                         CERTS_NOW - CERTS_YEAR, CERTS_NOW - DAY);
}


static bool
is_cert(tcr_str_t der, X509 *cert)
{
    bool            same;
    unsigned char  *data = NULL;
    int             n = i2d_X509(cert, &data);

    same = n > 0 && der.len == (size_t) n
           && memcmp(der.data, data, der.len) == 0;
    OPENSSL_free(data);
    return same;
}


/* Can the key be read again, and is it the certificate's? */
static bool
is_key(tcr_str_t der, X509 *cert)
{
    bool                  same;
    const unsigned char  *p = (const unsigned char *) der.data;
    EVP_PKEY             *key = d2i_AutoPrivateKey(NULL, &p, (long) der.len);

    same = key != NULL && X509_check_private_key(cert, key) == 1;
    EVP_PKEY_free(key);
    return same;
}


static void
kinds(void)
{
    X509    *certs[3];
    size_t   i;
    struct {
        const char  *name;
        EVP_PKEY    *key;
        int          type;
    } rows[] = { { "RSA", rsa, TCR_SSLKEY_RSA }, { "EC", ec, TCR_SSLKEY_EC },
                 { "Ed25519", ed, TCR_SSLKEY_ED25519 } };

    for (i = 0; i < 3; i++) {
        certs[0] = leaf(rows[i].key);
        certs[1] = mid;
        certs[2] = root;
        is_int(load_one(certs, 3, rows[i].key), 0, "%s", rows[i].name);
        ok(keys.n == 1 && keys.items[0].n == 3, "%s: usable", rows[i].name);
        ok(keys.n == 1 && is_key(keys.items[0].key, certs[0]), "%s: the key",
           rows[i].name);
        is_int(keys.items[0].type, rows[i].type, "%s: type", rows[i].name);
        is_int(problems(), 0, "%s: nothing to report", rows[i].name);
        X509_free(certs[0]);
    }

    is_str(z(keys.items[0].service), "vod", "service");
    is_str(z(keys.items[0].hostname), "*.vod.example.net", "lower case");
    is_int(keys.items[0].not_before, CERTS_NOW - DAY, "begin of validity");
    is_int(keys.items[0].not_after, CERTS_NOW + 90 * DAY, "end of validity");
}


static void
orders(void)
{
    X509                *certs[4], *own = leaf(ec);
    size_t               i;
    static const size_t  order[6][3] = {
        { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 },
        { 2, 1, 0 }
    };
    X509                *all[3] = { own, mid, root };

    for (i = 0; i < 6; i++) {
        certs[0] = all[order[i][0]];
        certs[1] = all[order[i][1]];
        certs[2] = all[order[i][2]];
        load_one(certs, 3, ec);
        ok(keys.n == 1 && keys.items[0].n == 3
           && is_cert(keys.items[0].chain[0], own)
           && is_cert(keys.items[0].chain[1], mid)
           && is_cert(keys.items[0].chain[2], root), "order %zu", i);
    }

    certs[0] = root;
    certs[1] = own;
    load_one(certs, 2, ec);
    ok(keys.n == 1 && keys.items[0].n == 1
       && is_cert(keys.items[0].chain[0], own), "a gap ends the chain");
    ok(warned("response[0].certificate.crt: 1 of 2 certificates are in no "
              "chain with the first one and not sent"), "and is reported");

    certs[0] = own;
    load_one(certs, 1, ec);
    ok(keys.n == 1 && keys.items[0].n == 1 && problems() == 0,
       "a leaf alone");

    certs[1] = mid;
    certs[2] = root;
    certs[3] = root;
    load_one(certs, 4, ec);
    ok(keys.n == 1 && keys.items[0].n == 3 && problems() == 1,
       "what signed itself ends the chain");
    X509_free(own);
}


static void
refused(const char *what, X509 **certs, size_t n, EVP_PKEY *key,
    const char *why)
{
    is_int(load_one(certs, n, key), 0, "%s", what);
    ok(keys.n == 0 && left(why), "%s: left out", what);
}


static void
left_out(void)
{
    X509  *certs[34];
    int    i;

    certs[0] = leaf(ec);
    certs[1] = mid;
    refused("another key", certs, 2, other, "response[0].certificate: the key "
            "belongs to none of the 2 certificates; this certificate is left "
            "out");

    for (i = 1; i < 34; i++) {
        certs[i] = mid;
    }

    refused("many", certs, 34, ec, "more than 32 certificates");
    X509_free(certs[0]);

    certs[0] = leaf_at(ec, "DNS:*.vod.example.net", mid, CERTS_NOW - 2 * DAY,
                       CERTS_NOW - 1);
    refused("expired", certs, 1, ec, "certificate 1 of the chain has expired");
    X509_free(certs[0]);

    certs[0] = leaf_at(ec, "DNS:*.vod.example.net", mid, CERTS_NOW + 1,
                       CERTS_NOW + DAY);
    refused("too early", certs, 1, ec,
            "certificate 1 of the chain is not yet valid");
    X509_free(certs[0]);

    certs[0] = leaf_at(ec, "DNS:*.vod.example.net", old_mid, CERTS_NOW - 1,
                       CERTS_NOW);
    certs[1] = old_mid;
    refused("expired issuer", certs, 2, ec,
            "certificate 2 of the chain has expired");
    load_one(certs, 1, ec);
    is_int(keys.n, 1, "the last second is valid");
    X509_free(certs[0]);
}


static void
names(void)
{
    size_t  i;
    X509   *cert;
    struct {
        const char  *san;
        bool         names;
    } rows[] = {
        { "DNS:*.vod.example.net", true },
        { "DNS:a.example.net,DNS:*.VOD.example.net", true },
        { "DNS:vod.example.net", false },
        { "DNS:*.example.net", false },
        { "DNS:www.vod.example.net", false },
        { "DNS:x.vod.example.net", false },
        { "DNS:*.other.vod.example.net", false },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cert = leaf_at(ec, rows[i].san, mid, CERTS_NOW - 1, CERTS_NOW + DAY);
        load_one(&cert, 1, ec);
        ok(keys.n == 1 && (problems() == 0) == rows[i].names, "%s: %s",
           rows[i].san, rows[i].names ? "fits" : "served, and reported");
        X509_free(cert);
    }

    ok(warned("response[0].certificate.hostname: the certificate does not "
              "name \"*.vod.example.net\""), "says which name");
}


static void
faults(void)
{
    char  *crt, *pem, *locked;
    X509  *own = leaf(ec);
    static char  text[65536];

    crt = certs_pem(&own, 1);
    pem = certs_key_pem(ec, NULL);
    locked = certs_key_pem(ec, EVP_aes_128_cbc());
    snprintf(text, sizeof(text), "{\"response\":[7,{},"
             "{\"deliveryservice\":\"a\"},"
             "{\"deliveryservice\":\"a\",\"hostname\":\"*.\"},"
             "{\"deliveryservice\":\"a\",\"hostname\":\"a.example.net\"},"
             "{\"deliveryservice\":\"a\",\"hostname\":\"a.example.net\","
             "\"certificate\":{}},"
             "{\"deliveryservice\":\"a\",\"hostname\":\"a.example.net\","
             "\"certificate\":{\"crt\":\"%s\",\"key\":\"%s\"}},"
             "{\"deliveryservice\":\"a\",\"hostname\":\"a.example.net\","
             "\"certificate\":{\"crt\":\"%s\",\"key\":\"AAAA\"}},"
             "{\"deliveryservice\":\"a\",\"hostname\":\"a.example.net\","
             "\"certificate\":{\"crt\":\"AAAA\",\"key\":\"%s\"}}]}",
             crt, locked, crt, pem);
    is_int(load(text), 0, "faults");
    is_int(keys.n, 0, "none is usable");
    is_int(report.count[TCR_REPORT_LEFT_OUT], 9, "each is reported");
    is_int(keys.n_refused, 7, "and kept, where the service is known");
    ok(keys.refused[0].hostname.data == NULL, "without a host name");
    is_str(z(keys.refused[0].why), "no usable host name", "and why");
    is_str(z(keys.refused[6].service), "a", "service");
    is_str(z(keys.refused[6].hostname), "a.example.net", "host name");
    is_str(z(keys.refused[6].why), "no certificate in PEM: no start line",
           "why");
    ok(left("response[2].hostname: found nothing, expected a host name"),
       "no host name");
    ok(left("response[3].hostname: found \"*.\""), "no name behind \"*.\"");
    ok(left("response[4].certificate: found nothing, expected an object"),
       "no certificate");
    ok(left("response[5].certificate: found 0 bytes of base64"), "empty");
    ok(left("response[6].certificate: no private key in PEM"), "locked key");
    ok(left("response[7].certificate: no private key in PEM"), "no key");
    ok(left("response[8].certificate: no certificate in PEM"), "no PEM");

    is_int(load("{\"response\":{}}"), -1, "no list");

    free(crt);
    free(pem);
    free(locked);
    X509_free(own);
}


/* RSA and EC of one name side by side, exact beside wildcard. */
static void
same_names(void)
{
    size_t         i, n = 0;
    X509          *of_rsa = leaf(rsa), *of_ec = leaf(ec), *of_other;
    static char    text[65536];
    struct {
        const char  *service, *host;
        X509       **cert;
        EVP_PKEY    *key;
    } rows[] = {
        { "a", "*.vod.example.net", &of_rsa, other },
        { "b", "*.vod.example.net", &of_rsa, rsa },
        { "c", "*.vod.example.net", &of_ec, ec },
        { "d", "vod.example.net", &of_ec, ec },
        { "e", "*.Vod.example.net", &of_other, other }
    };
    char          *one;

    of_other = leaf(other);
    n += (size_t) snprintf(text, sizeof(text), "{\"response\":[");

    for (i = 0; i < 5; i++) {
        one = entry(rows[i].service, rows[i].host, rows[i].cert, 1,
                    rows[i].key);
        n += (size_t) snprintf(text + n, sizeof(text) - n, "%s%s",
                               i ? "," : "", one);
        free(one);
    }

    snprintf(text + n, sizeof(text) - n, "]}");
    is_int(load(text), 0, "names that come again");
    is_int(keys.n, 3, "one for each name and type of key");
    is_str(z(keys.items[0].service), "b", "the first that is usable");
    is_str(z(keys.items[1].service), "c", "another type of key");
    is_str(z(keys.items[2].hostname), "vod.example.net", "the exact name");
    ok(left("response[4].certificate: found another certificate for "
            "\"*.vod.example.net\" with a key of the same type, the first "
            "one is used"), "the second of a type is reported");
    is_int(keys.n_refused, 2, "refused ones are kept");

    X509_free(of_rsa);
    X509_free(of_ec);
    X509_free(of_other);
}


/* The second time, at that moment, knowing what the first time gave. */
static void
again(const tcr_sslkeys_t *previous, const char *text, int64_t now)
{
    read_text("k", tcr_str(text));
    is_int(tcr_sslkeys_parse(&keys, arena, &doc, now, previous, &report, &err),
           0, "read again");
}


static void
known(void)
{
    char           *a, *b, *c;
    X509           *own = leaf(ec), *odd, *two[2];
    tcr_arena_t    *of_first;
    tcr_sslkeys_t   first;
    static char     text[65536], changed[65536];

    odd = leaf_at(rsa, "DNS:other.example.net", mid, CERTS_NOW - DAY,
                  CERTS_NOW + DAY);
    two[0] = mid;
    two[1] = own;
    a = entry("vod", "*.vod.example.net", two, 2, ec);
    b = entry("odd", "odd.example.net", &odd, 1, rsa);
    c = entry("vod", "www.vod.example.net", two, 2, ec);
    snprintf(text, sizeof(text), "{\"response\":[%s,%s]}", a, b);
    snprintf(changed, sizeof(changed), "{\"response\":[%s,%s,%s]}", c, a, a);
    load(text);
    first = keys;
    memset(&keys, 0, sizeof(keys));

    /* lasts longer than the next document */
    of_first = arena;
    arena = NULL;
    is_int(first.n, 2, "known: two");
    ok(first.items[0].source.len == 32, "one has a digest");
    ok(first.items[1].source.data == NULL, "not one with a fault");

    again(&first, text, CERTS_NOW);
    is_int(keys.n, 2, "both again");
    ok(is_cert(keys.items[0].chain[0], own)
       && is_cert(keys.items[0].chain[1], mid), "one is taken over");
    ok(keys.items[0].key.data != first.items[0].key.data
       && is_key(keys.items[0].key, own), "with a key of its own");
    ok(keys.items[0].type == TCR_SSLKEY_EC && keys.items[0].n == 2
       && keys.items[0].not_before == first.items[0].not_before
       && keys.items[0].not_after == first.items[0].not_after
       && tcr_str_eq(keys.items[0].source, first.items[0].source),
       "and all of it");
    ok(warned("does not name \"odd.example.net\""),
       "one with a fault is looked at again");
    tcr_sslkeys_free(&keys);

    /* to tell what is taken over from what is decoded */
    first.items[0].not_after--;
    again(&first, changed, CERTS_NOW);
    is_int(keys.n, 2, "another name, and one twice");
    ok(keys.items[0].not_after > first.items[0].not_after,
       "the name counts");
    is_int(keys.items[1].not_after, first.items[0].not_after,
           "the place does not");
    ok(left("response[2].certificate: found another certificate for"),
       "known ones are not served twice");
    tcr_sslkeys_free(&keys);

    again(&first, text, CERTS_NOW + CERTS_YEAR);
    ok(keys.n == 0 && left("response[0].certificate: certificate 1 of the "
                           "chain has expired"), "until it expires");
    tcr_sslkeys_free(&keys);
    tcr_sslkeys_free(&first);
    tcr_arena_destroy(of_first);

    free(a);
    free(b);
    free(c);
    X509_free(own);
    X509_free(odd);
}


static void
weak(void)
{
    EVP_PKEY  *small = EVP_RSA_gen(1024);
    X509      *cert = leaf(small);

    load_one(&cert, 1, small);
    ok(keys.n == 1 && warned("response[0].certificate.key: found a key of "
                             "1024 bits, which is weak"), "a weak key");
    X509_free(cert);
    EVP_PKEY_free(small);
}


static void
recorded(void)
{
    size_t       n;
    tcr_str_t   *ids;
    tcr_file_t   file;

    if (tcr_file_map(&file, "t/conformance/e2e/inputs/sslkeys.json", 1 << 20,
                     &err) != 0)
    {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }

    tcr_sslkeys_free(&keys);
    read_text("sslkeys.json", file.text);
    is_int(tcr_sslkeys_parse(&keys, arena, &doc, CERTS_NOW, NULL, &report,
                             &err), 0, "the recorded file");
    is_int(keys.n, 5, "all are usable");
    is_int(problems(), 0, "without a fault");
    is_str(z(keys.items[0].hostname), "*.https-only.cdn.example.net", "first");

    keys.items[4].service = keys.items[0].service;
    ids = tcr_sslkeys_services(&keys, arena, &n, &err);
    ok(ids != NULL && n == 4, "services, each once");
    is_str(z(ids[3]), "ds-down-https", "in order");

    keys.refused[0].service = TCR_STR("refused");
    keys.refused[1].service = keys.items[0].service;
    keys.n_refused = 2;
    ids = tcr_sslkeys_services(&keys, arena, &n, &err);
    ok(ids != NULL && n == 5, "a refused certificate counts as one");
    is_str(z(ids[4]), "refused", "behind the others");

    tcr_sslkeys_free(&keys);
    ids = tcr_sslkeys_services(&keys, arena, &n, &err);
    ok(ids != NULL && n == 0, "no certificates, no services");
    tcr_file_unmap(&file);
}


int
main(void)
{
    start();
    kinds();
    orders();
    left_out();
    names();
    faults();
    same_names();
    known();
    weak();
    recorded();

    X509_free(root);
    X509_free(mid);
    X509_free(old_mid);
    EVP_PKEY_free(root_key);
    EVP_PKEY_free(mid_key);
    EVP_PKEY_free(other);
    EVP_PKEY_free(ec);
    EVP_PKEY_free(rsa);
    EVP_PKEY_free(ed);
    tcr_arena_destroy(arena);

    return done();
}
