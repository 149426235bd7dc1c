/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Any bytes as settings of the reference: the first byte says which of its
 * files they are, the others are as a usual one has them.  What is made of
 * them has no line that the input begins, no control bytes, and is YAML.
 */

#include <sys/stat.h>

#include "scratch.h"
#include "tcr_import.h"
#include "tcr_yaml.h"

#define MADE_MAX  (1u << 22)

#define USUAL  "t/data/traffic_router/conf/"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const  files[] = {
    "cache.properties", "dns.properties", "http.properties",
    "https.properties", "startup.properties", "traffic_monitor.properties",
    "traffic_ops.properties", "server.xml"
};

#define N_FILES  (sizeof(files) / sizeof(files[0]))


static void
put_usual(const char *name)
{
    char    path[SCRATCH_PATH], text[65536];
    FILE   *f;
    size_t  n;

    snprintf(path, sizeof(path), "%s%s", USUAL, name);
    f = fopen(path, "re");

    if (f == NULL) {
        abort();
    }

    n = fread(text, 1, sizeof(text), f);
    fclose(f);
    scratch_file(name, text, n);
}


/* A line of ours is a comment, a setting, or closes a block. */
static void
check_lines(tcr_str_t text)
{
    size_t     i;
    tcr_str_t  line;

    for (i = 0; i < text.len; i++) {
        if (((unsigned char) text.data[i] < 0x20 && text.data[i] != '\n')
            || text.data[i] == 0x7f)
        {
            abort();
        }
    }

    while (text.len != 0) {
        line = tcr_str_trim(tcr_str_split(&text, '\n'));

        if (tcr_str_starts(line, TCR_STR("injected"))) {
            abort();
        }
    }
}


/* Values may be refused where they are used; the form is right. */
static void
check_yaml(const tcr_buf_t *buf, tcr_arena_t *arena)
{
    tcr_yaml_t    *root;
    tcr_report_t   report;

    tcr_report_init(&report, arena, 10);

    if (tcr_yaml_parse(&root, arena, "made", tcr_str_n(buf->data, buf->len),
                       &report) != 0
        || report.count[TCR_REPORT_ERROR] != 0)
    {
        fprintf(stderr, "%s\n", report.first->text);
        abort();
    }
}


static void
make(tcr_import_t *im)
{
    int  i;

    for (i = 0; i < TCR_IMPORT_FILES; i++) {
        tcr_buf_init(&im->files[i], MADE_MAX);
    }

    if (tcr_import_read(im) == 0) {
        tcr_import_yaml(im);
        tcr_import_pdns(im);
        tcr_import_nginx(im);
        tcr_import_notes(im);

        if (im->report->count[TCR_REPORT_ERROR] == 0) {
            for (i = 0; i < TCR_IMPORT_CREDENTIALS; i++) {
                check_lines(tcr_str_n(im->files[i].data, im->files[i].len));
            }

            check_yaml(&im->files[TCR_IMPORT_YAML], im->arena);
        }
    }

    for (i = 0; i < TCR_IMPORT_FILES; i++) {
        tcr_buf_free(&im->files[i]);
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t         i;
    tcr_import_t   im = { .output = "/etc/tcrouter", .router = "tr-1",
                          .logs = "/var/log/tcrouter", .dir = scratch() };
    tcr_report_t   report;

    static bool    usual;

    for (i = 0; !usual && i < N_FILES; i++) {
        put_usual(files[i]);
    }

    usual = true;

    if (size == 0) {
        return 0;
    }

    i = data[0] % N_FILES;
    scratch_file(files[i], data + 1, size - 1);
    im.arena = tcr_arena_create(0);
    tcr_report_init(&report, im.arena, 100);
    im.report = &report;
    make(&im);
    tcr_arena_destroy(im.arena);
    put_usual(files[i]);
    return 0;
}
