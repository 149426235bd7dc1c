/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What the fetcher itself has to know of the snapshot in force: where
 * everything else comes from.  The model is gone by then.
 */

#ifndef TCF_FACTS_H_INCLUDED
#define TCF_FACTS_H_INCLUDED

#include "tcr_jw.h"
#include "tcr_crconfig.h"


typedef enum {
    TCF_SNAPSHOT,
    TCF_STATES,
    TCF_COVERAGE,
    TCF_DEEP,
    TCF_REGIONAL,
    TCF_ANONYMOUS_POLICY,
    TCF_CERTIFICATES,
    TCF_KEYS,
    TCF_DS_KNOWN,
    TCF_FEDERATIONS,
    TCF_STEERING,
    TCF_CHALLENGES,
    TCF_ACME,
    TCF_CITY,
    TCF_ANONYMOUS_IP,
    TCF_SOURCES
} tcf_source_e;

typedef struct {
    const char  *url;             /* NULL = none                             */
    int64_t      interval;        /* ms, 0 = none                            */
    int64_t      timeout;         /* ms, 0 = none                            */
    bool         idle;            /* no service needs it                     */
} tcf_fact_t;

typedef struct {
    tcr_arena_t   *arena;         /* owns everything                         */
    uint8_t        sha256[32];    /* of the snapshot's bytes                 */
    int64_t        date;          /* stats.date                              */
    const char   **monitors;      /* "FQDN:PORT" of those ONLINE             */
    uint32_t       n_monitors;
    const char    *ops;           /* "https://HOST" of Traffic Ops, or NULL  */
    const char    *login;         /* URL for logging in, or NULL             */
    bool           dnssec;
    bool           allow_expired; /* dnssec.allow.expired.keys               */
    uint32_t       ttl_ds;
    uint32_t       ttl_dnskey;
    tcf_fact_t     sources[TCF_SOURCES];
} tcf_facts_t;


/* NULL when out of memory. */
tcf_facts_t *tcf_facts_create(const tcr_crconfig_t *cfg,
    const uint8_t sha256[32]);
tcf_facts_t *tcf_facts_copy(const tcf_facts_t *facts);
void tcf_facts_free(tcf_facts_t *facts);

/* As the member "facts", for the next run; and back, NULL when it is none. */
void tcf_facts_write(const tcf_facts_t *facts, tcr_jw_t *w);
tcf_facts_t *tcf_facts_read(const tcr_json_t *object);


#endif /* TCF_FACTS_H_INCLUDED */
