/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Any bytes as a snapshot: what comes out is refused or a model in which
 * every string can be read, every index is in range and every text is what
 * the header promises, with at most as many reports as were asked for.
 */

#include "tcr_crconfig.h"

#include <math.h>
#include <stdlib.h>

#define REPORTS  20


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
promise(bool kept)
{
    if (!kept) {
        abort();
    }
}


/* Reads every byte: a sanitizer sees a string that points elsewhere. */
static void
text(tcr_str_t s)
{
    size_t                   i;
    static volatile uint8_t  sum;

    for (i = 0; i < s.len; i++) {
        sum = (uint8_t) (sum + (uint8_t) s.data[i]);
    }

    promise(s.len == 0 || s.data != NULL);
}


static void
list(const tcr_str_list_t *names)
{
    size_t  i;

    for (i = 0; i < names->n; i++) {
        text(names->items[i]);
        promise(names->items[i].len >= 1 && names->items[i].len <= 255);
    }
}


static void
id(tcr_str_t s)
{
    text(s);
    promise(s.len >= 1 && s.len <= 255 && memchr(s.data, '"', s.len) == NULL
            && memchr(s.data, '\n', s.len) == NULL);
}


static void
host(tcr_str_t s)
{
    size_t  i;

    text(s);
    promise(s.data == NULL || (s.len >= 1 && s.len <= 253));

    for (i = 0; i < s.len; i++) {
        promise(s.data[i] == tcr_lower(s.data[i]));
        promise(strchr("abcdefghijklmnopqrstuvwxyz0123456789-_.", s.data[i])
                != NULL);
    }

    promise(s.len == 0 || (s.data[0] != '.' && s.data[s.len - 1] != '.'));
}


static void
addr(tcr_str_t s, uint32_t family)
{
    tcr_addr_t  a;

    text(s);
    promise(s.data == NULL
            || (tcr_addr_parse(s, &a) == 0 && a.family == family));
}


static void
line(tcr_str_t s)
{
    text(s);
    promise(s.len <= 4096 && (s.len == 0 || memchr(s.data, '\n', s.len) == NULL)
            && (s.len == 0 || memchr(s.data, '\0', s.len) == NULL));
}


static void
point(tcr_point_t p)
{
    promise(isfinite(p.lat) && isfinite(p.lon));
}


static void
matchsets(const tcr_service_t *s)
{
    size_t                i, j;
    const tcr_matcher_t  *m;

    promise(s->n_matchsets != 0);

    for (i = 0; i < s->n_matchsets; i++) {
        promise(s->matchsets[i].n != 0);
        promise(s->dns || !s->matchsets[i].dns);

        for (j = 0; j < s->matchsets[i].n; j++) {
            m = &s->matchsets[i].matchers[j];
            text(m->java);
            text(m->pattern);
            text(m->target);
            promise(m->pattern.data != NULL);
            promise((m->kind == TCR_MATCHER_HEADER) == (m->target.len != 0));
        }
    }
}


static void
dns(const tcr_service_t *s)
{
    size_t                     i;
    const tcr_static_entry_t  *e;

    for (i = 0; i < s->n_static_entries; i++) {
        e = &s->static_entries[i];
        text(e->name);
        text(e->value);
        promise(e->name.len != 0 && e->value.len <= 255);
        promise(e->ttl >= 0 && e->ttl <= INT32_MAX);

        if (e->type == 1 || e->type == 28) {
            addr(e->value, e->type == 1 ? 4 : 6);
        }
    }

    addr(s->bypass_dns.ip, 4);
    addr(s->bypass_dns.ip6, 6);
    text(s->bypass_dns.cname);
    promise(s->bypass_dns.cname.data == NULL
            || (s->bypass_dns.ip.data == NULL
                && s->bypass_dns.ip6.data == NULL
                && s->bypass_dns.cname.data[s->bypass_dns.cname.len - 1]
                   == '.'));
}


static void
service(const tcr_service_t *s)
{
    size_t  i, j;

    id(s->id);
    host(s->routing_name);
    promise(s->routing_name.data != NULL);
    host(s->domain);

    for (i = 0; i < s->domains.n; i++) {
        host(s->domains.items[i]);
    }

    for (i = 0; i < s->n_geo_limits; i++) {
        for (j = 0; j < s->geo_limits[i].n; j++) {
            text(s->geo_limits[i].tests[j].name);
            text(s->geo_limits[i].tests[j].value);
        }
    }

    for (i = 0; i < s->n_response_headers; i++) {
        id(s->response_headers[i].name);
        line(s->response_headers[i].value);
    }

    matchsets(s);
    dns(s);
    list(&s->request_headers);
    list(&s->hash_params);
    list(&s->capabilities);
    line(s->geo_redirect_url);
    line(s->hash_regex_java);
    text(s->hash_regex);
    text(s->bypass_fqdn);
    text(s->soa.admin);
    text(s->topology);
    point(s->miss);
    promise(s->dispersion_limit >= 1 && s->max_dns_ips >= 0
            && s->failover_limit >= 0 && s->bypass_port <= 65535);
}


