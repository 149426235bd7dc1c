/* SPDX-License-Identifier: Apache-2.0 */

/* Groups that read restricted images (decisions E26). */

#include "tcf.h"

#include <grp.h>
#include <stdlib.h>
#include <unistd.h>


static bool
is_member(gid_t gid)
{
    int     n = getgroups(0, NULL);
    bool    found = gid == getegid();
    gid_t  *groups;

    groups = n > 0 ? calloc((size_t) n, sizeof(*groups)) : NULL;

    if (groups != NULL) {
        n = getgroups(n, groups);
    }

    while (groups != NULL && n-- > 0 && !found) {
        found = groups[n] == gid;
    }

    free(groups);
    return found;
}


bool
tcf_group_is_ours(const char *name)
{
    const struct group  *group = getgrnam(name);

    return group != NULL && (geteuid() == 0 || is_member(group->gr_gid));
}
