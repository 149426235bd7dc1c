/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Sources: who is asked when, what an answer and a failure lead to.
 *
 * A round of a source is one poll with all its fail-overs.  States are asked
 * for again when they are due even if an answer is still out: one monitor
 * that hangs must not hold health up.  Answers that come late, after a newer
 * one, are dropped.
 */

#include "tcf.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tcr_clock.h"
#include "tcr_digest.h"

#define ONCE_SLACK  30000         /* ms: due so soon is due for --once       */
#define PEACE_MAX   300000        /* ms: longest Retry-After that is heeded  */
#define DENIED_MS   600000        /* refused although logged in: not tried
                                     again with another session before       */


static void on_reply(void *ctx, tcf_reply_t *reply);


static unsigned
poller(const tcf_source_t *s)
{
    return s->row == &tcf_rows[TCF_STATES];
}


static bool
asks_monitors(const tcf_source_t *s)
{
    return s->url == NULL;
}


static bool
reads_file(const tcf_source_t *s)
{
    return tcf_is_own(s)
           || (s->url != NULL && strncmp(s->url, "file:", 5) == 0);
}


/* --- asking --- */

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
                           poller(s) ? &(tcf_validator_t) { "", "" }
                                     : &s->accepted.validator, &reply.error);
    }

    reply.ok = rc >= 0;
    on_reply(f, &reply);
    tcf_body_free(&reply.body);
}


