/* SPDX-License-Identifier: Apache-2.0 */

/* Types of routed names, for NSEC. */

#include "tcb_denied.h"


static bool
has_type(const tcr_dns_answer_t *a, uint16_t type)
{
    size_t  i;

    for (i = 0; i < a->n_records; i++) {

        if (a->records[i].type == type
            || a->records[i].type == TCR_TYPE_CNAME)
        {
            return true;
        }
    }

    return false;
}


bool
tcb_denied_concerns(const tcr_dns_answer_t *a)
{
    return a->service != NULL && a->name != NULL
           && (a->name->flags & (TCR_NAME_ROUTED | TCR_NAME_EDGE)) != 0;
}


/* Where the client's type is known, nothing was found out about others. */
void
tcb_denied_note(tcb_denied_t *d, tcr_str_t name, const tcb_question_t *q,
    const tcr_dns_answer_t *a)
{
    uint16_t  type = q->client_type;
    bool      any = type == 0 || type == TCR_TYPE_ANY;

    d->len = 0;

    if (!tcb_denied_concerns(a) || name.len > sizeof(d->name)) {
        return;
    }

    memcpy(d->name, name.data, name.len);
    d->len = name.len;
    d->a = (any || type == TCR_TYPE_A) && !has_type(a, TCR_TYPE_A);
    d->aaaa = (any || type == TCR_TYPE_AAAA) && !has_type(a, TCR_TYPE_AAAA);
}


static void
add_type(tcb_rows_t *out, tcr_dns_record_t *rows, uint16_t type,
    tcr_str_t data, bool auth)
{
    rows[out->n++] = (tcr_dns_record_t) {
        .type = type, .data = data, .scope = 1, .auth = auth
    };
}


int
tcb_denied_rows(const tcb_denied_t *d, tcr_str_t name, uint16_t type,
    const tcr_dns_answer_t *a, tcr_arena_t *arena, tcb_rows_t *out)
{
    bool               any, here;
    size_t             i;
    tcr_dns_record_t  *rows;

    rows = tcr_arena_calloc(arena, a->n_records + 3, sizeof(*rows));

    if (rows == NULL) {
        return -1;
    }

    out->rows = rows;
    out->n = 0;

    for (i = 0; i < a->n_records; i++) {

        if (a->records[i].scope == 0) {
            rows[out->n++] = a->records[i];
        }
    }

    any = type == TCR_TYPE_ANY;
    here = d != NULL && tcr_str_eq(tcr_str_n(d->name, d->len), name);

    if ((any || type == TCR_TYPE_A) && !(here && d->a)) {
        add_type(out, rows, TCR_TYPE_A, TCR_STR("0.0.0.0"), true);
    }

    if ((any || type == TCR_TYPE_AAAA) && !(here && d->aaaa)
        && ((a->service->flags & TCR_SERVICE_IP6) != 0
            || a->service->bypass_ip6 != 0))
    {
        add_type(out, rows, TCR_TYPE_AAAA, TCR_STR("::"), true);
    }

    /* a row with a scope, so that PowerDNS keeps none of this; without auth
       it makes no bit in the NSEC */
    if (here && any) {
        add_type(out, rows, TCB_TYPE_ENT, TCR_STR(""), false);
    }

    return 0;
}
