/* SPDX-License-Identifier: Apache-2.0 */

/* The steps of a DNS question: zone, name, client, records. */

#include "tcr_dns.h"


/* Lower case without the final dot; -1 when it is too long for a name. */
static int
normalise(tcr_dns_flow_t *f)
{
    size_t      i;
    tcr_str_t   name = f->q->name;

    if (name.len != 0 && name.data[name.len - 1] == '.') {
        name.len--;
    }

    if (name.len > sizeof(f->text)) {
        return -1;
    }

    for (i = 0; i < name.len; i++) {
        f->text[i] = tcr_lower(name.data[i]);
    }

    f->name = tcr_str_n(f->text, name.len);
    return 0;
}


/* Is the client subnet option honoured for names of this zone? (dns.md §7) */
static bool
takes_subnet(const tcr_cdn_t *cdn, const tcr_img_dns_zone_t *zone)
{
    uint32_t         i;
    const uint32_t  *ids = tcr_image_vec(cdn->img, &zone->services);

    if (cdn->rt->flags & TCR_CDN_ECS) {
        return true;
    }

    for (i = 0; i < zone->services.n; i++) {
        if (cdn->services[ids[i]].flags & TCR_SERVICE_ECS) {
            return true;
        }
    }

    return false;
}


static void
choose_client(tcr_dns_flow_t *f)
{
    char                       text[TCR_ADDR_TEXT];
    const tcr_dns_question_t  *q = f->q;

    f->out->client = q->resolver;
    f->out->ecs_used = q->subnet.family != 0 && q->subnet_len != 0
                       && takes_subnet(f->cdn, f->out->zone);

    if (f->out->ecs_used) {
        f->out->client = tcr_addr_mask(q->subnet, q->subnet_len);
    }

    if (q->trace != NULL && f->out->client.family != 0) {
        tcr_addr_format(&f->out->client, text);
        tcr_trace_add(q->trace, "client", "%s (%s)", text,
                      f->out->ecs_used ? "client subnet" : "resolver");
    }
}


static int
answer_name(tcr_dns_flow_t *f)
{
    int                    rc, challenged;
    tcr_dns_answer_t      *out = f->out;
    const tcr_img_name_t  *name;

    name = tcr_dns_find(f->cdn, out->zone, f->name);
    out->name = name;
    challenged = tcr_dns_challenges(f);

    if (challenged < 0) {
        return -1;
    }

    if (name == NULL) {
        rc = tcr_dns_cache_name(f, out->zone);
        out->status = rc == 0 && challenged == 0 ? TCR_DNS_NO_NAME
                                                 : TCR_DNS_NAME;
        return rc < 0 ? -1 : 0;
    }

    out->status = TCR_DNS_NAME;

    if (tcr_dns_static(f, name) != 0 || tcr_dns_ds(f, name) != 0) {
        return -1;
    }

    if (challenged != 0) {
        tcr_dns_unify_texts(f);
    }

    if (name->flags & TCR_NAME_ROUTED) {
        return tcr_dns_routed(f, &f->cdn->services[name->service]);
    }

    if (name->flags & TCR_NAME_EDGE) {
        return tcr_dns_edge_addresses(f, &f->cdn->services[name->service]);
    }

    if (tcr_dns_edge_apex(f) && tcr_dns_wants(f, TCR_TYPE_NS)) {
        return tcr_dns_edge_ns(f);
    }

    return 0;
}


/*
 * Does the log tell where the client is?  For names that are not routed: of
 * every one when NS are edge-routed, else of those without an answer.
 */
static bool
logs_place(const tcr_dns_flow_t *f)
{
    if (f->out->routed || f->out->result != TCR_RESULT_NONE) {
        return false;
    }

    return (f->cdn->rt->flags & TCR_CDN_EDGE_DNS)
           || (f->out->n_records == 0 && f->q->type != TCR_TYPE_ANY);
}


static int
begin(tcr_dns_flow_t *f, tcr_view_t *view, const tcr_dns_question_t *q,
    tcr_dns_answer_t *out)
{
    memset(out, 0, sizeof(*out));

    f->view = view;
    f->cdn = view->cdn;
    f->q = q;
    f->out = out;
    f->room = 0;

    return f->cdn == NULL ? -1 : 0;
}


int
tcr_dns_overlay(tcr_view_t *view, const tcr_dns_question_t *q,
    tcr_dns_answer_t *out)
{
    tcr_dns_flow_t  f;

    if (begin(&f, view, q, out) != 0) {
        return -1;
    }

    if (normalise(&f) != 0) {
        return 0;
    }

    out->zone = q->zone;
    out->name = tcr_dns_find(f.cdn, q->zone, f.name);

    if (tcr_dns_challenges(&f) < 0) {
        return -1;
    }

    return out->name != NULL ? tcr_dns_ds(&f, out->name) : 0;
}


int
tcr_route_dns(tcr_view_t *view, const tcr_dns_question_t *q,
    tcr_dns_answer_t *out)
{
    tcr_dns_flow_t  f;

    if (begin(&f, view, q, out) != 0) {
        return -1;
    }

    if (normalise(&f) != 0) {
        return 0;
    }

    out->zone = q->zone != NULL ? q->zone : tcr_dns_zone_of(view, f.name);

    if (out->zone == NULL) {
        TCR_TRACE(q->trace, "zone", "none holds \"%.*s\"", TCR_STR_ARG(f.name));
        return 0;
    }

    TCR_TRACE(q->trace, "zone", "\"%.*s\"",
              TCR_STR_ARG(tcr_cdn_str(f.cdn, out->zone->origin)));
    choose_client(&f);

    if (answer_name(&f) != 0) {
        return -1;
    }

    if (logs_place(&f)) {
        tcr_dns_localize(&f);
    }

    return 0;
}
