/* SPDX-License-Identifier: Apache-2.0 */

/*
 * From a states document to the words of the health image in force.
 */

#include "tcf.h"

#include <stdio.h>

#include "tcr_clock.h"

#define SAVE_MS  5000             /* between two last good copies            */


void
tcf_health_start(tcf_t *f)
{
    void              *base;
    tcr_err_t          err;
    tcr_img_health_t  *health;

    if (!f->options->ignore_cache
        && tcf_states_load(&f->states, &f->store, tcf_rows[TCF_STATES].file,
                           &err) != 0)
    {
        tcr_log(TCR_LOG_WARN, "last good copy of states is damaged: %s",
                err.text);
    }

    if (f->publisher == NULL || !f->states.known || tcf_in_force(f) == NULL) {
        return;
    }

    /* a running image has newer ones already */
    health = tcr_publisher_health(f->publisher, &base, &err);

    if (health != NULL && health->states_time == 0) {
        tcf_health_apply(f);
    }
}


/* The first of the problems of a document that was taken all the same. */
static void
report_problems(const tcr_report_t *report, const char *from)
{
    char    more[64] = "";
    size_t  n = report->count[TCR_REPORT_WARNING]
                + report->count[TCR_REPORT_LEFT_OUT];

    if (report->first == NULL) {
        return;
    }

    if (n > 1) {
        snprintf(more, sizeof(more), " (and %zu more problems)", n - 1);
    }

    tcr_log_limited(TCR_LOG_WARN, "states", "states: from %s: %s%s", from,
                    report->first->text, more);
}


int
tcf_health_take(tcf_t *f, tcf_reply_t *reply, tcr_err_t *err)
{
    tcr_err_t  why;

    if (tcf_body_gunzip(&reply->body,
                        (uint64_t) f->settings.v.limits.states, &why) != 0
        || tcf_states_take(&f->states, reply->body.data, reply->body.len,
                           tcr_now_ms(), &why) != 0)
    {
        return tcr_err_set(err, "from %s: %s", reply->body.from, why.text);
    }

    reply->body.data = NULL;
    report_problems(&f->states.report, reply->body.from);
    tcf_health_apply(f);
    return 0;
}


/* Nobody is served any more: worth a line, whoever is to blame. */
static void
warn_all_down(const tcf_t *f, const void *base, const tcr_img_health_t *health)
{
    uint32_t         i;
    const uint64_t  *words = (const void *) ((const char *) base
                                             + health->caches.off);

    for (i = 0; i < health->caches.n; i++) {
        if (tcr_health_load(&words[i]) & TCR_HEALTH_AVAILABLE) {
            return;
        }
    }

    if (i != 0 && f->states.model.has_caches) {
        tcr_log_limited(TCR_LOG_WARN, "all down", "states: all %u caches of "
                        "the snapshot are down, those that are not named "
                        "included; %zu caches are named", i,
                        f->states.model.n_caches);
    }
}


void
tcf_health_apply(tcf_t *f)
{
    void               *base;
    size_t              changed;
    tcr_err_t           err;
    tcr_img_health_t   *health;
    const tcr_image_t  *routing = tcf_in_force(f);

    if (f->publisher == NULL || routing == NULL) {
        return;
    }

    health = tcr_publisher_health(f->publisher, &base, &err);

    if (health == NULL) {
        tcr_log_limited(TCR_LOG_ERR, "health", "cannot change health: %s",
                        err.text);
        return;
    }

    if (health->routing != routing->header->number) {
        return;
    }

    changed = tcf_states_apply(&f->states, routing, base);
    warn_all_down(f, base, health);

    if (changed != 0) {
        f->states.unsaved = true;
        tcr_log(TCR_LOG_INFO, "health of %zu caches and services changed",
                changed);
    }
}


void
tcf_health_save(tcf_t *f, bool now)
{
    int64_t           ticks = tcr_ticks_ms();
    tcr_err_t         err;
    const tcf_row_t  *row = &tcf_rows[TCF_STATES];

    if (!now && (!f->states.unsaved || ticks < f->states_at)) {
        return;
    }

    f->states.unsaved = false;

    if (f->states.time == f->states.saved) {
        return;
    }

    f->states.saved = f->states.time;
    f->states_at = ticks + SAVE_MS;

    if (tcf_store_put(&f->store, row->file, f->states.body, f->states.len,
                      tcf_row_mode(row), &err) != 0)
    {
        tcr_log_limited(TCR_LOG_WARN, "states.json", "cannot keep the last "
                        "good copy of states: %s", err.text);
    }
}


/*
 * A first image with everything up only after every monitor has had its
 * chance to say what is down (decisions E3).
 */
bool
tcf_health_settled(const tcf_t *f)
{
    const tcf_source_t  *s = &f->sources[TCF_STATES];

    if (!s->in_use || f->states.known) {
        return true;
    }

    return s->url != NULL ? s->tried : tcf_monitors_all_tried(&f->monitors);
}
