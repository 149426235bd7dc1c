/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What the fetcher itself has to know of the snapshot in force: where
 * everything else comes from.  The model is gone by then.
 */

#ifndef TCF_FACTS_H_INCLUDED
#define TCF_FACTS_H_INCLUDED

#include "tcr_buf.h"
#include "tcr_crconfig.h"


typedef enum {
    TCF_SNAPSHOT,
    TCF_STATES,
    TCF_COVERAGE,
    TCF_DEEP,
    TCF_REGIONAL,
    TCF_ANONYMOUS_POLICY,
    TCF_CERTIFICATES,
    TCF_CITY,
    TCF_ANONYMOUS_IP,
    TCF_SOURCES
} tcf_source_e;

typedef struct {
    tcr_arena_t   *arena;         /* owns everything                         */
    int64_t        date;          /* stats.date                              */
    const char   **monitors;      /* "FQDN:PORT" of those ONLINE             */
    uint32_t       n_monitors;
    const char    *urls[TCF_SOURCES];         /* NULL = none                 */
    int64_t        intervals[TCF_SOURCES];    /* ms, 0 = none                */
} tcf_facts_t;


/* NULL when out of memory. */
tcf_facts_t *tcf_facts_create(const tcr_crconfig_t *cfg);
void tcf_facts_free(tcf_facts_t *facts);

/* As a JSON object, for the next run; and back, NULL when it is none. */
void tcf_facts_write(const tcf_facts_t *facts, tcr_buf_t *buf);
tcf_facts_t *tcf_facts_read(const tcr_json_t *object);


#endif /* TCF_FACTS_H_INCLUDED */
