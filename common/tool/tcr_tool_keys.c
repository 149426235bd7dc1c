/* SPDX-License-Identifier: Apache-2.0 */

/*
 * tcrouter keys: DNSSEC keys for a CDN without Traffic Ops, and the DS that
 * has to stand at the parent of any CDN's zone.
 */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tcr_clock.h"
#include "tcr_file.h"
#include "tcr_keys.h"
#include "tcr_keys_make.h"
#include "tcr_route.h"
#include "tcr_tool.h"
#include "tcr_tool_keys.h"

#define DAY         86400
#define DAYS_MAX    36500
#define KNOWN_MAX   (16u << 20)
#define TTL         3600          /* seconds; ten of them are the time ahead */
#define MULTIPLIER  10            /* Traffic Ops' default (spec/dns.md §8.3) */


static const char  help[] =
    "usage: tcrouter keys generate [ZONE...] [OPTIONS]\n"
    "       tcrouter keys roll [ZONE...] [--force ksk|zsk] [OPTIONS]\n"
    "       tcrouter keys list [ZONE...] [OPTIONS]\n"
    "       tcrouter keys ds [ZONE...] [--all] [--check --resolver ADDR[:PORT]]"
    "\n\n"
    "generate makes the first keys, of all zones in the images when none is "
    "given.\n"
    "roll makes what is due and removes what is over: for cron, every hour.\n"
    "ds prints what to publish at the parent, and with --check looks for it "
    "there.\n\n"
    "  --dir DIR                   where the keys are (" TCR_KEYS_DIR ")\n"
    "  --images DIR                image directory (" TCR_TOOL_IMAGES ")\n"
    "  --algorithm NAME            of first keys: ecdsap256 (default), "
    "ecdsap384,\n"
    "                              ed25519, rsasha256\n"
    "  --ttl SECONDS               of first keys (3600)\n"
    "  --ksk-days N, --zsk-days N  life of new keys (365, 30)\n"
    "  --generation-multiplier N   TTLs before the end that the next is made "
    "(10)\n"
    "  --effective-multiplier N    TTLs before the end that it is effective "
    "(10)\n";

enum {
    DIR = 256, IMAGES, ALGORITHM, KEY_TTL, KSK_DAYS, ZSK_DAYS, GENERATION,
    EFFECTIVE, FORCE, ALL, CHECK, RESOLVER, HELP
};

static const struct option  long_options[] = {
    { "dir", required_argument, NULL, DIR },
    { "images", required_argument, NULL, IMAGES },
    { "algorithm", required_argument, NULL, ALGORITHM },
    { "ttl", required_argument, NULL, KEY_TTL },
    { "ksk-days", required_argument, NULL, KSK_DAYS },
    { "zsk-days", required_argument, NULL, ZSK_DAYS },
    { "generation-multiplier", required_argument, NULL, GENERATION },
    { "effective-multiplier", required_argument, NULL, EFFECTIVE },
    { "force", required_argument, NULL, FORCE },
    { "all", no_argument, NULL, ALL },
    { "check", no_argument, NULL, CHECK },
    { "resolver", required_argument, NULL, RESOLVER },
    { "help", no_argument, NULL, HELP },
    { NULL, 0, NULL, 0 }
};


/* -1 with a complaint when the text is no number in 1 .. max. */
static int64_t
number(const char *option, const char *text, uint64_t max)
{
    uint64_t  n;

    if (tcr_parse_uint(tcr_str(text), 1, max, &n) == 0) {
        return (int64_t) n;
    }

    tcr_tool_usage("keys", "--%s is \"%s\", expected 1 to %llu", option, text,
                   (unsigned long long) max);
    return -1;
}


static int
set_number(tcr_keys_plan_t *plan, int option, const char *name,
    const char *text)
{
    int64_t  n;

    n = number(name, text, option == KSK_DAYS || option == ZSK_DAYS
                           ? DAYS_MAX : 1000000);

    switch (option) {
    case KEY_TTL:    plan->ttl = (uint32_t) n; break;
    case KSK_DAYS:   plan->ksk_life = n * DAY; break;
    case ZSK_DAYS:   plan->zsk_life = n * DAY; break;
    case GENERATION: plan->generation = (uint32_t) n; break;
    default:         plan->effective = (uint32_t) n; break;
    }

    return n < 0 ? TCR_TOOL_USAGE : TCR_TOOL_OK;
}


static int
set_option(tcr_keys_options_t *o, int option, const char *name,
    const char *text)
{
    switch (option) {

    case DIR:
        o->dir = text;
        return TCR_TOOL_OK;

    case IMAGES:
        o->images = text;
        return TCR_TOOL_OK;

    case RESOLVER:
        o->resolver = text;
        return TCR_TOOL_OK;

    case ALL:
        o->all = true;
        return TCR_TOOL_OK;

    case ALGORITHM:
        o->plan.algorithm = tcr_keys_algorithm(text);

        return o->plan.algorithm != 0 ? TCR_TOOL_OK
               : tcr_tool_usage("keys", "--algorithm is \"%s\", expected %s",
                                text, tcr_keys_algorithms());

    case FORCE:
        o->force = strcmp(text, "ksk") == 0 ? TCR_DNSKEY_KSK
                   : strcmp(text, "zsk") == 0 ? TCR_DNSKEY_ZSK : 0;

        return o->force != 0 ? TCR_TOOL_OK
               : tcr_tool_usage("keys", "--force is \"%s\", expected ksk or "
                                "zsk", text);

    default:
        return set_number(&o->plan, option, name, text);
    }
}


