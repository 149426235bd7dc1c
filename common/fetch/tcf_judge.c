/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The order of a judgement.
 */

#include "tcf_judge.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tcf_make.h"
#include "tcr_clock.h"
#include "tcr_digest.h"

#define PROBLEMS_MAX  1000


tcf_judgement_t *
tcf_judgement_create(void)
{
    tcf_judgement_t  *j = calloc(1, sizeof(*j));

    if (j == NULL) {
        return NULL;
    }

    j->arena = tcr_arena_create(0);

    if (j->arena == NULL) {
        free(j);
        return NULL;
    }

    return j;
}


void
tcf_judgement_free(tcf_judgement_t *j)
{
    tcf_source_e  s;

    if (j == NULL) {
        return;
    }

    for (s = 0; s < TCF_SOURCES; s++) {
        tcf_body_free(&j->bodies[s]);
    }

    tcf_make_drop(j);
    tcf_judgement_free(j->before);
    tcf_facts_free(j->facts);
    tcr_arena_destroy(j->arena);
    free(j);
}


bool
tcf_judgement_has_news(const tcf_judgement_t *j)
{
    size_t  i;

    for (i = 0; i < TCR_SLOT_COUNT; i++) {

        if (j->made[i].build != NULL || j->made[i].path[0] != '\0'
            || j->made[i].gone)
        {
            return true;
        }
    }

    return false;
}


static void
refuse(tcf_judgement_t *j, tcf_source_e s, const tcr_err_t *why)
{
    j->judged[s].verdict = TCF_REFUSED;
    j->judged[s].reason = *why;
    tcr_sha256(j->bodies[s].data, j->bodies[s].len, j->judged[s].sha256);
    j->judged[s].size = j->bodies[s].len;
    tcf_body_free(&j->bodies[s]);
}


/* --- inputs --- */

static bool
is_same(const tcf_judgement_t *j, tcf_source_e s, const tcf_body_t *body)
{
    if (j->ignored[s]) {
        return false;
    }

    if (j->unsaved[s].data != NULL) {
        return tcr_str_eq(j->unsaved[s], tcr_str_n(body->data, body->len));
    }

    return tcf_store_same(j->store, tcf_rows[s].file, body->data, body->len);
}


static void
settle_body(tcf_judgement_t *j, tcf_source_e s)
{
    tcr_err_t      err;
    tcf_body_t    *body = &j->bodies[s];
    tcf_judged_t  *judged = &j->judged[s];

    if (body->data == NULL) {
        return;
    }

    memcpy(judged->from, body->from, sizeof(judged->from));

    if (tcf_body_gunzip(body, (uint64_t) j->limits[s], &err) != 0) {
        refuse(j, s, &err);
        return;
    }

    judged->validator = body->validator;
    judged->verdict = TCF_TAKEN;

    if (is_same(j, s, body)) {
        judged->verdict = TCF_SAME;
        tcf_body_free(body);
    }
}


static void
find_copy(const tcf_judgement_t *j, tcf_inputs_t *inputs, tcf_source_e s)
{
    if (!j->ignored[s]) {
        tcf_input_find(inputs, s, j->store, &j->known[s]);
    }
}


/* Date of the newest snapshot that we have ourselves; 0 = there is none. */
static int64_t
date_of_copy(const tcf_judgement_t *j)
{
    int64_t        date = 0;
    tcf_inputs_t  *inputs = calloc(1, sizeof(*inputs));

    if (inputs == NULL) {
        return 0;
    }

    inputs->unsaved[TCF_SNAPSHOT] = j->unsaved[TCF_SNAPSHOT];
    find_copy(j, inputs, TCF_SNAPSHOT);

    if (tcf_input_read(inputs, TCF_SNAPSHOT, j->store) == 0) {
        date = inputs->crconfig.date;
    }

    tcf_inputs_free(inputs);
    free(inputs);
    return date;
}


/*
 * A snapshot that may not be taken, whatever is in it otherwise.  One with the
 * date of that in force is the same one when there was no room for a copy of
 * it.
 */
static int
take_snapshot(tcf_judgement_t *j, tcf_inputs_t *inputs, tcr_err_t *err)
{
    int64_t  date;

    if (tcf_input_take(inputs, TCF_SNAPSHOT, &j->bodies[TCF_SNAPSHOT], err)
        != 0
        || tcf_guard_sections(&inputs->crconfig, err) != 0)
    {
        return -1;
    }

    date = inputs->crconfig.date;

    if (j->accept_older
        || (date != 0 && date == j->date && date_of_copy(j) != date))
    {
        return 0;
    }

    return tcf_guard_date(date, j->date, err);
}


