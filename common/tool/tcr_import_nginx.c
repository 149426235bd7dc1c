/* SPDX-License-Identifier: Apache-2.0 */

/*
 * nginx.conf: one server for each connector of server.xml, with its address,
 * port, time-outs and limits.
 */

#include "tcr_import.h"

#include <inttypes.h>
#include <stdio.h>

#include "tcr_addr.h"

#define PORT_MAX     65535
#define MS_MAX       (INT64_C(365) * 24 * 3600 * 1000)
#define COUNT_MAX    INT32_MAX
#define DAY          INT64_C(86400000)
#define MOST         8192         /* the container's maxConnections          */


/* The listeners of spec/inputs.md §3, for a directory without server.xml. */
static const char  usual[] =
    "<Server><Service name='core'>"
    "<Connector port='80' portAttribute='Port' connectionTimeout='10000'/>"
    "<Connector port='443' portAttribute='SecurePort' SSLEnabled='true'"
    " connectionTimeout='10000' maxConnections='4000'/>"
    "</Service><Service name='api'>"
    "<Connector port='3333' portAttribute='ApiPort'"
    " connectionTimeout='10000'/>"
    "<Connector port='3443' portAttribute='SecureApiPort' SSLEnabled='true'"
    " connectionTimeout='10000'/>"
    "</Service></Server>";


typedef struct {
    tcr_xml_t  *connector;
    int64_t     written;          /* port of server.xml                      */
    int64_t     port;             /* that it listens on                      */
    bool        api;
    bool        tls;
} listener_t;


/* --- which connectors there are --- */

static bool
is_true(tcr_import_t *im, tcr_xml_t *element, const char *name)
{
    tcr_import_value_t  v = tcr_import_take_attr(im, element, name, "false");

    return tcr_str_ieq(tcr_str_trim(v.value), TCR_STR("true"));
}


static bool
has(tcr_str_t text, tcr_str_t part)
{
    size_t  i;

    for (i = 0; i + part.len <= text.len; i++) {

        if (tcr_str_ieq(tcr_str_n(text.data + i, part.len), part)) {
            return true;
        }
    }

    return false;
}


/* The reference's own attribute says it; others are told by their service. */
static bool
is_api(tcr_import_t *im, tcr_xml_t *connector, int64_t port)
{
    tcr_xml_attr_t      *service;
    tcr_import_value_t   v = tcr_import_take_attr(im, connector,
                                                  "portAttribute", NULL);

    if (v.file != NULL) {
        return has(v.value, TCR_STR("api"));
    }

    service = connector->parent != NULL
              ? tcr_xml_attr(connector->parent, "name") : NULL;

    return (service != NULL && has(service->value, TCR_STR("api")))
           || port == 3333 || port == 3443;
}


/* False: it answers no HTTP. */
static bool
read_connector(tcr_import_t *im, tcr_xml_t *connector, listener_t *l)
{
    tcr_import_value_t  protocol;

    protocol = tcr_import_take_attr(im, connector, "protocol", "HTTP/1.1");

    if (has(protocol.value, TCR_STR("ajp"))) {
        tcr_import_say(im, TCR_REPORT_WARNING, im->server_file,
                       connector->line, "Connector", "speaks AJP, which has "
                       "no counterpart");
        return false;
    }

    l->connector = connector;
    l->written = tcr_import_attr_number(im, connector, "port", 1, PORT_MAX,
                                        80);
    l->api = is_api(im, connector, l->written);
    l->tls = is_true(im, connector, "SSLEnabled");
    l->port = im->ports[l->api][l->tls];

    if (l->port == 0) {
        l->port = l->written;
    }

    return true;
}


/* --- one server --- */

static void
write_listen(tcr_import_t *im, tcr_buf_t *out, const listener_t *l)
{
    int64_t             backlog;
    char                text[TCR_ADDR_TEXT], more[64];
    tcr_str_t           host;
    tcr_addr_t          addr;
    tcr_import_value_t  address;

    address = tcr_import_take_attr(im, l->connector, "address", "0.0.0.0");
    host = tcr_str_trim(address.value);
    backlog = tcr_import_attr_number(im, l->connector, "acceptCount", 1,
                                     PORT_MAX, 0);
    snprintf(more, sizeof(more), "%s", l->tls ? " ssl http2" : "");

    if (backlog != 0) {
        snprintf(more + strlen(more), sizeof(more) - strlen(more),
                 " backlog=%" PRId64, backlog);
    }

    if (tcr_str_eq(host, TCR_STR("localhost"))) {
        host = TCR_STR("127.0.0.1");
    }

    if (tcr_addr_parse(host, &addr) != 0) {
        tcr_import_say(im, TCR_REPORT_ERROR, im->server_file, address.line,
                       "address", "is \"%.*s\", expected an address",
                       TCR_STR_ARG(host));

    } else if ((addr.hi | addr.lo) == 0) {
        tcr_buf_printf(out, "    listen %" PRId64 "%s;\n    listen [::]:%"
                       PRId64 "%s;\n", l->port, more, l->port, more);

    } else {
        tcr_addr_format(&addr, text);
        tcr_buf_printf(out, addr.family == 6 ? "    listen [%s]:%" PRId64
                       "%s;\n" : "    listen %s:%" PRId64 "%s;\n", text,
                       l->port, more);
    }
}


