/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The judgement under way: given to a thread, taken back, drawn conclusions
 * from.
 */

#include "tcf.h"

#include <malloc.h>
#include <stdio.h>

#include "tcr_clock.h"

#define KEEP_MS  10000             /* between two attempts to keep a copy     */


bool
tcf_job_wanted(const tcf_t *f, int64_t now)
{
    tcf_source_e  i;

    if (f->work != TCF_IDLE || f->leaving) {
        return false;
    }

    for (i = 0; i < TCF_SOURCES; i++) {

        if (f->sources[i].pending.data != NULL) {
            return true;
        }
    }

    return now >= f->judge_at;
}


/* --- start --- */

static void
give_source(const tcf_source_t *s, const tcr_settings_t *settings,
    tcf_judgement_t *j)
{
    tcf_source_e  i = (tcf_source_e) (s->row - tcf_rows);

    j->given[i] = tcf_row_given(s->row, settings) != NULL;
    j->limits[i] = tcf_row_number(settings, s->row->limit_at);
    j->bodies[i] = s->pending;
    j->unsaved[i] = tcr_str_n(s->unsaved.data, s->unsaved.len);
    memcpy(j->from[i], s->accepted.from, sizeof(j->from[i]));

    if (s->accepted.hashed) {
        j->known[i].size = s->accepted.size;
        memcpy(j->known[i].sha256, s->accepted.sha256, 32);
    }
}


static void
give_inputs(tcf_t *f, tcf_judgement_t *j)
{
    tcf_source_e           i;
    const tcr_settings_t  *settings = &f->settings.v;

    for (i = 0; i < TCF_SOURCES; i++) {
        give_source(&f->sources[i], settings, j);
        j->ignored[i] = f->options->ignore_cache
                        && !f->sources[i].accepted.hashed;
        memset(&f->sources[i].pending, 0, sizeof(f->sources[i].pending));
    }

    j->store = &f->store;
    j->ops = settings->ops.credentials.data != NULL;
    j->policy_refused = f->sources[TCF_REGIONAL].bad;
    j->old_facts = f->facts;
    j->before = f->ready;
    f->ready = NULL;
    j->now = tcr_now_ms() / 1000;
    j->date = f->date;
    j->max_shrink = settings->max_shrink;
    j->denial = (tcr_denial_e) settings->dnssec.denial;
    j->iterations = (uint32_t) settings->dnssec.iterations;
    snprintf(j->salt, sizeof(j->salt), "%.*s",
             TCR_STR_ARG(settings->dnssec.salt));
    j->everything = f->options->mode == TCF_CHECK;
    j->accept_older = f->options->accept_older;
    j->accept_shrink = f->options->accept_shrink;
    memcpy(j->router, f->router, sizeof(j->router));
}


static void
give_images(tcf_t *f, tcf_judgement_t *j)
{
    size_t  i;

    f->pinned = tcr_snapshot_pin(f->reader);
    j->lost = f->lost;

    for (i = 0; i < TCR_SLOT_COUNT; i++) {
        j->judged_before[i] = f->databases[i];

        if (f->pinned->slots[i] != NULL) {
            j->in_force[i] = &f->pinned->slots[i]->img;
        }
    }

    /* one without the other is nothing */
    if (j->in_force[TCR_SLOT_HEALTH] == NULL) {
        j->in_force[TCR_SLOT_ROUTING] = NULL;
    }
}


int
tcf_job_start(tcf_t *f, tcr_err_t *err)
{
    tcf_judgement_t  *j = tcf_judgement_create();

    f->judge_at = TCF_NEVER;

    if (j == NULL) {
        return tcr_err_set(err, "no memory for a judgement");
    }

    give_inputs(f, j);
    give_images(f, j);
    f->job = j;

    if (tcf_work_start(f, TCF_JUDGING, err) != 0) {
        f->job = NULL;
        tcr_snapshot_unpin(f->pinned);
        f->ready = j->before;
        j->before = NULL;
        tcf_judgement_free(j);
        return -1;
    }

    return 0;
}


/* --- end --- */

static void
taken(tcf_t *f, tcf_source_t *s, const tcf_judged_t *judged)
{
    memcpy(s->accepted.from, judged->from, sizeof(judged->from));
    s->accepted.validator = judged->validator;
    s->accepted.since = tcr_now_ms();
    s->refused_len = 0;
    s->bad = false;
    f->status_changed = true;

    /* it may have come once more while it was judged */
    if (s->pending.data != NULL
        && tcf_source_same(s, &f->store, &s->pending))
    {
        tcf_body_free(&s->pending);
    }
}


/* What there is no room for stays in memory until there is. */
static void
keep(tcf_t *f, tcf_source_t *s, const tcf_judged_t *judged, tcf_body_t *body)
{
    if (judged->kept) {
        tcf_body_free(&s->unsaved);
        return;
    }

    if (judged->not_kept.text[0] == '\0') {
        return;
    }

    if (body->data != NULL) {
        tcf_body_free(&s->unsaved);
        s->unsaved = *body;
        memset(body, 0, sizeof(*body));
        tcf_note(f, "cannot keep the last good copy of %s: %s", s->row->name,
                 judged->not_kept.text);
    }

    tcr_log_limited(TCR_LOG_WARN, s->row->file, "cannot keep the last good "
                    "copy of %s: %s", s->row->name, judged->not_kept.text);

    if (f->judge_at > tcr_ticks_ms() + KEEP_MS) {
        f->judge_at = tcr_ticks_ms() + KEEP_MS;
    }
}