/*
 * A copy must not step back behind what serves: it is an old one when there
 * was no room for newer ones, or these are damaged.
 */
static bool
is_behind(const tcf_judgement_t *j)
{
    const tcr_image_t  *routing = j->in_force[TCR_SLOT_ROUTING];

    return !j->accept_older && !j->lost && routing != NULL
           && j->facts->date < (int64_t) routing->header->snapshot_date;
}


static int
make_facts(tcf_judgement_t *j, tcf_inputs_t *inputs)
{
    j->facts = tcf_facts_create(&inputs->crconfig,
                                inputs->in[TCF_SNAPSHOT].sha256);

    if (j->facts == NULL) {
        return tcr_err_set(&j->error, "no memory for a judgement");
    }

    return 0;
}


static int
copy_facts(tcf_judgement_t *j)
{
    j->facts = tcf_facts_copy(j->old_facts);

    if (j->facts == NULL) {
        return tcr_err_set(&j->error, "no memory for a judgement");
    }

    return 0;
}


/*
 * The snapshot comes first: it says which others are in use.  The facts of
 * one that is known are at hand, so it is not read for them.
 */
static int
open_snapshot(tcf_judgement_t *j, tcf_inputs_t *inputs)
{
    tcr_err_t     err;
    tcf_input_t  *in = &inputs->in[TCF_SNAPSHOT];

    if (j->bodies[TCF_SNAPSHOT].data != NULL) {

        if (take_snapshot(j, inputs, &err) == 0) {
            return make_facts(j, inputs);
        }

        refuse(j, TCF_SNAPSHOT, &err);
        tcf_input_drop(inputs, TCF_SNAPSHOT);
    }

    find_copy(j, inputs, TCF_SNAPSHOT);

    if (j->old_facts != NULL && tcf_input_has(inputs, TCF_SNAPSHOT)
        && memcmp(in->sha256, j->old_facts->sha256, 32) == 0)
    {
        return copy_facts(j);
    }

    if (tcf_input_read(inputs, TCF_SNAPSHOT, j->store) != 0) {
        return tcr_err_set(&j->error, TCF_WAITING);
    }

    return make_facts(j, inputs);
}


/* Everything else goes on with what is known of the snapshot in force. */
static int
leave_behind(tcf_judgement_t *j, tcf_inputs_t *inputs)
{
    j->behind = true;
    tcf_facts_free(j->facts);
    j->facts = NULL;
    tcf_input_drop(inputs, TCF_SNAPSHOT);
    tcr_err_set(&j->error, "the last good copy of the snapshot is older than "
                "the one in force");

    return j->old_facts != NULL ? copy_facts(j) : -1;
}


static void
open_others(tcf_judgement_t *j, tcf_inputs_t *inputs)
{
    tcr_err_t     err;
    tcf_source_e  s;

    for (s = 0; s < TCF_SOURCES; s++) {

        if (s == TCF_SNAPSHOT || s == TCF_STATES) {
            continue;
        }

        if (j->bodies[s].data != NULL
            && tcf_input_take(inputs, s, &j->bodies[s], &err) != 0)
        {
            refuse(j, s, &err);
        }

        if (!tcf_input_has(inputs, s) && tcf_make_uses(j, s)) {
            find_copy(j, inputs, s);
        }
    }
}


/* --- images --- */

/* After a failure that no input of its own explains: who is new, goes. */
static bool
refuse_new(tcf_judgement_t *j, tcr_slot_e slot, const tcr_err_t *why)
{
    bool                 any = false;
    const tcf_source_e  *s = tcf_make_sources(slot);

    for ( /* void */ ; *s != TCF_SOURCES; s++) {

        if (j->bodies[*s].data == NULL) {
            continue;
        }

        refuse(j, *s, why);
        any = true;

        if (*s == TCF_SNAPSHOT) {
            break;
        }
    }

    return any;
}


static int
guard_shrink(tcf_judgement_t *j, tcr_err_t *err)
{
    tcr_image_t   now;
    tcf_made_t   *made = &j->made[TCR_SLOT_ROUTING];

    if (made->build == NULL) {
        return 0;
    }

    now = (tcr_image_t) { made->data, made->size, made->data, false };
    tcf_diff(&j->diff, j->in_force[TCR_SLOT_ROUTING], &now, NULL, NULL);

    if (j->bodies[TCF_SNAPSHOT].data == NULL || j->accept_shrink) {
        return 0;
    }

    return tcf_guard_shrink(&j->diff, j->max_shrink, err);
}


/* --- results --- */