/* -1: go on; else the exit code. */
static int
read_options(tcr_keys_options_t *o, int argc, char **argv)
{
    int   option, at, rc;
    bool  check = false;

    while ((option = getopt_long(argc, argv, "", long_options, &at)) != -1) {

        if (option == HELP) {
            fputs(help, stdout);
            return TCR_TOOL_OK;
        }

        if (option == CHECK) {
            check = true;
            continue;
        }

        rc = option == '?' ? TCR_TOOL_USAGE
             : set_option(o, option, long_options[at].name, optarg);

        if (rc != TCR_TOOL_OK) {
            return rc;
        }
    }

    if (check != (o->resolver != NULL)) {
        return tcr_tool_usage("keys", "--check and --resolver go together");
    }

    o->zones = argv + optind;
    o->n_zones = (size_t) (argc - optind);
    return -1;
}


bool
tcr_tool_keys_wanted(const tcr_keys_options_t *o, tcr_str_t zone)
{
    size_t     i;
    tcr_str_t  given;

    for (i = 0; i < o->n_zones; i++) {
        given = tcr_str(o->zones[i]);

        if (given.len != 0 && given.data[given.len - 1] == '.') {
            given.len--;
        }

        if (tcr_str_ieq(given, zone)) {
            return true;
        }
    }

    return o->n_zones == 0;
}


int
tcr_tool_keys_known(tcr_keys_store_t *s, tcr_ds_known_t *out,
    tcr_err_t *err)
{
    int             rc;
    char           *path;
    tcr_err_t       why;
    tcr_str_t       text;
    tcr_file_t      file;
    tcr_json_doc_t  doc;

    memset(out, 0, sizeof(*out));
    path = tcr_arena_printf(s->arena, "%.*s%s",
                            (int) (strlen(s->path) - strlen(TCR_KEYS_FILE)),
                            s->path, TCR_KEYS_KNOWN);

    if (path == NULL) {
        return tcr_err_set(err, "out of memory");
    }

    if (tcr_file_map(&file, path, KNOWN_MAX, &why) != 0) {
        return 0;
    }

    text = tcr_arena_strdup(s->arena, file.text);
    tcr_file_unmap(&file);

    if (text.data == NULL) {
        return tcr_err_set(err, "out of memory");
    }

    rc = tcr_json_parse(&doc, s->arena, path, text, err);

    return rc != 0 ? rc : tcr_ds_known_parse(out, s->arena, &doc, NULL, err);
}


/* --- commands --- */

static void
did(const char *what, const tcr_dnsseckey_t *key)
{
    const char  *name = tcr_keys_algorithm_name(key->algorithm);

    printf("%s %s of %.*s, %s\n", what,
           key->flags == TCR_DNSKEY_KSK ? "KSK" : "ZSK",
           TCR_STR_ARG(key->zone), name != NULL ? name : "another algorithm");
}


/* Names of all zones in the images. */
static int
generate_all(const tcr_keys_options_t *o, tcr_keys_store_t *s, tcr_err_t *err)
{
    int                        rc = 0;
    size_t                     i, n;
    tcr_view_t                *view = tcr_view_create(o->images, 1);
    const tcr_img_dns_zone_t  *zones;

    tcr_err_set(err, "no images in \"%s\"; name the zones", o->images);

    if (view == NULL || tcr_view_refresh(view, tcr_now_ms(), err) < 0
        || !tcr_view_ready(view))
    {
        tcr_view_destroy(view);
        return -1;
    }

    n = tcr_dns_zones(view, &zones);

    for (i = 0; i < n && rc == 0; i++) {
        rc = tcr_keys_plan_first(&o->plan, s,
                                 tcr_view_str(view, zones[i].origin), did,
                                 err);
    }

    tcr_view_destroy(view);
    return rc;
}


static int
generate(const tcr_keys_options_t *o, tcr_keys_store_t *s)
{
    int        rc = 0;
    size_t     i, k;
    char      *zone;
    tcr_err_t  err;

    if (o->n_zones == 0) {
        rc = generate_all(o, s, &err);
    }

    for (i = 0; i < o->n_zones && rc == 0; i++) {
        zone = o->zones[i];

        for (k = 0; zone[k] != '\0'; k++) {
            zone[k] = tcr_lower(zone[k]);
        }

        if (k != 0 && zone[k - 1] == '.') {
            k--;
        }

        rc = tcr_keys_plan_first(&o->plan, s, tcr_str_n(zone, k), did, &err);
    }

    return rc == 0 && tcr_keys_store_save(s, &err) == 0
           ? TCR_TOOL_OK : tcr_tool_fail("keys", "%s", err.text);
}


