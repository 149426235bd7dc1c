/* SPDX-License-Identifier: Apache-2.0 */

/*
 * For tests: files in, images published, without the fetcher.  Prints the
 * number of the publication; what was left out goes to standard error.
 *
 * usage: mkimage --crconfig FILE --out DIR [OPTION FILE]...
 *
 * An option that is not given stands for a source that is not there.
 * --ready ID, which may come again, names services that have a certificate
 * besides those of --sslkeys; without both every service that wants one counts
 * as having it.
 */

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tcr_clock.h"
#include "tcr_compile.h"
#include "tcr_compile_certs.h"
#include "tcr_compile_keys.h"
#include "tcr_compile_overlay.h"
#include "tcr_file.h"
#include "tcr_publish.h"
#include "tcr_sslkeys.h"

#define FILE_MAX   (1u << 30)
#define READY_MAX  1000
#define N_IMAGES   5
#define N_FILES    2              /* databases                               */


enum {
    CRCONFIG, STATES, COVERAGE, DEEP, CITY, STEERING, FEDERATIONS,
    CHALLENGES, REGIONAL, ANONYMOUS_POLICY, ANONYMOUS_DB, SSLKEYS, DNSSECKEYS,
    DS_KNOWN, DENIAL, ROUTER, READY, OUT, N_OPTIONS
};

static const struct option  long_options[] = {
    [CRCONFIG] = { "crconfig", required_argument, NULL, CRCONFIG },
    [STATES] = { "states", required_argument, NULL, STATES },
    [COVERAGE] = { "coverage", required_argument, NULL, COVERAGE },
    [DEEP] = { "deep", required_argument, NULL, DEEP },
    [CITY] = { "city", required_argument, NULL, CITY },
    [STEERING] = { "steering", required_argument, NULL, STEERING },
    [FEDERATIONS] = { "federations", required_argument, NULL, FEDERATIONS },
    [CHALLENGES] = { "challenges", required_argument, NULL, CHALLENGES },
    [REGIONAL] = { "regional", required_argument, NULL, REGIONAL },
    [ANONYMOUS_POLICY] = { "anonymous-policy", required_argument, NULL,
                           ANONYMOUS_POLICY },
    [ANONYMOUS_DB] = { "anonymous-db", required_argument, NULL,
                       ANONYMOUS_DB },
    [SSLKEYS] = { "sslkeys", required_argument, NULL, SSLKEYS },
    [DNSSECKEYS] = { "dnsseckeys", required_argument, NULL, DNSSECKEYS },
    [DS_KNOWN] = { "ds-known", required_argument, NULL, DS_KNOWN },
    [DENIAL] = { "denial", required_argument, NULL, DENIAL },
    [ROUTER] = { "router", required_argument, NULL, ROUTER },
    [READY] = { "ready", required_argument, NULL, READY },
    [OUT] = { "out", required_argument, NULL, OUT },
    [N_OPTIONS] = { NULL, 0, NULL, 0 }
};


typedef struct {
    const char          *files[N_OPTIONS];    /* by option; NULL = not given */
    tcr_str_t            ready[READY_MAX];
    size_t               n_ready;
    tcr_arena_t         *arena;
    tcr_report_t         report;
    tcr_crconfig_t       crconfig;
    tcr_crstates_t       states;
    tcr_coverage_t       coverage, deep;
    tcr_steering_doc_t   steering;
    tcr_federations_t    federations;
    tcr_challenges_t     challenges;
    tcr_regional_t       regional;
    bool                 regional_fallback;
    tcr_anonymous_policy_t  anonymous;
    tcr_sslkeys_t        sslkeys;
    tcr_dnsseckeys_t     dnsseckeys;
    tcr_ds_known_t       ds_known;
} inputs_t;


static void
check(int rc, const tcr_err_t *err)
{
    if (rc != 0) {
        fprintf(stderr, "mkimage: %s\n", err->text);
        exit(1);
    }
}


static void
read_options(inputs_t *in, int argc, char **argv)
{
    int  opt;

    while ((opt = getopt_long(argc, argv, "", long_options, NULL)) != -1) {

        if (opt == '?') {
            exit(2);
        }

        if (opt == READY && in->n_ready < READY_MAX) {
            in->ready[in->n_ready++] = tcr_str(optarg);
        }

        in->files[opt] = optarg;
    }

    if (in->files[CRCONFIG] == NULL || in->files[OUT] == NULL
        || optind != argc)
    {
        fprintf(stderr, "usage: mkimage --crconfig FILE --out DIR "
                        "[OPTION FILE]...\n");
        exit(2);
    }
}


/* Files stay mapped to the end: models point into them. */
static bool
read_json(inputs_t *in, int option, tcr_json_doc_t *doc)
{
    tcr_err_t    err;
    tcr_file_t   file;
    const char  *path = in->files[option];

    if (path == NULL) {
        return false;
    }

    check(tcr_file_map(&file, path, FILE_MAX, &err), &err);
    check(tcr_json_parse(doc, in->arena, path, file.text, &err), &err);

    return true;
}


