/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The ports that the reference really listens on: those of its own entry in
 * the snapshot (spec/inputs.md §5.6), which it kept in db/cr-config.json.
 */

#include "tcr_import.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tcr_file.h"
#include "tcr_json.h"

#define SNAPSHOT_MAX  (512u * 1024 * 1024)


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


void
tcr_import_ports(tcr_import_t *im)
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

    } else if ((router = find_router(im, doc.root)) == NULL) {
        tcr_report_add(im->report, TCR_REPORT_WARNING, "%s: has no router of "
                       "this name, see --router: ports are those of "
                       "server.xml", path);

    } else {
        take_ports(im, router);
    }

    tcr_file_unmap(&file);
}
