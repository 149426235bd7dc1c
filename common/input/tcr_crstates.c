/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Health states (spec/inputs.md §7, spec/routing.md §5): what a flag that
 * is not there means is said here once, what a name that is not there means
 * is for those who apply the states.
 */

#include "tcr_crstates.h"


typedef struct {
    tcr_arena_t           *arena;
    const tcr_json_doc_t  *doc;
    tcr_report_t          *report;
    bool                   failed;
} reader_t;


static void
warn(reader_t *rd, const tcr_json_t *node, const char *section,
    const char *what)
{
    tcr_err_t  line;
    tcr_pos_t  pos;

    /* beyond the limit it is only counted: finding its line costs time */
    if (rd->report == NULL || rd->report->kept >= rd->report->limit) {
        tcr_report_add(rd->report, TCR_REPORT_WARNING, "%s", "");
        return;
    }

    pos = tcr_json_pos(rd->doc, node->offset);
    tcr_err_at(&line, &pos, "%s: %s", section, what);
    tcr_report_add(rd->report, TCR_REPORT_WARNING, "%s", line.text);
}


static void *
alloc(reader_t *rd, size_t n, size_t size)
{
    void  *p = tcr_arena_calloc(rd->arena, n != 0 ? n : 1, size);

    rd->failed = rd->failed || p == NULL;
    return p;
}


/* The section's first member with room for all of them, NULL for none. */
static const tcr_json_t *
section(reader_t *rd, const char *name, size_t size, void **items)
{
    const tcr_json_t  *node = tcr_json_get(rd->doc->root, name);

    if (node == NULL || node->type == TCR_JSON_NULL) {
        return NULL;
    }

    if (node->type != TCR_JSON_OBJECT) {
        warn(rd, node, name, "found no object, expected one with a member "
             "for each name; it counts as not there");
        return NULL;
    }

    *items = alloc(rd, node->u.list.n, size);
    return *items != NULL ? tcr_json_first(node) : NULL;
}


static void
read_caches(reader_t *rd, tcr_crstates_t *states)
{
    void               *items = NULL;
    tcr_cache_state_t  *state;
    const tcr_json_t   *node;

    node = section(rd, "caches", sizeof(tcr_cache_state_t), &items);
    states->caches = items;
    states->has_caches = items != NULL;

    for ( ; node != NULL; node = node->next) {

        if (node->type != TCR_JSON_OBJECT) {
            warn(rd, node, "caches", "found a state that is no object; this "
                 "cache counts as not named");
            continue;
        }

        state = &states->caches[states->n_caches++];
        state->name = tcr_json_name(node);
        state->available = tcr_json_bool(tcr_json_get(node, "isAvailable"),
                                         true);
        state->ip4 = tcr_json_bool(tcr_json_get(node, "ipv4Available"), true);
        state->ip6 = tcr_json_bool(tcr_json_get(node, "ipv6Available"), true);
    }
}


static void
read_disabled(reader_t *rd, const tcr_json_t *node,
    tcr_service_state_t *state)
{
    const tcr_json_t  *list, *item;

    list = tcr_json_get(node, "disabledLocations");

    if (!tcr_json_is(list, TCR_JSON_ARRAY) || list->u.list.n == 0) {
        return;
    }

    state->disabled = alloc(rd, list->u.list.n, sizeof(tcr_str_t));

    if (state->disabled == NULL) {
        return;
    }

    for (item = tcr_json_first(list); item != NULL; item = item->next) {
        if (item->type == TCR_JSON_STRING) {
            state->disabled[state->n_disabled++] = item->u.str;
        }
    }
}


static void
read_services(reader_t *rd, tcr_crstates_t *states)
{
    void                 *items = NULL;
    const tcr_json_t     *node;
    tcr_service_state_t  *state;

    node = section(rd, "deliveryServices", sizeof(tcr_service_state_t),
                   &items);
    states->services = items;

    for ( ; node != NULL; node = node->next) {

        if (node->type != TCR_JSON_OBJECT) {
            warn(rd, node, "deliveryServices", "found a state that is no "
                 "object; this service counts as not named");
            continue;
        }

        state = &states->services[states->n_services++];
        state->id = tcr_json_name(node);
        state->available = tcr_json_bool(tcr_json_get(node, "isAvailable"),
                                         true);
        read_disabled(rd, node, state);
    }
}


static int
refuse(const tcr_json_doc_t *doc, const tcr_json_t *node, tcr_err_t *err,
    const char *what)
{
    tcr_pos_t  pos = tcr_json_pos(doc, node != NULL ? node->offset : 0);

    return tcr_err_at(err, &pos, "not a states document: %s", what);
}


int
tcr_crstates_parse(tcr_crstates_t *states, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, tcr_report_t *report, tcr_err_t *err)
{
    reader_t           rd = { arena, doc, report, false };
    const tcr_json_t  *caches;

    memset(states, 0, sizeof(*states));

    if (!tcr_json_is(doc->root, TCR_JSON_OBJECT)) {
        return refuse(doc, doc->root, err, "found no object, expected one "
                      "with \"caches\"");
    }

    caches = tcr_json_get(doc->root, "caches");

    if (caches != NULL && caches->type != TCR_JSON_NULL
        && caches->type != TCR_JSON_OBJECT)
    {
        return refuse(doc, caches, err, "\"caches\" is no object, expected "
                      "one with a member for each cache");
    }

    states->unwatched = tcr_json_bool(tcr_json_get(doc->root, "unwatched"),
                                      false);
    read_caches(&rd, states);
    read_services(&rd, states);

    return rd.failed ? tcr_err_set(err, "%s: out of memory", doc->file) : 0;
}
