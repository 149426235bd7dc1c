/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The command line of tcr-fetch: one table, read and printed.
 */

#ifndef TCF_OPTIONS_H_INCLUDED
#define TCF_OPTIONS_H_INCLUDED

#include <stdio.h>

#include "tcr_err.h"
#include "tcr_log.h"


typedef enum {
    TCF_ONCE,                     /* one round of everything that is due     */
    TCF_WINDOW,                   /* resident for its window, then handover  */
    TCF_FOREVER,                  /* resident                                */
    TCF_CHECK,                    /* validate settings and inputs            */
    TCF_DRY_RUN                   /* say what would change                   */
} tcf_mode_e;

typedef struct {
    tcf_mode_e      mode;
    int64_t         window;       /* ms                                      */
    const char     *config;
    const char     *images;       /* NULL = as in the settings               */
    const char     *state;        /* NULL = as in the settings               */
    bool            accept_older;
    bool            accept_shrink;
    bool            ignore_cache; /* start without last good copies          */
    bool            offline;      /* files and copies only                   */
    bool            verbose;
    tcr_log_sink_e  log;
} tcf_options_t;

typedef enum {
    TCF_OPTIONS_OK,
    TCF_OPTIONS_WRONG,
    TCF_OPTIONS_HELP,             /* --help was asked for                    */
    TCF_OPTIONS_VERSION
} tcf_options_e;


tcf_options_e tcf_options_read(tcf_options_t *options, int argc, char **argv,
    tcr_err_t *err);

void tcf_options_help(FILE *out);

/* Publishes and stores nothing? */
static inline bool
tcf_options_dry(const tcf_options_t *options)
{
    return options->mode == TCF_CHECK || options->mode == TCF_DRY_RUN;
}


#endif /* TCF_OPTIONS_H_INCLUDED */
