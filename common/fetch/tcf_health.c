/* SPDX-License-Identifier: Apache-2.0 */

/*
 * From a states document to the words of the health image in force.
 */

#include "tcf.h"

#include "tcr_clock.h"

#define SAVE_MS  5000             /* between two last good copies            */


void
tcf_health_start(tcf_t *f)
{
    void              *base;
    tcr_err_t          err;
    tcr_img_health_t  *health;

    if (tcf_states_load(&f->states, &f->store, tcf_rows[TCF_STATES].file,
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
    tcf_health_apply(f);
    return 0;
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
