/* SPDX-License-Identifier: Apache-2.0 */

/*
 * tcrouter check: the settings, by the very reader of tcr-fetch, and the ports
 * that what is in force gives this router, without asking anybody; with
 * --inputs tcr-fetch --check goes on to everything that the settings name, and
 * with --offline as far as that is at hand.
 */

#include <errno.h>
#include <getopt.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "tcr_clock.h"
#include "tcr_ports.h"
#include "tcr_settings.h"
#include "tcr_tool.h"
#include "tcr_view.h"


static const char  help[] =
    "usage: tcrouter check [--config FILE] [--inputs] [--offline]\n\n"
    "  --config FILE       settings (" TCR_SETTINGS_FILE ")\n"
    "  --inputs            fetches and checks what they name, too\n"
    "  --offline           the same, of files and last good copies only\n";


static const char *
severity_name(tcr_severity_e severity)
{
    return severity == TCR_REPORT_ERROR ? "error"
           : severity == TCR_REPORT_LEFT_OUT ? "left out" : "warning";
}


/* Of the images that serve; no word if there are none yet. */
static void
check_ports(const char *images, tcr_report_t *report)
{
    tcr_err_t    err;
    tcr_view_t  *view = tcr_view_create(images, 1);

    if (view != NULL && tcr_view_refresh(view, tcr_now_ms(), &err) >= 0
        && tcr_view_ready(view))
    {
        tcr_ports_check(tcr_view_image(view, TCR_SLOT_ROUTING), report);
    }

    tcr_view_destroy(view);
}


/* inputs: the ports are checked with them, in what would serve. */
static int
check_settings(const char *path, bool inputs)
{
    int                   rc;
    tcr_arena_t          *arena = tcr_arena_create(0);
    tcr_report_t          report;
    tcr_settings_t        settings;
    const tcr_problem_t  *p;

    if (arena == NULL) {
        return tcr_tool_fail("check", "no memory");
    }

    tcr_report_init(&report, arena, 0);
    rc = tcr_settings_load(&settings, arena, path, &report);

    if (rc == 0 && !inputs) {
        check_ports(settings.images.data, &report);
    }

    for (p = report.first; p != NULL; p = p->next) {
        fprintf(stderr, "%s: %s\n", severity_name(p->severity), p->text);
    }

    if (rc == 0) {
        printf("%s: the settings are valid\n", path);

    } else {
        fprintf(stderr, "%s: %zu errors\n", path,
                report.count[TCR_REPORT_ERROR]);
    }

    tcr_arena_destroy(arena);
    return rc == 0 ? TCR_TOOL_OK : TCR_TOOL_FAILED;
}


/* tcr-fetch of the same build: it stands beside this program. */
static int
check_inputs(const char *config, bool offline)
{
    char     self[PATH_MAX], path[PATH_MAX + 16];
    ssize_t  n = readlink("/proc/self/exe", self, sizeof(self) - 1);

    if (n > 0) {
        self[n] = '\0';
        snprintf(path, sizeof(path), "%s/tcr-fetch", dirname(self));
        fflush(stdout);
        execl(path, "tcr-fetch", "--check", "--config", config,
              offline ? "--offline" : NULL, (char *) NULL);
    }

    return tcr_tool_fail("check", "cannot run tcr-fetch: %s",
                         strerror(errno));
}


int
tcr_tool_check(int argc, char **argv)
{
    int          c, rc;
    bool         inputs = false, offline = false;
    const char  *config = TCR_SETTINGS_FILE;

    static const struct option  options[] = {
        { "config", required_argument, NULL, 'c' },
        { "inputs", no_argument, NULL, 'i' },
        { "offline", no_argument, NULL, 'o' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 }
    };

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (c) {
        case 'c': config = optarg; break;
        case 'i': inputs = true; break;
        case 'o': inputs = offline = true; break;
        case 'h': fputs(help, stdout); return TCR_TOOL_OK;
        default: return TCR_TOOL_USAGE;
        }
    }

    if (optind != argc) {
        fputs(help, stderr);
        return TCR_TOOL_USAGE;
    }

    rc = check_settings(config, inputs);
    return rc == TCR_TOOL_OK && inputs ? check_inputs(config, offline) : rc;
}
