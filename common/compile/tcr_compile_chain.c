/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The NSEC3 chain of a zone: its names by their hashes, so that PowerDNS'
 * hash of a name finds its place without hashing anything here (RFC 5155 7.1).
 *
 * All that exists is in it, empty non-terminals and delegations as well (there
 * is no opt-out); glue is not.  Names of caches which are in no table count by
 * their cache.
 */

#include "tcr_zones.h"

#include <stdlib.h>

#define NAMED     1               /* the cache has a name in the zone ...    */
#define IP6       2               /* ... with its AAAA                       */
#define TEXT_MAX  253             /* RFC 1035, 2.3.4, as text                */


typedef struct {
    tcr_zones_t         *z;
    tcr_nsec3_t         *hasher;
    uint8_t             *marks;       /* one a cache, of the zone at hand    */
    tcr_img_hashed_t    *all;
    size_t               n;
    const tcr_zone_t    *zone;
    tcr_img_dns_zone_t  *out;
} chain_t;


static int
by_hash(const void *a, const void *b)
{
    int                      rc;
    const tcr_img_hashed_t  *x = a, *y = b;

    rc = memcmp(x->hash, y->hash, sizeof(x->hash));

    if (rc != 0) {
        return rc;
    }

    return x->owner < y->owner ? -1 : x->owner > y->owner;
}


/*
 * The number left: a cache's name that stands in the table counts once, by
 * the table, and an owner of several challenges once.
 */
static size_t
sort(tcr_img_hashed_t *all, size_t n)
{
    size_t  i, kept;

    qsort(all, n, sizeof(*all), by_hash);

    for (i = 1, kept = n != 0; i < n; i++) {

        if (memcmp(all[i].hash, all[kept - 1].hash, sizeof(all->hash)) != 0) {
            all[kept++] = all[i];
        }
    }

    return kept;
}


static int
add(chain_t *chain, tcr_str_t name, size_t owner)
{
    tcr_img_hashed_t  *out = &chain->all[chain->n++];

    out->owner = (uint32_t) owner;

    return tcr_nsec3_hash(chain->hasher, name, out->hash) == 0 ? 0
           : tcr_err_set(chain->z->c->err, "cannot hash \"%.*s\"",
                         TCR_STR_ARG(name));
}


static int
add_names(chain_t *chain)
{
    size_t                 i, end;
    const tcr_str_t       *owners = chain->z->owners.items;
    const tcr_img_name_t  *names = chain->z->img_names.items;

    i = chain->out->first_name;

    for (end = i + chain->out->n_names; i < end; i++) {

        if ((names[i].flags & TCR_NAME_GLUE) == 0
            && add(chain, owners[i], i) != 0)
        {
            return -1;
        }
    }

    return 0;
}


/* Which caches have a name in the zone, and with what? */
static void
mark_caches(chain_t *chain)
{
    size_t                 k;
    uint8_t                mark;
    uint32_t               i, s;
    const tcr_compiler_t  *c = chain->z->c;

    memset(chain->marks, 0, c->n_caches);

    for (i = 0; i < chain->zone->n_services; i++) {
        s = chain->zone->services[i];

        if ((c->services[s].flags & TCR_SERVICE_CACHE_NAMES) == 0) {
            continue;
        }

        mark = c->services[s].flags & TCR_SERVICE_IP6 ? NAMED | IP6 : NAMED;

        for (k = c->first_assignment[s]; k < c->first_assignment[s + 1]; k++) {
            chain->marks[c->assignments[k].cache] |= mark;
        }
    }
}


