/* SPDX-License-Identifier: Apache-2.0 */

/* The reference's files, as they are. */

#include "tcr_import.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "tcr_file.h"

#define FILE_MAX  (4u * 1024 * 1024)


/* merged in this order, later ones win */
static const char *const  merged[] = {
    "cache.properties", "traffic_monitor.properties",
    "traffic_ops.properties", "dns.properties", "http.properties"
};


const char *
tcr_import_path(const tcr_import_t *im, tcr_str_t path)
{
    const char  *found;
    tcr_str_t    deploy = TCR_STR(TCR_IMPORT_DEPLOY "/");

    if (tcr_str_starts(path, TCR_STR("file:"))) {
        path = tcr_str_n(path.data + 5, path.len - 5);

        while (path.len > 1 && path.data[0] == '/' && path.data[1] == '/') {
            path = tcr_str_n(path.data + 1, path.len - 1);
        }
    }

    if (tcr_str_starts(path, TCR_STR("/"))
        && !tcr_str_starts(path, deploy))
    {
        found = tcr_arena_strdup(im->arena, path).data;

    } else {
        if (tcr_str_starts(path, deploy)) {
            path = tcr_str_n(path.data + deploy.len, path.len - deploy.len);
        }

        found = tcr_arena_printf(im->arena, "%s/%.*s", im->dir,
                                 TCR_STR_ARG(path));
    }

    return found != NULL ? found : "";
}


typedef int (*parse_pt)(tcr_properties_t *props, tcr_arena_t *arena,
    const char *file, tcr_str_t text, tcr_report_t *report);

/* 1: there is no such file. */
static int
read_properties(tcr_import_t *im, tcr_properties_t *props, const char *path,
    parse_pt parse)
{
    int          rc;
    tcr_err_t    err;
    tcr_file_t   file;
    struct stat  st;

    if (stat(path, &st) != 0 && errno == ENOENT) {
        return 1;
    }

    if (tcr_file_map(&file, path, FILE_MAX, &err) != 0) {
        tcr_report_add(im->report, TCR_REPORT_ERROR, "%s", err.text);
        return -1;
    }

    rc = parse(props, im->arena, path, file.text, im->report);
    tcr_file_unmap(&file);

    if (rc != 0) {
        tcr_report_add(im->report, TCR_REPORT_ERROR, "%s: out of memory",
                       path);
    }

    return rc;
}


static const char *
conf_path(const tcr_import_t *im, const char *name)
{
    const char  *path = tcr_arena_printf(im->arena, "%s/%s", im->conf, name);

    return path != NULL ? path : "";
}


/* "-Dname=value" among the words of a Java command line. */
static void
read_java_words(tcr_import_t *im, const tcr_property_t *options)
{
    tcr_str_t  rest = options->value, word, name;

    while (rest.data != NULL) {
        word = tcr_str_split(&rest, ' ');

        while (word.len != 0 && strchr("\"'\t", word.data[0]) != NULL) {
            word = tcr_str_n(word.data + 1, word.len - 1);
        }

        while (word.len != 0
               && strchr("\"'\t", word.data[word.len - 1]) != NULL)
        {
            word.len--;
        }

        if (!tcr_str_starts(word, TCR_STR("-D"))) {
            continue;
        }

        word = tcr_str_n(word.data + 2, word.len - 2);
        name = tcr_str_split(&word, '=');

        if (word.data == NULL) {
            continue;
        }

        tcr_import_append(im, &im->java, (tcr_property_t) {
            .name = tcr_arena_strdup(im->arena, name),
            .value = tcr_arena_strdup(im->arena, word),
            .file = options->file, .line = options->line });
    }
}


void
tcr_import_append(tcr_import_t *im, tcr_properties_t *list,
    tcr_property_t copy)
{
    tcr_property_t  *p = tcr_arena_alloc(im->arena, sizeof(*p));

    if (p == NULL) {
        return;
    }

    *p = copy;
    p->next = NULL;

    if (list->last != NULL) {
        list->last->next = p;

    } else {
        list->first = p;
    }

    list->last = p;
}


static tcr_str_t
without_quotes(tcr_import_t *im, tcr_str_t text)
{
    text = tcr_str_trim(text);

    if (text.len >= 2 && text.data[0] == '"'
        && text.data[text.len - 1] == '"')
    {
        text = tcr_arena_strdup(im->arena, tcr_str_n(text.data + 1,
                                                     text.len - 2));
    }

    return text;
}


