/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Cache groups in document order, and the caches group by group, so that the
 * caches of a group are neighbours (spec/inputs.md §5.3, §5.5).
 */

#include "tcr_compiler.h"


static uint32_t
group_flags(const tcr_group_t *g)
{
    return (g->cz ? TCR_METHOD_CZ : 0)
           | (g->deep ? TCR_METHOD_DEEP : 0)
           | (g->geo ? TCR_METHOD_GEO : 0)
           | (g->has_backups ? TCR_GROUP_HAS_BACKUPS : 0)
           | (g->closest ? TCR_GROUP_CLOSEST : 0)
           | (g->backups_given ? TCR_GROUP_BACKUPS : 0);
}


/* A backup of an unknown name is skipped (spec/routing.md §4.2, 8). */
static int
add_backups(tcr_compiler_t *c, const tcr_group_t *g, tcr_img_group_t *out)
{
    size_t     i, n;
    uint32_t  *known;

    known = tcr_compiler_alloc(c, g->backups.n, sizeof(*known));

    if (known == NULL) {
        return -1;
    }

    for (i = 0, n = 0; i < g->backups.n; i++) {
        if (tcr_names_find(&c->group_names, g->backups.items[i], &known[n])) {
            n++;
        }
    }

    out->backups = tcr_build_array(c->b, known, n, sizeof(*known),
                                   _Alignof(uint32_t));
    return 0;
}


static int
name_groups(tcr_compiler_t *c)
{
    uint32_t  i;

    if (tcr_names_init(&c->group_names, c->arena, c->n_groups) != 0) {
        return tcr_compiler_no_memory(c);
    }

    for (i = 0; i < c->n_groups; i++) {
        tcr_names_add(&c->group_names, c->cfg->groups[i].id, i);
    }

    return 0;
}


static int
make_groups(tcr_compiler_t *c)
{
    uint32_t            i;
    tcr_img_group_t    *out;
    const tcr_group_t  *g;

    for (i = 0; i < c->n_groups; i++) {
        g = &c->cfg->groups[i];
        out = &c->groups[i];

        out->id = tcr_build_str(c->b, g->id);
        out->flags = group_flags(g);
        out->lat = g->point.lat;
        out->lon = g->point.lon;

        if (add_backups(c, g, out) != 0) {
            return -1;
        }
    }

    return 0;
}


/* Counts and places: counting sort by group keeps document order within. */
static int
place_caches(tcr_compiler_t *c)
{
    size_t            i;
    uint32_t          g, at;
    uint32_t         *next;
    tcr_img_group_t  *group;

    c->cache_model = tcr_compiler_alloc(c, c->cfg->n_caches,
                                        sizeof(*c->cache_model));
    next = tcr_compiler_alloc(c, c->n_groups, sizeof(*next));

    if (c->cache_model == NULL || next == NULL) {
        return -1;
    }

    for (i = 0; i < c->cfg->n_caches; i++) {
        group = &c->groups[c->cfg->caches[i].group];

        if (group->n_caches == TCR_GROUP_CACHES) {
            tcr_report_add(c->report, TCR_REPORT_LEFT_OUT,
                           "cache \"%.*s\" is number %u of its group, at most "
                           "%u are possible",
                           TCR_STR_ARG(c->cfg->caches[i].id),
                           TCR_GROUP_CACHES + 1, TCR_GROUP_CACHES);
            continue;
        }

        group->n_caches++;
    }

    for (g = 0, at = 0; g < c->n_groups; g++) {
        c->groups[g].first_cache = at;
        next[g] = at;
        at += c->groups[g].n_caches;
    }

    c->n_caches = at;

    for (i = 0; i < c->cfg->n_caches; i++) {
        g = c->cfg->caches[i].group;

        if (next[g] < c->groups[g].first_cache + c->groups[g].n_caches) {
            c->cache_model[next[g]++] = (uint32_t) i;
        }
    }

    return 0;
}


static void
make_cache(tcr_compiler_t *c, const tcr_cache_t *m, tcr_img_cache_t *out)
{
    out->id = tcr_build_str(c->b, m->id);
    out->fqdn = tcr_build_str(c->b, m->fqdn);
    out->hash_id = tcr_build_str(c->b, m->hash_id);
    out->hash_count = m->hash_count;
    out->group = m->group;
    out->port = m->port;
    out->https_port = m->https_port;
    out->ip = tcr_build_str(c->b, m->ip);
    out->ip6 = tcr_build_str(c->b, m->ip6);
    out->capabilities = tcr_compiler_strings(c, &m->capabilities);
    out->flags = m->down ? TCR_CACHE_DOWN : 0;
}


static int
make_caches(tcr_compiler_t *c)
{
    uint32_t            i;
    const tcr_cache_t  *m;

    c->caches = tcr_compiler_alloc(c, c->n_caches, sizeof(*c->caches));

    if (c->caches == NULL
        || tcr_names_init(&c->cache_names, c->arena, c->n_caches) != 0)
    {
        return tcr_compiler_no_memory(c);
    }

    for (i = 0; i < c->n_caches; i++) {
        m = &c->cfg->caches[c->cache_model[i]];
        make_cache(c, m, &c->caches[i]);
        c->caches[i].local = i - c->groups[m->group].first_cache;
        tcr_names_add(&c->cache_names, m->id, i);
    }

    return 0;
}


int
tcr_compile_groups(tcr_compiler_t *c)
{
    size_t  deep = c->in->deep != NULL ? c->in->deep->n_zones : 0;

    if (c->cfg->n_groups > UINT32_MAX / 2 || deep > UINT32_MAX / 2) {
        return tcr_err_set(c->err, "too many cache groups and deep zones");
    }

    c->n_groups = (uint32_t) c->cfg->n_groups;
    c->n_all = c->n_groups + (uint32_t) deep;
    c->groups = tcr_compiler_alloc(c, c->n_all, sizeof(*c->groups));

    if (c->groups == NULL || name_groups(c) != 0 || make_groups(c) != 0
        || place_caches(c) != 0)
    {
        return -1;
    }

    return make_caches(c);
}
