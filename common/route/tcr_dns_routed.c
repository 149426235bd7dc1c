/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The routing name of a DNS service: which caches' addresses, which
 * federation, or which bypass (spec/routing.md §6.6, §7, §13, §14).
 */

#include "tcr_dns.h"
#include "tcr_order.h"

/* Caches kept on the stack; more borrow the question's memory. */
#define FEW  128


/* What one address family's decision gives. */
typedef struct {
    tcr_locate_t  l;
    uint32_t     *caches;         /* indices                                 */
    size_t        n;
    bool          bypass;         /* the service's DNS bypass answers        */
    const tcr_img_mapping_t  *federation;   /* a federation's CNAME answers  */
    uint32_t      few[FEW];
} decided_t;


static void
take_bypass(const tcr_img_service_t *s, decided_t *d)
{
    if (!(s->flags & TCR_SERVICE_BYPASS)) {
        d->l.result = TCR_RESULT_MISS;
        d->l.details = TCR_DETAILS_DS_NO_BYPASS;
        return;
    }

    d->l.result = TCR_RESULT_DS_REDIRECT;
    d->l.details = TCR_DETAILS_DS_BYPASS;
    d->bypass = (s->flags & TCR_SERVICE_BYPASS_DNS) != 0;
}


/* By coverage zone, never the deep one; *g = the group that was found. */
static bool
locate_zone(tcr_locate_t *l, const tcr_img_group_t **g)
{
    *g = tcr_locate_zone(l, false);

    if (*g == NULL || tcr_cdn_disabled(l->cdn, l->service, *g)) {
        return false;
    }

    l->result = TCR_RESULT_CZ;
    l->has_point = true;
    l->point = (tcr_point_t) { (*g)->lat, (*g)->lon };

    if (l->from_backup) {
        l->details = TCR_DETAILS_DS_CZ_BACKUP_CG;
    }

    return true;
}


static bool
locate_geo(tcr_locate_t *l, const tcr_img_group_t *from)
{
    if (!l->geo_allowed || !tcr_locate_geo(l, from)
        || l->redirect_url.data != NULL)
    {
        return false;
    }

    l->result = TCR_RESULT_GEO;
    return true;
}


/* The first mapping with a prefix around the client (§13), or NULL. */
static const tcr_img_mapping_t *
find_mapping(tcr_locate_t *l)
{
    uint32_t                     i, scope, inside;
    tcr_nets_t                   nets;
    const tcr_image_t           *img = l->cdn->overlay;
    const tcr_img_mapping_t     *m;
    const tcr_img_federation_t  *fed = tcr_federation_of(l->cdn, l->service);

    if (fed == NULL || l->client.family == 0) {
        return NULL;
    }

    m = tcr_image_vec(img, &fed->mappings);

    for (i = 0; i < fed->mappings.n; i++) {
        nets = (tcr_nets_t) {
            tcr_image_vec(img, &m[i].v4), m[i].v4.n,
            tcr_image_vec(img, &m[i].v6), m[i].v6.n
        };

        inside = tcr_nets_find(&nets, &l->client, &scope);
        l->scope = scope > l->scope ? scope : l->scope;

        if (inside != TCR_NETS_NONE) {
            TCR_TRACE(l->trace, "federation", "mapping %u, \"%.*s\"", i + 1,
                      TCR_STR_ARG(tcr_image_str(img, m[i].cname)));
            l->result = TCR_RESULT_FED;
            l->details = TCR_DETAILS_NONE;
            return &m[i];
        }
    }

    return NULL;
}


static size_t
all_usable(const tcr_usable_t *u, uint32_t *caches)
{
    size_t    n;
    uint32_t  i;

    for (i = 0, n = 0; i < u->n_assigned; i++) {
        if (tcr_usable_has(u, tcr_usable_bit(u, i))) {
            caches[n++] = u->assigned[i].cache;
        }
    }

    return n;
}


/* The first `limit` caches for the name (consistent.dns.routing). */
static int
take_consistent(tcr_dns_flow_t *f, decided_t *d, size_t limit)
{
    double          t;
    size_t          i;
    tcr_ordered_t  *nodes;

    nodes = tcr_mem_alloc(&f->q->mem, d->l.usable.n * sizeof(*nodes));

    if (nodes == NULL) {
        return -1;
    }

    t = tcr_md5_point(f->view->md5, f->name);
    d->n = tcr_order_caches(f->cdn, &d->l.usable, t, limit, nodes);

    for (i = 0; i < d->n; i++) {
        d->caches[i] = nodes[i].node;
    }

    return 0;
}


/* A random subset: the first m places of a shuffle (Fisher and Yates). */
static void
take_random(tcr_dns_flow_t *f, decided_t *d, size_t m)
{
    size_t    i, j;
    uint32_t  moved;

    for (i = 0; i < m; i++) {
        j = i + tcr_view_random(f->view, (uint32_t) (d->n - i));

        moved = d->caches[i];
        d->caches[i] = d->caches[j];
        d->caches[j] = moved;
    }

    d->n = m;
}


static int
take_caches(tcr_dns_flow_t *f, const tcr_img_service_t *s, decided_t *d)
{
    size_t  m = s->max_dns_ips;

    d->caches = d->few;

    if (d->l.usable.n > FEW) {
        d->caches = tcr_mem_alloc(&f->q->mem,
                                  d->l.usable.n * sizeof(*d->caches));

        if (d->caches == NULL) {
            return -1;
        }
    }

    if (m != 0 && (f->cdn->rt->flags & TCR_CDN_CONSISTENT_DNS)) {
        return take_consistent(f, d, s->dispersion_limit);
    }

    d->n = all_usable(&d->l.usable, d->caches);

    if (m != 0 && m < d->n) {
        take_random(f, d, m);
    }

    return 0;
}


