/* SPDX-License-Identifier: Apache-2.0 */

/*
 * "tcrouter_certificates": the certificate of a TLS handshake by the name the
 * client asks for.
 *
 * nginx and OpenSSL do the rest as without us: the server block's own
 * certificate stays in its SSL_CTX for whoever has no better one, and which
 * session a ticket or an id resumes depends on that SSL_CTX alone.
 */

#include "tcr_count.h"

#include "ngx_http_tcrouter.h"

#if (NGX_HTTP_SSL)

#include "ngx_http_tcrouter_certs.h"

#define NAME_MAX  255             /* RFC 1035 2.3.4, and one to spare        */


static ngx_str_t  ngx_http_tcrouter_no_name = ngx_string("");


static ngx_http_tcrouter_main_conf_t *
main_conf(ngx_connection_t *c)
{
    ngx_http_connection_t  *hc = c->data;

    return ngx_http_get_module_main_conf(hc->conf_ctx,
                                         ngx_http_tcrouter_module);
}


/* The worker's certificates, up to date; NULL when out of memory. */

static ngx_http_tcrouter_certs_t *
current_certs(ngx_http_tcrouter_main_conf_t *tmcf)
{
    if (tmcf->certs == NULL) {
        tmcf->certs = ngx_http_tcrouter_certs_create(&tmcf->dir);

        if (tmcf->certs == NULL) {
            return NULL;
        }
    }

    ngx_http_tcrouter_certs_refresh(tmcf->certs);

    return tmcf->certs;
}


/* Server name indication in lower case, without a final dot. */

static ngx_str_t
asked_name(ngx_ssl_conn_t *ssl_conn, u_char buf[NAME_MAX])
{
    size_t       len;
    ngx_str_t    name;
    const char  *asked;

    asked = SSL_get_servername(ssl_conn, TLSEXT_NAMETYPE_host_name);

    if (asked == NULL) {
        return ngx_http_tcrouter_no_name;
    }

    len = ngx_strlen(asked);

    if (len != 0 && asked[len - 1] == '.') {
        len--;
    }

    if (len > NAME_MAX) {
        return ngx_http_tcrouter_no_name;
    }

    ngx_strlow(buf, (u_char *) asked, len);
    name.data = buf;
    name.len = len;

    return name;
}


/* Full handshakes; one that resumes a session shows no certificate. */

static void
count(ngx_http_tcrouter_main_conf_t *tmcf, ngx_uint_t own)
{
    tcr_stats_sums_t  *sums;

    if (tmcf->view == NULL) {
        return;
    }

    sums = tcr_count_sums(tmcf->view);

    if (sums != NULL) {
        tcr_stats_add(&sums->handshakes[own], 1);
    }
}


/*
 * Every certificate of the name, one for each type of key: OpenSSL chooses by
 * what the client can verify.  Those of the server block go first, lest one
 * of them be chosen; so what OpenSSL would not take is found out before.
 */

static ngx_uint_t
use_certificates(ngx_connection_t *c, ngx_http_tcrouter_certs_t *certs,
    ngx_uint_t first, ngx_uint_t n)
{
    ngx_uint_t                i, used = 0;
    ngx_ssl_conn_t           *ssl_conn = c->ssl->connection;
    ngx_http_tcrouter_cert_t *cert;

    for (i = 0; i < n; i++) {
        cert = ngx_http_tcrouter_certs_get(certs, first + i, ssl_conn);

        if (cert == NULL) {
            continue;
        }

        if (used++ == 0) {
            SSL_certs_clear(ssl_conn);
        }

        if (SSL_use_cert_and_key(ssl_conn, cert->leaf, cert->key, cert->chain,
                                 1)
            != 1)
        {
            ngx_ssl_error(NGX_LOG_ALERT, c->log, 0,
                          "SSL_use_cert_and_key() failed");
        }
    }

    return used;
}


static int
choose_certificate(ngx_ssl_conn_t *ssl_conn, void *arg)
{
    u_char                          buf[NAME_MAX];
    ngx_str_t                       name;
    ngx_uint_t                      first, n, used = 0;
    ngx_connection_t               *c = ngx_ssl_get_connection(ssl_conn);
    ngx_http_tcrouter_certs_t      *certs;
    ngx_http_tcrouter_main_conf_t  *tmcf = main_conf(c);

    certs = current_certs(tmcf);
    name = asked_name(ssl_conn, buf);

    if (certs != NULL && name.len != 0) {
        n = ngx_http_tcrouter_certs_find(certs, &name, &first);
        used = use_certificates(c, certs, first, n);
    }

    count(tmcf, used == 0);

    return 1;
}


/*
 * nginx finds the server block first, then "unknown=reject" of that block is
 * obeyed: only at this point can the client be told by the proper alert
 * (RFC 6066 3).
 */

