/* SPDX-License-Identifier: Apache-2.0 */

/*
 * For tests of the engine: a snapshot in JSON text becomes a view, through
 * the same parser, compiler and publication as in production, in a temporary
 * directory that goes away at the end.
 */

#ifndef TESTCDN_H_INCLUDED
#define TESTCDN_H_INCLUDED

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tcr_cdn.h"
#include "tcr_compile.h"
#include "tcr_publish.h"


typedef struct {
    tcr_arena_t   *arena;
    tcr_view_t    *view;
    tcr_report_t   report;
    char           dir[64];
    const char            *router;          /* whose images; NULL = "tr1"    */
    const tcr_regional_t  *regional;        /* NULL = none                   */
    bool                   regional_fallback;
} testcdn_t;


static inline void
testcdn_fail(const char *what, const tcr_err_t *err)
{
    printf("Bail out! %s: %s\n", what, err->text);
    exit(1);
}


static inline void
testcdn_publish(testcdn_t *t, tcr_build_t *routing, tcr_build_t *health)
{
    tcr_err_t           err;
    tcr_publisher_t    *pub;
    tcr_build_origin_t  origin = { .source = "test" };
    tcr_publication_t   items[2] = {
        { .slot = TCR_SLOT_ROUTING }, { .slot = TCR_SLOT_HEALTH }
    };

    pub = tcr_publisher_open(t->dir, &err);

    if (pub == NULL
        || tcr_build_finish(routing, &origin, &items[0].data, &items[0].size,
                            &err) != 0
        || tcr_build_finish(health, &origin, &items[1].data, &items[1].size,
                            &err) != 0
        || tcr_publish(pub, items, 2, NULL, &err) != 0)
    {
        testcdn_fail("publish", &err);
    }

    tcr_publisher_close(pub);
    tcr_build_destroy(routing);
    tcr_build_destroy(health);
}


/* crconfig and coverage (NULL = none) are JSON texts that stay alive. */
static inline void
testcdn_compile(testcdn_t *t, const char *crconfig, const char *coverage)
{
    tcr_err_t            err;
    tcr_build_t         *routing, *health;
    tcr_json_doc_t       doc, zones;
    tcr_crconfig_t       cfg;
    tcr_coverage_t       cov;
    tcr_compile_input_t  in = { .crconfig = &cfg, .router = "tr1" };

    if (t->router != NULL) {
        in.router = t->router;
    }

    in.regional = t->regional;
    in.regional_fallback = t->regional_fallback;
    memset(&cov, 0, sizeof(cov));

    if (tcr_json_parse(&doc, t->arena, "test", tcr_str(crconfig), &err) != 0
        || tcr_crconfig_parse(&cfg, t->arena, &doc, &t->report, &err) != 0)
    {
        testcdn_fail("snapshot", &err);
    }

    if (coverage != NULL) {
        in.coverage = &cov;

        if (tcr_json_parse(&zones, t->arena, "zones", tcr_str(coverage), &err)
            != 0
            || tcr_coverage_parse(&cov, t->arena, &zones, false, &t->report,
                                  &err) != 0)
        {
            testcdn_fail("coverage zones", &err);
        }
    }

    if (tcr_compile_routing(&in, &routing, &health, &t->report, &err) != 0) {
        testcdn_fail("compile", &err);
    }

    testcdn_publish(t, routing, health);
    tcr_coverage_free(&cov);
}


/* An empty directory, an arena, a report. */
static inline void
testcdn_make(testcdn_t *t)
{
    tcr_err_t  err = { "no directory" };

    memset(t, 0, sizeof(*t));
    snprintf(t->dir, sizeof(t->dir), "/tmp/tcr-test-XXXXXX");
    t->arena = tcr_arena_create(0);
    tcr_report_init(&t->report, t->arena, 0);

    if (mkdtemp(t->dir) == NULL) {
        testcdn_fail(t->dir, &err);
    }
}


static inline void
testcdn_view(testcdn_t *t)
{
    tcr_err_t  err = { "nothing is in force" };

    t->view = tcr_view_create(t->dir, 1);

    if (t->view == NULL || tcr_view_refresh(t->view, 1, &err) != 1) {
        testcdn_fail("view", &err);
    }
}


static inline void
testcdn_open(testcdn_t *t, const char *crconfig, const char *coverage)
{
    testcdn_make(t);
    testcdn_compile(t, crconfig, coverage);
    testcdn_view(t);
}


static inline int
testcdn_unlink(const char *path, const struct stat *st, int flag,
    struct FTW *ftw)
{
    (void) st;
    (void) flag;
    (void) ftw;

    return remove(path);
}


static inline void
testcdn_close(testcdn_t *t)
{
    tcr_view_destroy(t->view);
    tcr_arena_destroy(t->arena);

    if (nftw(t->dir, testcdn_unlink, 8, FTW_DEPTH | FTW_PHYS) != 0) {
        printf("# cannot remove %s\n", t->dir);
    }
}


#endif /* TESTCDN_H_INCLUDED */