/* Texts outlive the inputs. */
static void
keep_reports(tcf_judgement_t *j, const tcf_inputs_t *inputs)
{
    tcf_source_e          s;
    const tcr_problem_t  *p;

    for (s = 0; s < TCF_SOURCES; s++) {
        j->read[s] = inputs->in[s].is_read;

        if (!j->read[s]) {
            continue;
        }

        tcr_report_init(&j->reports[s], j->arena, PROBLEMS_MAX);

        for (p = inputs->in[s].report.first; p != NULL; p = p->next) {
            tcr_report_add(&j->reports[s], p->severity, "%s", p->text);
        }
    }
}


static void
describe_inputs(tcf_judgement_t *j, const tcf_inputs_t *inputs)
{
    tcf_source_e        s;
    const tcf_input_t  *in;

    for (s = 0; s < TCF_SOURCES; s++) {
        in = &inputs->in[s];
        j->judged[s].damaged = in->damaged;
        j->judged[s].older = in->origin == TCF_INPUT_OLDER;

        if (tcf_input_has(inputs, s) && j->judged[s].verdict != TCF_REFUSED) {
            memcpy(j->judged[s].sha256, in->sha256, 32);
            j->judged[s].size = in->size;
        }
    }
}


static void
store_taken(tcf_judgement_t *j)
{
    tcr_err_t      err;
    tcr_str_t      bytes;
    tcf_source_e   s;
    tcf_judged_t  *judged;

    for (s = 0; s < TCF_SOURCES; s++) {
        judged = &j->judged[s];
        bytes = j->bodies[s].data != NULL
                ? tcr_str_n(j->bodies[s].data, j->bodies[s].len)
                : j->unsaved[s];

        if (bytes.data == NULL) {
            continue;
        }

        if (tcf_store_put(j->store, tcf_rows[s].file, bytes.data, bytes.len,
                          tcf_row_mode(&tcf_rows[s]), &err) == 0)
        {
            judged->kept = true;

        } else {
            judged->not_kept = err;
        }
    }
}


/* --- the whole --- */

/* true: something was refused, judge again. */
static bool
make_images(tcf_judgement_t *j, tcf_inputs_t *inputs)
{
    tcr_err_t   err;
    tcr_slot_e  failed = TCR_SLOT_ROUTING;

    if (tcf_make_all(j, inputs, &failed, &err) == 0
        && guard_shrink(j, &err) == 0)
    {
        return false;
    }

    tcf_make_drop(j);

    if (refuse_new(j, failed, &err)) {
        return true;
    }

    j->error = err;
    j->rc = -1;
    return false;
}


/* A copy turned out to be damaged, and the one before has other facts. */
static void
settle_facts(tcf_judgement_t *j, tcf_inputs_t *inputs)
{
    tcf_facts_t        *facts;
    const tcf_input_t  *in = &inputs->in[TCF_SNAPSHOT];

    if (j->facts != NULL && in->is_read
        && memcmp(in->sha256, j->facts->sha256, 32) != 0)
    {
        facts = tcf_facts_create(&inputs->crconfig, in->sha256);

        if (facts != NULL) {
            tcf_facts_free(j->facts);
            j->facts = facts;
        }
    }
}


static bool
judge_once(tcf_judgement_t *j, tcf_inputs_t *inputs)
{
    inputs->now = j->now;
    memcpy(inputs->unsaved, j->unsaved, sizeof(inputs->unsaved));
    inputs->certs = j->in_force[TCR_SLOT_CERTS];
    j->rc = open_snapshot(j, inputs);

    if (j->rc == 0 && j->bodies[TCF_SNAPSHOT].data == NULL && is_behind(j)) {
        j->rc = leave_behind(j, inputs);
    }

    if (j->facts != NULL) {
        inputs->ttl_dnskey = j->facts->ttl_dnskey;
    }

    open_others(j, inputs);

    if (j->rc == 0 && make_images(j, inputs)) {
        tcf_facts_free(j->facts);
        j->facts = NULL;
        return true;
    }

    settle_facts(j, inputs);
    keep_reports(j, inputs);
    describe_inputs(j, inputs);
    store_taken(j);
    return false;
}


void
tcf_judge(tcf_judgement_t *j)
{
    bool           again = true;
    int64_t        start = tcr_ticks_ms();
    tcf_source_e   s;
    tcf_inputs_t  *inputs;

    for (s = 0; s < TCF_SOURCES; s++) {
        settle_body(j, s);
    }

    while (again) {
        inputs = calloc(1, sizeof(*inputs));

        if (inputs == NULL) {
            j->rc = tcr_err_set(&j->error, "no memory for a judgement");
            break;
        }

        again = judge_once(j, inputs);
        tcf_inputs_free(inputs);
        free(inputs);
    }

    j->ms = tcr_ticks_ms() - start;
}
