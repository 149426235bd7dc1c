/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Options of tcr-fetch.  getopt_long gets its table from ours.
 */

#include "tcf_options.h"

#include <getopt.h>

#include "tcr_schema.h"
#include "tcr_settings.h"

#define WINDOW_MAX  86400         /* seconds                                 */


typedef enum {
    MODE_ONCE = 256,              /* above every short option                */
    MODE_WINDOW,
    MODE_FOREVER,
    MODE_CHECK,
    MODE_DRY_RUN,
    CONFIG,
    IMAGES,
    STATE,
    ACCEPT_OLDER,
    ACCEPT_SHRINK,
    IGNORE_CACHE,
    OFFLINE,
    LOG,
    VERBOSE,
    VERSION,
    HELP
} option_e;

static const struct {
    option_e     id;
    const char  *name;
    const char  *arg;
    const char  *help;
} table[] = {
    { MODE_ONCE, "once", NULL,
      "fetch what is due, publish, leave" },
    { MODE_WINDOW, "window", "SECONDS",
      "stay and poll, until the next one is started (for cron)" },
    { MODE_FOREVER, "forever", NULL,
      "stay and poll (for systemd)" },
    { MODE_CHECK, "check", NULL,
      "validate settings and inputs, publish nothing" },
    { MODE_DRY_RUN, "dry-run", NULL,
      "do everything but publish, print what would change" },
    { CONFIG, "config", "FILE",
      "settings, default " TCR_SETTINGS_FILE },
    { IMAGES, "images", "DIR",
      "image directory instead of the settings' \"images\"" },
    { STATE, "state", "DIR",
      "state directory instead of the settings' \"state\"" },
    { ACCEPT_OLDER, "accept-older", NULL,
      "take a snapshot that is older than the one in force" },
    { ACCEPT_SHRINK, "accept-shrink", NULL,
      "take a snapshot that lacks most of the caches or services" },
    { IGNORE_CACHE, "ignore-cache", NULL,
      "start as if there were no last good copies" },
    { OFFLINE, "offline", NULL,
      "with --check or --dry-run: ask nobody, use files and last copies" },
    { LOG, "log", "WHERE",
      "auto, stderr, journal or syslog, default auto" },
    { VERBOSE, "verbose", NULL,
      "log more" },
    { VERSION, "version", NULL,
      "print the version" },
    { HELP, "help", NULL,
      "print this" }
};

#define OPTIONS  (sizeof(table) / sizeof(table[0]))


void
tcf_options_help(FILE *out)
{
    int     n;
    size_t  i;

    fprintf(out, "usage: tcr-fetch MODE [OPTION...]\n\n"
            "Fetches what the CDN knows and publishes it as images.\n"
            "MODE is one of --once, --window, --forever, --check, "
            "--dry-run.\n\n");

    for (i = 0; i < OPTIONS; i++) {
        n = fprintf(out, "  --%s%s%s", table[i].name,
                    table[i].arg != NULL ? " " : "",
                    table[i].arg != NULL ? table[i].arg : "");
        fprintf(out, "%*s%s\n", n < 20 ? 20 - n : 1, "", table[i].help);
    }

    fprintf(out, "\nExit status: 0 published or nothing new, 1 wrong settings, "
            "2 no usable input.\n");
}


static tcf_options_e
wrong(tcr_err_t *err, const char *arg)
{
    size_t       i, len = strcspn(arg, "=");
    const char  *names[OPTIONS], *near = NULL;

    for (i = 0; i < OPTIONS; i++) {
        names[i] = table[i].name;
    }

    if (len > 2) {
        near = tcr_schema_near(tcr_str_n(arg + 2, len - 2), names, OPTIONS);
    }

    for (i = 0; i < OPTIONS; i++) {

        if (len > 2 && strlen(names[i]) == len - 2
            && strncmp(names[i], arg + 2, len - 2) == 0)
        {
            tcr_err_set(err, "\"%s\" needs %s value", arg,
                        table[i].arg != NULL ? "a" : "no");
            return TCF_OPTIONS_WRONG;
        }
    }

    if (near != NULL) {
        tcr_err_set(err, "unknown option \"%s\", did you mean \"--%s\"", arg,
                    near);

    } else {
        tcr_err_set(err, "unknown option \"%s\", try \"--help\"", arg);
    }

    return TCF_OPTIONS_WRONG;
}


