/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The machines beside the caches: contentRouters and monitors
 * (spec/inputs.md §5.6, §5.7).
 */

#include "tcr_crconfig_read.h"

#define MACHINES_MAX  65536


static const tcr_field_t  router_fields[] = {
    { "status", TCR_FIELD_ID, offsetof(tcr_router_t, status), 0, 0, 0 },
    { "location", TCR_FIELD_ID, offsetof(tcr_router_t, location), 0, 0, 0 },
    { "port", TCR_FIELD_PORT, offsetof(tcr_router_t, port), 0, 1, 65535 },
    { "httpsPort", TCR_FIELD_PORT, offsetof(tcr_router_t, https_port),
      0, 1, 65535 },
    { "api.port", TCR_FIELD_PORT, offsetof(tcr_router_t, api_port),
      0, 1, 65535 },
    { "secure.api.port", TCR_FIELD_PORT,
      offsetof(tcr_router_t, secure_api_port), 0, 1, 65535 }
};


static void
read_router(tcr_read_t *rd, const tcr_json_t *node)
{
    tcr_router_t  *router = &rd->cfg->routers[rd->cfg->n_routers];

    router->id = tcr_json_name(node);
    router->fqdn = tcr_read_host(rd, TCR_REPORT_LEFT_OUT,
                                 tcr_json_get(node, "fqdn"), "fqdn",
                                 "a host name; this router is left out");

    if (router->fqdn.data == NULL) {
        return;
    }

    router->ip = tcr_read_addr(rd, tcr_json_get(node, "ip"), "ip", 4);
    router->ip6 = tcr_read_addr(rd, tcr_json_get(node, "ip6"), "ip6", 6);

    if (router->ip.data == NULL && router->ip6.data == NULL) {
        tcr_read_report(rd, TCR_REPORT_WARNING, node, NULL,
                        "found no usable \"ip\" and no \"ip6\": DNS cannot "
                        "tell where this router is");
    }

    tcr_read_fields(rd, node, router_fields, TCR_FIELDS(router_fields),
                    router);
    rd->cfg->n_routers++;
}


void
tcr_read_routers(tcr_read_t *rd)
{
    size_t             i;
    tcr_members_t      members;
    tcr_crconfig_t    *cfg = rd->cfg;
    tcr_read_mark_t    section, mark;
    const tcr_json_t  *node;

    tcr_read_section(rd, "contentRouters", true, MACHINES_MAX, &members);

    cfg->routers = tcr_read_alloc(rd, members.n, sizeof(tcr_router_t));

    if (rd->failed) {
        return;
    }

    section = tcr_read_enter(rd, rd->doc->root, TCR_STR("contentRouters"));

    for (i = 0; i < members.n; i++) {
        node = members.items[i];
        mark = tcr_read_enter(rd, node, tcr_json_name(node));
        read_router(rd, node);
        tcr_read_leave(rd, mark);
    }

    tcr_read_leave(rd, section);
}


static void
read_monitor(tcr_read_t *rd, const tcr_json_t *node)
{
    tcr_str_t           status;
    tcr_monitor_t      *monitor = &rd->cfg->monitors[rd->cfg->n_monitors];
    const tcr_field_t   port = {
        "port", TCR_FIELD_PORT, offsetof(tcr_monitor_t, port), 80, 1, 65535
    };

    status = tcr_json_str(tcr_json_get(node, "status"), tcr_str(NULL));
    monitor->online = tcr_str_eq(status, TCR_STR("ONLINE"));
    monitor->fqdn = tcr_read_host_or_addr(rd, TCR_REPORT_LEFT_OUT,
                                          tcr_json_get(node, "fqdn"), "fqdn",
                                          "a host name or an address; this "
                                          "monitor is left out");

    if (monitor->fqdn.data == NULL) {
        return;
    }

    tcr_read_fields(rd, node, &port, 1, monitor);
    rd->cfg->n_monitors++;
}


/*
 * Without one the fetcher stays with the monitors it knows: no reason to
 * refuse what the snapshot says about services.
 */
static void
check_online(tcr_read_t *rd)
{
    size_t  i;

    for (i = 0; i < rd->cfg->n_monitors; i++) {
        if (rd->cfg->monitors[i].online) {
            return;
        }
    }

    tcr_read_report(rd, TCR_REPORT_WARNING,
                    tcr_json_get(rd->doc->root, "monitors"), NULL,
                    "found no monitor with status ONLINE, expected one; the "
                    "list of monitors stays as it is");
}


void
tcr_read_monitors(tcr_read_t *rd)
{
    size_t             i;
    tcr_members_t      members;
    tcr_crconfig_t    *cfg = rd->cfg;
    tcr_read_mark_t    section, mark;
    const tcr_json_t  *node;

    if (rd->own) {
        return;
    }

    tcr_read_section(rd, "monitors", true, MACHINES_MAX, &members);

    cfg->monitors = tcr_read_alloc(rd, members.n, sizeof(tcr_monitor_t));

    if (rd->failed) {
        return;
    }

    section = tcr_read_enter(rd, rd->doc->root, TCR_STR("monitors"));

    for (i = 0; i < members.n; i++) {
        node = members.items[i];
        mark = tcr_read_enter(rd, node, tcr_json_name(node));
        read_monitor(rd, node);
        tcr_read_leave(rd, mark);
    }

    check_online(rd);
    tcr_read_leave(rd, section);
}
