/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Cache groups and caches.
 */

#include "tcr_own_make.h"

#include <stdlib.h>


/* --- cache groups --- */

typedef struct {
    tcr_own_point_t  point;
    tcr_texts_t      backups;
    bool             closest;
} group_t;

static const tcr_key_t  group_keys[] = {
    TCR_OWN_DEGREES("latitude", group_t, point.latitude, 90),
    TCR_OWN_DEGREES("longitude", group_t, point.longitude, 180),
    TCR_OWN_KEEP("backups", TCR_KIND_TEXTS, group_t, backups, NULL),
    TCR_OWN_KEEP("fallback_to_closest", TCR_KIND_BOOL, group_t, closest,
                 "true"),
    TCR_OWN_HAND("methods", TCR_KIND_TEXTS, NULL, "localizationMethods")
};


/*
 * Where the closest group may always help out nothing has to be said; a list,
 * be it empty, makes a snapshot's flag count.
 */
static void
write_backups(tcr_own_make_t *make, const tcr_yaml_t *node, const group_t *g)
{
    tcr_made_t        *made = &make->made;
    const tcr_yaml_t  *item, *list = tcr_yaml_get(node, "backups");

    if (list == NULL && g->closest) {
        return;
    }

    tcr_made_open(made, node, TCR_STR("backupLocations"), '{');
    tcr_made_open(made, list != NULL ? list : node, TCR_STR("list"), '[');

    for (item = list != NULL ? list->first : NULL; item; item = item->next) {

        if (item->type == TCR_YAML_SCALAR
            && tcr_own_find(make, &make->groups, item) != TCR_OWN_NOWHERE)
        {
            tcr_made_str(made, item, tcr_str(NULL), item->text);
        }
    }

    tcr_made_close(made, ']');
    tcr_made_bool(made, node, "fallbackToClosest", g->closest);
    tcr_made_close(made, '}');
}


static void
write_group(tcr_own_make_t *make, const tcr_yaml_t *node,
    tcr_own_point_t *point)
{
    group_t      g;
    tcr_made_t  *made = &make->made;

    memset(&g, 0, sizeof(g));
    g.point.latitude = g.point.longitude = TCR_STR("0");
    *point = g.point;

    if (!tcr_own_open(make, node)) {
        return;
    }

    tcr_made_fields(made, node, TCR_KEYS(group_keys), &g);
    *point = g.point;
    tcr_made_str(made, node, TCR_STR("latitude"), point->latitude);
    tcr_made_str(made, node, TCR_STR("longitude"), point->longitude);
    write_backups(make, node, &g);
    tcr_made_close(made, '}');
}


void
tcr_own_groups(tcr_own_make_t *make)
{
    size_t  i;

    make->points = tcr_own_alloc(make, make->groups.n, sizeof(*make->points));

    if (make->points == NULL) {
        return;
    }

    tcr_made_open(&make->made, make->groups.map, TCR_STR("edgeLocations"),
                  '{');

    for (i = 0; i < make->groups.n; i++) {
        write_group(make, make->groups.items[i], &make->points[i]);
    }

    tcr_made_close(&make->made, '}');
}


/* --- caches --- */

typedef struct {
    tcr_str_t  group, fqdn;
    int64_t    status;
} cache_t;

static const char *const  states[] = { "up", "down", NULL };

static const tcr_key_t  cache_keys[] = {
    TCR_OWN_NEED("group", TCR_KIND_TEXT, cache_t, group),
    TCR_OWN_KEEP("fqdn", TCR_KIND_TEXT, cache_t, fqdn, NULL),
    TCR_OWN_HAND("ip", TCR_KIND_TEXT, NULL, "ip"),
    TCR_OWN_HAND("ip6", TCR_KIND_TEXT, NULL, "ip6"),
    TCR_OWN_HAND("port", TCR_KIND_INT, "80", "port"),
    TCR_OWN_HAND("https_port", TCR_KIND_INT, NULL, "httpsPort"),
    TCR_OWN_HAND("hash_id", TCR_KIND_TEXT, NULL, "hashId"),
    { "hash_count", TCR_KIND_INT, false, 0, NULL, 1, 100000, NULL, NULL, 0,
      "hashCount" },
    TCR_OWN_WORD("status", cache_t, status, "up", states)
};


