/* SPDX-License-Identifier: Apache-2.0 */

/* Anonymous-IP and regional geo-blocking. */

#include "tcr_policy.h"

/* Not a registered code: the reference's own (spec/routing.md §10.1). */
#define STATUS_REGIONAL_DENIED  520

/* "POSTAL:1:I:0:0": longest text of rgb */
#define REGIONAL_TEXT  32


static const tcr_verdict_t  allow = { TCR_VERDICT_ALLOW, 0, { NULL, 0 } };


static bool
listed(const tcr_cdn_t *cdn, const tcr_img_vec_t *v4, const tcr_img_vec_t *v6,
    const tcr_addr_t *client)
{
    tcr_nets_t  nets = {
        tcr_image_vec(cdn->img, v4), v4->n, tcr_image_vec(cdn->img, v6), v6->n
    };

    return client->family != 0
           && tcr_nets_find(&nets, client, NULL) != TCR_NETS_NONE;
}


static bool
is_blocked(const tcr_cdn_t *cdn, uint32_t flags, const tcr_addr_t *client)
{
    tcr_anonymous_record_t  r;

    if (cdn->anonymous == NULL || client->family == 0
        || tcr_anonymous_find(cdn->anonymous->db, client, &r) != 1)
    {
        return false;
    }

    return (r.vpn && (flags & TCR_ANON_VPN))
           || (r.hosting && (flags & TCR_ANON_HOSTING))
           || (r.proxy && (flags & TCR_ANON_PROXY))
           || (r.tor && (flags & TCR_ANON_TOR));
}


static tcr_verdict_t
check_anonymous(tcr_http_flow_t *f)
{
    tcr_str_t                  url;
    const tcr_img_policies_t  *p = &f->cdn->rt->policies;
    const tcr_addr_t          *client = &f->out->client_addr;

    if (!(p->anonymous & TCR_ANON_ON)
        || listed(f->cdn, &p->anonymous_allow4, &p->anonymous_allow6, client)
        || !is_blocked(f->cdn, p->anonymous, client))
    {
        return allow;
    }

    f->out->result = TCR_RESULT_ANON_BLOCK;
    url = tcr_cdn_str(f->cdn, p->anonymous_redirect);

    TCR_TRACE(f->req->trace, "anonymous", "the policy blocks the client");

    return url.len != 0 ? (tcr_verdict_t) { TCR_VERDICT_URL, 0, url }
                        : (tcr_verdict_t) { TCR_VERDICT_REFUSE, 403, url };
}


/* scheme://host[:port]path, what the patterns of rules are written for */
static tcr_str_t
request_url(const tcr_http_flow_t *f)
{
    char       *data;
    size_t      size;
    tcr_out_t   out;
    tcr_str_t   host = f->req->host;

    size = sizeof("https://") + host.len + f->req->path.len;
    data = tcr_mem_alloc(&f->req->mem, size);

    if (data == NULL) {
        return tcr_str_n(NULL, 0);
    }

    host = tcr_http_shown_host(f->req);
    out = (tcr_out_t) { data, data + size, false };
    tcr_out_str(&out, f->req->secure ? TCR_STR("https://")
                                     : TCR_STR("http://"));
    tcr_out_str(&out, host);
    tcr_out_str(&out, f->req->path);

    return tcr_str_n(data, (size_t) (out.pos - data));
}


/* The service's first rule for this URL, or NULL. */
static const tcr_img_rule_t *
find_rule(const tcr_http_flow_t *f, const tcr_img_service_t *s)
{
    uint32_t                   i, service;
    tcr_str_t                  url;
    tcr_regex_t               *re;
    const tcr_img_rule_t      *rules;
    const tcr_img_policies_t  *p = &f->cdn->rt->policies;

    rules = tcr_image_vec(f->cdn->img, &p->rules);
    service = (uint32_t) (s - f->cdn->services);
    url = request_url(f);

    if (url.data == NULL) {
        return NULL;
    }

    for (i = 0; i < p->rules.n; i++) {

        if (rules[i].service != service) {
            continue;
        }

        re = tcr_helpers_regex(f->cdn->helpers, rules[i].regex_index,
                               tcr_cdn_str(f->cdn, rules[i].pattern),
                               TCR_REGEX_WHOLE | TCR_REGEX_CASELESS);

        if (re != NULL && tcr_regex_match(re, url)) {
            return &rules[i];
        }
    }

    return NULL;
}


static bool
in_boxes(const tcr_cdn_t *cdn, const tcr_img_rule_t *rule, tcr_point_t p)
{
    uint32_t              i;
    const tcr_img_box_t  *b = tcr_image_vec(cdn->img, &rule->boxes);

    for (i = 0; i < rule->boxes.n; i++) {
        if (b[i].min_lat <= p.lat && p.lat <= b[i].max_lat
            && b[i].min_lon <= p.lon && p.lon <= b[i].max_lon)
        {
            return true;
        }
    }

    return false;
}


