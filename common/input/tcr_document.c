/* SPDX-License-Identifier: Apache-2.0 */

/* What the small documents beside the snapshot have in common. */

#include "tcr_document.h"

#include <stdarg.h>
#include <stdio.h>

#include "tcr_regex.h"


void
tcr_document_start(tcr_read_t *rd, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, tcr_report_t *report)
{
    memset(rd, 0, sizeof(*rd));
    rd->arena = arena;
    rd->doc = doc;
    rd->report = report;
    rd->at = doc->root;
}


int
tcr_document_end(const tcr_read_t *rd, tcr_err_t *err)
{
    return rd->failed ? tcr_err_set(err, "%s: out of memory", rd->doc->file)
                      : 0;
}


int
tcr_document_refuse(const tcr_read_t *rd, tcr_err_t *err,
    const tcr_json_t *node, const char *field, const char *fmt, ...)
{
    char         text[512];
    va_list      ap;
    tcr_pos_t    pos;
    const char  *dot = field != NULL && rd->path_len != 0 ? "." : "";

    node = node != NULL ? node : rd->at;
    pos = tcr_json_pos(rd->doc, node != NULL ? node->offset : 0);

    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);

    return tcr_err_at(err, &pos, "%s%s%s: %s", rd->path, dot,
                      field != NULL ? field : "", text);
}


const tcr_json_t *
tcr_document_member(const tcr_read_t *rd, const char *name,
    tcr_json_type_e type, tcr_err_t *err)
{
    const char        *wanted;
    const tcr_json_t  *node = tcr_json_get(rd->doc->root, name);

    if (tcr_json_is(node, type)) {
        return node;
    }

    wanted = type == TCR_JSON_ARRAY ? "an array" : "an object";

    if (node != NULL) {
        tcr_document_refuse(rd, err, node, name, "expected %s", wanted);

    } else {
        tcr_document_refuse(rd, err, NULL, name, "found nothing, expected %s",
                            wanted);
    }

    return NULL;
}


void
tcr_document_items(tcr_read_t *rd, const tcr_json_t *response, size_t max,
    tcr_document_item_pt read, void *ctx)
{
    size_t             i = 0;
    tcr_read_mark_t    mark, item;
    const tcr_json_t  *node;

    mark = tcr_read_enter(rd, response, TCR_STR("response"));

    for (node = tcr_json_first(response);
         node != NULL && i < max && !rd->failed;
         node = node->next)
    {
        item = tcr_read_enter_item(rd, node, i++);
        read(ctx, node);
        tcr_read_leave(rd, item);
    }

    if (node != NULL) {
        tcr_read_report(rd, TCR_REPORT_LEFT_OUT, node, NULL, "found more than "
                        "%zu of these, the rest is left out", max);
    }

    tcr_read_leave(rd, mark);
}


tcr_str_t
tcr_document_id(tcr_read_t *rd, const tcr_json_t *object, const char *field,
    const char *what)
{
    char               expected[128];
    tcr_str_t          id;
    const tcr_json_t  *node = tcr_json_get(object, field);

    id = tcr_json_str(node, TCR_STR(""));

    if (tcr_read_is_id(id)) {
        return id;
    }

    snprintf(expected, sizeof(expected), "the id of a service; %s is left "
             "out", what);
    tcr_read_wrong(rd, TCR_REPORT_LEFT_OUT, node, field, expected);

    return tcr_str(NULL);
}


tcr_str_t
tcr_document_pattern(tcr_read_t *rd, const tcr_json_t *object,
    const char *field, const char *what)
{
    char               expected[128];
    tcr_str_t          pattern;
    tcr_err_t          err;
    const tcr_json_t  *node = tcr_json_get(object, field);

    if (!tcr_json_is(node, TCR_JSON_STRING)
        || node->u.str.len > TCR_READ_VALUE)
    {
        snprintf(expected, sizeof(expected), "a pattern of at most %d bytes; "
                 "%s is left out", TCR_READ_VALUE, what);
        tcr_read_wrong(rd, TCR_REPORT_LEFT_OUT, node, field, expected);
        return tcr_str(NULL);
    }

    if (tcr_regex_translate(rd->arena, node->u.str, &pattern, &err) != 0) {
        tcr_read_report(rd, TCR_REPORT_LEFT_OUT, node, field,
                        "%s; %s is left out", err.text, what);
        return tcr_str(NULL);
    }

    return pattern;
}


static void
add_prefix(tcr_read_t *rd, const tcr_json_t *node, tcr_nets_build_t *build)
{
    tcr_err_t   err;
    tcr_cidr_t  cidr;

    if (node->type != TCR_JSON_STRING) {
        tcr_read_wrong(rd, TCR_REPORT_LEFT_OUT, node, NULL,
                       "a prefix in quotes; it is left out");

    } else if (tcr_cidr_parse(node->u.str, &cidr, &err) != 0) {
        tcr_read_report(rd, TCR_REPORT_LEFT_OUT, node, NULL,
                        "%s; it is left out", err.text);

    } else if (tcr_nets_build_add(build, &cidr, 0) != 0) {
        rd->failed = true;
    }
}


void
tcr_document_prefixes(tcr_read_t *rd, const tcr_json_t *object,
    const char *field, tcr_nets_build_t *build)
{
    size_t             i = 0;
    tcr_read_mark_t    mark, item;
    const tcr_json_t  *list, *node;

    list = tcr_read_container(rd, object, field, TCR_JSON_ARRAY);

    if (list == NULL) {
        return;
    }

    mark = tcr_read_enter(rd, list, tcr_str(field));

    for (node = tcr_json_first(list); node != NULL; node = node->next) {
        item = tcr_read_enter_item(rd, node, i++);
        add_prefix(rd, node, build);
        tcr_read_leave(rd, item);
    }

    tcr_read_leave(rd, mark);
}
