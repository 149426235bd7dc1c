/* SPDX-License-Identifier: Apache-2.0 */

/*
 * One service answers: may it, from which group, from which cache
 * (spec/routing.md §3, steps b to i).
 */

#include "tcr_http.h"
#include "tcr_order.h"
#include "tcr_policy.h"

/* Candidates ordered on the stack; a larger group borrows request memory. */
#define FEW  128


bool
tcr_http_scheme_fits(const tcr_http_flow_t *f, const tcr_img_service_t *s)
{
    return s->flags & (f->req->secure ? TCR_SERVICE_SSL_ENABLED
                                      : TCR_SERVICE_ACCEPT_HTTP);
}


/* No cache: the bypass host, if there is one (§7). */
int
tcr_http_bypass(tcr_http_flow_t *f, const tcr_img_service_t *s)
{
    if (s->bypass_fqdn == 0) {
        f->out->reason = f->out->details;
        return tcr_http_refuse(f, TCR_RESULT_MISS, TCR_DETAILS_DS_NO_BYPASS);
    }

    f->out->result = TCR_RESULT_DS_REDIRECT;
    return tcr_http_answer_one(f, tcr_url_bypass(f, s));
}


uint32_t
tcr_http_pick(tcr_http_flow_t *f, const tcr_img_service_t *s,
    const tcr_hashed_t *hashed, tcr_usable_t *u)
{
    size_t          n, limit = s->dispersion_limit;
    tcr_ordered_t   few[FEW], *nodes = few;

    if (u->n > FEW) {
        nodes = tcr_mem_alloc(&f->req->mem, u->n * sizeof(*nodes));

        if (nodes == NULL) {
            return TCR_NONE;
        }
    }

    TCR_TRACE(f->req->trace, "hash", "of \"%.*s\"",
              TCR_STR_ARG(hashed->text));
    n = tcr_order_caches(f->cdn, u, hashed->place, limit, nodes);

    if (n == 0) {
        return TCR_NONE;
    }

    if (n > 1 && (s->flags & TCR_SERVICE_SHUFFLED)) {
        return nodes[tcr_view_random(f->view, (uint32_t) n)].node;
    }

    return nodes[0].node;
}


/*
 * Results and details of an earlier look stay where this one says nothing new
 * (client steering logs the last target).
 */
bool
tcr_http_locate(tcr_http_flow_t *f, const tcr_img_service_t *s, bool use_deep,
    const tcr_hashed_t *hashed, tcr_locate_t *l)
{
    bool                   found;
    tcr_http_decision_t   *out = f->out;

    tcr_locate_init(l, f->view, s, &out->client_addr, f->family,
                    f->req->trace);

    if (hashed != NULL) {
        l->hashed = *hashed;
    }

    if (out->result != TCR_RESULT_NONE) {
        l->result = out->result;
        l->details = out->details;
        l->has_point = out->has_point;
        l->point = out->point;
    }

    found = tcr_locate_http(l, use_deep);

    out->result = l->result;
    out->details = l->details;
    out->has_point = l->has_point;
    out->point = l->point;

    return found;
}


/* The chosen cache, what policies say of the client, the URL. */
static int
answer_cache(tcr_http_flow_t *f, const tcr_img_service_t *s, uint32_t cache,
    tcr_locate_t *l)
{
    tcr_str_t                    path = l->redirect_path;
    tcr_verdict_t                v;
    const tcr_img_assignment_t  *assigned;

    assigned = cache != TCR_NONE ? tcr_assignment_of(f->cdn, s, cache) : NULL;

    if (assigned == NULL) {
        f->out->status = 500;
        return -1;
    }

    f->out->cache = &f->cdn->caches[cache];
    TCR_TRACE(f->req->trace, "cache", "\"%.*s\"",
              TCR_STR_ARG(tcr_cdn_str(f->cdn, f->out->cache->id)));

    v = tcr_policy_check(f, s, l);

    if (v.kind == TCR_VERDICT_REFUSE) {
        f->out->status = v.status;
        TCR_TRACE(f->req->trace, "answer", "%u", v.status);
        return 0;
    }

    if (v.kind == TCR_VERDICT_URL) {
        return tcr_http_answer_one(f, v.redirect);
    }

    if (v.kind == TCR_VERDICT_PATH) {
        path = v.redirect;
    }

    return tcr_http_answer_one(f, tcr_url_cache(f, s, assigned, path));
}


/* Hashed before it is located: the points are fetched meanwhile. */
bool
tcr_http_find(tcr_http_flow_t *f, const tcr_img_service_t *s,
    const tcr_img_service_t *pattern, tcr_locate_t *l)
{
    tcr_hashed_t  hashed;

    if (!tcr_cdn_service_up(f->cdn, s)) {
        TCR_TRACE(f->req->trace, "service", "\"%.*s\" is marked unavailable",
                  TCR_STR_ARG(tcr_cdn_str(f->cdn, s->id)));
        return false;
    }

    f->out->service = s;
    f->out->services = tcr_cdn_str(f->cdn, s->id);

    hashed = tcr_http_hash(f, pattern, s);

    return tcr_http_locate(f, s, true, &hashed, l);
}


int
tcr_http_serve(tcr_http_flow_t *f, const tcr_img_service_t *s,
    tcr_locate_t *l)
{
    if (l->redirect_url.data != NULL) {
        return tcr_http_answer_one(f, l->redirect_url);
    }

    f->out->group = l->usable.group;

    return answer_cache(f, s, tcr_http_pick(f, s, &l->hashed, &l->usable), l);
}


int
tcr_http_single(tcr_http_flow_t *f, const tcr_img_service_t *s)
{
    tcr_locate_t  l;

    if (!tcr_http_scheme_fits(f, s)) {
        return tcr_http_refuse(f, TCR_RESULT_ERROR,
                               TCR_DETAILS_DS_TLS_MISMATCH);
    }

    return tcr_http_find(f, s, s, &l) ? tcr_http_serve(f, s, &l)
                                      : tcr_http_bypass(f, s);
}
