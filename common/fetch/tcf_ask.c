/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Asking for a source: whom, with what, and where the answer goes.
 */

#include "tcf.h"

#include <stdlib.h>

#include "tcr_clock.h"


bool
tcf_asks_states(const tcf_source_t *s)
{
    return s->row == &tcf_rows[TCF_STATES];
}


bool
tcf_asks_monitors(const tcf_source_t *s)
{
    return s->url == NULL;
}


bool
tcf_reads_file(const tcf_source_t *s)
{
    return tcf_is_own(s)
           || (s->url != NULL && strncmp(s->url, "file:", 5) == 0);
}


static void
monitor_url(const char *host, const char *path, char *url, size_t size)
{
    snprintf(url, size, "%s%s%s", strstr(host, "://") != NULL ? "" : "http://",
             host, path);
}


static void
read_file(tcf_t *f, tcf_source_t *s, const tcf_request_t *rq)
{
    int          rc;
    tcf_reply_t  reply;

    memset(&reply, 0, sizeof(reply));
    reply.ticket = rq->ticket;

    if (tcf_is_own(s)) {
        rc = tcf_own_read(f, s, &reply.body, &reply.error);

    } else {
        /* states without change are fresh states, so they are read always */
        rc = tcf_body_read(&reply.body, rq->url, rq->too_big, s->row->absent,
                           tcf_asks_states(s) ? &(tcf_validator_t) { "", "" }
                                     : &s->accepted.validator, &reply.error);
    }

    reply.ok = rc >= 0;
    tcf_answer(f, &reply);
    tcf_body_free(&reply.body);
}


static void
send_request(tcf_t *f, tcf_source_t *s, tcf_request_t *rq)
{
    tcf_reply_t  reply;

    s->flying++;

    if (tcf_reads_file(s)) {
        read_file(f, s, rq);
        return;
    }

    if (tcf_http_start(f->http, rq, &reply.error) != 0) {
        reply.ticket = rq->ticket;
        reply.ok = false;
        memset(&reply.body, 0, sizeof(reply.body));
        tcf_answer(f, &reply);
    }
}


/* As somebody who is logged in, or as soon as that is so. */
static void
send_logged_in(tcf_t *f, tcf_source_t *s, tcf_request_t *rq)
{
    char  *cookies;

    if (!tcf_ops_ready(f)) {
        s->waits = true;
        s->flying++;
        tcf_ops_login(f);
        return;
    }

    cookies = tcf_cookies_header(&f->ops.cookies);
    rq->cookies = cookies;
    rq->ticket.session = f->ops.session;
    tcf_ops_trust(f, rq);
    send_request(f, s, rq);

    if (cookies != NULL) {
        explicit_bzero(cookies, strlen(cookies));
    }

    free(cookies);
}


bool
tcf_ask(tcf_t *f, tcf_source_t *s, uint64_t round)
{
    char                  url[TCF_NAME_MAX * 2];
    tcf_request_t         rq;
    const tcr_settings_t *settings = &f->settings.v;
    const tcf_monitor_t  *monitor;

    memset(&rq, 0, sizeof(rq));
    rq.ticket.source = (unsigned) (s - f->sources);
    rq.ticket.round = round;
    rq.connect_ms = settings->timeouts.connect;
    rq.total_ms = s->timeout;
    rq.too_big = (uint64_t) tcf_row_number(settings, s->row->limit_at);
    rq.url = s->url;

    if (tcf_asks_monitors(s)) {
        monitor = tcf_monitors_pick(&f->monitors, tcf_asks_states(s), round,
                                    tcr_ticks_ms());

        if (monitor == NULL) {
            return false;
        }

        snprintf(rq.ticket.monitor, sizeof(rq.ticket.monitor), "%s",
                 monitor->host);
        monitor_url(monitor->host, s->row->monitor_path, url, sizeof(url));
        rq.url = url;
        rq.ca_file = settings->monitor_ca.data;

    } else if (!s->row->whole) {
        rq.known = &s->accepted.validator;
    }

    rq.ticket.seq = ++s->seq;

    if (s->login) {
        send_logged_in(f, s, &rq);

    } else {
        send_request(f, s, &rq);
    }

    return true;
}


void
tcf_ask_waiting(tcf_t *f, const char *why)
{
    tcf_reply_t    reply;
    tcf_source_e   i;
    tcf_source_t  *s;

    for (i = 0; i < TCF_SOURCES; i++) {
        s = &f->sources[i];

        if (!s->waits) {
            continue;
        }

        s->waits = false;

        if (why == NULL) {
            s->flying--;
            tcf_ask(f, s, s->round);
            continue;
        }

        memset(&reply, 0, sizeof(reply));
        reply.ticket.source = i;
        reply.ticket.seq = s->seq;
        reply.ticket.round = s->round;
        tcr_err_set(&reply.error, "%s", why);
        tcf_answer(f, &reply);
    }
}
