/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Sources: who is asked when.
 *
 * A round of a source is one poll with all its fail-overs.  States are asked
 * for again when they are due even if an answer is still out: one monitor
 * that hangs must not hold health up.
 */

#include "tcf.h"

#include <stdlib.h>

#include "tcr_clock.h"

#define ONCE_SLACK  30000         /* ms: due so soon is due for --once       */


/* Up to an eighth of the interval, another one for each router and source. */
static int64_t
skew(const tcf_t *f, const tcf_source_t *s)
{
    uint64_t  hash = tcr_str_hash(tcr_str(f->router))
                     ^ tcr_str_hash(tcr_str(s->row->name));

    return (int64_t) (hash % (uint64_t) (s->interval / 8 + 1));
}


static void
start_round(tcf_t *f, tcf_source_t *s, int64_t now)
{
    s->due = tcf_due_next(s->due, now, s->interval);

    /* a CDN's routers were started by one clock: they need not ask at once */
    if (s->last_ok == 0 && !tcf_asks_states(s)) {
        s->due -= skew(f, s);
    }

    if (s->flying > 0 && !(tcf_asks_states(s) && tcf_asks_monitors(s))) {
        return;
    }

    s->asked = true;
    s->again = false;
    tcf_ask(f, s, ++s->round);
}


/* A run that is to ask once asks a little early rather than a minute late. */
static bool
is_due(const tcf_t *f, const tcf_source_t *s, int64_t now)
{
    int64_t  slack = s->interval / 2 < ONCE_SLACK ? s->interval / 2
                                                  : ONCE_SLACK;

    if (!s->in_use || (f->options->offline && !tcf_reads_file(s))) {
        return false;
    }

    if (tcf_is_once(f)) {
        return !s->asked && (s->row->always || s->accepted.size == 0
                             || s->due <= now + slack);
    }

    return s->due <= now && (!f->leaving || tcf_asks_states(s));
}


void
tcf_poll_due(tcf_t *f, int64_t now)
{
    tcf_source_e  i;

    for (i = 0; i < TCF_SOURCES; i++) {

        if (is_due(f, &f->sources[i], now)) {
            start_round(f, &f->sources[i], now);
        }
    }
}


int64_t
tcf_poll_next(const tcf_t *f)
{
    int64_t              now = tcr_ticks_ms(), next = TCF_NEVER;
    tcf_source_e         i;
    const tcf_source_t  *s;

    for (i = 0; i < TCF_SOURCES; i++) {
        s = &f->sources[i];

        if (is_due(f, s, now)) {
            return now;
        }

        if (!tcf_is_once(f) && s->in_use && s->due < next
            && (!f->leaving || tcf_asks_states(s)))
        {
            next = s->due;
        }
    }

    return next;
}


bool
tcf_poll_idle(const tcf_t *f)
{
    int64_t       now = tcr_ticks_ms();
    tcf_source_e  i;

    for (i = 0; i < TCF_SOURCES; i++) {

        if (f->sources[i].flying > 0 || is_due(f, &f->sources[i], now)) {
            return false;
        }
    }

    return true;
}


void
tcf_poll_run(tcf_t *f)
{
    tcf_http_run(f->http, tcf_answer, f);
}


/* --- settings and snapshot decide who is asked --- */

static void
log_monitors(tcf_t *f)
{
    uint32_t   i;
    tcr_buf_t  buf;

    tcr_buf_init(&buf, 1500);

    for (i = 0; i < f->monitors.n; i++) {
        tcr_buf_printf(&buf, "%s%s", i == 0 ? "" : ", ",
                       f->monitors.list[i].host);
    }

    tcf_event(f, TCR_LOG_NOTICE, "traffic_monitor.bootstrap.hosts changed to: "
              "[%.*s]", (int) buf.len, buf.data != NULL ? buf.data : "");
    tcr_buf_free(&buf);
}


static int
set_monitors(tcf_t *f, tcr_err_t *err)
{
    int                   rc = -1;
    bool                  first = f->monitors.n == 0;
    size_t                i;
    const char          **hosts;
    const tcr_texts_t    *bootstrap = &f->settings.v.monitors;

    if (bootstrap->n != 0 && !f->settings.v.local && f->facts != NULL
        && f->facts->n_monitors != 0)
    {
        rc = tcf_monitors_set(&f->monitors, f->facts->monitors,
                              f->facts->n_monitors, err);

    } else {
        hosts = calloc(bootstrap->n + 1, sizeof(*hosts));

        for (i = 0; hosts != NULL && i < bootstrap->n; i++) {
            hosts[i] = bootstrap->items[i].data;
        }

        if (hosts != NULL) {
            rc = tcf_monitors_set(&f->monitors, hosts,
                                  (uint32_t) bootstrap->n, err);
        }

        free(hosts);
    }

    if (rc == 1 && !first) {
        log_monitors(f);
    }

    return rc < 0 ? -1 : 0;
}


int
tcf_poll_configure(tcf_t *f, tcr_err_t *err)
{
    bool          asked = f->settings.v.monitors.n != 0;
    tcf_source_e  i;

    if (set_monitors(f, err) != 0) {
        return -1;
    }

    for (i = 0; i < TCF_SOURCES; i++) {

        if (tcf_source_configure(&f->sources[i], &f->settings.v, f->facts,
                                 asked, tcr_ticks_ms(), err)
            != 0)
        {
            return -1;
        }
    }

    tcf_ops_configure(f);
    return 0;
}