static void
cache(const tcr_crconfig_t *cfg, const tcr_cache_t *c, uint8_t *seen)
{
    size_t  i;

    id(c->id);
    host(c->fqdn);
    text(c->state_name);
    text(c->hash_id);
    addr(c->ip, 4);
    addr(c->ip6, 6);
    list(&c->capabilities);
    promise(c->fqdn.data != NULL && c->hash_count >= 1);
    promise(c->port >= 1 && c->port <= 65535);
    promise(c->https_port >= 1 && c->https_port <= 65535);
    promise(c->group < cfg->n_groups);

    memset(seen, 0, cfg->n_services);

    for (i = 0; i < c->n_services; i++) {
        host(c->services[i].fqdn);
        promise(memchr(c->services[i].fqdn.data, '.',
                       c->services[i].fqdn.len) != NULL);
        promise(c->services[i].service < cfg->n_services);
        promise(seen[c->services[i].service]++ == 0);
    }
}


static void
others(const tcr_crconfig_t *cfg)
{
    size_t  i;

    for (i = 0; i < cfg->n_groups; i++) {
        id(cfg->groups[i].id);
        point(cfg->groups[i].point);
        list(&cfg->groups[i].backups);
        promise(cfg->groups[i].cz || cfg->groups[i].deep
                || cfg->groups[i].geo);
    }

    for (i = 0; i < cfg->n_router_locations; i++) {
        id(cfg->router_locations[i].id);
        point(cfg->router_locations[i].point);
    }

    for (i = 0; i < cfg->n_routers; i++) {
        id(cfg->routers[i].id);
        host(cfg->routers[i].fqdn);
        addr(cfg->routers[i].ip, 4);
        addr(cfg->routers[i].ip6, 6);
        text(cfg->routers[i].status);
        text(cfg->routers[i].location);
        promise(cfg->routers[i].port <= 65535);
    }

    for (i = 0; i < cfg->n_monitors; i++) {
        text(cfg->monitors[i].fqdn);
        promise(cfg->monitors[i].fqdn.len != 0);
        promise(cfg->monitors[i].port >= 1 && cfg->monitors[i].port <= 65535);
    }

    for (i = 0; i < cfg->n_topologies; i++) {
        id(cfg->topologies[i].name);
        list(&cfg->topologies[i].nodes);
    }

    for (i = 0; i < cfg->n_overrides; i++) {
        id(cfg->overrides[i].country_code);
        point(cfg->overrides[i].point);
    }
}


static void
model(const tcr_crconfig_t *cfg, tcr_arena_t *arena)
{
    size_t    i, n = 0;
    uint8_t  *seen = tcr_arena_calloc(arena, cfg->n_services + 1, 1);

    promise(cfg->date > 0 && seen != NULL);
    host(cfg->domain);
    text(cfg->cdn_name);
    text(cfg->traffic_ops);
    text(cfg->soa.admin);
    list(&cfg->request_headers);
    others(cfg);

    for (i = 0; i < cfg->n_services; i++) {
        service(&cfg->services[i]);
    }

    for (i = 0; i < cfg->n_caches; i++) {
        cache(cfg, &cfg->caches[i], seen);
        n += cfg->caches[i].n_services;
    }

    promise(n == cfg->n_assignments);
    text(tcr_crconfig_parameter(cfg, arena, "api.auth.url"));
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tcr_err_t        err;
    tcr_arena_t     *arena = tcr_arena_create(0);
    tcr_report_t     report;
    tcr_json_doc_t   doc;
    tcr_crconfig_t   cfg;

    if (arena == NULL) {
        return 0;
    }

    tcr_report_init(&report, arena, REPORTS);

    if (tcr_json_parse(&doc, arena, "x", tcr_str_n((const char *) data, size),
                       &err)
        == 0)
    {
        if (tcr_crconfig_parse(&cfg, arena, &doc, &report, &err) == 0) {
            model(&cfg, arena);

        } else {
            promise(strncmp(err.text, "x:", 2) == 0);
        }
    }

    promise(report.kept <= REPORTS);
    tcr_arena_destroy(arena);
    return 0;
}
