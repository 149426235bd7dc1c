/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The fetcher: everything that its files share.
 *
 *     tcf_main      command line, lock, start and end
 *     tcf_loop      what happens when, until it is time to leave
 *     tcf_poll      sources: who is asked when
 *     tcf_ask       whom, with what
 *     tcf_answer    what answers and failures lead to
 *     tcf_own       sources that the settings themselves are
 *     tcf_kept      the last good settings
 *     tcf_ops       being logged in to Traffic Ops
 *     tcf_health    states into the words of the health image
 *     tcf_work      the other thread
 *     tcf_job       the judgement under way
 *     tcf_generation  images: what is in force, publishing
 *     tcf_status    what others may know of us
 *
 * Only tcf_judge() and tcf_generation_write() run in another thread, on data
 * that the main thread leaves alone meanwhile.
 */

#ifndef TCF_H_INCLUDED
#define TCF_H_INCLUDED

#include <pthread.h>
#include <sys/types.h>

#include "tcf_cookies.h"
#include "tcf_events.h"
#include "tcf_http.h"
#include "tcf_judge.h"
#include "tcf_lock.h"
#include "tcf_monitors.h"
#include "tcf_options.h"
#include "tcf_problems.h"
#include "tcf_schedule.h"
#include "tcf_states.h"
#include "tcr_log.h"
#include "tcr_publish.h"
#include "tcr_snapshot.h"


/* Settings and the arena they stand in. */
typedef struct {
    tcr_arena_t     *arena;
    tcr_settings_t   v;
    char             state[PATH_MAX];         /* of settings that are wrong  */
} tcf_settings_t;

typedef enum {
    TCF_IDLE,
    TCF_JUDGING,                  /* tcf_judge                               */
    TCF_PUBLISHING                /* tcf_generation_write                    */
} tcf_work_e;

/* Being logged in to Traffic Ops; times in ticks. */
typedef struct {
    char           origin[TCF_NAME_MAX];      /* its scheme, host and port   */
    char          *login;         /* URL                                     */
    unsigned       place;         /* counts changes of these two             */
    tcf_cookies_t  cookies;
    unsigned       session;       /* 0 = not logged in                       */
    unsigned       sessions;      /* log-ins so far                          */
    int64_t        since;
    bool           looked;        /* for the session of the last run         */
    bool           flying;
    unsigned       failures;      /* in a row                                */
    int64_t        not_before;
    char           error[TCF_NAME_MAX * 2];
} tcf_ops_t;

typedef struct {
    const tcf_options_t  *options;
    tcf_settings_t        settings;
    char                  router[TCF_NAME_MAX];
    char                  images[PATH_MAX];
    char                  state[PATH_MAX];
    int                   signals;            /* signalfd                    */
    int64_t               started;            /* ticks                       */
    int64_t               deadline;           /* ticks or TCF_NEVER          */

    tcf_store_t           store;
    tcf_lock_t            lock;
    tcf_http_t           *http;
    tcr_publisher_t      *publisher;          /* of health; NULL in dry runs */
    tcr_publisher_t      *writer;             /* of generations, used by the
                                                 other thread                */
    tcr_snapshot_t       *reader;

    tcf_source_t          sources[TCF_SOURCES];
    tcf_ops_t             ops;
    tcf_monitors_t        monitors;
    char                  monitor[TCF_NAME_MAX];  /* that answered last      */
    tcf_states_t          states;
    tcf_facts_t          *facts;              /* of the snapshot in use      */
    int64_t               date;               /* stats.date in force         */
    uint64_t              own_hash;           /* of the settings' snapshot   */
    int64_t               own_date;           /* that it was given           */

    /* what the other thread does (tcf_work) */
    tcf_work_e            work;
    pthread_t             thread;
    uint32_t              work_done;          /* atomic                      */

    /* the judgement under way (tcf_job) */
    tcf_judgement_t      *job;
    tcr_set_t            *pinned;             /* images that it reads        */
    int64_t               judge_at;           /* ticks: judge without news   */
    bool                  databases[TCR_SLOT_COUNT];  /* copy was judged     */

    /* judged, waiting to be published (tcf_generation) */
    tcf_judgement_t      *ready;
    int64_t               ready_since;
    bool                  hold;               /* it has a new snapshot       */
    tcr_publication_t     items[TCR_SLOT_COUNT];      /* being written       */
    size_t                n_items;
    uint64_t              numbers[TCR_SLOT_COUNT];
    int                   write_rc;
    tcr_err_t             write_error;

    /* by source, then by slot */
    tcf_problems_t        problems[TCF_SOURCES + TCR_SLOT_COUNT];

    tcf_events_t          events;
    tcf_event_t           rejection;          /* the last one                */

    ino_t                 current;            /* of the page in force        */
    int64_t               look_at;            /* ticks: are they there?      */
    bool                  lost;               /* images were removed         */
    bool                  wrong;              /* settings are not those of
                                                 their file, which has
                                                 mistakes                    */
    bool                  usable;             /* a snapshot was judged good  */
    bool                  refused;            /* something was refused       */
    bool                  leaving;
    bool                  handover;           /* because the next one waits  */
    bool                  failed;             /* a publication failed last   */
    bool                  status_changed;
    bool                  status_aside;       /* the state cannot be written */
    uint64_t              settings_files;     /* as they were looked at      */
    int64_t               settings_at;        /* ticks: not looked before    */
    int64_t               status_at;          /* ticks: not written before   */
    int64_t               states_at;          /* ticks: not kept before      */
} tcf_t;


/* Everything is done once only? */
static inline bool
tcf_is_once(const tcf_t *f)
{
    return f->options->mode == TCF_ONCE || tcf_options_dry(f->options);
}


