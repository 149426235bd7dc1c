/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What the files of the module share.
 *
 * The module turns an ngx_http_request_t into a question to the engine and
 * the engine's decision into a response, a log line and variables; it decides
 * nothing about routing itself.
 */

#ifndef NGX_HTTP_TCROUTER_H_INCLUDED
#define NGX_HTTP_TCROUTER_H_INCLUDED

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "tcr_route.h"

/* decisions E25: larger bodies are left alone */
#define NGX_HTTP_TCROUTER_FORM_MAX  (64 * 1024)


typedef struct ngx_http_tcrouter_certs_s  ngx_http_tcrouter_certs_t;
typedef struct ngx_http_tcrouter_facts_s  ngx_http_tcrouter_facts_t;


typedef struct {
    ngx_str_t    dir;             /* image directory, ends in NUL            */
    ngx_str_t    state;           /* directory of tcr-fetch                  */
    ngx_flag_t   required;        /* no start without a good routing image   */
    ngx_uint_t   used;            /* some location routes                    */
    ngx_uint_t   certificates;    /* some server shows those of the image    */

    /* of this worker */
    tcr_view_t  *view;
    tcr_err_t    refusal;         /* the one logged last                     */
    time_t       refusal_time;
    ngx_http_tcrouter_certs_t  *certs;
    ngx_http_tcrouter_facts_t  *facts;
    time_t       facts_time;
} ngx_http_tcrouter_main_conf_t;


typedef struct {
    ngx_flag_t   certificates;
    ngx_flag_t   reject;          /* unknown names get no handshake          */
} ngx_http_tcrouter_srv_conf_t;


typedef enum {
    NGX_HTTP_TCROUTER_OVERRIDE_OFF,
    NGX_HTTP_TCROUTER_OVERRIDE_ALL,
    NGX_HTTP_TCROUTER_OVERRIDE_LIST
} ngx_http_tcrouter_override_e;


typedef struct {
    ngx_flag_t    enable;
    ngx_uint_t    override;       /* ngx_http_tcrouter_override_e            */
    ngx_array_t  *override_list;  /* of ngx_cidr_t                           */
} ngx_http_tcrouter_loc_conf_t;


/*
 * One routed request.  Lives in the data of a pool cleanup, so that it can be
 * found again after an internal redirect (error_page) has cleared the
 * request's contexts.
 */
typedef struct {
    tcr_http_request_t    request;
    tcr_http_decision_t   decision;
    tcr_set_t            *set;    /* pinned: decision's strings lie in it    */
    const tcr_image_t    *image;  /* routing image of set, NULL = none       */
    int64_t               started;       /* tcr_ticks_ns()                   */
    uint64_t              took_us;       /* 0: not known yet                 */
    unsigned              decided:1;
    unsigned              file:1;        /* a policy file, nothing routed    */
    unsigned              again:1;       /* the request was decided before   */
} ngx_http_tcrouter_ctx_t;


/* ..._view.c */

ngx_int_t ngx_http_tcrouter_check_images(ngx_conf_t *cf,
    ngx_http_tcrouter_main_conf_t *tmcf);
ngx_int_t ngx_http_tcrouter_init_process(ngx_cycle_t *cycle);
void ngx_http_tcrouter_exit_process(ngx_cycle_t *cycle);

/* The worker's view, up to date; NULL when out of memory. */
tcr_view_t *ngx_http_tcrouter_view(ngx_http_tcrouter_main_conf_t *tmcf);


/* ..._ctx.c */

/* NULL when out of memory. */
ngx_http_tcrouter_ctx_t *ngx_http_tcrouter_create_ctx(ngx_http_request_t *r);

/* NULL when the request was not routed. */
ngx_http_tcrouter_ctx_t *ngx_http_tcrouter_get_ctx(ngx_http_request_t *r);

/* Microseconds until this was asked first: counted and logged the same. */
uint64_t ngx_http_tcrouter_took(ngx_http_tcrouter_ctx_t *ctx);


/* ..._request.c */

/* Fills everything but form; all of it points into the request. */
ngx_int_t ngx_http_tcrouter_fill_request(ngx_http_request_t *r,
    tcr_http_request_t *req);

/* Is there an urlencoded body to be read before routing? */
ngx_uint_t ngx_http_tcrouter_has_form(ngx_http_request_t *r);
ngx_int_t ngx_http_tcrouter_fill_form(ngx_http_request_t *r, tcr_str_t *form);


/* ..._count.c */

/* Right after the answer, before the view can move on. */
void ngx_http_tcrouter_count(ngx_http_tcrouter_main_conf_t *tmcf,
    ngx_http_tcrouter_ctx_t *ctx);
void ngx_http_tcrouter_count_refusal(ngx_http_tcrouter_main_conf_t *tmcf);


/* ..._handler.c */

ngx_int_t ngx_http_tcrouter_handler(ngx_http_request_t *r);


/* ..._answer.c */

ngx_int_t ngx_http_tcrouter_send_decision(ngx_http_request_t *r,
    ngx_http_tcrouter_ctx_t *ctx);
ngx_int_t ngx_http_tcrouter_send(ngx_http_request_t *r, ngx_uint_t status,
    ngx_str_t *type, tcr_str_t body);


/* ..._page.c: directives */

char *ngx_http_tcrouter_api(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_tcrouter_metrics(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_tcrouter_status(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_tcrouter_state(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);


/* ..._facts.c */

void ngx_http_tcrouter_facts_free(ngx_http_tcrouter_main_conf_t *tmcf);


/* ..._policy.c */

/* Body of the policy file of that name; data == NULL: it is not one. */
tcr_str_t ngx_http_tcrouter_policy_file(ngx_str_t *uri);


/* ..._certificates.c */

char *ngx_http_tcrouter_certificates(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
ngx_int_t ngx_http_tcrouter_init_certificates(ngx_conf_t *cf);

/* At the start and the end of a worker. */
void ngx_http_tcrouter_start_certificates(ngx_http_tcrouter_main_conf_t *tmcf);
void ngx_http_tcrouter_end_certificates(ngx_http_tcrouter_main_conf_t *tmcf);


/* ..._variables.c */

ngx_int_t ngx_http_tcrouter_add_variables(ngx_conf_t *cf);


extern ngx_module_t  ngx_http_tcrouter_module;


static ngx_inline tcr_str_t
ngx_http_tcrouter_str(ngx_str_t s)
{
    return tcr_str_n((const char *) s.data, s.len);
}


#endif /* NGX_HTTP_TCROUTER_H_INCLUDED */
