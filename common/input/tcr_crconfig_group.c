/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Cache groups: edgeLocations, trafficRouterLocations (spec/inputs.md §5.3)
 * and the topologies that list them (§5.8).
 */

#include "tcr_crconfig_read.h"

#define GROUPS_MAX      65536
#define TOPOLOGIES_MAX  65536


static void
read_method(tcr_read_t *rd, const tcr_json_t *node, size_t i,
    tcr_group_t *group)
{
    tcr_str_t        name = tcr_json_str(node, TCR_STR(""));
    tcr_read_mark_t  mark;

    if (tcr_str_eq(name, TCR_STR("CZ"))) {
        group->cz = true;

    } else if (tcr_str_eq(name, TCR_STR("DEEP_CZ"))) {
        group->deep = true;

    } else if (tcr_str_eq(name, TCR_STR("GEO"))) {
        group->geo = true;

    } else {
        mark = tcr_read_enter_item(rd, node, i);
        tcr_read_wrong(rd, TCR_REPORT_WARNING, node, NULL,
                       "CZ, DEEP_CZ or GEO; it is ignored");
        tcr_read_leave(rd, mark);
    }
}


/* No usable method at all means every method. */
static void
read_methods(tcr_read_t *rd, const tcr_json_t *node, tcr_group_t *group)
{
    size_t             i = 0;
    tcr_read_mark_t    mark;
    const tcr_json_t  *array, *item;

    array = tcr_read_container(rd, node, "localizationMethods",
                               TCR_JSON_ARRAY);

    if (array != NULL) {
        mark = tcr_read_enter(rd, array, TCR_STR("localizationMethods"));

        for (item = tcr_json_first(array); item != NULL; item = item->next) {
            read_method(rd, item, i++, group);
        }

        tcr_read_leave(rd, mark);
    }

    if (!group->cz && !group->deep && !group->geo) {
        group->cz = group->deep = group->geo = true;
    }
}


/*
 * fallbackToClosest counts only beside a list, and is then false unless it
 * is given; without a list the closest group may always help out.
 */
static void
read_backups(tcr_read_t *rd, const tcr_json_t *node, tcr_group_t *group)
{
    tcr_read_mark_t     mark;
    const tcr_json_t   *backups;
    const tcr_field_t   fields[] = {
        { "list", TCR_FIELD_IDS, offsetof(tcr_group_t, backups), 0, 0, 0 },
        { "fallbackToClosest", TCR_FIELD_BOOL, offsetof(tcr_group_t, closest),
          false, 0, 0 }
    };

    group->closest = true;
    backups = tcr_read_container(rd, node, "backupLocations",
                                 TCR_JSON_OBJECT);

    group->backups_given = backups != NULL;

    if (!tcr_json_is(tcr_json_get(backups, "list"), TCR_JSON_ARRAY)) {
        return;
    }

    group->has_backups = true;
    mark = tcr_read_enter(rd, backups, TCR_STR("backupLocations"));
    tcr_read_fields(rd, backups, fields, TCR_FIELDS(fields), group);
    tcr_read_leave(rd, mark);
}


static bool
read_place(tcr_read_t *rd, const tcr_json_t *node, tcr_group_t *group)
{
    if (!tcr_json_is(node, TCR_JSON_OBJECT)) {
        tcr_read_wrong(rd, TCR_REPORT_LEFT_OUT, node, NULL,
                       "an object; this group is left out");
        return false;
    }

    group->id = tcr_json_name(node);
    return tcr_read_point(rd, TCR_REPORT_LEFT_OUT, node, "latitude",
                          "longitude", &group->point);
}


static void
read_group(tcr_read_t *rd, tcr_read_index_t *groups, size_t i)
{
    tcr_crconfig_t    *cfg = rd->cfg;
    tcr_group_t       *group = &cfg->groups[cfg->n_groups];
    tcr_read_mark_t    mark;
    const tcr_json_t  *node = groups->members.items[i];

    groups->index[i] = TCR_READ_LEFT_OUT;
    mark = tcr_read_enter(rd, node, tcr_json_name(node));

    if (read_place(rd, node, group)) {
        read_methods(rd, node, group);
        read_backups(rd, node, group);
        groups->index[i] = (uint32_t) cfg->n_groups++;
    }

    tcr_read_leave(rd, mark);
}


