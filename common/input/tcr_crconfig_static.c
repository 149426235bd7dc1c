/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a service says in DNS besides its caches: static entries
 * (spec/dns.md §2.2) and the bypass destination (spec/routing.md §7).
 */

#include "tcr_crconfig_read.h"

#include <stdio.h>

#define LEFT_OUT  TCR_REPORT_LEFT_OUT
#define SERVICE_TYPES  4          /* of the table: A, AAAA, CNAME, TXT       */
#define TXT_MAX   255             /* one character-string, RFC 1035 3.3      */


tcr_str_t
tcr_read_absolute(tcr_read_t *rd, const tcr_json_t *node, const char *field)
{
    char       *copy;
    tcr_str_t   host;

    host = tcr_read_host(rd, LEFT_OUT, node, field,
                         "a host name; it is left out");

    if (host.data == NULL) {
        return host;
    }

    copy = tcr_read_alloc(rd, host.len + 1, 1);

    if (copy == NULL) {
        return tcr_str(NULL);
    }

    memcpy(copy, host.data, host.len);
    copy[host.len] = '.';
    return tcr_str_n(copy, host.len + 1);
}


static tcr_str_t
read_txt(tcr_read_t *rd, const tcr_json_t *node)
{
    tcr_str_t  text = tcr_json_required_str(node);

    if (text.len > TXT_MAX) {
        tcr_read_report(rd, LEFT_OUT, node, "value", "found a text of %zu "
                        "bytes, expected at most %d; it is left out",
                        text.len, TXT_MAX);
        return tcr_str(NULL);
    }

    return text;
}


/* So many numbers of 16 bits and a host name: MX, SRV. */
static tcr_str_t
read_numbers(tcr_read_t *rd, const tcr_json_t *node, size_t n)
{
    char       *text, buf[64] = "";
    size_t      i;
    uint64_t    number;
    tcr_str_t   rest = tcr_json_required_str(node), host, piece;

    for (i = 0; i < n; i++) {
        piece = tcr_str_split(&rest, ' ');

        if (tcr_parse_uint(piece, 0, UINT16_MAX, &number) != 0
            || rest.data == NULL)
        {
            break;
        }

        snprintf(buf + strlen(buf), sizeof(buf) - strlen(buf), "%u ",
                 (unsigned) number);
        rest = tcr_str_trim(rest);
    }

    host = tcr_str_eq(rest, TCR_STR(".")) ? TCR_STR("")
                                          : tcr_read_lower_host(rd, rest, NULL);

    if (i < n || host.data == NULL) {
        tcr_read_wrong(rd, LEFT_OUT, node, "value", n == 1
                       ? "PREFERENCE HOST; this entry is left out"
                       : "PRIORITY WEIGHT PORT HOST; this entry is left out");
        return tcr_str(NULL);
    }

    text = tcr_arena_printf(rd->arena, "%s%.*s.", buf, TCR_STR_ARG(host));
    rd->failed = rd->failed || text == NULL;
    return tcr_str(text);
}


/* Which bytes need no escape in a quoted string?  (RFC 8659 4.1) */
static bool
is_plain(tcr_str_t s)
{
    size_t  i;

    for (i = 0; i < s.len; i++) {

        if (s.data[i] < 0x20 || s.data[i] > 0x7e || s.data[i] == '"'
            || s.data[i] == '\\')
        {
            return false;
        }
    }

    return s.len != 0 && s.len <= TXT_MAX;
}


static tcr_str_t
read_caa(tcr_read_t *rd, const tcr_json_t *node)
{
    char       *text;
    uint64_t    flags;
    tcr_str_t   value = tcr_json_required_str(node), number, tag;

    number = tcr_str_split(&value, ' ');
    value = tcr_str_trim(value);
    tag = tcr_str_split(&value, ' ');
    value = tcr_str_trim(value);

    if (value.len > 1 && value.data[0] == '"'
        && value.data[value.len - 1] == '"')
    {
        value = tcr_str_n(value.data + 1, value.len - 2);
    }

    if (tcr_parse_uint(number, 0, UINT8_MAX, &flags) != 0
        || !is_plain(value)
        || (!tcr_str_eq(tag, TCR_STR("issue"))
            && !tcr_str_eq(tag, TCR_STR("issuewild"))
            && !tcr_str_eq(tag, TCR_STR("iodef"))))
    {
        tcr_read_wrong(rd, LEFT_OUT, node, "value", "FLAGS TAG VALUE with the "
                       "tag issue, issuewild or iodef; this entry is left "
                       "out");
        return tcr_str(NULL);
    }

    text = tcr_arena_printf(rd->arena, "%u %.*s \"%.*s\"", (unsigned) flags,
                            TCR_STR_ARG(tag), TCR_STR_ARG(value));
    rd->failed = rd->failed || text == NULL;
    return tcr_str(text);
}


