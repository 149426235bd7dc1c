/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The order of a judgement.
 */

#include "tcf_judge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tcf_current.h"
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

    tcr_report_init(&j->report, j->arena, PROBLEMS_MAX);
    return j;
}


static void
free_images(tcf_judgement_t *j)
{
    tcr_build_destroy(j->routing);
    tcr_build_destroy(j->health);
    j->routing = NULL;
    j->health = NULL;
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

    free_images(j);
    tcf_facts_free(j->facts);
    tcr_arena_destroy(j->arena);
    free(j);
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

    if (tcf_store_same(j->store, tcf_rows[s].file, body->data, body->len)) {
        judged->verdict = TCF_SAME;
        tcf_body_free(body);
    }
}


static void
open_input(tcf_judgement_t *j, tcf_inputs_t *inputs, tcf_source_e s)
{
    tcr_err_t  err;

    if (j->bodies[s].data != NULL
        && tcf_input_take(inputs, s, &j->bodies[s], &err) != 0)
    {
        refuse(j, s, &err);
    }

    if (!tcf_input_has(inputs, s)) {
        tcf_input_load(inputs, s, j->store);
        j->judged[s].damaged = inputs->in[s].damaged;
    }
}


/* The snapshot comes first: it says which others are in use. */
static int
open_inputs(tcf_judgement_t *j, tcf_inputs_t *inputs)
{
    bool          used;
    tcf_source_e  s;

    open_input(j, inputs, TCF_SNAPSHOT);

    if (!tcf_input_has(inputs, TCF_SNAPSHOT)) {
        return tcr_err_set(&j->error, TCF_WAITING);
    }

    j->facts = tcf_facts_create(&inputs->crconfig);

    if (j->facts == NULL) {
        return tcr_err_set(&j->error, "no memory for a judgement");
    }

    for (s = TCF_COVERAGE; s < TCF_SOURCES; s++) {
        used = j->given[s] || j->facts->urls[s] != NULL;

        if (tcf_is_database(s)) {
            j->databases[s].gone = !used;
            used = used && (!j->databases[s].known
                            || j->bodies[s].data != NULL);
        }

        if (used) {
            open_input(j, inputs, s);
        }
    }

    return 0;
}


/* Is the policy in use the one before the last? */
static bool
regional_fallback(const tcf_judgement_t *j)
{
    tcf_verdict_e  verdict = j->judged[TCF_REGIONAL].verdict;

    return verdict == TCF_REFUSED
           || (verdict == TCF_NOT_JUDGED && j->regional_refused);
}


/* An anonymous policy without its database blocks nobody. */
static bool
blocks_anonymous(const tcf_judgement_t *j, const tcf_inputs_t *inputs)
{
    return tcf_input_has(inputs, TCF_ANONYMOUS_POLICY)
           && !j->databases[TCF_ANONYMOUS_IP].gone;
}


static int
fingerprint(const tcf_judgement_t *j, const tcf_inputs_t *inputs,
    uint8_t out[32])
{
    tcf_source_e    s;
    const uint8_t  *hashes[TCF_SOURCES];

    for (s = 0; s < TCF_SOURCES; s++) {
        hashes[s] = tcf_input_has(inputs, s) ? inputs->in[s].sha256 : NULL;
    }

    if (!blocks_anonymous(j, inputs)) {
        hashes[TCF_ANONYMOUS_POLICY] = NULL;
    }

    return tcf_fingerprint(j->router, hashes, regional_fallback(j), out);
}


/* --- images --- */

static int
compile(tcf_judgement_t *j, const tcf_inputs_t *inputs,
    const uint8_t print[32], tcr_err_t *err)
{
    tcr_compile_input_t  in;

    memset(&in, 0, sizeof(in));
    in.crconfig = &inputs->crconfig;
    in.coverage = tcf_input_has(inputs, TCF_COVERAGE) ? &inputs->coverage
                                                      : NULL;
    in.deep = tcf_input_has(inputs, TCF_DEEP) ? &inputs->deep : NULL;
    in.router = j->router;
    in.certificates = inputs->certificates;
    in.n_certificates = inputs->n_certificates;
    in.know_certificates = tcf_input_has(inputs, TCF_CERTIFICATES);
    in.regional = tcf_input_has(inputs, TCF_REGIONAL) ? &inputs->regional
                                                      : NULL;
    in.regional_fallback = regional_fallback(j);
    in.anonymous = blocks_anonymous(j, inputs) ? &inputs->anonymous : NULL;
    in.previous = j->in_force;
    in.origin.snapshot_date = (uint64_t) inputs->crconfig.date;
    in.origin.source = j->judged[TCF_SNAPSHOT].from[0] != '\0'
                       ? j->judged[TCF_SNAPSHOT].from : j->source;
    memcpy(in.origin.source_sha256, print, 32);

    if (tcr_compile_routing(&in, &j->routing, &j->health, &j->report, err)
        != 0)
    {
        j->routing = NULL;
        j->health = NULL;
        return -1;
    }

    if (tcr_build_finish(j->routing, &in.origin, &j->routing_data,
                         &j->routing_size, err) != 0
        || tcr_build_finish(j->health, &in.origin, &j->health_data,
                            &j->health_size, err) != 0)
    {
        free_images(j);
        return -1;
    }

    return 0;
}


/* After a failure that no input of its own explains: who is new, goes. */
static bool
refuse_new(tcf_judgement_t *j, const tcr_err_t *why)
{
    bool          any = false;
    tcf_source_e  s;

    if (j->bodies[TCF_SNAPSHOT].data != NULL) {
        refuse(j, TCF_SNAPSHOT, why);
        return true;
    }

    for (s = 0; s < TCF_SOURCES; s++) {

        if (tcf_rows[s].in_routing && j->bodies[s].data != NULL) {
            refuse(j, s, why);
            any = true;
        }
    }

    return any;
}


