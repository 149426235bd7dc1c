/* SPDX-License-Identifier: Apache-2.0 */

/* Directives, their defaults and their inheritance. */

#include "ngx_http_tcrouter.h"

#define IMAGES  "/run/tcrouter/images"
#define STATE   "/var/lib/tcrouter"


static void *ngx_http_tcrouter_create_main_conf(ngx_conf_t *cf);
static char *ngx_http_tcrouter_init_main_conf(ngx_conf_t *cf, void *conf);
static void *ngx_http_tcrouter_create_srv_conf(ngx_conf_t *cf);
static char *ngx_http_tcrouter_merge_srv_conf(ngx_conf_t *cf, void *parent,
    void *child);
static void *ngx_http_tcrouter_create_loc_conf(ngx_conf_t *cf);
static char *ngx_http_tcrouter_merge_loc_conf(ngx_conf_t *cf, void *parent,
    void *child);
static ngx_int_t ngx_http_tcrouter_postconfiguration(ngx_conf_t *cf);
static char *ngx_http_tcrouter_snapshot(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
static char *ngx_http_tcrouter_client_override(ngx_conf_t *cf,
    ngx_command_t *cmd, void *conf);


static ngx_command_t  ngx_http_tcrouter_commands[] = {

    { ngx_string("tcrouter_snapshot"),
      NGX_HTTP_MAIN_CONF|NGX_CONF_TAKE12,
      ngx_http_tcrouter_snapshot,
      NGX_HTTP_MAIN_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("tcrouter"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_FLAG,
      ngx_conf_set_flag_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_tcrouter_loc_conf_t, enable),
      NULL },

    { ngx_string("tcrouter_certificates"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_CONF_TAKE12,
      ngx_http_tcrouter_certificates,
      NGX_HTTP_SRV_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("tcrouter_client_override"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_1MORE,
      ngx_http_tcrouter_client_override,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("tcrouter_state"),
      NGX_HTTP_MAIN_CONF|NGX_CONF_TAKE1,
      ngx_http_tcrouter_state,
      NGX_HTTP_MAIN_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("tcrouter_metrics"),
      NGX_HTTP_LOC_CONF|NGX_CONF_NOARGS,
      ngx_http_tcrouter_metrics,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("tcrouter_status"),
      NGX_HTTP_LOC_CONF|NGX_CONF_NOARGS,
      ngx_http_tcrouter_status,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("tcrouter_api"),
      NGX_HTTP_LOC_CONF|NGX_CONF_NOARGS,
      ngx_http_tcrouter_api,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

      ngx_null_command
};


static ngx_http_module_t  ngx_http_tcrouter_module_ctx = {
    ngx_http_tcrouter_add_variables,       /* preconfiguration */
    ngx_http_tcrouter_postconfiguration,   /* postconfiguration */

    ngx_http_tcrouter_create_main_conf,    /* create main configuration */
    ngx_http_tcrouter_init_main_conf,      /* init main configuration */

    ngx_http_tcrouter_create_srv_conf,     /* create server configuration */
    ngx_http_tcrouter_merge_srv_conf,      /* merge server configuration */

    ngx_http_tcrouter_create_loc_conf,     /* create location configuration */
    ngx_http_tcrouter_merge_loc_conf       /* merge location configuration */
};


ngx_module_t  ngx_http_tcrouter_module = {
    NGX_MODULE_V1,
    &ngx_http_tcrouter_module_ctx,         /* module context */
    ngx_http_tcrouter_commands,            /* module directives */
    NGX_HTTP_MODULE,                       /* module type */
    NULL,                                  /* init master */
    NULL,                                  /* init module */
    ngx_http_tcrouter_init_process,        /* init process */
    NULL,                                  /* init thread */
    NULL,                                  /* exit thread */
    ngx_http_tcrouter_exit_process,        /* exit process */
    NULL,                                  /* exit master */
    NGX_MODULE_V1_PADDING
};


static void *
ngx_http_tcrouter_create_main_conf(ngx_conf_t *cf)
{
    ngx_http_tcrouter_main_conf_t  *tmcf;

    tmcf = ngx_pcalloc(cf->pool, sizeof(ngx_http_tcrouter_main_conf_t));

    if (tmcf == NULL) {
        return NULL;
    }

    tmcf->required = NGX_CONF_UNSET;

    return tmcf;
}


static char *
ngx_http_tcrouter_init_main_conf(ngx_conf_t *cf, void *conf)
{
    ngx_http_tcrouter_main_conf_t  *tmcf = conf;

    ngx_conf_init_value(tmcf->required, 0);

    if (tmcf->dir.data == NULL) {
        ngx_str_set(&tmcf->dir, IMAGES);
    }

    if (tmcf->state.data == NULL) {
        ngx_str_set(&tmcf->state, STATE);
    }

    return NGX_CONF_OK;
}


static void *
ngx_http_tcrouter_create_srv_conf(ngx_conf_t *cf)
{
    ngx_http_tcrouter_srv_conf_t  *tscf;

    tscf = ngx_pcalloc(cf->pool, sizeof(ngx_http_tcrouter_srv_conf_t));

    if (tscf == NULL) {
        return NULL;
    }

    tscf->certificates = NGX_CONF_UNSET;
    tscf->reject = NGX_CONF_UNSET;

    return tscf;
}


static char *
ngx_http_tcrouter_merge_srv_conf(ngx_conf_t *cf, void *parent, void *child)
{
    ngx_http_tcrouter_srv_conf_t  *prev = parent;
    ngx_http_tcrouter_srv_conf_t  *conf = child;

    ngx_conf_merge_value(conf->certificates, prev->certificates, 0);
    ngx_conf_merge_value(conf->reject, prev->reject, 0);

    return NGX_CONF_OK;
}


static void *
ngx_http_tcrouter_create_loc_conf(ngx_conf_t *cf)
{
    ngx_http_tcrouter_loc_conf_t  *tlcf;

    tlcf = ngx_pcalloc(cf->pool, sizeof(ngx_http_tcrouter_loc_conf_t));

    if (tlcf == NULL) {
        return NULL;
    }

    tlcf->enable = NGX_CONF_UNSET;
    tlcf->override = NGX_CONF_UNSET_UINT;

    return tlcf;
}


static ngx_int_t
add_override(ngx_conf_t *cf, ngx_http_tcrouter_loc_conf_t *tlcf,
    ngx_str_t *text)
{
    ngx_int_t    rc;
    ngx_cidr_t  *cidr;

    if (tlcf->override_list == NULL) {
        tlcf->override_list = ngx_array_create(cf->pool, 2,
                                               sizeof(ngx_cidr_t));
        if (tlcf->override_list == NULL) {
            return NGX_ERROR;
        }
    }

    cidr = ngx_array_push(tlcf->override_list);

    if (cidr == NULL) {
        return NGX_ERROR;
    }

    rc = ngx_ptocidr(text, cidr);

    if (rc == NGX_ERROR) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid network \"%V\" in "
                           "\"tcrouter_client_override\" directive, it must "
                           "be \"off\", \"all\" or networks such as "
                           "\"192.0.2.0/24\"", text);
        return NGX_ERROR;
    }

    if (rc == NGX_DONE) {
        ngx_conf_log_error(NGX_LOG_WARN, cf, 0,
                           "low address bits of \"%V\" are meaningless",
                           text);
    }

    return NGX_OK;
}


/* Without the directive: the router's own machine. */

static char *
default_override(ngx_conf_t *cf, ngx_http_tcrouter_loc_conf_t *tlcf)
{
    ngx_str_t  v4 = ngx_string("127.0.0.0/8");
    ngx_str_t  v6 = ngx_string("::1");

    tlcf->override = NGX_HTTP_TCROUTER_OVERRIDE_LIST;

    if (add_override(cf, tlcf, &v4) != NGX_OK
        || add_override(cf, tlcf, &v6) != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


/*
 * Takes the location, unless another module has it already: "tcrouter on" of
 * a server leaves a location with "stub_status" or "proxy_pass" alone.
 *
 * Bodies are thrown away, so their size is no reason to refuse a request; and
 * a form is held in memory, never in a file.
 */

static void
take_location(ngx_conf_t *cf)
{
    ngx_http_core_loc_conf_t       *clcf;
    ngx_http_tcrouter_main_conf_t  *tmcf;

    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);

    if (clcf->handler != NULL) {
        return;
    }

    clcf->handler = ngx_http_tcrouter_handler;
    clcf->client_max_body_size = 0;

    if (clcf->client_body_buffer_size < NGX_HTTP_TCROUTER_FORM_MAX) {
        clcf->client_body_buffer_size = NGX_HTTP_TCROUTER_FORM_MAX;
    }

    tmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_tcrouter_module);
    tmcf->used = 1;
}


static char *
ngx_http_tcrouter_merge_loc_conf(ngx_conf_t *cf, void *parent, void *child)
{
    ngx_http_tcrouter_loc_conf_t  *prev = parent;
    ngx_http_tcrouter_loc_conf_t  *conf = child;

    ngx_conf_merge_value(conf->enable, prev->enable, 0);

    if (conf->override == NGX_CONF_UNSET_UINT) {

        if (prev->override == NGX_CONF_UNSET_UINT
            && default_override(cf, prev) != NGX_CONF_OK)
        {
            return NGX_CONF_ERROR;
        }

        conf->override = prev->override;
        conf->override_list = prev->override_list;
    }

    if (conf->enable) {
        take_location(cf);
    }

    return NGX_CONF_OK;
}


static ngx_int_t
ngx_http_tcrouter_postconfiguration(ngx_conf_t *cf)
{
    ngx_http_tcrouter_main_conf_t  *tmcf;

    tmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_tcrouter_module);

    if (ngx_http_tcrouter_init_certificates(cf) != NGX_OK) {
        return NGX_ERROR;
    }

    if (!tmcf->used) {
        return NGX_OK;
    }

    return ngx_http_tcrouter_check_images(cf, tmcf);
}


static char *
ngx_http_tcrouter_snapshot(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_tcrouter_main_conf_t  *tmcf = conf;

    ngx_str_t  *value = cf->args->elts;

    if (tmcf->dir.data != NULL) {
        return "is duplicate";
    }

    if (value[1].len == 0) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "empty directory in \"%V\" directive",
                           &cmd->name);
        return NGX_CONF_ERROR;
    }

    tmcf->dir = value[1];

    if (ngx_conf_full_name(cf->cycle, &tmcf->dir, 0) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    if (cf->args->nelts == 2) {
        return NGX_CONF_OK;
    }

    if (ngx_strcmp(value[2].data, "required") != 0) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid parameter \"%V\" in \"%V\" directive, "
                           "it must be \"required\"", &value[2], &cmd->name);
        return NGX_CONF_ERROR;
    }

    tmcf->required = 1;

    return NGX_CONF_OK;
}


