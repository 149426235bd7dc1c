/* SPDX-License-Identifier: Apache-2.0 */

/*
 * By which names a service is asked for: host names under which it is found,
 * or whole sets of patterns.
 */

#include "tcr_own_make.h"

#define LABEL_MAX  63             /* RFC 1035 2.3.4                          */
#define HOST_MAX   253
#define REGEX_MAX  (HOST_MAX * 2 + 16)


/* --- host names --- */

static bool
is_host(tcr_str_t s)
{
    char    c;
    size_t  i, label = 0;

    for (i = 0; i < s.len; i++) {
        c = tcr_lower(s.data[i]);

        if (c == '.') {

            if (label == 0) {
                return false;
            }

            label = 0;

        } else if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')
                     || c == '-' || c == '_') || ++label > LABEL_MAX)
        {
            return false;
        }
    }

    return label != 0 && s.len <= HOST_MAX;
}


static bool
is_label(tcr_str_t s)
{
    return is_host(s) && memchr(s.data, '.', s.len) == NULL;
}


static void
write_host_set(tcr_own_make_t *make, const tcr_yaml_t *node,
    const char *protocol, const char *regex)
{
    tcr_made_t  *made = &make->made;

    tcr_made_open(made, node, tcr_str(NULL), '{');
    tcr_made_str(made, node, TCR_STR("protocol"), tcr_str(protocol));
    tcr_made_open(made, node, TCR_STR("matchlist"), '[');
    tcr_made_open(made, node, tcr_str(NULL), '{');
    tcr_made_str(made, node, TCR_STR("match-type"), TCR_STR("HOST"));
    tcr_made_str(made, node, TCR_STR("regex"), tcr_str(regex));
    tcr_made_close(made, '}');
    tcr_made_close(made, ']');
    tcr_made_close(made, '}');
}


/*
 * A label stands for everything with it in its name, as Traffic Ops writes it;
 * "*.NAME" for everything below NAME.
 */
static void
write_host(tcr_own_make_t *make, const tcr_yaml_t *node, tcr_str_t host,
    const char *protocol)
{
    char    regex[REGEX_MAX];
    bool    label = is_label(host), below = label;
    size_t  i, n = 0;

    if (tcr_str_starts(host, TCR_STR("*."))) {
        host = tcr_str_n(host.data + 2, host.len - 2);
        below = true;
    }

    if (below) {
        memcpy(regex, ".*\\.", 4);
        n = 4;
    }

    for (i = 0; i < host.len; i++) {

        if (host.data[i] == '.') {
            regex[n++] = '\\';
        }

        regex[n++] = host.data[i];
    }

    memcpy(regex + n, label ? "\\..*" : "", label ? 5 : 1);
    write_host_set(make, node, protocol, regex);
}


static bool
check_host(tcr_own_make_t *make, const tcr_yaml_t *node, tcr_str_t host)
{
    tcr_str_t  name = host;

    if (tcr_str_starts(host, TCR_STR("*."))) {
        name = tcr_str_n(host.data + 2, host.len - 2);
    }

    if (is_host(name) && (name.len == host.len || !is_label(name))) {
        return true;
    }

    tcr_yaml_wrong(make->made.report, node, "is \"%.*s\", expected a label of "
                   "the CDN's domain, a host name or \"*.NAME\"",
                   TCR_STR_ARG(host));
    return false;
}


/* Two services of one name: the second would never be found by it. */
static void
take_host(tcr_own_make_t *make, const tcr_yaml_t *node, tcr_str_t host,
    size_t service)
{
    uint32_t  place;

    if (tcr_names_find(&make->hosts, host, &place)) {
        tcr_yaml_wrong(make->made.report, node, "\"%.*s\" is a host of "
                       "\"%.*s\" already", TCR_STR_ARG(host), TCR_STR_ARG(
                       make->services.items[place]->key->text));
        return;
    }

    tcr_names_add(&make->hosts, host, (uint32_t) service);
}


/* The first label names the service's domain, else its id does. */
static void
write_hosts(tcr_own_make_t *make, size_t place, const tcr_texts_t *hosts,
    const char *protocol, tcr_str_t *label)
{
    size_t             i;
    const tcr_yaml_t  *service = make->services.items[place];
    const tcr_yaml_t  *list = tcr_yaml_get(service, "hosts"), *node;

    for (i = 0; i < hosts->n && label->data == NULL; i++) {

        if (is_label(hosts->items[i])) {
            *label = hosts->items[i];
        }
    }

    if (label->data == NULL) {
        *label = service->key->text;

        if (!is_label(*label)) {
            tcr_own_error(make, service, "its name is no label of a host "
                          "name, expected one in \"hosts\"");
            return;
        }

        take_host(make, service, *label, place);
        write_host(make, service, *label, protocol);
    }

    node = list != NULL ? list->first : NULL;

    for (i = 0; i < hosts->n && node != NULL; i++, node = node->next) {

        if (check_host(make, node, hosts->items[i])) {
            take_host(make, node, hosts->items[i], place);
            write_host(make, node, hosts->items[i], protocol);
        }
    }
}


