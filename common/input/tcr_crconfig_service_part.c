/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The parts of a service that are lists: its domains, where its clients may
 * be, the headers of its answers (spec/inputs.md §5.4).
 */

#include "tcr_crconfig_read.h"

#define LEFT_OUT     TCR_REPORT_LEFT_OUT
#define WARNING      TCR_REPORT_WARNING
#define HEADERS_MAX  100          /* most response headers of a service      */


/* "NAME+" is short for NAME in the domain of the CDN. */
static tcr_str_t
expand_domain(tcr_read_t *rd, tcr_str_t text)
{
    char       *copy;
    tcr_str_t   cdn = rd->cfg->domain;

    if (!tcr_str_ends(text, TCR_STR("+"))) {
        return text;
    }

    if (cdn.data == NULL || text.len > TCR_READ_NAME) {
        return tcr_str(NULL);
    }

    copy = tcr_read_alloc(rd, text.len + cdn.len, 1);

    if (copy == NULL) {
        return tcr_str(NULL);
    }

    memcpy(copy, text.data, text.len - 1);
    copy[text.len - 1] = '.';
    memcpy(copy + text.len, cdn.data, cdn.len);
    return tcr_str_n(copy, text.len + cdn.len);
}


static tcr_str_t
read_domain(tcr_read_t *rd, const tcr_json_t *node, size_t i)
{
    tcr_str_t        domain = tcr_json_str(node, TCR_STR(""));
    tcr_read_mark_t  mark = tcr_read_enter_item(rd, node, i);

    domain = tcr_read_lower_host(rd, expand_domain(rd, domain), NULL);

    if (domain.data == NULL) {
        tcr_read_wrong(rd, LEFT_OUT, node, NULL,
                       "a domain name; it is left out");
    }

    tcr_read_leave(rd, mark);
    return domain;
}


/*
 * Only the first can be the domain of the service: if that one is unusable,
 * the next does not move up, since names built from it would be others.
 */
void
tcr_read_domains(tcr_read_t *rd, const tcr_json_t *node, tcr_service_t *service)
{
    size_t             i = 0;
    tcr_str_t          domain;
    tcr_str_list_t    *list = &service->domains;
    tcr_read_mark_t    mark;
    const tcr_json_t  *array, *item;

    array = tcr_read_container(rd, node, "domains", TCR_JSON_ARRAY);

    if (array == NULL || array->u.list.n == 0) {
        tcr_read_report(rd, WARNING, array, "domains", "found none, expected "
                        "one: this service has no names of its own");
        return;
    }

    list->items = tcr_read_alloc(rd, array->u.list.n, sizeof(*list->items));

    if (list->items == NULL) {
        return;
    }

    mark = tcr_read_enter(rd, array, TCR_STR("domains"));

    for (item = tcr_json_first(array); item != NULL; item = item->next) {
        domain = read_domain(rd, item, i);

        if (i++ == 0) {
            service->domain = domain;
        }

        if (domain.data != NULL) {
            list->items[list->n++] = domain;
        }
    }

    tcr_read_leave(rd, mark);
}


/* --- where clients may be --- */

static void
read_geo_limit(tcr_read_t *rd, const tcr_json_t *node, size_t i,
    tcr_service_t *service)
{
    tcr_geo_limit_t   *limit = &service->geo_limits[service->n_geo_limits];
    tcr_read_mark_t    mark = tcr_read_enter_item(rd, node, i);
    const tcr_json_t  *test;

    if (!tcr_json_is(node, TCR_JSON_OBJECT)) {
        tcr_read_wrong(rd, LEFT_OUT, node, NULL,
                       "an object; this limit is left out");

    } else {
        limit->tests = tcr_read_alloc(rd, node->u.list.n, sizeof(tcr_pair_t));
        test = limit->tests != NULL ? tcr_json_first(node) : NULL;

        for ( ; test != NULL; test = test->next) {
            limit->tests[limit->n].name = tcr_json_name(test);
            limit->tests[limit->n++].value = tcr_json_required_str(test);
        }

        service->n_geo_limits++;
    }

    tcr_read_leave(rd, mark);
}


