/* SPDX-License-Identifier: Apache-2.0 */

/*
 * tcrouter keys ds: what has to stand at the parent, and whether it does.
 *
 * What was found is written down: a new KSK of a zone signs only when nobody
 * can be without its DS any more (tcr_keys.h).
 */

#include <stdio.h>

#include "tcr_buf.h"
#include "tcr_clock.h"
#include "tcr_file.h"
#include "tcr_image.h"
#include "tcr_keys.h"
#include "tcr_keys_parent.h"
#include "tcr_overlay_format.h"
#include "tcr_snapshot.h"
#include "tcr_tool.h"
#include "tcr_tool_keys.h"

#define KNOWN_MAX  (16u << 20)


typedef struct {
    tcr_str_t  zone;
    tcr_str_t  text;
} ds_t;

typedef struct {
    const tcr_keys_options_t  *o;
    tcr_keys_store_t          *s;
    ds_t                      *items;
    size_t                     n;
    tcr_ds_known_t             known;   /* as it was                         */
    tcr_buf_t                  found;   /* entries of the file as it will be */
    bool                       missing;
} list_t;


/* --- which DS --- */

/* Published KSKs of the file. */
static int
from_file(list_t *l, tcr_err_t *err)
{
    char      text[TCR_DS_TEXT];
    size_t    i;
    uint8_t  *roles;

    roles = tcr_keys_plan_roles(l->s, &l->known, l->o->plan.now);
    l->items = tcr_arena_calloc(l->s->arena, l->s->n + 1, sizeof(*l->items));

    if (roles == NULL || l->items == NULL) {
        return tcr_err_set(err, "out of memory");
    }

    for (i = 0; i < l->s->n; i++) {

        if (l->s->items[i].flags != TCR_DNSKEY_KSK
            || (roles[i] & TCR_ROLE_PUBLISHED) == 0)
        {
            continue;
        }

        if (tcr_dnsseckey_ds_text(&l->s->items[i], text) != 0) {
            return tcr_err_set(err, "cannot make the DS of key %u",
                               l->s->items[i].tag);
        }

        l->items[l->n].zone = l->s->items[i].zone;
        l->items[l->n++].text = tcr_arena_strdup(l->s->arena, tcr_str(text));
    }

    return 0;
}


/* Keys come from Traffic Ops: their DS are in the images. */
static int
from_images(list_t *l, tcr_err_t *err)
{
    uint32_t                  i;
    tcr_image_t              *img;
    tcr_mapped_t             *mapped;
    tcr_snapshot_t           *snap;
    const tcr_img_ds_t       *all;
    const tcr_img_overlay_t  *root;

    snap = tcr_snapshot_create(l->o->images, 1u << TCR_SLOT_OVERLAY);
    tcr_err_set(err, "no key file \"%s\" and no images in \"%s\"", l->s->path,
                l->o->images);

    if (snap == NULL || tcr_snapshot_refresh(snap, tcr_now_ms(), err) < 0
        || (mapped = tcr_snapshot_current(snap)->slots[TCR_SLOT_OVERLAY])
           == NULL)
    {
        if (snap != NULL) {
            tcr_snapshot_destroy(snap);
        }

        return -1;
    }

    img = &mapped->img;
    root = tcr_image_root(img);
    all = tcr_image_vec(img, &root->ds);
    l->items = tcr_arena_calloc(l->s->arena, root->ds.n + 1u,
                                sizeof(*l->items));

    for (i = 0; l->items != NULL && i < root->ds.n; i++) {
        l->items[i].zone = tcr_arena_strdup(l->s->arena,
                                            tcr_image_str(img, all[i].owner));
        l->items[i].text = tcr_arena_strdup(l->s->arena,
                                            tcr_image_str(img, all[i].text));
        l->n++;
    }

    tcr_snapshot_destroy(snap);
    return l->items != NULL ? 0 : tcr_err_set(err, "out of memory");
}


/* Does another zone of ours hold this one?  Then its DS is there already. */
static bool
is_below(const list_t *l, tcr_str_t zone)
{
    size_t     i;
    tcr_str_t  other;

    for (i = 0; i < l->n; i++) {
        other = l->items[i].zone;

        if (zone.len > other.len + 1 && tcr_str_ends(zone, other)
            && zone.data[zone.len - other.len - 1] == '.')
        {
            return true;
        }
    }

    return false;
}


static bool
is_wanted(const list_t *l, tcr_str_t zone)
{
    if (l->o->n_zones != 0) {
        return tcr_tool_keys_wanted(l->o, zone);
    }

    return l->o->all || !is_below(l, zone);
}


/* --- at the parent --- */

static bool
has(const tcr_parent_t *parent, tcr_str_t text)
{
    size_t  i;

    for (i = 0; i < parent->n; i++) {

        if (tcr_str_ieq(parent->ds[i], text)) {
            return true;
        }
    }

    return false;
}


static void
note(list_t *l, tcr_str_t zone, tcr_str_t text, int64_t since)
{
    tcr_buf_printf(&l->found, "%s\n{\"zone\":\"%.*s.\",\"ds\":\"%.*s\","
                   "\"since\":%lld}", l->found.len != 0 ? "," : "",
                   TCR_STR_ARG(zone), TCR_STR_ARG(text), (long long) since);
}


