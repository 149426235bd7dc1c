/* SPDX-License-Identifier: Apache-2.0 */

/* The reader of DNSSEC keys. */

#include "tcr_dnsseckeys.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdio.h>

#include "tcr_base64.h"
#include "tcr_digest.h"
#include "tcr_dnsseckeys_line.h"
#include "tcr_dnsseckeys_pair.h"
#include "tcr_document.h"
#include "tcr_wire.h"

#define TEXT_MAX   (TCR_PRIVATE_MAX * 4 / 3)  /* base64 of a key's text      */
#define RDATA_MAX  (4 + TCR_DNSKEY_MAX)
#define ZONE_FLAG  256u           /* RFC 4034 2.1.1                          */
#define PROTOCOL   3              /* RFC 4034 2.1.2                          */


typedef struct {
    tcr_read_t        rd;
    tcr_dnsseckeys_t  *out;
    uint32_t          default_ttl;
    size_t            max;        /* keys there is room for                  */
    tcr_names_t       seen;       /* zone and public key                     */
} reader_t;


/* --- records --- */

/* Flags, protocol, algorithm, key: what a DNSKEY record has (RFC 4034 2.1). */
static int
make_rdata(const tcr_dnsseckey_t *key, uint8_t rdata[RDATA_MAX + 3],
    size_t *n)
{
    size_t  len;

    if (key->public_key.len == 0
        || TCR_BASE64_SIZE(key->public_key.len) > TCR_DNSKEY_MAX
        || tcr_base64_plain(key->public_key, rdata + 4, &len) != 0)
    {
        return -1;
    }

    rdata[0] = (uint8_t) (key->flags >> 8);
    rdata[1] = (uint8_t) key->flags;
    rdata[2] = PROTOCOL;
    rdata[3] = key->algorithm;
    *n = 4 + len;

    return 0;
}


/* RFC 4034 appendix B */
static uint16_t
make_tag(const uint8_t *rdata, size_t n)
{
    size_t    i;
    uint32_t  sum = 0;

    for (i = 0; i < n; i++) {
        sum += i & 1 ? rdata[i] : (uint32_t) rdata[i] << 8;
    }

    return (uint16_t) (sum + (sum >> 16));
}


int
tcr_dnsseckey_ds(const tcr_dnsseckey_t *key, uint8_t digest[32])
{
    size_t   n, len;
    uint8_t  data[TCR_WIRE_MAX + RDATA_MAX + 3];

    n = tcr_wire_name(key->zone, data);

    if (make_rdata(key, data + n, &len) != 0) {
        return -1;
    }

    return tcr_sha256(data, n + len, digest);
}


int
tcr_dnsseckey_ds_text(const tcr_dnsseckey_t *key, char text[TCR_DS_TEXT])
{
    int      n;
    size_t   i;
    uint8_t  digest[32];

    if (tcr_dnsseckey_ds(key, digest) != 0) {
        return -1;
    }

    n = snprintf(text, TCR_DS_TEXT, "%u %u 2 ", key->tag, key->algorithm);

    for (i = 0; i < sizeof(digest); i++) {
        n += snprintf(text + n, TCR_DS_TEXT - (size_t) n, "%02X", digest[i]);
    }

    return 0;
}


/* --- one key --- */

/* Base64 of a field as text on the heap, for OPENSSL_clear_free. */
static char *
decode(tcr_read_t *rd, const tcr_json_t *node, const char *field, size_t *n,
    size_t *size)
{
    char              *text;
    tcr_str_t          in;
    const tcr_json_t  *member = tcr_json_get(node, field);

    in = tcr_json_str(member, TCR_STR(""));

    if (in.len == 0 || in.len > TEXT_MAX) {
        tcr_read_report(rd, TCR_REPORT_LEFT_OUT, member, field, "found a text "
                        "of %zu bytes, expected 1 to %d; this key is left "
                        "out", in.len, TEXT_MAX);
        return NULL;
    }

    *size = TCR_BASE64_SIZE(in.len);
    text = OPENSSL_malloc(*size);

    if (text == NULL) {
        rd->failed = true;
        return NULL;
    }

    if (tcr_base64_mime(in, (uint8_t *) text, n) != 0) {
        tcr_read_report(rd, TCR_REPORT_LEFT_OUT, member, field,
                        "not base64; this key is left out");
        OPENSSL_clear_free(text, *size);
        return NULL;
    }

    return text;
}


static bool
read_date(tcr_read_t *rd, const tcr_json_t *node, const char *field,
    int64_t *out)
{
    const tcr_json_t  *member = tcr_json_get(node, field);

    *out = tcr_json_long(member, -1);

    if (*out < 0 || tcr_json_is(member, TCR_JSON_NULL)) {
        tcr_read_wrong(rd, TCR_REPORT_LEFT_OUT, member, field,
                       "seconds since 1970; this key is left out");
        return false;
    }

    return true;
}