/* tcf_poll */
void tcf_poll_due(tcf_t *f, int64_t now);
void tcf_poll_run(tcf_t *f);
int64_t tcf_poll_next(const tcf_t *f);
bool tcf_poll_idle(const tcf_t *f);           /* nothing asked, nothing due
                                                 in this run                 */
int tcf_poll_configure(tcf_t *f, tcr_err_t *err);

/* tcf_ask: somebody in this round; false: there is nobody (left) to ask */
bool tcf_ask(tcf_t *f, tcf_source_t *s, uint64_t round);
void tcf_ask_waiting(tcf_t *f, const char *why);    /* those that wait for a
                                                       session go on; why:
                                                       they fail             */
bool tcf_asks_states(const tcf_source_t *s);
bool tcf_asks_monitors(const tcf_source_t *s);
bool tcf_reads_file(const tcf_source_t *s);

/* tcf_answer: of a tcf_t *; or there is none, as why says */
void tcf_answer(void *ctx, tcf_reply_t *reply);
void tcf_answer_failed(tcf_t *f, tcf_source_t *s, const char *why);

/* tcf_own: is it one? then it is due now; its bytes, as if they had come */
bool tcf_is_own(const tcf_source_t *s);
void tcf_own_due(tcf_t *f);
int tcf_own_read(tcf_t *f, const tcf_source_t *s, tcf_body_t *body,
    tcr_err_t *err);

/* tcf_ops */
void tcf_ops_configure(tcf_t *f);             /* after the sources           */
void tcf_ops_trust(const tcf_t *f, tcf_request_t *rq);
bool tcf_ops_ready(tcf_t *f);                 /* logged in?                  */
void tcf_ops_forget(tcf_t *f);
void tcf_ops_login(tcf_t *f);                 /* then tcf_ask_waiting()      */
void tcf_ops_answer(tcf_t *f, const tcf_reply_t *reply);
void tcf_ops_renew(tcf_t *f, const tcf_reply_t *reply);

/* tcf_health */
void tcf_health_start(tcf_t *f);
int tcf_health_take(tcf_t *f, tcf_reply_t *reply, tcr_err_t *err);
void tcf_health_apply(tcf_t *f);
void tcf_health_save(tcf_t *f, bool now);
bool tcf_health_settled(const tcf_t *f);      /* may a first image go live?  */

/* tcf_work */
int tcf_work_start(tcf_t *f, tcf_work_e work, tcr_err_t *err);
void tcf_work_look(tcf_t *f);                 /* is it done? then go on      */

/*
 * tcf_kept: the last good settings.  _load takes their place for a run that
 * stays, -1 if it does not or there are none; state: where they are.
 */
#define TCF_KEPT_NAME  "settings.yaml"

void tcf_kept_save(const tcf_t *f);
int tcf_kept_load(tcf_settings_t *settings, const tcf_options_t *options,
    const char *state);

/* tcf_session: from run to run */
#define TCF_SESSION_NAME  "session.json"

void tcf_session_save(const tcf_t *f);
void tcf_session_load(tcf_t *f);

/* tcf_job */
int tcf_job_start(tcf_t *f, tcr_err_t *err);
bool tcf_job_wanted(const tcf_t *f, int64_t now);
void tcf_job_finish(tcf_t *f);

/* tcf_generation */
const tcr_image_t *tcf_in_force(const tcf_t *f);      /* routing or NULL     */
void tcf_generation_look(tcf_t *f, int64_t now);      /* was it removed?     */
void tcf_generation_ready(tcf_t *f, tcf_judgement_t *j);      /* takes j     */
int64_t tcf_generation_due(const tcf_t *f);   /* ticks; TCF_NEVER            */
void tcf_generation_publish(tcf_t *f);        /* ready, if it may go live    */
void tcf_generation_write(tcf_t *f);          /* in the other thread         */
void tcf_generation_finish(tcf_t *f);

/* Slots that we publish and look at. */
#define TCF_SLOTS  (1u << TCR_SLOT_ROUTING | 1u << TCR_SLOT_HEALTH            \
                    | 1u << TCR_SLOT_OVERLAY | 1u << TCR_SLOT_CERTS           \
                    | 1u << TCR_SLOT_KEYS | 1u << TCR_SLOT_CITY               \
                    | 1u << TCR_SLOT_ANONYMOUS)

/* tcf_group: may we give files to the group? */
bool tcf_group_is_ours(const char *name);

/*
 * tcf_check: prints on standard error what is wrong with the settings outside
 * of their file (-1), and which ports of the snapshot nobody listens on.
 */
int tcf_check_settings(const tcr_settings_t *settings);
void tcf_check_ports(const tcr_image_t *routing);

/* tcf_dry: what a dry run found, on standard output; exit status */
int tcf_dry_print(tcf_t *f);
void tcf_dry_problems(const tcr_report_t *report);    /* standard error      */

/* tcf_status */
#define TCF_STATUS_NAME  "status.json"

void tcf_status_load(tcf_t *f);
void tcf_status_write(tcf_t *f, bool now);

/* Remembers what happened; and logs it, too. */
void tcf_note(tcf_t *f, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void tcf_event(tcf_t *f, tcr_log_level_e level, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * tcf_reload: settings.  _load prints what is wrong on standard error; -1.
 * _again, on SIGHUP and when _look sees a change: the old ones stay if the
 * new ones are wrong.
 */
int tcf_settings_load(tcf_settings_t *settings, const char *path);
int tcf_settings_apply(tcf_t *f, tcr_err_t *err);
void tcf_settings_again(tcf_t *f);
void tcf_settings_look(tcf_t *f, int64_t now);        /* did they change?    */

/* tcf_loop; exit status of the program */
int tcf_loop(tcf_t *f);


#endif /* TCF_H_INCLUDED */
