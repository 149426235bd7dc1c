/* SPDX-License-Identifier: Apache-2.0 */

/*
 * CLIENT_STEERING: every target names a cache, the client chooses
 * (spec/routing.md §8.2; rules client-steering-option,
 * regional-deny-client-steering, resort-without-limits).
 */

#include "tcr_http.h"
#include "tcr_policy.h"


/* One target that can serve. */
typedef struct {
    const tcr_img_target_t   *target;
    const tcr_img_service_t  *service;
    uint32_t                  cache;
    tcr_point_t               cache_point;
    double                    to_cache;     /* km from the client            */
    double                    total;        /* and on to the origin          */
} choice_t;

typedef struct {
    tcr_http_flow_t          *f;
    const tcr_steering_t     *st;
    const tcr_img_service_t  *entry;
    choice_t                 *choices;
    size_t                    n;
} multi_t;


/* Targets in order; -1 when one of them does not take the scheme. */
static int
list_targets(multi_t *m, uint32_t *order, size_t n)
{
    size_t                    i;
    const tcr_img_service_t  *s;

    for (i = 0; i < n; i++) {
        s = &m->f->cdn->services[m->st->target_services[order[i]]];

        if (!tcr_http_scheme_fits(m->f, s)) {
            return -1;
        }

        if (tcr_cdn_service_up(m->f->cdn, s)) {
            m->choices[m->n].target = &m->st->targets[order[i]];
            m->choices[m->n++].service = s;
        }
    }

    return 0;
}


/* Takes caches of earlier targets out; false when none would be left. */
static bool
exclude_used(const multi_t *m, size_t done, tcr_usable_t *u)
{
    size_t                  i;
    uint32_t                a, bit;

    for (a = 0; a < u->n_assigned; a++) {
        bit = tcr_usable_bit(u, a);

        for (i = 0; i < done; i++) {

            if (tcr_usable_has(u, bit)
                && m->choices[i].cache == u->assigned[a].cache)
            {
                tcr_usable_clear(u, bit);
                u->n--;
            }
        }
    }

    return u->n != 0;
}


static bool
again(const multi_t *m, const tcr_img_service_t *s, tcr_locate_t *l)
{
    return tcr_usable_find(m->f->cdn, s, l->usable.group, l->family,
                           &l->usable);
}


/*
 * Forced diversity: a cache that no earlier target uses, if need be outside
 * the deep location, else any.
 */
static bool
spread(const multi_t *m, size_t done, tcr_locate_t *l)
{
    tcr_http_flow_t          *f = m->f;
    tcr_http_decision_t       before = *f->out;
    const tcr_img_group_t    *deep = l->usable.group;
    const tcr_img_service_t  *s = m->choices[done].service;

    if (exclude_used(m, done, &l->usable)) {
        return true;
    }

    if (f->out->result == TCR_RESULT_DEEP_CZ) {

        if (tcr_http_locate(f, s, false, NULL, l)
            && l->redirect_url.data == NULL)
        {
            /* the log tells of this place even if nothing is left there */
            f->out->result = TCR_RESULT_DEEP_CZ;

            if (exclude_used(m, done, &l->usable)) {
                return true;
            }

        } else {
            *f->out = before;
        }

        l->usable.group = deep;
    }

    return again(m, s, l);
}


/* Finds a cache for target number i; false: it can serve none. */
static bool
choose(multi_t *m, size_t i)
{
    choice_t               *c = &m->choices[i];
    tcr_hashed_t            hashed;
    tcr_locate_t            l;
    const tcr_img_group_t  *group;

    hashed = tcr_http_hash(m->f, m->entry, c->service);

    if (!tcr_http_locate(m->f, c->service, true, &hashed, &l)
        || l.redirect_url.data != NULL || !spread(m, i, &l))
    {
        return false;
    }

    c->cache = tcr_http_pick(m->f, c->service, &hashed, &l.usable);

    if (c->cache == TCR_NONE) {
        return false;
    }

    /* the cache's own group, not a deep location, is where it stands */
    group = &m->f->cdn->groups[m->f->cdn->caches[c->cache].group];
    c->cache_point = (tcr_point_t) { group->lat, group->lon };

    if (i == 0) {
        m->f->out->cache = &m->f->cdn->caches[c->cache];
        m->f->out->group = l.usable.group;
    }

    return true;
}


static void
choose_all(multi_t *m)
{
    size_t  i, n;

    for (i = 0, n = m->n, m->n = 0; i < n; i++) {
        m->choices[m->n] = m->choices[i];

        if (choose(m, m->n)) {
            m->n++;
        }
    }
}


