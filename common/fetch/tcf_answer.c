/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What an answer and a failure lead to.
 *
 * Answers that come late, after a newer one, are dropped.
 */

#include "tcf.h"

#include "tcr_clock.h"
#include "tcr_digest.h"

#define PEACE_MAX   300000        /* ms: longest Retry-After that is heeded  */
#define DENIED_MS   600000        /* refused although logged in: not tried
                                     again with another session before       */


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
tcf_answer_failed(tcf_t *f, tcf_source_t *s, const char *why)
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

    if (reply->ticket.seq == s->seq && tcf_asks_monitors(s)
        && tcf_ask(f, s, reply->ticket.round))
    {
        return;
    }

    /* what is still out may bring the answer */
    if (s->flying == 0 && s->answered < s->seq) {
        tcf_answer_failed(f, s, reply->error.text);
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
    tcf_ask(f, s, reply->ticket.round);
    return true;
}


static void
note_monitor(tcf_t *f, const tcf_reply_t *reply, bool states)
{
    const char  *host = reply->ticket.monitor;

    if (reply->ok) {
        tcf_monitors_ok(&f->monitors, host, states);
        memcpy(f->monitor, host, sizeof(f->monitor));

    } else {
        tcf_monitors_failed(&f->monitors, host, states, tcr_ticks_ms());
    }
}


void
tcf_answer(void *ctx, tcf_reply_t *reply)
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

    if (reply->ok && tcf_asks_states(s) && !late
        && tcf_health_take(f, reply, &reply->error) != 0)
    {
        reply->ok = false;
    }

    if (reply->ok && !tcf_asks_states(s) && is_refused(s, &reply->body)) {
        reply->ok = false;
        tcr_err_set(&reply->error, "%s", s->error);
    }

    if (tcf_asks_monitors(s)) {
        note_monitor(f, reply, tcf_asks_states(s));
    }

    if (!reply->ok) {
        failed(f, s, reply);

    } else if (!late) {
        s->answered = reply->ticket.seq;
        succeeded(f, s);

        if (!tcf_asks_states(s)) {
            take_body(f, s, &reply->body);
        }
    }
}
