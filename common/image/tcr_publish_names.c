/* SPDX-License-Identifier: Apache-2.0 */

/* Names of services for the counters. */

#include <stdlib.h>

#include "tcr_publish_names.h"
#include "tcr_stats.h"


void
tcr_publish_names(int dirfd, const tcr_image_t *routing)
{
    size_t                    n;
    uint32_t                  i;
    tcr_str_t                *names;
    const tcr_img_routing_t  *rt = tcr_image_root(routing);
    const tcr_img_service_t  *services = tcr_image_vec(routing, &rt->services);

    names = calloc((size_t) rt->services.n + 1, sizeof(*names));

    if (names == NULL) {
        return;
    }

    for (i = 0, n = 0; i < rt->services.n; i++) {
        if (services[i].fqdn != 0) {
            names[n++] = tcr_image_str(routing, services[i].fqdn);
        }
    }

    tcr_stats_register(dirfd, names, n, NULL);
    free(names);
}
