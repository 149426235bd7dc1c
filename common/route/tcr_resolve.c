/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A complete authoritative answer: wildcards as RFC 4592 has them, CNAME
 * chains, negative answers with their SOA.  The DNS servers do this by
 * themselves; tools and tests ask here.
 */

#include <stdio.h>
#include <stdlib.h>

#include "tcr_dns.h"

/* Look-ups in a chain of CNAMEs (spec/dns.md §4.2). */
#define CHAIN  7

#define RCODE_NXDOMAIN  3
#define RCODE_REFUSED   5

/* A type no name here has (NULL, RFC 1035 §3.2.2). */
#define TYPE_NONE  10


typedef struct {
    tcr_view_t          *view;
    tcr_dns_question_t   q;       /* of the name in turn                     */
    tcr_dns_reply_t     *out;
    size_t               room;
} resolve_t;


static int
add_answer(resolve_t *r, tcr_str_t owner, const tcr_dns_record_t *record)
{
    size_t         room;
    tcr_dns_rr_t  *answer;

    if (r->out->n_answer == r->room) {
        room = r->room != 0 ? r->room * 2 : 16;
        answer = tcr_mem_alloc(&r->q.mem, room * sizeof(*answer));

        if (answer == NULL) {
            return -1;
        }

        if (r->out->n_answer != 0) {
            memcpy(answer, r->out->answer, r->out->n_answer * sizeof(*answer));
        }

        r->out->answer = answer;
        r->room = room;
    }

    r->out->answer[r->out->n_answer++] = (tcr_dns_rr_t) { owner, *record };
    return 0;
}


/* DS stands in the parent: the zone above the name (RFC 4035 §3.1.4.1). */
static void
choose_zone(resolve_t *r)
{
    char        text[TCR_DNS_NAME_MAX];
    size_t      i;
    tcr_str_t   name = r->q.name;

    r->q.zone = NULL;

    if (r->q.type != TCR_TYPE_DS || name.len > sizeof(text)) {
        return;
    }

    for (i = 0; i < name.len; i++) {
        text[i] = tcr_lower(name.data[i]);
    }

    name.data = text;

    if (name.len != 0 && text[name.len - 1] == '.') {
        name.len--;
    }

    tcr_str_split(&name, '.');
    r->q.zone = tcr_dns_zone_of(r->view, name);
}


static int
look_up(resolve_t *r, tcr_str_t name, uint16_t type)
{
    tcr_dns_question_t  q = r->q;

    q.name = name;
    q.type = type;

    return tcr_route_dns(r->view, &q, &r->out->last);
}


/*
 * The name that answers for one that does not exist: the wildcard at its
 * closest encloser (RFC 4592 §3.3.1); absent when there is none.
 */
static int
find_wildcard(resolve_t *r, tcr_str_t name, tcr_str_t *wildcard)
{
    char             *out;
    size_t            origin_len;
    tcr_dns_answer_t  asked = r->out->last;

    *wildcard = tcr_str_n(NULL, 0);
    origin_len = tcr_view_str(r->view, asked.zone->origin).len;

    for (tcr_str_split(&name, '.'); name.len >= origin_len;
         tcr_str_split(&name, '.'))
    {
        if (look_up(r, name, TCR_TYPE_ANY) != 0) {
            return -1;
        }

        if (r->out->last.status == TCR_DNS_NAME) {
            break;
        }
    }

    out = tcr_mem_alloc(&r->q.mem, name.len + 2);

    if (out == NULL) {
        return -1;
    }

    memcpy(out, "*.", 2);
    memcpy(out + 2, name.data, name.len);

    if (look_up(r, tcr_str_n(out, name.len + 2), TCR_TYPE_ANY) != 0) {
        return -1;
    }

    if (r->out->last.status == TCR_DNS_NAME) {
        *wildcard = tcr_str_n(out, name.len + 2);
    }

    r->out->last = asked;
    return 0;
}


