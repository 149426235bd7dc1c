/* SPDX-License-Identifier: Apache-2.0 */

/*
 * DNSSEC keys: the reference's recorded keys and DS record, the examples of
 * RFC 6605 and RFC 8080, what is left out and why, the recorded file.
 */

#include "document.h"
#include "tcr_dnsseckeys.h"
#include "tcr_file.h"

#include <openssl/evp.h>

#define DATES                                                                 \
    "\"inceptionDate\":1,\"effectiveDate\":\"2\",\"expirationDate\":3"

#define P256_PUBLIC                                                           \
    "GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edb"                            \
    "krSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA=="
#define P256_PRIVATE  "GU6SnQ/Ou+xC5RumuIUIuJZteXT2z0O/ok1s38Et6mQ="

#define ED_PUBLIC   "l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4="
#define ED_PRIVATE  "ODIyNjAzODQ2MjgwODAxMjI2NDUxOTAyMDQxNDIyNjI="


static tcr_dnsseckeys_t  keys;


static int
load_text(const char *file, tcr_str_t text)
{
    tcr_dnsseckeys_free(&keys);
    read_text(file, text);
    return tcr_dnsseckeys_parse(&keys, arena, &doc, 77, &report, &err);
}


static char *
base64(const char *text)
{
    size_t   n = strlen(text);
    char    *out = malloc(n * 4 / 3 + 8);

    EVP_EncodeBlock((unsigned char *) out, (const unsigned char *) text,
                    (int) n);
    return out;
}


/* One key of example.net with these parts. */
static int
load_pair(const char *public_text, const char *private_text)
{
    char        *a = base64(public_text), *b = base64(private_text);
    static char  text[16384];

    snprintf(text, sizeof(text), "{\"response\":{\"g\":{\"zsk\":[{"
             "\"name\":\"Example.NET.\"," DATES ",\"ttl\":\"60\","
             "\"public\":\"%s\",\"private\":\"%s\"}]}}}", a, b);
    free(a);
    free(b);
    return load_text("d", tcr_str(text));
}


/* "OWNER TTL CLASS DNSKEY FLAGS PROTO ALG KEY" as recorded, with tabs */
static const char *
as_record(const tcr_dnsseckey_t *key)
{
    return tcr_arena_printf(arena, "%.*s.\t%u\tIN\tDNSKEY\t%u 3 %u %.*s",
                            TCR_STR_ARG(key->zone), key->ttl, key->flags,
                            key->algorithm, TCR_STR_ARG(key->public_key));
}


static const char *
as_ds(const tcr_dnsseckey_t *key)
{
    char     hex[65];
    size_t   i;
    uint8_t  digest[32];

    if (tcr_dnsseckey_ds(key, digest) != 0) {
        return NULL;
    }

    for (i = 0; i < 32; i++) {
        snprintf(hex + 2 * i, 3, "%02X", digest[i]);
    }

    return tcr_arena_printf(arena, "%.*s.\t60\tIN\tDS\t%u %u 2 %s",
                            TCR_STR_ARG(key->zone), key->tag, key->algorithm,
                            hex);
}


/* The text of a key's object, as one document with it. */
static tcr_str_t
document_of(const jsonl_t *j, const tcr_json_t *json)
{
    char        *text;
    size_t       begin = json->offset;
    tcr_str_t    line = j->doc.text;
    const char  *end = memmem(line.data, line.len, "},\"ksk\"", 7);

    if (end == NULL
        || asprintf(&text, "{\"response\":{\"x\":{\"ksk\":[%.*s}]}}}",
                    (int) (end - line.data - (ptrdiff_t) begin),
                    line.data + begin) < 0)
    {
        printf("Bail out! a recorded key cannot be read\n");
        exit(1);
    }

    return tcr_str(text);
}


static void
recorded_line(const jsonl_t *j, const tcr_json_t *line)
{
    tcr_str_t               text;
    const char             *want;
    static tcr_dnsseckey_t  ksk;
    static char             ds[256];

    if (jsonl_is(line, "kind", "ds")) {
        want = jsonl_str(line, "record").data;
        ok(strncmp(ds, want, strlen(ds)) == 0 && ds[0] != '\0', "DS: %s", ds);
        return;
    }

    text = document_of(j, tcr_json_get(line, "json"));
    is_int(load_text("k", text), 0, "a recorded key");
    is_int(keys.n, 1, "is good");
    want = jsonl_str(line, "dnskey").data;
    ok(strncmp(as_record(&keys.items[0]), want,
               jsonl_str(line, "dnskey").len) == 0, "DNSKEY");
    is_int(keys.items[0].tag, tcr_json_int(tcr_json_get(line, "tag"), -1),
           "tag");
    is_int(keys.items[0].flags & TCR_DNSSEC_SEP,
           tcr_json_bool(tcr_json_get(line, "ksk"), false), "KSK?");
    is_int(keys.items[0].ttl, 60, "ttl, which the record does not have");

    if (keys.items[0].flags & TCR_DNSSEC_SEP) {
        ksk = keys.items[0];
        snprintf(ds, sizeof(ds), "%s", as_ds(&ksk));
    }

    tcr_dnsseckeys_free(&keys);
    free((void *) text.data);
}