void
tcr_read_groups(tcr_read_t *rd, tcr_read_index_t *groups)
{
    size_t           i;
    tcr_members_t   *members = &groups->members;
    tcr_read_mark_t  mark;

    tcr_read_section(rd, "edgeLocations", true, GROUPS_MAX, members);

    groups->index = tcr_read_alloc(rd, members->n, sizeof(*groups->index));
    rd->cfg->groups = tcr_read_alloc(rd, members->n, sizeof(tcr_group_t));

    if (rd->failed) {
        return;
    }

    mark = tcr_read_enter(rd, rd->doc->root, TCR_STR("edgeLocations"));

    for (i = 0; i < members->n; i++) {
        read_group(rd, groups, i);
    }

    tcr_read_leave(rd, mark);
}


void
tcr_read_router_locations(tcr_read_t *rd)
{
    size_t             i;
    tcr_group_t       *group;
    tcr_members_t      members;
    tcr_crconfig_t    *cfg = rd->cfg;
    tcr_read_mark_t    section, mark;
    const tcr_json_t  *node;

    tcr_read_section(rd, "trafficRouterLocations",
                     cfg->edge_dns || cfg->edge_http, GROUPS_MAX, &members);

    cfg->router_locations = tcr_read_alloc(rd, members.n, sizeof(*group));

    if (rd->failed) {
        return;
    }

    section = tcr_read_enter(rd, rd->doc->root,
                             TCR_STR("trafficRouterLocations"));

    for (i = 0; i < members.n; i++) {
        node = members.items[i];
        group = &cfg->router_locations[cfg->n_router_locations];
        mark = tcr_read_enter(rd, node, tcr_json_name(node));

        if (read_place(rd, node, group)) {
            cfg->n_router_locations++;
        }

        tcr_read_leave(rd, mark);
    }

    tcr_read_leave(rd, section);
}


static void
read_topology(tcr_read_t *rd, const tcr_json_t *node)
{
    tcr_crconfig_t     *cfg = rd->cfg;
    tcr_topology_t     *topology = &cfg->topologies[cfg->n_topologies];
    const tcr_field_t   nodes = {
        "nodes", TCR_FIELD_IDS, offsetof(tcr_topology_t, nodes), 0, 0, 0
    };

    if (!tcr_json_is(tcr_json_get(node, "nodes"), TCR_JSON_ARRAY)) {
        tcr_read_wrong(rd, TCR_REPORT_LEFT_OUT, tcr_json_get(node, "nodes"),
                       "nodes", "an array of cache groups; this topology is "
                       "left out");
        return;
    }

    topology->name = tcr_json_name(node);
    tcr_read_fields(rd, node, &nodes, 1, topology);
    cfg->n_topologies++;
}


void
tcr_read_topologies(tcr_read_t *rd)
{
    size_t             i;
    tcr_members_t      members;
    tcr_crconfig_t    *cfg = rd->cfg;
    tcr_read_mark_t    section, mark;
    const tcr_json_t  *node;

    tcr_read_section(rd, "topologies", false, TOPOLOGIES_MAX, &members);

    cfg->topologies = tcr_read_alloc(rd, members.n, sizeof(tcr_topology_t));
    rd->topologies = members.names;

    if (rd->failed) {
        return;
    }

    section = tcr_read_enter(rd, rd->doc->root, TCR_STR("topologies"));

    for (i = 0; i < members.n; i++) {
        node = members.items[i];
        mark = tcr_read_enter(rd, node, tcr_json_name(node));
        read_topology(rd, node);
        tcr_read_leave(rd, mark);
    }

    tcr_read_leave(rd, section);
}
