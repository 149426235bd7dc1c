/* SPDX-License-Identifier: Apache-2.0 */

/*
 * From PowerDNS' questions to the engine's decisions and back to rows.
 *
 * PowerDNS asks for everything at a name, looks for referrals and wildcards
 * by itself, and keeps what it was told unless a row has a scope.  So a row
 * that depends on the client always has one, and a name that has nothing for
 * this client gets a row that says so.
 */

#include "tcb_core.h"

#include <stdlib.h>

#include "tcr_clock.h"
#include "tcr_count.h"

#include "tcb_denied.h"
#include "tcb_line.h"
#include "tcb_others.h"


struct tcb_core_s {
    tcr_view_t       *view;
    tcb_keys_t       *keys;
    tcb_others_t     *others;
    tcr_arena_t      *arena;      /* of the answer in hand                   */
    tcb_log_t        *log;
    tcb_complain_pt   complain;
    void             *ctx;
    bool              typed;      /* NS was asked for                        */
    size_t            hint;       /* place of the zone last asked for        */
};


static const tcr_dns_record_t  exists_row = {
    .type = TCB_TYPE_ENT, .data = { "", 0 }, .auth = true
};


tcb_core_t *
tcb_core_create(const char *images, tcb_log_t *log, tcb_complain_pt complain,
    void *ctx)
{
    tcb_core_t  *core;

    core = calloc(1, sizeof(*core));

    if (core == NULL) {
        return NULL;
    }

    core->log = log;
    core->complain = complain;
    core->ctx = ctx;
    core->arena = tcr_arena_create(0);
    core->view = tcr_view_create(images, 0);
    core->keys = tcb_keys_create(images);
    core->others = tcb_others_create();

    if (core->arena == NULL || core->view == NULL || core->keys == NULL
        || core->others == NULL)
    {
        tcb_core_destroy(core);
        return NULL;
    }

    tcr_view_background(core->view);
    tcr_count_enable(core->view, "pdns");

    return core;
}


void
tcb_core_destroy(tcb_core_t *core)
{
    if (core == NULL) {
        return;
    }

    if (core->view != NULL) {
        tcr_view_destroy(core->view);
    }

    tcb_others_destroy(core->others);
    tcb_keys_destroy(core->keys);
    tcr_arena_destroy(core->arena);
    free(core);
}


tcr_view_t *
tcb_core_view(tcb_core_t *core)
{
    tcr_err_t          err;
    tcr_stats_sums_t  *sums;

    if (tcr_view_refresh(core->view, tcr_now_ms(), &err) >= 0) {
        return core->view;
    }

    sums = tcr_count_sums(core->view);

    if (sums != NULL) {
        tcr_stats_add(&sums->refused_images, 1);
    }

    if (core->complain != NULL) {
        core->complain(core->ctx, err.text);
    }

    return core->view;
}


tcr_arena_t *
tcb_core_arena(tcb_core_t *core)
{
    tcr_arena_reset(core->arena);
    return core->arena;
}


tcr_view_t *
tcb_core_seen(tcb_core_t *core)
{
    return core->view;
}


const tcr_img_dns_zone_t *
tcb_core_zone(tcb_core_t *core, uint32_t number)
{
    size_t                     n;
    tcr_view_t                *view = tcb_core_view(core);
    const tcr_img_dns_zone_t  *zone, *zones;

    n = tcr_dns_zones(view, &zones);

    if (core->hint < n
        && tcb_zone_number(tcr_view_str(view, zones[core->hint].origin))
           == number)
    {
        return &zones[core->hint];
    }

    zone = tcb_zone_numbered(view, number);

    if (zone != NULL) {
        core->hint = (size_t) (zone - zones);
    }

    return zone;
}


int
tcb_core_neighbours(tcb_core_t *core, const tcr_img_dns_zone_t *zone,
    tcr_str_t name, tcr_str_t *before, tcr_str_t *after)
{
    return tcb_others_neighbours(core->others, core->view, zone, name,
                                 tcb_core_arena(core), before, after);
}