/* Caches that asked just before may be without it for the TTL. */
static void
note_found(list_t *l, const ds_t *ds, uint32_t ttl)
{
    const tcr_ds_known_entry_t  *before;

    before = tcr_ds_known_find(&l->known, ds->zone, ds->text);
    note(l, ds->zone, ds->text,
         before != NULL ? before->since : l->o->plan.now + ttl);
}


static bool
is_ours(const list_t *l, tcr_str_t zone, tcr_str_t text)
{
    size_t  i;

    for (i = 0; i < l->n; i++) {

        if (tcr_str_eq(l->items[i].zone, zone)
            && tcr_str_ieq(l->items[i].text, text))
        {
            return true;
        }
    }

    return false;
}


static int
check_zone(list_t *l, tcr_str_t zone, tcr_err_t *err)
{
    bool          there;
    size_t        i;
    tcr_parent_t  parent;

    if (tcr_keys_parent(zone, l->o->resolver, l->s->arena, &parent, err) != 0) {
        return -1;
    }

    for (i = 0; i < l->n; i++) {

        if (!tcr_str_eq(l->items[i].zone, zone)) {
            continue;
        }

        there = has(&parent, l->items[i].text);
        printf("%.*s. DS %.*s: %s\n", TCR_STR_ARG(zone),
               TCR_STR_ARG(l->items[i].text),
               !there ? "missing at the parent"
               : parent.secure ? "at the parent, validated"
               : "at the parent, not validated by the resolver");

        if (there) {
            note_found(l, &l->items[i], parent.ttl);
        }

        l->missing |= !there;
    }

    for (i = 0; i < parent.n; i++) {

        if (!is_ours(l, zone, parent.ds[i])) {
            printf("%.*s. DS %.*s: at the parent, no key of ours\n",
                   TCR_STR_ARG(zone), TCR_STR_ARG(parent.ds[i]));
        }
    }

    return 0;
}


static bool
is_first(const list_t *l, size_t at)
{
    size_t  i;

    for (i = 0; i < at; i++) {

        if (tcr_str_eq(l->items[i].zone, l->items[at].zone)) {
            return false;
        }
    }

    return true;
}


/* What is known of zones that were not looked at stays. */
static void
keep_others(list_t *l)
{
    size_t                       i, k;
    const tcr_ds_known_entry_t  *e;

    for (i = 0; i < l->known.n; i++) {
        e = &l->known.items[i];

        for (k = 0; k < l->n; k++) {

            if (tcr_str_eq(l->items[k].zone, e->zone)
                && is_wanted(l, e->zone))
            {
                break;
            }
        }

        if (k == l->n) {
            note(l, e->zone, e->ds, e->since);
        }
    }
}


static int
save(list_t *l, tcr_err_t *err)
{
    int        rc;
    tcr_buf_t  out;

    tcr_buf_init(&out, KNOWN_MAX);
    tcr_buf_str(&out, TCR_STR("{\"known\":["));
    tcr_buf_add(&out, l->found.data != NULL ? l->found.data : "",
                l->found.len);
    tcr_buf_str(&out, TCR_STR("\n]}\n"));

    if (out.failed || l->found.failed) {
        rc = tcr_err_set(err, "out of memory");

    } else {
        rc = tcr_file_replace(l->s->dir.fd, TCR_KEYS_KNOWN, out.data, out.len,
                              0644, err);
    }

    tcr_buf_free(&out);
    return rc;
}


/* A zone that nobody answers for keeps all from being written. */
static int
check(list_t *l, tcr_err_t *err)
{
    int     rc = 0;
    size_t  i;

    tcr_buf_init(&l->found, KNOWN_MAX);

    for (i = 0; i < l->n && rc == 0; i++) {

        if (is_first(l, i) && is_wanted(l, l->items[i].zone)) {
            rc = check_zone(l, l->items[i].zone, err);
        }
    }

    if (rc == 0) {
        keep_others(l);
        rc = save(l, err);
    }

    tcr_buf_free(&l->found);
    return rc;
}


int
tcr_tool_keys_ds(const tcr_keys_options_t *o, tcr_keys_store_t *s)
{
    size_t     i;
    list_t     l = { .o = o, .s = s };
    tcr_err_t  err;

    if (tcr_tool_keys_known(s, &l.known, &err) != 0
        || (s->n != 0 ? from_file(&l, &err) : from_images(&l, &err)) != 0)
    {
        return tcr_tool_fail("keys ds", "%s", err.text);
    }

    if (o->resolver != NULL) {

        if (check(&l, &err) != 0) {
            return tcr_tool_fail("keys ds", "%s", err.text);
        }

        return l.missing ? TCR_TOOL_FAILED : TCR_TOOL_OK;
    }

    for (i = 0; i < l.n; i++) {

        if (is_wanted(&l, l.items[i].zone)) {
            printf("%.*s. IN DS %.*s\n", TCR_STR_ARG(l.items[i].zone),
                   TCR_STR_ARG(l.items[i].text));
        }
    }

    return TCR_TOOL_OK;
}