static bool
has_point(const choice_t *c)
{
    return c->target->flags & TCR_TARGET_HAS_POINT;
}


static tcr_point_t
origin_of(const choice_t *c)
{
    return (tcr_point_t) { c->target->lat, c->target->lon };
}


static bool
same_point(tcr_point_t a, tcr_point_t b)
{
    return a.lat == b.lat && a.lon == b.lon;
}


/* Must b stand before a?  Never for equals: the sort is stable. */
static bool
geo_before(const choice_t *b, const choice_t *a)
{
    if (has_point(a) != has_point(b)) {
        return has_point(b);
    }

    if (!has_point(a)) {
        return false;
    }

    if (same_point(a->cache_point, b->cache_point)
        && same_point(origin_of(a), origin_of(b)))
    {
        return b->target->geo_order < a->target->geo_order;
    }

    return b->total != a->total ? b->total < a->total
                                : b->to_cache < a->to_cache;
}


static bool
order_before(const choice_t *b, const choice_t *a)
{
    return b->target->order < a->target->order;
}


static void
stable_sort(choice_t *c, size_t n,
    bool (*before)(const choice_t *, const choice_t *))
{
    size_t    i, j;
    choice_t  moved;

    for (i = 1; i < n; i++) {
        moved = c[i];

        for (j = i; j > 0 && before(&moved, &c[j - 1]); j--) {
            c[j] = c[j - 1];
        }

        c[j] = moved;
    }
}


/* Coordinates of the client's zone, else the database's, else miss location */
static bool
client_point(const multi_t *m, tcr_point_t *point)
{
    uint32_t              zone;
    tcr_locate_t          l;
    const tcr_cdn_t      *cdn = m->f->cdn;
    const tcr_addr_t     *client = &m->f->out->client_addr;

    if (client->family == 0 || m->f->out->client.len == 0) {
        return false;
    }

    zone = tcr_nets_find(&cdn->coverage, client, NULL);

    if (zone != TCR_NETS_NONE && cdn->zones[zone].has_point) {
        *point = (tcr_point_t) { cdn->zones[zone].lat, cdn->zones[zone].lon };
        return true;
    }

    tcr_locate_init(&l, m->f->view, m->entry, client, m->f->family, NULL);

    if (tcr_locate_city(&l) == 1) {
        *point = l.city.point;
        return true;
    }

    *point = (tcr_point_t) { m->entry->miss_lat, m->entry->miss_lon };
    return m->entry->flags & TCR_SERVICE_HAS_MISS;
}


/* Nearest way client - cache - origin first, then by `order` (§8.2, 6). */
static void
sort_by_geography(multi_t *m)
{
    bool         any;
    size_t       i;
    choice_t    *c;
    tcr_point_t  client;

    for (i = 0, any = false; i < m->n; i++) {
        any = any || has_point(&m->choices[i]);
    }

    if (!any || !client_point(m, &client)) {
        return;
    }

    for (i = 0; i < m->n; i++) {
        c = &m->choices[i];
        c->to_cache = tcr_distance(client, c->cache_point);
        c->total = c->to_cache + tcr_distance(c->cache_point, origin_of(c));
    }

    stable_sort(m->choices, m->n, geo_before);
    stable_sort(m->choices, m->n, order_before);
}


/* "entry|target|target" */
static void
note_services(multi_t *m)
{
    char        *data;
    size_t       i, size;
    tcr_out_t    out;
    tcr_str_t    id = tcr_cdn_str(m->f->cdn, m->entry->id);

    for (i = 0, size = id.len; i < m->n; i++) {
        size += 1 + tcr_cdn_str(m->f->cdn, m->choices[i].service->id).len;
    }

    data = tcr_mem_alloc(&m->f->req->mem, size);

    if (data == NULL) {
        return;
    }

    out = (tcr_out_t) { data, data + size, false };
    tcr_out_str(&out, id);

    for (i = 0; i < m->n; i++) {
        tcr_out_char(&out, '|');
        tcr_out_str(&out, tcr_cdn_str(m->f->cdn, m->choices[i].service->id));
    }

    m->f->out->services = tcr_str_n(data, size);
}


static int
answer(multi_t *m)
{
    size_t                       i;
    tcr_str_t                   *urls;
    const tcr_img_assignment_t  *assigned;

    urls = tcr_mem_alloc(&m->f->req->mem, m->n * sizeof(*urls));

    for (i = 0; urls != NULL && i < m->n; i++) {
        assigned = tcr_assignment_of(m->f->cdn, m->choices[i].service,
                                     m->choices[i].cache);

        if (assigned == NULL) {
            urls = NULL;
            break;
        }

        urls[i] = tcr_url_cache(m->f, m->choices[i].service, assigned,
                                tcr_str_n(NULL, 0));
    }

    if (urls == NULL) {
        m->f->out->status = 500;
        return -1;
    }

    note_services(m);
    return tcr_http_answer_list(m->f, urls, m->n);
}