static int
force(const tcr_keys_options_t *o, tcr_keys_store_t *s, tcr_err_t *err)
{
    size_t     i;
    tcr_str_t  zone;

    if (o->n_zones == 0) {
        return tcr_err_set(err, "--force needs the names of the zones");
    }

    for (i = 0; i < o->n_zones; i++) {
        zone = tcr_str(o->zones[i]);

        if (zone.len != 0 && zone.data[zone.len - 1] == '.') {
            zone.len--;
        }

        if (tcr_keys_plan_force(&o->plan, s, zone, o->force, did, err) != 0) {
            return -1;
        }
    }

    return 0;
}


static int
roll(const tcr_keys_options_t *o, tcr_keys_store_t *s)
{
    int             rc;
    tcr_err_t       err;
    tcr_ds_known_t  known;

    rc = tcr_tool_keys_known(s, &known, &err);

    if (rc == 0) {
        rc = o->force != 0 ? force(o, s, &err)
                           : tcr_keys_plan_due(&o->plan, s, did, &err);
    }

    if (rc == 0) {
        rc = tcr_keys_plan_clean(&o->plan, s, &known, did, &err);
    }

    return rc == 0 && tcr_keys_store_save(s, &err) == 0
           ? TCR_TOOL_OK : tcr_tool_fail("keys", "%s", err.text);
}


static void
print_time(int64_t seconds)
{
    char       text[32] = "-";
    time_t     t = (time_t) seconds;
    struct tm  tm;

    if (gmtime_r(&t, &tm) != NULL) {
        strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
    }

    printf(" %s", text);
}


static int
list(const tcr_keys_options_t *o, tcr_keys_store_t *s)
{
    size_t                  i;
    uint8_t                *roles;
    tcr_err_t               err;
    const char             *name;
    tcr_ds_known_t          known;
    const tcr_dnsseckey_t  *k;

    if (tcr_tool_keys_known(s, &known, &err) != 0) {
        return tcr_tool_fail("keys", "%s", err.text);
    }

    roles = tcr_keys_plan_roles(s, &known, o->plan.now);

    if (roles == NULL) {
        tcr_err_set(&err, "out of memory");
        return tcr_tool_fail("keys", "%s", err.text);
    }

    for (i = 0; i < s->n; i++) {
        k = &s->items[i];

        if (!tcr_tool_keys_wanted(o, k->zone)) {
            continue;
        }

        name = tcr_keys_algorithm_name(k->algorithm);
        printf("%.*s. %s %5u %s", TCR_STR_ARG(k->zone),
               k->flags == TCR_DNSKEY_KSK ? "KSK" : "ZSK", k->tag,
               name != NULL ? name : "-");
        print_time(k->effective);
        print_time(k->expiration);
        printf(" %s\n", (roles[i] & TCR_ROLE_SIGNS) != 0 ? "signs"
               : (roles[i] & TCR_ROLE_PUBLISHED) != 0 ? "published" : "-");
    }

    return TCR_TOOL_OK;
}


static const struct {
    const char  *name;
    int        (*run)(const tcr_keys_options_t *o, tcr_keys_store_t *s);
} commands[] = {
    { "generate", generate },
    { "roll", roll },
    { "list", list },
    { "ds", tcr_tool_keys_ds },
};


int
tcr_tool_keys(int argc, char **argv)
{
    int                 rc;
    size_t              i, n = sizeof(commands) / sizeof(commands[0]);
    tcr_err_t           err;
    tcr_keys_store_t    store;
    tcr_keys_options_t  o = {
        .dir = TCR_KEYS_DIR, .images = TCR_TOOL_IMAGES,
        .plan = {
            .now = tcr_now_ms() / 1000, .algorithm = 13, .ttl = TTL,
            .ksk_life = 365 * DAY, .zsk_life = 30 * DAY,
            .generation = MULTIPLIER, .effective = MULTIPLIER
        }
    };

    if (argc < 2 || strcmp(argv[1], "--help") == 0) {
        fputs(help, argc < 2 ? stderr : stdout);
        return argc < 2 ? TCR_TOOL_USAGE : TCR_TOOL_OK;
    }

    for (i = 0; i < n && strcmp(commands[i].name, argv[1]) != 0; i++) {
        continue;
    }

    if (i == n) {
        return tcr_tool_usage("keys", "found \"%s\", expected generate, roll, "
                              "list or ds", argv[1]);
    }

    rc = read_options(&o, argc - 1, argv + 1);

    if (rc != -1) {
        return rc;
    }

    if (tcr_keys_store_open(&store, o.dir, &err) != 0) {
        return tcr_tool_fail("keys", "%s", err.text);
    }

    rc = commands[i].run(&o, &store);
    tcr_keys_store_close(&store);
    return rc;
}