static void
recorded(void)
{
    jsonl_t            j;
    const tcr_json_t  *line;

    jsonl_open(&j, "t/data/unit/dnssec.jsonl");

    while ((line = jsonl_next(&j)) != NULL) {
        if (jsonl_is(line, "kind", "key") || jsonl_is(line, "kind", "ds")) {
            recorded_line(&j, line);
        }
    }

    jsonl_close(&j);
}


static void
kinds(void)
{
    is_int(load_pair("example.net. 3600 IN DNSKEY 257 3 13 (\n"
                     "  GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edb ; one\n"
                     "  krSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA== ) ; x\n"
                     "example.net. IN DNSKEY 1 2 3 4\n",
                     "Private-key-format: v1.2\r\n"
                     "Algorithm: 13 (ECDSAP256SHA256)\r\n"
                     "PrivateKey: " P256_PRIVATE "\r\n"
                     "Created: 20260101000000\r\n"), 0, "RFC 6605 6.1");
    ok(keys.n == 1 && keys.items[0].tag == 55648, "P-256");
    is_str(as_record(&keys.items[0]), "example.net.\t3600\tIN\tDNSKEY\t"
           "257 3 13 " P256_PUBLIC, "DNSKEY");
    is_str(as_ds(&keys.items[0]), "example.net.\t60\tIN\tDS\t55648 13 2 "
           "B4C8C1FE2E7477127B27115656AD6256F424625BF5C1E2770CE6D6E37DF61D17",
           "DS");
    is_str(z(keys.items[0].private_key),
           "Private-key-format: v1.2\nAlgorithm: 13 (ECDSAP256SHA256)\n"
           "PrivateKey: " P256_PRIVATE "\n", "private part in order");
    ok(keys.items[0].inception == 1 && keys.items[0].effective == 2
       && keys.items[0].expiration == 3, "dates");

    load_pair("example.net. DNSKEY 257 3 14 "
              "xKYaNhWdGOfJ+nPrL8/arkwf2EY3MDJ+SErKivBVSum1"
              "w/egsXvSADtNJhyem5RCOpgQ6K8X1DRSEkrbYQ+OB+v8"
              "/uX45NBwY8rp65F6Glur8I/mlVNgF6W/qTI37m40",
              "Algorithm: 8 (whatever)\nPrivateKey: WURgWHCcYIYUPWgeLmiPY2DJJk"
              "02vgrmTfitxgqcL4vwW7BOrbawVmVe0d9V94SR");
    ok(keys.n == 1 && keys.items[0].tag == 10771, "RFC 6605 6.2: P-384");
    is_int(keys.items[0].ttl, 60, "the JSON's ttl");

    load_pair("EXAMPLE.net. IN 5 DNSKEY 257 3 15 " ED_PUBLIC,
              "PrivateKey: " ED_PRIVATE);
    ok(keys.n == 1 && keys.items[0].tag == 3613, "RFC 8080 6.1: Ed25519");
    is_int(keys.items[0].ttl, 5, "class first, then the record's ttl");
}


static void
refused(const char *public_text, const char *private_text, const char *why)
{
    is_int(load_pair(public_text, private_text), 0, "a bad key");
    ok(keys.n == 0 && left(why), "%s", why);
}


