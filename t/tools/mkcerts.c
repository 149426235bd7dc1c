/* SPDX-License-Identifier: Apache-2.0 */

/*
 * For tests: publishes the certs image of a list of certificates, alone.
 * Prints the number of the publication; what was left out goes to standard
 * error.
 *
 * usage: mkcerts DIR [FILE]
 *
 * Without FILE the certificates in force are withdrawn.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tcr_clock.h"
#include "tcr_compile_certs.h"
#include "tcr_file.h"
#include "tcr_publish.h"
#include "tcr_snapshot.h"

#define FILE_MAX  (1u << 30)


static void
check(int rc, const tcr_err_t *err)
{
    if (rc != 0) {
        fprintf(stderr, "mkcerts: %s\n", err->text);
        exit(1);
    }
}


/* Those in force, if any. */
static void
read_known(tcr_sslkeys_t *known, tcr_arena_t *arena, tcr_snapshot_t *snap)
{
    tcr_err_t      err;
    tcr_mapped_t  *mapped = NULL;

    if (snap != NULL && tcr_snapshot_refresh(snap, 0, &err) >= 0) {
        mapped = tcr_snapshot_current(snap)->slots[TCR_SLOT_CERTS];
    }

    if (mapped != NULL) {
        check(tcr_compile_certs_known(&mapped->img, arena, known, &err), &err);
    }
}


static void
read_keys(tcr_sslkeys_t *keys, tcr_arena_t *arena, const char *dir,
    const char *path)
{
    tcr_err_t        err;
    tcr_file_t       file;
    tcr_report_t     report;
    tcr_json_doc_t   doc;
    tcr_problem_t   *p;
    tcr_sslkeys_t    known = { .n = 0 };
    tcr_snapshot_t  *snap = tcr_snapshot_create(dir, 1u << TCR_SLOT_CERTS);

    tcr_report_init(&report, arena, 0);
    check(tcr_file_map(&file, path, FILE_MAX, &err), &err);
    check(tcr_json_parse(&doc, arena, path, file.text, &err), &err);
    read_known(&known, arena, snap);
    check(tcr_sslkeys_parse(keys, arena, &doc, tcr_now_ms() / 1000, &known,
                            &report, &err), &err);
    tcr_snapshot_destroy(snap);

    for (p = report.first; p != NULL; p = p->next) {
        fprintf(stderr, "mkcerts: %s\n", p->text);
    }
}


int
main(int argc, char **argv)
{
    tcr_err_t           err;
    uint64_t            number;
    tcr_arena_t        *arena = tcr_arena_create(0);
    tcr_build_t        *b;
    tcr_sslkeys_t       keys = { .n = 0 };
    tcr_publisher_t    *pub;
    tcr_publication_t   item = { .slot = TCR_SLOT_CERTS };

    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: mkcerts DIR [FILE]\n");
        return 2;
    }

    if (argc == 3) {
        read_keys(&keys, arena, argv[1], argv[2]);
    }

    check(tcr_compile_certs(&keys, &b, &err), &err);

    if (argc == 3) {
        check(tcr_build_finish(b, NULL, &item.data, &item.size, &err), &err);
    }

    pub = tcr_publisher_open(argv[1], &err);
    check(pub != NULL ? 0 : -1, &err);
    check(tcr_publish(pub, &item, 1, &number, &err), &err);
    tcr_publisher_close(pub);
    printf("%" PRIu64 "\n", number);

    tcr_build_destroy(b);
    tcr_sslkeys_free(&keys);
    tcr_arena_destroy(arena);

    return 0;
}