static void
read_geo_limits(tcr_read_t *rd, const tcr_json_t *node,
    tcr_service_t *service)
{
    size_t             i = 0;
    tcr_read_mark_t    mark;
    const tcr_json_t  *array, *item;

    array = tcr_read_container(rd, node, "geoEnabled", TCR_JSON_ARRAY);

    if (array == NULL || array->u.list.n == 0) {
        return;
    }

    service->geo_limits = tcr_read_alloc(rd, array->u.list.n,
                                         sizeof(tcr_geo_limit_t));

    if (service->geo_limits == NULL) {
        return;
    }

    mark = tcr_read_enter(rd, array, TCR_STR("geoEnabled"));

    for (item = tcr_json_first(array); item != NULL; item = item->next) {
        read_geo_limit(rd, item, i++, service);
    }

    tcr_read_leave(rd, mark);
}


static void
read_miss(tcr_read_t *rd, const tcr_json_t *node, tcr_service_t *service)
{
    tcr_read_mark_t    mark;
    const tcr_json_t  *miss;

    miss = tcr_read_container(rd, node, "missLocation", TCR_JSON_OBJECT);

    if (miss != NULL) {
        mark = tcr_read_enter(rd, miss, TCR_STR("missLocation"));
        service->has_miss = tcr_read_point(rd, LEFT_OUT, miss, "lat", "long",
                                           &service->miss);
        tcr_read_leave(rd, mark);
    }
}


void
tcr_read_geo(tcr_read_t *rd, const tcr_json_t *node, tcr_service_t *service)
{
    read_geo_limits(rd, node, service);
    read_miss(rd, node, service);
}


/* --- headers --- */

/* Of equal names the last one counts, in the place of the first. */
static tcr_pair_t *
header_place(tcr_service_t *service, tcr_str_t name)
{
    size_t  i;

    for (i = 0; i < service->n_response_headers; i++) {
        if (tcr_str_eq(service->response_headers[i].name, name)) {
            return &service->response_headers[i];
        }
    }

    service->n_response_headers++;
    return &service->response_headers[i];
}


static void
read_response_header(tcr_read_t *rd, const tcr_json_t *node,
    tcr_service_t *service)
{
    tcr_str_t    name = tcr_json_name(node);
    tcr_str_t    value = tcr_read_line(rd, node, NULL);
    tcr_pair_t  *header;

    if (!tcr_read_is_token(name)) {
        tcr_read_report(rd, LEFT_OUT, node, NULL, "found what cannot be the "
                        "name of a header; this one is left out");
        return;
    }

    if (value.data == NULL) {
        if (tcr_json_required_str(node).len != 0) {
            return;
        }

        value = TCR_STR("");
    }

    header = header_place(service, name);
    header->name = name;
    header->value = value;
}


void
tcr_read_response_headers(tcr_read_t *rd, const tcr_json_t *node,
    tcr_service_t *service)
{
    tcr_read_mark_t    mark, item;
    const tcr_json_t  *headers, *header;

    headers = tcr_read_container(rd, node, "responseHeaders",
                                 TCR_JSON_OBJECT);

    if (headers == NULL) {
        return;
    }

    if (headers->u.list.n > HEADERS_MAX) {
        tcr_read_report(rd, LEFT_OUT, headers, "responseHeaders", "found %zu "
                        "headers, expected at most %d; all are left out",
                        headers->u.list.n, HEADERS_MAX);
        return;
    }

    service->response_headers = tcr_read_alloc(rd, headers->u.list.n,
                                               sizeof(tcr_pair_t));

    if (service->response_headers == NULL) {
        return;
    }

    mark = tcr_read_enter(rd, headers, TCR_STR("responseHeaders"));

    for (header = tcr_json_first(headers); header; header = header->next) {
        item = tcr_read_enter(rd, header, tcr_json_name(header));
        read_response_header(rd, header, service);
        tcr_read_leave(rd, item);
    }

    tcr_read_leave(rd, mark);
}
