/* SPDX-License-Identifier: Apache-2.0 */

/*
 * One certificate of the image, as text and as JSON.  Of the key only its
 * type and size are looked at, and those are in the certificate.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include <openssl/x509v3.h>

#include "tcr_tool_certs.h"

#define DAY  86400


static const char *const  types[TCR_CERT_TYPES] = {
    [TCR_CERT_RSA] = "RSA",
    [TCR_CERT_EC] = "EC",
    [TCR_CERT_ED25519] = "Ed25519"
};


static tcr_str_t
text_of(const tcr_tool_certs_t *t, tcr_img_str_t ref)
{
    return tcr_image_str(t->img, ref);
}


static const char *
date(int64_t seconds, char buf[32])
{
    time_t     when = (time_t) seconds;
    struct tm  tm;

    gmtime_r(&when, &tm);
    strftime(buf, 32, "%Y-%m-%dT%H:%M:%SZ", &tm);

    return buf;
}


/* NULL for what cannot be parsed. */
static X509 *
parse(const tcr_tool_certs_t *t, const tcr_img_certificate_t *c, uint32_t i)
{
    tcr_str_t               der;
    const uint32_t         *chain = tcr_image_vec(t->img, &c->chain);
    const tcr_img_certs_t  *root = tcr_image_root(t->img);
    const tcr_img_der_t    *ders = tcr_image_vec(t->img, &root->ders);
    const unsigned char    *p;

    der = text_of(t, ders[chain[i]].der);
    p = (const unsigned char *) der.data;

    return d2i_X509(NULL, &p, (long) der.len);
}


/* What others chose to write there must not move a terminal's cursor. */
static void
add_plain(tcr_buf_t *buf, tcr_str_t s)
{
    size_t  i;

    for (i = 0; i < s.len; i++) {
        tcr_buf_char(buf, s.data[i] > ' ' && s.data[i] != 0x7f ? s.data[i]
                          : s.data[i] == ' ' ? ' ' : '?');
    }
}


static void
add_text(tcr_tool_certs_t *t, tcr_str_t s, bool json)
{
    if (json) {
        tcr_buf_json_str(t->buf, s);

    } else {
        add_plain(t->buf, s);
    }
}


static void
add_subject(tcr_tool_certs_t *t, const X509_NAME *name, bool json)
{
    BIO   *bio = BIO_new(BIO_s_mem());
    char  *text = NULL;
    long   n = 0;

    if (bio != NULL) {
        X509_NAME_print_ex(bio, name, 0, XN_FLAG_RFC2253);
        n = BIO_get_mem_data(bio, &text);
    }

    add_text(t, tcr_str_n(text, n > 0 ? (size_t) n : 0), json);
    BIO_free(bio);
}


/* DNS names of the leaf, with what belongs between them. */
static void
add_names(tcr_tool_certs_t *t, X509 *leaf, bool json)
{
    int                    i;
    bool                   first = true;
    GENERAL_NAMES         *names;
    const GENERAL_NAME    *name;
    const ASN1_IA5STRING  *dns;

    names = X509_get_ext_d2i(leaf, NID_subject_alt_name, NULL, NULL);

    for (i = 0; names != NULL && i < sk_GENERAL_NAME_num(names); i++) {
        name = sk_GENERAL_NAME_value(names, i);

        if (name->type != GEN_DNS) {
            continue;
        }

        dns = name->d.dNSName;
        tcr_buf_str(t->buf, first ? TCR_STR("")
                                  : json ? TCR_STR(",") : TCR_STR(" "));
        add_text(t, tcr_str_n((const char *) ASN1_STRING_get0_data(dns),
                              (size_t) ASN1_STRING_length(dns)), json);
        first = false;
    }

    GENERAL_NAMES_free(names);
}


static int
bits_of(X509 *leaf)
{
    const EVP_PKEY  *key = leaf != NULL ? X509_get0_pubkey(leaf) : NULL;

    return key != NULL ? EVP_PKEY_get_bits(key) : 0;
}


