/* SPDX-License-Identifier: Apache-2.0 */

/*
 * GET requests (and the POST of a log-in), any number at once, in one thread:
 * a libcurl multi handle.  Only http and https, three redirects at most and
 * never from https to http, bodies counted as they arrive, unpacked.
 */

#ifndef TCF_HTTP_H_INCLUDED
#define TCF_HTTP_H_INCLUDED

#include "tcf_body.h"


typedef struct tcf_http_s  tcf_http_t;

/* Who asked, handed back with the reply. */
typedef struct {
    unsigned  source;
    uint64_t  seq;
    uint64_t  round;
    unsigned  session;                        /* cookies of which; 0 = none  */
    char      monitor[TCF_NAME_MAX];          /* "" = no monitor was asked   */
} tcf_ticket_t;

typedef struct {
    tcf_ticket_t            ticket;
    const char             *url;
    int64_t                 connect_ms;
    int64_t                 total_ms;
    uint64_t                too_big;          /* bytes                       */
    const tcf_validator_t  *known;            /* NULL = unconditionally      */
    const char             *post;             /* JSON, wiped behind; NULL    */
    const char             *cookies;          /* "A=1; B=2"; NULL            */
    const char             *ca_file;          /* NULL = the system's         */
    bool                    unverified;       /* any certificate will do     */
    bool                    direct;           /* redirects are failures      */
} tcf_request_t;

typedef struct {
    tcf_ticket_t  ticket;
    bool          ok;             /* 200 with a body, or 304 without; for a
                                     POST any 200                            */
    long          status;         /* 0 = no answer                           */
    int64_t       retry_ms;       /* Retry-After (RFC 9110 §10.2.3), 0 = none */
    char         *cookies;        /* values of Set-Cookie, a line each; freed
                                     behind the callee                       */
    tcf_body_t    body;           /* 200: the callee may take its data       */
    int64_t       ms;             /* that it took                            */
    tcr_err_t     error;          /* not ok: why                             */
} tcf_reply_t;

typedef void (*tcf_http_done_pt)(void *ctx, tcf_reply_t *reply);


/* NULL with a reason.  One at a time in a process. */
tcf_http_t *tcf_http_create(tcr_err_t *err);

/* Drops what is under way. */
void tcf_http_destroy(tcf_http_t *http);

/* -1: could not even be started. */
int tcf_http_start(tcf_http_t *http, const tcf_request_t *request,
    tcr_err_t *err);

/* Does what can be done without waiting; done() gets each finished one. */
void tcf_http_run(tcf_http_t *http, tcf_http_done_pt done, void *ctx);

/* Sleeps until something can be done, fd is readable, or ms have passed. */
void tcf_http_wait(tcf_http_t *http, int fd, int64_t ms);

/* Ends a tcf_http_wait in another thread. */
void tcf_http_wake(tcf_http_t *http);

/* The URL without name and password, for messages. */
void tcf_http_show(const char *url, char *shown, size_t size);

/* scheme://host:port of an http(s) URL, lower case; -1: it has none. */
int tcf_http_origin(const char *url, char *origin, size_t size);


#endif /* TCF_HTTP_H_INCLUDED */