static ngx_int_t
override_word(ngx_str_t *value, ngx_uint_t *override)
{
    if (ngx_strcmp(value->data, "off") == 0) {
        *override = NGX_HTTP_TCROUTER_OVERRIDE_OFF;
        return NGX_OK;
    }

    if (ngx_strcmp(value->data, "all") == 0) {
        *override = NGX_HTTP_TCROUTER_OVERRIDE_ALL;
        return NGX_OK;
    }

    return NGX_DECLINED;
}


static char *
ngx_http_tcrouter_client_override(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf)
{
    ngx_http_tcrouter_loc_conf_t  *tlcf = conf;

    ngx_str_t   *value = cf->args->elts;
    ngx_uint_t   i;

    if (tlcf->override != NGX_CONF_UNSET_UINT) {
        return "is duplicate";
    }

    if (cf->args->nelts == 2
        && override_word(&value[1], &tlcf->override) == NGX_OK)
    {
        return NGX_CONF_OK;
    }

    tlcf->override = NGX_HTTP_TCROUTER_OVERRIDE_LIST;

    for (i = 1; i < cf->args->nelts; i++) {
        if (add_override(cf, tlcf, &value[i]) != NGX_OK) {
            return NGX_CONF_ERROR;
        }
    }

    return NGX_CONF_OK;
}
