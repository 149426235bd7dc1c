/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Which texts of a snapshot are fit for use: ids, header names, host names,
 * addresses, places.
 */

#include "tcr_crconfig_read.h"

#include <math.h>

#define HOST_MAX   253            /* RFC 1035 2.3.4, without the final dot   */
#define LABEL_MAX  63


bool
tcr_read_is_id(tcr_str_t s)
{
    size_t         i;
    unsigned char  c;

    if (s.len == 0 || s.len > TCR_READ_NAME) {
        return false;
    }

    for (i = 0; i < s.len; i++) {
        c = (unsigned char) s.data[i];

        if (c < 0x20 || c == 0x7f || c == '"' || c == '\\') {
            return false;
        }
    }

    return true;
}


bool
tcr_read_is_token(tcr_str_t s)
{
    char    c;
    size_t  i;

    for (i = 0; i < s.len; i++) {
        c = tcr_lower(s.data[i]);

        if ((c < 'a' || c > 'z') && (c < '0' || c > '9')
            && (c == '\0' || strchr("!#$%&'*+-.^_`|~", c) == NULL))
        {
            return false;
        }
    }

    return s.len != 0 && s.len <= TCR_READ_NAME;
}


/* What a byte is to a host name. */
enum { NO_HOST, HOST, HOST_UPPER, HOST_DOT };

static const uint8_t  host_bytes[256] = {
    ['a' ... 'z'] = HOST, ['0' ... '9'] = HOST, ['-'] = HOST, ['_'] = HOST,
    ['A' ... 'Z'] = HOST_UPPER, ['.'] = HOST_DOT
};


/* Labels of a host name without a final dot, 0 when it is none. */
static size_t
host_labels(tcr_str_t s, bool *upper)
{
    size_t   i, begin = 0, labels = 1;
    uint8_t  what;

    *upper = false;

    for (i = 0; i < s.len; i++) {
        what = host_bytes[(unsigned char) s.data[i]];

        if (what == HOST_DOT) {
            if (i == begin || i - begin > LABEL_MAX) {
                return 0;
            }

            begin = i + 1;
            labels++;

        } else if (what == HOST_UPPER) {
            *upper = true;

        } else if (what == NO_HOST) {
            return 0;
        }
    }

    return i == begin || i - begin > LABEL_MAX || s.len > HOST_MAX ? 0 : labels;
}


tcr_str_t
tcr_read_lower_host(tcr_read_t *rd, tcr_str_t s, size_t *labels)
{
    char    *copy;
    bool     upper;
    size_t   i, n;

    if (s.len != 0 && s.data[s.len - 1] == '.') {
        s.len--;
    }

    n = s.len <= HOST_MAX ? host_labels(s, &upper) : 0;

    if (labels != NULL) {
        *labels = n;
    }

    if (n == 0) {
        return tcr_str(NULL);
    }

    if (!upper) {
        return s;
    }

    copy = tcr_read_alloc(rd, s.len, 1);

    if (copy == NULL) {
        return tcr_str(NULL);
    }

    for (i = 0; i < s.len; i++) {
        copy[i] = tcr_lower(s.data[i]);
    }

    return tcr_str_n(copy, s.len);
}


tcr_str_t
tcr_read_host(tcr_read_t *rd, tcr_severity_e severity, const tcr_json_t *node,
    const char *field, const char *expected)
{
    tcr_str_t  host;

    host = tcr_read_lower_host(rd, tcr_json_required_str(node), NULL);

    if (host.data == NULL) {
        tcr_read_wrong(rd, severity, node, field, expected);
    }

    return host;
}


tcr_str_t
tcr_read_host_or_addr(tcr_read_t *rd, tcr_severity_e severity,
    const tcr_json_t *node, const char *field, const char *expected)
{
    tcr_str_t   text, inner;
    tcr_addr_t  addr;

    text = tcr_json_required_str(node);
    inner = text;

    if (text.len > 2 && text.data[0] == '[' && text.data[text.len - 1] == ']') {
        inner = tcr_str_n(text.data + 1, text.len - 2);
    }

    if (tcr_addr_parse(inner, &addr) == 0) {
        return text;
    }

    return tcr_read_host(rd, severity, node, field, expected);
}


tcr_str_t
tcr_read_addr(tcr_read_t *rd, const tcr_json_t *node, const char *field,
    uint32_t family)
{
    char        out[TCR_ADDR_TEXT];
    size_t      len;
    tcr_str_t   text;
    tcr_addr_t  addr;

    text = tcr_str_trim(tcr_json_str(node, TCR_STR("")));

    if (text.len == 0 && !tcr_json_is(node, TCR_JSON_OBJECT)
        && !tcr_json_is(node, TCR_JSON_ARRAY))
    {
        return tcr_str(NULL);
    }

    text.len = tcr_str_find(text, '/');

    if (tcr_addr_parse(text, &addr) != 0 || addr.family != family) {
        tcr_read_wrong(rd, TCR_REPORT_LEFT_OUT, node, field, family == 4
                       ? "an IPv4 address; it is left out"
                       : "an IPv6 address; it is left out");
        return tcr_str(NULL);
    }

    len = tcr_addr_format(&addr, out);

    if (tcr_str_eq(text, tcr_str_n(out, len))) {
        return text;
    }

    text = tcr_arena_strdup(rd->arena, tcr_str_n(out, len));
    rd->failed = rd->failed || text.data == NULL;
    return text;
}


tcr_str_t
tcr_read_line(tcr_read_t *rd, const tcr_json_t *node, const char *field)
{
    size_t     i;
    tcr_str_t  text = tcr_json_str(node, tcr_str(NULL));

    for (i = 0; i < text.len; i++) {
        if ((unsigned char) text.data[i] < 0x20 || text.data[i] == 0x7f) {
            break;
        }
    }

    if (i < text.len || text.len > TCR_READ_VALUE) {
        tcr_read_report(rd, TCR_REPORT_LEFT_OUT, node, field,
                        "found a text of %zu bytes%s, expected at most %d "
                        "without control bytes; it is left out", text.len,
                        i < text.len ? " with a control byte" : "",
                        TCR_READ_VALUE);
        return tcr_str(NULL);
    }

    return text.len != 0 ? text : tcr_str(NULL);
}


bool
tcr_read_point(tcr_read_t *rd, tcr_severity_e severity,
    const tcr_json_t *object, const char *lat, const char *lon,
    tcr_point_t *point)
{
    double             value[2];
    size_t             i;
    const char        *names[2] = { lat, lon };
    const tcr_json_t  *node;

    for (i = 0; i < 2; i++) {
        node = tcr_json_get(object, names[i]);
        value[i] = tcr_json_real(node, NAN);

        if (!isfinite(value[i])) {
            tcr_read_wrong(rd, severity, node, names[i],
                           "degrees; this place is left out");
            return false;
        }
    }

    point->lat = value[0];
    point->lon = value[1];
    return true;
}
