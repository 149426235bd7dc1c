/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What is fetched: one row a source.  A new source is a new row, a name in
 * the enum, and what is done with its bytes (tcf_input.c).
 */

#ifndef TCF_SOURCE_H_INCLUDED
#define TCF_SOURCE_H_INCLUDED

#include "tcf_body.h"
#include "tcf_facts.h"
#include "tcf_store.h"
#include "tcr_settings.h"


typedef struct {
    const char  *name;            /* as in settings, messages, status        */
    const char  *file;            /* last good copy                          */
    size_t       url_at;          /* offsets in tcr_settings_t               */
    size_t       interval_at;
    size_t       limit_at;
    size_t       timeout_at;
    int64_t      interval;        /* ms, when neither settings nor snapshot
                                     say one                                 */
    int64_t      timeout;         /* likewise; 0 = timeout_at has a default  */
    const char  *monitor_path;    /* a monitor is asked unless there is a
                                     URL; NULL = never                       */
    bool         always;          /* each --once asks for it                 */
    bool         ops;             /* from Traffic Ops, unless there is a URL */
    bool         whole;           /* never asked for conditionally           */
    bool         secret;          /* private keys are in it                  */
    bool         follows;         /* a new snapshot makes it due             */
    bool         database;        /* published as it is                      */
    const char  *absent;          /* what a file that is not there says;
                                     NULL = that is an error                 */
} tcf_row_t;

extern const tcf_row_t  tcf_rows[TCF_SOURCES];


/* Mode of the copy. */
static inline unsigned
tcf_row_mode(const tcf_row_t *row)
{
    return row->secret ? 0600 : 0644;
}


/* What is known of the bytes that were accepted last. */
typedef struct {
    uint64_t         size;        /* 0 = none yet                            */
    uint8_t          sha256[32];
    char             from[TCF_NAME_MAX];
    tcf_validator_t  validator;   /* of exactly these bytes                  */
    int64_t          since;       /* wall ms                                 */
    bool             hashed;      /* the copy was seen to be these bytes by
                                     this process                            */
} tcf_accepted_t;

/* A source at work; times in ticks unless they say wall. */
typedef struct {
    const tcf_row_t  *row;
    char             *url;        /* NULL = monitors, or not in use          */
    uint64_t          url_hash;   /* of the last one, in earlier runs too    */
    bool              in_use;
    bool              login;      /* its server wants us to be logged in     */
    bool              waits;      /* for being logged in                     */
    bool              again;      /* asked twice in this round, newly logged
                                     in                                      */
    bool              denied;     /* not even freshly logged in              */
    bool              awaited;    /* a new snapshot is not published before
                                     its round is over                       */
    int64_t           interval;
    int64_t           timeout;
    int64_t           due;
    unsigned          flying;
    uint64_t          seq;        /* of the newest request                   */
    uint64_t          round;
    uint64_t          answered;   /* seq of the newest answer                */
    unsigned          failures;   /* rounds in a row                         */
    bool              asked;      /* a round has begun since the start       */
    bool              tried;      /* and has come to its end                 */
    tcf_body_t        pending;    /* arrived, not yet judged                 */
    tcf_body_t        unsaved;    /* in use, and there is no room for a copy */
    tcf_accepted_t    accepted;
    bool              bad;        /* what came last was refused              */
    size_t            refused_len;            /* last refused bytes          */
    uint8_t           refused[32];
    int64_t           last_ok;    /* wall ms, 0 = never                      */
    int64_t           last_error; /* wall ms, 0 = none since the last_ok     */
    char              error[TCF_NAME_MAX * 2];
} tcf_source_t;


/* URL of the settings, NULL = none. */
const char *tcf_row_given(const tcf_row_t *row,
    const tcr_settings_t *settings);

/*
 * May it be used, whoever is asked for it?  given: the settings have its URL;
 * ops: they have credentials; facts may be NULL.  Snapshot and states always
 * may.
 */
bool tcf_row_in_use(const tcf_row_t *row, bool given, bool ops,
    const tcf_facts_t *facts);

/*
 * Are these the bytes of the last good copy, or of what there is no room to
 * keep?
 */
bool tcf_source_same(const tcf_source_t *source, const tcf_store_t *store,
    const tcf_body_t *body);

/* A number of the settings at one of the row's offsets. */
int64_t tcf_row_number(const tcr_settings_t *settings, size_t at);

/*
 * Takes over settings and facts: another URL is due at once and forgets how
 * to ask for changes only; another interval counts from now.
 */
int tcf_source_configure(tcf_source_t *source, const tcr_settings_t *settings,
    const tcf_facts_t *facts, bool monitors, int64_t now, tcr_err_t *err);

void tcf_source_free(tcf_source_t *source);


#endif /* TCF_SOURCE_H_INCLUDED */
