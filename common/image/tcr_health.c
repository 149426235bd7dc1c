/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Health words: made all up, changed one by one, and matched with the routing
 * image that they belong to.
 */

#include "tcr_health.h"

#include <inttypes.h>

#include "tcr_image_verify.h"

#define FLAGS  UINT64_C(0xffffffff)


static tcr_img_vec_t
words_up(tcr_build_t *b, size_t n)
{
    size_t         i;
    uint64_t      *words;
    tcr_img_vec_t  vec;

    vec = tcr_build_array(b, NULL, n, sizeof(uint64_t), sizeof(uint64_t));
    words = tcr_build_at(b, vec.off);

    for (i = 0; i < vec.n; i++) {
        words[i] = TCR_HEALTH_AVAILABLE | TCR_HEALTH_IP4 | TCR_HEALTH_IP6;
    }

    return vec;
}


int
tcr_health_build(tcr_build_t **build, size_t caches, size_t services,
    size_t groups, tcr_err_t *err)
{
    size_t             bits;
    tcr_build_t       *b;
    tcr_img_vec_t      cache_words, service_words, disabled;
    tcr_img_health_t  *root;

    *build = NULL;

    if (__builtin_mul_overflow(services, groups, &bits)
        || groups > UINT32_MAX || bits > SIZE_MAX - 63)
    {
        return tcr_err_set(err, "%zu services in %zu groups are too many for "
                           "a health image", services, groups);
    }

    b = tcr_build_create(TCR_SLOT_HEALTH, sizeof(*root));

    if (b == NULL) {
        return tcr_err_set(err, "no memory for a health image");
    }

    cache_words = words_up(b, caches);
    service_words = words_up(b, services);
    disabled = tcr_build_array(b, NULL, (bits + 63) / 64, sizeof(uint64_t),
                               sizeof(uint64_t));

    root = tcr_build_root(b);
    root->caches = cache_words;
    root->services = service_words;
    root->groups = (uint32_t) groups;
    root->disabled = disabled;

    *build = b;
    return 0;
}


bool
tcr_health_store(uint64_t *word, uint32_t flags, int64_t now_seconds)
{
    if ((tcr_health_load(word) & FLAGS) == flags) {
        return false;
    }

    __atomic_store_n(word, (uint64_t) now_seconds << 32 | flags,
                     __ATOMIC_RELAXED);
    return true;
}


int
tcr_image_pair(const tcr_image_t *routing, const tcr_image_t *health,
    tcr_err_t *err)
{
    const tcr_img_health_t   *h = tcr_image_root(health);
    const tcr_img_routing_t  *r = tcr_image_root(routing);

    if (h->routing != routing->header->number) {
        return tcr_err_set(err, "\"health.%" PRIu64 "\" belongs to \"routing."
                           "%" PRIu64 "\", in force is \"routing.%" PRIu64
                           "\"", health->header->number, h->routing,
                           routing->header->number);
    }

    if (h->caches.n != r->caches.n || h->services.n != r->services.n
        || h->groups < r->n_groups || h->groups > r->groups.n)
    {
        return tcr_err_set(err, "\"health.%" PRIu64 "\" is for %" PRIu32
                           " caches, %" PRIu32 " services, %" PRIu32
                           " groups, its routing image has %" PRIu32
                           ", %" PRIu32 ", %" PRIu32,
                           health->header->number, h->caches.n,
                           h->services.n, h->groups, r->caches.n,
                           r->services.n, r->n_groups);
    }

    return 0;
}
