/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What the snapshot that the reference kept in db/cr-config.json says of it:
 * the ports that it really listens on, those of its own entry (spec/inputs.md
 * §5.6), which parameters there are, and where Traffic Ops is.
 */

#include "tcr_import.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tcr_file.h"
#include "tcr_json.h"

#define SNAPSHOT_MAX  (512u * 1024 * 1024)
#define HOST_CHARS    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" \
                      "0123456789-.:"


/* by api, then by tls */
static const char *const  keys[2][2] = {
    { "port", "httpsPort" },
    { "api.port", "secure.api.port" }
};


/* The entry whose name is ours up to the first dot, in any case. */
static const tcr_json_t *
find_router(const tcr_import_t *im, const tcr_json_t *root)
{
    char               host[256];
    tcr_str_t          own;
    const tcr_json_t  *node;

    if (im->router != NULL) {
        own = tcr_str(im->router);

    } else {
        if (gethostname(host, sizeof(host)) != 0) {
            return NULL;
        }

        host[sizeof(host) - 1] = '\0';
        own = tcr_str_n(host, strcspn(host, "."));
    }

    for (node = tcr_json_first(tcr_json_get(root, "contentRouters"));
         node != NULL; node = node->next)
    {
        if (tcr_str_ieq(tcr_json_name(node), own)) {
            return node;
        }
    }

    return NULL;
}


static void
take_ports(tcr_import_t *im, const tcr_json_t *router)
{
    int      api, tls;
    int64_t  port;

    for (api = 0; api < 2; api++) {

        for (tls = 0; tls < 2; tls++) {
            port = tcr_json_int(tcr_json_get(router, keys[api][tls]), 0);

            if (port > 0 && port <= 65535) {
                im->ports[api][tls] = (unsigned) port;
            }
        }
    }
}


static void
take_parameters(tcr_import_t *im, const tcr_json_t *config)
{
    const tcr_json_t  *node;

    for (node = tcr_json_first(config); node != NULL; node = node->next) {
        tcr_import_append(im, &im->parameters, (tcr_property_t) {
            .name = tcr_arena_strdup(im->arena, tcr_json_name(node)) });
    }
}


/* A copy, since the text goes. */
static void
take_ops(tcr_import_t *im, const tcr_json_t *stats)
{
    tcr_str_t          host;
    const tcr_json_t  *node = tcr_json_get(stats, "tm_host");

    if (node == NULL) {
        node = tcr_json_get(stats, "to_host");
    }

    host = tcr_arena_strdup(im->arena, tcr_json_str(node, TCR_STR("")));

    if (host.data != NULL && host.len != 0
        && host.len == strspn(host.data, HOST_CHARS))
    {
        im->ops = host.data;
    }
}


void
tcr_import_snapshot(tcr_import_t *im)
{
    tcr_err_t          err;
    const char        *path = tcr_import_path(im, TCR_STR("db/cr-config.json"));
    tcr_file_t         file;
    struct stat        st;
    tcr_json_doc_t     doc;
    const tcr_json_t  *router;

    if (stat(path, &st) != 0 && errno == ENOENT) {
        tcr_report_add(im->report, TCR_REPORT_WARNING, "%s: there is none: "
                       "ports are those of server.xml, the reference takes "
                       "those that a snapshot gives it", path);
        return;
    }

    if (tcr_file_map(&file, path, SNAPSHOT_MAX, &err) != 0) {
        tcr_report_add(im->report, TCR_REPORT_WARNING, "%s", err.text);
        return;
    }

    if (tcr_json_parse(&doc, im->arena, path, file.text, &err) != 0) {
        tcr_report_add(im->report, TCR_REPORT_WARNING, "%s", err.text);
        tcr_file_unmap(&file);
        return;
    }

    take_parameters(im, tcr_json_get(doc.root, "config"));
    take_ops(im, tcr_json_get(doc.root, "stats"));
    router = find_router(im, doc.root);

    if (router == NULL) {
        tcr_report_add(im->report, TCR_REPORT_WARNING, "%s: has no router of "
                       "this name, see --router: ports are those of "
                       "server.xml", path);

    } else {
        take_ports(im, router);
    }

    tcr_file_unmap(&file);
}
