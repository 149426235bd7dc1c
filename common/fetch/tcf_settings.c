/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Settings at the start and again on SIGHUP.
 */

#include "tcf.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tcr_challenges.h"
#include "tcr_clock.h"

#define LOOK_MS  10000            /* between two looks at the files          */


/* Printed here and not logged: who typed the command is to see them all. */
static void
print_problems(const tcr_report_t *report)
{
    const tcr_problem_t  *p;

    for (p = report->first; p != NULL; p = p->next) {
        fprintf(stderr, "%s\n", p->text);
    }

    if (report->count[TCR_REPORT_ERROR] > 1) {
        fprintf(stderr, "%zu errors in the settings\n",
                report->count[TCR_REPORT_ERROR]);
    }
}


static void
log_problems(tcf_t *f, const tcr_report_t *report)
{
    const tcr_problem_t  *p;

    for (p = report->first; p != NULL; p = p->next) {
        tcr_log(TCR_LOG_ERR, "%s", p->text);
    }

    tcf_event(f, TCR_LOG_ERR, "the settings are wrong, the old ones stay: %s",
              report->first != NULL ? report->first->text : "no memory");
}


/* f: who has settings that stay, NULL at the start. */
static int
load(tcf_settings_t *settings, const char *path, tcf_t *f)
{
    tcr_report_t  report;

    settings->arena = tcr_arena_create(0);

    if (settings->arena == NULL) {
        return -1;
    }

    tcr_report_init(&report, settings->arena, 0);

    if (tcr_settings_load(&settings->v, settings->arena, path, &report)
        != 0)
    {
        if (f != NULL) {
            log_problems(f, &report);

        } else {
            print_problems(&report);
        }

        snprintf(settings->state, sizeof(settings->state), "%s",
                 settings->v.state.data != NULL ? settings->v.state.data
                                                : TCR_SETTINGS_STATE);
        tcr_arena_destroy(settings->arena);
        settings->arena = NULL;
        return -1;
    }

    return 0;
}


int
tcf_settings_load(tcf_settings_t *settings, const char *path)
{
    return load(settings, path, NULL);
}


/* Our key in contentRouters: the host's name up to the first dot. */
static void
set_router(tcf_t *f)
{
    if (f->settings.v.router.data != NULL) {
        snprintf(f->router, sizeof(f->router), "%s",
                 f->settings.v.router.data);
        return;
    }

    if (gethostname(f->router, sizeof(f->router)) != 0) {
        f->router[0] = '\0';
    }

    f->router[sizeof(f->router) - 1] = '\0';
    f->router[strcspn(f->router, ".")] = '\0';
}


/* Where `tcrouter acme` writes, unless the settings say it. */
static int
set_acme(tcf_t *f, tcr_err_t *err)
{
    tcr_settings_t  *s = &f->settings.v;

    if (s->acme.data == NULL) {
        s->acme = tcr_str(tcr_arena_printf(f->settings.arena,
                                           "file:%s/" TCR_ACME_DIR "/"
                                           TCR_ACME_FILE, f->state));
    }

    return s->acme.data != NULL ? 0
           : tcr_err_set(err, "no memory for settings");
}


int
tcf_settings_apply(tcf_t *f, tcr_err_t *err)
{
    if (set_acme(f, err) != 0) {
        return -1;
    }

    set_router(f);
    f->status_changed = true;

    if (tcf_poll_configure(f, err) != 0) {
        return -1;
    }

    tcf_own_due(f);
    tcf_kept_save(f);
    return 0;
}


/* Directories are open: another place needs another process. */
static void
warn_of_fixed(const tcf_t *f, const tcr_settings_t *fresh)
{
    const tcr_settings_t  *old = &f->settings.v;

    if (!tcr_str_eq(fresh->images, old->images)
        || !tcr_str_eq(fresh->state, old->state))
    {
        tcr_log(TCR_LOG_WARN, "another \"images\" or \"state\" directory "
                "counts from the next start on");
    }
}


/* --- changes --- */

/* What tells a file from the one before; 0 = there is none. */
static uint64_t
describe_file(int dirfd, const char *name)
{
    char         text[128];
    struct stat  st;

    if (fstatat(dirfd, name, &st, 0) != 0) {
        return 0;
    }

    snprintf(text, sizeof(text), "%ju %ju %jd.%09ld", (uintmax_t) st.st_ino,
             (uintmax_t) st.st_size, (intmax_t) st.st_mtim.tv_sec,
             st.st_mtim.tv_nsec);

    return tcr_str_hash(tcr_str(text));
}


/* The file of the settings and those of conf.d beside it, in any order. */
static uint64_t
describe_files(const char *path)
{
    char            more[PATH_MAX];
    DIR            *dir;
    uint64_t        sum = describe_file(AT_FDCWD, path);
    const char     *slash = strrchr(path, '/');
    struct dirent  *entry;

    snprintf(more, sizeof(more), "%.*sconf.d",
             slash != NULL ? (int) (slash - path) + 1 : 0, path);
    dir = opendir(more);

    while (dir != NULL && (entry = readdir(dir)) != NULL) {

        if (tcr_str_ends(tcr_str(entry->d_name), TCR_STR(".yaml"))) {
            sum += describe_file(dirfd(dir), entry->d_name);
        }
    }

    if (dir != NULL) {
        closedir(dir);
    }

    return sum;
}


void
tcf_settings_look(tcf_t *f, int64_t now)
{
    uint64_t  files;

    if (tcf_is_once(f) || now < f->settings_at) {
        return;
    }

    f->settings_at = now + LOOK_MS;
    files = describe_files(f->options->config);

    if (f->settings_files != 0 && files != f->settings_files) {
        tcf_settings_again(f);
    }

    f->settings_files = files;
}


void
tcf_settings_again(tcf_t *f)
{
    tcr_err_t       err;
    tcf_settings_t  fresh, old = f->settings;

    f->settings_files = describe_files(f->options->config);

    if (load(&fresh, f->options->config, f) != 0) {
        return;
    }

    warn_of_fixed(f, &fresh.v);
    f->settings = fresh;
    f->wrong = false;

    if (tcf_settings_apply(f, &err) != 0) {
        tcr_log(TCR_LOG_ERR, "%s", err.text);
    }

    tcr_arena_destroy(old.arena);
    f->judge_at = tcr_ticks_ms();
    tcf_event(f, TCR_LOG_NOTICE, "settings were read again");
}