static int
read_window(tcf_options_t *o, tcr_err_t *err)
{
    uint64_t  seconds;

    if (tcr_parse_uint(tcr_str(optarg), 1, WINDOW_MAX, &seconds) != 0) {
        return tcr_err_set(err, "\"--window\" is \"%s\", expected 1 to %d "
                           "seconds", optarg, WINDOW_MAX);
    }

    o->window = (int64_t) seconds * 1000;
    return 0;
}


static int
read_log(tcf_options_t *o, tcr_err_t *err)
{
    size_t  i;

    static const struct {
        const char      *name;
        tcr_log_sink_e   sink;
    } sinks[] = {
        { "auto", TCR_LOG_AUTO },
        { "stderr", TCR_LOG_STDERR },
        { "journal", TCR_LOG_JOURNAL },
        { "syslog", TCR_LOG_SYSLOG }
    };

    for (i = 0; i < sizeof(sinks) / sizeof(sinks[0]); i++) {

        if (strcmp(optarg, sinks[i].name) == 0) {
            o->log = sinks[i].sink;
            return 0;
        }
    }

    return tcr_err_set(err, "\"--log\" is \"%s\", expected auto, stderr, "
                       "journal or syslog", optarg);
}


static int
set_option(tcf_options_t *o, int id, tcr_err_t *err)
{
    switch (id) {

    case CONFIG:
        o->config = optarg;
        return 0;

    case IMAGES:
        o->images = optarg;
        return 0;

    case STATE:
        o->state = optarg;
        return 0;

    case ACCEPT_OLDER:
        o->accept_older = true;
        return 0;

    case ACCEPT_SHRINK:
        o->accept_shrink = true;
        return 0;

    case IGNORE_CACHE:
        o->ignore_cache = true;
        return 0;

    case OFFLINE:
        o->offline = true;
        return 0;

    case VERBOSE:
        o->verbose = true;
        return 0;

    case LOG:
        return read_log(o, err);

    default:
        return 0;
    }
}


static void
fill(struct option *longs)
{
    size_t  i;

    for (i = 0; i < OPTIONS; i++) {
        longs[i].name = table[i].name;
        longs[i].has_arg = table[i].arg != NULL;
        longs[i].val = table[i].id;
    }
}


tcf_options_e
tcf_options_read(tcf_options_t *o, int argc, char **argv, tcr_err_t *err)
{
    int            id, modes = 0;
    struct option  longs[OPTIONS + 1] = { { NULL, 0, NULL, 0 } };

    memset(o, 0, sizeof(*o));
    o->config = TCR_SETTINGS_FILE;
    fill(longs);
    opterr = 0;

    while ((id = getopt_long(argc, argv, "", longs, NULL)) != -1) {

        if (id == '?') {
            return wrong(err, argv[optind - 1]);
        }

        if (id == HELP || id == VERSION) {
            return id == HELP ? TCF_OPTIONS_HELP : TCF_OPTIONS_VERSION;
        }

        if (id <= MODE_DRY_RUN) {
            o->mode = (tcf_mode_e) (id - MODE_ONCE);
            modes++;
        }

        if ((id == MODE_WINDOW && read_window(o, err) != 0)
            || set_option(o, id, err) != 0)
        {
            return TCF_OPTIONS_WRONG;
        }
    }

    if (optind < argc) {
        tcr_err_set(err, "unexpected argument \"%s\"", argv[optind]);
        return TCF_OPTIONS_WRONG;
    }

    if (modes != 1) {
        tcr_err_set(err, "%s modes are given, expected one of --once, "
                    "--window, --forever, --check, --dry-run",
                    modes == 0 ? "no" : "several");
        return TCF_OPTIONS_WRONG;
    }

    if (o->offline && !tcf_options_dry(o)) {
        tcr_err_set(err, "\"--offline\" goes with --check or --dry-run only");
        return TCF_OPTIONS_WRONG;
    }

    return TCF_OPTIONS_OK;
}
