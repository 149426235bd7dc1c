/* SPDX-License-Identifier: Apache-2.0 */

/* Protocols, ciphers and the key store of a connector with TLS. */

#include "tcr_import.h"

#include <openssl/ssl.h>
#include <unistd.h>


/* The attribute of the connector's older or of its newer spelling. */
static tcr_import_value_t
either(tcr_import_t *im, tcr_xml_t *connector, const char *old,
    const char *element, const char *name)
{
    tcr_xml_t           *e;
    tcr_import_value_t   v = tcr_import_take_attr(im, connector, old, NULL);

    for (e = connector; e != NULL && v.file == NULL;
         e = tcr_xml_next(e, connector))
    {
        if (tcr_str_eq(e->name, tcr_str(element))) {
            v = tcr_import_take_attr(im, e, name, NULL);
        }
    }

    return v;
}


static bool
is_apart(char c)
{
    return c == ',' || c == ':' || c == ' ' || c == '+' || c == '\t';
}


/* Takes the next word off the list; absent at its end. */
static tcr_str_t
next_word(tcr_str_t *rest)
{
    size_t     n = 0;
    tcr_str_t  word;

    while (rest->len != 0 && is_apart(rest->data[0])) {
        *rest = tcr_str_n(rest->data + 1, rest->len - 1);
    }

    while (n < rest->len && !is_apart(rest->data[n])) {
        n++;
    }

    word = tcr_str_n(n != 0 ? rest->data : NULL, n);
    *rest = tcr_str_n(rest->data + n, rest->len - n);

    return word;
}


/* "+TLSv1.1,+TLSv1.2", "TLSv1.2+TLSv1.3", "all,-TLSv1": what is too old goes */
static void
write_protocols(tcr_import_t *im, tcr_buf_t *out, tcr_xml_t *connector)
{
    bool                two = true, three = true, old = true;
    tcr_str_t           rest, word;
    tcr_import_value_t  v;

    v = either(im, connector, "sslEnabledProtocols", "SSLHostConfig",
               "protocols");
    rest = v.value;

    if (v.file != NULL && tcr_str_trim(rest).len != 0
        && !tcr_str_starts(tcr_str_trim(rest), TCR_STR("all")))
    {
        two = three = old = false;
    }

    while (v.file != NULL && (word = next_word(&rest)).data != NULL) {
        two |= tcr_str_eq(word, TCR_STR("TLSv1.2"));
        three |= tcr_str_eq(word, TCR_STR("TLSv1.3"));
        two &= !tcr_str_eq(word, TCR_STR("-TLSv1.2"));
        three &= !tcr_str_eq(word, TCR_STR("-TLSv1.3"));
        old |= tcr_str_eq(word, TCR_STR("TLSv1.1"))
               || tcr_str_eq(word, TCR_STR("TLSv1"));
    }

    if (old) {
        tcr_buf_printf(out, "    # TLS before 1.2 is not carried over\n");
    }

    if (!two && !three) {
        two = true;
    }

    tcr_buf_printf(out, "    ssl_protocols%s%s;\n", two ? " TLSv1.2" : "",
                   three ? " TLSv1.3" : "");
}


/* OpenSSL's name of a cipher that has Java's; the word itself if it is one. */
static const char *
cipher_name(tcr_import_t *im, tcr_str_t word)
{
    const char  *z = tcr_arena_strdup(im->arena, word).data, *name;

    if (z == NULL) {
        return NULL;
    }

    name = OPENSSL_cipher_name(z);
    return strcmp(name, "(NONE)") != 0 ? name : z;
}


static bool
is_usable(const char *list)
{
    bool      usable;
    SSL_CTX  *ctx = SSL_CTX_new(TLS_server_method());

    usable = ctx != NULL && SSL_CTX_set_cipher_list(ctx, list) == 1;
    SSL_CTX_free(ctx);

    return usable;
}


