/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Parts of a decision asked for one by one: location, cache, target, the
 * text that is hashed (spec/outputs.md §3, consistenthash and coveragezone).
 */

#include "tcr_explore.h"
#include "tcr_http.h"
#include "tcr_match.h"
#include "tcr_path.h"

typedef struct {
    tcr_http_request_t   req;
    tcr_http_decision_t  decision;
    tcr_http_flow_t      flow;
} question_t;


/* A question of which nothing is known but service, client and path. */
static void
start(question_t *q, const tcr_explore_t *x)
{
    memset(q, 0, sizeof(*q));

    q->req.mem = x->mem;
    q->flow.view = x->view;
    q->flow.cdn = x->view->cdn;
    q->flow.req = &q->req;
    q->flow.out = &q->decision;
    q->flow.path = x->path;
    q->flow.family = tcr_str_find(x->client, ':') < x->client.len ? 6 : 4;
}


static void
start_locate(tcr_locate_t *l, const tcr_explore_t *x, const question_t *q)
{
    tcr_addr_t  addr;

    if (tcr_addr_parse_override(x->client, &addr) != 0) {
        addr.family = 0;
    }

    tcr_locate_init(l, x->view, x->service, &addr, q->flow.family, NULL);
}


/*
 * Deep locations know only caches of services that ask for them; the API is
 * asked for any.  Usable members into u, whose arrays are in mem.
 */
static bool
deep_usable(const tcr_explore_t *x, const tcr_locate_t *l,
    const tcr_img_group_t *g, tcr_usable_t *u)
{
    uint32_t                     i, cache;
    const tcr_cdn_t             *cdn = x->view->cdn;
    tcr_img_assignment_t        *list;
    const tcr_img_assignment_t  *a;

    list = tcr_mem_alloc(&x->mem, ((size_t) g->members.n + 1)
                                  * sizeof(*list));
    u->group = g;
    u->assigned = list;
    u->n = 0;

    for (i = 0; list != NULL && i < g->members.n; i++) {
        cache = tcr_explore_group_cache(x->view, g, i);
        a = tcr_assignment_of(cdn, x->service, cache);

        if (a != NULL && tcr_cdn_cache_up(cdn, cache, l->family)) {
            list[u->n++] = *a;
        }
    }

    u->n_assigned = u->n;
    memset(u->bits, 0xff, (u->n / 64 + 1) * sizeof(u->bits[0]));
    return u->n != 0;
}


static const tcr_img_group_t *
locate_zone(tcr_locate_t *l, const tcr_explore_t *x, tcr_explore_e how)
{
    const tcr_img_group_t  *g;

    if (how != TCR_EXPLORE_DEEP) {
        return tcr_locate_zone(l, false);
    }

    g = tcr_explore_zone(x->view, &l->client, true);
    return g != NULL && deep_usable(x, l, g, &l->usable) ? g : NULL;
}


const tcr_img_group_t *
tcr_explore_location(const tcr_explore_t *x, tcr_explore_e how)
{
    question_t    q;
    tcr_locate_t  l;

    start(&q, x);
    start_locate(&l, x, &q);

    return locate_zone(&l, x, how);
}


/* Usable caches in l->usable? */
static bool
locate(tcr_locate_t *l, const tcr_explore_t *x, tcr_explore_e how)
{
    const tcr_img_group_t    *g;
    const tcr_img_service_t  *s = x->service;

    if (how == TCR_EXPLORE_GEO && (s->flags & TCR_SERVICE_CZ_ONLY)
        && s->geo_redirect_type != TCR_GEO_REDIRECT_NONE)
    {
        return tcr_locate_redirect(l) && l->redirect_url.data == NULL;
    }

    g = locate_zone(l, x, how);

    if (how == TCR_EXPLORE_GEO) {
        return l->geo_allowed && tcr_locate_geo(l, g)
               && l->redirect_url.data == NULL;
    }

    return g != NULL && !tcr_cdn_disabled(x->view->cdn, s, g);
}


uint32_t
tcr_explore_cache(const tcr_explore_t *x, tcr_explore_e how)
{
    question_t    q;
    tcr_hashed_t  hashed;
    tcr_locate_t  l;

    start(&q, x);
    start_locate(&l, x, &q);

    if (!locate(&l, x, how)) {
        return TCR_NONE;
    }

    hashed = tcr_http_hash(&q.flow, x->service, x->service);

    return tcr_http_pick(&q.flow, x->service, &hashed, &l.usable);
}


tcr_str_t
tcr_explore_hash_text(const tcr_explore_t *x)
{
    question_t  q;

    start(&q, x);
    return tcr_http_hash_text(&q.flow, x->service, x->service);
}


const tcr_img_service_t *
tcr_explore_target(const tcr_explore_t *x)
{
    uint32_t               target, *order;
    question_t             q;
    const tcr_cdn_t       *cdn = x->view->cdn;
    const tcr_steering_t  *st = tcr_steering_of(cdn, x->service);

    if (st == NULL) {
        return x->service;
    }

    start(&q, x);
    target = tcr_steering_filtered(&q.flow, st);

    if (target == TCR_NONE) {
        order = tcr_mem_alloc(&x->mem, ((size_t) st->n_targets + 1)
                                       * sizeof(*order));

        if (order == NULL || tcr_steering_order(&q.flow, st, order) == 0) {
            return NULL;
        }

        target = order[0];
    }

    return &cdn->services[st->target_services[target]];
}


int
tcr_explore_pattern(tcr_str_t java, tcr_str_t path, const tcr_mem_t *mem,
    tcr_str_t *text, tcr_err_t *err)
{
    int           rc = -1;
    tcr_str_t     pattern;
    tcr_arena_t  *arena = tcr_arena_create(0);
    tcr_regex_t  *re = NULL;

    if (arena == NULL) {
        return tcr_err_set(err, "no memory for a pattern");
    }

    if (tcr_regex_translate(arena, java, &pattern, err) == 0) {
        re = tcr_regex_compile(pattern, 0, err);
    }

    if (re != NULL) {
        *text = tcr_http_apply_pattern(re, path, mem);
        tcr_regex_free(re);
        rc = 0;
    }

    tcr_arena_destroy(arena);
    return rc;
}


const tcr_img_service_t *
tcr_explore_match(tcr_view_t *view, const tcr_http_request_t *req)
{
    uint32_t           i;
    tcr_match_input_t  in;

    if (view->cdn == NULL) {
        return NULL;
    }

    memset(&in, 0, sizeof(in));
    in.host = req->host;
    in.path = tcr_path_decode(&req->mem, req->path);
    in.query = req->query;
    in.header = req->header;
    in.header_ctx = req->header_ctx;
    in.mem = &req->mem;

    if (in.path.data == NULL) {
        return NULL;
    }

    i = tcr_match_service(view->cdn, &in);
    return i != TCR_NONE ? &view->cdn->services[i] : NULL;
}
