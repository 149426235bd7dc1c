/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Joining an overlay to a routing image: its names become indices, once for
 * each pair of images.
 */

#include <stdlib.h>

#include "tcr_cdn.h"


uint32_t
tcr_cdn_service_index(const tcr_cdn_t *cdn, tcr_str_t id)
{
    uint32_t        v;
    tcr_map_iter_t  it;

    for (v = tcr_map_first(cdn->img, &cdn->rt->service_map, id, &it);
         v != TCR_NONE;
         v = tcr_map_next(&it))
    {
        if (tcr_str_eq(tcr_cdn_str(cdn, cdn->services[v].id), id)) {
            return v;
        }
    }

    return TCR_NONE;
}


static uint32_t
index_of(const tcr_cdn_t *cdn, tcr_img_str_t ref)
{
    return tcr_cdn_service_index(cdn, tcr_image_str(cdn->overlay, ref));
}


/* Fills one steering service; takes its indices from *room. */
static void
resolve(const tcr_cdn_t *cdn, const tcr_img_steering_t *entry,
    tcr_steering_t *st, uint32_t **room)
{
    uint32_t  i;

    st->entry = entry;
    st->service = index_of(cdn, entry->service);
    st->targets = tcr_image_vec(cdn->overlay, &entry->targets);
    st->n_targets = entry->targets.n;
    st->filters = tcr_image_vec(cdn->overlay, &entry->filters);
    st->n_filters = entry->filters.n;
    st->target_services = *room;
    st->filter_services = *room + st->n_targets;
    *room += st->n_targets + st->n_filters;

    for (i = 0; i < st->n_targets; i++) {
        st->target_services[i] = index_of(cdn, st->targets[i].service);
    }

    for (i = 0; i < st->n_filters; i++) {
        st->filter_services[i] = index_of(cdn, st->filters[i].service);
    }
}


int
tcr_cdn_resolve_overlay(tcr_cdn_t *cdn)
{
    size_t                     i, n, total;
    uint32_t                  *room;
    const tcr_img_overlay_t   *root = tcr_image_root(cdn->overlay);
    const tcr_img_steering_t  *all = tcr_image_vec(cdn->overlay,
                                                   &root->steering);

    n = root->steering.n;

    for (i = 0, total = 1; i < n; i++) {
        total += (size_t) all[i].targets.n + all[i].filters.n;
    }

    /* one more than needed: calloc(0) may give NULL */
    cdn->steering = calloc(n + 1, sizeof(*cdn->steering));
    cdn->resolved = calloc(total, sizeof(*cdn->resolved));
    cdn->steering_of = malloc(((size_t) cdn->rt->services.n + 1)
                              * sizeof(*cdn->steering_of));

    if (cdn->steering == NULL || cdn->resolved == NULL
        || cdn->steering_of == NULL)
    {
        return -1;
    }

    memset(cdn->steering_of, 0xff,
           ((size_t) cdn->rt->services.n + 1) * sizeof(*cdn->steering_of));
    cdn->n_steering = (uint32_t) n;
    room = cdn->resolved;

    for (i = 0; i < n; i++) {
        resolve(cdn, &all[i], &cdn->steering[i], &room);

        if (cdn->steering[i].service != TCR_NONE) {
            cdn->steering_of[cdn->steering[i].service] = (uint32_t) i;
        }
    }

    return 0;
}


void
tcr_cdn_free_overlay(tcr_cdn_t *cdn)
{
    free(cdn->steering);
    free(cdn->resolved);
    free(cdn->steering_of);
}
