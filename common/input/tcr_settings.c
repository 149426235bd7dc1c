/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The table of settings, and the files that they stand in.
 */

#include "tcr_settings.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "tcr_file.h"
#include "tcr_log.h"
#include "tcr_nsec3.h"

#define FILE_MAX     (64u * 1024 * 1024)
#define SECOND       INT64_C(1000)
#define MINUTE       (60 * SECOND)
#define HOUR         (60 * MINUTE)
#define DAY          (24 * HOUR)
#define KIB          INT64_C(1024)
#define MIB          (1024 * KIB)
#define GIB          (1024 * MIB)

#define AT(member)   offsetof(tcr_settings_t, member)

/* name, kind, required, place, default, bounds, words, keys */
#define VALUE(name, kind, member, def, min, max)                              \
    { name, kind, false, AT(member), def, min, max, NULL, NULL, 0, NULL }

#define TEXT(name, kind, member, def)                                         \
    VALUE(name, kind, member, def, 0, 0)

#define SECTION(name)                                                         \
    VALUE(#name, TCR_KIND_MEMBERS, sections.name, NULL, 0, 0)

#define MAP(name, keys)                                                       \
    { name, TCR_KIND_MAP, false, 0, NULL, 0, 0, NULL, TCR_KEYS(keys), NULL }

/* a poll more often than this would find the server's answer unchanged */
#define INTERVAL(name, member, def)                                           \
    VALUE(name, TCR_KIND_DURATION, intervals.member, def, 50, 365 * DAY)

#define TIMEOUT(name, member, def)                                            \
    VALUE(name, TCR_KIND_DURATION, timeouts.member, def, 50, HOUR)

#define LIMIT(name, member, def)                                              \
    VALUE(name, TCR_KIND_SIZE, limits.member, def, KIB, 4 * GIB)


static const tcr_key_t  monitor_keys[] = {
    { "hosts", TCR_KIND_HOSTS, true, AT(monitors), NULL, 0, 0, NULL, NULL, 0,
      NULL },
    TEXT("local", TCR_KIND_BOOL, local, "false"),
    TEXT("ca_file", TCR_KIND_PATH, monitor_ca, NULL)
};

/* without a default: the snapshot's parameter decides, then the source */
static const tcr_key_t  interval_keys[] = {
    INTERVAL("snapshot", snapshot, "60s"),
    INTERVAL("states", states, "1s"),
    INTERVAL("coverage_zones", coverage_zones, NULL),
    INTERVAL("deep_coverage_zones", deep_coverage_zones, NULL),
    INTERVAL("city", city, NULL),
    INTERVAL("certificates", certificates, NULL),
    INTERVAL("dnssec_keys", dnssec_keys, NULL),
    INTERVAL("ds_known", ds_known, NULL),
    INTERVAL("federations", federations, NULL),
    INTERVAL("steering", steering, NULL),
    INTERVAL("challenges", challenges, NULL),
    INTERVAL("acme", acme, NULL),
    INTERVAL("regional_geoblocking", regional_geoblocking, NULL),
    INTERVAL("anonymous_policy", anonymous_policy, NULL),
    INTERVAL("anonymous_ip", anonymous_ip, NULL)
};

/* timeout without a default: as the intervals */
static const tcr_key_t  ops_keys[] = {
    TEXT("url", TCR_KIND_ORIGIN, ops.url, NULL),
    TEXT("credentials", TCR_KIND_PATH, ops.credentials, NULL),
    TEXT("ca_file", TCR_KIND_PATH, ops.ca_file, NULL),
    TEXT("verify", TCR_KIND_BOOL, ops.verify, "true"),
    VALUE("timeout", TCR_KIND_DURATION, ops.timeout, NULL, 50, HOUR)
};

/* decisions E26 */
static const tcr_key_t  group_keys[] = {
    TEXT("tls", TCR_KIND_TEXT, groups.tls, "tcrouter-tls"),
    TEXT("dns", TCR_KIND_TEXT, groups.dns, "tcrouter-dns")
};

/* in the order of tcr_denial_e */
static const char *const  denials[] = {
    "nsec", "nsec3-narrow", "nsec3", NULL
};

static const tcr_key_t  dnssec_keys[] = {
    { "denial", TCR_KIND_WORD, false, AT(dnssec.denial), "nsec", 0, 0,
      denials, NULL, 0, NULL },
    VALUE("iterations", TCR_KIND_INT, dnssec.iterations, "0", 0,
          TCR_NSEC3_ITERATIONS_MAX),
    TEXT("salt", TCR_KIND_TEXT, dnssec.salt, NULL)
};

static const tcr_key_t  timeout_keys[] = {
    TIMEOUT("connect", connect, "10s"),
    TIMEOUT("total", total, "60s"),
    TIMEOUT("states", states, "5s")
};

static const tcr_key_t  limit_keys[] = {
    LIMIT("snapshot", snapshot, "512m"),
    LIMIT("states", states, "64m"),
    LIMIT("coverage_zones", coverage_zones, "256m"),
    LIMIT("databases", databases, "1g"),
    LIMIT("certificates", certificates, "256m"),
    LIMIT("traffic_ops", traffic_ops, "64m"),
    LIMIT("policies", policies, "64m")
};

/* in the order of tcr_log_level_e, which begins with 3 */
static const char *const  log_levels[] = {
    "error", "warning", "notice", "info", "debug", NULL
};

static const tcr_key_t  keys[] = {
    TEXT("router", TCR_KIND_TEXT, router, NULL),
    TEXT("images", TCR_KIND_PATH, images, "/run/tcrouter/images"),
    TEXT("state", TCR_KIND_PATH, state, TCR_SETTINGS_STATE),
    MAP("traffic_monitor", monitor_keys),
    TEXT("snapshot", TCR_KIND_URL, snapshot, NULL),
    TEXT("states", TCR_KIND_URL, states, NULL),
    TEXT("coverage_zones", TCR_KIND_URL, coverage_zones, NULL),
    TEXT("deep_coverage_zones", TCR_KIND_URL, deep_coverage_zones, NULL),
    TEXT("city", TCR_KIND_URL, city, NULL),
    MAP("traffic_ops", ops_keys),
    TEXT("certificates", TCR_KIND_URL, certificates, NULL),
    TEXT("dnssec_keys", TCR_KIND_URL, dnssec_keys, NULL),
    TEXT("ds_known", TCR_KIND_FILE, ds_known, NULL),
    TEXT("federations", TCR_KIND_URL, federations, NULL),
    TEXT("steering", TCR_KIND_URL, steering, NULL),
    TEXT("challenges", TCR_KIND_URL, challenges, NULL),
    TEXT("acme", TCR_KIND_FILE, acme, NULL),
    TEXT("regional_geoblocking", TCR_KIND_URL, regional_geoblocking, NULL),
    TEXT("anonymous_policy", TCR_KIND_URL, anonymous_policy, NULL),
    TEXT("anonymous_ip", TCR_KIND_URL, anonymous_ip, NULL),
    MAP("dnssec", dnssec_keys),
    MAP("groups", group_keys),
    MAP("intervals", interval_keys),
    MAP("timeouts", timeout_keys),
    MAP("limits", limit_keys),
    VALUE("max_shrink", TCR_KIND_PERCENT, max_shrink, "50%", 0, 100),
    SECTION(cdn),
    SECTION(routers),
    SECTION(cache_groups),
    SECTION(caches),
    SECTION(delivery_services),
    SECTION(zones),
    { "log_level", TCR_KIND_WORD, false, AT(log_level), "info", 0, 0,
      log_levels, NULL, 0, NULL }
};


typedef struct {
    tcr_arena_t   *arena;
    tcr_report_t  *report;
    tcr_yaml_t    *root;          /* of the first file, others merged in     */
    int64_t        changed;       /* newest of them: seconds since 1970      */
} files_t;


/* Every file says which version of the format it is written in. */
static void
take_version(files_t *files, tcr_yaml_t *root)
{
    tcr_yaml_t  **link, *node, *last = NULL;

    for (link = &root->first; *link != NULL; link = &(*link)->next) {
        node = *link;

        if (tcr_str_eq(node->key->text, TCR_STR("version"))) {
            break;
        }

        last = node;
    }

    node = *link;

    if (node == NULL) {
        tcr_yaml_wrong(files->report, root, "\"version: 1\" is missing");
        return;
    }

    if (node->type != TCR_YAML_SCALAR
        || !tcr_str_eq(node->text, TCR_STR("1")))
    {
        tcr_yaml_wrong(files->report, node, "is \"%.*s\", expected 1",
                       TCR_STR_ARG(node->text));
    }

    *link = node->next;
    root->n--;

    if (root->last == node) {
        root->last = last;
    }
}


static void
read_file(files_t *files, const char *path)
{
    tcr_err_t    err;
    tcr_file_t   file;
    tcr_yaml_t  *root;
    struct stat  st;

    if (stat(path, &st) == 0 && (int64_t) st.st_mtime > files->changed) {
        files->changed = (int64_t) st.st_mtime;
    }

    if (tcr_file_map(&file, path, FILE_MAX, &err) != 0) {
        tcr_report_add(files->report, TCR_REPORT_ERROR, "%s", err.text);
        return;
    }

    if (tcr_yaml_parse(&root, files->arena, path, file.text, files->report)
        == 0)
    {
        if (root->type != TCR_YAML_MAPPING) {
            tcr_yaml_wrong(files->report, root, "is no mapping, expected "
                           "\"version: 1\" and further keys");

        } else {
            take_version(files, root);

            if (files->root == NULL) {
                files->root = root;

            } else {
                tcr_yaml_merge(files->root, root, files->report);
            }
        }
    }

    tcr_file_unmap(&file);
}


static int
is_yaml(const struct dirent *entry)
{
    return entry->d_name[0] != '.'
           && tcr_str_ends(tcr_str(entry->d_name), TCR_STR(".yaml"));
}


/* In the order of bytes, whatever the locale. */
static int
by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}