/* False for a type that is not served, as the reference ignores it. */
static bool
read_type(tcr_read_t *rd, const tcr_json_t *node, bool zone,
    tcr_static_entry_t *entry)
{
    size_t             i, n;
    tcr_str_t          text;
    const tcr_json_t  *type = tcr_json_get(node, "type");

    static const struct {
        tcr_str_t  name;
        uint16_t   type;
    } types[] = {
        { { "A", 1 }, 1 }, { { "AAAA", 4 }, 28 }, { { "CNAME", 5 }, 5 },
        { { "TXT", 3 }, 16 }, { { "NS", 2 }, 2 }, { { "MX", 2 }, 15 },
        { { "SRV", 3 }, 33 }, { { "CAA", 3 }, 257 }
    };

    n = zone ? sizeof(types) / sizeof(types[0]) : SERVICE_TYPES;

    text = tcr_json_str(type, TCR_STR(""));

    for (i = 0; i < n; i++) {
        if (tcr_str_ieq(text, types[i].name)) {
            entry->type = types[i].type;
            return true;
        }
    }

    tcr_read_wrong(rd, LEFT_OUT, type, "type", zone
                   ? "A, AAAA, CNAME, TXT, NS, MX, SRV or CAA; this entry is "
                     "left out"
                   : "A, AAAA, CNAME or TXT; this entry is left out");
    return false;
}


/* In lower case; its first label may be "*".  Absent when it is no name. */
static tcr_str_t
owner(tcr_read_t *rd, tcr_str_t name)
{
    bool        wild = tcr_str_starts(name, TCR_STR("*."));
    char       *copy;
    tcr_str_t   host;

    if (tcr_str_eq(name, TCR_STR("*"))) {
        return name;
    }

    if (tcr_str_ends(name, TCR_STR("."))) {
        return tcr_str(NULL);
    }

    host = tcr_read_lower_host(rd, wild ? tcr_str_n(name.data + 2, name.len - 2)
                                        : name, NULL);

    if (!wild || host.data == NULL) {
        return host;
    }

    if (host.data == name.data + 2) {
        return name;
    }

    copy = tcr_read_alloc(rd, host.len + 2, 1);

    if (copy == NULL) {
        return tcr_str(NULL);
    }

    memcpy(copy, "*.", 2);
    memcpy(copy + 2, host.data, host.len);
    return tcr_str_n(copy, host.len + 2);
}


static bool
read_name(tcr_read_t *rd, const tcr_json_t *node, bool zone,
    tcr_static_entry_t *entry)
{
    const tcr_json_t  *name = tcr_json_get(node, "name");

    if (zone && tcr_str_eq(tcr_json_str(name, TCR_STR("")), TCR_STR("@"))) {
        entry->name = TCR_STR("");
        return true;
    }

    entry->name = owner(rd, tcr_json_str(name, TCR_STR("")));

    if (entry->name.data == NULL) {
        tcr_read_wrong(rd, LEFT_OUT, name, "name", "a name below the zone, "
                       "without final dot; this entry is left out");
        return false;
    }

    return true;
}


static bool
read_value(tcr_read_t *rd, const tcr_json_t *node, tcr_static_entry_t *entry)
{
    const tcr_json_t  *value = tcr_json_get(node, "value");

    if (tcr_json_required_str(value).len == 0) {
        tcr_read_wrong(rd, LEFT_OUT, value, "value",
                       "a value; this entry is left out");
        return false;
    }

    switch (entry->type) {

    case 1:
        entry->value = tcr_read_addr(rd, value, "value", 4);
        break;

    case 28:
        entry->value = tcr_read_addr(rd, value, "value", 6);
        break;

    case 2:
    case 5:
        entry->value = tcr_read_absolute(rd, value, "value");
        break;

    case 15:
        entry->value = read_numbers(rd, value, 1);
        break;

    case 33:
        entry->value = read_numbers(rd, value, 3);
        break;

    case 257:
        entry->value = read_caa(rd, value);
        break;

    default:
        entry->value = read_txt(rd, value);
    }

    return entry->value.data != NULL;
}