/* No target has a cache: the entry's bypass, in a list as well. */
static int
bypass(multi_t *m)
{
    tcr_str_t  *url;

    if (m->entry->bypass_fqdn == 0) {
        return tcr_http_bypass(m->f, m->entry);
    }

    url = tcr_mem_alloc(&m->f->req->mem, sizeof(*url));

    if (url == NULL) {
        m->f->out->status = 500;
        return -1;
    }

    m->f->out->result = TCR_RESULT_DS_REDIRECT;
    *url = tcr_url_bypass(m->f, m->entry);

    return tcr_http_answer_list(m->f, url, 1);
}


/*
 * Regional policy of the entry, without a cache: an alternate URL is the only
 * one in the list, a denial is enforced.  1 = it ended the request.
 */
static int
regional_ends(multi_t *m, int *rc)
{
    tcr_str_t      *url;
    tcr_locate_t    l;
    tcr_verdict_t   v;

    if (!(m->entry->flags & TCR_SERVICE_REGIONAL)) {
        return 0;
    }

    tcr_locate_init(&l, m->f->view, m->entry, &m->f->out->client_addr,
                    m->f->family, m->f->req->trace);
    v = tcr_policy_regional(m->f, m->entry, &l, false);

    if (v.kind == TCR_VERDICT_ALLOW) {
        return 0;
    }

    if (v.kind == TCR_VERDICT_REFUSE) {
        m->f->out->status = v.status;
        *rc = 0;
        return 1;
    }

    url = tcr_mem_alloc(&m->f->req->mem, sizeof(*url));

    if (url != NULL) {
        *url = v.redirect;
        *rc = tcr_http_answer_list(m->f, url, 1);

    } else {
        m->f->out->status = 500;
        *rc = -1;
    }

    return 1;
}


/* The known targets in order; a target that the request names is alone. */
static size_t
target_order(multi_t *m, uint32_t *order)
{
    bool      given;
    uint32_t  named = tcr_steering_option(m->f, m->st, &given);

    if (named != TCR_NONE) {
        order[0] = named;
        return 1;
    }

    return tcr_steering_order(m->f, m->st, order);
}


/* What must hold before any cache is looked for; false: answered. */
static bool
prepare(multi_t *m, int *rc)
{
    size_t     n, room = (size_t) m->st->n_targets + 1;
    uint32_t  *order;

    if (!tcr_http_scheme_fits(m->f, m->entry)) {
        *rc = tcr_http_refuse(m->f, TCR_RESULT_ERROR,
                              TCR_DETAILS_DS_TLS_MISMATCH);
        return false;
    }

    order = tcr_mem_alloc(&m->f->req->mem, room * sizeof(*order));
    m->choices = tcr_mem_alloc(&m->f->req->mem, room * sizeof(*m->choices));

    if (order == NULL || m->choices == NULL) {
        m->f->out->status = 500;
        *rc = -1;
        return false;
    }

    memset(m->choices, 0, room * sizeof(*m->choices));
    n = target_order(m, order);

    if (n == 0) {
        *rc = tcr_http_refuse(m->f, TCR_RESULT_DS_MISS,
                              TCR_DETAILS_DS_NOT_FOUND);
        return false;
    }

    if (list_targets(m, order, n) != 0) {
        *rc = tcr_http_refuse(m->f, TCR_RESULT_ERROR,
                              TCR_DETAILS_DS_TLS_MISMATCH);
        return false;
    }

    if (m->n == 0) {
        *rc = tcr_http_refuse(m->f, TCR_RESULT_ERROR, TCR_DETAILS_NONE);
        return false;
    }

    return true;
}


int
tcr_http_multi(tcr_http_flow_t *f, const tcr_steering_t *st)
{
    int      rc;
    multi_t  m = { .f = f, .st = st, .entry = &f->cdn->services[st->service] };

    if (!prepare(&m, &rc)) {
        return rc;
    }

    f->out->service = m.entry;
    f->out->services = tcr_cdn_str(f->cdn, m.entry->id);

    if (regional_ends(&m, &rc)) {
        return rc;
    }

    choose_all(&m);

    if (m.n == 0) {
        return bypass(&m);
    }

    sort_by_geography(&m);
    return answer(&m);
}
