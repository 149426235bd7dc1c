/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Plain fields from rows: name, kind, place in a struct, default, bounds.
 */

#include "tcr_crconfig_read.h"

#include <inttypes.h>
#include <stdio.h>


/* Absent, null and empty text: nothing was said, so nothing is wrong. */
static bool
is_silent(const tcr_json_t *node)
{
    return node == NULL || node->type == TCR_JSON_NULL
           || (node->type == TCR_JSON_STRING && node->u.str.len == 0);
}


int64_t
tcr_read_int(tcr_read_t *rd, const tcr_json_t *node, const char *field,
    int64_t def, int64_t min, int64_t max)
{
    char     expected[96];
    int64_t  value;

    if (is_silent(node)) {
        return def;
    }

    value = tcr_json_long(node, INT64_MIN);

    if (value >= min && value <= max) {
        return value;
    }

    snprintf(expected, sizeof(expected),
             "a number from %" PRId64 " to %" PRId64 "; it is ignored",
             min, max);
    tcr_read_wrong(rd, TCR_REPORT_WARNING, node, field, expected);
    return def;
}


bool
tcr_read_port(const tcr_json_t *node, uint32_t *port)
{
    int64_t  value = tcr_json_long(node, 0);

    if (value < 1 || value > 65535) {
        return false;
    }

    *port = (uint32_t) value;
    return true;
}


static bool
read_bool(tcr_read_t *rd, const tcr_json_t *node, const tcr_field_t *field)
{
    bool  def = field->def != 0;
    bool  value = tcr_json_bool(node, def);

    /* what has no value of its own follows the default */
    if (!is_silent(node) && tcr_json_bool(node, !def) != value) {
        tcr_read_wrong(rd, TCR_REPORT_WARNING, node, field->name, def
                       ? "true or false; it counts as true"
                       : "true or false; it counts as false");
    }

    return value;
}


static tcr_str_t
read_id(tcr_read_t *rd, const tcr_json_t *node, const char *name)
{
    tcr_str_t  text = tcr_json_str(node, tcr_str(NULL));

    if (is_silent(node)) {
        return tcr_str(NULL);
    }

    if (!tcr_read_is_id(text)) {
        tcr_read_wrong(rd, TCR_REPORT_WARNING, node, name, "a name of 1 to "
                       "255 bytes without control bytes and quotes; it is "
                       "ignored");
        return tcr_str(NULL);
    }

    return text;
}


static void
read_list_item(tcr_read_t *rd, const tcr_json_t *node, size_t i,
    bool tokens, tcr_str_list_t *list)
{
    bool             usable;
    tcr_str_t        text = tcr_json_str(node, tcr_str(NULL));
    tcr_read_mark_t  mark;

    usable = tokens ? tcr_read_is_token(text) : tcr_read_is_id(text);

    if (usable) {
        list->items[list->n++] = text;
        return;
    }

    if (is_silent(node)) {
        return;
    }

    mark = tcr_read_enter_item(rd, node, i);
    tcr_read_wrong(rd, TCR_REPORT_WARNING, node, NULL, tokens
                   ? "the name of a header; it is ignored"
                   : "a name of 1 to 255 bytes without control bytes and "
                     "quotes; it is ignored");
    tcr_read_leave(rd, mark);
}


static void
read_list(tcr_read_t *rd, const tcr_json_t *object, const tcr_field_t *field,
    tcr_str_list_t *list)
{
    size_t             i = 0;
    const tcr_json_t  *array, *node;
    tcr_read_mark_t    mark;

    array = tcr_read_container(rd, object, field->name, TCR_JSON_ARRAY);

    if (array == NULL || array->u.list.n == 0) {
        return;
    }

    if (array->u.list.n > TCR_READ_LIST) {
        tcr_read_report(rd, TCR_REPORT_WARNING, array, field->name,
                        "found %zu items, expected at most %d; the list is "
                        "ignored", array->u.list.n, TCR_READ_LIST);
        return;
    }

    list->items = tcr_read_alloc(rd, array->u.list.n, sizeof(*list->items));

    if (list->items == NULL) {
        return;
    }

    mark = tcr_read_enter(rd, array, tcr_str(field->name));

    for (node = tcr_json_first(array); node != NULL; node = node->next) {
        read_list_item(rd, node, i++, field->kind == TCR_FIELD_TOKENS, list);
    }

    tcr_read_leave(rd, mark);
}