/*
 * Types whose absence may depend on the client.  PowerDNS looks for a referral
 * (NS) before each answer and may remember that there is none.
 */
static bool
is_routed(uint16_t type)
{
    return type == TCR_TYPE_A || type == TCR_TYPE_AAAA
           || type == TCR_TYPE_CNAME;
}


/*
 * Where the client's type is known, a routed name is asked for that type only:
 * half the work for the engine and for PowerDNS, which does not keep rows with
 * a scope.  What is the same for everybody it does keep, as everything that
 * stands at the name, so then everything is asked for.
 */
static int
ask_engine(tcb_core_t *core, const tcb_question_t *q, tcr_dns_question_t *asked,
    tcr_dns_answer_t *a)
{
    if (q->type == TCR_TYPE_ANY && q->is_question && q->client_type != 0) {
        asked->type = q->client_type;

        if (tcr_route_dns(core->view, asked, a) != 0) {
            return -1;
        }

        if (a->routed) {
            return 0;
        }
    }

    asked->type = q->type;
    return tcr_route_dns(core->view, asked, a);
}


/*
 * The rows of a name that exists, and one that says so where PowerDNS would
 * otherwise keep for everybody what this client got: nothing at all, or only
 * what is static.
 */
static int
take_rows(tcb_core_t *core, const tcr_dns_answer_t *a, tcb_rows_t *out)
{
    size_t             i;
    tcr_dns_record_t  *rows;

    out->rows = a->records;
    out->n = a->n_records;

    for (i = 0; i < a->n_records; i++) {

        if (a->scope == 0 || a->records[i].scope != 0) {
            return 0;
        }
    }

    rows = tcr_arena_calloc(core->arena, a->n_records + 1, sizeof(*rows));

    if (rows == NULL) {
        return -1;
    }

    if (a->n_records != 0) {
        memcpy(rows, a->records, a->n_records * sizeof(*rows));
    }

    rows[a->n_records] = exists_row;
    rows[a->n_records].scope = a->scope;
    out->rows = rows;
    out->n = a->n_records + 1;
    return 0;
}


/* name: q->name in lower case, without the final dot. */
static int
lookup_name(tcb_core_t *core, const tcb_question_t *q, tcr_str_t name,
    const tcr_img_dns_zone_t *zone, tcb_rows_t *out)
{
    int64_t             started;
    tcr_dns_answer_t    a;
    tcr_dns_question_t  asked;

    asked = (tcr_dns_question_t) {
        .name = q->name, .resolver = q->resolver, .subnet = q->subnet,
        .subnet_len = q->subnet_len, .zone = zone,
        .mem = tcr_arena_mem(core->arena)
    };

    started = q->is_question ? tcr_ticks_ns() : 0;

    if (ask_engine(core, q, &asked, &a) != 0) {
        return -1;
    }

    if (q->is_question) {
        tcb_line_write(core->log, core->view, q, &asked, &a, started);
    }

    if (a.status != TCR_DNS_NAME) {
        return 0;
    }

    out->exists = true;

    if (q->resolver.family == 0 && tcb_denied_concerns(&a)) {
        return tcb_denied_rows(q->denied, name, q->type, &a, core->arena, out);
    }

    if (q->denied != NULL && q->type == TCR_TYPE_ANY) {
        tcb_denied_note(q->denied, name, q, &a);
    }

    if (q->type != TCR_TYPE_ANY
        && (a.n_records != 0 || a.scope == 0 || !is_routed(q->type)))
    {
        out->rows = a.records;
        out->n = a.n_records;
        return 0;
    }

    return take_rows(core, &a, out);
}


uint64_t
tcb_core_dropped(const tcb_core_t *core)
{
    return tcb_log_dropped(core->log);
}


bool
tcb_core_typed(const tcb_core_t *core)
{
    return core->typed;
}


