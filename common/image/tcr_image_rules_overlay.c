/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Rules of policies and of the overlay: order of rules, hash points, prefixes
 * and hashed names, numbers of patterns.  Expects a passed structural walk.
 */

#include <inttypes.h>
#include <stdio.h>

#include "tcr_image_verify.h"
#include "tcr_overlay_format.h"

#define PATH  64                  /* "federations[N].mappings[N]" fits       */


static int
check_rule(const tcr_image_t *img, const tcr_img_routing_t *root, uint32_t i,
    tcr_err_t *err)
{
    char                   path[PATH];
    const tcr_img_rule_t  *rules = tcr_image_vec(img, &root->policies.rules);

    if (i != 0 && rules[i].service < rules[i - 1].service) {
        return tcr_err_set(err, "is damaged: policies.rules[%" PRIu32 "] is "
                           "of service %" PRIu32 ", behind a rule of service "
                           "%" PRIu32, i, rules[i].service,
                           rules[i - 1].service);
    }

    if (rules[i].regex_index >= root->n_regexes) {
        return tcr_err_set(err, "is damaged: policies.rules[%" PRIu32 "]."
                           "regex_index is %" PRIu32 " of %" PRIu32, i,
                           rules[i].regex_index, root->n_regexes);
    }

    snprintf(path, sizeof(path), "policies.rules[%" PRIu32 "].allow", i);

    return tcr_image_rules_nets(img, &rules[i].allow4, &rules[i].allow6, path,
                                err);
}


int
tcr_image_rules_policies(const tcr_image_t *img, tcr_err_t *err)
{
    uint32_t                  i;
    const tcr_img_routing_t  *root = tcr_image_root(img);

    for (i = 0; i < root->policies.rules.n; i++) {
        if (check_rule(img, root, i, err) != 0) {
            return -1;
        }
    }

    return tcr_image_rules_nets(img, &root->policies.anonymous_allow4,
                                &root->policies.anonymous_allow6,
                                "policies.anonymous_allow", err);
}


static int
check_target(const tcr_image_t *img, const tcr_img_target_t *target,
    uint32_t at, uint32_t t, tcr_err_t *err)
{
    uint32_t       i;
    const double  *points = tcr_image_vec(img, &target->points);

    for (i = 1; i < target->points.n; i++) {
        if (points[i] < points[i - 1]) {
            return tcr_err_set(err, "is damaged: steering[%" PRIu32 "]."
                               "targets[%" PRIu32 "].points[%" PRIu32 "] is "
                               "smaller than the point before it", at, t, i);
        }
    }

    return 0;
}


static int
check_steering(const tcr_image_t *img, const tcr_img_overlay_t *root,
    uint32_t at, tcr_err_t *err)
{
    uint32_t                   i;
    const tcr_img_filter_t    *filters;
    const tcr_img_target_t    *targets;
    const tcr_img_steering_t  *s;

    s = (const tcr_img_steering_t *) tcr_image_vec(img, &root->steering) + at;
    targets = tcr_image_vec(img, &s->targets);
    filters = tcr_image_vec(img, &s->filters);

    for (i = 0; i < s->targets.n; i++) {
        if (check_target(img, &targets[i], at, i, err) != 0) {
            return -1;
        }
    }

    for (i = 0; i < s->filters.n; i++) {
        if (filters[i].regex_index >= root->n_regexes) {
            return tcr_err_set(err, "is damaged: steering[%" PRIu32 "]."
                               "filters[%" PRIu32 "].regex_index is %" PRIu32
                               " of %" PRIu32, at, i, filters[i].regex_index,
                               root->n_regexes);
        }
    }

    return 0;
}


static int
check_federation(const tcr_image_t *img, const tcr_img_overlay_t *root,
    uint32_t at, tcr_err_t *err)
{
    char                         path[PATH];
    uint32_t                     i;
    const tcr_img_mapping_t     *m;
    const tcr_img_federation_t  *f = tcr_image_vec(img, &root->federations);

    m = tcr_image_vec(img, &f[at].mappings);

    for (i = 0; i < f[at].mappings.n; i++) {
        snprintf(path, sizeof(path), "federations[%" PRIu32 "].mappings[%"
                 PRIu32 "]", at, i);

        if (tcr_image_rules_nets(img, &m[i].v4, &m[i].v6, path, err) != 0) {
            return -1;
        }
    }

    return 0;
}


/* The pattern cache of a process is n_regexes long. */
static int
check_n_regexes(const tcr_image_t *img, const tcr_img_overlay_t *root,
    tcr_err_t *err)
{
    uint32_t                   i;
    uint64_t                   n = 0;
    const tcr_img_steering_t  *s = tcr_image_vec(img, &root->steering);

    for (i = 0; i < root->steering.n; i++) {
        n += s[i].filters.n;
    }

    if (root->n_regexes > n) {
        return tcr_err_set(err, "is damaged: n_regexes is %" PRIu32 ", more "
                           "than the %" PRIu64 " filters", root->n_regexes, n);
    }

    return 0;
}


int
tcr_image_rules_overlay(const tcr_image_t *img, tcr_err_t *err)
{
    uint32_t                  i;
    const tcr_img_overlay_t  *root = tcr_image_root(img);

    for (i = 0; i < root->steering.n; i++) {
        if (check_steering(img, root, i, err) != 0) {
            return -1;
        }
    }

    for (i = 0; i < root->federations.n; i++) {
        if (check_federation(img, root, i, err) != 0) {
            return -1;
        }
    }

    if (tcr_image_rules_hashed(img, &root->hashed, "hashed", err) != 0) {
        return -1;
    }

    return check_n_regexes(img, root, err);
}
