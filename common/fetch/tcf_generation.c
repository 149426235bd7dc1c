/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Images: which are in force, and putting judged ones into force.
 */

#include "tcf.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "tcr_clock.h"
#include "tcr_current.h"
#include "tcr_digest.h"

#define FIRST_MS    10000         /* how long an image waits for sources
                                     that have never been heard of           */
#define AGAIN_MS    5000          /* after a failed publication              */
#define LOOK_MS     1000          /* between two looks at "current"          */
#define LINES_MAX   20            /* of problems, in one go                  */


const tcr_image_t *
tcf_in_force(const tcf_t *f)
{
    const tcr_set_t  *set = tcr_snapshot_current(f->reader);

    if (set->slots[TCR_SLOT_ROUTING] == NULL
        || set->slots[TCR_SLOT_HEALTH] == NULL)
    {
        return NULL;
    }

    return &set->slots[TCR_SLOT_ROUTING]->img;
}


/*
 * A zealous hand may have emptied the directory: readers will look for new
 * images, so there must be some.
 */
void
tcf_generation_look(tcf_t *f, int64_t now)
{
    char         path[PATH_MAX + sizeof(TCR_CURRENT_NAME) + 1];
    struct stat  st;

    if (f->publisher == NULL || f->work == TCF_PUBLISHING
        || tcf_in_force(f) == NULL || now < f->look_at)
    {
        return;
    }

    f->look_at = now + LOOK_MS;
    snprintf(path, sizeof(path), "%s/" TCR_CURRENT_NAME, f->images);

    if (stat(path, &st) != 0) {
        st.st_ino = 0;
    }

    if (f->current != 0 && st.st_ino != f->current) {
        tcr_log(TCR_LOG_WARN, "images in \"%s\" were removed", f->images);
        f->lost = true;
        f->judge_at = now;
    }

    f->current = st.st_ino;
}


/* What was taken by a judgement that never went live is still news. */
static void
inherit(tcf_judgement_t *j, const tcf_judgement_t *before)
{
    tcf_source_e  i;

    for (i = 0; before != NULL && i < TCF_SOURCES; i++) {

        if (before->judged[i].verdict == TCF_TAKEN
            && j->judged[i].verdict != TCF_TAKEN)
        {
            j->judged[i].verdict = TCF_TAKEN;
            memcpy(j->judged[i].from, before->judged[i].from,
                   sizeof(j->judged[i].from));
        }
    }
}


/* A judgement without news for readers is done with. */
void
tcf_generation_ready(tcf_t *f, tcf_judgement_t *j)
{
    tcf_source_e     i;
    tcf_database_t  *db;
    tcr_set_t       *set = tcr_snapshot_current(f->reader);

    inherit(j, f->ready);
    tcf_judgement_free(f->ready);
    f->ready = NULL;

    for (i = 0; i < TCF_SOURCES; i++) {
        db = &j->databases[i];
        db->gone = db->gone && set->slots[tcf_rows[i].slot] != NULL;
        f->known[i] = f->known[i] || (!db->fresh && db->path[0] != '\0');
    }

    if (!tcf_judgement_is_news(j) && !tcf_options_dry(f->options)) {
        tcf_judgement_free(j);
        return;
    }

    if (f->ready_since == 0) {
        f->ready_since = tcr_ticks_ms();
    }

    f->ready = j;
}


/* --- when --- */

static bool
is_heard(const tcf_t *f, tcf_source_e i)
{
    const tcf_source_t  *s = &f->sources[i];

    if (!s->in_use || f->known[i] || f->ready->judged[i].size != 0) {
        return true;
    }

    return s->tried && s->pending.data == NULL;
}


/*
 * Sources that have never been heard of, because all is new or a snapshot has
 * just named them, are waited for, so that what goes live is whole.
 */
static bool
may_go(const tcf_t *f)
{
    tcf_source_e  i;

    if (tcr_ticks_ms() - f->ready_since >= FIRST_MS) {
        return true;
    }

    for (i = 0; i < TCF_SOURCES; i++) {

        if (i != TCF_STATES && !is_heard(f, i)) {
            return false;
        }
    }

    return tcf_health_settled(f);
}


int64_t
tcf_generation_due(const tcf_t *f)
{
    if (f->ready == NULL || f->work != TCF_IDLE
        || tcf_options_dry(f->options))
    {
        return TCF_NEVER;
    }

    return may_go(f) ? 0 : f->ready_since + FIRST_MS;
}


/* --- what is said --- */

static void
put_name(void *ctx, const char *name)
{
    tcr_buf_t  *buf = ctx;

    tcr_buf_printf(buf, "%s%s", buf->len == 0 ? ", new: " : " ", name);
}


