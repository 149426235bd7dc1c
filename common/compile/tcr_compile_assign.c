/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Which caches serve which service, and under which name (spec/routing.md
 * §5.3, §5.4).  Assignments stand service by service, within one in the order
 * of the caches, so that those of a group are neighbours and a cache is found
 * by binary search.  Deep locations have copies behind all of them.
 *
 * There may be millions: names are compared with the usual one (cache id "."
 * domain of the service), whose parts are in the image already.
 */

#include "tcr_compiler.h"

#include <stdlib.h>

#include "tcr_topology.h"

#define LABEL_MAX  63             /* RFC 1035, 2.3.4                         */


typedef struct {
    tcr_compiler_t        *c;
    tcr_img_assignment_t  *given;         /* from contentServers, by service */
    size_t                *first;         /* of each service, and the end    */
    tcr_topology_use_t    *topologies;    /* of each service                 */
    tcr_list_t             out;           /* of tcr_img_assignment_t         */
} assign_t;


static void
set_name(assign_t *a, uint32_t s, tcr_img_assignment_t *out, tcr_str_t fqdn)
{
    tcr_str_t             id, host, rest;
    tcr_compiler_t       *c = a->c;
    const tcr_service_t  *m = &c->cfg->services[s];

    id = c->cfg->caches[c->cache_model[out->cache]].id;
    host = tcr_first_label(fqdn);
    rest = tcr_parent_name(fqdn);

    out->host = tcr_str_eq(host, id) ? c->caches[out->cache].id
                                     : tcr_build_str(c->b, host);
    out->domain = tcr_str_eq(rest, m->domain) ? c->services[s].domain
                                              : tcr_build_str(c->b, rest);
}


static int
count_given(assign_t *a)
{
    size_t              k, sum, n;
    uint32_t            i, s;
    tcr_compiler_t     *c = a->c;
    const tcr_cache_t  *m;

    a->first = tcr_compiler_alloc(c, (size_t) c->n_services + 1,
                                  sizeof(*a->first));

    if (a->first == NULL) {
        return -1;
    }

    for (i = 0; i < c->n_caches; i++) {
        m = &c->cfg->caches[c->cache_model[i]];

        for (k = 0; k < m->n_services; k++) {
            a->first[m->services[k].service]++;
        }
    }

    for (s = 0, sum = 0; s <= c->n_services; s++) {
        n = a->first[s];
        a->first[s] = sum;
        sum += n;
    }

    a->given = malloc(sum * sizeof(*a->given) + 1);
    return a->given != NULL ? 0 : tcr_compiler_no_memory(c);
}


/* Goes through the caches in the image's order; first[s] moves to its end. */
static void
place_given(assign_t *a)
{
    size_t                      k;
    uint32_t                    i, s;
    tcr_compiler_t             *c = a->c;
    const tcr_cache_t          *m;
    tcr_img_assignment_t       *out;
    const tcr_cache_service_t  *cs;

    for (i = 0; i < c->n_caches; i++) {
        m = &c->cfg->caches[c->cache_model[i]];

        for (k = 0; k < m->n_services; k++) {
            cs = &m->services[k];
            out = &a->given[a->first[cs->service]++];
            *out = (tcr_img_assignment_t) { i, 0, 0 };

            if (cs->fqdn.data != NULL) {
                set_name(a, cs->service, out, cs->fqdn);
            }
        }
    }

    for (s = c->n_services; s > 0; s--) {
        a->first[s] = a->first[s - 1];
    }

    a->first[0] = 0;
}


static int
add_out(assign_t *a, const tcr_img_assignment_t *assignment)
{
    tcr_img_assignment_t  *p = tcr_list_add(&a->out);

    if (p == NULL) {
        return tcr_compiler_no_memory(a->c);
    }

    *p = *assignment;
    return 0;
}


/*
 * Can the id be a host's first label as it is?  That of a second cache of one
 * name ("edge@1") is taken as the reference takes it.
 */
static bool
is_label(tcr_str_t id)
{
    size_t  i;

    for (i = 0; i < id.len; i++) {
        if (!(id.data[i] >= 'a' && id.data[i] <= 'z')
            && !(id.data[i] >= '0' && id.data[i] <= '9')
            && id.data[i] != '-' && id.data[i] != '@')
        {
            return false;
        }
    }

    return id.len != 0 && id.len <= LABEL_MAX;
}


