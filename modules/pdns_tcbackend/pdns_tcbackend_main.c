/* SPDX-License-Identifier: Apache-2.0 */

/*
 * pdns_tcbackend: answers PowerDNS' remote and pipe backends from the images.
 */

#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "tcr_harden.h"
#include "tcr_log.h"
#include "tcr_version.h"

#include "tcb_server.h"

#define TCB_IMAGES  "/run/tcrouter/images"


typedef struct {
    const char  *images;
    const char  *socket;
    const char  *access_log;
    const char  *group;
} tcb_options_t;


static const char  usage[] =
    "usage: pdns_tcbackend [--images DIR] [--socket PATH [--group NAME]]\n"
    "                      [--access-log FILE] [--help] [--version]\n"
    "\n"
    "Without --socket it answers on standard input and output.\n";


static const struct option  options[] = {
    { "images",     required_argument, NULL, 'i' },
    { "socket",     required_argument, NULL, 's' },
    { "access-log", required_argument, NULL, 'l' },
    { "group",      required_argument, NULL, 'g' },
    { "help",       no_argument,       NULL, 'h' },
    { "version",    no_argument,       NULL, 'v' },
    { NULL, 0, NULL, 0 }
};


/* Ends the program where there is nothing to serve. */
static void
read_options(int argc, char **argv, tcb_options_t *opts)
{
    int  c;

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {

        switch (c) {

        case 'i':
            opts->images = optarg;
            break;

        case 's':
            opts->socket = optarg;
            break;

        case 'l':
            opts->access_log = optarg;
            break;

        case 'g':
            opts->group = optarg;
            break;

        case 'h':
            fputs(usage, stdout);
            exit(0);

        case 'v':
            puts("pdns_tcbackend " TCR_VERSION);
            exit(0);

        default:
            fputs(usage, stderr);
            exit(1);
        }
    }

    if (optind != argc) {
        fprintf(stderr, "pdns_tcbackend: unexpected argument \"%s\"\n",
                argv[optind]);
        exit(1);
    }

    if (opts->group != NULL && opts->socket == NULL) {
        fputs("pdns_tcbackend: --group is the group of --socket, which is "
              "missing\n", stderr);
        exit(1);
    }
}


static void
complain(void *ctx, const char *text)
{
    (void) ctx;
    tcr_log_limited(TCR_LOG_ERR, "images", "%s", text);
}


int
main(int argc, char **argv)
{
    int             rc;
    tcr_err_t       err;
    tcb_log_t      *log;
    tcb_core_t     *core;
    tcb_options_t   opts = { .images = TCB_IMAGES };

    tcr_harden();
    read_options(argc, argv, &opts);
    tcr_log_open("pdns_tcbackend", TCR_LOG_AUTO, TCR_LOG_INFO);
    signal(SIGPIPE, SIG_IGN);

    log = NULL;
    core = NULL;
    rc = -1;

    if (opts.access_log != NULL) {
        log = tcb_log_open(opts.access_log, &err);

        if (log == NULL) {
            goto done;
        }
    }

    core = tcb_core_create(opts.images, log, complain, NULL);

    if (core == NULL) {
        (void) tcr_err_set(&err, "no memory");
        goto done;
    }

    if (!tcr_view_ready(tcb_core_view(core))) {
        tcr_log(TCR_LOG_WARN, "no images in \"%s\" yet", opts.images);
    }

    rc = opts.socket != NULL
         ? tcb_serve_socket(core, log, opts.socket, opts.group, &err)
         : tcb_serve_stdio(core, &err);

done:

    if (rc != 0) {
        tcr_log(TCR_LOG_ERR, "%s", err.text);
    }

    tcb_core_destroy(core);
    tcb_log_close(log);
    return rc == 0 ? 0 : 1;
}
