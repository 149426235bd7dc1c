/* SPDX-License-Identifier: Apache-2.0 */

/*
 * From bytes to images, and which bytes are taken: the slow part of a
 * change, which runs in a thread of its own so that health goes on moving.
 *
 * A judgement takes what has arrived, fills up with last good copies, and
 * compiles.  What cannot be used is refused with its reason and the rest is
 * judged again without it.  What is taken is stored before it is published:
 * killed in between, the next run publishes it from the store.
 */

#ifndef TCF_JUDGE_H_INCLUDED
#define TCF_JUDGE_H_INCLUDED

#include "tcf_guard.h"
#include "tcf_input.h"
#include "tcr_compile.h"


/* Said when there is no snapshot to serve. */
#define TCF_WAITING  "Waiting for valid: snapshot"


typedef enum {
    TCF_NOT_JUDGED,
    TCF_TAKEN,
    TCF_SAME,                     /* equal to the last good copy             */
    TCF_REFUSED
} tcf_verdict_e;

typedef struct {
    tcf_verdict_e    verdict;
    tcr_err_t        reason;      /* REFUSED                                 */
    tcr_err_t        damaged;     /* copies that were passed over; "" = none */
    uint8_t          sha256[32];
    uint64_t         size;        /* 0 = there is no such input              */
    tcf_validator_t  validator;   /* TAKEN, SAME                             */
    char             from[TCF_NAME_MAX];      /* TAKEN, SAME, REFUSED        */
} tcf_judged_t;

/* A source that is published as it is. */
typedef struct {

    /* given */
    bool         known;           /* the stored one is the one in force      */
    const void  *data;            /* in force, NULL = none                   */
    size_t       size;

    /* found */
    bool         fresh;           /* the one in use is another               */
    bool         gone;            /* none is in use                          */
    char         path[PATH_MAX];  /* of the one in use, "" = not looked at   */
} tcf_database_t;

typedef struct {

    /* given; the bodies belong to the judgement */
    tcf_body_t          bodies[TCF_SOURCES];
    bool                given[TCF_SOURCES];   /* the settings have its URL;
                                                 else the snapshot must      */
    bool                used[TCF_SOURCES];    /* by the facts known so far   */
    bool                facts_known;
    uint8_t             facts_sha256[32];     /* of the snapshot they are of */
    int64_t             limits[TCF_SOURCES];
    const tcf_store_t  *store;
    const tcr_image_t  *in_force;             /* routing, NULL = none        */
    bool                lost;                 /* it is no longer to be seen  */
    bool                regional_refused;     /* the last policy, in an
                                                 earlier judgement           */
    int64_t             date;                 /* in force, 0 = none          */
    int64_t             max_shrink;
    bool                accept_older, accept_shrink;
    char                router[TCF_NAME_MAX];
    char                source[TCF_NAME_MAX]; /* of the stored snapshot      */

    /* found */
    tcf_judged_t        judged[TCF_SOURCES];
    int                 rc;                   /* -1: error says why there is
                                                 no snapshot to serve        */
    tcr_err_t           error;
    bool                current;              /* images in force are these   */
    tcf_database_t      databases[TCF_SOURCES];
    tcf_facts_t        *facts;                /* NULL = no snapshot, or those
                                                 known so far are right      */
    tcf_diff_t          diff;
    tcr_build_t        *routing, *health;     /* NULL when current           */
    void               *routing_data, *health_data;
    size_t              routing_size, health_size;
    tcr_arena_t        *arena;
    tcr_report_t        report;               /* problems of what is in use  */
    int64_t             ms;
} tcf_judgement_t;


/* NULL when out of memory. */
tcf_judgement_t *tcf_judgement_create(void);
void tcf_judgement_free(tcf_judgement_t *j);

/* Fills the found part.  Writes to the store. */
void tcf_judge(tcf_judgement_t *j);

/* Is there anything to publish? */
bool tcf_judgement_is_news(const tcf_judgement_t *j);


#endif /* TCF_JUDGE_H_INCLUDED */
