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


static void
resolve_steering(tcr_cdn_t *cdn, const tcr_img_overlay_t *root,
    uint32_t *room)
{
    uint32_t                   i;
    const tcr_img_steering_t  *all = tcr_image_vec(cdn->overlay,
                                                   &root->steering);

    for (i = 0; i < root->steering.n; i++) {
        resolve(cdn, &all[i], &cdn->steering[i], &room);

        if (cdn->steering[i].service != TCR_NONE) {
            cdn->steering_of[cdn->steering[i].service] = i;
        }
    }
}


static void
resolve_federations(tcr_cdn_t *cdn, const tcr_img_overlay_t *root)
{
    uint32_t                     i, service;
    const tcr_img_federation_t  *all = tcr_image_vec(cdn->overlay,
                                                     &root->federations);

    for (i = 0; i < root->federations.n; i++) {
        service = index_of(cdn, all[i].service);

        if (service != TCR_NONE && cdn->federation_of[service] == TCR_NONE) {
            cdn->federation_of[service] = i;
        }
    }
}


/* Indices that the steering services' targets and filters need. */
static size_t
count_indices(const tcr_cdn_t *cdn, const tcr_img_overlay_t *root)
{
    size_t                     n;
    uint32_t                   i;
    const tcr_img_steering_t  *all = tcr_image_vec(cdn->overlay,
                                                   &root->steering);

    for (i = 0, n = 0; i < root->steering.n; i++) {
        n += (size_t) all[i].targets.n + all[i].filters.n;
    }

    return n;
}


int
tcr_cdn_resolve_overlay(tcr_cdn_t *cdn)
{
    size_t                     services = cdn->rt->services.n;
    const tcr_img_overlay_t   *root = tcr_image_root(cdn->overlay);

    /* one more than needed: calloc(0) may give NULL */
    cdn->steering = calloc((size_t) root->steering.n + 1,
                           sizeof(*cdn->steering));
    cdn->resolved = calloc(2 * services + count_indices(cdn, root) + 1,
                           sizeof(*cdn->resolved));

    if (cdn->steering == NULL || cdn->resolved == NULL) {
        return -1;
    }

    cdn->steering_of = cdn->resolved;
    cdn->federation_of = cdn->resolved + services;
    memset(cdn->resolved, 0xff, 2 * services * sizeof(*cdn->resolved));

    resolve_steering(cdn, root, cdn->resolved + 2 * services);
    resolve_federations(cdn, root);

    return 0;
}


void
tcr_cdn_free_overlay(tcr_cdn_t *cdn)
{
    free(cdn->steering);
    free(cdn->resolved);
}
