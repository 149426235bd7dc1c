/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What NSEC says of a routed name.
 *
 * Which addresses stand there depends on who asks, so to PowerDNS, asking for
 * itself, all types that may stand there do: the chain is the same for
 * everybody, and a resolver that denies by what it has seen (RFC 8198) hides
 * nothing.  But the one NSEC that proves to a client that its type is not
 * there must not list that type; PowerDNS asks for it right after the client's
 * question.
 */

#ifndef TCB_DENIED_H_INCLUDED
#define TCB_DENIED_H_INCLUDED

#include "tcb_core.h"


/* The last client's answer was without these. */
struct tcb_denied_s {
    bool    a;
    bool    aaaa;
    size_t  len;
    char    name[TCB_NAME_TEXT];
};


/* Do the addresses at the name depend on the client? */
bool tcb_denied_concerns(const tcr_dns_answer_t *a);

/* name: lower case, no final dot.  a = the engine's answer to the client. */
void tcb_denied_note(tcb_denied_t *d, tcr_str_t name, const tcb_question_t *q,
    const tcr_dns_answer_t *a);

/*
 * Rows for PowerDNS itself, with types of a routed name in place of addresses.
 * a = the engine's answer without a client; d may be NULL.  -1: no memory.
 */
int tcb_denied_rows(const tcb_denied_t *d, tcr_str_t name, uint16_t type,
    const tcr_dns_answer_t *a, tcr_arena_t *arena, tcb_rows_t *out);


#endif /* TCB_DENIED_H_INCLUDED */
