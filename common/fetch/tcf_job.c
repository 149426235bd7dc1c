/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The judgement under way: given to a thread, taken back, drawn conclusions
 * from.
 */

#include "tcf.h"

#include <malloc.h>

#include "tcr_clock.h"


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
give_inputs(tcf_t *f, tcf_judgement_t *j)
{
    tcf_source_e           i;
    tcf_source_t          *s;
    const tcr_settings_t  *settings = &f->settings.v;

    for (i = 0; i < TCF_SOURCES; i++) {
        s = &f->sources[i];
        j->given[i] = tcf_row_url(s->row, settings, NULL) != NULL;
        j->limits[i] = tcf_row_number(settings, s->row->limit_at);
        j->used[i] = s->in_use;
        j->bodies[i] = s->pending;
        memset(&s->pending, 0, sizeof(s->pending));
    }

    s = &f->sources[TCF_SNAPSHOT];
    j->facts_known = f->facts != NULL && s->accepted.size != 0
                     && !tcf_options_dry(f->options);
    memcpy(j->facts_sha256, s->accepted.sha256, sizeof(j->facts_sha256));
    memcpy(j->source, s->accepted.from, sizeof(j->source));
    j->store = &f->store;
    j->date = f->date;
    j->max_shrink = settings->max_shrink;
    j->accept_older = f->options->accept_older;
    j->accept_shrink = f->options->accept_shrink;
    j->regional_refused = f->sources[TCF_REGIONAL].bad;
    memcpy(j->router, f->router, sizeof(j->router));
}


static void
give_images(tcf_t *f, tcf_judgement_t *j)
{
    tcf_source_e         i;
    const tcr_mapped_t  *mapped;

    f->pinned = tcr_snapshot_pin(f->reader);
    j->in_force = tcf_in_force(f);

    /* a check looks at everything, whatever is in force */
    j->lost = f->lost || f->options->mode == TCF_CHECK;

    for (i = 0; i < TCF_SOURCES && !j->lost; i++) {
        mapped = f->pinned->slots[tcf_rows[i].slot];
        j->databases[i].known = f->known[i];

        if (tcf_is_database(i) && mapped != NULL) {
            j->databases[i].data = mapped->img.base;
            j->databases[i].size = mapped->img.size;
        }
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
        tcf_judgement_free(j);
        return -1;
    }

    return 0;
}


/* --- end --- */

static void
taken(tcf_t *f, tcf_source_t *s, const tcf_judged_t *judged)
{
    s->accepted.size = judged->size;
    memcpy(s->accepted.sha256, judged->sha256, sizeof(judged->sha256));
    memcpy(s->accepted.from, judged->from, sizeof(judged->from));
    s->accepted.validator = judged->validator;
    s->accepted.since = tcr_now_ms();
    s->refused_len = 0;
    s->bad = false;
    f->status_changed = true;

    /* it may have come once more while it was judged */
    if (s->pending.data != NULL
        && tcf_store_same(&f->store, s->row->file, s->pending.data,
                          s->pending.len))
    {
        tcf_body_free(&s->pending);
    }
}


static void
refused(tcf_t *f, tcf_source_t *s, const tcf_judged_t *judged)
{
    tcr_err_t  text;

    tcr_err_set(&text, "File rejected: %s from %s: %s", s->row->name,
                judged->from, judged->reason.text);
    tcr_log_limited(TCR_LOG_WARN, text.text, "%s", text.text);

    s->refused_len = judged->size;
    memcpy(s->refused, judged->sha256, sizeof(judged->sha256));
    s->bad = true;
    f->refused = true;
    f->status_changed = true;

    if (s->pending.data == NULL) {
        tcf_poll_failed(f, s, text.text);
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
        s->bad = false;
        s->accepted.validator = judged->validator;
        break;

    case TCF_REFUSED:
        refused(f, s, judged);
        break;

    default:

        /* a copy of a run that did not live to write it down */
        if (s->accepted.size == 0 && judged->size != 0) {
            s->accepted.size = judged->size;
            memcpy(s->accepted.sha256, judged->sha256, 32);
        }
    }
}


static void
take_facts(tcf_t *f, tcf_judgement_t *j)
{
    tcr_err_t  err;

    f->usable = true;

    if (j->facts == NULL) {
        return;
    }

    tcf_facts_free(f->facts);
    f->facts = j->facts;
    j->facts = NULL;
    f->date = f->facts->date;
    f->status_changed = true;

    if (tcf_poll_configure(f, &err) != 0) {
        tcr_log(TCR_LOG_ERR, "%s", err.text);
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
        draw_verdict(f, &f->sources[i], &j->judged[i]);
    }

    if (j->rc != 0) {
        tcr_log_limited(TCR_LOG_WARN, j->error.text, "%s", j->error.text);
        tcf_judgement_free(j);

    } else {
        take_facts(f, j);
        tcf_generation_ready(f, j);
    }

    /* a large snapshot's memory goes back, we may stay for long */
    malloc_trim(0);
}