void
tcr_own_group_places(tcr_own_make_t *make)
{
    size_t             i;
    const tcr_yaml_t  *group;

    make->group_of = tcr_own_alloc(make, make->caches.n,
                                   sizeof(*make->group_of));

    for (i = 0; make->group_of != NULL && i < make->caches.n; i++) {
        group = tcr_yaml_get(make->caches.items[i], "group");
        make->group_of[i] = TCR_OWN_NOWHERE;

        if (group != NULL && group->type == TCR_YAML_SCALAR
            && group->text.len != 0)
        {
            make->group_of[i] = tcr_own_find(make, &make->groups, group);
        }
    }
}


/* Pairs by cache, in the order of services: first[i] to first[i + 1]. */
static tcr_own_pair_t *
sort_pairs(tcr_own_make_t *make, size_t **first)
{
    size_t           i;
    tcr_own_pair_t  *sorted;

    *first = calloc(make->caches.n + 2, sizeof(**first));
    sorted = calloc(make->n_pairs + 1, sizeof(*sorted));

    if (*first == NULL || sorted == NULL) {
        make->failed = true;
        free(sorted);
        return NULL;
    }

    for (i = 0; i < make->n_pairs; i++) {
        (*first)[make->pairs[i].cache + 2]++;
    }

    for (i = 2; i < make->caches.n + 2; i++) {
        (*first)[i] += (*first)[i - 1];
    }

    for (i = 0; i < make->n_pairs; i++) {
        sorted[(*first)[make->pairs[i].cache + 1]++] = make->pairs[i];
    }

    return sorted;
}


static void
write_services(tcr_own_make_t *make, const tcr_yaml_t *node,
    const tcr_own_pair_t *pairs, size_t n)
{
    size_t       i;
    uint32_t     s;
    tcr_str_t    name;
    tcr_made_t  *made = &make->made;

    tcr_made_open(made, node, TCR_STR("deliveryServices"), '{');

    for (i = 0; i < n; i++) {
        s = pairs[i].service;
        name = make->whole[s] ? make->names[s]
                              : tcr_own_printf(make, "%.*s.%.*s",
                                               TCR_STR_ARG(node->key->text),
                                               TCR_STR_ARG(make->names[s]));
        tcr_made_str(made, node, make->services.items[s]->key->text, name);
    }

    tcr_made_close(made, '}');
}


static void
write_cache(tcr_own_make_t *make, size_t i, const tcr_own_pair_t *pairs,
    size_t n)
{
    cache_t            c;
    tcr_made_t        *made = &make->made;
    const tcr_yaml_t  *at, *node = make->caches.items[i];

    if (!tcr_own_open(make, node)) {
        return;
    }

    memset(&c, 0, sizeof(c));
    tcr_made_fields(made, node, TCR_KEYS(cache_keys), &c);
    at = tcr_yaml_get(node, "fqdn");
    tcr_made_str(made, at != NULL ? at : node, TCR_STR("fqdn"),
                 tcr_own_name(make, c.fqdn, node->key->text));

    if (c.status != 0) {
        tcr_made_bool(made, node, "down", true);
    }

    if (make->group_of[i] != TCR_OWN_NOWHERE) {
        tcr_made_str(made, tcr_yaml_get(node, "group"), TCR_STR("locationId"),
                     c.group);
    }

    write_services(make, node, pairs, n);
    tcr_made_close(made, '}');
}


void
tcr_own_caches(tcr_own_make_t *make)
{
    size_t           i, *first = NULL;
    tcr_own_pair_t  *pairs = sort_pairs(make, &first);

    if (pairs != NULL) {
        tcr_made_open(&make->made, make->caches.map,
                      TCR_STR("contentServers"), '{');

        for (i = 0; i < make->caches.n; i++) {
            write_cache(make, i, pairs + first[i], first[i + 1] - first[i]);
        }

        tcr_made_close(&make->made, '}');
    }

    free(pairs);
    free(first);
}
