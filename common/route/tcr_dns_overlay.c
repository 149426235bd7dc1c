/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Records that come and go without a new routing image: ACME challenges, and
 * DS of the zones below.
 */

#include "tcr_dns.h"


int
tcr_dns_challenges(tcr_dns_flow_t *f)
{
    int                         found = 0;
    uint32_t                    v;
    tcr_map_iter_t              it;
    tcr_dns_record_t            record = { .type = TCR_TYPE_TXT, .auth = true };
    const tcr_image_t          *img = f->cdn->overlay;
    const tcr_img_overlay_t    *root;
    const tcr_img_challenge_t  *all;

    if (img == NULL) {
        return 0;
    }

    root = tcr_image_root(img);
    all = tcr_image_vec(img, &root->challenges);

    for (v = tcr_map_first(img, &root->challenge_map, f->name, &it);
         v != TCR_NONE;
         v = tcr_map_next(&it))
    {
        if (!tcr_str_eq(tcr_image_str(img, all[v].owner), f->name)) {
            continue;
        }

        found = 1;
        record.ttl = all[v].ttl;
        record.data = tcr_image_str(img, all[v].text);

        if (record.data.len != 0 && tcr_dns_wants(f, TCR_TYPE_TXT)
            && tcr_dns_add(f, &record) != 0)
        {
            return -1;
        }
    }

    return found;
}


/*
 * A set has one TTL, the lowest (RFC 2181 5.2); a static set may stand at the
 * challenge's name.
 */
void
tcr_dns_unify_texts(const tcr_dns_flow_t *f)
{
    size_t             i;
    uint32_t           ttl = UINT32_MAX;
    tcr_dns_record_t  *records = f->out->records;

    for (i = 0; i < f->out->n_records; i++) {

        if (records[i].type == TCR_TYPE_TXT && records[i].ttl < ttl) {
            ttl = records[i].ttl;
        }
    }

    for (i = 0; i < f->out->n_records; i++) {

        if (records[i].type == TCR_TYPE_TXT) {
            records[i].ttl = ttl;
        }
    }
}


static bool
is_in_force(const tcr_dns_flow_t *f, const tcr_img_ds_t *ds)
{
    int64_t  now = f->view->now_ms / 1000;

    return ds->since <= now && now < ds->until
           && tcr_str_eq(tcr_image_str(f->cdn->overlay, ds->owner), f->name);
}


int
tcr_dns_ds(tcr_dns_flow_t *f, const tcr_img_name_t *name)
{
    uint32_t                  v;
    tcr_map_iter_t            it;
    tcr_dns_record_t          record = { .type = TCR_TYPE_DS, .auth = true };
    const tcr_image_t        *img = f->cdn->overlay;
    const tcr_img_ds_t       *all;
    const tcr_img_overlay_t  *root;

    if (img == NULL || (name->flags & TCR_NAME_DELEGATION) == 0
        || !tcr_dns_wants(f, TCR_TYPE_DS))
    {
        return 0;
    }

    root = tcr_image_root(img);
    all = tcr_image_vec(img, &root->ds);

    for (v = tcr_map_first(img, &root->ds_map, f->name, &it);
         v != TCR_NONE;
         v = tcr_map_next(&it))
    {
        record.ttl = all[v].ttl;
        record.data = tcr_image_str(img, all[v].text);

        if (is_in_force(f, &all[v]) && tcr_dns_add(f, &record) != 0) {
            return -1;
        }
    }

    return 0;
}