static void
write_ciphers(tcr_import_t *im, tcr_buf_t *out, tcr_xml_t *connector)
{
    tcr_str_t           rest, word;
    tcr_buf_t           list;
    const char         *name;
    tcr_import_value_t  v;

    v = either(im, connector, "ciphers", "SSLHostConfig", "ciphers");
    rest = v.value;
    tcr_buf_init(&list, 65536);

    while (v.file != NULL && (word = next_word(&rest)).data != NULL) {
        name = cipher_name(im, word);

        /* those of TLS 1.3 are OpenSSL's own choice */
        if (name != NULL && strncmp(name, "TLS_", 4) != 0
            && is_usable(name))
        {
            tcr_buf_printf(&list, "%s%s", list.len != 0 ? ":" : "", name);

        } else {
            tcr_buf_printf(out, "    # of TLS 1.3, or unknown to OpenSSL: ");
            tcr_import_plain(out, word);
            tcr_buf_char(out, '\n');
        }
    }

    if (list.len != 0) {
        tcr_buf_printf(out, "    ssl_ciphers \"%.*s\";\n", (int) list.len,
                       list.data);
    }

    tcr_buf_free(&list);
    v = either(im, connector, "useServerCipherSuitesOrder", "SSLHostConfig",
               "honorCipherOrder");

    if (v.file != NULL) {
        tcr_buf_printf(out, "    ssl_prefer_server_ciphers %s;\n",
                       tcr_str_ieq(tcr_str_trim(v.value), TCR_STR("true"))
                       ? "on" : "off");
    }
}


static void
check_clients(tcr_import_t *im, tcr_buf_t *out, tcr_xml_t *connector)
{
    tcr_import_value_t  v;

    v = either(im, connector, "clientAuth", "SSLHostConfig",
               "certificateVerification");

    if (v.file == NULL || tcr_str_ieq(v.value, TCR_STR("false"))
        || tcr_str_ieq(v.value, TCR_STR("none"))
        || tcr_str_ieq(v.value, TCR_STR("no")))
    {
        return;
    }

    tcr_import_say(im, TCR_REPORT_WARNING, v.file, v.line,
                   "clientAuth or certificateVerification", "clients had to "
                   "show a certificate: set ssl_verify_client and "
                   "ssl_client_certificate by hand");
    tcr_buf_printf(out, "    # clients had to show a certificate:\n"
                   "    # ssl_verify_client on; ssl_client_certificate "
                   "/path/of/authorities.pem;\n");
}


/* A pair of PEM files stays where it is; a store is opened later. */
static void
write_certificate(tcr_import_t *im, tcr_buf_t *out, tcr_xml_t *connector)
{
    const char          *cert = "", *key = "";
    tcr_import_value_t   v, k;

    v = either(im, connector, "SSLCertificateFile", "Certificate",
               "certificateFile");
    k = either(im, connector, "SSLCertificateKeyFile", "Certificate",
               "certificateKeyFile");

    if (v.file != NULL && k.file != NULL) {
        cert = tcr_import_path(im, v.value);
        key = tcr_import_path(im, k.value);
    }

    if (tcr_import_is_path(cert) && tcr_import_is_path(key)
        && access(cert, R_OK) == 0 && access(key, R_OK) == 0)
    {
        tcr_buf_printf(out, "    ssl_certificate %s;\n"
                       "    ssl_certificate_key %s;\n", cert, key);

    } else {
        tcr_buf_printf(out, "    ssl_certificate %s/%s;\n"
                       "    ssl_certificate_key %s/%s;\n", im->output,
                       tcr_import_name(TCR_IMPORT_CERT), im->output,
                       tcr_import_name(TCR_IMPORT_KEY));
    }

    v = either(im, connector, "keystoreFile", "Certificate",
               "certificateKeystoreFile");
    k = either(im, connector, "keystorePass", "Certificate",
               "certificateKeystorePassword");

    if (v.file != NULL && im->store.data == NULL) {
        im->store = v.value;
        im->store_password = k.file != NULL ? k.value : TCR_STR("changeit");
    }
}


void
tcr_import_tls(tcr_import_t *im, tcr_xml_t *connector)
{
    tcr_buf_t  *out = &im->files[TCR_IMPORT_NGINX];

    write_certificate(im, out, connector);
    write_protocols(im, out, connector);
    write_ciphers(im, out, connector);
    check_clients(im, out, connector);
}