static void
write_time(tcr_buf_t *out, const char *directive, int64_t ms)
{
    tcr_buf_printf(out, "    %s ", directive);
    tcr_import_time(out, ms == -1 ? DAY : ms, false);
    tcr_buf_printf(out, ";%s\n", ms == -1 ? "      # it was without limit"
                   : "");
}


static void
write_limits(tcr_import_t *im, tcr_buf_t *out, tcr_xml_t *connector)
{
    int64_t  header, keep, n;

    header = tcr_import_attr_number(im, connector, "connectionTimeout", -1,
                                    MS_MAX, 60000);
    keep = tcr_import_attr_number(im, connector, "keepAliveTimeout", -1,
                                  MS_MAX, header);
    write_time(out, "client_header_timeout", header);
    write_time(out, "keepalive_timeout", keep);

    n = tcr_import_attr_number(im, connector, "maxKeepAliveRequests", -1,
                               COUNT_MAX, 100);
    tcr_buf_printf(out, "    keepalive_requests %" PRId64 ";\n",
                   n == -1 ? COUNT_MAX : n != 0 ? n : 1);

    n = tcr_import_attr_number(im, connector, "maxHttpHeaderSize", 512,
                               16 << 20, 8192);
    tcr_buf_printf(out, "    large_client_header_buffers 4 %" PRId64 ";\n", n);
}


static void
write_client(tcr_import_t *im, tcr_buf_t *out, const listener_t *l)
{
    tcr_import_value_t  silent;

    silent = tcr_import_take(im, "http.access.static.content.donotlog",
                             "false");

    tcr_buf_printf(out, "%s    access_log %s/access.log traffic_router\n"
                   "               buffer=64k flush=1s "
                   "if=$tcrouter_access_log;\n"
                   "    # The reference lets any client pass for another one "
                   "(X-MM-Client-IP); here\n"
                   "    # only this host may, as before would be:\n"
                   "    # tcrouter_client_override all;\n"
                   "    location / { tcrouter on; }\n",
                   l->tls ? "    tcrouter_certificates on;\n" : "", im->logs);

    if (tcr_str_ieq(tcr_str_trim(silent.value), TCR_STR("true"))) {
        tcr_import_origin(im, out, "    ", &silent,
                          "http.access.static.content.donotlog");
        tcr_buf_printf(out,
            "    location = /crossdomain.xml { tcrouter on; "
            "access_log off; }\n"
            "    location = /clientaccesspolicy.xml { tcrouter on; "
            "access_log off; }\n");
    }
}


/* The filter of addresses in the connector's service; NULL: there is none. */
static const tcr_xml_t *
find_filter(const tcr_xml_t *connector)
{
    const tcr_xml_t       *service = connector->parent, *e;
    const tcr_xml_attr_t  *name;

    for (e = service; e != NULL; e = tcr_xml_next(e, service)) {
        name = tcr_xml_attr(e, "className");

        if (name != NULL && tcr_str_eq(e->name, TCR_STR("Valve"))
            && has(name->value, TCR_STR(".Remote"))
            && (has(name->value, TCR_STR("AddrValve"))
                || has(name->value, TCR_STR("CIDRValve"))
                || has(name->value, TCR_STR("HostValve"))))
        {
            return e;
        }
    }

    return NULL;
}


/* What was closed to some must not be open to all from now on. */
static void
write_api(tcr_buf_t *out, bool filtered)
{
    static const char  near[] = "allow 127.0.0.0/8; allow ::1; deny all; ";
    static const char  closed[] =
        "    # A filter of addresses was here, see below: closed until you\n";
    static const char  opened[] =
        "    # Open to everybody, as before: Traffic Ops asks here for "
        "/crs/stats. Better\n";

    tcr_buf_printf(out, "    access_log off;\n%s"
                   "    # name who asks: allow 192.0.2.0/24; deny all;\n"
                   "    location /crs/ { %stcrouter_api; }\n"
                   "    location /metrics { %stcrouter_metrics; }\n"
                   "    location / { %stcrouter_status; }\n",
                   filtered ? closed : opened, filtered ? near : "", near,
                   near);
}