static void
read_field(tcr_read_t *rd, const tcr_json_t *object, const tcr_field_t *field,
    void *place)
{
    const tcr_json_t  *node = tcr_json_get(object, field->name);

    switch (field->kind) {

    case TCR_FIELD_BOOL:
        *(bool *) place = read_bool(rd, node, field);
        break;

    case TCR_FIELD_INT:
        *(int64_t *) place = tcr_read_int(rd, node, field->name, field->def,
                                          field->min, field->max);
        break;

    case TCR_FIELD_PORT:
        *(uint32_t *) place = (uint32_t) tcr_read_int(rd, node, field->name,
                                                      field->def, 1, 65535);
        break;

    case TCR_FIELD_ID:
        *(tcr_str_t *) place = read_id(rd, node, field->name);
        break;

    case TCR_FIELD_LINE:
        *(tcr_str_t *) place = tcr_read_line(rd, node, field->name);
        break;

    case TCR_FIELD_IDS:
    case TCR_FIELD_TOKENS:
        read_list(rd, object, field, place);
        break;
    }
}


void
tcr_read_fields(tcr_read_t *rd, const tcr_json_t *object,
    const tcr_field_t *fields, size_t n, void *base)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        read_field(rd, object, &fields[i], (char *) base + fields[i].offset);
    }
}


/* --- rows that the CDN and its services have in common --- */

#define SECONDS  INT32_MAX        /* RFC 2181 8: a TTL is of 31 bits         */

static const tcr_field_t  ttl_fields[] = {
    { "A", TCR_FIELD_INT, offsetof(tcr_ttls_t, a), -1, 0, SECONDS },
    { "AAAA", TCR_FIELD_INT, offsetof(tcr_ttls_t, aaaa), -1, 0, SECONDS },
    { "NS", TCR_FIELD_INT, offsetof(tcr_ttls_t, ns), -1, 0, SECONDS },
    { "SOA", TCR_FIELD_INT, offsetof(tcr_ttls_t, soa), -1, 0, SECONDS },
    { "DS", TCR_FIELD_INT, offsetof(tcr_ttls_t, ds), -1, 0, SECONDS },
    { "DNSKEY", TCR_FIELD_INT, offsetof(tcr_ttls_t, dnskey), -1, 0, SECONDS },
    { "CNAME", TCR_FIELD_INT, offsetof(tcr_ttls_t, cname), -1, 0, SECONDS },
    { "TXT", TCR_FIELD_INT, offsetof(tcr_ttls_t, txt), -1, 0, SECONDS }
};

static const tcr_field_t  soa_fields[] = {
    { "admin", TCR_FIELD_LINE, offsetof(tcr_soa_t, admin), 0, 0, 0 },
    { "refresh", TCR_FIELD_INT, offsetof(tcr_soa_t, refresh), -1, 0, SECONDS },
    { "retry", TCR_FIELD_INT, offsetof(tcr_soa_t, retry), -1, 0, SECONDS },
    { "expire", TCR_FIELD_INT, offsetof(tcr_soa_t, expire), -1, 0, SECONDS },
    { "minimum", TCR_FIELD_INT, offsetof(tcr_soa_t, minimum), -1, 0, SECONDS },
    { "serial", TCR_FIELD_INT, offsetof(tcr_soa_t, serial), -1, 0, UINT32_MAX }
};


void
tcr_read_ttls(tcr_read_t *rd, const tcr_json_t *object, tcr_ttls_t *ttls)
{
    tcr_read_mark_t    mark;
    const tcr_json_t  *node;

    node = tcr_read_container(rd, object, "ttls", TCR_JSON_OBJECT);
    mark = tcr_read_enter(rd, node != NULL ? node : rd->at, TCR_STR("ttls"));
    tcr_read_fields(rd, node, ttl_fields, TCR_FIELDS(ttl_fields), ttls);
    tcr_read_leave(rd, mark);
}


/* Is it made of what a mailbox in an SOA record may be made of? */
static bool
is_admin(tcr_str_t s)
{
    char    c;
    size_t  i;

    for (i = 0; i < s.len; i++) {
        c = tcr_lower(s.data[i]);

        if ((c < 'a' || c > 'z') && (c < '0' || c > '9')
            && (c == '\0' || strchr("-_.@+", c) == NULL))
        {
            return false;
        }
    }

    return s.len <= 253;
}


void
tcr_read_soa(tcr_read_t *rd, const tcr_json_t *object, tcr_soa_t *soa)
{
    tcr_read_mark_t    mark;
    const tcr_json_t  *node;

    node = tcr_read_container(rd, object, "soa", TCR_JSON_OBJECT);
    mark = tcr_read_enter(rd, node != NULL ? node : rd->at, TCR_STR("soa"));
    tcr_read_fields(rd, node, soa_fields, TCR_FIELDS(soa_fields), soa);

    if (soa->admin.data != NULL && !is_admin(soa->admin)) {
        tcr_read_wrong(rd, TCR_REPORT_WARNING, tcr_json_get(node, "admin"),
                       "admin", "a mailbox of letters, digits and \"-_.@+\"; "
                       "it is ignored");
        soa->admin = tcr_str(NULL);
    }

    tcr_read_leave(rd, mark);
}
