/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Where a reader is, what it reports, the members of an object.
 */

#include "tcr_crconfig_read.h"

#include <stdarg.h>
#include <stdio.h>

#define SHOWN  64                 /* bytes of a foreign text in a report     */


/*
 * A foreign text fit for a report: cut between characters, control bytes
 * replaced.
 */
static void
show(char out[SHOWN + 4], tcr_str_t s)
{
    size_t  i, n = s.len;

    if (n > SHOWN) {
        n = SHOWN;

        while (n > 0 && ((unsigned char) s.data[n] & 0xc0) == 0x80) {
            n--;
        }
    }

    for (i = 0; i < n; i++) {
        out[i] = s.data[i];

        if ((unsigned char) out[i] < 0x20 || out[i] == 0x7f) {
            out[i] = '?';
        }
    }

    memcpy(out + n, s.len > n ? "..." : "", s.len > n ? 4 : 1);
}


/* --- place --- */

static tcr_read_mark_t
step(tcr_read_t *rd, const tcr_json_t *node, const char *fmt,
    const char *text, size_t i)
{
    int              n;
    size_t           room = sizeof(rd->path) - rd->path_len;
    tcr_read_mark_t  mark = { rd->at, rd->path_len };

    rd->at = node;

    if (text != NULL) {
        n = snprintf(rd->path + rd->path_len, room, "%s%s", fmt, text);

    } else {
        n = snprintf(rd->path + rd->path_len, room, "[%zu]", i);
    }

    if (n > 0) {
        rd->path_len += (size_t) n < room ? (size_t) n : room - 1;
    }

    return mark;
}


tcr_read_mark_t
tcr_read_enter(tcr_read_t *rd, const tcr_json_t *node, tcr_str_t name)
{
    char  text[SHOWN + 4];

    show(text, name);
    return step(rd, node, rd->path_len != 0 ? "." : "", text, 0);
}


tcr_read_mark_t
tcr_read_enter_item(tcr_read_t *rd, const tcr_json_t *node, size_t i)
{
    return step(rd, node, NULL, NULL, i);
}


void
tcr_read_leave(tcr_read_t *rd, tcr_read_mark_t mark)
{
    rd->at = mark.at;
    rd->path_len = mark.path_len;
    rd->path[rd->path_len] = '\0';
}


/* --- reports --- */

/* Beyond the limit a problem is only counted: finding its line costs time. */
static bool
is_full(tcr_read_t *rd, tcr_severity_e severity)
{
    if (rd->report != NULL && rd->report->kept < rd->report->limit) {
        return false;
    }

    tcr_report_add(rd->report, rd->made != NULL ? TCR_REPORT_ERROR : severity,
                   "%s", "");
    return true;
}


static void
report(tcr_read_t *rd, tcr_severity_e severity, const tcr_json_t *node,
    const char *field, const char *text)
{
    tcr_err_t    line;
    tcr_pos_t    pos;
    const char  *dot = field != NULL && rd->path_len != 0 ? "." : "";

    if (rd->made != NULL) {
        tcr_made_wrong(rd->made, node != NULL ? node->offset : rd->at->offset,
                       node == NULL, field, text);
        return;
    }

    pos = tcr_json_pos(rd->doc, node != NULL ? node->offset : rd->at->offset);

    tcr_err_at(&line, &pos, "%s%s%s: %s", rd->path, dot,
               field != NULL ? field : "", text);
    tcr_report_add(rd->report, severity, "%s", line.text);
}


void
tcr_read_report(tcr_read_t *rd, tcr_severity_e severity,
    const tcr_json_t *node, const char *field, const char *fmt, ...)
{
    char     text[512];
    va_list  ap;

    if (is_full(rd, severity)) {
        return;
    }

    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);

    report(rd, severity, node, field, text);
}