/* --- sets of patterns --- */

typedef struct {
    tcr_str_t  host, path, header, pattern;
} matcher_t;

static const tcr_key_t  matcher_keys[] = {
    TCR_OWN_KEEP("host", TCR_KIND_TEXT, matcher_t, host, NULL),
    TCR_OWN_KEEP("path", TCR_KIND_TEXT, matcher_t, path, NULL),
    TCR_OWN_KEEP("header", TCR_KIND_TEXT, matcher_t, header, NULL),
    TCR_OWN_KEEP("pattern", TCR_KIND_TEXT, matcher_t, pattern, NULL)
};


static void
write_matcher(tcr_own_make_t *make, const tcr_yaml_t *node)
{
    matcher_t    m;
    tcr_made_t  *made = &make->made;
    const char  *kind, *key;

    memset(&m, 0, sizeof(m));
    tcr_made_fields(made, node, TCR_KEYS(matcher_keys), &m);

    if ((m.host.data != NULL) + (m.path.data != NULL)
        + (m.header.data != NULL) != 1
        || (m.header.data != NULL) != (m.pattern.data != NULL))
    {
        tcr_own_error(make, node, "expected one of \"host\", \"path\", or "
                      "\"header\" and \"pattern\"");
        return;
    }

    key = m.host.data != NULL ? "host" : m.path.data != NULL ? "path"
          : "pattern";
    kind = m.host.data != NULL ? "HOST" : m.path.data != NULL ? "PATH"
           : "HEADER";

    tcr_made_open(made, node, tcr_str(NULL), '{');
    tcr_made_str(made, node, TCR_STR("match-type"), tcr_str(kind));

    if (m.header.data != NULL) {
        tcr_made_str(made, tcr_yaml_get(node, "header"), TCR_STR("target"),
                     m.header);
    }

    tcr_made_str(made, tcr_yaml_get(node, key), TCR_STR("regex"),
                 m.host.data != NULL ? m.host : m.path.data != NULL ? m.path
                 : m.pattern);
    tcr_made_close(made, '}');
}


static void
write_sets(tcr_own_make_t *make, const tcr_yaml_t *sets, const char *protocol)
{
    tcr_made_t        *made = &make->made;
    const tcr_yaml_t  *set, *node;

    for (set = sets->first; set != NULL; set = set->next) {

        if (!tcr_schema_is(set, TCR_YAML_SEQUENCE, "a list of patterns",
                           made->report))
        {
            continue;
        }

        tcr_made_open(made, set, tcr_str(NULL), '{');
        tcr_made_str(made, set, TCR_STR("protocol"), tcr_str(protocol));
        tcr_made_open(made, set, TCR_STR("matchlist"), '[');

        for (node = set->first; node != NULL; node = node->next) {

            if (tcr_schema_is(node, TCR_YAML_MAPPING, "a pattern",
                              made->report))
            {
                write_matcher(make, node);
            }
        }

        tcr_made_close(made, ']');
        tcr_made_close(made, '}');
    }
}


tcr_str_t
tcr_own_match(tcr_own_make_t *make, size_t place, const tcr_texts_t *hosts,
    const tcr_yaml_t *sets, const char *protocol)
{
    tcr_str_t          label = { NULL, 0 }, domain;
    tcr_made_t        *made = &make->made;
    const tcr_yaml_t  *service = make->services.items[place];
    const tcr_yaml_t  *at = tcr_yaml_get(service, "hosts");

    if (sets != NULL && at != NULL) {
        tcr_own_error(make, sets, "stands beside \"hosts\", expected one of "
                      "them");
    }

    tcr_made_open(made, sets != NULL ? sets : at != NULL ? at : service,
                  TCR_STR("matchsets"), '[');

    if (sets != NULL) {
        label = service->key->text;
        write_sets(make, sets, protocol);

    } else {
        write_hosts(make, place, hosts, protocol, &label);
    }

    tcr_made_close(made, ']');
    domain = tcr_own_name(make, tcr_str(NULL), label);
    tcr_made_open(made, at != NULL ? at : service, TCR_STR("domains"), '[');
    tcr_made_str(made, at != NULL ? at : service, tcr_str(NULL), domain);
    tcr_made_close(made, ']');
    return domain;
}