static int
add_caches(chain_t *chain)
{
    char                    name[TEXT_MAX + 1];
    uint32_t                i;
    tcr_str_t               id, origin = chain->zone->origin;
    tcr_compiler_t         *c = chain->z->c;
    const tcr_img_cache_t  *cache;

    mark_caches(chain);

    for (i = 0; i < c->n_caches; i++) {
        cache = &c->caches[i];
        id = c->cfg->caches[c->cache_model[i]].id;

        if ((chain->marks[i] & NAMED) == 0
            || (cache->ip == 0
                && ((chain->marks[i] & IP6) == 0 || cache->ip6 == 0))
            || id.len >= TEXT_MAX || origin.len >= TEXT_MAX - id.len)
        {
            continue;
        }

        memcpy(name, id.data, id.len);
        name[id.len] = '.';
        memcpy(name + id.len + 1, origin.data, origin.len);

        if (add(chain, tcr_str_n(name, id.len + 1 + origin.len),
                chain->z->img_names.n + i) != 0)
        {
            return -1;
        }
    }

    return 0;
}


static int
make_all(chain_t *chain)
{
    uint32_t         i;
    tcr_zones_t     *z = chain->z;
    tcr_compiler_t  *c = z->c;

    for (i = 0; i < z->n_zones; i++) {
        chain->zone = &z->zones[i];
        chain->out = &z->out[i];
        chain->n = 0;
        free(chain->all);
        chain->all = NULL;

        if ((chain->out->flags & TCR_ZONE_DNSSEC) == 0) {
            continue;
        }

        chain->all = calloc((size_t) chain->out->n_names + c->n_caches,
                            sizeof(*chain->all));

        if (chain->all == NULL) {
            return tcr_compiler_no_memory(c);
        }

        if (add_names(chain) != 0 || add_caches(chain) != 0) {
            return -1;
        }

        chain->out->chain = tcr_build_array(c->b, chain->all,
                                            sort(chain->all, chain->n),
                                            sizeof(*chain->all),
                                            _Alignof(tcr_img_hashed_t));
    }

    return 0;
}


int
tcr_chains_make(tcr_zones_t *z)
{
    int                        rc = -1;
    chain_t                    chain = { .z = z };
    tcr_compiler_t            *c = z->c;
    const tcr_nsec3_params_t  *params = &c->in->nsec3;

    c->root.nsec3_iterations = params->iterations;
    c->root.nsec3_salt = params->salt.len != 0
                         ? tcr_build_str(c->b, params->salt) : 0;

    if (!c->in->chains || !c->cfg->any_dnssec) {
        return 0;
    }

    if (z->img_names.n >= TCR_NONE - c->n_caches) {
        return tcr_err_set(c->err, "too many names in zones");
    }

    chain.hasher = tcr_nsec3_create(params);
    chain.marks = tcr_compiler_alloc(c, c->n_caches, 1);

    if (chain.hasher != NULL && chain.marks != NULL) {
        rc = make_all(&chain);

    } else {
        (void) tcr_compiler_no_memory(c);
    }

    free(chain.all);
    tcr_nsec3_destroy(chain.hasher);
    return rc;
}


int
tcr_chain_challenges(const tcr_image_t *routing, const tcr_str_t *owners,
    size_t n, tcr_arena_t *arena, tcr_build_t *b, tcr_img_vec_t *vec)
{
    int                       rc;
    size_t                    i;
    tcr_nsec3_t              *hasher;
    tcr_img_hashed_t         *all;
    const tcr_img_routing_t  *root;

    root = routing != NULL ? tcr_image_root(routing) : NULL;

    if (root == NULL || (root->flags & TCR_CDN_CHAINS) == 0) {
        return 0;
    }

    hasher = tcr_nsec3_create(&(tcr_nsec3_params_t) {
        root->nsec3_iterations, tcr_image_str(routing, root->nsec3_salt)
    });
    all = tcr_arena_calloc(arena, n + 1, sizeof(*all));
    rc = hasher != NULL && all != NULL ? 0 : -1;

    for (i = 0; i < n && rc == 0; i++) {
        all[i].owner = (uint32_t) i;
        rc = tcr_nsec3_hash(hasher, owners[i], all[i].hash);
    }

    if (rc == 0) {
        *vec = tcr_build_array(b, all, sort(all, n), sizeof(*all),
                               _Alignof(tcr_img_hashed_t));
    }

    tcr_nsec3_destroy(hasher);
    return rc;
}