bool
tcr_read_entry(tcr_read_t *rd, const tcr_json_t *node, bool zone,
    tcr_static_entry_t *entry)
{
    memset(entry, 0, sizeof(*entry));

    if (!read_type(rd, node, zone, entry) || !read_name(rd, node, zone, entry)
        || !read_value(rd, node, entry))
    {
        return false;
    }

    entry->ttl = tcr_read_int(rd, tcr_json_get(node, "ttl"), "ttl", 0, 0,
                              INT32_MAX);
    return true;
}


void
tcr_read_static_entries(tcr_read_t *rd, const tcr_json_t *node,
    tcr_service_t *service)
{
    size_t               i = 0;
    tcr_read_mark_t      list, item;
    const tcr_json_t    *array, *child;
    tcr_static_entry_t  *entry;

    array = tcr_read_container(rd, node, "staticDnsEntries", TCR_JSON_ARRAY);

    if (array == NULL) {
        return;
    }

    service->static_entries = tcr_read_alloc(rd, array->u.list.n,
                                             sizeof(tcr_static_entry_t));

    if (service->static_entries == NULL) {
        return;
    }

    list = tcr_read_enter(rd, array, TCR_STR("staticDnsEntries"));

    for (child = tcr_json_first(array); child; child = child->next) {
        item = tcr_read_enter_item(rd, child, i++);
        entry = &service->static_entries[service->n_static_entries];
        service->n_static_entries += tcr_read_entry(rd, child, false, entry);
        tcr_read_leave(rd, item);
    }

    tcr_read_leave(rd, list);
}


/* --- bypass --- */

static void
read_bypass_http(tcr_read_t *rd, const tcr_json_t *node,
    tcr_service_t *service)
{
    tcr_read_mark_t     mark;
    const tcr_json_t   *http, *fqdn;
    const tcr_field_t   port = {
        "port", TCR_FIELD_PORT, offsetof(tcr_service_t, bypass_port),
        0, 1, 65535
    };

    http = tcr_read_container(rd, node, "HTTP", TCR_JSON_OBJECT);
    fqdn = tcr_json_get(http, "fqdn");

    if (tcr_json_str(fqdn, TCR_STR("")).len == 0) {
        return;
    }

    mark = tcr_read_enter(rd, http, TCR_STR("HTTP"));
    service->bypass_fqdn = tcr_read_host_or_addr(rd, LEFT_OUT, fqdn, "fqdn",
                                                 "a host name or an address; "
                                                 "it is left out");
    tcr_read_fields(rd, http, &port, 1, service);
    tcr_read_leave(rd, mark);
}


/* Only with a TTL is it of use; addresses win over the name. */
static void
read_bypass_dns(tcr_read_t *rd, const tcr_json_t *node,
    tcr_bypass_dns_t *bypass)
{
    tcr_read_mark_t    mark;
    const tcr_json_t  *dns, *cname;

    bypass->ttl = -1;
    dns = tcr_read_container(rd, node, "DNS", TCR_JSON_OBJECT);

    if (dns == NULL) {
        return;
    }

    mark = tcr_read_enter(rd, dns, TCR_STR("DNS"));

    bypass->given = true;
    bypass->ttl = tcr_read_int(rd, tcr_json_get(dns, "ttl"), "ttl", -1, 0,
                               INT32_MAX);

    if (bypass->ttl < 0) {
        tcr_read_report(rd, LEFT_OUT, dns, "ttl", "found no usable ttl, "
                        "expected seconds; this bypass answers nothing");
    }

    bypass->ip = tcr_read_addr(rd, tcr_json_get(dns, "ip"), "ip", 4);
    bypass->ip6 = tcr_read_addr(rd, tcr_json_get(dns, "ip6"), "ip6", 6);
    cname = tcr_json_get(dns, "cname");

    if (bypass->ip.data == NULL && bypass->ip6.data == NULL
        && tcr_json_str(cname, TCR_STR("")).len != 0)
    {
        bypass->cname = tcr_read_absolute(rd, cname, "cname");
    }

    tcr_read_leave(rd, mark);
}


void
tcr_read_bypass(tcr_read_t *rd, const tcr_json_t *node,
    tcr_service_t *service)
{
    tcr_read_mark_t    mark;
    const tcr_json_t  *bypass;

    service->bypass_dns.ttl = -1;
    bypass = tcr_read_container(rd, node, "bypassDestination",
                                TCR_JSON_OBJECT);

    if (bypass == NULL) {
        return;
    }

    service->has_bypass = true;
    mark = tcr_read_enter(rd, bypass, TCR_STR("bypassDestination"));
    read_bypass_http(rd, bypass, service);
    read_bypass_dns(rd, bypass, &service->bypass_dns);
    tcr_read_leave(rd, mark);
}