static void
bad_pairs(void)
{
    const char  *good = "example.net. IN DNSKEY 257 3 13 " P256_PUBLIC;
    const char  *key = "PrivateKey: " P256_PRIVATE;

    refused("", key, "response.g.zsk[0].public: found a text of 0 bytes");
    refused("example.net.", key, "public: not a line \"NAME TTL IN DNSKEY");
    refused("example.net. 1 2 DNSKEY 257 3 13 x", key, "public: not a line");
    refused("example.net. CH DNSKEY 257 3 13 x", key, "public: not a line");
    refused("example.net. DNSKEY 257 3", key, "public: no flags, protocol");
    refused("example.net. DNSKEY 0257x 3 13 x", key, "public: no flags");
    refused("a.example.net. DNSKEY 257 3 13 " P256_PUBLIC, key,
            "public: the record is of another name than the key");
    refused("example.net. DNSKEY 1 3 13 " P256_PUBLIC, key,
            "public: expected flags 256 or 257");
    refused("example.net. DNSKEY 257 4 13 " P256_PUBLIC, key,
            "public: expected flags 256 or 257 and protocol 3");
    refused("example.net. DNSKEY 257 3 1 " P256_PUBLIC, key,
            "public: expected an algorithm of 5");
    refused("example.net. DNSKEY 257 3 13 ####", key, "the key is not base64");
    refused("example.net. DNSKEY 257 3 13", key, "the key is not base64");
    refused("example.net. DNSKEY 257 3 13 AAAA", key,
            "public: found 3 bytes, expected 64 for ECDSAP256SHA256");
    refused("example.net. DNSKEY 257 3 13 AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==", key,
            "public: no point of P-256");
    refused("example.net. DNSKEY 257 3 15 AAAA", key,
            "public: found 3 bytes, expected 32 for ED25519");
    refused("example.net. DNSKEY 257 3 8 AwEAAQ==", key,
            "public: no RSA key of 512 to 4096 bits");
    refused("example.net. DNSKEY 257 3 8 AAA=", key, "public: no RSA key");

    refused(good, "", "response.g.zsk[0].private: found a text of 0 bytes");
    refused(good, "Modulus: x", "private: no line \"PrivateKey:\"");
    refused(good, "PrivateKey: ####", "private: the line \"PrivateKey:\" is "
            "not base64");
    refused(good, "PrivateKey: AAAA", "private: the line \"PrivateKey:\" has 3 "
            "bytes, expected 32");
    refused(good, "PrivateKey: AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
            "private: no private key of ECDSAP256SHA256");
    refused(good, "PrivateKey: " ED_PRIVATE,
            "private: it does not belong to the public key");
    refused("example.net. DNSKEY 257 3 15 " ED_PUBLIC, key,
            "private: it does not belong to the public key");
}


static void
faults(void)
{
    is_int(load_text("d", TCR_STR(
               "{\"response\":{\"a\":{\"zsk\":{\"name\":\"x\"},\"ksk\":[7,"
               "{\"name\":\"no name\"},"
               "{\"name\":\"x\",\"inceptionDate\":null},"
               "{\"name\":\"x\",\"inceptionDate\":1,"
               "\"effectiveDate\":\"soon\"},"
               "{\"name\":\"x\"," DATES "},"
               "{\"name\":\"x\"," DATES ",\"public\":\"Zh==\"}]},"
               "\"b\":[{}],\"c\":null}}")), 0, "faults");
    is_int(keys.n, 0, "no key");
    is_int(report.count[TCR_REPORT_LEFT_OUT], 6,
           "what is no array is passed over");
    ok(left("response.a.ksk[0].name: found nothing"), "no object");
    ok(left("response.a.ksk[1].name: found \"no name\", expected the name of "
            "a zone; this key is left out"), "no name");
    ok(left("response.a.ksk[2].inceptionDate: found null"), "no date");
    ok(left("response.a.ksk[3].effectiveDate: found \"soon\""), "a word");
    ok(left("response.a.ksk[4].public: found a text of 0 bytes"), "no text");
    ok(left("response.a.ksk[5].public: not base64"), "no base64");
    is_int(load_text("d", TCR_STR("{\"response\":[]}")), -1, "no groups");
    is_str(err.text, "d:1:13: response: expected an object", "says so");
}


static void
twice(void)
{
    char  *text, *a, *b;

    a = base64("example.net. DNSKEY 256 3 15 " ED_PUBLIC);
    b = base64("PrivateKey: " ED_PRIVATE);

    if (asprintf(&text, "{\"response\":{\"a\":{\"zsk\":[{"
                 "\"name\":\"example.net\"," DATES ",\"public\":\"%s\","
                 "\"private\":\"%s\"},{\"name\":\"example.net\"," DATES ","
                 "\"public\":\"%s\",\"private\":\"%s\"}]}}}", a, b, a, b)
        < 0)
    {
        exit(1);
    }

    is_int(load_text("d", tcr_str(text)), 0, "a key that comes again");
    is_int(keys.n, 1, "is one key");
    is_int(keys.items[0].ttl, 77, "the default ttl");
    ok(left("response.a.zsk[1]: found this key of \"example.net\" before, "
            "the first one is used"), "reported");
    free(a);
    free(b);
    free(text);
}


static void
recorded_file(void)
{
    size_t      i, n = 0;
    tcr_file_t  file;

    if (tcr_file_map(&file, "t/conformance/e2e/inputs/dnsseckeys.json",
                     1 << 20, &err) != 0)
    {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }

    is_int(load_text("dnsseckeys.json", file.text), 0, "the recorded file");
    is_int(keys.n, 18, "keys");
    is_int(problems(), 0, "without a fault");

    for (i = 0; i < keys.n; i++) {
        n += keys.items[i].flags & TCR_DNSSEC_SEP;
    }

    is_int(n, 9, "key signing keys");
    is_str(z(keys.items[2].zone), "dns-basic.cdn.example.net", "zone");
    is_int(keys.items[2].expiration, 1824560000, "expiration");
    tcr_file_unmap(&file);
}


int
main(void)
{
    recorded();
    kinds();
    bad_pairs();
    faults();
    twice();
    recorded_file();
    tcr_dnsseckeys_free(&keys);
    tcr_arena_destroy(arena);

    return done();
}
