/* SPDX-License-Identifier: Apache-2.0 */

/*
 * pdns.conf: addresses, ports, connections and time-outs of dns.properties,
 * and the settings that the backend wants (docs/powerdns.md).
 */

#include "tcr_import.h"

#include <inttypes.h>

#include "tcr_addr.h"

#define PORT_MAX     65535
#define THREADS_MAX  1000000
#define MS_MAX       (INT64_C(24) * 3600 * 1000)


/* What one transport listens on. */
typedef struct {
    tcr_import_value_t  host;
    int64_t             port;
} listener_t;


static bool
is_name(tcr_str_t host)
{
    size_t  i;

    for (i = 0; i < host.len; i++) {

        if (!(host.data[i] >= '0' && host.data[i] <= '9')
            && !(tcr_lower(host.data[i]) >= 'a'
                 && tcr_lower(host.data[i]) <= 'z')
            && host.data[i] != '-' && host.data[i] != '.')
        {
            return false;
        }
    }

    return host.len != 0;
}


/* A literal, since PowerDNS looks up no names; "0.0.0.0" is both families. */
static void
add_host(tcr_import_t *im, tcr_buf_t *out, const listener_t *l,
    const char *name)
{
    char        text[TCR_ADDR_TEXT];
    tcr_str_t   host = tcr_str_trim(l->host.value);
    tcr_addr_t  addr;

    if (host.len > 2 && host.data[0] == '[') {
        host = tcr_str_n(host.data + 1, host.len - 2);
    }

    if (tcr_str_eq(host, TCR_STR("localhost"))) {
        tcr_buf_printf(out, "127.0.0.1");

    } else if (tcr_addr_parse(host, &addr) != 0) {
        tcr_import_say(im, TCR_REPORT_ERROR,
                       l->host.file != NULL ? l->host.file : im->conf,
                       l->host.line, name, "is \"%.*s\", expected an "
                       "address%s", TCR_STR_ARG(host), is_name(host)
                       ? ": PowerDNS looks up no names" : "");

    } else if (addr.family == 4 && addr.lo == 0) {
        tcr_buf_printf(out, "0.0.0.0, ::");

    } else {
        tcr_addr_format(&addr, text);
        tcr_buf_printf(out, "%s", text);
    }
}


static void
write_listeners(tcr_import_t *im, tcr_buf_t *out)
{
    listener_t  udp, tcp;

    udp.host = tcr_import_take(im, "dns.udp.host", "0.0.0.0");
    tcp.host = tcr_import_take(im, "dns.tcp.host", "0.0.0.0");
    udp.port = tcr_import_number(im, "dns.udp.port", 1, PORT_MAX, 53);
    tcp.port = tcr_import_number(im, "dns.tcp.port", 1, PORT_MAX, 53);

    tcr_import_origin(im, out, "", &udp.host, "dns.udp.host");
    tcr_buf_printf(out, "local-address=");
    add_host(im, out, &udp, "dns.udp.host");
    tcr_buf_printf(out, "\n# dns.udp.port\nlocal-port=%" PRId64 "\n",
                   udp.port);
    tcr_import_origin(im, out, "", &tcp.host, "dns.tcp.host");
    tcr_buf_printf(out, "# dns.tcp.port = %" PRId64 "\n"
                   "#   PowerDNS listens for TCP where it listens for UDP\n",
                   tcp.port);

    if (!tcr_str_eq(udp.host.value, tcp.host.value) || udp.port != tcp.port) {
        tcr_report_add(im->report, TCR_REPORT_WARNING, "dns.properties: TCP "
                       "and UDP are at different places, PowerDNS has one for "
                       "both: that of UDP was taken");
    }
}


static void
write_tcp(tcr_import_t *im, tcr_buf_t *out)
{
    int64_t             n;
    tcr_import_value_t  value;

    value = tcr_import_take(im, "dns.max-threads", "1000");
    n = tcr_import_number(im, "dns.max-threads", 1, THREADS_MAX, 1000);
    tcr_buf_char(out, '\n');
    tcr_import_origin(im, out, "", &value, "dns.max-threads");
    tcr_buf_printf(out, "#   one connection a thread; questions by UDP need "
                   "no threads beyond one a core\n"
                   "max-tcp-connections=%" PRId64 "\n", n);

    value = tcr_import_take(im, "dns.tcp.timeout.read", "3000");
    n = tcr_import_number(im, "dns.tcp.timeout.read", 1, MS_MAX, 3000);
    tcr_import_origin(im, out, "", &value, "dns.tcp.timeout.read");
    tcr_buf_printf(out, "tcp-idle-timeout=%" PRId64 "\n", (n + 999) / 1000);
}


void
tcr_import_pdns(tcr_import_t *im)
{
    tcr_buf_t  *out = &im->files[TCR_IMPORT_PDNS];

    tcr_buf_printf(out, "# Made by `tcrouter import-traffic-router` of %s.\n"
                   "# To be read by pdns.conf: include-dir, or copied into "
                   "it.\n\n", im->dir);
    write_listeners(im, out);
    write_tcp(im, out);
    tcr_buf_printf(out,
        "\n# the backend and what it wants, docs/powerdns.md; instead of the "
        "module:\n"
        "# launch=remote\n"
        "# remote-connection-string=unix:path=/run/tcrouter/pdns.sock\n"
        "# remote-dnssec=yes\n"
        "# query-cache-ttl=5\n"
        "# negquery-cache-ttl=5\n"
        "load-modules=libtcbackend.so\n"
        "launch=tc\n"
        "tc-access-log=%s/dns.log\n"
        "cache-ttl=0\n"
        "consistent-backends=no\n"
        "query-cache-ttl=0\n"
        "negquery-cache-ttl=0\n"
        "edns-subnet-processing=yes\n"
        "zone-cache-refresh-interval=1\n"
        "distributor-threads=1\n"
        "# as many as there are cores\n"
        "# receiver-threads=4\n", im->logs);
}
