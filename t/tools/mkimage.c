/* SPDX-License-Identifier: Apache-2.0 */

/*
 * For tests: files in, images published, without the fetcher.
 *
 * usage: mkimage CRCONFIG STATES CZF DCZF CITY OUTDIR [ROUTER [READY_ID...]]
 *
 * "-" stands for a file that is not there.  ROUTER is this router's short
 * host name; READY_ID are the services that have a certificate, without them
 * every service that wants one counts as having it.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tcr_clock.h"
#include "tcr_compile.h"
#include "tcr_file.h"
#include "tcr_publish.h"

#define FILE_MAX  (1u << 30)


typedef struct {
    tcr_arena_t     *arena;
    tcr_report_t     report;
    tcr_crconfig_t   crconfig;
    tcr_crstates_t   states;
    tcr_coverage_t   coverage, deep;
    bool             has_states, has_coverage, has_deep;
} inputs_t;


static void
fail(const tcr_err_t *err)
{
    fprintf(stderr, "mkimage: %s\n", err->text);
    exit(1);
}


/* Files stay mapped to the end: models point into them. */
static bool
read_json(inputs_t *in, const char *path, tcr_json_doc_t *doc)
{
    tcr_err_t   err;
    tcr_file_t  file;

    if (strcmp(path, "-") == 0) {
        return false;
    }

    if (tcr_file_map(&file, path, FILE_MAX, &err) != 0
        || tcr_json_parse(doc, in->arena, path, file.text, &err) != 0)
    {
        fail(&err);
    }

    return true;
}


static void
read_inputs(inputs_t *in, char **argv)
{
    tcr_err_t       err;
    tcr_json_doc_t  doc[4];

    if (!read_json(in, argv[1], &doc[0])) {
        tcr_err_set(&err, "no snapshot");
        fail(&err);
    }

    if (tcr_crconfig_parse(&in->crconfig, in->arena, &doc[0], &in->report,
                           &err) != 0)
    {
        fail(&err);
    }

    in->has_states = read_json(in, argv[2], &doc[1]);
    in->has_coverage = read_json(in, argv[3], &doc[2]);
    in->has_deep = read_json(in, argv[4], &doc[3]);

    if ((in->has_states
         && tcr_crstates_parse(&in->states, in->arena, &doc[1], &in->report,
                               &err) != 0)
        || (in->has_coverage
            && tcr_coverage_parse(&in->coverage, in->arena, &doc[2], false,
                                  &in->report, &err) != 0)
        || (in->has_deep
            && tcr_coverage_parse(&in->deep, in->arena, &doc[3], true,
                                  &in->report, &err) != 0))
    {
        fail(&err);
    }
}


static void
compile(inputs_t *in, int argc, char **argv, tcr_build_t **routing,
    tcr_build_t **health)
{
    int                  i;
    tcr_str_t           *ready;
    tcr_err_t            err;
    tcr_compile_input_t  from;

    memset(&from, 0, sizeof(from));
    from.crconfig = &in->crconfig;
    from.coverage = in->has_coverage ? &in->coverage : NULL;
    from.deep = in->has_deep ? &in->deep : NULL;
    from.router = argc > 7 ? argv[7] : "";
    from.origin.source = argv[1];

    if (argc > 8) {
        ready = tcr_arena_calloc(in->arena, (size_t) argc, sizeof(*ready));

        for (i = 8; ready != NULL && i < argc; i++) {
            ready[i - 8] = tcr_str(argv[i]);
        }

        from.certificates = ready;
        from.n_certificates = (size_t) argc - 8;
        from.know_certificates = true;
    }

    if (tcr_compile_routing(&from, routing, health, &in->report, &err) != 0) {
        fail(&err);
    }
}


static void
apply_states(const inputs_t *in, void *routing, size_t size, void *health)
{
    tcr_image_t  img = { routing, size, routing, false };

    tcr_compile_states(&img, health,
                       (tcr_img_health_t *) ((char *) health
                                             + sizeof(tcr_img_header_t)),
                       &in->states, tcr_now_ms());
}


static void
publish(const tcr_publication_t *items, size_t n, const char *dir)
{
    tcr_err_t         err;
    uint64_t          numbers[3];
    tcr_publisher_t  *pub;

    pub = tcr_publisher_open(dir, &err);

    if (pub == NULL || tcr_publish(pub, items, n, numbers, &err) != 0) {
        fail(&err);
    }

    tcr_publisher_close(pub);
    printf("%" PRIu64 "\n", numbers[0]);
}


static void
print_problems(const tcr_report_t *report)
{
    const tcr_problem_t  *p;

    for (p = report->first; p != NULL; p = p->next) {
        fprintf(stderr, "mkimage: %s\n", p->text);
    }
}


int
main(int argc, char **argv)
{
    tcr_err_t          err;
    inputs_t           in;
    tcr_build_t       *routing, *health;
    tcr_publication_t  items[3];

    if (argc < 7) {
        fprintf(stderr, "usage: mkimage CRCONFIG STATES CZF DCZF CITY OUTDIR "
                        "[ROUTER [READY_ID...]]\n");
        return 2;
    }

    memset(&in, 0, sizeof(in));
    memset(items, 0, sizeof(items));
    in.arena = tcr_arena_create(0);
    tcr_report_init(&in.report, in.arena, 0);

    read_inputs(&in, argv);
    compile(&in, argc, argv, &routing, &health);
    print_problems(&in.report);

    items[0].slot = TCR_SLOT_ROUTING;
    items[1].slot = TCR_SLOT_HEALTH;
    items[2].slot = TCR_SLOT_CITY;
    items[2].path = argv[5];

    if (tcr_build_finish(routing, NULL, &items[0].data, &items[0].size, &err)
        || tcr_build_finish(health, NULL, &items[1].data, &items[1].size,
                            &err))
    {
        fail(&err);
    }

    if (in.has_states) {
        apply_states(&in, items[0].data, items[0].size, items[1].data);
    }

    publish(items, strcmp(argv[5], "-") == 0 ? 2 : 3, argv[6]);

    tcr_build_destroy(routing);
    tcr_build_destroy(health);
    tcr_coverage_free(&in.coverage);
    tcr_coverage_free(&in.deep);
    tcr_arena_destroy(in.arena);

    return 0;
}