int
tcb_core_lookup(tcb_core_t *core, const tcb_question_t *q, tcb_rows_t *out)
{
    char                       buf[TCB_NAME_TEXT];
    tcr_str_t                  name;
    const tcr_img_dns_zone_t  *zone, *zones;

    memset(out, 0, sizeof(*out));
    tcr_arena_reset(core->arena);
    core->typed |= q->type == TCR_TYPE_NS;

    if (!tcr_view_ready(tcb_core_view(core))) {
        return -1;
    }

    name = tcb_name(q->name, buf);

    if (name.data == NULL) {
        return 0;
    }

    zone = tcb_zone_asked(core->view, name, q->zone);

    if (zone == NULL) {
        return 0;
    }

    out->zone = tcb_zone_number(tcr_view_str(core->view, zone->origin));
    (void) tcr_dns_zones(core->view, &zones);
    core->hint = (size_t) (zone - zones);

    return lookup_name(core, q, name, zone, out);
}


int
tcb_core_keys(tcb_core_t *core, tcr_str_t name, tcb_zone_keys_t *out)
{
    int        rc;
    char       buf[TCB_NAME_TEXT];
    tcr_err_t  err;
    tcr_str_t  origin;

    memset(out, 0, sizeof(*out));
    tcr_arena_reset(core->arena);
    origin = tcb_name(name, buf);

    if (origin.data == NULL
        || tcb_zone_exact(tcb_core_view(core), origin) == NULL)
    {
        return -1;
    }

    rc = tcb_keys_of(core->keys, origin, tcr_now_ms(), core->arena, out, &err);

    if (rc == 1 && core->complain != NULL) {
        core->complain(core->ctx, err.text);
    }

    return rc < 0 ? -1 : 0;
}


/* No look for new images here: the zone is of those at hand. */
int
tcb_core_hashed(tcb_core_t *core, const tcr_img_dns_zone_t *zone,
    tcr_str_t hash, tcb_hashed_t *out)
{
    tcr_err_t        err;
    tcb_zone_keys_t  keys;

    tcr_arena_reset(core->arena);

    if (tcb_keys_of(core->keys, tcr_view_str(core->view, zone->origin),
                    tcr_now_ms(), core->arena, &keys, &err) < 0
        || keys.denial != TCR_DENIAL_NSEC3)
    {
        return -1;
    }

    return tcb_hashed_neighbours(core->view, zone, hash, core->arena, out);
}


/* As in a NSEC3PARAM record, RFC 5155 4.3. */
static tcr_str_t
nsec3_param(tcb_core_t *core)
{
    tcr_str_t                 salt;
    const tcr_image_t        *img = tcr_view_image(core->view,
                                                   TCR_SLOT_ROUTING);
    const tcr_img_routing_t  *root = tcr_image_root(img);

    salt = tcr_image_str(img, root->nsec3_salt);

    return tcr_str(tcr_arena_printf(core->arena, "1 0 %u %.*s",
                                    root->nsec3_iterations,
                                    TCR_STR_ARG(salt.len != 0
                                                ? salt : TCR_STR("-"))));
}


tcr_str_t
tcb_core_metadata(tcb_core_t *core, tcr_str_t name, tcr_str_t kind)
{
    char                       buf[TCB_NAME_TEXT];
    tcb_zone_keys_t            keys;
    const tcr_img_dns_zone_t  *zone;

    if (tcb_core_keys(core, name, &keys) != 0
        || keys.denial == TCR_DENIAL_NSEC)
    {
        return tcr_str_n(NULL, 0);
    }

    zone = tcb_zone_exact(core->view, tcb_name(name, buf));

    /* the chain may come a moment later than the keys */
    if (zone == NULL || (keys.denial == TCR_DENIAL_NSEC3
                         && !tcb_hashed_has(zone)))
    {
        return tcr_str_n(NULL, 0);
    }

    if (tcr_str_eq(kind, TCR_STR("NSEC3PARAM"))) {
        return nsec3_param(core);
    }

    if (tcr_str_eq(kind, TCR_STR("NSEC3NARROW"))
        && keys.denial == TCR_DENIAL_NSEC3_NARROW)
    {
        return TCR_STR("1");
    }

    return tcr_str_n(NULL, 0);
}