/*
 * The name that a topology gives: cache id "." domain, or one for all
 * (spec/routing.md §5.4).  In place of an id that cannot be in a name stands
 * the first label of the cache's own name.
 */
static int
set_topology_name(assign_t *a, uint32_t s, tcr_img_assignment_t *out)
{
    tcr_str_t           id, fqdn = a->topologies[s].name;
    tcr_compiler_t     *c = a->c;
    const tcr_cache_t  *m;

    id = c->cfg->caches[c->cache_model[out->cache]].id;

    if (fqdn.data == NULL && is_label(id)) {
        out->host = c->caches[out->cache].id;
        out->domain = c->services[s].domain;
        return 0;
    }

    if (fqdn.data == NULL) {
        m = &c->cfg->caches[c->cache_model[out->cache]];
        id = tcr_compiler_host(c, id);

        if (id.data == NULL) {
            id = tcr_compiler_host(c, tcr_first_label(m->fqdn));
        }

        if (id.data == NULL) {
            return c->failed ? -1 : 0;
        }

        fqdn = tcr_compiler_printf(c, "%.*s.%.*s", TCR_STR_ARG(id),
                                   TCR_STR_ARG(c->cfg->services[s].domain));

        if (fqdn.data == NULL) {
            return -1;
        }
    }

    set_name(a, s, out, fqdn);
    return 0;
}


/* The topology's name for a cache replaces the one that was given. */
static int
merge_topology(assign_t *a, uint32_t s)
{
    bool                   have;
    uint32_t               i;
    tcr_img_assignment_t   x, *given, *end;

    given = a->given + a->first[s];
    end = a->given + a->first[s + 1];

    for (i = 0; i < a->c->n_caches; i++) {
        have = given < end && given->cache == i;
        x = have ? *given : (tcr_img_assignment_t) { i, 0, 0 };
        given += have;

        if (tcr_topology_serves(&a->topologies[s], i)) {
            have = true;

            if (set_topology_name(a, s, &x) != 0) {
                return -1;
            }
        }

        if (have && add_out(a, &x) != 0) {
            return -1;
        }
    }

    return 0;
}


static int
add_service(assign_t *a, uint32_t s)
{
    size_t           i;
    tcr_compiler_t  *c = a->c;

    c->first_assignment[s] = a->out.n;

    if (a->topologies[s].known) {
        return merge_topology(a, s);
    }

    for (i = a->first[s]; i < a->first[s + 1]; i++) {
        if (add_out(a, &a->given[i]) != 0) {
            return -1;
        }
    }

    return 0;
}


static int
note_odd(assign_t *a, uint32_t s, const tcr_img_assignment_t *x)
{
    tcr_odd_t                *odd;
    const tcr_img_service_t  *service = &a->c->services[s];

    /* no name; or the routing name, whose addresses are routed */
    if (x->host == 0 || x->domain == 0
        || ((service->flags & TCR_SERVICE_DNS)
            && x->host == service->routing_name
            && x->domain == service->domain))
    {
        return 0;
    }

    odd = tcr_list_add(&a->c->odd);

    if (odd == NULL) {
        return tcr_compiler_no_memory(a->c);
    }

    *odd = (tcr_odd_t) { s, x->cache, x->host, x->domain };
    return 0;
}


/* Is every name (cache id "." domain)?  If not, all are noted. */
static int
note_names(assign_t *a, uint32_t s)
{
    size_t                       i, first = a->c->first_assignment[s];
    tcr_compiler_t              *c = a->c;
    const tcr_img_assignment_t  *x = a->out.items;

    for (i = first; i < a->out.n; i++) {
        if (x[i].host != c->caches[x[i].cache].id
            || x[i].domain != c->services[s].domain)
        {
            break;
        }
    }

    c->plain_names[s] = i == a->out.n;

    for (i = first; !c->plain_names[s] && i < a->out.n; i++) {
        if (note_odd(a, s, &x[i]) != 0) {
            return -1;
        }
    }

    return 0;
}


static int
by_cache(const void *key, const void *item)
{
    uint32_t  cache = *(const uint32_t *) key;
    uint32_t  other = ((const tcr_img_assignment_t *) item)->cache;

    return cache < other ? -1 : cache > other;
}


