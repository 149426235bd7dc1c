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
#define HOLD_MS     5000          /* how long a new snapshot waits for what
                                     belongs to it                           */
#define AGAIN_MS    5000          /* after a failed publication              */
#define LOOK_MS     1000          /* between two looks at "current"          */


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
        tcf_event(f, TCR_LOG_WARN, "images in \"%s\" were removed",
                  f->images);
        f->lost = true;
        f->judge_at = now;
    }

    f->current = st.st_ino;
}


/* What was taken by a judgement that never went live is still news. */
static void
inherit(tcf_judgement_t *j)
{
    tcf_source_e  i;

    for (i = 0; j->before != NULL && i < TCF_SOURCES; i++) {

        if (j->before->judged[i].verdict == TCF_TAKEN
            && j->judged[i].verdict != TCF_TAKEN)
        {
            j->judged[i].verdict = TCF_TAKEN;
            memcpy(j->judged[i].from, j->before->judged[i].from,
                   sizeof(j->judged[i].from));
        }
    }

    tcf_judgement_free(j->before);
    j->before = NULL;
}


/* A database that is in force, or not wanted, was looked at for good. */
static void
note_databases(tcf_t *f, const tcf_judgement_t *j)
{
    f->databases[TCR_SLOT_CITY] = f->databases[TCR_SLOT_CITY]
                                  || (j->judged[TCF_CITY].size != 0
                                      && j->made[TCR_SLOT_CITY].path[0]
                                         == '\0');
    f->databases[TCR_SLOT_ANONYMOUS] = f->databases[TCR_SLOT_ANONYMOUS]
                                       || (j->judged[TCF_ANONYMOUS_IP].size != 0
                                           && j->made[TCR_SLOT_ANONYMOUS]
                                              .path[0] == '\0');
}


/* A judgement without news for readers is done with. */
void
tcf_generation_ready(tcf_t *f, tcf_judgement_t *j)
{
    inherit(j);
    note_databases(f, j);

    if (!tcf_judgement_has_news(j) && !tcf_options_dry(f->options)) {
        tcf_judgement_free(j);
        f->ready_since = 0;
        f->hold = false;
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

    if (!s->in_use || s->accepted.size != 0
        || f->ready->judged[i].size != 0)
    {
        return true;
    }

    return s->tried && s->pending.data == NULL;
}


/* Is something on its way that a new snapshot waits for? */
static bool
is_awaited(const tcf_t *f)
{
    tcf_source_e  i;

    for (i = 0; i < TCF_SOURCES; i++) {

        if (f->sources[i].awaited
            || (f->sources[i].row->follows
                && f->sources[i].pending.data != NULL))
        {
            return true;
        }
    }

    return false;
}


/*
 * Sources that have never been heard of, because all is new or a snapshot has
 * just named them, are waited for, so that what goes live is whole.
 */
static bool
is_whole(const tcf_t *f)
{
    tcf_source_e  i;

    for (i = 0; i < TCF_SOURCES; i++) {

        if (i != TCF_STATES && !is_heard(f, i)) {
            return false;
        }
    }

    return tcf_health_settled(f);
}


/* When it goes live at the latest; 0: at once. */
static int64_t
latest(const tcf_t *f)
{
    if (!is_whole(f)) {
        return f->ready_since + FIRST_MS;
    }

    /* once is one publication */
    return (f->hold && is_awaited(f)) || (tcf_is_once(f) && !tcf_poll_idle(f))
           ? f->ready_since + HOLD_MS : 0;
}


int64_t
tcf_generation_due(const tcf_t *f)
{
    if (f->ready == NULL || f->work != TCF_IDLE
        || tcf_options_dry(f->options))
    {
        return TCF_NEVER;
    }

    return latest(f);
}


/* --- what is said --- */

/* A file that nobody has made yet is no news. */
static bool
is_news(const tcf_judgement_t *j, tcf_source_e i)
{
    const char  *absent = tcf_rows[i].absent;

    return j->judged[i].verdict == TCF_TAKEN
           && (absent == NULL || j->judged[i].size != strlen(absent));
}


static void
put_news(const tcf_judgement_t *j, tcr_buf_t *buf)
{
    tcf_source_e  i;

    for (i = TCF_COVERAGE; i < TCF_SOURCES; i++) {

        if (is_news(j, i)) {
            tcr_buf_printf(buf, "%s%s", buf->len == 0 ? ", new: " : " ",
                           tcf_rows[i].name);
        }
    }
}


static void
put_slots(const tcr_publication_t *items, size_t n, tcr_buf_t *buf)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        tcr_buf_printf(buf, "%s%s%s", i == 0 ? "" : ", ",
                       items[i].data == NULL && items[i].path == NULL
                       ? "no more " : "", tcr_slot_name(items[i].slot));
    }
}


/* All images of a publication have the same one; none was made: 0. */
static uint64_t
number_of(const tcf_t *f)
{
    size_t    i;
    uint64_t  number = 0;

    for (i = 0; i < f->n_items && number == 0; i++) {
        number = f->numbers[i];
    }

    return number;
}