static bool
read_dates(tcr_read_t *rd, const tcr_json_t *node, tcr_dnsseckey_t *key)
{
    return read_date(rd, node, "inceptionDate", &key->inception)
           && read_date(rd, node, "effectiveDate", &key->effective)
           && read_date(rd, node, "expirationDate", &key->expiration);
}


static bool
bad_public(tcr_read_t *rd, const tcr_json_t *node, const char *why)
{
    tcr_read_report(rd, TCR_REPORT_LEFT_OUT, tcr_json_get(node, "public"),
                    "public", "%s; this key is left out", why);
    return false;
}


static bool
fill_public(reader_t *r, const tcr_json_t *node,
    const tcr_dnskey_line_t *line, tcr_dnsseckey_t *key)
{
    tcr_str_t    owner;
    tcr_read_t  *rd = &r->rd;

    owner = tcr_read_lower_host(rd, line->owner, NULL);

    if (owner.data == NULL || !tcr_str_eq(owner, key->zone)) {
        return bad_public(rd, node, "the record is of another name than the "
                          "key");
    }

    if ((line->flags & ~(uint64_t) TCR_DNSSEC_SEP) != ZONE_FLAG
        || line->protocol != PROTOCOL)
    {
        return bad_public(rd, node, "expected flags 256 or 257 and protocol "
                          "3");
    }

    if (tcr_dnssec_algorithm((unsigned) line->algorithm) == NULL) {
        return bad_public(rd, node, "expected an algorithm of 5, 7, 8, 10, "
                          "13, 14 or 15");
    }

    key->flags = (uint16_t) line->flags;
    key->algorithm = (uint8_t) line->algorithm;
    key->public_key = tcr_arena_strdup(rd->arena, line->key);
    rd->failed = rd->failed || key->public_key.data == NULL;

    if (line->ttl >= 0) {
        key->ttl = (uint32_t) line->ttl;

    } else {
        key->ttl = (uint32_t) tcr_read_int(rd, tcr_json_get(node, "ttl"),
                                           "ttl", r->default_ttl, 0,
                                           INT32_MAX);
    }

    return !rd->failed;
}


/* The public part; its key of OpenSSL, NULL when there is none. */
static EVP_PKEY *
read_public(reader_t *r, const tcr_json_t *node, tcr_dnsseckey_t *key)
{
    bool               good;
    char              *text;
    size_t             n, size;
    uint8_t            rdata[RDATA_MAX + 3];
    EVP_PKEY          *pkey;
    tcr_err_t          why;
    tcr_dnskey_line_t  line;

    text = decode(&r->rd, node, "public", &n, &size);

    if (text == NULL) {
        return NULL;
    }

    good = tcr_dnskey_line(text, n, &line, &why) == 0
           ? fill_public(r, node, &line, key)
           : bad_public(&r->rd, node, why.text);
    OPENSSL_clear_free(text, size);

    if (!good) {
        return NULL;
    }

    if (make_rdata(key, rdata, &n) != 0) {
        bad_public(&r->rd, node, "the key is not base64");
        return NULL;
    }

    key->tag = make_tag(rdata, n);
    pkey = tcr_dnssec_public(key->algorithm, rdata + 4, n - 4, &why);

    if (pkey == NULL) {
        bad_public(&r->rd, node, why.text);
    }

    return pkey;
}


/* The private part, which must fit the public one. */
static bool
read_private(reader_t *r, const tcr_json_t *node, EVP_PKEY *public_key,
    tcr_dnsseckey_t *key)
{
    bool        pair = false;
    char       *text, *clean;
    size_t      n, size;
    EVP_PKEY   *pkey;
    tcr_err_t   why;

    text = decode(&r->rd, node, "private", &n, &size);

    if (text == NULL) {
        return false;
    }

    pkey = tcr_dnssec_private(key->algorithm, tcr_str_n(text, n), &clean, &n,
                              &why);
    OPENSSL_clear_free(text, size);

    if (pkey != NULL) {
        pair = tcr_dnssec_is_pair(pkey, public_key);
        tcr_err_set(&why, "it does not belong to the public key");
        EVP_PKEY_free(pkey);
    }

    if (pair) {
        key->private_key = tcr_str_n(clean, n);
        return true;
    }

    OPENSSL_clear_free(clean, clean != NULL ? n : 0);
    tcr_read_report(&r->rd, TCR_REPORT_LEFT_OUT, tcr_json_get(node, "private"),
                    "private", "%s; this key is left out", why.text);
    return false;
}


static bool
read_pair(reader_t *r, const tcr_json_t *node, tcr_dnsseckey_t *key)
{
    bool       usable;
    EVP_PKEY  *public_key = read_public(r, node, key);

    if (public_key == NULL) {
        return false;
    }

    usable = read_private(r, node, public_key, key);
    EVP_PKEY_free(public_key);
    return usable;
}