static void
read_inputs(inputs_t *in)
{
    tcr_err_t        err;
    tcr_arena_t     *a = in->arena;
    tcr_report_t    *report = &in->report;
    tcr_json_doc_t   doc;

    read_json(in, CRCONFIG, &doc);
    check(tcr_crconfig_parse(&in->crconfig, a, &doc, report, &err), &err);

    if (read_json(in, STATES, &doc)) {
        check(tcr_crstates_parse(&in->states, a, &doc, report, &err), &err);
    }

    if (read_json(in, COVERAGE, &doc)) {
        check(tcr_coverage_parse(&in->coverage, a, &doc, false, report, &err),
              &err);
    }

    if (read_json(in, DEEP, &doc)) {
        check(tcr_coverage_parse(&in->deep, a, &doc, true, report, &err),
              &err);
    }

    if (read_json(in, STEERING, &doc)) {
        check(tcr_steering_parse(&in->steering, a, &doc, report, &err), &err);
    }

    if (read_json(in, FEDERATIONS, &doc)) {
        check(tcr_federations_parse(&in->federations, a, &doc, report, &err),
              &err);
    }

    if (read_json(in, CHALLENGES, &doc)) {
        check(tcr_challenges_parse(&in->challenges, a, &doc, report, &err),
              &err);
    }
}


/* A regional policy that is refused leaves none and says so in the log. */
static void
read_policies(inputs_t *in)
{
    tcr_err_t       err;
    tcr_json_doc_t  doc;

    if (read_json(in, REGIONAL, &doc)
        && tcr_regional_parse(&in->regional, in->arena, &doc, &in->report,
                              &err) != 0)
    {
        in->regional_fallback = true;
        fprintf(stderr, "mkimage: %s\n", err.text);
    }

    if (read_json(in, ANONYMOUS_POLICY, &doc)) {
        check(tcr_anonymous_policy_parse(&in->anonymous, in->arena, &doc,
                                         &in->report, &err), &err);
    }
}


static void
read_certificates(inputs_t *in)
{
    size_t           i, n;
    tcr_err_t        err;
    tcr_str_t       *ids;
    tcr_json_doc_t   doc;

    if (!read_json(in, SSLKEYS, &doc)) {
        return;
    }

    check(tcr_sslkeys_parse(&in->sslkeys, in->arena, &doc,
                            tcr_now_ms() / 1000, NULL, &in->report, &err),
          &err);
    ids = tcr_sslkeys_services(&in->sslkeys, in->arena, &n, &err);
    check(ids != NULL ? 0 : -1, &err);

    for (i = 0; i < n && in->n_ready < READY_MAX; i++) {
        in->ready[in->n_ready++] = ids[i];
    }
}


static void
read_keys(inputs_t *in)
{
    uint32_t        ttl;
    tcr_err_t       err;
    tcr_json_doc_t  doc;

    ttl = in->crconfig.ttls.dnskey < 0 ? 60
          : (uint32_t) in->crconfig.ttls.dnskey;

    if (read_json(in, DNSSECKEYS, &doc)) {
        check(tcr_dnsseckeys_parse(&in->dnsseckeys, in->arena, &doc, ttl,
                                   &in->report, &err), &err);
    }

    if (read_json(in, DS_KNOWN, &doc)) {
        check(tcr_ds_known_parse(&in->ds_known, in->arena, &doc, &in->report,
                                 &err), &err);
    }
}


static void
finish(const inputs_t *in, tcr_build_t *b, tcr_image_t *img)
{
    void                *data;
    tcr_err_t            err;
    tcr_build_origin_t   origin = {
        .snapshot_date = (uint64_t) in->crconfig.date
    };

    memset(img, 0, sizeof(*img));
    check(tcr_build_finish(b, &origin, &data, &img->size, &err), &err);
    img->base = data;
    img->header = data;
}


static tcr_denial_e
denial_of(const inputs_t *in)
{
    const char  *word = in->files[DENIAL] != NULL ? in->files[DENIAL] : "";

    return strcmp(word, "narrow") == 0 ? TCR_DENIAL_NSEC3_NARROW
           : strcmp(word, "nsec3") == 0 ? TCR_DENIAL_NSEC3 : TCR_DENIAL_NSEC;
}


static void
compile_keys(inputs_t *in, const tcr_image_t *routing, tcr_build_t **out)
{
    tcr_err_t         err;
    tcr_keys_input_t  from = {
        .keys = in->crconfig.any_dnssec ? &in->dnsseckeys : NULL,
        .allow_expired = in->crconfig.allow_expired_keys,
        .known = &in->ds_known,
        .routing = routing,
        .denial = denial_of(in)
    };

    check(tcr_compile_keys(&from, out, &in->report, &err), &err);
}


