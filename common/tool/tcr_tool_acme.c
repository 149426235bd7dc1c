/* SPDX-License-Identifier: Apache-2.0 */

/*
 * tcrouter acme: DNS challenges of certificate authorities (RFC 8555 8.4) for
 * zones that Traffic Ops does not ask certificates for.
 */

#include <getopt.h>
#include <stdio.h>
#include <time.h>

#include "tcr_acme_store.h"
#include "tcr_clock.h"
#include "tcr_route.h"
#include "tcr_tool.h"

#define DIR_DEFAULT  "/var/lib/tcrouter/" TCR_ACME_DIR
#define LABEL        "_acme-challenge."
#define WAIT_MAX     3600         /* seconds                                 */
#define LOOK_NS      100000000    /* between two looks at the images         */


typedef struct {
    const char  *dir;
    const char  *images;
    int64_t      wait;            /* seconds, 0 = not at all                 */
    char       **args;
    int          n_args;
} options_t;


static const char  help[] =
    "usage: tcrouter acme set NAME TOKEN [OPTIONS]\n"
    "       tcrouter acme clear NAME [TOKEN] [OPTIONS]\n"
    "       tcrouter acme list [OPTIONS]\n\n"
    "Puts TOKEN into a TXT record at " LABEL "NAME, and takes it away "
    "again;\n"
    "tcr-fetch has it published within 5 seconds.\n\n"
    "  --dir DIR       where they are kept (" DIR_DEFAULT ")\n"
    "  --images DIR    image directory (" TCR_TOOL_IMAGES ")\n"
    "  --wait SECONDS  end when the servers answer so, fail if they do not\n";

enum { DIR = 256, IMAGES, WAIT, HELP };

static const struct option  long_options[] = {
    { "dir", required_argument, NULL, DIR },
    { "images", required_argument, NULL, IMAGES },
    { "wait", required_argument, NULL, WAIT },
    { "help", no_argument, NULL, HELP },
    { NULL, 0, NULL, 0 }
};


/* -1: go on; else the exit code. */
static int
read_options(options_t *o, int argc, char **argv)
{
    int       option;
    uint64_t  n;

    while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {

        switch (option) {

        case DIR:
            o->dir = optarg;
            break;

        case IMAGES:
            o->images = optarg;
            break;

        case WAIT:
            if (tcr_parse_uint(tcr_str(optarg), 1, WAIT_MAX, &n) != 0) {
                return tcr_tool_usage("acme", "--wait is \"%s\", expected 1 "
                                      "to %d seconds", optarg, WAIT_MAX);
            }

            o->wait = (int64_t) n;
            break;

        case HELP:
            fputs(help, stdout);
            return TCR_TOOL_OK;

        default:
            return TCR_TOOL_USAGE;
        }
    }

    o->args = argv + optind;
    o->n_args = argc - optind;
    return -1;
}


/*
 * Name of the record: with "_acme-challenge" in front, which programs differ
 * in; "*.NAME" is proved at NAME.
 */
static tcr_str_t
record_name(tcr_acme_store_t *s, char *given, tcr_err_t *err)
{
    char       *name;
    size_t      i;
    tcr_str_t   text = tcr_str(given);

    for (i = 0; given[i] != '\0'; i++) {
        given[i] = tcr_lower(given[i]);
    }

    if (tcr_str_starts(text, TCR_STR("*."))) {
        text = tcr_str(given + 2);
    }

    if (text.len != 0 && text.data[text.len - 1] == '.') {
        text.len--;
    }

    name = tcr_arena_printf(s->arena, "%s%.*s",
                            tcr_str_starts(text, TCR_STR(LABEL)) ? "" : LABEL,
                            TCR_STR_ARG(text));

    if (name == NULL) {
        tcr_err_set(err, "out of memory");
    }

    return tcr_str(name);
}


/* --- what the servers answer --- */

/* Is that TXT in the images in force? */
static bool
is_shown(tcr_view_t *view, tcr_arena_t *arena, const tcr_acme_item_t *item)
{
    size_t              i;
    tcr_dns_answer_t    a;
    tcr_dns_question_t  q = {
        .name = item->name, .type = TCR_TYPE_TXT,
        .mem = tcr_arena_mem(arena),
        .zone = tcr_dns_zone_of(view, item->name)
    };

    if (q.zone == NULL || tcr_dns_overlay(view, &q, &a) != 0) {
        return false;
    }

    for (i = 0; i < a.n_records; i++) {

        if (tcr_str_eq(a.records[i].data, item->text)) {
            return true;
        }
    }

    return false;
}


/* How many of the first items are shown as wanted? */
static size_t
count(tcr_view_t *view, tcr_arena_t *arena, const tcr_acme_item_t *items,
    size_t n, bool shown)
{
    size_t  i;

    for (i = 0; i < n && is_shown(view, arena, &items[i]) == shown; i++) {
        continue;
    }

    return i;
}