static void
log_generation(const tcf_t *f, const tcf_judgement_t *j, uint64_t number)
{
    char           date[TCF_DATE_SIZE];
    const char    *from;
    tcr_buf_t      news;
    tcf_source_e   i;

    from = j->judged[TCF_SNAPSHOT].verdict == TCF_TAKEN
           ? j->judged[TCF_SNAPSHOT].from : "the last good copy";
    tcf_date(f->date, date);
    tcr_buf_init(&news, 256);

    for (i = TCF_COVERAGE; i < TCF_SOURCES; i++) {

        if (j->judged[i].verdict == TCF_TAKEN) {
            put_name(&news, tcf_rows[i].name);
        }
    }

    if (j->routing == NULL) {
        tcr_log(TCR_LOG_NOTICE, "databases are others%.*s", (int) news.len,
                news.len != 0 ? news.data : "");

    } else {
        tcr_log(TCR_LOG_NOTICE, "snapshot of %s from %s: %zu services, %zu "
                "caches, +%zu -%zu services, +%zu -%zu caches%.*s, "
                "generation %" PRIu64 ", %" PRId64 " ms", date, from,
                j->diff.services, j->diff.caches, j->diff.services_new,
                j->diff.services_gone, j->diff.caches_new,
                j->diff.caches_gone, (int) news.len,
                news.len != 0 ? news.data : "", number, j->ms);
    }

    tcr_buf_free(&news);
}


/* The same problems as last time are not news. */
static bool
are_known(tcf_t *f, const tcr_report_t *report)
{
    bool                  known;
    uint8_t               hash[32] = { 0 };
    tcr_buf_t             buf;
    const tcr_problem_t  *p;

    tcr_buf_init(&buf, 16 * 1024 * 1024);

    for (p = report->first; p != NULL; p = p->next) {
        tcr_buf_printf(&buf, "%s\n", p->text);
    }

    if (buf.len != 0) {
        tcr_sha256(buf.data, buf.len, hash);
    }

    tcr_buf_free(&buf);
    known = memcmp(hash, f->problems, sizeof(hash)) == 0;
    memcpy(f->problems, hash, sizeof(hash));

    return known;
}


static void
log_problems(tcf_t *f, const tcr_report_t *report)
{
    size_t                n = 0, total;
    const tcr_problem_t  *p;

    total = report->count[TCR_REPORT_WARNING]
            + report->count[TCR_REPORT_LEFT_OUT];

    if (are_known(f, report)) {

        if (total != 0) {
            tcr_log(TCR_LOG_INFO, "%zu problems as before", total);
        }

        return;
    }

    for (p = report->first; p != NULL && n < LINES_MAX; p = p->next, n++) {
        tcr_log(TCR_LOG_WARN, "%s", p->text);
    }

    if (total > n) {
        tcr_log(TCR_LOG_WARN, "%zu more problems, \"tcr-fetch --check\" shows "
                "all", total - n);
    }
}


/* --- publishing --- */

static void
add_item(tcf_t *f, tcr_slot_e slot, void *data, size_t size, const char *path)
{
    f->items[f->n_items++] = (tcr_publication_t) {
        .slot = slot, .data = data, .size = size, .path = path
    };
}


static void
fill_items(tcf_t *f)
{
    tcf_source_e      i;
    tcf_judgement_t  *j = f->ready;
    tcr_image_t       routing = { j->routing_data, j->routing_size,
                                  j->routing_data, false };

    f->n_items = 0;

    if (j->routing != NULL) {

        if (f->states.known) {
            tcf_states_apply(&f->states, &routing, j->health_data);
        }

        add_item(f, TCR_SLOT_ROUTING, j->routing_data, j->routing_size, NULL);
        add_item(f, TCR_SLOT_HEALTH, j->health_data, j->health_size, NULL);
    }

    for (i = 0; i < TCF_SOURCES; i++) {

        if (j->databases[i].fresh || j->databases[i].gone) {
            add_item(f, tcf_rows[i].slot, NULL, 0,
                     j->databases[i].fresh ? j->databases[i].path : NULL);
        }
    }
}


void
tcf_generation_write(tcf_t *f)
{
    f->write_rc = tcr_publish(f->writer, f->items, f->n_items, f->numbers,
                              &f->write_error);
}


void
tcf_generation_publish(tcf_t *f)
{
    if (f->ready == NULL || f->work != TCF_IDLE
        || tcf_options_dry(f->options) || !may_go(f))
    {
        return;
    }

    fill_items(f);

    if (tcf_work_start(f, TCF_PUBLISHING, &f->write_error) != 0) {
        f->write_rc = -1;
        tcf_generation_finish(f);
    }
}


static void
published(tcf_t *f)
{
    tcr_err_t               err;
    tcf_source_e            i;
    const tcf_judgement_t  *j = f->ready;

    f->lost = false;
    f->current = 0;
    f->states.unsaved = f->states.known;

    for (i = 0; i < TCF_SOURCES; i++) {
        f->known[i] = (f->known[i] || j->databases[i].fresh)
                      && !j->databases[i].gone;
    }

    if (tcr_snapshot_refresh(f->reader, tcr_now_ms(), &err) < 0) {
        tcr_log(TCR_LOG_ERR, "cannot read what was published: %s", err.text);
    }

    /* states that came while it was written */
    if (f->states.known) {
        tcf_health_apply(f);
    }

    log_generation(f, j, f->numbers[0]);
    log_problems(f, &j->report);
}


void
tcf_generation_finish(tcf_t *f)
{
    f->failed = f->write_rc != 0;

    if (f->failed) {
        tcr_log_limited(TCR_LOG_ERR, "publish", "cannot publish: %s",
                        f->write_error.text);
        f->judge_at = tcr_ticks_ms() + AGAIN_MS;

    } else {
        published(f);
    }

    tcf_judgement_free(f->ready);
    f->ready = NULL;
    f->ready_since = 0;
    f->status_changed = true;
}
