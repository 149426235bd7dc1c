/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Which of PowerDNS' look-ups is the client's question.
 *
 * For one question the remote and pipe backends ask for the name, then
 * perhaps for its wildcards and the names above it, and with the setting
 * consistent-backends=yes for each name twice.  Only the first of them is to
 * be logged and counted.
 */

#include "tcb_session.h"


static bool
same_client(const tcb_question_t *a, const tcb_question_t *b)
{
    return a->resolver.family == b->resolver.family
           && a->subnet.family == b->subnet.family
           && a->subnet_len == b->subnet_len
           && tcr_addr_cmp(&a->resolver, &b->resolver) == 0
           && tcr_addr_cmp(&a->subnet, &b->subnet) == 0;
}


/* Is name above below, label by label? */
static bool
is_above(tcr_str_t name, tcr_str_t below)
{
    return below.len > name.len && tcr_str_ends(below, name)
           && (name.len == 0 || below.data[below.len - name.len - 1] == '.');
}


/*
 * PowerDNS looks for referrals with type NS unless it asks for everything
 * twice; having seen one NS look-up, we know that it never will.
 */
static bool
is_question(tcb_session_t *s, const tcb_question_t *q, tcr_str_t name)
{
    bool       same;
    tcr_str_t  last;

    if (q->type != TCR_TYPE_ANY || q->resolver.family == 0
        || tcr_str_starts(name, TCR_STR("*.")))
    {
        return false;
    }

    last = s->last.name;

    if (last.data == NULL || !same_client(q, &s->last)) {
        return true;
    }

    if (s->last_missed && is_above(name, last)) {
        return false;
    }

    same = tcr_str_eq(name, last);

    if (!tcb_core_typed(s->core) && same && !s->last_twice) {
        s->last_twice = true;
        return false;
    }

    return true;
}


int
tcb_session_lookup(tcb_session_t *s, tcb_question_t *q, tcb_rows_t *rows)
{
    int        rc;
    char       buf[TCB_NAME_TEXT];
    tcr_str_t  name;

    name = tcb_name(q->name, buf);

    if (name.data == NULL) {
        memset(rows, 0, sizeof(*rows));
        return 0;
    }

    q->is_question = is_question(s, q, name);
    q->denied = &s->denied;
    rc = tcb_core_lookup(s->core, q, rows);

    if (q->is_question) {
        memcpy(s->last_name, buf, name.len);
        s->last = *q;
        s->last.name = tcr_str_n(s->last_name, name.len);
        s->last_missed = rc == 0 && !rows->exists;
        s->last_twice = false;
    }

    return rc;
}
