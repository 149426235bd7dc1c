/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A session with Traffic Ops goes from one run to the next: cron starts us
 * every minute, and logging in costs the server a password's hash each time.
 *
 * STATE/session.json, mode 0600, holds cookies, never name or password; it is
 * good for the same server and the same file of credentials only.
 */

#include "tcf.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tcr_clock.h"

#define SESSION_MAX  262144


/* What tells a file of credentials from the one before. */
static void
describe_credentials(const tcf_t *f, char *text, size_t size)
{
    struct stat  st;

    text[0] = '\0';

    if (stat(f->settings.v.ops.credentials.data, &st) == 0) {
        snprintf(text, size, "%ju-%ju-%jd.%09ld", (uintmax_t) st.st_ino,
                 (uintmax_t) st.st_size, (intmax_t) st.st_mtim.tv_sec,
                 st.st_mtim.tv_nsec);
    }
}


static void
fill(const tcf_t *f, tcr_buf_t *buf)
{
    char                  credentials[TCF_NAME_MAX];
    int64_t               now = tcr_ticks_ms(), wall = tcr_now_ms();
    tcr_jw_t              w = tcr_jw(buf);
    unsigned              i;
    const tcf_cookie_t   *cookie;

    describe_credentials(f, credentials, sizeof(credentials));
    tcr_jw_open(&w, NULL, '{');
    tcr_jw_str(&w, "login", tcr_str(f->ops.login));
    tcr_jw_str(&w, "credentials", tcr_str(credentials));
    tcr_jw_open(&w, "cookies", '[');

    for (i = 0; i < f->ops.cookies.n; i++) {
        cookie = &f->ops.cookies.list[i];
        tcr_jw_open(&w, NULL, '{');
        tcr_jw_str(&w, "text", tcr_str(cookie->text));
        tcr_jw_int(&w, "until", tcf_due_to_wall(cookie->until, now, wall));
        tcr_jw_close(&w, '}');
    }

    tcr_jw_close(&w, ']');
    tcr_jw_close(&w, '}');
}


void
tcf_session_save(const tcf_t *f)
{
    tcr_buf_t  buf;
    tcr_err_t  err;

    if (f->ops.session == 0) {
        unlinkat(f->store.dirfd, TCF_SESSION_NAME, 0);
        return;
    }

    tcr_buf_init(&buf, SESSION_MAX);
    fill(f, &buf);

    if (buf.failed
        || tcr_file_replace(f->store.dirfd, TCF_SESSION_NAME, buf.data,
                            buf.len, 0600, &err) != 0)
    {
        tcr_log_limited(TCR_LOG_WARN, TCF_SESSION_NAME, "cannot keep the "
                        "session with Traffic Ops: %s",
                        buf.failed ? "no memory" : err.text);
    }

    if (buf.data != NULL) {
        explicit_bzero(buf.data, buf.len);
    }

    tcr_buf_free(&buf);
}


static void
take_cookies(tcf_t *f, const tcr_json_t *list)
{
    int64_t            until, now = tcr_ticks_ms(), wall = tcr_now_ms();
    const tcr_json_t  *one;

    for (one = tcr_json_first(list); one != NULL; one = one->next) {
        until = tcr_json_long(tcr_json_get(one, "until"), 0);
        tcf_cookies_add(&f->ops.cookies,
                        tcr_json_str(tcr_json_get(one, "text"),
                                     TCR_STR("")),
                        until == 0 ? TCF_NEVER
                        : tcf_due_from_wall(until, now, wall, TCF_COOKIE_MS),
                        now);
    }
}


static void
take(tcf_t *f, tcr_arena_t *arena, tcr_str_t text)
{
    char               credentials[TCF_NAME_MAX];
    tcr_json_doc_t     doc;

    describe_credentials(f, credentials, sizeof(credentials));

    if (tcr_json_parse(&doc, arena, TCF_SESSION_NAME, text, NULL) != 0
        || !tcr_str_eq(tcr_json_str(tcr_json_get(doc.root, "login"),
                                    TCR_STR("")), tcr_str(f->ops.login))
        || !tcr_str_eq(tcr_json_str(tcr_json_get(doc.root, "credentials"),
                                    TCR_STR("")), tcr_str(credentials)))
    {
        return;
    }

    take_cookies(f, tcr_json_get(doc.root, "cookies"));

    if (f->ops.cookies.n != 0) {
        f->ops.session = ++f->ops.sessions;
        f->ops.since = tcr_ticks_ms();
    }
}


/* Without a readable one we log in, which is no error. */
void
tcf_session_load(tcf_t *f)
{
    bool          missing;
    tcr_file_t    file;
    tcr_arena_t  *arena = tcr_arena_create(0);

    if (arena != NULL
        && tcf_store_map(&f->store, TCF_SESSION_NAME, false, &file, &missing,
                         NULL) == 0)
    {
        take(f, arena, file.text);
        tcr_file_unmap(&file);
    }

    tcr_arena_destroy_wiped(arena);
}
