/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The last good settings, as one file: cron starts us every minute, and a
 * mistake that was saved just now must not stop health from moving.
 */

#include "tcf.h"

#include <stdio.h>
#include <unistd.h>

#define SETTINGS_MAX  (256u * 1024 * 1024)


void
tcf_kept_save(const tcf_t *f)
{
    tcr_err_t  err;
    tcr_buf_t  buf;

    if (tcf_options_dry(f->options) || f->wrong) {
        return;
    }

    tcr_buf_init(&buf, SETTINGS_MAX);
    tcr_buf_str(&buf, TCR_STR("# the last good settings, merged\n"
                              "version: 1\n"));
    tcr_settings_write(&f->settings.v, &buf);

    if (!buf.failed
        && !tcf_store_same(&f->store, TCF_KEPT_NAME, buf.data, buf.len)
        && tcf_store_put(&f->store, TCF_KEPT_NAME, buf.data, buf.len, 0600,
                         &err) != 0)
    {
        tcr_log_limited(TCR_LOG_WARN, TCF_KEPT_NAME, "cannot keep the last "
                        "good settings: %s", err.text);
    }

    tcr_buf_free(&buf);
}


int
tcf_kept_load(tcf_settings_t *settings, const tcf_options_t *options,
    const char *state)
{
    char  path[PATH_MAX];

    if (options->mode != TCF_WINDOW && options->mode != TCF_FOREVER) {
        return -1;
    }

    snprintf(path, sizeof(path), "%s/" TCF_KEPT_NAME,
             options->state != NULL ? options->state : state);

    return access(path, R_OK) == 0 ? tcf_settings_load(settings, path) : -1;
}
