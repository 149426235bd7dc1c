/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Turns, and who is passed over.
 */

#include "tcf_monitors.h"

#include <stdlib.h>


static tcf_monitor_t *
find(const tcf_monitors_t *m, const char *host)
{
    uint32_t  i;

    for (i = 0; i < m->n; i++) {

        if (strcmp(m->list[i].host, host) == 0) {
            return &m->list[i];
        }
    }

    return NULL;
}


static bool
differ(const tcf_monitors_t *m, const tcf_monitors_t *other)
{
    uint32_t  i;

    for (i = 0; i < m->n; i++) {

        if (find(other, m->list[i].host) == NULL) {
            return true;
        }
    }

    return m->n != other->n;
}


/* Each host once, with what is known of it. */
static int
fill(tcf_monitors_t *fresh, const tcf_monitors_t *m, const char *const *hosts,
    uint32_t n)
{
    uint32_t              i;
    tcf_monitor_t        *one;
    const tcf_monitor_t  *known;

    fresh->list = calloc(n + 1, sizeof(*fresh->list));

    for (i = 0; fresh->list != NULL && i < n; i++) {

        if (find(fresh, hosts[i]) != NULL) {
            continue;
        }

        one = &fresh->list[fresh->n];
        known = find(m, hosts[i]);

        if (known != NULL) {
            *one = *known;
        }

        one->host = strdup(hosts[i]);

        if (one->host == NULL) {
            return -1;
        }

        fresh->n++;
    }

    return fresh->list == NULL ? -1 : 0;
}


int
tcf_monitors_set(tcf_monitors_t *m, const char *const *hosts, uint32_t n,
    tcr_err_t *err)
{
    tcf_monitors_t  fresh = { NULL, 0, { 0, 0 } };

    if (fill(&fresh, m, hosts, n) != 0) {
        tcf_monitors_free(&fresh);
        return tcr_err_set(err, "no memory for the list of monitors");
    }

    if (!differ(&fresh, m)) {
        tcf_monitors_free(&fresh);
        return 0;
    }

    tcf_monitors_free(m);
    *m = fresh;
    return 1;
}


void
tcf_monitors_free(tcf_monitors_t *m)
{
    uint32_t  i;

    for (i = 0; i < m->n; i++) {
        free(m->list[i].host);
    }

    free(m->list);
    memset(m, 0, sizeof(*m));
}


/* The one that has been passed over longest, when nobody else is left. */
static tcf_monitor_t *
least_dead(const tcf_monitors_t *m, unsigned poller, uint64_t round)
{
    uint32_t        i;
    tcf_monitor_t  *one, *best = NULL;

    for (i = 0; i < m->n; i++) {
        one = &m->list[i];

        if (!one->flying[poller] && one->round[poller] != round
            && (best == NULL || one->dead_until < best->dead_until))
        {
            best = one;
        }
    }

    return best;
}


const tcf_monitor_t *
tcf_monitors_pick(tcf_monitors_t *m, unsigned poller, uint64_t round,
    int64_t now)
{
    uint32_t        k;
    tcf_monitor_t  *one, *chosen = NULL;

    for (k = 0; k < m->n && chosen == NULL; k++) {
        one = &m->list[(m->next[poller] + k) % m->n];

        if (!one->flying[poller] && one->round[poller] != round
            && one->dead_until <= now)
        {
            chosen = one;
        }
    }

    if (chosen == NULL) {
        chosen = least_dead(m, poller, round);
    }

    if (chosen != NULL) {
        m->next[poller] = ((uint32_t) (chosen - m->list) + 1) % m->n;
        chosen->round[poller] = round;
        chosen->flying[poller] = true;
    }

    return chosen;
}


void
tcf_monitors_ok(tcf_monitors_t *m, const char *host, unsigned poller)
{
    tcf_monitor_t  *one = find(m, host);

    if (one != NULL) {
        one->flying[poller] = false;
        one->tried = true;
        one->failures = 0;
        one->dead_until = 0;
    }
}


void
tcf_monitors_failed(tcf_monitors_t *m, const char *host, unsigned poller,
    int64_t now)
{
    unsigned        n;
    int64_t         pause = TCF_MONITOR_BACKOFF;
    tcf_monitor_t  *one = find(m, host);

    if (one == NULL) {
        return;
    }

    one->flying[poller] = false;
    one->tried = true;

    /* two pollers that fail at one moment have seen one failure */
    if (one->dead_until > now) {
        return;
    }

    for (n = 0; n < one->failures && pause < TCF_MONITOR_BACKOFF_MAX; n++) {
        pause *= 2;
    }

    one->failures++;
    one->dead_until = now + (pause < TCF_MONITOR_BACKOFF_MAX
                             ? pause : TCF_MONITOR_BACKOFF_MAX);
}


bool
tcf_monitors_all_tried(const tcf_monitors_t *m)
{
    uint32_t  i;

    for (i = 0; i < m->n; i++) {

        if (!m->list[i].tried) {
            return false;
        }
    }

    return true;
}
