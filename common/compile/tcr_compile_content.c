/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a zone says, as one number: serials move when it does.  Equal content
 * has an equal number in every image, whatever the order of its parts.
 */

#include "tcr_zones.h"


/* splitmix64's finish */
static uint64_t
mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}


static uint64_t
hash_data(tcr_compiler_t *c, tcr_img_str_t ref)
{
    uint32_t     len;
    const char  *p;

    if (ref == 0) {
        return 0;
    }

    p = tcr_build_at(c->b, ref);
    memcpy(&len, p, sizeof(len));
    return tcr_str_hash(tcr_str_n(p + sizeof(len), len));
}


/* Of a cache's name and addresses. */
static uint64_t
hash_cache(tcr_compiler_t *c, uint32_t cache)
{
    const tcr_img_cache_t  *m = &c->caches[cache];

    return mix(hash_data(c, m->id)
               + mix(hash_data(c, m->ip) + mix(hash_data(c, m->ip6))));
}


int
tcr_zones_prepare_content(tcr_zones_t *z)
{
    uint32_t  i;

    z->cache_hashes = tcr_compiler_alloc(z->c, z->c->n_caches,
                                         sizeof(*z->cache_hashes));

    if (z->cache_hashes == NULL) {
        return -1;
    }

    for (i = 0; i < z->c->n_caches; i++) {
        z->cache_hashes[i] = hash_cache(z->c, i);
    }

    return 0;
}


/* Names of caches that are not in the table belong to the content, too. */
static uint64_t
hash_cache_names(tcr_zones_t *z, uint32_t s)
{
    size_t                    i;
    uint64_t                  sum = 0, ttls;
    tcr_compiler_t           *c = z->c;
    const tcr_img_service_t  *service = &c->services[s];

    if (!(service->flags & TCR_SERVICE_CACHE_NAMES)) {
        return 0;
    }

    ttls = mix(((uint64_t) service->ttl_cache_a << 32
                | service->ttl_cache_aaaa)
               + mix(service->flags & TCR_SERVICE_IP6));

    for (i = c->first_assignment[s]; i < c->first_assignment[s + 1]; i++) {
        sum += mix(z->cache_hashes[c->assignments[i].cache] + ttls);
    }

    return sum;
}


/*
 * A sum over the records, so that their order is no content; the SOA counts
 * without its serial.
 */
uint64_t
tcr_zones_content(tcr_zones_t *z)
{
    size_t               i;
    uint64_t             sum, what;
    const tcr_record_t  *r = z->records.items;

    sum = mix(tcr_str_hash(z->soa_head)
              + mix(tcr_str_hash(z->soa_timers)));

    for (i = 0; i < z->records.n; i++) {
        what = hash_data(z->c, r[i].data)
               + mix((uint64_t) r[i].type << 32 | r[i].ttl)
               + mix((uint64_t) r[i].flags << 33);
        sum += mix(tcr_str_hash(r[i].owner) + mix(what));
    }

    for (i = 0; i < z->zone->n_services; i++) {
        sum += hash_cache_names(z, z->zone->services[i]);
    }

    return sum;
}