/* The same key under two groups is one key. */
static bool
is_new(reader_t *r, const tcr_json_t *node, const tcr_dnsseckey_t *key)
{
    char      *name;
    uint32_t   place;

    name = tcr_arena_printf(r->rd.arena, "%.*s %.*s", TCR_STR_ARG(key->zone),
                            TCR_STR_ARG(key->public_key));

    if (name == NULL) {
        r->rd.failed = true;
        return false;
    }

    if (tcr_names_find(&r->seen, tcr_str(name), &place)) {
        tcr_read_report(&r->rd, TCR_REPORT_LEFT_OUT, node, NULL, "found this "
                        "key of \"%.*s\" before, the first one is used",
                        TCR_STR_ARG(key->zone));
        return false;
    }

    return tcr_names_add(&r->seen, tcr_str(name), 0);
}


static void
read_key(reader_t *r, const tcr_json_t *node)
{
    tcr_dnsseckey_t  *key;

    if (r->out->n == r->max) {
        return;
    }

    key = &r->out->items[r->out->n];
    memset(key, 0, sizeof(*key));
    key->zone = tcr_read_host(&r->rd, TCR_REPORT_LEFT_OUT,
                              tcr_json_get(node, "name"), "name",
                              "the name of a zone; this key is left out");

    if (key->zone.data == NULL || !read_dates(&r->rd, node, key)
        || !read_pair(r, node, key))
    {
        return;
    }

    /* from here on the key is wiped with the model */
    r->out->n++;

    if (!is_new(r, node, key)) {
        OPENSSL_clear_free((void *) key->private_key.data,
                           key->private_key.len);
        r->out->n--;
    }
}


/* --- the document --- */

typedef void (*each_pt)(reader_t *r, const tcr_json_t *node);


/* Calls each for the members of an object or the items of an array. */
static void
walk(reader_t *r, const tcr_json_t *container, each_pt each)
{
    size_t             i = 0;
    tcr_read_mark_t    mark;
    const tcr_json_t  *node;

    for (node = tcr_json_first(container); node != NULL && !r->rd.failed;
         node = node->next)
    {
        mark = container->type == TCR_JSON_OBJECT
               ? tcr_read_enter(&r->rd, node, tcr_json_name(node))
               : tcr_read_enter_item(&r->rd, node, i++);
        each(r, node);
        tcr_read_leave(&r->rd, mark);
    }
}


/* "zsk", "ksk" or whatever: only arrays are read. */
static void
read_role(reader_t *r, const tcr_json_t *node)
{
    if (node->type == TCR_JSON_ARRAY) {
        walk(r, node, read_key);
    }
}


static void
read_group(reader_t *r, const tcr_json_t *node)
{
    if (node->type == TCR_JSON_OBJECT) {
        walk(r, node, read_role);
    }
}


/* How many keys can there be? */
static size_t
count(const tcr_json_t *response)
{
    size_t             n = 0;
    const tcr_json_t  *group, *role;

    for (group = tcr_json_first(response); group; group = group->next) {
        for (role = tcr_json_first(group); role; role = role->next) {
            n += role->type == TCR_JSON_ARRAY ? role->u.list.n : 0;
        }
    }

    return n;
}


static void
read_response(reader_t *r, const tcr_json_t *response)
{
    tcr_read_mark_t  mark;

    r->max = count(response);
    r->out->items = tcr_read_alloc(&r->rd, r->max, sizeof(tcr_dnsseckey_t));

    if (r->out->items == NULL
        || tcr_names_init(&r->seen, r->rd.arena, r->max) != 0)
    {
        r->rd.failed = true;
        return;
    }

    mark = tcr_read_enter(&r->rd, response, TCR_STR("response"));
    walk(r, response, read_group);
    tcr_read_leave(&r->rd, mark);
}


int
tcr_dnsseckeys_parse(tcr_dnsseckeys_t *out, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, uint32_t default_ttl, tcr_report_t *report,
    tcr_err_t *err)
{
    reader_t           r = { .out = out, .default_ttl = default_ttl };
    const tcr_json_t  *response;

    memset(out, 0, sizeof(*out));
    tcr_document_start(&r.rd, arena, doc, report);
    response = tcr_document_member(&r.rd, "response", TCR_JSON_OBJECT, err);

    if (response == NULL) {
        return -1;
    }

    read_response(&r, response);

    if (tcr_document_end(&r.rd, err) != 0) {
        tcr_dnsseckeys_free(out);
        return -1;
    }

    return 0;
}


void
tcr_dnsseckeys_free(tcr_dnsseckeys_t *keys)
{
    size_t  i;

    for (i = 0; i < keys->n; i++) {
        OPENSSL_clear_free((void *) keys->items[i].private_key.data,
                           keys->items[i].private_key.len);
    }

    memset(keys, 0, sizeof(*keys));
}
