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
#include "tcr_image.h"


struct tcb_core_s {
    tcr_view_t       *view;
    tcr_arena_t      *arena;      /* of the answer in hand                   */
    tcb_log_t        *log;
    tcb_complain_pt   complain;
    void             *ctx;
};


static const tcr_dns_record_t  empty_row = {
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

    if (core->arena == NULL || core->view == NULL) {
        tcb_core_destroy(core);
        return NULL;
    }

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

    tcr_arena_destroy(core->arena);
    free(core);
}


tcr_view_t *
tcb_core_view(tcb_core_t *core)
{
    tcr_err_t  err;

    if (tcr_view_refresh(core->view, tcr_now_ms(), &err) < 0
        && core->complain != NULL)
    {
        core->complain(core->ctx, err.text);
    }

    return core->view;
}


tcr_view_t *
tcb_core_seen(tcb_core_t *core)
{
    return core->view;
}


/* One row of a static set; auth as RFC 4035, 2.2 has it at and below a cut. */
static tcr_dns_record_t
static_row(const tcr_image_t *img, const tcr_img_name_t *name,
    const tcr_img_rrset_t *set, uint32_t i)
{
    tcr_dns_record_t      row;
    const tcr_img_str_t  *data;

    data = tcr_image_vec(img, &set->data);

    row.type = (uint16_t) set->type;
    row.ttl = set->ttl;
    row.data = tcr_image_str(img, data[i]);
    row.scope = 0;
    row.auth = (name->flags & TCR_NAME_GLUE) == 0
               && ((name->flags & TCR_NAME_DELEGATION) == 0
                   || set->type == TCR_TYPE_DS);
    return row;
}


/*
 * A name as its parent zone holds it: what a DS question needs, and the NSEC
 * of a delegation.  The engine answers from the deepest zone only.
 */
static int
lookup_above(tcb_core_t *core, const tcr_img_dns_zone_t *zone, tcr_str_t name,
    uint16_t type, tcb_rows_t *out)
{
    size_t                  n;
    uint32_t                i, k;
    tcr_dns_record_t       *rows;
    const tcr_image_t      *img;
    const tcr_img_name_t   *at;
    const tcr_img_rrset_t  *sets;

    at = tcb_zone_name(core->view, zone, name);

    if (at == NULL) {
        return 0;
    }

    out->exists = true;
    img = tcr_view_image(core->view, TCR_SLOT_ROUTING);
    sets = tcr_image_vec(img, &at->rrsets);

    for (i = 0, n = 0; i < at->rrsets.n; i++) {
        n += sets[i].data.n;
    }

    rows = tcr_arena_calloc(core->arena, n, sizeof(*rows));

    if (rows == NULL) {
        return n != 0 ? -1 : 0;
    }

    for (i = 0, n = 0; i < at->rrsets.n; i++) {

        if (type != TCR_TYPE_ANY && type != sets[i].type) {
            continue;
        }

        for (k = 0; k < sets[i].data.n; k++) {
            rows[n++] = static_row(img, at, &sets[i], k);
        }
    }

    out->rows = rows;
    out->n = n;
    return 0;
}


/*
 * PowerDNS asks for itself: it makes an NSEC and wants to know which types
 * stand at a routed name.  The chain must be the same for every client (rule
 * nsec), so these are the types that may stand there, with no address a
 * client could use.
 */
static int
lookup_types(tcb_core_t *core, const tcr_dns_answer_t *a, uint16_t type,
    tcb_rows_t *out)
{
    size_t             n;
    tcr_dns_record_t  *rows;

    rows = tcr_arena_calloc(core->arena, a->n_records + 2, sizeof(*rows));

    if (rows == NULL) {
        return -1;
    }

    n = 0;

    if (type == TCR_TYPE_ANY || type == TCR_TYPE_A) {
        rows[n++] = (tcr_dns_record_t) {
            .type = TCR_TYPE_A, .data = TCR_STR("0.0.0.0"), .scope = 1,
            .auth = true
        };
    }

    if ((type == TCR_TYPE_ANY || type == TCR_TYPE_AAAA)
        && a->service != NULL && (a->service->flags & TCR_SERVICE_IP6) != 0)
    {
        rows[n++] = (tcr_dns_record_t) {
            .type = TCR_TYPE_AAAA, .data = TCR_STR("::"), .scope = 1,
            .auth = true
        };
    }

    out->rows = rows;
    out->n = n;
    return 0;
}


