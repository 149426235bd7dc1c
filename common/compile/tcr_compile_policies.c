/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Policies in the routing image (spec/routing.md §11, §12).  Regional rules
 * stand by service; those of services that the snapshot does not have are
 * left out.
 */

#include "tcr_compiler.h"

#include <stdlib.h>


/* A rule of the model and whose it is. */
typedef struct {
    const tcr_regional_rule_t  *rule;
    uint32_t                    service;
    uint32_t                    at;       /* in the file                     */
} placed_t;


static int
by_service(const void *one, const void *two)
{
    const placed_t  *a = one, *b = two;

    if (a->service != b->service) {
        return a->service < b->service ? -1 : 1;
    }

    return a->at < b->at ? -1 : 1;
}


static int
service_names(tcr_compiler_t *c, tcr_names_t *names)
{
    uint32_t  i;

    if (tcr_names_init(names, c->arena, c->n_services) != 0) {
        return tcr_compiler_no_memory(c);
    }

    for (i = 0; i < c->n_services; i++) {
        tcr_names_add(names, c->cfg->services[i].id, i);
    }

    return 0;
}


/* Rules of known services in the image's order. */
static int
place_rules(tcr_compiler_t *c, placed_t *placed, size_t *n)
{
    size_t                 i;
    tcr_names_t            names;
    const tcr_regional_t  *policy = c->in->regional;

    if (service_names(c, &names) != 0) {
        return -1;
    }

    for (i = 0, *n = 0; i < policy->n; i++) {
        placed[*n].rule = &policy->rules[i];
        placed[*n].at = (uint32_t) i;

        if (tcr_names_find(&names, policy->rules[i].service,
                           &placed[*n].service))
        {
            (*n)++;
            continue;
        }

        tcr_report_add(c->report, TCR_REPORT_WARNING, "regional policy: rule "
                       "%zu is of service \"%.*s\", which the snapshot does "
                       "not have", i, TCR_STR_ARG(policy->rules[i].service));
    }

    qsort(placed, *n, sizeof(*placed), by_service);
    return 0;
}


static void
add_nets(tcr_compiler_t *c, const tcr_nets_t *nets, tcr_img_vec_t *v4,
    tcr_img_vec_t *v6)
{
    *v4 = tcr_build_array(c->b, nets->v4, nets->n4, sizeof(tcr_net4_t),
                          _Alignof(tcr_net4_t));
    *v6 = tcr_build_array(c->b, nets->v6, nets->n6, sizeof(tcr_net6_t),
                          _Alignof(tcr_net6_t));
}


_Static_assert(sizeof(tcr_img_box_t) == sizeof(tcr_regional_box_t),
               "a box of the model is one of the image");


static void
fill_rule(tcr_compiler_t *c, const placed_t *placed, tcr_img_rule_t *out)
{
    const tcr_regional_rule_t  *rule = placed->rule;

    out->service = placed->service;
    out->flags = (rule->include ? TCR_RULE_INCLUDE : 0)
                 | (rule->absolute ? TCR_RULE_ABSOLUTE : 0);
    out->pattern = tcr_build_str(c->b, rule->pattern);
    out->regex_index = c->n_regexes++;
    out->redirect = tcr_build_str(c->b, rule->redirect);
    out->postal_codes = tcr_compiler_strings(c, &rule->postal_codes);
    out->boxes = tcr_build_array(c->b, rule->boxes, rule->n_boxes,
                                 sizeof(tcr_img_box_t),
                                 _Alignof(tcr_img_box_t));
    add_nets(c, &rule->allow, &out->allow4, &out->allow6);
}


static int
add_rules(tcr_compiler_t *c)
{
    size_t           i, n;
    placed_t        *placed;
    tcr_img_rule_t  *rules;

    n = c->in->regional->n;

    if (n == 0) {
        return 0;
    }

    placed = tcr_compiler_alloc(c, n, sizeof(*placed));
    rules = tcr_compiler_alloc(c, n, sizeof(*rules));

    if (placed == NULL || rules == NULL || place_rules(c, placed, &n) != 0) {
        return -1;
    }

    for (i = 0; i < n; i++) {
        fill_rule(c, &placed[i], &rules[i]);
    }

    c->root.policies.rules = tcr_build_array(c->b, rules, n, sizeof(*rules),
                                             _Alignof(tcr_img_rule_t));
    return 0;
}


static void
add_anonymous(tcr_compiler_t *c, const tcr_anonymous_policy_t *policy)
{
    tcr_img_policies_t  *out = &c->root.policies;

    out->anonymous = TCR_ANON_ON
                     | (policy->vpn ? TCR_ANON_VPN : 0)
                     | (policy->hosting ? TCR_ANON_HOSTING : 0)
                     | (policy->proxy ? TCR_ANON_PROXY : 0)
                     | (policy->tor ? TCR_ANON_TOR : 0);
    out->anonymous_redirect = tcr_build_str(c->b, policy->redirect);
    add_nets(c, &policy->allow, &out->anonymous_allow4,
             &out->anonymous_allow6);
}


int
tcr_compile_policies(tcr_compiler_t *c)
{
    c->root.policies.regional_fallback = c->in->regional_fallback;

    if (c->in->anonymous != NULL) {
        add_anonymous(c, c->in->anonymous);
    }

    return c->in->regional != NULL ? add_rules(c) : 0;
}
