/* SPDX-License-Identifier: Apache-2.0 */

/*
 * tcrouter import-traffic-router: settings of the reference as settings of
 * this router, nginx and PowerDNS.
 */

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tcr_import.h"
#include "tcr_settings.h"
#include "tcr_tool.h"

#define OUTPUT    "tcrouter-import"
#define FILE_MAX  (16u * 1024 * 1024)


static const char  help[] =
    "usage: tcrouter import-traffic-router DIR [--output DIR] [--force]\n\n"
    "  DIR                 the reference's directory with \"conf\" in it, or "
    "conf\n"
    "  --output DIR        where the files go (./" OUTPUT ")\n"
    "  --logs DIR          of access logs (/var/log/tcrouter)\n"
    "  --router NAME       its name in contentRouters (this host's)\n"
    "  --force             replaces files that are there\n\n"
    "Writes tcrouter.yaml, nginx.conf, pdns.conf, traffic_ops.yaml (name and\n"
    "password), default.pem and default.key, which name each other where "
    "they are.\n";


static void
print_report(const tcr_report_t *report)
{
    const tcr_problem_t  *p;

    for (p = report->first; p != NULL; p = p->next) {
        fprintf(stderr, "%s: %s\n", p->severity == TCR_REPORT_ERROR ? "error"
                : "warning", p->text);
    }
}


/* What is found wrong now would have been by everybody who uses the files. */
static int
check_settings(tcr_import_t *im)
{
    char            path[PATH_MAX];
    tcr_settings_t  settings;

    snprintf(path, sizeof(path), "%s/%s", im->output,
             tcr_import_name(TCR_IMPORT_YAML));

    return tcr_settings_load(&settings, im->arena, path, im->report);
}


static int
make(tcr_import_t *im)
{
    if (tcr_import_read(im) != 0) {
        return -1;
    }

    tcr_import_snapshot(im);
    tcr_import_yaml(im);
    tcr_import_pdns(im);
    tcr_import_nginx(im);

    if (im->report->count[TCR_REPORT_ERROR] != 0
        || (tcr_import_store(im) != 0 && tcr_import_cert(im) != 0))
    {
        return -1;
    }

    tcr_import_notes(im);

    return tcr_import_write(im) != 0 ? -1 : check_settings(im);
}


static int
run(tcr_import_t *im)
{
    int           i, rc;
    tcr_report_t  report;

    im->arena = tcr_arena_create(0);

    if (im->arena == NULL) {
        return tcr_tool_fail("import-traffic-router", "out of memory");
    }

    tcr_report_init(&report, im->arena, 0);
    im->report = &report;

    for (i = 0; i < TCR_IMPORT_FILES; i++) {
        tcr_buf_init(&im->files[i], FILE_MAX);
    }

    rc = make(im);
    print_report(&report);

    for (i = 0; i < TCR_IMPORT_FILES; i++) {

        if (rc == 0 && im->files[i].len != 0) {
            printf("%s/%s\n", im->output, tcr_import_name(i));
        }

        if (im->files[i].data != NULL) {
            explicit_bzero(im->files[i].data, im->files[i].len);
        }

        tcr_buf_free(&im->files[i]);
    }

    if (rc == 0) {
        printf("%zu settings have no counterpart, each is a comment with the "
               "reason\n", im->notes);
    }

    tcr_arena_destroy_wiped(im->arena);
    return rc == 0 ? TCR_TOOL_OK : TCR_TOOL_FAILED;
}


/* Absolute, since the files name each other; it need not be there yet. */
static const char *
absolute(const char *path, char out[PATH_MAX])
{
    char  here[PATH_MAX];

    if (path[0] == '/') {
        snprintf(out, PATH_MAX, "%s", path);

    } else if (getcwd(here, sizeof(here)) == NULL
               || snprintf(out, PATH_MAX, "%s/%s", here, path) >= PATH_MAX)
    {
        return NULL;
    }

    return tcr_import_is_path(out) ? out : NULL;
}


int
tcr_tool_import(int argc, char **argv)
{
    int           c;
    char          dir[PATH_MAX], output[PATH_MAX], logs[PATH_MAX];
    tcr_import_t  im;

    static const struct option  options[] = {
        { "output", required_argument, NULL, 'o' },
        { "logs", required_argument, NULL, 'l' },
        { "router", required_argument, NULL, 'r' },
        { "force", no_argument, NULL, 'f' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 }
    };

    memset(&im, 0, sizeof(im));
    im.output = OUTPUT;
    im.logs = "/var/log/tcrouter";

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (c) {
        case 'o': im.output = optarg; break;
        case 'l': im.logs = optarg; break;
        case 'r': im.router = optarg; break;
        case 'f': im.force = true; break;
        case 'h': fputs(help, stdout); return TCR_TOOL_OK;
        default: return TCR_TOOL_USAGE;
        }
    }

    if (optind + 1 != argc) {
        fputs(help, stderr);
        return TCR_TOOL_USAGE;
    }

    im.dir = realpath(argv[optind], dir);
    im.output = absolute(im.output, output);
    im.logs = absolute(im.logs, logs);

    if (im.dir == NULL) {
        return tcr_tool_usage(argv[0], "there is no \"%s\"", argv[optind]);
    }

    /* these stand in the files that are made, in comments at least */
    if (!tcr_import_is_path(im.dir) || im.output == NULL || im.logs == NULL) {
        return tcr_tool_usage(argv[0], "directories: expected names of "
                              "letters, digits and \"/._+@%%-\"");
    }

    return run(&im);
}
