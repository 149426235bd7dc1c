/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Topologies: caches of the listed groups that have the capabilities that the
 * service requires, named after its host pattern.
 */

#include "tcr_topology.h"


/*
 * The name in a host pattern with a wildcard: what begins it and everything
 * from the first "\." on is cut.
 */
static tcr_str_t
pattern_label(tcr_str_t java)
{
    size_t     i, k;
    tcr_str_t  heads[] = { TCR_STR("(.*\\.|^)"), TCR_STR(".*\\.") };

    for (k = 0; k < 2; k++) {
        if (tcr_str_starts(java, heads[k])) {
            java = tcr_str_n(java.data + heads[k].len,
                             java.len - heads[k].len);
            break;
        }
    }

    for (i = 0; i + 1 < java.len; i++) {
        if (java.data[i] == '\\' && java.data[i + 1] == '.') {
            return tcr_str_n(java.data, i);
        }
    }

    return java;
}


static bool
has_wildcard(tcr_str_t java)
{
    size_t  i;

    for (i = 0; i + 1 < java.len; i++) {
        if (java.data[i] == '.' && java.data[i + 1] == '*') {
            return true;
        }
    }

    return false;
}


/* Only a pattern that yields the service's own name counts; the last wins. */
static int
try_pattern(tcr_topology_use_t *t, tcr_str_t java)
{
    tcr_str_t             own, made, tld;
    const tcr_service_t  *m = t->service;

    own = m->dns ? tcr_compiler_printf(t->c, "%.*s.%.*s",
                                       TCR_STR_ARG(m->routing_name),
                                       TCR_STR_ARG(m->domain))
                 : m->domain;

    if (own.data == NULL) {
        return -1;
    }

    if (!has_wildcard(java)) {
        if (tcr_str_ieq(java, own)) {
            t->named = true;
            t->name = own;
        }

        return 0;
    }

    tld = tcr_parent_name(m->domain);
    made = tcr_compiler_printf(t->c, "%.*s.%.*s",
                               TCR_STR_ARG(pattern_label(java)),
                               TCR_STR_ARG(tld));

    if (made.data == NULL) {
        return -1;
    }

    if (tcr_str_ieq(made, m->domain)) {
        t->named = true;
        t->name = m->dns ? own : tcr_str_n(NULL, 0);
    }

    return 0;
}


static int
try_patterns(tcr_topology_use_t *t)
{
    size_t                 i, k;
    const tcr_matcher_t   *m;
    const tcr_matchset_t  *set;

    if (t->service->domain.len == 0) {
        return 0;
    }

    for (i = 0; i < t->service->n_matchsets; i++) {
        set = &t->service->matchsets[i];

        for (k = 0; k < set->n; k++) {
            m = &set->matchers[k];

            if (m->kind == TCR_MATCHER_HOST && try_pattern(t, m->java) != 0) {
                return -1;
            }
        }
    }

    return 0;
}


static int
mark_nodes(tcr_topology_use_t *t, const tcr_topology_t *topology)
{
    size_t    i;
    uint32_t  g;

    t->nodes = tcr_compiler_alloc(t->c, t->c->n_groups, sizeof(bool));

    if (t->nodes == NULL) {
        return -1;
    }

    for (i = 0; i < topology->nodes.n; i++) {
        if (tcr_names_find(&t->c->group_names, topology->nodes.items[i], &g)) {
            t->nodes[g] = true;
        }
    }

    return 0;
}


int
tcr_topology_prepare(tcr_compiler_t *c, tcr_topology_use_t **all)
{
    size_t                i;
    uint32_t              s, k;
    tcr_names_t           names;
    tcr_topology_use_t       *t;
    const tcr_service_t  *m;

    t = tcr_compiler_alloc(c, c->n_services, sizeof(*t));

    if (t == NULL
        || tcr_names_init(&names, c->arena, c->cfg->n_topologies) != 0)
    {
        return tcr_compiler_no_memory(c);
    }

    for (i = 0; i < c->cfg->n_topologies; i++) {
        tcr_names_add(&names, c->cfg->topologies[i].name, (uint32_t) i);
    }

    for (s = 0; s < c->n_services; s++) {
        m = &c->cfg->services[s];
        t[s].c = c;
        t[s].service = m;

        if (m->topology.len == 0 || !tcr_names_find(&names, m->topology, &k)) {
            continue;
        }

        t[s].known = true;

        if (mark_nodes(&t[s], &c->cfg->topologies[k]) != 0
            || try_patterns(&t[s]) != 0)
        {
            return -1;
        }
    }

    *all = t;
    return 0;
}


static bool
has_capability(const tcr_cache_t *cache, tcr_str_t wanted)
{
    size_t  i;

    for (i = 0; i < cache->capabilities.n; i++) {
        if (tcr_str_eq(cache->capabilities.items[i], wanted)) {
            return true;
        }
    }

    return false;
}


bool
tcr_topology_serves(const tcr_topology_use_t *t, uint32_t cache)
{
    size_t                 i;
    const tcr_cache_t     *m;
    const tcr_str_list_t  *wanted = &t->service->capabilities;

    m = &t->c->cfg->caches[t->c->cache_model[cache]];

    if (!t->named || !t->nodes[m->group]) {
        return false;
    }

    for (i = 0; i < wanted->n; i++) {

        /* empty ones are ignored */
        if (wanted->items[i].len != 0 && !has_capability(m, wanted->items[i])) {
            return false;
        }
    }

    return true;
}
