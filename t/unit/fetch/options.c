/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The command line.
 */

#include "tcf_options.h"

#include <getopt.h>
#include <stdlib.h>

#include "tap.h"

#define ARGS_MAX  6


static tcr_err_t      err;
static tcf_options_t  o;


static tcf_options_e
read_args(const char *a, const char *b, const char *c, const char *d)
{
    int    argc = 1;
    char  *argv[ARGS_MAX] = { (char *) "tcr-fetch", (char *) a, (char *) b,
                              (char *) c, (char *) d, NULL };

    while (argv[argc] != NULL) {
        argc++;
    }

    optind = 0;                   /* getopt(3): begins anew                  */
    return tcf_options_read(&o, argc, argv, &err);
}


static void
wrong(const char *a, const char *b, const char *why)
{
    is_int(read_args(a, b, NULL, NULL), TCF_OPTIONS_WRONG, "%s %s", a,
           b != NULL ? b : "");
    is_str(err.text, why, "why");
}


int
main(void)
{
    is_int(read_args("--once", NULL, NULL, NULL), TCF_OPTIONS_OK, "once");
    is_int(o.mode, TCF_ONCE, "is the mode");
    is_str(o.config, "/etc/tcrouter/tcrouter.yaml", "with these settings");
    ok(o.images == NULL && o.state == NULL && !o.accept_older, "and no more");
    ok(!tcf_options_dry(&o), "not dry");

    is_int(read_args("--window=60", "--config", "/c", "--accept-shrink"),
           TCF_OPTIONS_OK, "a window");
    is_int(o.window, 60000, "of a minute");
    is_str(o.config, "/c", "with other settings");
    ok(o.accept_shrink, "and a flag");

    is_int(read_args("--dry-run", "--log", "stderr", "--verbose"),
           TCF_OPTIONS_OK, "a dry run");
    ok(tcf_options_dry(&o) && o.verbose && o.log == TCR_LOG_STDERR, "it is");

    is_int(read_args("--help", NULL, NULL, NULL), TCF_OPTIONS_HELP, "help");
    is_int(read_args("--version", NULL, NULL, NULL), TCF_OPTIONS_VERSION,
           "version");

    wrong("--onec", NULL,
          "unknown option \"--onec\", did you mean \"--once\"");
    wrong("--nonsense", NULL,
          "unknown option \"--nonsense\", try \"--help\"");
    wrong("-x", NULL, "unknown option \"-x\", try \"--help\"");
    wrong("--once=3", NULL, "\"--once=3\" needs no value");
    wrong("--window", NULL, "\"--window\" needs a value");
    wrong("--window", "0",
          "\"--window\" is \"0\", expected 1 to 86400 seconds");
    wrong("--log", "here", "\"--log\" is \"here\", expected auto, stderr, "
          "journal or syslog");
    wrong("--once", "more", "unexpected argument \"more\"");
    wrong("--verbose", NULL, "no modes are given, expected one of --once, "
          "--window, --forever, --check, --dry-run");
    wrong("--once", "--forever", "several modes are given, expected one of "
          "--once, --window, --forever, --check, --dry-run");

    return done();
}