static bool
in_postal(const tcr_cdn_t *cdn, const tcr_img_rule_t *rule, tcr_str_t postal)
{
    uint32_t              i;
    const tcr_img_str_t  *codes = tcr_image_vec(cdn->img, &rule->postal_codes);

    for (i = 0; i < rule->postal_codes.n; i++) {
        if (tcr_str_eq(tcr_cdn_str(cdn, codes[i]), postal)) {
            return true;
        }
    }

    return false;
}


/* Postal code if one is known, else the boxes; unknown place: refused. */
static bool
place_allowed(const tcr_cdn_t *cdn, const tcr_img_rule_t *rule,
    const tcr_locate_t *l, tcr_str_t postal)
{
    if (postal.len != 0) {
        return in_postal(cdn, rule, postal)
               == ((rule->flags & TCR_RULE_INCLUDE) != 0);
    }

    return l->city_found == 1 && in_boxes(cdn, rule, l->city.point);
}


/* rgb: postal or "-", allowed, kind of rule, fallback, whitelisted (§12) */
static void
note_regional(tcr_http_flow_t *f, tcr_str_t postal, bool allowed, char kind,
    bool whitelisted)
{
    char       *data = tcr_mem_alloc(&f->req->mem, REGIONAL_TEXT);
    tcr_out_t   out;

    if (data == NULL) {
        return;
    }

    out = (tcr_out_t) { data, data + REGIONAL_TEXT, false };
    tcr_out_str(&out, postal.data != NULL ? postal : TCR_STR("-"));
    tcr_out_str(&out, allowed ? TCR_STR(":1:") : TCR_STR(":0:"));
    tcr_out_char(&out, kind);
    tcr_out_str(&out, f->cdn->rt->policies.regional_fallback ? TCR_STR(":1")
                                                             : TCR_STR(":0"));
    tcr_out_str(&out, whitelisted ? TCR_STR(":1") : TCR_STR(":0"));

    f->out->regional = tcr_str_n(data, (size_t) (out.pos - data));
}


static tcr_verdict_t
deny(tcr_http_flow_t *f, tcr_str_t postal)
{
    note_regional(f, postal, false, '-', false);

    f->out->result = TCR_RESULT_RGDENY;
    f->out->details = TCR_DETAILS_REGIONAL_GEO_NO_RULE;

    TCR_TRACE(f->req->trace, "regional", "no rule allows the request");

    return (tcr_verdict_t) {
        TCR_VERDICT_REFUSE, STATUS_REGIONAL_DENIED, { NULL, 0 }
    };
}


static tcr_verdict_t
alternate(tcr_http_flow_t *f, const tcr_img_rule_t *rule)
{
    bool       whole = rule->flags & TCR_RULE_ABSOLUTE;
    tcr_str_t  redirect = tcr_cdn_str(f->cdn, rule->redirect);

    f->out->result = TCR_RESULT_RGALT;
    f->out->details = whole
                      ? TCR_DETAILS_REGIONAL_GEO_ALTERNATE_WITHOUT_CACHE
                      : TCR_DETAILS_REGIONAL_GEO_ALTERNATE_WITH_CACHE;

    TCR_TRACE(f->req->trace, "regional", "alternate \"%.*s\"",
              TCR_STR_ARG(redirect));

    return (tcr_verdict_t) {
        whole ? TCR_VERDICT_URL : TCR_VERDICT_PATH, 0, redirect
    };
}


tcr_verdict_t
tcr_policy_regional(tcr_http_flow_t *f, const tcr_img_service_t *s,
    tcr_locate_t *l, bool with_cache)
{
    char                   kind;
    bool                   allowed;
    tcr_str_t              postal = { NULL, 0 };
    const tcr_img_rule_t  *rule;

    if (tcr_locate_city(l) == 1) {
        postal = l->city.postal_code;
        postal.len = postal.len > 3 ? 3 : postal.len;
    }

    rule = find_rule(f, s);

    if (rule == NULL) {
        return deny(f, postal);
    }

    kind = rule->flags & TCR_RULE_INCLUDE ? 'I' : 'X';

    if (listed(f->cdn, &rule->allow4, &rule->allow6, &f->out->client_addr)) {
        note_regional(f, postal, true, kind, true);
        return allow;
    }

    allowed = place_allowed(f->cdn, rule, l, postal);

    if (!allowed && !with_cache && !(rule->flags & TCR_RULE_ABSOLUTE)) {
        return deny(f, postal);
    }

    note_regional(f, postal, allowed, kind, false);
    return allowed ? allow : alternate(f, rule);
}


tcr_verdict_t
tcr_policy_check(tcr_http_flow_t *f, const tcr_img_service_t *s,
    tcr_locate_t *l)
{
    tcr_verdict_t  v = allow;

    if (s->flags & TCR_SERVICE_ANONYMOUS) {
        v = check_anonymous(f);
    }

    if (v.kind == TCR_VERDICT_ALLOW && (s->flags & TCR_SERVICE_REGIONAL)) {
        v = tcr_policy_regional(f, s, l, true);
    }

    return v;
}
