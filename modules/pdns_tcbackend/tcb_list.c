/* SPDX-License-Identifier: Apache-2.0 */

/* A zone as a whole: its list. */

#include "tcb_core.h"

#include "tcr_image.h"

#include "tcb_others.h"


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
    list->n_others = tcb_others_count(view, zone);
    list->set = tcr_view_pin(view);
    return 0;
}


/* A list that a publication overtook ends without what is not in tables. */
static bool
is_overtaken(const tcb_list_t *list)
{
    return tcr_view_image(tcb_core_seen(list->core), TCR_SLOT_ROUTING)
           != list->img;
}


static bool
next_of_rows(tcb_list_t *list, tcr_str_t *owner, tcr_dns_record_t *row)
{
    if (list->row == list->n_rows) {
        return false;
    }

    *owner = tcr_str_n(list->owner, list->owner_len);
    *row = list->rows[list->row++];
    return true;
}


static void
take_rows(tcb_list_t *list, const tcr_dns_answer_t *a)
{
    list->rows = a->records;
    list->n_rows = a->n_records;
    list->row = 0;
}


/*
 * What the overlay adds to a name of the table; a set of both has one TTL, the
 * lowest (RFC 2181 5.2).
 */
static void
begin_name(tcb_list_t *list)
{
    size_t              i;
    tcr_str_t           name = tcr_image_str(list->img, list->name->owner);
    tcr_dns_answer_t    a;
    tcr_dns_question_t  q;

    list->begun = true;
    list->text_ttl = UINT32_MAX;

    if (is_overtaken(list) || name.len > sizeof(list->owner)) {
        return;
    }

    memset(&q, 0, sizeof(q));
    q.name = name;
    q.type = TCR_TYPE_ANY;
    q.zone = list->zone;
    q.mem = tcr_arena_mem(tcb_core_arena(list->core));

    if (tcr_dns_overlay(tcb_core_seen(list->core), &q, &a) != 0) {
        return;
    }

    memcpy(list->owner, name.data, name.len);
    list->owner_len = name.len;
    take_rows(list, &a);

    for (i = 0; i < a.n_records; i++) {

        if (a.records[i].type == TCR_TYPE_TXT
            && a.records[i].ttl < list->text_ttl)
        {
            list->text_ttl = a.records[i].ttl;
        }
    }
}


/* Lowers the overlay's TTL to that of the table's set, where there is one. */
static void
note_texts(tcb_list_t *list, const tcr_img_rrset_t *sets, uint32_t n)
{
    uint32_t  i;

    for (i = 0; i < n; i++) {

        if (sets[i].type == TCR_TYPE_TXT && sets[i].ttl < list->text_ttl) {
            list->text_ttl = sets[i].ttl;
        }
    }
}


static bool
next_of_others(tcb_list_t *list, tcr_str_t *owner, tcr_dns_record_t *row)
{
    tcr_str_t         name;
    tcr_view_t       *view = tcb_core_seen(list->core);
    tcr_dns_answer_t  a;

    while (!next_of_rows(list, owner, row)) {

        if (list->other == list->n_others || is_overtaken(list)
            || tcb_others_records(view, list->zone, list->other++,
                                  list->owner, tcb_core_arena(list->core),
                                  &name, &a) != 0)
        {
            return false;
        }

        if (a.n_records != 0) {
            /* the name of a challenge stands in the image */
            memmove(list->owner, name.data, name.len);
            list->owner_len = name.len;
            take_rows(list, &a);
        }
    }

    return true;
}


static bool
limit_ttl(const tcb_list_t *list, tcr_dns_record_t *row)
{
    if (row->type == TCR_TYPE_TXT && row->ttl > list->text_ttl) {
        row->ttl = list->text_ttl;
    }

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

        if (!list->begun) {
            begin_name(list);
            note_texts(list, sets, name->rrsets.n);
        }

        for ( /* void */ ; list->rrset < name->rrsets.n; list->rrset++) {

            if (list->data < sets[list->rrset].data.n) {
                *owner = tcr_image_str(list->img, name->owner);
                *row = static_row(list->img, name, &sets[list->rrset],
                                  list->data++);
                return limit_ttl(list, row);
            }

            list->data = 0;
        }

        if (next_of_rows(list, owner, row)) {
            return limit_ttl(list, row);
        }

        list->rrset = 0;
        list->begun = false;
    }

    return next_of_others(list, owner, row);
}


void
tcb_list_end(tcb_list_t *list)
{
    if (list->set != NULL) {
        tcr_snapshot_unpin(list->set);
        list->set = NULL;
    }
}