/* RFC 2308 §3: the SOA, for no longer than its minimum. */
static int
add_soa(resolve_t *r)
{
    tcr_dns_rr_t               *soa;
    tcr_dns_answer_t            a;
    tcr_dns_question_t          q = r->q;
    const tcr_img_dns_zone_t   *zone = r->out->last.zone;

    q.name = tcr_view_str(r->view, zone->origin);
    q.type = TCR_TYPE_SOA;
    q.zone = zone;
    q.trace = NULL;

    if (tcr_route_dns(r->view, &q, &a) != 0) {
        return -1;
    }

    soa = tcr_mem_alloc(&r->q.mem, sizeof(*soa));

    if (soa == NULL || a.n_records == 0) {
        return -1;
    }

    soa->owner = q.name;
    soa->record = a.records[0];

    if (soa->record.ttl > zone->minimum) {
        soa->record.ttl = zone->minimum;
    }

    r->out->authority = soa;
    r->out->n_authority = 1;

    return 0;
}


static int
negative(resolve_t *r, bool exists)
{
    if (!exists) {
        r->out->rcode = RCODE_NXDOMAIN;
    }

    /* the log's words of an empty answer, which ANY alone does not ask for */
    if (r->q.type == TCR_TYPE_ANY
        && look_up(r, r->q.name, TYPE_NONE) != 0)
    {
        return -1;
    }

    return add_soa(r);
}


/* The name is nobody's: the question's own, or one a CNAME leads out to. */
static int
leave(resolve_t *r, const tcr_dns_answer_t *before)
{
    if (r->out->n_answer == 0) {
        r->out->rcode = RCODE_REFUSED;
        r->out->aa = false;

    } else {
        r->out->last = *before;   /* the log tells of the last name of ours */
    }

    return 0;
}


/*
 * One name of the chain.  1 = *name is the next one, 0 = done, -1 = failed.
 */
static int
resolve_name(resolve_t *r, tcr_str_t *name)
{
    size_t             i;
    tcr_str_t          at = *name;
    tcr_dns_answer_t   asked;
    tcr_dns_answer_t  *last = &r->out->last, before = r->out->last;

    if (look_up(r, at, r->q.type) != 0) {
        return -1;
    }

    if (last->status == TCR_DNS_NO_ZONE) {
        return leave(r, &before);
    }

    if (last->status == TCR_DNS_NO_NAME) {

        if (find_wildcard(r, at, &at) != 0) {
            return -1;
        }

        if (at.data == NULL) {
            return negative(r, false);
        }

        if (look_up(r, at, r->q.type) != 0) {
            return -1;
        }
    }

    asked = *last;

    if (last->n_records == 0 && !last->routed
        && look_up(r, at, TCR_TYPE_CNAME) != 0)
    {
        return -1;
    }

    for (i = 0; i < last->n_records; i++) {
        if (add_answer(r, *name, &last->records[i]) != 0) {
            return -1;
        }
    }

    if (last->n_records == 0) {
        *last = asked;
        return negative(r, true);
    }

    if (last->records[0].type == TCR_TYPE_CNAME
        && r->q.type != TCR_TYPE_CNAME && r->q.type != TCR_TYPE_ANY)
    {
        *name = last->records[0].data;
        *last = asked;
        return 1;
    }

    return 0;
}


static bool
is_told(const tcr_dns_answer_t *a)
{
    return a->routed || a->details == TCR_DETAILS_LOCALIZED_DNS;
}


/*
 * After a CNAME the log tells of the last name that routing was asked for
 * (spec/dns.md §9).
 */
static void
keep_words(tcr_dns_answer_t *last, const tcr_dns_answer_t *before)
{
    if (is_told(last) || !is_told(before)) {
        return;
    }

    last->result = before->result;
    last->details = before->details;
    last->has_point = before->has_point;
    last->point = before->point;
    last->service = before->service;
}


int
tcr_resolve_dns(tcr_view_t *view, const tcr_dns_question_t *q,
    tcr_dns_reply_t *out)
{
    int               i, rc;
    tcr_str_t         name = q->name;
    resolve_t         r = { .view = view, .q = *q, .out = out };
    tcr_dns_answer_t  before;

    memset(out, 0, sizeof(*out));
    out->aa = true;

    if (name.len != 0 && name.data[name.len - 1] == '.') {
        name.len--;
    }

    for (i = 0, rc = 1; i < CHAIN && rc == 1; i++) {
        r.q.name = name;
        choose_zone(&r);
        before = out->last;
        rc = resolve_name(&r, &name);
        keep_words(&out->last, &before);

        if (name.len != 0 && name.data[name.len - 1] == '.') {
            name.len--;
        }
    }

    return rc < 0 ? -1 : 0;
}
