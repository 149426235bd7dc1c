/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The engine knows whether a name is a cache's; here are the names to ask for.
 */

#include "tcb_caches.h"

#include "tcr_image.h"


uint32_t
tcb_cache_count(tcr_view_t *view, const tcr_img_dns_zone_t *zone)
{
    uint32_t                  i;
    const uint32_t           *ids;
    const tcr_image_t        *img;
    const tcr_img_service_t  *services;
    const tcr_img_routing_t  *root;

    img = tcr_view_image(view, TCR_SLOT_ROUTING);

    if (img == NULL) {
        return 0;
    }

    root = tcr_image_root(img);
    ids = tcr_image_vec(img, &zone->services);
    services = tcr_image_vec(img, &root->services);

    for (i = 0; i < zone->services.n; i++) {

        if ((services[ids[i]].flags & TCR_SERVICE_CACHE_NAMES) != 0) {
            return root->caches.n;
        }
    }

    return 0;
}


tcr_str_t
tcb_cache_owner(tcr_view_t *view, const tcr_img_dns_zone_t *zone, uint32_t i,
    char buf[TCB_NAME_TEXT])
{
    tcr_out_t                 out;
    const tcr_image_t        *img;
    const tcr_img_cache_t    *caches;
    const tcr_img_routing_t  *root;

    img = tcr_view_image(view, TCR_SLOT_ROUTING);
    root = tcr_image_root(img);
    caches = tcr_image_vec(img, &root->caches);

    out = (tcr_out_t) { buf, buf + TCB_NAME_TEXT, false };
    tcr_out_str(&out, tcr_image_str(img, caches[i].id));
    tcr_out_char(&out, '.');
    tcr_out_str(&out, tcr_image_str(img, zone->origin));

    return out.cut ? tcr_str_n(NULL, 0)
                   : tcr_str_n(buf, (size_t) (out.pos - buf));
}


int
tcb_cache_records(tcr_view_t *view, const tcr_img_dns_zone_t *zone,
    tcr_str_t owner, tcr_arena_t *arena, tcr_dns_answer_t *a)
{
    tcr_dns_question_t  q;

    memset(&q, 0, sizeof(q));
    q.name = owner;
    q.type = TCR_TYPE_ANY;
    q.zone = zone;
    q.mem = tcr_arena_mem(arena);

    if (tcr_route_dns(view, &q, a) != 0) {
        return -1;
    }

    if (a->name != NULL || a->status != TCR_DNS_NAME) {
        a->n_records = 0;
    }

    return 0;
}


/* Keeps a cache's name that is nearer than the neighbour found so far. */
static int
keep(tcr_view_t *view, const tcr_img_dns_zone_t *zone, tcr_str_t owner,
    tcr_arena_t *arena, tcr_str_t *neighbour)
{
    tcr_dns_answer_t  a;

    if (tcb_cache_records(view, zone, owner, arena, &a) != 0) {
        return -1;
    }

    if (a.n_records != 0) {
        *neighbour = tcr_arena_strdup(arena, owner);
    }

    return neighbour->data != NULL ? 0 : -1;
}


int
tcb_cache_neighbours(tcr_view_t *view, const tcr_img_dns_zone_t *zone,
    tcr_str_t name, tcr_arena_t *arena, tcr_str_t *before, tcr_str_t *after)
{
    int        rc;
    char       buf[TCB_NAME_TEXT];
    uint32_t   i, n;
    tcr_str_t  owner, apex;

    if (tcb_zone_neighbours(view, zone, name, before, after) != 0) {
        return -1;
    }

    apex = tcr_view_str(view, zone->origin);
    n = tcb_cache_count(view, zone);
    rc = 0;

    for (i = 0; i < n && rc == 0; i++) {
        owner = tcb_cache_owner(view, zone, i, buf);

        if (owner.data == NULL) {
            continue;
        }

        if (tcb_name_cmp(owner, name) <= 0) {

            if (tcb_name_cmp(owner, *before) > 0) {
                rc = keep(view, zone, owner, arena, before);
            }

        } else if (tcr_str_eq(*after, apex)
                   || tcb_name_cmp(owner, *after) < 0)
        {
            rc = keep(view, zone, owner, arena, after);
        }
    }

    return rc;
}