static void
read_more(files_t *files, const char *path)
{
    int              i, n;
    char            *dir, *file;
    const char      *slash = strrchr(path, '/');
    struct dirent  **entries;

    dir = tcr_arena_printf(files->arena, "%.*sconf.d",
                           slash != NULL ? (int) (slash - path) + 1 : 0, path);
    n = dir != NULL ? scandir(dir, &entries, is_yaml, by_name) : -1;

    if (n < 0) {

        if (errno != ENOENT) {
            tcr_report_add(files->report, TCR_REPORT_ERROR, "cannot read the "
                           "directory \"%s\": %s", dir != NULL ? dir : "",
                           strerror(errno));
        }

        return;
    }

    for (i = 0; i < n; i++) {
        file = tcr_arena_printf(files->arena, "%s/%s", dir,
                                entries[i]->d_name);
        free(entries[i]);

        if (file != NULL) {
            read_file(files, file);
        }
    }

    free(entries);
}


/* Where the snapshot is from has to be said, and said once. */
static void
check_together(const tcr_settings_t *s, const files_t *files)
{
    size_t             i;
    const tcr_yaml_t  *other = NULL;

    static const char *const  names[] = { "traffic_monitor", "snapshot" };

    for (i = 0; i < sizeof(names) / sizeof(names[0]) && other == NULL; i++) {
        other = tcr_yaml_get(files->root, names[i]);
    }

    if (!tcr_own_given(&s->sections) && other == NULL) {
        tcr_yaml_wrong(files->report, files->root, "no source of a snapshot, "
                       "expected \"traffic_monitor\", \"snapshot\" or "
                       "\"cdn\"");
    }

    if (tcr_own_given(&s->sections) && other != NULL) {
        tcr_yaml_wrong(files->report, other, "the settings describe a CDN of "
                       "their own, so this is a second source of a snapshot");
    }
}


