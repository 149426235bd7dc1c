/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The core as the C++ shim inside pdns_server sees it: plain types, readable
 * by both languages.  Nothing here throws, and the callback must not either.
 *
 * One object per backend object of PowerDNS, which one thread uses at a time.
 * Pointers that a call hands out stay good until the next call with the same
 * object.
 */

#ifndef TCB_EMBED_H_INCLUDED
#define TCB_EMBED_H_INCLUDED

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#ifdef __cplusplus
extern "C" {
#endif


typedef struct tcb_embed_s  tcb_embed_t;


/* Text need not end in NUL. */
typedef struct {
    const char  *text;
    size_t       len;
} tcb_embed_str_t;

typedef struct {
    const char             *name;           /* wire form                     */
    size_t                  name_len;
    uint16_t                type;           /* PowerDNS' question to us      */
    uint16_t                client_type;    /* the client's; 0 = unknown     */
    uint32_t                zone;           /* PowerDNS' number, 0 = none    */
    const struct sockaddr  *resolver;       /* NULL: PowerDNS itself asks    */
    const struct sockaddr  *subnet;         /* NULL without ECS              */
    uint32_t                subnet_len;
    uint16_t                id;             /* of the client's message       */
    int                     is_question;    /* the client's own, not one on
                                               the way to its answer         */
} tcb_embed_question_t;

typedef struct {
    tcb_embed_str_t  owner;       /* no final dot; only while listing        */
    tcb_embed_str_t  data;        /* presentation form                       */
    uint16_t         type;        /* 0 = the name exists, with nothing       */
    uint32_t         ttl;
    uint32_t         zone;
    uint8_t          scope;
    uint8_t          auth;
    uint8_t          addr_len;    /* A: 4, AAAA: 16, in addr; else 0         */
    uint8_t          addr[16];
} tcb_embed_row_t;

typedef struct {
    tcb_embed_str_t  origin;      /* no final dot                            */
    uint32_t         number;
    uint32_t         serial;
} tcb_embed_zone_t;


/*
 * log: path of the access log or empty.  complain is called with what the
 * operator should read.  NULL with a reason in err (size bytes, NUL at its
 * end).
 */
tcb_embed_t *tcb_embed_create(const char *images, const char *log,
    void (*complain)(const char *text), char *err, size_t size);
void tcb_embed_destroy(tcb_embed_t *e);

/* Are there images? */
int tcb_embed_ready(tcb_embed_t *e);

/*
 * Starts an answer or the list of a zone, which tcb_embed_next then hands out
 * row by row: 1 as long as there is one.  -1: no images, no memory; no such
 * zone.
 */
int tcb_embed_lookup(tcb_embed_t *e, const tcb_embed_question_t *q);
int tcb_embed_list(tcb_embed_t *e, const char *origin, size_t len);
int tcb_embed_next(tcb_embed_t *e, tcb_embed_row_t *row);

/* Zone i of all; 0 behind the last one. */
int tcb_embed_zone(tcb_embed_t *e, size_t i, tcb_embed_zone_t *zone);

/* 0 when the name is no zone of ours. */
int tcb_embed_zone_named(tcb_embed_t *e, const char *name, size_t len,
    tcb_embed_zone_t *zone);

/*
 * Neighbours in the NSEC chain of the zone, as absolute names; 0 when there
 * is no such zone.
 */
int tcb_embed_neighbours(tcb_embed_t *e, const char *zone, size_t zone_len,
    const char *name, size_t name_len, tcb_embed_str_t *before,
    tcb_embed_str_t *after);

/*
 * Neighbours of a hash in the NSEC3 chain of the zone with that number: hashes
 * as text, and the name of the first; 0 when there is no such chain.
 */
int tcb_embed_hashed(tcb_embed_t *e, uint32_t number, const char *hash,
    size_t len, tcb_embed_str_t *owner, tcb_embed_str_t *before,
    tcb_embed_str_t *after);

typedef struct {
    tcb_embed_str_t  content;     /* private-key text                        */
    uint32_t         id;
    uint32_t         flags;       /* 256 or 257                              */
    int              active;
    int              published;
} tcb_embed_key_t;

/*
 * DNSSEC key i of the zone of that name; 0 behind the last one, and when it is
 * no zone of ours.  The walk begins with i = 0.
 */
int tcb_embed_key(tcb_embed_t *e, const char *zone, size_t len, size_t i,
    tcb_embed_key_t *key);

/* Absent (text NULL) when there is none of that kind. */
tcb_embed_str_t tcb_embed_metadata(tcb_embed_t *e, const char *zone,
    size_t zone_len, const char *kind, size_t kind_len);

/* pdnsutil backend-cmd */
tcb_embed_str_t tcb_embed_command(tcb_embed_t *e, const char *query,
    size_t len);


#ifdef __cplusplus
}
#endif

#endif /* TCB_EMBED_H_INCLUDED */
