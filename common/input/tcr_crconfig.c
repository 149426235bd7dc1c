/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The snapshot as a whole: which sections there are, what makes the document
 * unusable, who it is from and of when (spec/inputs.md §5.2, §5.9).
 */

#include "tcr_crconfig_read.h"

#define SERVICES_MAX  100000      /* most services of a CDN                  */


static int
refuse(const tcr_json_doc_t *doc, const tcr_json_t *node, tcr_err_t *err,
    const char *what)
{
    tcr_pos_t  pos = tcr_json_pos(doc, node != NULL ? node->offset : 0);

    return tcr_err_at(err, &pos, "%s", what);
}


/*
 * A section that is missing counts as empty (spec/inputs.md §5.2); one that is
 * something else says that this is no snapshot, and must not empty the CDN.
 */
static int
check_sections(const tcr_json_doc_t *doc, tcr_err_t *err)
{
    size_t             i;
    tcr_pos_t          pos;
    const tcr_json_t  *node;

    static const char *const  names[] = {
        "contentServers", "deliveryServices", "edgeLocations"
    };

    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        node = tcr_json_get(doc->root, names[i]);

        if (node != NULL && node->type != TCR_JSON_NULL
            && node->type != TCR_JSON_OBJECT)
        {
            pos = tcr_json_pos(doc, node->offset);

            return tcr_err_at(err, &pos, "not a snapshot: \"%s\" is no "
                              "object, expected one with a member for each "
                              "name", names[i]);
        }
    }

    return 0;
}


/* What no snapshot can be without. */
static int
check(const tcr_json_doc_t *doc, tcr_err_t *err)
{
    const tcr_json_t  *config, *date, *stats;

    if (!tcr_json_is(doc->root, TCR_JSON_OBJECT)) {
        return refuse(doc, doc->root, err, "not a snapshot: found no object, "
                      "expected one with \"config\" and \"stats\"");
    }

    config = tcr_json_get(doc->root, "config");

    if (!tcr_json_is(config, TCR_JSON_OBJECT)) {
        return refuse(doc, config != NULL ? config : doc->root, err,
                      "not a snapshot: found no object \"config\"");
    }

    stats = tcr_json_get(doc->root, "stats");

    if (!tcr_json_is(stats, TCR_JSON_OBJECT)) {
        return refuse(doc, stats != NULL ? stats : doc->root, err,
                      "not a snapshot: found no object \"stats\"");
    }

    date = tcr_json_get(stats, "date");

    if (tcr_json_long(date, 0) <= 0) {
        return refuse(doc, date != NULL ? date : stats, err, "stats.date: "
                      "found no usable date, expected seconds since 1970: "
                      "without it nothing tells which snapshot is newer");
    }

    return check_sections(doc, err);
}


/* HOST or HOST:PORT, as it goes into URLs. */
static tcr_str_t
read_traffic_ops(tcr_read_t *rd, const tcr_json_t *stats)
{
    tcr_str_t          text;
    tcr_str_t          host, port;
    uint64_t           number;
    const char        *field = "tm_host";
    const tcr_json_t  *node = tcr_json_get(stats, field);

    if (rd->own) {
        return tcr_str(NULL);
    }

    if (node == NULL) {
        field = "to_host";
        node = tcr_json_get(stats, field);
    }

    text = tcr_json_str(node, TCR_STR(""));
    port = text;
    host = tcr_str_split(&port, ':');

    if (tcr_read_lower_host(rd, host, NULL).data != NULL
        && (port.data == NULL || tcr_parse_uint(port, 1, 65535, &number) == 0))
    {
        return text;
    }

    tcr_read_wrong(rd, TCR_REPORT_WARNING, node, field, "host or host:port of "
                   "Traffic Ops; addresses built from it are not in force");
    return tcr_str(NULL);
}


static void
read_stats(tcr_read_t *rd, const tcr_json_t *stats)
{
    tcr_read_mark_t    mark = tcr_read_enter(rd, stats, TCR_STR("stats"));
    const tcr_field_t  name = {
        "CDN_name", TCR_FIELD_ID, offsetof(tcr_crconfig_t, cdn_name), 0, 0, 0
    };

    rd->own = tcr_json_get(stats, TCR_CRCONFIG_OWN) != NULL;
    rd->cfg->date = tcr_json_long(tcr_json_get(stats, "date"), 0);
    rd->cfg->traffic_ops = read_traffic_ops(rd, stats);
    tcr_read_fields(rd, stats, &name, 1, rd->cfg);

    tcr_read_leave(rd, mark);
}


void
tcr_read_section(tcr_read_t *rd, const char *name, bool wanted, size_t max,
    tcr_members_t *members)
{
    tcr_read_mark_t    mark;
    const tcr_json_t  *node;

    node = tcr_read_container(rd, rd->doc->root, name, TCR_JSON_OBJECT);

    if (node == NULL && wanted) {
        tcr_read_wrong(rd, TCR_REPORT_WARNING,
                       tcr_json_get(rd->doc->root, name), name,
                       "an object; this section counts as empty");
    }

    mark = tcr_read_enter(rd, node != NULL ? node : rd->doc->root,
                          tcr_str(name));
    tcr_read_members(rd, node, max, members);
    tcr_read_leave(rd, mark);
}


static void
read_services(tcr_read_t *rd, tcr_read_index_t *services)
{
    tcr_read_section(rd, "deliveryServices", true, SERVICES_MAX,
                     &services->members);
    tcr_read_services(rd, services);
}


int
tcr_crconfig_parse_made(tcr_crconfig_t *cfg, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, tcr_made_t *made, tcr_report_t *report,
    tcr_err_t *err)
{
    tcr_read_t        rd;
    tcr_read_index_t  groups, services;

    memset(cfg, 0, sizeof(*cfg));

    if (check(doc, err) != 0) {
        return -1;
    }

    memset(&rd, 0, sizeof(rd));
    rd.cfg = cfg;
    rd.arena = arena;
    rd.doc = doc;
    rd.report = report;
    rd.made = made;
    rd.at = doc->root;

    read_stats(&rd, tcr_json_get(doc->root, "stats"));
    tcr_read_config(&rd, tcr_json_get(doc->root, "config"));
    tcr_read_groups(&rd, &groups);
    tcr_read_router_locations(&rd);
    tcr_read_topologies(&rd);
    tcr_read_routers(&rd);
    tcr_read_monitors(&rd);
    tcr_read_zones(&rd);
    read_services(&rd, &services);
    tcr_read_caches(&rd, &services, &groups);

    return rd.failed ? tcr_err_set(err, "%s: out of memory", doc->file) : 0;
}


int
tcr_crconfig_parse(tcr_crconfig_t *cfg, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, tcr_report_t *report, tcr_err_t *err)
{
    return tcr_crconfig_parse_made(cfg, arena, doc, NULL, report, err);
}