static void
send_request(tcf_t *f, tcf_source_t *s, tcf_request_t *rq)
{
    tcf_reply_t  reply;

    s->flying++;

    if (reads_file(s)) {
        read_file(f, s, rq);
        return;
    }

    if (tcf_http_start(f->http, rq, &reply.error) != 0) {
        reply.ticket = rq->ticket;
        reply.ok = false;
        memset(&reply.body, 0, sizeof(reply.body));
        on_reply(f, &reply);
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


/* Asks somebody in this round; false when there is nobody (left) to ask. */
static bool
ask(tcf_t *f, tcf_source_t *s, uint64_t round)
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

    if (asks_monitors(s)) {
        monitor = tcf_monitors_pick(&f->monitors, poller(s), round,
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


/* Up to an eighth of the interval, another one for each router and source. */
static int64_t
skew(const tcf_t *f, const tcf_source_t *s)
{
    uint64_t  hash = tcr_str_hash(tcr_str(f->router))
                     ^ tcr_str_hash(tcr_str(s->row->name));

    return (int64_t) (hash % (uint64_t) (s->interval / 8 + 1));
}


static void
start_round(tcf_t *f, tcf_source_t *s, int64_t now)
{
    s->due = tcf_due_next(s->due, now, s->interval);

    /* a CDN's routers were started by one clock: they need not ask at once */
    if (s->last_ok == 0 && !poller(s)) {
        s->due -= skew(f, s);
    }

    if (s->flying > 0 && !(poller(s) && asks_monitors(s))) {
        return;
    }

    s->asked = true;
    s->again = false;
    ask(f, s, ++s->round);
}


/* A run that is to ask once asks a little early rather than a minute late. */
static bool
is_due(const tcf_t *f, const tcf_source_t *s, int64_t now)
{
    int64_t  slack = s->interval / 2 < ONCE_SLACK ? s->interval / 2
                                                  : ONCE_SLACK;

    if (!s->in_use || (f->options->offline && !reads_file(s))) {
        return false;
    }

    if (tcf_is_once(f)) {
        return !s->asked && (s->row->always || s->accepted.size == 0
                             || s->due <= now + slack);
    }

    return s->due <= now && (!f->leaving || poller(s));
}


void
tcf_poll_due(tcf_t *f, int64_t now)
{
    tcf_source_e  i;

    for (i = 0; i < TCF_SOURCES; i++) {

        if (is_due(f, &f->sources[i], now)) {
            start_round(f, &f->sources[i], now);
        }
    }
}


int64_t
tcf_poll_next(const tcf_t *f)
{
    int64_t              now = tcr_ticks_ms(), next = TCF_NEVER;
    tcf_source_e         i;
    const tcf_source_t  *s;

    for (i = 0; i < TCF_SOURCES; i++) {
        s = &f->sources[i];

        if (is_due(f, s, now)) {
            return now;
        }

        if (!tcf_is_once(f) && s->in_use && s->due < next
            && (!f->leaving || poller(s)))
        {
            next = s->due;
        }
    }

    return next;
}


bool
tcf_poll_idle(const tcf_t *f)
{
    int64_t       now = tcr_ticks_ms();
    tcf_source_e  i;

    for (i = 0; i < TCF_SOURCES; i++) {

        if (f->sources[i].flying > 0 || is_due(f, &f->sources[i], now)) {
            return false;
        }
    }

    return true;
}


/* --- answers --- */

/* What others see of a failure changes with its text, not with its time. */
static void
note_error(tcf_t *f, tcf_source_t *s, const char *text)
{
    if (s->last_error == 0 || strncmp(s->error, text, sizeof(s->error) - 1)) {
        f->status_changed = true;
    }

    if (s->last_error == 0) {
        tcf_note(f, "%s: %s", s->row->name, text);
    }

    s->last_error = tcr_now_ms();
    snprintf(s->error, sizeof(s->error), "%s", text);
}


void
tcf_poll_failed(tcf_t *f, tcf_source_t *s, const char *why)
{
    int64_t  due, now = tcr_ticks_ms();

    s->failures++;
    s->tried = true;
    s->awaited = false;
    note_error(f, s, why);

    due = tcf_due_retry(now, s->failures, s->interval);

    if (due < s->due) {
        s->due = due;
    }
}


/* A server that is asked too much says for how long it wants its peace. */
static int64_t
later(int64_t due, int64_t now, int64_t pause)
{
    pause = pause < PEACE_MAX ? pause : PEACE_MAX;

    return now + pause > due ? now + pause : due;
}


static void
failed(tcf_t *f, tcf_source_t *s, const tcf_reply_t *reply)
{
    char  key[TCF_NAME_MAX * 2];

    snprintf(key, sizeof(key), "%s %s", s->row->name, reply->ticket.monitor);
    tcr_log_limited(TCR_LOG_WARN, key, "%s: %s", s->row->name,
                    reply->error.text);

    if (reply->ticket.seq == s->seq && asks_monitors(s)
        && ask(f, s, reply->ticket.round))
    {
        return;
    }

    /* what is still out may bring the answer */
    if (s->flying == 0 && s->answered < s->seq) {
        tcf_poll_failed(f, s, reply->error.text);
        s->due = later(s->due, tcr_ticks_ms(), reply->retry_ms);
    }
}


static void
succeeded(tcf_t *f, tcf_source_t *s)
{
    s->failures = 0;
    s->tried = true;
    s->awaited = false;
    s->last_ok = tcr_now_ms();

    if (s->last_error != 0) {
        s->last_error = 0;
        tcf_event(f, TCR_LOG_NOTICE, "%s: answered again", s->row->name);
    }
}


/* Was exactly this refused last time?  Then the reason is still in s. */
static bool
is_refused(const tcf_source_t *s, const tcf_body_t *body)
{
    uint8_t  sha256[32];

    return s->refused_len != 0 && s->refused_len == body->len
           && tcr_sha256(body->data, body->len, sha256) == 0
           && memcmp(sha256, s->refused, sizeof(sha256)) == 0;
}


/* The source offers what is in use: what was refused since is forgotten. */
static void
unchanged(tcf_t *f, tcf_source_t *s)
{
    tcf_body_free(&s->pending);

    if (s->bad) {
        s->bad = false;
        f->status_changed = true;
        f->judge_at = tcr_ticks_ms();
    }
}


static void
take_body(tcf_t *f, tcf_source_t *s, tcf_body_t *body)
{
    if (body->data == NULL) {
        unchanged(f, s);
        return;
    }

    if (s->accepted.size == body->len
        && tcf_source_same(s, &f->store, body))
    {
        s->accepted.validator = body->validator;
        unchanged(f, s);
        return;
    }

    tcf_body_free(&s->pending);
    s->pending = *body;
    body->data = NULL;
}


/*
 * Our session may have come to its end: once in a round we log in anew.  One
 * that is refused freshly logged in has not the right to ask.
 */
static bool
ask_again(tcf_t *f, tcf_source_t *s, const tcf_reply_t *reply)
{
    if (reply->ok || reply->ticket.session == 0 || s->again
        || (reply->status != 401 && reply->status != 403))
    {
        return false;
    }

    if (reply->ticket.session == f->ops.session) {

        if (s->denied && tcr_ticks_ms() - f->ops.since < DENIED_MS) {
            return false;
        }

        tcf_ops_forget(f);
    }

    s->again = true;
    ask(f, s, reply->ticket.round);
    return true;
}


void
tcf_poll_logged_in(tcf_t *f, const char *why)
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
            ask(f, s, s->round);
            continue;
        }

        memset(&reply, 0, sizeof(reply));
        reply.ticket.source = i;
        reply.ticket.seq = s->seq;
        reply.ticket.round = s->round;
        tcr_err_set(&reply.error, "%s", why);
        on_reply(f, &reply);
    }
}


static void
on_reply(void *ctx, tcf_reply_t *reply)
{
    tcf_t         *f = ctx;
    tcf_source_t  *s = &f->sources[reply->ticket.source];
    bool           late;

    if (reply->ticket.source == TCF_SOURCES) {
        tcf_ops_answer(f, reply);
        return;
    }

    late = reply->ticket.seq < s->answered;
    reply->body.secret = s->row->secret;
    s->flying--;
    tcf_ops_renew(f, reply);

    if (ask_again(f, s, reply)) {
        return;
    }

    s->denied = !reply->ok && s->again
                && (reply->status == 401 || reply->status == 403);

    if (reply->ok && poller(s) && !late
        && tcf_health_take(f, reply, &reply->error) != 0)
    {
        reply->ok = false;
    }

    if (reply->ok && !poller(s) && is_refused(s, &reply->body)) {
        reply->ok = false;
        tcr_err_set(&reply->error, "%s", s->error);
    }

    if (asks_monitors(s) && reply->ok) {
        tcf_monitors_ok(&f->monitors, reply->ticket.monitor, poller(s));
        memcpy(f->monitor, reply->ticket.monitor, sizeof(f->monitor));

    } else if (asks_monitors(s)) {
        tcf_monitors_failed(&f->monitors, reply->ticket.monitor, poller(s),
                            tcr_ticks_ms());
    }

    if (!reply->ok) {
        failed(f, s, reply);

    } else if (!late) {
        s->answered = reply->ticket.seq;
        succeeded(f, s);

        if (!poller(s)) {
            take_body(f, s, &reply->body);
        }
    }
}


void
tcf_poll_run(tcf_t *f)
{
    tcf_http_run(f->http, on_reply, f);
}


/* --- settings and snapshot decide who is asked --- */

static void
log_monitors(tcf_t *f)
{
    uint32_t   i;
    tcr_buf_t  buf;

    tcr_buf_init(&buf, 1500);

    for (i = 0; i < f->monitors.n; i++) {
        tcr_buf_printf(&buf, "%s%s", i == 0 ? "" : ", ",
                       f->monitors.list[i].host);
    }

    tcf_event(f, TCR_LOG_NOTICE, "traffic_monitor.bootstrap.hosts changed to: "
              "[%.*s]", (int) buf.len, buf.data != NULL ? buf.data : "");
    tcr_buf_free(&buf);
}


static int
set_monitors(tcf_t *f, tcr_err_t *err)
{
    int                   rc = -1;
    bool                  first = f->monitors.n == 0;
    size_t                i;
    const char          **hosts;
    const tcr_texts_t    *bootstrap = &f->settings.v.monitors;

    if (bootstrap->n != 0 && !f->settings.v.local && f->facts != NULL
        && f->facts->n_monitors != 0)
    {
        rc = tcf_monitors_set(&f->monitors, f->facts->monitors,
                              f->facts->n_monitors, err);

    } else {
        hosts = calloc(bootstrap->n + 1, sizeof(*hosts));

        for (i = 0; hosts != NULL && i < bootstrap->n; i++) {
            hosts[i] = bootstrap->items[i].data;
        }

        if (hosts != NULL) {
            rc = tcf_monitors_set(&f->monitors, hosts,
                                  (uint32_t) bootstrap->n, err);
        }

        free(hosts);
    }

    if (rc == 1 && !first) {
        log_monitors(f);
    }

    return rc < 0 ? -1 : 0;
}


int
tcf_poll_configure(tcf_t *f, tcr_err_t *err)
{
    bool          asked = f->settings.v.monitors.n != 0;
    tcf_source_e  i;

    if (set_monitors(f, err) != 0) {
        return -1;
    }

    for (i = 0; i < TCF_SOURCES; i++) {

        if (tcf_source_configure(&f->sources[i], &f->settings.v, f->facts,
                                 asked, tcr_ticks_ms(), err)
            != 0)
        {
            return -1;
        }
    }

    tcf_ops_configure(f);
    return 0;
}