static void
compile_overlay(inputs_t *in, const tcr_image_t *routing, tcr_build_t *keys,
    tcr_build_t **out)
{
    tcr_err_t            err;
    tcr_image_t          img;
    tcr_overlay_input_t  overlay = {
        .steering = &in->steering,
        .federations = &in->federations,
        .challenges = &in->challenges,
        .routing = routing,
        .ds = { .keys = &img, .now = tcr_now_ms() / 1000 }
    };

    finish(in, keys, &img);
    overlay.ds.ttl = in->crconfig.ttls.ds < 0 ? 60
                     : (uint32_t) in->crconfig.ttls.ds;
    check(tcr_compile_overlay(&overlay, out, &in->report, &err), &err);
}


static void
compile(inputs_t *in, tcr_build_t *b[N_IMAGES])
{
    tcr_err_t            err;
    tcr_image_t          routing;
    tcr_compile_input_t  from = {
        .crconfig = &in->crconfig,
        .coverage = in->files[COVERAGE] != NULL ? &in->coverage : NULL,
        .deep = in->files[DEEP] != NULL ? &in->deep : NULL,
        .router = in->files[ROUTER] != NULL ? in->files[ROUTER] : "",
        .certificates = in->ready,
        .n_certificates = in->n_ready,
        .know_certificates = in->n_ready != 0
                             || in->files[SSLKEYS] != NULL,
        .chains = denial_of(in) == TCR_DENIAL_NSEC3,
        .regional = &in->regional,
        .regional_fallback = in->regional_fallback,
        .anonymous = in->files[ANONYMOUS_POLICY] != NULL
                     && in->files[ANONYMOUS_DB] != NULL
                     ? &in->anonymous : NULL
    };

    check(tcr_compile_routing(&from, &b[0], &b[1], &in->report, &err), &err);
    check(tcr_compile_certs(&in->sslkeys, &b[3], &err), &err);
    finish(in, b[0], &routing);
    compile_keys(in, &routing, &b[4]);
    compile_overlay(in, &routing, b[4], &b[2]);
}


static void
apply_states(const inputs_t *in, const tcr_publication_t *routing,
    void *health)
{
    tcr_image_t  img = { routing->data, routing->size, routing->data, false };

    tcr_compile_states(&img, health,
                       (tcr_img_health_t *) ((char *) health
                                             + sizeof(tcr_img_header_t)),
                       &in->states, tcr_now_ms());
}


static void
publish(const inputs_t *in, tcr_publication_t *items, size_t n)
{
    tcr_err_t         err;
    uint64_t          numbers[N_IMAGES + N_FILES];
    tcr_publisher_t  *pub;

    if (in->files[CITY] != NULL) {
        items[n].slot = TCR_SLOT_CITY;
        items[n++].path = in->files[CITY];
    }

    if (in->files[ANONYMOUS_DB] != NULL) {
        items[n].slot = TCR_SLOT_ANONYMOUS;
        items[n++].path = in->files[ANONYMOUS_DB];
    }

    pub = tcr_publisher_open(in->files[OUT], &err);
    check(pub != NULL ? 0 : -1, &err);
    check(tcr_publish(pub, items, n, numbers, &err), &err);
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
    static inputs_t  in;

    size_t             i, n;
    tcr_err_t          err;
    tcr_build_t       *b[N_IMAGES];
    tcr_publication_t  items[N_IMAGES + N_FILES];
    const tcr_slot_e   slots[N_IMAGES] = {
        TCR_SLOT_ROUTING, TCR_SLOT_HEALTH, TCR_SLOT_OVERLAY, TCR_SLOT_CERTS,
        TCR_SLOT_KEYS
    };
    const int          source[N_IMAGES] = {
        CRCONFIG, CRCONFIG, CRCONFIG, SSLKEYS, DNSSECKEYS
    };

    memset(items, 0, sizeof(items));
    in.arena = tcr_arena_create(0);
    tcr_report_init(&in.report, in.arena, 0);

    read_options(&in, argc, argv);
    read_inputs(&in);
    read_policies(&in);
    read_certificates(&in);
    read_keys(&in);
    compile(&in, b);
    print_problems(&in.report);

    /* what has no source stays in force as it is */
    for (i = 0, n = 0; i < N_IMAGES; i++) {

        if (in.files[source[i]] != NULL) {
            items[n].slot = slots[i];
            check(tcr_build_finish(b[i], NULL, &items[n].data, &items[n].size,
                                   &err), &err);
            n++;
        }
    }

    if (in.files[STATES] != NULL) {
        apply_states(&in, &items[0], items[1].data);
    }

    publish(&in, items, n);

    for (i = 0; i < N_IMAGES; i++) {
        tcr_build_destroy(b[i]);
    }

    tcr_coverage_free(&in.coverage);
    tcr_coverage_free(&in.deep);
    tcr_federations_free(&in.federations);
    tcr_regional_free(&in.regional);
    tcr_anonymous_policy_free(&in.anonymous);
    tcr_sslkeys_free(&in.sslkeys);
    tcr_dnsseckeys_free(&in.dnsseckeys);
    tcr_arena_destroy(in.arena);

    return 0;
}
