/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Sources that are the settings themselves: the snapshot of a CDN that they
 * describe, and its states where nobody watches the caches.
 */

#include "tcf.h"

#include <stdio.h>
#include <stdlib.h>

#include "tcr_clock.h"


bool
tcf_is_own(const tcf_source_t *s)
{
    return s->url != NULL
           && strncmp(s->url, TCR_SETTINGS_OWN, strlen(TCR_SETTINGS_OWN)) == 0;
}


void
tcf_own_due(tcf_t *f)
{
    tcf_source_e  i;

    for (i = 0; i < TCF_SOURCES; i++) {

        if (tcf_is_own(&f->sources[i])) {
            f->sources[i].due = tcr_ticks_ms();
        }
    }
}


static int
snapshot_of(tcf_t *f, int64_t date, tcf_body_t *body, tcr_err_t *err)
{
    body->data = tcr_own_text(&f->settings.v.cdn, date, &body->len);

    return body->data == NULL ? tcr_err_set(err, "no memory for a snapshot")
                              : 0;
}


/*
 * The settings are always right, so what is new in them is newer than what is
 * in force, whatever the date of their file.  What is not new keeps its date:
 * then it is, byte for byte, what is in force, or what has been refused.
 */
static int
read_snapshot(tcf_t *f, const tcf_source_t *s, tcf_body_t *body,
    tcr_err_t *err)
{
    bool              same;
    int64_t           date = f->settings.v.changed;
    uint64_t          hash;
    const tcr_own_t  *cdn = &f->settings.v.cdn;

    hash = tcr_str_hash(cdn->head) * 31 + tcr_str_hash(cdn->tail);

    if (f->own_date != 0 && hash == f->own_hash) {
        return snapshot_of(f, f->own_date, body, err);
    }

    if (snapshot_of(f, f->date, body, err) != 0) {
        return -1;
    }

    same = tcf_source_same(s, &f->store, body);
    date = date > f->date ? date : f->date + 1;
    date = date > f->own_date ? date : f->own_date + 1;
    f->own_date = same ? f->date : date;
    f->own_hash = hash;

    if (same) {
        return 0;
    }

    free(body->data);
    return snapshot_of(f, f->own_date, body, err);
}


int
tcf_own_read(tcf_t *f, const tcf_source_t *s, tcf_body_t *body,
    tcr_err_t *err)
{
    snprintf(body->from, sizeof(body->from), "%s",
             s->url + strlen(TCR_SETTINGS_OWN));

    if (s->row == &tcf_rows[TCF_SNAPSHOT]) {
        return read_snapshot(f, s, body, err);
    }

    body->data = strdup(TCR_CRSTATES_UNWATCHED);
    body->len = strlen(TCR_CRSTATES_UNWATCHED);

    return body->data == NULL ? tcr_err_set(err, "no memory for states") : 0;
}
