/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Traffic Ops: who is logged in, and who waits for it (spec/inputs.md §8.0).
 *
 * Name and password go to one server only: the one of the settings, else the
 * one that the snapshot names, over https.  One log-in is under way at most;
 * after a failed one there is a pause that doubles, in which sources fail
 * with its reason: a wrong password must not lock an account.
 */

#include "tcf.h"

#include <stdio.h>
#include <stdlib.h>

#include "tcf_credentials.h"
#include "tcr_clock.h"

#define API_LOGIN       "/api/5.0/user/login"
#define PAUSE_MAX       300000    /* ms                                      */
#define LOGIN_BYTES     65536
#define LOGIN_TIMEOUT   15000


/* --- where --- */

/* The log-in's URL where the settings say that Traffic Ops is; heap. */
static char *
login_url(const tcf_t *f)
{
    char         *url = NULL;
    size_t        len;
    const char   *given = f->settings.v.ops.url.data;
    const char   *from = f->facts != NULL ? f->facts->login : NULL;

    if (given == NULL) {
        return from != NULL ? strdup(from) : NULL;
    }

    len = from != NULL && f->facts->ops != NULL ? strlen(f->facts->ops) : 0;

    if (len == 0 || strncmp(from, f->facts->ops, len) != 0
        || from[len] != '/')
    {
        return asprintf(&url, "%s" API_LOGIN, given) < 0 ? NULL : url;
    }

    return asprintf(&url, "%s%s", given, from + len) < 0 ? NULL : url;
}


static void
warn_of_settings(const tcf_t *f)
{
    const tcr_settings_t  *s = &f->settings.v;

    if (strncmp(f->ops.origin, "http:", 5) == 0) {
        tcr_log_limited(TCR_LOG_WARN, "ops http", "traffic_ops.url is not "
                        "encrypted: everybody on the way can read name, "
                        "password and private keys");

    } else if (!s->ops.verify) {
        tcr_log_limited(TCR_LOG_WARN, "ops verify", "traffic_ops.verify is "
                        "off: name and password go to whoever answers");
    }
}


void
tcf_ops_configure(tcf_t *f)
{
    char          *url, origin[TCF_NAME_MAX], theirs[TCF_NAME_MAX];
    tcf_source_e   i;
    tcf_source_t  *s;
    const char    *from = f->settings.v.ops.url.data;

    if (from == NULL && f->facts != NULL) {
        from = f->facts->ops;
    }

    url = f->settings.v.ops.credentials.data != NULL ? login_url(f) : NULL;

    if (url == NULL || from == NULL
        || tcf_http_origin(from, origin, sizeof(origin)) != 0)
    {
        origin[0] = '\0';
    }

    if (strcmp(origin, f->ops.origin) != 0
        || (f->ops.login != NULL && url != NULL
            && strcmp(url, f->ops.login) != 0))
    {
        tcf_ops_forget(f);
        f->ops.place++;
        f->ops.failures = 0;
        f->ops.not_before = 0;
    }

    memcpy(f->ops.origin, origin, sizeof(origin));
    free(f->ops.login);
    f->ops.login = url;

    for (i = 0; i < TCF_SOURCES; i++) {
        s = &f->sources[i];
        s->login = s->in_use && origin[0] != '\0' && s->url != NULL
                   && tcf_http_origin(s->url, theirs, sizeof(theirs)) == 0
                   && strcmp(origin, theirs) == 0;
    }

    if (origin[0] != '\0') {
        warn_of_settings(f);
    }

    if (origin[0] != '\0' && !f->ops.looked) {
        f->ops.looked = true;
        tcf_session_load(f);
    }
}


/* --- requests --- */

void
tcf_ops_trust(const tcf_t *f, tcf_request_t *rq)
{
    rq->ca_file = f->settings.v.ops.ca_file.data;
    rq->unverified = !f->settings.v.ops.verify;
    rq->direct = true;
}


