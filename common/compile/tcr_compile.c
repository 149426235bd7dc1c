/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The order in which a model becomes an image.
 */

#include "tcr_compiler.h"

#include <stdlib.h>


static int (*const steps[])(tcr_compiler_t *c) = {
    tcr_compile_groups,           /* groups and caches                       */
    tcr_compile_coverage,         /* adds deep locations to the groups       */
    tcr_compile_points,
    tcr_compile_routers,
    tcr_compile_services,
    tcr_compile_assign,           /* which caches serve which service        */
    tcr_compile_match,            /* which host belongs to which service     */
    tcr_compile_lookup,           /* questions to the matching just made     */
    tcr_compile_zones,            /* DNS content                             */
    tcr_compile_policies,
    tcr_compile_cdn               /* the rest, and arrays changed by steps   */
};


static int
run_steps(tcr_compiler_t *c)
{
    size_t  i;

    for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        if (steps[i](c) != 0 || c->failed) {
            return -1;
        }
    }

    memcpy(tcr_build_root(c->b), &c->root, sizeof(c->root));
    return 0;
}


/* What the settings take out is not up for the moment until states come. */
static void
take_down(const tcr_compiler_t *c, tcr_build_t *health)
{
    uint32_t                 i;
    uint64_t                *words;
    const tcr_img_health_t  *root = tcr_build_root(health);

    words = tcr_build_at(health, root->caches.off);

    for (i = 0; i < c->n_caches; i++) {

        if (c->caches[i].flags & TCR_CACHE_DOWN) {
            words[i] = TCR_HEALTH_KNOWN;
        }
    }
}


int
tcr_compile_routing(const tcr_compile_input_t *in, tcr_build_t **routing,
    tcr_build_t **health, tcr_report_t *report, tcr_err_t *err)
{
    int             rc;
    tcr_compiler_t  c;

    memset(&c, 0, sizeof(c));

    c.in = in;
    c.cfg = in->crconfig;
    c.report = report;
    c.err = err;
    c.odd.size = sizeof(tcr_odd_t);
    c.arena = tcr_arena_create(1024 * 1024);
    c.b = tcr_build_create(TCR_SLOT_ROUTING, sizeof(tcr_img_routing_t));

    if (c.arena == NULL || c.b == NULL) {
        rc = tcr_compiler_no_memory(&c);

    } else {
        rc = run_steps(&c);
    }

    if (rc == 0) {
        rc = tcr_health_build(health, c.n_caches, c.n_services, c.n_all, err);
    }

    if (rc == 0) {
        take_down(&c, *health);
        *routing = c.b;

    } else {
        tcr_build_destroy(c.b);
    }

    tcr_list_free(&c.odd);
    free(c.assignments);
    tcr_arena_destroy(c.arena);
    return rc;
}
