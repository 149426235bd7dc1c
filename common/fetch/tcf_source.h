/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What is fetched: one row a source.  A new source is a new row, a name in
 * the enum, and what is done with its bytes (tcf_input.c).
 */

#ifndef TCF_SOURCE_H_INCLUDED
#define TCF_SOURCE_H_INCLUDED

#include "tcf_body.h"
#include "tcf_facts.h"
#include "tcr_image.h"
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
    const char  *monitor_path;    /* a monitor is asked unless there is a
                                     URL; NULL = never                       */
    bool         always;          /* each --once asks for it                 */
    bool         secret;          /* nobody else may read the copy           */
    bool         in_routing;      /* a routing image is made of it           */
    tcr_slot_e   slot;            /* of a database, which is published as it
                                     is; 0 (routing) = is none               */
} tcf_row_t;

extern const tcf_row_t  tcf_rows[TCF_SOURCES];


static inline bool
tcf_is_database(tcf_source_e source)
{
    return tcf_rows[source].slot != TCR_SLOT_ROUTING;
}


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
} tcf_accepted_t;

/* A source at work; times in ticks unless they say wall. */
typedef struct {
    const tcf_row_t  *row;
    char             *url;        /* NULL = monitors, or not in use          */
    uint64_t          url_hash;   /* of the last one, in earlier runs too    */
    bool              in_use;
    int64_t           interval;
    int64_t           due;
    unsigned          flying;
    uint64_t          seq;        /* of the newest request                   */
    uint64_t          round;
    uint64_t          answered;   /* seq of the newest answer                */
    unsigned          failures;   /* rounds in a row                         */
    bool              asked;      /* a round has begun since the start       */
    bool              tried;      /* and has come to its end                 */
    tcf_body_t        pending;    /* arrived, not yet judged                 */
    tcf_accepted_t    accepted;
    bool              bad;        /* what came last was refused              */
    size_t            refused_len;            /* last refused bytes          */
    uint8_t           refused[32];
    int64_t           last_ok;    /* wall ms, 0 = never                      */
    int64_t           last_error; /* wall ms, 0 = none since the last_ok     */
    char              error[TCF_NAME_MAX * 2];
} tcf_source_t;


/* URL and interval of a row, by settings first, then by the snapshot. */
const char *tcf_row_url(const tcf_row_t *row, const tcr_settings_t *settings,
    const tcf_facts_t *facts);
int64_t tcf_row_interval(const tcf_row_t *row,
    const tcr_settings_t *settings, const tcf_facts_t *facts);

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