static int
guard_shrink(tcf_judgement_t *j, tcr_err_t *err)
{
    tcr_image_t  now = { j->routing_data, j->routing_size, j->routing_data,
                         false };

    tcf_diff(&j->diff, j->in_force, &now, NULL, NULL);

    if (j->bodies[TCF_SNAPSHOT].data == NULL || j->accept_shrink
        || tcf_guard_shrink(&j->diff, j->max_shrink, err) == 0)
    {
        return 0;
    }

    free_images(j);
    return -1;
}


/* --- results --- */

static void
report_problems(tcf_judgement_t *j, const tcf_inputs_t *inputs)
{
    tcf_source_e          s;
    const tcr_problem_t  *p;

    for (s = 0; s < TCF_SOURCES; s++) {

        if (!tcf_input_has(inputs, s) || tcf_is_database(s)) {
            continue;
        }

        for (p = inputs->in[s].report.first; p != NULL; p = p->next) {
            tcr_report_add(&j->report, p->severity, "%s", p->text);
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

        if (tcf_input_has(inputs, s) && j->judged[s].verdict != TCF_REFUSED) {
            memcpy(j->judged[s].sha256, in->sha256, 32);
            j->judged[s].size = in->bytes.len;
        }
    }
}


/* Which are news, and where they are: after the store has them. */
static void
find_databases(tcf_judgement_t *j, const tcf_inputs_t *inputs)
{
    tcf_source_e        s;
    tcf_database_t     *db;
    const tcf_input_t  *in;

    for (s = 0; s < TCF_SOURCES; s++) {
        db = &j->databases[s];
        in = &inputs->in[s];

        if (!tcf_is_database(s) || !tcf_input_has(inputs, s)) {
            continue;
        }

        db->fresh = db->data == NULL || db->size != in->bytes.len
                    || memcmp(db->data, in->bytes.data, in->bytes.len) != 0;

        tcf_store_path(j->store, tcf_rows[s].file,
                       in->origin == TCF_INPUT_OLDER, db->path,
                       sizeof(db->path));
    }
}


bool
tcf_judgement_is_news(const tcf_judgement_t *j)
{
    tcf_source_e  s;

    for (s = 0; s < TCF_SOURCES; s++) {

        if (j->databases[s].fresh || j->databases[s].gone) {
            return true;
        }
    }

    return j->routing != NULL;
}


static void
store_taken(tcf_judgement_t *j)
{
    tcr_err_t          err;
    tcf_source_e       s;
    const tcf_body_t  *body;

    for (s = 0; s < TCF_SOURCES; s++) {
        body = &j->bodies[s];

        if (body->data != NULL
            && tcf_store_put(j->store, tcf_rows[s].file, body->data,
                             body->len, tcf_row_mode(&tcf_rows[s]), &err) != 0)
        {
            tcr_report_add(&j->report, TCR_REPORT_WARNING, "cannot keep the "
                           "last good copy of %s: %s", tcf_rows[s].name,
                           err.text);
        }
    }
}


/* --- the whole --- */

/* 0 = done, 1 = something was refused, judge again. */
static int
judge_snapshot(tcf_judgement_t *j, tcf_inputs_t *inputs)
{
    uint8_t    print[32] = { 0 };
    tcr_err_t  err;

    if (j->bodies[TCF_SNAPSHOT].data != NULL && !j->accept_older
        && tcf_guard_date(inputs->crconfig.date, j->date, &err) != 0)
    {
        refuse(j, TCF_SNAPSHOT, &err);
        return 1;
    }

    if (fingerprint(j, inputs, print) != 0) {
        j->rc = tcr_err_set(&j->error, "no memory for a judgement");
        return 0;
    }

    j->current = j->in_force != NULL && !j->lost
                 && memcmp(j->in_force->header->source_sha256, print, 32) == 0;

    if (!j->current
        && (compile(j, inputs, print, &err) != 0
            || guard_shrink(j, &err) != 0))
    {
        if (refuse_new(j, &err)) {
            return 1;
        }

        j->error = err;
        j->rc = -1;
    }

    return 0;
}


static int
judge_once(tcf_judgement_t *j)
{
    int            again = 0;
    tcf_inputs_t  *inputs = calloc(1, sizeof(*inputs));

    if (inputs == NULL) {
        j->rc = tcr_err_set(&j->error, "no memory for a judgement");
        return 0;
    }

    j->rc = open_inputs(j, inputs);

    if (j->rc == 0) {
        again = judge_snapshot(j, inputs);
    }

    if (again) {
        tcf_facts_free(j->facts);
        j->facts = NULL;

    } else {
        report_problems(j, inputs);
        describe_inputs(j, inputs);
        store_taken(j);
        find_databases(j, inputs);
    }

    tcf_inputs_free(inputs);
    free(inputs);
    return again;
}


void
tcf_judge(tcf_judgement_t *j)
{
    int64_t       start = tcr_ticks_ms();
    tcf_source_e  s;

    for (s = 0; s < TCF_SOURCES; s++) {
        settle_body(j, s);
    }

    if (tcf_is_current(j)) {
        j->current = true;
        return;
    }

    do {
        tcr_report_init(&j->report, j->arena, PROBLEMS_MAX);

    } while (judge_once(j));

    j->ms = tcr_ticks_ms() - start;
}