/* "; 12 days left", "; EXPIRED", "; NOT YET VALID" */
static void
add_rest(tcr_tool_certs_t *t, const tcr_img_certificate_t *c)
{
    if (t->now < c->not_before) {
        tcr_buf_str(t->buf, TCR_STR("NOT YET VALID"));

    } else if (t->now > c->not_after) {
        tcr_buf_str(t->buf, TCR_STR("EXPIRED"));

    } else {
        tcr_buf_printf(t->buf, "%" PRId64 " days left",
                       (c->not_after - t->now) / DAY);
    }
}


void
tcr_tool_certs_line(tcr_tool_certs_t *t, const tcr_img_certificate_t *c)
{
    char  end[32];

    tcr_buf_printf(t->buf, "%-40.*s  %-7s  %s, ",
                   TCR_STR_ARG(text_of(t, c->host)), types[c->type],
                   date(c->not_after, end));
    add_rest(t, c);
    tcr_buf_printf(t->buf, "  %.*s\n", TCR_STR_ARG(text_of(t, c->service)));
}


void
tcr_tool_certs_text(tcr_tool_certs_t *t, const tcr_img_certificate_t *c)
{
    char      begin[32], end[32];
    X509     *x509 = parse(t, c, 0);
    uint32_t  i;

    tcr_buf_printf(t->buf, "%s %d bits\n  host         ", types[c->type],
                   bits_of(x509));
    add_plain(t->buf, text_of(t, c->host));
    tcr_buf_str(t->buf, TCR_STR("\n  service      "));
    add_plain(t->buf, text_of(t, c->service));
    tcr_buf_printf(t->buf, "\n  valid        %s to %s, ",
                   date(c->not_before, begin), date(c->not_after, end));
    add_rest(t, c);
    tcr_buf_printf(t->buf, "\n  sha256       %.*s\n  names        ",
                   TCR_STR_ARG(text_of(t, c->fingerprint)));

    if (x509 != NULL) {
        add_names(t, x509, false);
    }

    for (i = 0; i < c->chain.n; i++) {
        tcr_buf_printf(t->buf, "\n  chain %-6" PRIu32 " ", i + 1);

        if (x509 != NULL) {
            add_subject(t, X509_get_subject_name(x509), false);
            tcr_buf_str(t->buf, TCR_STR(", issued by "));
            add_subject(t, X509_get_issuer_name(x509), false);
        }

        X509_free(x509);
        x509 = i + 1 < c->chain.n ? parse(t, c, i + 1) : NULL;
    }

    tcr_buf_char(t->buf, '\n');
}


static void
add_chain_json(tcr_tool_certs_t *t, const tcr_img_certificate_t *c)
{
    X509     *x509;
    uint32_t  i;

    for (i = 0; i < c->chain.n; i++) {
        x509 = parse(t, c, i);
        tcr_buf_printf(t->buf, "%s{", i ? "," : "");

        if (x509 != NULL) {
            tcr_buf_str(t->buf, TCR_STR("\"subject\":"));
            add_subject(t, X509_get_subject_name(x509), true);
            tcr_buf_str(t->buf, TCR_STR(",\"issuer\":"));
            add_subject(t, X509_get_issuer_name(x509), true);
        }

        tcr_buf_char(t->buf, '}');
        X509_free(x509);
    }
}


void
tcr_tool_certs_json(tcr_tool_certs_t *t, const tcr_img_certificate_t *c)
{
    X509  *leaf = parse(t, c, 0);

    tcr_buf_str(t->buf, TCR_STR("{\"host\":"));
    tcr_buf_json_str(t->buf, text_of(t, c->host));
    tcr_buf_str(t->buf, TCR_STR(",\"service\":"));
    tcr_buf_json_str(t->buf, text_of(t, c->service));
    tcr_buf_printf(t->buf, ",\"type\":\"%s\",\"bits\":%d,\"not_before\":%"
                   PRId64 ",\"not_after\":%" PRId64 ",\"sha256\":",
                   types[c->type], bits_of(leaf), c->not_before, c->not_after);
    tcr_buf_json_str(t->buf, text_of(t, c->fingerprint));
    tcr_buf_str(t->buf, TCR_STR(",\"names\":["));

    if (leaf != NULL) {
        add_names(t, leaf, true);
    }

    tcr_buf_str(t->buf, TCR_STR("],\"chain\":["));
    add_chain_json(t, c);
    tcr_buf_str(t->buf, TCR_STR("]}"));
    X509_free(leaf);
}