static void
write_server(tcr_import_t *im, tcr_buf_t *out, const listener_t *l)
{
    const tcr_xml_t  *filter;

    tcr_buf_printf(out, "\nserver {\n    # %s:%zu: Connector, %s%s\n",
                   tcr_import_shown(im, im->server_file), l->connector->line,
                   l->api ? "API" : "clients", l->tls ? ", TLS" : "");

    if (l->written != l->port) {
        tcr_buf_printf(out, "    # port %" PRId64 " there, %" PRId64 " in the "
                       "last snapshot, which wins\n", l->written, l->port);
    }

    write_listen(im, out, l);
    write_limits(im, out, l->connector);

    if (l->tls) {
        tcr_import_tls(im, l->connector);
    }

    filter = find_filter(l->connector);

    if (filter != NULL) {
        tcr_import_say(im, TCR_REPORT_WARNING, im->server_file, filter->line,
                       "Valve", "decided who may ask on port %" PRId64
                       ": name them in nginx.conf with allow and deny",
                       l->port);
    }

    if (l->api) {
        write_api(out, filter != NULL);

    } else {
        write_client(im, out, l);
    }

    tcr_import_notes_xml(im, l->connector, "    ");
    tcr_buf_printf(out, "}\n");
}


/* --- all of them --- */

static size_t
list_connectors(tcr_import_t *im, listener_t **out)
{
    size_t       i, n = 0, room = 0;
    tcr_xml_t   *e;
    listener_t  *list;

    for (e = im->server; e != NULL; e = tcr_xml_next(e, im->server)) {
        room += tcr_str_eq(e->name, TCR_STR("Connector"));
    }

    *out = list = tcr_arena_calloc(im->arena, room, sizeof(*list));

    for (e = im->server; e != NULL && list != NULL;
         e = tcr_xml_next(e, im->server))
    {
        if (!tcr_str_eq(e->name, TCR_STR("Connector"))
            || !read_connector(im, e, &list[n]))
        {
            continue;
        }

        for (i = 0; i < n; i++) {

            if (list[i].port == list[n].port) {
                tcr_import_say(im, TCR_REPORT_WARNING, im->server_file,
                               e->line, "port", "line %zu has the same one: "
                               "this is right for different addresses only",
                               list[i].connector->line);
            }
        }

        n++;
    }

    return n;
}


/* What stands outside of http { } and can only be told. */
static void
write_head(tcr_import_t *im, tcr_buf_t *out, const listener_t *list, size_t n)
{
    size_t   i;
    int64_t  most, sum = 0;

    for (i = 0; i < n; i++) {
        most = tcr_import_attr_number(im, list[i].connector, "maxConnections",
                                      -1, COUNT_MAX, MOST);
        sum += most > 0 ? most : MOST;
    }

    tcr_buf_printf(out,
        "# Made by `tcrouter import-traffic-router` of %s.\n"
        "# To be read inside of http { }: include it, or put it into "
        "conf.d.\n"
        "#\n"
        "# Outside of http { } belong\n"
        "#     load_module modules/ngx_http_tcrouter_module.so;\n"
        "#     worker_processes auto;          threads: nginx has a worker a "
        "core instead\n"
        "#     worker_rlimit_nofile 500000;    as the reference's service\n"
        "#     events { worker_connections %" PRId64 "; }\n"
        "#         for all workers it was maxConnections, together %" PRId64
        "; a redirect\n"
        "#         takes one\n\n"
        "tcrouter_snapshot /run/tcrouter/images;\n"
        "log_format traffic_router escape=none '$tcrouter_access_log';\n",
        im->dir, sum > 1024 ? sum : 1024, sum);
}


void
tcr_import_nginx(tcr_import_t *im)
{
    size_t       i, n;
    tcr_buf_t   *out = &im->files[TCR_IMPORT_NGINX];
    listener_t  *list;

    if (im->server == NULL) {
        im->server_file = "the reference's defaults";

        if (tcr_xml_parse(&im->server, im->arena, im->server_file,
                          TCR_STR(usual), im->report) != 0)
        {
            return;
        }
    }

    n = list_connectors(im, &list);

    if (n == 0) {
        tcr_report_add(im->report, TCR_REPORT_ERROR, "%s: has no Connector",
                       im->server_file);
        return;
    }

    write_head(im, out, list, n);

    for (i = 0; i < n; i++) {
        write_server(im, out, &list[i]);
    }
}