bool
tcf_ops_ready(tcf_t *f)
{
    if (f->ops.session == 0) {
        return false;
    }

    if (!tcf_cookies_fresh(&f->ops.cookies, tcr_ticks_ms())) {
        tcf_ops_forget(f);
    }

    return f->ops.session != 0;
}


void
tcf_ops_forget(tcf_t *f)
{
    tcf_cookies_forget(&f->ops.cookies);
    f->ops.session = 0;
}


static void
failed(tcf_t *f, const char *why)
{
    f->ops.failures++;
    f->ops.not_before = tcf_due_retry(tcr_ticks_ms(), f->ops.failures,
                                      PAUSE_MAX);
    snprintf(f->ops.error, sizeof(f->ops.error), "cannot log in: %s", why);
    tcr_log_limited(TCR_LOG_WARN, f->ops.error, "traffic_ops: %s",
                    f->ops.error);
    tcf_note(f, "traffic_ops: %s", f->ops.error);
    tcf_ask_waiting(f, f->ops.error);
}


static void
start(tcf_t *f, char *body)
{
    tcr_err_t      err;
    tcf_request_t  rq;

    memset(&rq, 0, sizeof(rq));
    rq.ticket.source = TCF_SOURCES;
    rq.ticket.session = f->ops.place;
    rq.url = f->ops.login;
    rq.post = body;
    rq.connect_ms = f->settings.v.timeouts.connect;
    rq.total_ms = f->settings.v.ops.timeout != 0 ? f->settings.v.ops.timeout
                                                 : LOGIN_TIMEOUT;
    rq.too_big = LOGIN_BYTES;
    tcf_ops_trust(f, &rq);

    if (tcf_http_start(f->http, &rq, &err) != 0) {
        failed(f, err.text);
        return;
    }

    f->ops.flying = true;
}


/* Who waits is told by tcf_ask_waiting(), maybe before this returns. */
void
tcf_ops_login(tcf_t *f)
{
    char       *body;
    tcr_err_t   err;

    if (f->ops.flying) {
        return;
    }

    if (tcr_ticks_ms() < f->ops.not_before) {
        tcf_ask_waiting(f, f->ops.error);
        return;
    }

    body = tcf_credentials_read(f->settings.v.ops.credentials.data, &err);

    if (body == NULL) {
        failed(f, err.text);
        return;
    }

    start(f, body);
    explicit_bzero(body, strlen(body));
    free(body);
}


void
tcf_ops_answer(tcf_t *f, const tcf_reply_t *reply)
{
    f->ops.flying = false;

    if (reply->ticket.session != f->ops.place) {
        tcf_ask_waiting(f, "the settings of Traffic Ops have changed");
        return;
    }

    if (!reply->ok) {
        failed(f, reply->error.text);
        return;
    }

    tcf_cookies_forget(&f->ops.cookies);
    tcf_cookies_take(&f->ops.cookies,
                     reply->cookies != NULL ? reply->cookies : "",
                     tcr_ticks_ms(), tcr_now_ms());

    if (f->ops.cookies.n == 0) {
        failed(f, "the server has given no cookie");
        return;
    }

    if (f->ops.failures != 0) {
        tcf_event(f, TCR_LOG_NOTICE, "traffic_ops: logged in again");
    }

    f->ops.session = ++f->ops.sessions;
    f->ops.since = tcr_ticks_ms();
    f->ops.failures = 0;
    f->ops.error[0] = '\0';
    tcf_session_save(f);
    tcf_ask_waiting(f, NULL);
}


/* Any later answer may renew them (spec/inputs.md §8.0). */
void
tcf_ops_renew(tcf_t *f, const tcf_reply_t *reply)
{
    if (reply->cookies != NULL && reply->ticket.session != 0
        && reply->ticket.session == f->ops.session)
    {
        tcf_cookies_take(&f->ops.cookies, reply->cookies, tcr_ticks_ms(),
                         tcr_now_ms());
    }
}
