/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Matchsets of a service: what a request must look like (spec/routing.md
 * §1.1).  A set with one unusable matcher is left out whole, since without
 * that matcher it would match what it was not meant for.
 */

#include "tcr_crconfig_read.h"
#include "tcr_regex.h"

#define LEFT_OUT  TCR_REPORT_LEFT_OUT


static bool
read_kind(tcr_read_t *rd, const tcr_json_t *node, tcr_matcher_t *matcher)
{
    tcr_str_t          text;
    const tcr_json_t  *kind = tcr_json_get(node, "match-type");

    text = tcr_json_str(kind, TCR_STR(""));

    if (tcr_str_eq(text, TCR_STR("HOST"))) {
        matcher->kind = TCR_MATCHER_HOST;

    } else if (tcr_str_eq(text, TCR_STR("PATH"))) {
        matcher->kind = TCR_MATCHER_PATH;

    } else if (tcr_str_eq(text, TCR_STR("HEADER"))) {
        matcher->kind = TCR_MATCHER_HEADER;

    } else {
        tcr_read_wrong(rd, LEFT_OUT, kind, "match-type",
                       "HOST, PATH or HEADER; this matchset is left out");
        return false;
    }

    return true;
}


static bool
read_target(tcr_read_t *rd, const tcr_json_t *node, tcr_matcher_t *matcher)
{
    const tcr_json_t  *target = tcr_json_get(node, "target");

    if (matcher->kind != TCR_MATCHER_HEADER) {
        return true;
    }

    matcher->target = tcr_json_str(target, TCR_STR(""));

    if (!tcr_read_is_token(matcher->target)) {
        tcr_read_wrong(rd, LEFT_OUT, target, "target",
                       "the name of a header; this matchset is left out");
        return false;
    }

    return true;
}


static bool
read_pattern(tcr_read_t *rd, const tcr_json_t *node, tcr_matcher_t *matcher)
{
    tcr_err_t          err;
    const tcr_json_t  *regex = tcr_json_get(node, "regex");

    if (!tcr_json_is(regex, TCR_JSON_STRING)
        || regex->u.str.len > TCR_READ_VALUE)
    {
        tcr_read_wrong(rd, LEFT_OUT, regex, "regex", "a pattern of at most "
                       "4096 bytes; this matchset is left out");
        return false;
    }

    matcher->java = regex->u.str;

    if (tcr_regex_translate(rd->arena, matcher->java, &matcher->pattern, &err)
        != 0)
    {
        tcr_read_report(rd, LEFT_OUT, regex, "regex",
                        "%s; this matchset is left out", err.text);
        return false;
    }

    return true;
}


static bool
read_matcher(tcr_read_t *rd, const tcr_json_t *node, size_t i,
    tcr_matcher_t *matcher)
{
    bool             usable;
    tcr_read_mark_t  mark = tcr_read_enter_item(rd, node, i);

    usable = read_kind(rd, node, matcher) && read_target(rd, node, matcher)
             && read_pattern(rd, node, matcher);

    tcr_read_leave(rd, mark);
    return usable;
}


static bool
read_matchers(tcr_read_t *rd, const tcr_json_t *list, tcr_matchset_t *set)
{
    bool               usable = true;
    tcr_read_mark_t    mark;
    const tcr_json_t  *node;

    set->matchers = tcr_read_alloc(rd, list->u.list.n, sizeof(tcr_matcher_t));

    if (set->matchers == NULL) {
        return false;
    }

    mark = tcr_read_enter(rd, list, TCR_STR("matchlist"));

    for (node = tcr_json_first(list); node && usable; node = node->next) {
        usable = read_matcher(rd, node, set->n, &set->matchers[set->n]);
        set->n++;
    }

    tcr_read_leave(rd, mark);
    return usable;
}


static bool
read_protocol(tcr_read_t *rd, const tcr_json_t *node, tcr_matchset_t *set)
{
    tcr_str_t          text;
    const tcr_json_t  *protocol = tcr_json_get(node, "protocol");

    if (protocol == NULL) {
        tcr_read_wrong(rd, LEFT_OUT, NULL, "protocol",
                       "HTTP or DNS; this matchset is left out");
        return false;
    }

    text = tcr_json_str(protocol, TCR_STR(""));
    set->dns = tcr_str_eq(text, TCR_STR("DNS"));

    if (!set->dns && !tcr_str_eq(text, TCR_STR("HTTP"))) {
        tcr_read_wrong(rd, TCR_REPORT_WARNING, protocol, "protocol",
                       "HTTP or DNS; it counts as HTTP");
    }

    return true;
}


static bool
read_matchset(tcr_read_t *rd, const tcr_json_t *node, tcr_matchset_t *set)
{
    const tcr_json_t  *list = tcr_json_get(node, "matchlist");

    if (!read_protocol(rd, node, set)) {
        return false;
    }

    if (!tcr_json_is(list, TCR_JSON_ARRAY) || list->u.list.n == 0
        || list->u.list.n > TCR_READ_LIST)
    {
        tcr_read_wrong(rd, LEFT_OUT, list, "matchlist",
                       "an array of 1 to 10000 matchers; this matchset is "
                       "left out");
        return false;
    }

    return read_matchers(rd, list, set);
}


static void
read_sets(tcr_read_t *rd, const tcr_json_t *array, tcr_service_t *service)
{
    size_t             i = 0;
    tcr_matchset_t    *set;
    tcr_read_mark_t    list, item;
    const tcr_json_t  *node;

    list = tcr_read_enter(rd, array, TCR_STR("matchsets"));

    for (node = tcr_json_first(array); node != NULL; node = node->next) {
        item = tcr_read_enter_item(rd, node, i++);
        set = &service->matchsets[service->n_matchsets];
        memset(set, 0, sizeof(*set));

        if (read_matchset(rd, node, set)) {
            service->n_matchsets++;
        }

        /* a set that is left out still tells what kind of service it is */
        service->dns = service->dns || set->dns;
        tcr_read_leave(rd, item);
    }

    tcr_read_leave(rd, list);
}


bool
tcr_read_matchsets(tcr_read_t *rd, const tcr_json_t *node,
    tcr_service_t *service)
{
    const tcr_json_t  *array = tcr_json_get(node, "matchsets");

    if (!tcr_json_is(array, TCR_JSON_ARRAY)
        || array->u.list.n > TCR_READ_LIST)
    {
        tcr_read_wrong(rd, LEFT_OUT, array, "matchsets", "an array of at most "
                       "10000 matchsets; this service is left out");
        return false;
    }

    service->matchsets = tcr_read_alloc(rd, array->u.list.n,
                                        sizeof(tcr_matchset_t));

    if (service->matchsets == NULL) {
        return false;
    }

    read_sets(rd, array, service);

    if (service->n_matchsets == 0) {
        tcr_read_report(rd, LEFT_OUT, array, "matchsets",
                        "found no usable matchset, expected one; this "
                        "service is left out");
        return false;
    }

    return true;
}
