/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a check looks at beside the inputs: files and groups that the settings
 * name, and whether somebody listens on the ports that the snapshot gives
 * this router.
 */

#include "tcf.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "tcf_credentials.h"

#define LINE_SIZE  512
#define LISTENING  0x0a           /* state of proc(5)'s net/tcp              */


/* --- settings --- */

static void
check_group(const char *setting, const char *name)
{
    if (!tcf_group_is_ours(name)) {
        fprintf(stderr, "groups.%s: there is no group \"%s\", or this user is "
                "no member of it: only this user will be able to read the "
                "image\n", setting, name);
    }
}


int
tcf_check_settings(const tcr_settings_t *s)
{
    int        rc = 0;
    tcr_err_t  err;

    if (s->ops.credentials.data != NULL
        && tcf_credentials_check(s->ops.credentials.data, &err) != 0)
    {
        fprintf(stderr, "traffic_ops.credentials: %s\n", err.text);
        rc = -1;
    }

    if (s->ops.ca_file.data != NULL
        && access(s->ops.ca_file.data, R_OK) != 0)
    {
        fprintf(stderr, "traffic_ops.ca_file: cannot read \"%s\": %s\n",
                s->ops.ca_file.data, strerror(errno));
        rc = -1;
    }

    check_group("tls", s->groups.tls.data);
    check_group("dns", s->groups.dns.data);
    return rc;
}


/* --- ports --- */

/* -1: it cannot be said. */
static int
is_listening(const char *file, unsigned port)
{
    char       line[LINE_SIZE];
    int        found = 0;
    FILE      *f = fopen(file, "re");
    unsigned   local, state;

    if (f == NULL) {
        return -1;
    }

    while (!found && fgets(line, sizeof(line), f) != NULL) {

        if (sscanf(line, " %*d: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x",
                   &local, &state) == 2)
        {
            found = local == port && state == LISTENING;
        }
    }

    fclose(f);
    return found;
}


static void
check_port(const char *what, unsigned port)
{
    if (port == 0 || is_listening("/proc/net/tcp", port) != 0
        || is_listening("/proc/net/tcp6", port) > 0)
    {
        return;
    }

    fprintf(stderr, "the snapshot says that this router has %s %u, but nobody "
            "listens there\n", what, port);
}


void
tcf_check_ports(const tcr_image_t *routing)
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

        check_port("port", routers[i].port);
        check_port("httpsPort", routers[i].https_port);
        check_port("api.port", routers[i].api_port);
        check_port("secure.api.port", routers[i].secure_api_port);
        return;
    }

    fprintf(stderr, "the snapshot has no router \"%.*s\": name this one with "
            "\"router\"\n", TCR_STR_ARG(own));
}
