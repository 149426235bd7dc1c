/* SPDX-License-Identifier: Apache-2.0 */

/*
 * One conversation with one PowerDNS thread, over a socket or stdin/stdout:
 * bytes in, lines of answers out.  The first line tells which protocol
 * PowerDNS speaks: JSON (remote backend) or tabs (pipe backend, ABI 1 to 5).
 */

#ifndef TCB_SESSION_H_INCLUDED
#define TCB_SESSION_H_INCLUDED

#include "tcr_json.h"

#include "tcb_command.h"
#include "tcb_core.h"
#include "tcb_denied.h"

#define TCB_LINE       (64 * 1024)        /* longest request                 */
#define TCB_ANSWER     (256 * 1024 * 1024)
#define TCB_PENDING    (256 * 1024)       /* unsent: no new request is read  */


typedef struct tcb_session_s  tcb_session_t;

/*
 * Answers one request, line without its line end, at the end of s->out.  -1
 * when the conversation cannot go on.
 */
typedef int (*tcb_dialect_pt)(tcb_session_t *s, tcr_str_t line);

struct tcb_session_s {
    tcb_core_t      *core;
    tcb_dialect_pt   dialect;
    tcr_arena_t     *arena;       /* of the request in hand                  */
    tcr_buf_t        out;
    size_t           sent;        /* of out                                  */
    char            *in;          /* TCB_LINE bytes                          */
    size_t           in_len;
    unsigned         abi;         /* pipe only                               */
    tcb_question_t   last;        /* the client's last question              */
    char             last_name[TCB_NAME_TEXT];
    bool             last_missed;
    bool             last_twice;
    tcb_denied_t     denied;
};


/* NULL when out of memory.  The core is not owned. */
tcb_session_t *tcb_session_create(tcb_core_t *core);
void tcb_session_destroy(tcb_session_t *s);

/*
 * Reads from fd and answers as long as less than TCB_PENDING waits to be
 * sent.  1 = go on, 0 = end of input, -1 = the conversation cannot go on (err
 * says why).  A non-blocking fd that has nothing to read is 1.
 */
int tcb_session_read(tcb_session_t *s, int fd, tcr_err_t *err);

/*
 * Sends what waits.  1 = all is sent, 0 = fd takes no more now, -1 = the other
 * side is gone.
 */
int tcb_session_write(tcb_session_t *s, int fd);

static inline size_t
tcb_session_pending(const tcb_session_t *s)
{
    return s->out.len - s->sent;
}

/*
 * Answers requests that were read but had to wait for TCB_PENDING; -1 as
 * tcb_session_read.
 */
int tcb_session_answer(tcb_session_t *s, tcr_err_t *err);


/* The two dialects. */
int tcb_remote_answer(tcb_session_t *s, tcr_str_t line);
int tcb_pipe_answer(tcb_session_t *s, tcr_str_t line);


/*
 * "ADDR" or "ADDR/LEN" with an optional "%zone" as PowerDNS prints them; "no
 * client", which it prints as 0.0.0.0 or 0.0.0.0/0, and anything else have
 * family 0.
 */
tcr_addr_t tcb_client(tcr_str_t text, uint32_t *len);

/*
 * Resolver and client subnet of a question.  Where it has no subnet PowerDNS
 * tells the resolver's address in its place: then there is none.
 */
void tcb_clients(tcb_question_t *q, tcr_str_t resolver, tcr_str_t subnet);

/* PowerDNS' number of a zone in decimal; TCB_ZONE_NONE for -1 and the like */
uint32_t tcb_number(tcr_str_t text);

/* "A", "ANY", "TYPE65", …; 0 for anything else */
uint16_t tcb_type(tcr_str_t name);

/* The name, or "TYPEn" in buf. */
tcr_str_t tcb_type_name(uint16_t type, char buf[16]);

void tcb_put_uint(tcr_buf_t *buf, uint64_t n);

/* Name with final dot. */
void tcb_put_name(tcr_buf_t *buf, tcr_str_t name);

/*
 * tcb_core_lookup, with the fields filled that only the course of the
 * conversation tells: what is a client's question (and goes to the log), and
 * what PowerDNS asks in between.
 */
int tcb_session_lookup(tcb_session_t *s, tcb_question_t *q, tcb_rows_t *rows);


#endif /* TCB_SESSION_H_INCLUDED */
