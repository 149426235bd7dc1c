/* SPDX-License-Identifier: Apache-2.0 */

/* Ports that somebody should listen on, and proc(5)'s word whether. */

#include "tcr_ports.h"

#include <stdio.h>

#define LINE_SIZE  512
#define DNS_PORT   53             /* resolvers know no other                 */


/* states of net/tcp and net/udp: listening, and bound without a peer */
typedef struct {
    const char  *name;
    const char  *files[2];        /* the second one may be missing           */
    unsigned     state;
} transport_t;

static const transport_t  tcp = {
    "TCP", { "/proc/net/tcp", "/proc/net/tcp6" }, 0x0a
};

static const transport_t  udp = {
    "UDP", { "/proc/net/udp", "/proc/net/udp6" }, 0x07
};


/* -1: it cannot be said. */
static int
look(const char *file, unsigned port, unsigned state)
{
    char       line[LINE_SIZE];
    int        found = 0;
    FILE      *f = fopen(file, "re");
    unsigned   local, is;

    if (f == NULL) {
        return -1;
    }

    while (!found && fgets(line, sizeof(line), f) != NULL) {

        if (sscanf(line, " %*d: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x",
                   &local, &is) == 2)
        {
            found = local == port && is == state;
        }
    }

    fclose(f);
    return found;
}


static bool
is_deaf(const transport_t *t, unsigned port)
{
    return port != 0 && look(t->files[0], port, t->state) == 0
           && look(t->files[1], port, t->state) <= 0;
}


static void
check(tcr_report_t *report, const char *what, unsigned port)
{
    if (is_deaf(&tcp, port)) {
        tcr_report_add(report, TCR_REPORT_WARNING, "the snapshot says that "
                       "this router has %s %u, but nobody listens there",
                       what, port);
    }
}


static void
check_dns(tcr_report_t *report, const transport_t *t)
{
    if (is_deaf(t, DNS_PORT)) {
        tcr_report_add(report, TCR_REPORT_WARNING, "resolvers ask this router "
                       "on port %u, but nobody listens there for %s",
                       DNS_PORT, t->name);
    }
}


void
tcr_ports_check(const tcr_image_t *routing, tcr_report_t *report)
{
    uint32_t                  i;
    tcr_str_t                 own;
    const tcr_img_router_t   *routers;
    const tcr_img_routing_t  *root = tcr_image_root(routing);

    own = tcr_image_str(routing, root->router);
    routers = tcr_image_vec(routing, &root->routers);

    for (i = 0; i < root->routers.n; i++) {

        if (!tcr_str_ieq(tcr_image_str(routing, routers[i].id), own)) {
            continue;
        }

        check(report, "port", routers[i].port);
        check(report, "httpsPort", routers[i].https_port);
        check(report, "api.port", routers[i].api_port);
        check(report, "secure.api.port", routers[i].secure_api_port);
        check_dns(report, &udp);
        check_dns(report, &tcp);
        return;
    }

    tcr_report_add(report, TCR_REPORT_WARNING, "the snapshot has no router "
                   "\"%.*s\": name this one with \"router\"",
                   TCR_STR_ARG(own));
}