/* This router is one of the CDN's; its host's name may say which. */
static void
check_router(const tcr_settings_t *s, const files_t *files)
{
    const tcr_yaml_t  *router;

    router = s->sections.routers != NULL ? s->sections.routers->first : NULL;

    if (router == NULL || s->router.data == NULL) {
        return;
    }

    for ( /* void */ ; router != NULL; router = router->next) {

        if (tcr_str_ieq(router->key->text, s->router)) {
            return;
        }
    }

    tcr_yaml_wrong(files->report, tcr_yaml_get(files->root, "router"),
                   "no router \"%.*s\", expected one of \"routers\"",
                   TCR_STR_ARG(s->router));
}


static void
check_salt(const tcr_settings_t *s, const files_t *files)
{
    tcr_str_t          salt = s->dnssec.salt;
    const tcr_yaml_t  *dnssec = tcr_yaml_get(files->root, "dnssec");

    if (salt.data != NULL && !tcr_nsec3_is_salt(salt)) {
        tcr_yaml_wrong(files->report, tcr_yaml_get(dnssec, "salt"),
                       "is \"%.*s\", expected an even number of up to %d "
                       "hexadecimal digits", TCR_STR_ARG(salt),
                       2 * TCR_NSEC3_SALT_MAX);
    }
}


/* The CDN that the settings describe is a snapshot like any other. */
static void
read_cdn(tcr_settings_t *s, const char *path, const files_t *files)
{
    char  *url;

    if (!tcr_own_given(&s->sections)) {
        return;
    }

    check_router(s, files);
    tcr_own_read(&s->cdn, &s->sections, files->arena, files->report);
    url = tcr_arena_printf(files->arena, TCR_SETTINGS_OWN "%s", path);
    s->snapshot = tcr_str(url);

    if (s->states.data == NULL) {
        s->states = s->snapshot;
    }
}


int
tcr_settings_load(tcr_settings_t *settings, tcr_arena_t *arena,
    const char *path, tcr_report_t *report)
{
    bool     whole;
    files_t  files = { arena, report, NULL, 0 };

    memset(settings, 0, sizeof(*settings));
    read_file(&files, path);
    whole = files.root != NULL;
    read_more(&files, path);

    if (files.root != NULL) {
        tcr_schema_read(files.root, TCR_KEYS(keys), settings, arena, report);
    }

    if (whole) {
        check_together(settings, &files);
        check_salt(settings, &files);
        read_cdn(settings, path, &files);
    }

    settings->changed = files.changed;
    settings->root = files.root;
    settings->log_level += TCR_LOG_ERR;

    return report->count[TCR_REPORT_ERROR] != 0 ? -1 : 0;
}


void
tcr_settings_write(const tcr_settings_t *settings, tcr_buf_t *buf)
{
    const tcr_yaml_t  *node;

    for (node = settings->root->first; node != NULL; node = node->next) {
        tcr_buf_str(buf, node->key->text);
        tcr_buf_str(buf, TCR_STR(": "));
        tcr_yaml_write(node, buf);
        tcr_buf_char(buf, '\n');
    }
}