static int
check_name(ngx_ssl_conn_t *ssl_conn, int *ad, void *arg)
{
    int                            rc;
    u_char                         buf[NAME_MAX];
    ngx_str_t                      name;
    ngx_uint_t                     first;
    ngx_connection_t              *c;
    ngx_http_connection_t         *hc;
    ngx_http_tcrouter_certs_t     *certs;
    ngx_http_tcrouter_srv_conf_t  *tscf;

    rc = ngx_http_ssl_servername(ssl_conn, ad, arg);

    c = ngx_ssl_get_connection(ssl_conn);
    hc = c->data;
    tscf = ngx_http_get_module_srv_conf(hc->conf_ctx,
                                        ngx_http_tcrouter_module);

    if (rc != SSL_TLSEXT_ERR_OK || !tscf->certificates || !tscf->reject) {
        return rc;
    }

    certs = current_certs(main_conf(c));
    name = asked_name(ssl_conn, buf);

    if (certs != NULL && name.len != 0
        && ngx_http_tcrouter_certs_find(certs, &name, &first) != 0)
    {
        return rc;
    }

    c->ssl->handshake_rejected = 1;
    *ad = SSL_AD_UNRECOGNIZED_NAME;

    return SSL_TLSEXT_ERR_ALERT_FATAL;
}


static ngx_int_t
add_callbacks(ngx_conf_t *cf, ngx_http_core_srv_conf_t *cscf,
    ngx_uint_t reject)
{
    ngx_http_ssl_srv_conf_t       *sscf;
    ngx_http_tcrouter_srv_conf_t  *tscf;

    tscf = cscf->ctx->srv_conf[ngx_http_tcrouter_module.ctx_index];
    sscf = cscf->ctx->srv_conf[ngx_http_ssl_module.ctx_index];

    /* a block without certificate and without "listen ... ssl" */
    if (sscf->ssl.ctx == NULL) {
        return NGX_OK;
    }

    /* any block may be the one that a connection begins with */
    if (reject) {
        SSL_CTX_set_tlsext_servername_callback(sscf->ssl.ctx, check_name);
    }

    if (!tscf->certificates) {
        return NGX_OK;
    }

    if (sscf->certificate_values != NULL) {
        ngx_log_error(NGX_LOG_EMERG, cf->log, 0,
                      "\"tcrouter_certificates\" and variables in "
                      "\"ssl_certificate\" exclude each other in %s:%ui",
                      cscf->file_name, cscf->line);
        return NGX_ERROR;
    }

    SSL_CTX_set_cert_cb(sscf->ssl.ctx, choose_certificate, NULL);

    return NGX_OK;
}


ngx_int_t
ngx_http_tcrouter_init_certificates(ngx_conf_t *cf)
{
    ngx_uint_t                       i, used = 0, reject = 0;
    ngx_http_core_srv_conf_t       **cscfp;
    ngx_http_core_main_conf_t       *cmcf;
    ngx_http_tcrouter_srv_conf_t    *tscf;
    ngx_http_tcrouter_main_conf_t   *tmcf;

    cmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);
    cscfp = cmcf->servers.elts;

    for (i = 0; i < cmcf->servers.nelts; i++) {
        tscf = cscfp[i]->ctx->srv_conf[ngx_http_tcrouter_module.ctx_index];
        used |= tscf->certificates != 0;
        reject |= tscf->certificates && tscf->reject;
    }

    if (!used) {
        return NGX_OK;
    }

    for (i = 0; i < cmcf->servers.nelts; i++) {
        if (add_callbacks(cf, cscfp[i], reject) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    tmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_tcrouter_module);
    tmcf->certificates = 1;

    return NGX_OK;
}


void
ngx_http_tcrouter_start_certificates(ngx_http_tcrouter_main_conf_t *tmcf)
{
    if (tmcf->certificates) {
        (void) current_certs(tmcf);
    }
}


void
ngx_http_tcrouter_end_certificates(ngx_http_tcrouter_main_conf_t *tmcf)
{
    ngx_http_tcrouter_certs_destroy(tmcf->certs);
    tmcf->certs = NULL;
}


#else

ngx_int_t
ngx_http_tcrouter_init_certificates(ngx_conf_t *cf)
{
    return NGX_OK;
}


void
ngx_http_tcrouter_start_certificates(ngx_http_tcrouter_main_conf_t *tmcf)
{
}


void
ngx_http_tcrouter_end_certificates(ngx_http_tcrouter_main_conf_t *tmcf)
{
}

#endif


char *
ngx_http_tcrouter_certificates(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_tcrouter_srv_conf_t  *tscf = conf;

    ngx_str_t  *value = cf->args->elts;

    if (tscf->certificates != NGX_CONF_UNSET) {
        return "is duplicate";
    }

    if (ngx_strcmp(value[1].data, "on") == 0) {
        tscf->certificates = 1;

    } else if (ngx_strcmp(value[1].data, "off") == 0) {
        tscf->certificates = 0;

    } else {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid value \"%V\" in \"%V\" directive, it must "
                           "be \"on\" or \"off\"", &value[1], &cmd->name);
        return NGX_CONF_ERROR;
    }

#if !(NGX_HTTP_SSL)

    if (tscf->certificates) {
        return "needs nginx with the SSL module";
    }

#endif

    tscf->reject = 0;

    if (cf->args->nelts == 2) {
        return NGX_CONF_OK;
    }

    if (ngx_strcmp(value[2].data, "unknown=reject") == 0) {
        tscf->reject = 1;

    } else if (ngx_strcmp(value[2].data, "unknown=default") != 0) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid parameter \"%V\" in \"%V\" directive, it "
                           "must be \"unknown=default\" or "
                           "\"unknown=reject\"", &value[2], &cmd->name);
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}