static int
decide(tcr_dns_flow_t *f, const tcr_img_service_t *s, uint32_t family,
    decided_t *d)
{
    const tcr_img_group_t  *g;

    d->caches = NULL;
    d->n = 0;
    d->bypass = false;
    d->federation = NULL;

    tcr_locate_init(&d->l, f->view, s, &f->out->client, family, f->q->trace);

    if (!tcr_cdn_service_up(f->cdn, s)) {
        TCR_TRACE(f->q->trace, "service", "is marked unavailable");
        take_bypass(s, d);
        return 0;
    }

    if (locate_zone(&d->l, &g)) {
        return take_caches(f, s, d);
    }

    if (!(s->flags & TCR_SERVICE_CZ_ONLY)) {
        d->federation = find_mapping(&d->l);

        if (d->federation != NULL) {
            return 0;
        }

        if (locate_geo(&d->l, g)) {
            return take_caches(f, s, d);
        }
    }

    take_bypass(s, d);
    return 0;
}


/* A client-dependent record is never scope 0: host servers share that. */
static uint8_t
scope_of(const decided_t *d)
{
    return d->l.scope != 0 ? (uint8_t) d->l.scope : 1;
}


static int
add_addresses(tcr_dns_flow_t *f, const tcr_img_service_t *s,
    const decided_t *d, uint16_t type)
{
    size_t                  i;
    tcr_img_str_t           text;
    tcr_dns_record_t        record = { .type = type, .auth = true };
    const tcr_img_cache_t  *cache;

    record.scope = scope_of(d);
    record.ttl = type == TCR_TYPE_A ? s->ttl_a : s->ttl_aaaa;

    for (i = 0; i < d->n; i++) {
        cache = &f->cdn->caches[d->caches[i]];
        text = type == TCR_TYPE_A ? cache->ip : cache->ip6;
        record.data = tcr_cdn_str(f->cdn, text);

        if (text != 0 && tcr_dns_add(f, &record) != 0) {
            return -1;
        }
    }

    return 0;
}


static int
add_bypass(tcr_dns_flow_t *f, const tcr_img_service_t *s, const decided_t *d,
    uint16_t type)
{
    tcr_img_str_t     text;
    tcr_dns_record_t  record = { .type = type, .auth = true };

    text = type == TCR_TYPE_A ? s->bypass_ip
           : type == TCR_TYPE_AAAA ? s->bypass_ip6 : s->bypass_cname;

    if (text == 0) {
        return 0;
    }

    record.ttl = s->bypass_ttl;
    record.scope = scope_of(d);
    record.data = tcr_cdn_str(f->cdn, text);

    return tcr_dns_add(f, &record);
}


static int
add_family(tcr_dns_flow_t *f, const tcr_img_service_t *s, decided_t *d,
    uint16_t type)
{
    if (!tcr_dns_wants(f, type)) {
        return 0;
    }

    if (d->bypass) {
        return add_bypass(f, s, d, type);
    }

    if (type == TCR_TYPE_AAAA && !(s->flags & TCR_SERVICE_IP6)) {
        return 0;
    }

    return add_addresses(f, s, d, type);
}


/* One decision stands for the answer's log line and scope. */
static void
note(tcr_dns_flow_t *f, const decided_t *d)
{
    tcr_dns_answer_t  *out = f->out;

    out->result = d->l.result;
    out->details = d->l.details;
    out->has_point = d->l.has_point;
    out->point = d->l.point;
    out->scope = scope_of(d);
}


/*
 * A CNAME takes the whole name, so it stands only where no address of this
 * decision does; a question for NS is a host server looking for a zone cut,
 * never for it.
 */
static int
add_cname(tcr_dns_flow_t *f, const tcr_img_service_t *s, const decided_t *d)
{
    tcr_dns_record_t  record = { .type = TCR_TYPE_CNAME, .auth = true };

    if (f->out->n_records != 0 || f->q->type == TCR_TYPE_NS) {
        return 0;
    }

    if (d->federation != NULL) {
        record.ttl = d->federation->ttl;
        record.scope = scope_of(d);
        record.data = tcr_image_str(f->cdn->overlay, d->federation->cname);
        return tcr_dns_add(f, &record);
    }

    return d->bypass ? add_bypass(f, s, d, TCR_TYPE_CNAME) : 0;
}


static int
answer_family(tcr_dns_flow_t *f, const tcr_img_service_t *s, uint32_t family,
    decided_t *d)
{
    if (decide(f, s, family, d) != 0) {
        return -1;
    }

    return add_family(f, s, d, family == 6 ? TCR_TYPE_AAAA : TCR_TYPE_A);
}


int
tcr_dns_routed(tcr_dns_flow_t *f, const tcr_img_service_t *service)
{
    decided_t  d;

    f->out->routed = true;
    f->out->service = service;

    /* every type but AAAA counts as IPv4 (spec/routing.md §2) */
    if (answer_family(f, service, f->q->type == TCR_TYPE_AAAA ? 6 : 4, &d)
        != 0)
    {
        return -1;
    }

    note(f, &d);

    if (add_cname(f, service, &d) != 0) {
        return -1;
    }

    /* a server that asks for ANY picks the family by itself */
    if (f->q->type != TCR_TYPE_ANY
        || (f->out->n_records != 0
            && f->out->records[0].type == TCR_TYPE_CNAME)
        || (!(service->flags & TCR_SERVICE_IP6) && service->bypass_ip6 == 0))
    {
        return 0;
    }

    return answer_family(f, service, 6, &d);
}
