/* SPDX-License-Identifier: Apache-2.0 */

/* The reader of steering. */

#include "tcr_steering.h"

#include "tcr_document.h"

#define WEIGHT_MAX  1000000       /* hash points of one target               */


typedef struct {
    tcr_read_t           rd;
    tcr_steering_doc_t  *out;
    tcr_names_t          names;   /* id -> place in out                      */
} reader_t;


/* With both coordinates, one of which may be 0 (London's longitude). */
static void
read_point(tcr_read_t *rd, const tcr_json_t *node,
    tcr_steering_target_t *target)
{
    const tcr_json_t  *lat = tcr_json_get(node, "latitude");
    const tcr_json_t  *lon = tcr_json_get(node, "longitude");

    if (lat == NULL || lat->type == TCR_JSON_NULL
        || lon == NULL || lon->type == TCR_JSON_NULL)
    {
        return;
    }

    target->has_point = tcr_read_point(rd, TCR_REPORT_WARNING, node,
                                       "latitude", "longitude",
                                       &target->point)
                        && (target->point.lat != 0 || target->point.lon != 0);
}


static bool
read_target(tcr_read_t *rd, const tcr_json_t *node,
    tcr_steering_target_t *target)
{
    int64_t  weight;

    target->service = tcr_document_id(rd, node, "deliveryService",
                                      "this target");

    if (target->service.data == NULL) {
        return false;
    }

    weight = tcr_read_int(rd, tcr_json_get(node, "weight"), "weight", 0,
                          INT32_MIN, WEIGHT_MAX);
    target->weight = weight > 0 ? (uint32_t) weight : 0;
    target->order = (int32_t) tcr_read_int(rd, tcr_json_get(node, "order"),
                                           "order", 0, INT32_MIN, INT32_MAX);
    target->geo_order = (int32_t) tcr_read_int(rd,
                                               tcr_json_get(node, "geoOrder"),
                                               "geoOrder", 0, INT32_MIN,
                                               INT32_MAX);
    read_point(rd, node, target);

    return true;
}


static void
read_targets(tcr_read_t *rd, const tcr_json_t *node, tcr_steering_service_t *s)
{
    size_t             i = 0;
    tcr_read_mark_t    mark, item;
    const tcr_json_t  *list, *target;

    list = tcr_read_container(rd, node, "targets", TCR_JSON_ARRAY);

    if (list == NULL) {
        return;
    }

    s->targets = tcr_read_alloc(rd, list->u.list.n,
                                sizeof(tcr_steering_target_t));
    mark = tcr_read_enter(rd, list, TCR_STR("targets"));

    for (target = tcr_json_first(list); s->targets != NULL && target != NULL;
         target = target->next)
    {
        item = tcr_read_enter_item(rd, target, i++);
        memset(&s->targets[s->n_targets], 0, sizeof(*s->targets));

        if (read_target(rd, target, &s->targets[s->n_targets])) {
            s->n_targets++;
        }

        tcr_read_leave(rd, item);
    }

    tcr_read_leave(rd, mark);
}


static bool
is_target(const tcr_steering_service_t *s, tcr_str_t id)
{
    size_t  i;

    for (i = 0; i < s->n_targets; i++) {
        if (tcr_str_eq(s->targets[i].service, id)) {
            return true;
        }
    }

    return false;
}


static bool
read_filter(tcr_read_t *rd, const tcr_json_t *node,
    const tcr_steering_service_t *s, tcr_steering_filter_t *filter)
{
    filter->service = tcr_document_id(rd, node, "deliveryService",
                                      "this filter");

    if (filter->service.data == NULL) {
        return false;
    }

    if (!is_target(s, filter->service)) {
        tcr_read_wrong(rd, TCR_REPORT_WARNING,
                       tcr_json_get(node, "deliveryService"),
                       "deliveryService", "a target of the same service; the "
                       "filter has no effect");
    }

    filter->pattern = tcr_document_pattern(rd, node, "pattern",
                                           "this filter");
    filter->java = tcr_json_str(tcr_json_get(node, "pattern"), TCR_STR(""));

    return filter->pattern.data != NULL;
}


static void
read_filters(tcr_read_t *rd, const tcr_json_t *node, tcr_steering_service_t *s)
{
    size_t             i = 0;
    tcr_read_mark_t    mark, item;
    const tcr_json_t  *list, *filter;

    list = tcr_read_container(rd, node, "filters", TCR_JSON_ARRAY);

    if (list == NULL) {
        return;
    }

    s->filters = tcr_read_alloc(rd, list->u.list.n,
                                sizeof(tcr_steering_filter_t));
    mark = tcr_read_enter(rd, list, TCR_STR("filters"));

    for (filter = tcr_json_first(list); s->filters != NULL && filter != NULL;
         filter = filter->next)
    {
        item = tcr_read_enter_item(rd, filter, i++);

        if (read_filter(rd, filter, s, &s->filters[s->n_filters])) {
            s->n_filters++;
        }

        tcr_read_leave(rd, item);
    }

    tcr_read_leave(rd, mark);
}


/* Where the service goes: a new place, or that of its earlier entry. */
static tcr_steering_service_t *
place_for(reader_t *r, const tcr_json_t *node, tcr_str_t id)
{
    uint32_t  place;

    if (!tcr_names_find(&r->names, id, &place)) {
        tcr_names_add(&r->names, id, (uint32_t) r->out->n);
        return &r->out->services[r->out->n++];
    }

    tcr_read_report(&r->rd, TCR_REPORT_WARNING, node, "deliveryService",
                    "found \"%.*s\" twice, the last one is used",
                    TCR_STR_ARG(id));

    return &r->out->services[place];
}


static void
read_service(void *ctx, const tcr_json_t *node)
{
    reader_t                *r = ctx;
    tcr_str_t                id;
    tcr_steering_service_t  *s;
    const tcr_field_t        client = {
        "clientSteering", TCR_FIELD_BOOL,
        offsetof(tcr_steering_service_t, client), 0, 0, 0
    };

    id = tcr_document_id(&r->rd, node, "deliveryService", "this service");

    if (id.data == NULL) {
        return;
    }

    s = place_for(r, node, id);
    memset(s, 0, sizeof(*s));
    s->service = id;
    tcr_read_fields(&r->rd, node, &client, 1, s);
    read_targets(&r->rd, node, s);
    read_filters(&r->rd, node, s);
}


static void
read_services(reader_t *r, const tcr_json_t *response)
{
    size_t  n = response->u.list.n;

    n = n < TCR_DOCUMENT_SERVICES ? n : TCR_DOCUMENT_SERVICES;
    r->out->services = tcr_read_alloc(&r->rd, n,
                                      sizeof(tcr_steering_service_t));

    if (r->out->services == NULL
        || tcr_names_init(&r->names, r->rd.arena, n) != 0)
    {
        r->rd.failed = true;
        return;
    }

    tcr_document_items(&r->rd, response, n, read_service, r);
}


int
tcr_steering_parse(tcr_steering_doc_t *out, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, tcr_report_t *report, tcr_err_t *err)
{
    reader_t           r = { .out = out };
    const tcr_json_t  *response;

    memset(out, 0, sizeof(*out));
    tcr_document_start(&r.rd, arena, doc, report);
    response = tcr_document_member(&r.rd, "response", TCR_JSON_ARRAY, err);

    if (response == NULL) {
        return -1;
    }

    read_services(&r, response);

    return tcr_document_end(&r.rd, err);
}
