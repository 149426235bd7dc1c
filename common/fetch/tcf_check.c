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
#include "tcr_ports.h"


static void
check_group(const char *setting, const char *name)
{
    if (!tcf_group_is_ours(name)) {
        fprintf(stderr, "groups.%s: there is no group \"%s\", or this user is "
                "no member of it: only this user will be able to read the "
                "image\n", setting, name);
    }
}


static int
check_ca_file(const char *key, tcr_str_t path)
{
    if (path.data == NULL || access(path.data, R_OK) == 0) {
        return 0;
    }

    fprintf(stderr, "%s: cannot read \"%s\": %s\n", key, path.data,
            strerror(errno));
    return -1;
}


static bool
is_plain(const tcr_settings_t *s)
{
    size_t  i;

    for (i = 0; i < s->monitors.n; i++) {

        if (!tcr_str_starts(s->monitors.items[i], TCR_STR("https:"))) {
            return true;
        }
    }

    return tcr_str_starts(s->snapshot, TCR_STR("http:"));
}


/* docs/threat-model.md: somebody on the way to a monitor */
static void
check_place(const tcr_settings_t *s)
{
    if (s->ops.credentials.data != NULL && s->ops.url.data == NULL
        && is_plain(s))
    {
        fprintf(stderr, "traffic_ops.url: is not set, and snapshots come by "
                "http: whoever can change one on its way names the host that "
                "gets the password\n");
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

    if (check_ca_file("traffic_monitor.ca_file", s->monitor_ca) != 0) {
        rc = -1;
    }

    if (check_ca_file("traffic_ops.ca_file", s->ops.ca_file) != 0) {
        rc = -1;
    }

    check_place(s);
    check_group("tls", s->groups.tls.data);
    check_group("dns", s->groups.dns.data);
    return rc;
}



void
tcf_check_ports(const tcr_image_t *routing)
{
    tcr_arena_t          *arena = tcr_arena_create(0);
    tcr_report_t          report;
    const tcr_problem_t  *p;

    if (arena == NULL) {
        return;
    }

    tcr_report_init(&report, arena, 0);
    tcr_ports_check(routing, &report);

    for (p = report.first; p != NULL; p = p->next) {
        fprintf(stderr, "%s\n", p->text);
    }

    tcr_arena_destroy(arena);
}