/* What is in use now, whether we knew of it or not. */
static void
describe(tcf_source_t *s, const tcf_judged_t *judged)
{
    if (judged->size == 0) {
        return;
    }

    s->accepted.size = judged->size;
    memcpy(s->accepted.sha256, judged->sha256, sizeof(judged->sha256));
    s->accepted.hashed = !judged->older;
}


static void
refused(tcf_t *f, tcf_source_t *s, const tcf_judged_t *judged)
{
    tcr_err_t  text;

    tcr_err_set(&text, "File rejected: %s from %s: %s", s->row->name,
                judged->from, judged->reason.text);
    tcr_log_limited(TCR_LOG_WARN, text.text, "%s", text.text);
    tcf_note(f, "%s", text.text);
    f->rejection.time = tcr_now_ms();
    snprintf(f->rejection.text, sizeof(f->rejection.text), "%.*s",
             (int) sizeof(f->rejection.text) - 1, text.text);

    s->refused_len = judged->size;
    memcpy(s->refused, judged->sha256, sizeof(judged->sha256));
    s->bad = true;
    f->refused = true;
    f->status_changed = true;
    s->last_error = tcr_now_ms();

    if (s->pending.data == NULL) {
        tcf_answer_failed(f, s, text.text);
    }
}


static void
draw_verdict(tcf_t *f, tcf_source_t *s, const tcf_judged_t *judged)
{
    if (judged->damaged.text[0] != '\0') {
        tcr_log_limited(TCR_LOG_WARN, judged->damaged.text, "last good copy "
                        "of %s is damaged, the one before is looked for: %s",
                        s->row->name, judged->damaged.text);
    }

    switch (judged->verdict) {

    case TCF_TAKEN:
        taken(f, s, judged);
        break;

    case TCF_SAME:
        s->accepted.validator = judged->validator;
        s->bad = false;
        break;

    case TCF_REFUSED:
        refused(f, s, judged);
        return;

    default:
        break;
    }

    describe(s, judged);
}


static void
log_problems(const tcr_report_t *report, bool other, size_t count)
{
    size_t                n = 0;
    const tcr_problem_t  *p;

    if (!other) {

        if (count != 0) {
            tcr_log(TCR_LOG_INFO, "%zu problems as before", count);
        }

        return;
    }

    for (p = report->first; p != NULL && n < TCF_PROBLEMS_KEPT;
         p = p->next, n++)
    {
        tcr_log(TCR_LOG_WARN, "%s", p->text);
    }

    if (count > n) {
        tcr_log(TCR_LOG_WARN, "%zu more problems, \"tcr-fetch --check\" shows "
                "all", count - n);
    }
}


static void
take_report(tcf_t *f, size_t at, const tcr_report_t *report)
{
    bool             other;
    tcf_problems_t  *problems = &f->problems[at];

    other = tcf_problems_take(problems, report);
    f->status_changed = f->status_changed || other;

    if (!tcf_options_dry(f->options)) {
        log_problems(report, other, problems->count);

    } else if (other) {
        tcf_dry_problems(report);
    }
}


/* What was not looked at has the problems that it had. */
static void
take_reports(tcf_t *f, const tcf_judgement_t *j)
{
    size_t  i;

    for (i = 0; i < TCF_SOURCES; i++) {

        if (j->read[i]) {
            take_report(f, i, &j->reports[i]);
        }
    }

    for (i = 0; i < TCR_SLOT_COUNT; i++) {

        if (j->made[i].tried) {
            take_report(f, TCF_SOURCES + i, &j->made[i].report);
        }
    }
}


/*
 * Behind a new snapshot its keys, certificates, steering and federations are
 * due, and it waits a little for them so that it goes live as a whole.
 */
static void
follow(tcf_t *f)
{
    tcf_source_e   i;
    tcf_source_t  *s;

    f->hold = true;

    for (i = 0; i < TCF_SOURCES; i++) {
        s = &f->sources[i];

        if (!s->row->follows || !s->in_use || (tcf_is_once(f) && s->asked)) {
            continue;
        }

        s->due = tcr_ticks_ms();
        s->awaited = true;
    }
}


static void
take_facts(tcf_t *f, tcf_judgement_t *j)
{
    tcr_err_t  err;

    if (j->facts == NULL) {
        return;
    }

    tcf_facts_free(f->facts);
    f->facts = j->facts;
    j->facts = NULL;
    f->date = j->behind ? f->date : f->facts->date;
    f->usable = true;
    f->status_changed = true;

    if (tcf_poll_configure(f, &err) != 0) {
        tcr_log(TCR_LOG_ERR, "%s", err.text);
    }

    if (j->judged[TCF_SNAPSHOT].verdict == TCF_TAKEN) {
        follow(f);
    }
}


void
tcf_job_finish(tcf_t *f)
{
    tcf_source_e      i;
    tcf_judgement_t  *j = f->job;

    tcr_snapshot_unpin(f->pinned);
    f->job = NULL;

    for (i = 0; i < TCF_SOURCES; i++) {
        keep(f, &f->sources[i], &j->judged[i], &j->bodies[i]);
        draw_verdict(f, &f->sources[i], &j->judged[i]);
    }

    take_reports(f, j);

    if (j->behind && j->rc == 0) {
        tcr_log_limited(TCR_LOG_WARN, j->error.text, "%s", j->error.text);
    }

    if (j->rc != 0) {
        f->usable = f->usable || j->behind;
        tcr_log_limited(TCR_LOG_WARN, j->error.text, "%s", j->error.text);
        f->ready = j->before;
        j->before = NULL;
        tcf_judgement_free(j);

    } else {
        take_facts(f, j);
        tcf_generation_ready(f, j);
    }

    /* a large snapshot's memory goes back, we may stay for long */
    malloc_trim(0);
}