const tcr_img_assignment_t *
tcr_find_assignment(const tcr_img_assignment_t *all, size_t first, size_t end,
    uint32_t cache)
{
    if (first == end) {
        return NULL;
    }

    return bsearch(&cache, all + first, end - first, sizeof(*all), by_cache);
}


/* Adds the copies of one deep location; n = how many there were. */
static int
add_deep(assign_t *a, uint32_t s, uint32_t location, uint32_t *n)
{
    size_t                       first, end;
    uint32_t                     k;
    tcr_compiler_t              *c = a->c;
    tcr_img_assignment_t         copy;
    const tcr_img_assignment_t  *found;

    first = c->first_assignment[s];
    end = c->first_assignment[s + 1];
    *n = 0;

    for (k = 0; k < c->n_members[location]; k++) {
        found = tcr_find_assignment(a->out.items, first, end,
                                    c->members[location][k]);

        if (found == NULL) {
            continue;
        }

        copy = *found;

        if (add_out(a, &copy) != 0) {
            return -1;
        }

        ++*n;
    }

    return 0;
}


/* Ranges of the groups, which are neighbours in the assignments already. */
static size_t
group_ranges(assign_t *a, uint32_t s, tcr_img_service_group_t *groups)
{
    size_t                       i, n;
    uint32_t                     g;
    tcr_compiler_t              *c = a->c;
    const tcr_img_assignment_t  *x = a->out.items;

    for (i = c->first_assignment[s], n = 0;
         i < c->first_assignment[s + 1];
         i++)
    {
        g = c->caches[x[i].cache].group;

        if (n == 0 || groups[n - 1].group != g) {
            groups[n++] = (tcr_img_service_group_t) { g, (uint32_t) i, 0 };
        }

        groups[n - 1].n++;
    }

    return n;
}


static int
add_groups(assign_t *a, uint32_t s, tcr_img_service_group_t *groups)
{
    size_t           n;
    uint32_t         i, first, found;
    tcr_compiler_t  *c = a->c;

    n = group_ranges(a, s, groups);

    for (i = 0; c->cfg->services[s].deep && i < c->n_all - c->n_groups; i++) {
        first = (uint32_t) a->out.n;

        if (add_deep(a, s, i, &found) != 0) {
            return -1;
        }

        if (found != 0) {
            groups[n++] = (tcr_img_service_group_t) { c->n_groups + i, first,
                                                      found };
        }
    }

    c->services[s].groups = tcr_build_array(c->b, groups, n, sizeof(*groups),
                                            _Alignof(tcr_img_service_group_t));
    return 0;
}


static int
make_all(assign_t *a)
{
    uint32_t                  s;
    tcr_compiler_t           *c = a->c;
    tcr_img_service_group_t  *groups;

    groups = tcr_compiler_alloc(c, c->n_all, sizeof(*groups));

    if (groups == NULL) {
        return -1;
    }

    for (s = 0; s < c->n_services; s++) {
        if (add_service(a, s) != 0 || note_names(a, s) != 0) {
            return -1;
        }
    }

    c->first_assignment[s] = a->out.n;

    for (s = 0; s < c->n_services; s++) {
        if (add_groups(a, s, groups) != 0) {
            return -1;
        }

        if (a->out.n > UINT32_MAX) {
            return tcr_err_set(c->err, "too many assignments of caches to "
                               "services");
        }
    }

    return 0;
}


int
tcr_compile_assign(tcr_compiler_t *c)
{
    int       rc;
    assign_t  a = { .c = c };

    a.out.size = sizeof(tcr_img_assignment_t);
    c->first_assignment = tcr_compiler_alloc(c, (size_t) c->n_services + 1,
                                             sizeof(size_t));
    c->plain_names = tcr_compiler_alloc(c, c->n_services, sizeof(bool));

    if (c->first_assignment == NULL || c->plain_names == NULL
        || count_given(&a) != 0)
    {
        return -1;
    }

    place_given(&a);

    rc = tcr_topology_prepare(c, &a.topologies);

    if (rc == 0) {
        rc = make_all(&a);
    }

    if (rc == 0) {
        c->root.assignments = tcr_build_array(c->b, a.out.items, a.out.n,
                                              sizeof(tcr_img_assignment_t),
                                              _Alignof(tcr_img_assignment_t));
        c->assignments = a.out.items;
        a.out.items = NULL;
    }

    tcr_list_free(&a.out);
    free(a.given);
    return rc;
}