/* The client has nothing here, somebody else may: that must be a row. */
static int
lookup_nothing(tcb_core_t *core, uint8_t scope, tcb_rows_t *out)
{
    tcr_dns_record_t  *row;

    row = tcr_arena_alloc(core->arena, sizeof(*row));

    if (row == NULL) {
        return -1;
    }

    *row = empty_row;
    row->scope = scope;
    out->rows = row;
    out->n = 1;
    return 0;
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


static void
log_question(tcb_core_t *core, const tcb_question_t *q,
    const tcr_dns_question_t *asked, const tcr_dns_answer_t *a,
    int64_t started)
{
    size_t             i, n, len;
    char               line[TCB_LOG_LINE];
    tcr_log_dns_t      l;
    tcr_dns_record_t  *shown;

    shown = tcr_arena_calloc(core->arena, a->n_records + 1, sizeof(*shown));

    if (shown == NULL) {
        return;
    }

    for (i = 0, n = 0; i < a->n_records; i++) {

        if (q->client_type == 0 || q->client_type == TCR_TYPE_ANY
            || q->client_type == a->records[i].type
            || a->records[i].type == TCR_TYPE_CNAME)
        {
            shown[n++] = a->records[i];
        }
    }

    l = (tcr_log_dns_t) {
        .name = q->name, .type = q->client_type, .id = q->id,
        .has_id = q->has_id, .records = shown, .n_records = n,
        .rcode = a->status == TCR_DNS_NAME ? "NOERROR" : "NXDOMAIN",
        .times = { .arrival_ms = tcr_now_ms(),
                   .took_us = (uint64_t) (tcr_ticks_ns() - started) / 1000 }
    };

    len = tcr_log_dns(core->view, asked, a, &l, line, sizeof(line) - 1);
    line[len++] = '\n';
    tcb_log_write(core->log, line, len);
}


/* What the engine says about a name of its deepest zone. */
static int
lookup_routed(tcb_core_t *core, const tcb_question_t *q, tcb_rows_t *out)
{
    int64_t             started;
    tcr_dns_answer_t    a;
    tcr_dns_question_t  asked;

    asked = (tcr_dns_question_t) {
        .name = q->name, .type = q->type, .resolver = q->resolver,
        .subnet = q->subnet, .subnet_len = q->subnet_len,
        .mem = tcr_arena_mem(core->arena)
    };

    started = q->logged ? tcr_ticks_ns() : 0;

    if (tcr_route_dns(core->view, &asked, &a) != 0) {
        return -1;
    }

    if (q->logged && core->log != NULL) {
        log_question(core, q, &asked, &a, started);
    }

    if (a.status != TCR_DNS_NAME) {
        return 0;
    }

    out->exists = true;

    if (q->resolver.family == 0 && a.name != NULL
        && (a.name->flags & TCR_NAME_ROUTED) != 0)
    {
        return lookup_types(core, &a, q->type, out);
    }

    if (a.n_records == 0
        && (q->type == TCR_TYPE_ANY || (a.scope != 0 && is_routed(q->type))))
    {
        return lookup_nothing(core, a.scope, out);
    }

    out->rows = a.records;
    out->n = a.n_records;
    return 0;
}


int
tcb_core_lookup(tcb_core_t *core, const tcb_question_t *q, tcb_rows_t *out)
{
    char                       buf[TCB_NAME_TEXT];
    tcr_str_t                  name;
    const tcr_img_dns_zone_t  *zone;

    memset(out, 0, sizeof(*out));
    tcr_arena_reset(core->arena);

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

    if (zone != tcr_dns_zone_of(core->view, name)) {
        return lookup_above(core, zone, name, q->type, out);
    }

    return lookup_routed(core, q, out);
}


int
tcb_list_begin(tcb_core_t *core, tcr_str_t origin, uint32_t number,
    tcb_list_t *list)
{
    char                       buf[TCB_NAME_TEXT];
    tcr_str_t                  name;
    tcr_view_t                *view;
    const tcr_img_routing_t   *root;
    const tcr_img_dns_zone_t  *zone;

    memset(list, 0, sizeof(*list));
    view = tcb_core_view(core);
    list->img = tcr_view_image(view, TCR_SLOT_ROUTING);

    if (list->img == NULL) {
        return -1;
    }

    name = tcb_name(origin, buf);

    zone = origin.data == NULL ? tcb_zone_numbered(view, number)
           : name.data != NULL ? tcb_zone_exact(view, name) : NULL;

    if (zone == NULL) {
        return -1;
    }

    root = tcr_image_root(list->img);
    list->name = tcr_image_vec(list->img, &root->dns.names);
    list->name += zone->first_name;
    list->end = list->name + zone->n_names;
    list->zone = tcb_zone_number(tcr_view_str(view, zone->origin));
    list->set = tcr_view_pin(view);
    return 0;
}


bool
tcb_list_next(tcb_list_t *list, tcr_str_t *owner, tcr_dns_record_t *row)
{
    const tcr_img_name_t   *name;
    const tcr_img_rrset_t  *sets;

    for ( /* void */ ; list->name != list->end; list->name++) {
        name = list->name;
        sets = tcr_image_vec(list->img, &name->rrsets);

        for ( /* void */ ; list->rrset < name->rrsets.n; list->rrset++) {

            if (list->data < sets[list->rrset].data.n) {
                *owner = tcr_image_str(list->img, name->owner);
                *row = static_row(list->img, name, &sets[list->rrset],
                                  list->data++);
                return true;
            }

            list->data = 0;
        }

        list->rrset = 0;
    }

    return false;
}


void
tcb_list_end(tcb_list_t *list)
{
    if (list->set != NULL) {
        tcr_snapshot_unpin(list->set);
        list->set = NULL;
    }
}