/* Until all of them are in the images in force, or none of them is. */
static int
await(const options_t *o, tcr_acme_store_t *s, const tcr_acme_item_t *items,
    size_t n, bool shown, tcr_err_t *err)
{
    size_t           i = 0;
    int64_t          end = tcr_ticks_ms() + o->wait * 1000;
    tcr_err_t        why;
    tcr_view_t      *view = tcr_view_create(o->images, 1);
    struct timespec  pause = { 0, LOOK_NS };

    if (view == NULL) {
        return tcr_err_set(err, "out of memory");
    }

    while (tcr_ticks_ms() < end) {
        (void) tcr_view_refresh(view, tcr_now_ms(), &why);
        i = count(view, s->arena, items, n, shown);

        if (i == n) {
            break;
        }

        nanosleep(&pause, NULL);
    }

    tcr_view_destroy(view);

    return i == n ? 0
           : tcr_err_set(err, "\"%.*s\" %s in \"%s\" after %lld s: is it in "
                         "a zone of ours, and tcr-fetch at work?",
                         TCR_STR_ARG(items[i].name),
                         shown ? "is not" : "is still", o->images,
                         (long long) o->wait);
}


/* The lock is not held while others are waited for. */
static int
save(const options_t *o, tcr_acme_store_t *s, const tcr_acme_item_t *items,
    size_t n, bool shown, tcr_err_t *err)
{
    if (tcr_acme_store_save(s, err) != 0) {
        return -1;
    }

    tcr_acme_store_unlock(s);

    return o->wait != 0 ? await(o, s, items, n, shown, err) : 0;
}


/* --- commands --- */

static bool
is_at(const tcr_acme_item_t *item, tcr_str_t name, const char *token)
{
    return tcr_str_eq(item->name, name)
           && (token == NULL || tcr_str_eq(item->token, tcr_str(token)));
}


static int
set(const options_t *o, tcr_acme_store_t *s, tcr_err_t *err)
{
    size_t     i;
    tcr_str_t  name = record_name(s, o->args[0], err);

    if (name.data == NULL) {
        return -1;
    }

    for (i = 0; i < s->n && !is_at(&s->items[i], name, o->args[1]); i++) {
        continue;
    }

    if (i == s->n) {
        s->items[s->n++] = (tcr_acme_item_t) {
            .name = name, .token = tcr_str(o->args[1])
        };
    }

    s->items[i].set = tcr_now_ms() / 1000;

    return save(o, s, &s->items[i], 1, true, err);
}


static int
clear(const options_t *o, tcr_acme_store_t *s, tcr_err_t *err)
{
    size_t            i, kept = 0, n_gone = 0;
    tcr_str_t         name = record_name(s, o->args[0], err);
    const char       *token = o->n_args == 2 ? o->args[1] : NULL;
    tcr_acme_item_t  *gone;

    gone = tcr_arena_calloc(s->arena, s->n + 1, sizeof(*gone));

    if (name.data == NULL || gone == NULL) {
        return tcr_err_set(err, "out of memory");
    }

    for (i = 0; i < s->n; i++) {

        if (is_at(&s->items[i], name, token)) {
            gone[n_gone++] = s->items[i];

        } else {
            s->items[kept++] = s->items[i];
        }
    }

    s->n = kept;

    return save(o, s, gone, n_gone, false, err);
}


static int
list(const options_t *o, tcr_acme_store_t *s, tcr_err_t *err)
{
    char       date[32];
    size_t     i;
    time_t     t;
    struct tm  tm;

    (void) o;
    (void) err;

    for (i = 0; i < s->n; i++) {
        t = (time_t) s->items[i].set;
        date[0] = '\0';

        if (gmtime_r(&t, &tm) != NULL) {
            strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm);
        }

        printf("%.*s. %s set %s\n", TCR_STR_ARG(s->items[i].name),
               s->items[i].text.data, date);
    }

    return 0;
}


static const struct {
    const char  *name;
    int          min, max;        /* arguments                               */
    int        (*run)(const options_t *o, tcr_acme_store_t *s, tcr_err_t *err);
} commands[] = {
    { "set", 2, 2, set },
    { "clear", 1, 2, clear },
    { "list", 0, 0, list },
};


int
tcr_tool_acme(int argc, char **argv)
{
    int               rc;
    size_t            i, n = sizeof(commands) / sizeof(commands[0]);
    options_t         o = { .dir = DIR_DEFAULT, .images = TCR_TOOL_IMAGES };
    tcr_err_t         err;
    tcr_acme_store_t  store;

    if (argc < 2 || strcmp(argv[1], "--help") == 0) {
        fputs(help, argc < 2 ? stderr : stdout);
        return argc < 2 ? TCR_TOOL_USAGE : TCR_TOOL_OK;
    }

    for (i = 0; i < n && strcmp(commands[i].name, argv[1]) != 0; i++) {
        continue;
    }

    if (i == n) {
        return tcr_tool_usage("acme", "found \"%s\", expected set, clear or "
                              "list", argv[1]);
    }

    rc = read_options(&o, argc - 1, argv + 1);

    if (rc != -1) {
        return rc;
    }

    if (o.n_args < commands[i].min || o.n_args > commands[i].max) {
        return tcr_tool_usage("acme", "%s has %d arguments, see --help",
                              argv[1], o.n_args);
    }

    if (tcr_acme_store_open(&store, o.dir, &err) != 0) {
        return tcr_tool_fail("acme", "%s", err.text);
    }

    rc = commands[i].run(&o, &store, &err) == 0
         ? TCR_TOOL_OK : tcr_tool_fail("acme", "%s", err.text);
    tcr_acme_store_close(&store);
    return rc;
}
