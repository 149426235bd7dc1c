/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Rules between fields, one function a rule: what the table of the format
 * cannot say.  Everything here stands on a passed structural walk, so
 * indices and vectors are followed without further checks.
 */

#include <inttypes.h>

#include "tcr_image_verify.h"
#include "tcr_nets.h"


static int
check_v4(const tcr_image_t *img, const tcr_img_vec_t *vec, const char *path,
    tcr_err_t *err)
{
    uint32_t           i;
    const tcr_net4_t  *nets = tcr_image_vec(img, vec);

    if (vec->n != 0 && nets[0].start != 0) {
        return tcr_err_set(err, "is damaged: %s.v4[0] starts at %" PRIu32
                           ", expected 0", path, nets[0].start);
    }

    for (i = 1; i < vec->n; i++) {
        if (nets[i].start <= nets[i - 1].start) {
            return tcr_err_set(err, "is damaged: %s.v4[%" PRIu32 "] does not "
                               "start behind the interval before it", path, i);
        }
    }

    return 0;
}


static int
check_v6(const tcr_image_t *img, const tcr_img_vec_t *vec, const char *path,
    tcr_err_t *err)
{
    uint32_t           i;
    const tcr_net6_t  *nets = tcr_image_vec(img, vec);

    if (vec->n != 0 && (nets[0].hi | nets[0].lo) != 0) {
        return tcr_err_set(err, "is damaged: %s.v6[0] starts at %016" PRIx64
                           "%016" PRIx64 ", expected 0", path, nets[0].hi,
                           nets[0].lo);
    }

    for (i = 1; i < vec->n; i++) {
        if (nets[i].hi < nets[i - 1].hi
            || (nets[i].hi == nets[i - 1].hi
                && nets[i].lo <= nets[i - 1].lo))
        {
            return tcr_err_set(err, "is damaged: %s.v6[%" PRIu32 "] does not "
                               "start behind the interval before it", path, i);
        }
    }

    return 0;
}


int
tcr_image_rules_nets(const tcr_image_t *img, const tcr_img_vec_t *v4,
    const tcr_img_vec_t *v6, const char *path, tcr_err_t *err)
{
    if (check_v4(img, v4, path, err) != 0) {
        return -1;
    }

    return check_v6(img, v6, path, err);
}


static int
check_coverage(const tcr_image_t *img, const tcr_img_coverage_t *coverage,
    const char *path, tcr_err_t *err)
{
    return tcr_image_rules_nets(img, &coverage->v4, &coverage->v6, path, err);
}


/* Matchsets in document order, each once. */
static int
check_ascending(const tcr_image_t *img, const tcr_img_vec_t *vec,
    uint32_t first, uint32_t n, const char *path, tcr_err_t *err)
{
    uint32_t         i;
    const uint32_t  *v = tcr_image_vec(img, vec);

    for (i = first + 1; n > 1 && i - first < n; i++) {
        if (v[i] <= v[i - 1]) {
            return tcr_err_set(err, "is damaged: matching.%s[%" PRIu32 "] is "
                               "%" PRIu32 ", expected more than %" PRIu32,
                               path, i, v[i], v[i - 1]);
        }
    }

    return 0;
}


static int
check_matching(const tcr_image_t *img, const tcr_img_matching_t *m,
    tcr_err_t *err)
{
    uint32_t                    i;
    const tcr_img_label_set_t  *sets = tcr_image_vec(img, &m->label_sets);

    for (i = 0; i < m->label_sets.n; i++) {
        if (check_ascending(img, &m->label_matchsets, sets[i].first,
                            sets[i].n, "label_matchsets", err)
            != 0)
        {
            return -1;
        }
    }

    return check_ascending(img, &m->odd, 0, m->odd.n, "odd", err);
}


/* The pattern cache of a process is n_regexes long. */
static int
check_regexes(const tcr_image_t *img, const tcr_img_routing_t *root,
    tcr_err_t *err)
{
    uint32_t                  i;
    const tcr_img_service_t  *services;
    const tcr_img_matcher_t  *matchers;

    services = tcr_image_vec(img, &root->services);
    matchers = tcr_image_vec(img, &root->matching.matchers);

    if (root->n_regexes > (uint64_t) root->services.n
                          + root->matching.matchers.n
                          + root->policies.rules.n)
    {
        return tcr_err_set(err, "is damaged: n_regexes is %" PRIu32 ", more "
                           "than services, matchers and rules can have",
                           root->n_regexes);
    }

    for (i = 0; i < root->services.n; i++) {
        if (services[i].hash_regex != 0
            && services[i].hash_regex_index >= root->n_regexes)
        {
            return tcr_err_set(err, "is damaged: services[%" PRIu32 "]."
                               "hash_regex_index is %" PRIu32 " of %" PRIu32,
                               i, services[i].hash_regex_index,
                               root->n_regexes);
        }
    }

    for (i = 0; i < root->matching.matchers.n; i++) {
        if (matchers[i].kind >= TCR_MATCH_HOST_REGEX
            && matchers[i].regex_index >= root->n_regexes)
        {
            return tcr_err_set(err, "is damaged: matching.matchers[%" PRIu32
                               "].regex_index is %" PRIu32 " of %" PRIu32, i,
                               matchers[i].regex_index, root->n_regexes);
        }
    }

    return 0;
}


static int
routing_rules(const tcr_image_t *img, tcr_err_t *err)
{
    const tcr_img_routing_t  *root = tcr_image_root(img);

    if (tcr_image_rules_groups(img, err) != 0
        || tcr_image_rules_names(img, err) != 0
        || tcr_image_rules_chains(img, err) != 0
        || check_coverage(img, &root->coverage, "coverage", err) != 0
        || check_coverage(img, &root->deep, "deep", err) != 0
        || check_matching(img, &root->matching, err) != 0
        || check_regexes(img, root, err) != 0
        || tcr_image_rules_policies(img, err) != 0)
    {
        return -1;
    }

    return 0;
}


static int
health_rules(const tcr_image_t *img, tcr_err_t *err)
{
    uint64_t                 bits;
    const tcr_img_health_t  *root = tcr_image_root(img);

    bits = (uint64_t) root->services.n * root->groups;

    if (root->disabled.n != bits / 64 + (bits % 64 != 0)) {
        return tcr_err_set(err, "is damaged: disabled has %" PRIu32 " words, "
                           "expected a bit for %" PRIu32 " services in %"
                           PRIu32 " groups", root->disabled.n,
                           root->services.n, root->groups);
    }

    return 0;
}


int
tcr_image_rules(const tcr_image_t *img, tcr_slot_e slot, tcr_err_t *err)
{
    switch (slot) {

    case TCR_SLOT_ROUTING:
        return routing_rules(img, err);

    case TCR_SLOT_HEALTH:
        return health_rules(img, err);

    case TCR_SLOT_OVERLAY:
        return tcr_image_rules_overlay(img, err);

    case TCR_SLOT_CERTS:
        return tcr_image_rules_certs(img, err);

    case TCR_SLOT_KEYS:
        return tcr_image_rules_keys(img, err);

    default:
        return 0;
    }
}