static void
log_generation(tcf_t *f)
{
    uint64_t                number = number_of(f);
    char                    date[TCF_DATE_SIZE];
    tcr_buf_t               news, slots;
    const tcf_judgement_t  *j = f->ready;

    tcr_buf_init(&news, 1024);
    tcr_buf_init(&slots, 1024);
    put_news(j, &news);
    put_slots(f->items, f->n_items, &slots);
    tcr_buf_char(&news, '\0');
    tcr_buf_char(&slots, '\0');

    if (news.failed || slots.failed) {
        tcf_event(f, TCR_LOG_NOTICE, "generation %" PRIu64, number);

    } else if (j->made[TCR_SLOT_ROUTING].build == NULL) {
        tcf_event(f, TCR_LOG_NOTICE, "published %s%s, generation %" PRIu64
                  ", %" PRId64 " ms", slots.data, news.data, number, j->ms);

    } else {
        tcf_date(f->date, date);
        tcf_event(f, TCR_LOG_NOTICE, "snapshot of %s from %s: %zu services, "
                  "%zu caches, +%zu -%zu services, +%zu -%zu caches%s, "
                  "generation %" PRIu64 ", %" PRId64 " ms", date,
                  j->judged[TCF_SNAPSHOT].verdict == TCF_TAKEN
                  ? j->judged[TCF_SNAPSHOT].from : "the last good copy",
                  j->diff.services, j->diff.caches, j->diff.services_new,
                  j->diff.services_gone, j->diff.caches_new,
                  j->diff.caches_gone, news.data, number, j->ms);
    }

    tcr_buf_free(&news);
    tcr_buf_free(&slots);
}


/* --- publishing --- */

/*
 * The group that may read the image.  One that is not there, or not ours to
 * give, leaves the image to its owner: better than to anybody, and better
 * than nothing at all.
 */
static void
set_group(const tcf_t *f, tcr_publication_t *item)
{
    const char  *name;

    if (item->slot != TCR_SLOT_CERTS && item->slot != TCR_SLOT_KEYS) {
        return;
    }

    name = item->slot == TCR_SLOT_CERTS ? f->settings.v.groups.tls.data
                                        : f->settings.v.groups.dns.data;

    if (tcf_group_is_ours(name)) {
        item->group = name;
        return;
    }

    item->owner_only = true;
    tcr_log_limited(TCR_LOG_WARN, name, "%s can be read by its owner only: "
                    "there is no group \"%s\", or we are no member of it",
                    tcr_slot_name(item->slot), name);
}


static void
fill_items(tcf_t *f)
{
    size_t              i;
    tcf_made_t         *made;
    tcr_publication_t  *item;

    memset(f->items, 0, sizeof(f->items));
    f->n_items = 0;

    for (i = 0; i < TCR_SLOT_COUNT; i++) {
        made = &f->ready->made[i];

        if (made->build == NULL && made->path[0] == '\0' && !made->gone) {
            continue;
        }

        item = &f->items[f->n_items++];
        item->slot = (tcr_slot_e) i;

        if (made->build != NULL) {
            item->data = made->data;
            item->size = made->size;
            set_group(f, item);

        } else if (made->path[0] != '\0') {
            item->path = made->path;
        }
    }
}


static void
apply_states(const tcf_t *f)
{
    const tcf_made_t  *made = f->ready->made;
    tcr_image_t        routing = { made[TCR_SLOT_ROUTING].data,
                                   made[TCR_SLOT_ROUTING].size,
                                   made[TCR_SLOT_ROUTING].data, false };

    if (made[TCR_SLOT_HEALTH].build != NULL && f->states.known) {
        tcf_states_apply(&f->states, &routing, made[TCR_SLOT_HEALTH].data);
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
    if (tcf_generation_due(f) > tcr_ticks_ms()) {
        return;
    }

    apply_states(f);
    fill_items(f);

    if (tcf_work_start(f, TCF_PUBLISHING, &f->write_error) != 0) {
        f->write_rc = -1;
        tcf_generation_finish(f);
    }
}


static void
published(tcf_t *f)
{
    size_t     i;
    tcr_err_t  err;

    f->lost = false;
    f->current = 0;
    f->states.unsaved = f->states.known;

    for (i = 0; i < f->n_items; i++) {
        f->databases[f->items[i].slot] = f->items[i].path != NULL;
    }

    if (tcr_snapshot_refresh(f->reader, tcr_now_ms(), &err) < 0) {
        tcr_log(TCR_LOG_ERR, "cannot read what was published: %s", err.text);
    }

    /* states that came while it was written */
    if (f->states.known) {
        tcf_health_apply(f);
    }

    log_generation(f);
}


void
tcf_generation_finish(tcf_t *f)
{
    bool  before = f->failed;

    f->failed = f->write_rc != 0;

    if (f->failed) {
        tcr_log_limited(TCR_LOG_ERR, "publish", "cannot publish: %s",
                        f->write_error.text);

        /* it is tried again and again, the list of events is short */
        if (!before) {
            tcf_note(f, "cannot publish: %s", f->write_error.text);
        }

        f->judge_at = tcr_ticks_ms() + AGAIN_MS;

    } else {
        published(f);
    }

    tcf_judgement_free(f->ready);
    f->ready = NULL;
    f->ready_since = 0;
    f->hold = false;
    f->status_changed = true;
}