/* The value as a report names it. */
static void
found(char *out, size_t size, const tcr_json_t *node)
{
    char  text[SHOWN + 4];

    if (node == NULL) {
        snprintf(out, size, "nothing");
        return;
    }

    switch (node->type) {

    case TCR_JSON_STRING:
        show(text, node->u.str);
        snprintf(out, size, "\"%s\"", text);
        break;

    case TCR_JSON_NUMBER:
        show(text, node->u.str);
        snprintf(out, size, "%s", text);
        break;

    case TCR_JSON_ARRAY:
        snprintf(out, size, node->u.list.n ? "an array" : "an empty array");
        break;

    case TCR_JSON_OBJECT:
        snprintf(out, size, "an object");
        break;

    default:
        snprintf(out, size, "%s", node->type == TCR_JSON_NULL ? "null"
                 : node->type == TCR_JSON_TRUE ? "true" : "false");
    }
}


void
tcr_read_wrong(tcr_read_t *rd, tcr_severity_e severity,
    const tcr_json_t *node, const char *field, const char *expected)
{
    char  value[SHOWN + 16];

    if (is_full(rd, severity)) {
        return;
    }

    found(value, sizeof(value), node);
    tcr_read_report(rd, severity, node, field, "found %s, expected %s",
                    value, expected);
}


/* --- memory --- */

void *
tcr_read_alloc(tcr_read_t *rd, size_t n, size_t size)
{
    void  *p = tcr_arena_calloc(rd->arena, n != 0 ? n : 1, size);

    if (p == NULL) {
        rd->failed = true;
    }

    return p;
}


/* --- members --- */

static void
add_member(tcr_read_t *rd, const tcr_json_t *member, size_t max,
    tcr_members_t *members)
{
    uint32_t         place;
    tcr_str_t        name = tcr_json_name(member);
    tcr_read_mark_t  mark = tcr_read_enter(rd, member, name);

    if (!tcr_read_is_id(name)) {
        tcr_read_report(rd, TCR_REPORT_LEFT_OUT, member, NULL, "found a name "
                        "of %zu bytes that is no id, expected 1 to %d bytes "
                        "without control bytes and quotes",
                        name.len, TCR_READ_NAME);

    } else if (tcr_names_find(&members->names, name, &place)) {
        members->items[place] = member;
        tcr_read_report(rd, TCR_REPORT_WARNING, member, NULL,
                        "found this name twice, the last one is used");

    } else if (members->n == max) {
        tcr_read_report(rd, TCR_REPORT_LEFT_OUT, member, NULL,
                        "found more than %zu of these, the rest is left out",
                        max);

    } else {
        tcr_names_add(&members->names, name, (uint32_t) members->n);
        members->items[members->n++] = member;
    }

    tcr_read_leave(rd, mark);
}


void
tcr_read_members(tcr_read_t *rd, const tcr_json_t *object, size_t max,
    tcr_members_t *members)
{
    size_t             n;
    const tcr_json_t  *member;

    memset(members, 0, sizeof(*members));

    n = object != NULL ? object->u.list.n : 0;
    n = n < max ? n : max;

    members->items = tcr_read_alloc(rd, n, sizeof(*members->items));

    if (members->items == NULL) {
        return;
    }

    if (tcr_names_init(&members->names, rd->arena, n) != 0) {
        rd->failed = true;
        return;
    }

    for (member = tcr_json_first(object); member; member = member->next) {
        add_member(rd, member, max, members);
    }
}


const tcr_json_t *
tcr_read_container(tcr_read_t *rd, const tcr_json_t *object, const char *name,
    tcr_json_type_e type)
{
    const tcr_json_t  *node = tcr_json_get(object, name);

    if (node == NULL || node->type == TCR_JSON_NULL) {
        return NULL;
    }

    if (node->type != (uint32_t) type) {
        tcr_read_wrong(rd, TCR_REPORT_WARNING, node, name,
                       type == TCR_JSON_ARRAY ? "an array; it is ignored"
                       : "an object; it is ignored");
        return NULL;
    }

    return node;
}