/* The environment of the service: two variables win over the files. */
static void
read_startup(tcr_import_t *im)
{
    tcr_property_t    *p;
    tcr_properties_t   startup = { NULL, NULL };

    if (read_properties(im, &startup, conf_path(im, "startup.properties"),
                        tcr_properties_parse) != 0)
    {
        return;
    }

    for (p = startup.first; p != NULL; p = p->next) {
        p->value = without_quotes(im, p->value);

        if (tcr_str_eq(p->name, TCR_STR("TRAFFIC_MONITOR_HOSTS"))
            && p->value.len != 0)
        {
            p->name = TCR_STR("traffic_monitor.bootstrap.hosts");

        } else if (tcr_str_eq(p->name,
                              TCR_STR("TRAFFIC_MONITOR_BOOTSTRAP_LOCAL"))
                   && (tcr_str_ieq(p->value, TCR_STR("true"))
                       || tcr_str_ieq(p->value, TCR_STR("false"))))
        {
            p->name = TCR_STR("traffic_monitor.bootstrap.local");

        } else {
            read_java_words(im, p);
            continue;
        }

        tcr_import_append(im, &im->local, *p);
    }
}


/* Monitors may stand in another file, which is read again and again. */
static void
read_monitors(tcr_import_t *im)
{
    tcr_import_value_t  value;
    const char         *path, *usual;

    value = tcr_import_take(im, "traffic_monitor.properties", NULL);

    if (value.file == NULL) {
        return;
    }

    path = tcr_import_path(im, tcr_str_trim(value.value));
    usual = tcr_arena_printf(im->arena, "%s/conf/traffic_monitor.properties",
                             im->dir);

    if (usual != NULL && strcmp(path, usual) != 0
        && (!tcr_import_is_path(path)
            || read_properties(im, &im->local, path, tcr_properties_parse)
               == 1))
    {
        tcr_import_say(im, TCR_REPORT_WARNING, value.file, value.line,
                       "traffic_monitor.properties", "there is no \"%s\"",
                       path);
    }
}


static void
read_server(tcr_import_t *im)
{
    tcr_err_t    err;
    tcr_file_t   file;
    struct stat  st;

    im->server_file = conf_path(im, "server.xml");

    if (stat(im->server_file, &st) != 0 && errno == ENOENT) {
        tcr_report_add(im->report, TCR_REPORT_WARNING, "%s: there is none: "
                       "ports are the reference's defaults", im->server_file);
        return;
    }

    if (tcr_file_map(&file, im->server_file, FILE_MAX, &err) != 0) {
        tcr_report_add(im->report, TCR_REPORT_ERROR, "%s", err.text);
        return;
    }

    tcr_xml_parse(&im->server, im->arena, im->server_file, file.text,
                  im->report);
    tcr_file_unmap(&file);
}


static int
is_other(const struct dirent *entry)
{
    size_t  i;

    for (i = 0; i < sizeof(merged) / sizeof(merged[0]); i++) {

        if (strcmp(entry->d_name, merged[i]) == 0) {
            return 0;
        }
    }

    return entry->d_name[0] != '.'
           && strcmp(entry->d_name, "server.xml") != 0
           && strcmp(entry->d_name, "https.properties") != 0
           && strcmp(entry->d_name, "startup.properties") != 0;
}


/* In the order of bytes, whatever the locale. */
static int
by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}


static void
list_others(tcr_import_t *im)
{
    int              i, n;
    struct dirent  **entries;

    n = scandir(im->conf, &entries, is_other, by_name);
    im->others = n > 0 ? tcr_arena_calloc(im->arena, (size_t) n,
                                          sizeof(*im->others)) : NULL;

    for (i = 0; i < n; i++) {

        if (im->others != NULL) {
            im->others[im->n_others++] =
                tcr_arena_strdup(im->arena, tcr_str(entries[i]->d_name));
        }

        free(entries[i]);
    }

    if (n >= 0) {
        free(entries);
    }
}


static void
warn_of_twice(tcr_import_t *im)
{
    tcr_property_t  *p;

    for (p = im->local.first; p != NULL; p = p->next) {

        if (tcr_properties_find(&im->local, p->name.data) != p) {
            tcr_import_say(im, TCR_REPORT_WARNING, p->file, p->line,
                           p->name.data, "does not count, it is given again "
                           "behind this");
            p->used = true;
        }
    }
}


int
tcr_import_read(tcr_import_t *im)
{
    size_t       i, found = 0;
    struct stat  st;

    im->conf = tcr_arena_printf(im->arena, "%s/conf", im->dir);

    if (im->conf == NULL || stat(im->conf, &st) != 0) {
        im->conf = im->dir;
    }

    for (i = 0; i < sizeof(merged) / sizeof(merged[0]); i++) {
        found += read_properties(im, &im->local, conf_path(im, merged[i]),
                                 tcr_properties_parse) == 0;
    }

    if (found == 0) {
        tcr_report_add(im->report, TCR_REPORT_ERROR, "\"%s\" has none of the "
                       "reference's files: expected %s/%s and others of that "
                       "kind", im->dir, im->conf, merged[1]);
        return -1;
    }

    read_monitors(im);
    read_startup(im);
    read_properties(im, &im->https, conf_path(im, "https.properties"),
                    tcr_properties_parse_plain);
    warn_of_twice(im);
    read_server(im);
    list_others(im);

    return 0;
}
