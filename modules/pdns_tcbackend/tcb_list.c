/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A zone as a whole: its list, and its names in order.
 */

#include "tcb_core.h"

#include "tcr_image.h"

#include "tcb_caches.h"


/* One row of a static set; auth as RFC 4035, 2.2 has it at and below a cut. */
static tcr_dns_record_t
static_row(const tcr_image_t *img, const tcr_img_name_t *name,
    const tcr_img_rrset_t *set, uint32_t i)
{
    tcr_dns_record_t      row;
    const tcr_img_str_t  *data;

    data = tcr_image_vec(img, &set->data);

    row.type = (uint16_t) set->type;
    row.ttl = set->ttl;
    row.data = tcr_image_str(img, data[i]);
    row.scope = 0;
    row.auth = (name->flags & TCR_NAME_GLUE) == 0
               && ((name->flags & TCR_NAME_DELEGATION) == 0
                   || set->type == TCR_TYPE_DS);
    return row;
}


int
tcb_core_neighbours(tcb_core_t *core, const tcr_img_dns_zone_t *zone,
    tcr_str_t name, tcr_str_t *before, tcr_str_t *after)
{
    return tcb_cache_neighbours(tcb_core_seen(core), zone, name,
                                tcb_core_arena(core), before, after);
}


int
tcb_list_begin(tcb_core_t *core, tcr_str_t origin, uint32_t number,
    tcb_list_t *list)
{
    char                       buf[TCB_NAME_TEXT];
    tcr_str_t                  name;
    tcr_view_t                *view;
    const tcr_img_routing_t   *root;
    const tcr_img_dns_zone_t  *zone;

    memset(list, 0, sizeof(*list));
    view = tcb_core_view(core);
    list->img = tcr_view_image(view, TCR_SLOT_ROUTING);

    if (list->img == NULL) {
        return -1;
    }

    name = tcb_name(origin, buf);

    zone = origin.data == NULL ? tcb_zone_numbered(view, number)
           : name.data != NULL ? tcb_zone_exact(view, name) : NULL;

    if (zone == NULL) {
        return -1;
    }

    root = tcr_image_root(list->img);
    list->name = tcr_image_vec(list->img, &root->dns.names);
    list->name += zone->first_name;
    list->end = list->name + zone->n_names;
    list->core = core;
    list->zone = zone;
    list->number = tcb_zone_number(tcr_view_str(view, zone->origin));
    list->n_caches = tcb_cache_count(view, zone);
    list->set = tcr_view_pin(view);
    return 0;
}


/* Names of caches; a list that a publication overtook ends without them. */
static bool
next_of_caches(tcb_list_t *list, tcr_str_t *owner, tcr_dns_record_t *row)
{
    tcr_str_t         name;
    tcr_view_t       *view;
    tcr_arena_t      *arena;
    tcr_dns_answer_t  a;

    view = tcb_core_seen(list->core);

    while (list->row == list->n_rows) {

        if (list->cache == list->n_caches
            || tcr_view_image(view, TCR_SLOT_ROUTING) != list->img)
        {
            return false;
        }

        list->row = 0;
        list->n_rows = 0;
        arena = tcb_core_arena(list->core);
        name = tcb_cache_owner(view, list->zone, list->cache++,
                               list->owner);

        if (name.data == NULL) {
            continue;
        }

        if (tcb_cache_records(view, list->zone, name, arena, &a)
            != 0)
        {
            return false;
        }

        list->owner_len = name.len;
        list->rows = a.records;
        list->n_rows = a.n_records;
    }

    *owner = tcr_str_n(list->owner, list->owner_len);
    *row = list->rows[list->row++];
    return true;
}


bool
tcb_list_next(tcb_list_t *list, tcr_str_t *owner, tcr_dns_record_t *row)
{
    const tcr_img_name_t   *name;
    const tcr_img_rrset_t  *sets;

    for ( /* void */ ; list->name != list->end; list->name++) {
        name = list->name;
        sets = tcr_image_vec(list->img, &name->rrsets);

        for ( /* void */ ; list->rrset < name->rrsets.n; list->rrset++) {

            if (list->data < sets[list->rrset].data.n) {
                *owner = tcr_image_str(list->img, name->owner);
                *row = static_row(list->img, name, &sets[list->rrset],
                                  list->data++);
                return true;
            }

            list->data = 0;
        }

        list->rrset = 0;
    }

    return next_of_caches(list, owner, row);
}


void
tcb_list_end(tcb_list_t *list)
{
    if (list->set != NULL) {
        tcr_snapshot_unpin(list->set);
        list->set = NULL;
    }
}
