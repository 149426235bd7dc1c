/* SPDX-License-Identifier: Apache-2.0 */

/*
 * From bytes to images, and which bytes are taken: the slow part of a
 * change, which runs in a thread of its own so that health goes on moving.
 *
 * A judgement reads what has arrived, finds last good copies of the rest, and
 * makes those images whose inputs are others than those of the image in
 * force (tcf_make); what did not change is not read again.  What cannot be
 * used is refused with its reason and the rest is judged again without it.
 * What is taken is stored before it is published: killed in between, the next
 * run publishes it from the store.
 */

#ifndef TCF_JUDGE_H_INCLUDED
#define TCF_JUDGE_H_INCLUDED

#include "tcf_guard.h"
#include "tcf_input.h"
#include "tcr_compile.h"
#include "tcr_keys_format.h"


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
    tcr_err_t        not_kept;    /* TAKEN, and not stored: why; "" = stored */
    bool             kept;        /* stored by this judgement                */
    bool             older;       /* what is in use is the copy before       */
    uint8_t          sha256[32];
    uint64_t         size;        /* 0 = there is no such input              */
    tcf_validator_t  validator;   /* TAKEN, SAME                             */
    char             from[TCF_NAME_MAX];      /* TAKEN, SAME, REFUSED        */
} tcf_judged_t;

/* An image to be published. */
typedef struct {
    tcr_build_t  *build;          /* NULL: the one in force stays            */
    void         *data;
    size_t        size;
    char          path[PATH_MAX]; /* of a database; "" = none                */
    bool          gone;           /* the one in force is withdrawn           */
    bool          tried;          /* its problems are those of this judgement */
    tcr_report_t  report;
} tcf_made_t;

typedef struct tcf_judgement_s  tcf_judgement_t;

struct tcf_judgement_s {

    /* given; the bodies belong to the judgement */
    tcf_body_t          bodies[TCF_SOURCES];
    bool                given[TCF_SOURCES];   /* the settings have its URL;
                                                 else the snapshot must      */
    int64_t             limits[TCF_SOURCES];
    tcf_known_t         known[TCF_SOURCES];   /* copies                      */
    tcr_str_t           unsaved[TCF_SOURCES]; /* instead of copies           */
    bool                ignored[TCF_SOURCES]; /* copies, whatever they are   */
    char                from[TCF_SOURCES][TCF_NAME_MAX];  /* of the copies   */
    bool                ops;                  /* there are credentials       */
    bool                policy_refused;       /* the last regional policy    */
    const tcf_store_t  *store;
    const tcr_image_t  *in_force[TCR_SLOT_COUNT];         /* NULL = none     */
    bool                lost;                 /* they cannot be seen         */
    bool                judged_before[TCR_SLOT_COUNT];    /* databases: the
                                                 copy was judged             */
    const tcf_facts_t  *old_facts;            /* of the last judgement       */
    tcf_judgement_t    *before;               /* not published yet; owned    */
    int64_t             now;                  /* wall, seconds               */
    int64_t             date;                 /* in force, 0 = none          */
    int64_t             max_shrink;
    tcr_denial_e        denial;
    uint32_t            iterations;           /* of NSEC3                    */
    char                salt[2 * TCR_NSEC3_SALT_MAX + 1];
    bool                accept_older, accept_shrink;
    bool                everything;           /* is made, changed or not     */
    char                router[TCF_NAME_MAX];

    /* found */
    tcf_judged_t        judged[TCF_SOURCES];
    bool                read[TCF_SOURCES];    /* reports are of this one     */
    tcr_report_t        reports[TCF_SOURCES];
    int                 rc;                   /* -1: error says why there is
                                                 no snapshot to serve        */
    tcr_err_t           error;
    bool                behind;               /* the snapshot in force is newer
                                                 than every copy             */
    tcf_facts_t        *facts;                /* NULL = no snapshot          */
    tcf_diff_t          diff;                 /* of a new routing image      */
    tcf_made_t          made[TCR_SLOT_COUNT];
    tcr_arena_t        *arena;
    int64_t             ms;
};


/* NULL when out of memory. */
tcf_judgement_t *tcf_judgement_create(void);
void tcf_judgement_free(tcf_judgement_t *j);

/* Fills the found part.  Writes to the store. */
void tcf_judge(tcf_judgement_t *j);

/* Is there anything to publish? */
bool tcf_judgement_has_news(const tcf_judgement_t *j);


#endif /* TCF_JUDGE_H_INCLUDED */
