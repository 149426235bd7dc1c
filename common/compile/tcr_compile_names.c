/* SPDX-License-Identifier: Apache-2.0 */

/*
 * From records to names: canonical order (RFC 4034 §6.1), one TTL a record
 * set, the lowest (spec/dns.md §2.3), names that exist without records.
 */

#include "tcr_zones.h"

#include <stdlib.h>


static int
by_place(const void *a, const void *b)
{
    int                  rc;
    const tcr_record_t  *x = a, *y = b;

    rc = tcr_str_cmp(x->key, y->key);

    if (rc != 0) {
        return rc;
    }

    if (x->type != y->type) {
        return x->type < y->type ? -1 : 1;
    }

    return x->data < y->data ? -1 : x->data > y->data;
}


static bool
same_name(const tcr_record_t *a, const tcr_record_t *b)
{
    return tcr_str_eq(a->key, b->key);
}


static bool
same_set(const tcr_record_t *a, const tcr_record_t *b)
{
    return a->type == b->type && same_name(a, b);
}


/*
 * Equal records become one, sets get their lowest TTL.  Names without records
 * all stay: each may have flags.
 */
static void
unify(tcr_list_t *list)
{
    size_t         i, k, n, end, first;
    uint32_t       ttl;
    tcr_record_t  *r = list->items;

    for (i = 0, n = 0; i < list->n; i = end) {
        first = n;
        ttl = r[i].ttl;

        for (end = i; end < list->n && same_set(&r[end], &r[i]); end++) {
            ttl = r[end].ttl < ttl ? r[end].ttl : ttl;
        }

        for (k = i; k < end; k++) {
            if (n == first || r[k].type == TCR_RR_NONE
                || r[k].data != r[n - 1].data)
            {
                r[n] = r[k];
                r[n++].ttl = ttl;
            }
        }
    }

    list->n = n;
}


/* The serial depends on all else, so the SOA's text comes last. */
static int
fill_soa(tcr_zones_t *z)
{
    size_t               i;
    tcr_str_t            text;
    tcr_record_t        *r = z->records.items;
    tcr_img_dns_zone_t  *out = &z->out[z->zone - z->zones];

    out->content = tcr_zones_content(z);
    text = tcr_soa_text(z, out->content, &out->serial);

    if (text.data == NULL) {
        return -1;
    }

    for (i = 0; r[i].type != TCR_RR_SOA; i++) { /* void */ }

    r[i].data = tcr_build_str(z->c->b, text);
    return 0;
}


/* Vector of the record sets of r[0..n), one name's. */
static int
add_sets(tcr_zones_t *z, const tcr_record_t *r, size_t n, tcr_img_vec_t *vec)
{
    size_t            i, k, sets;
    tcr_img_str_t    *data;
    tcr_img_rrset_t  *out;

    data = malloc(n * sizeof(*data) + 1);
    out = malloc(n * sizeof(*out) + 1);

    if (data == NULL || out == NULL) {
        free(data);
        free(out);
        return tcr_compiler_no_memory(z->c);
    }

    for (i = 0, sets = 0; i < n; i += k) {

        for (k = 0; i + k < n && r[i + k].type == r[i].type; k++) {
            data[k] = r[i + k].data;
        }

        if (r[i].type != TCR_RR_NONE) {
            out[sets].type = r[i].type;
            out[sets].ttl = r[i].ttl;
            out[sets].data = tcr_build_array(z->c->b, data, k, sizeof(*data),
                                             _Alignof(tcr_img_str_t));
            sets++;
        }
    }

    *vec = tcr_build_array(z->c->b, out, sets, sizeof(*out),
                           _Alignof(tcr_img_rrset_t));
    free(data);
    free(out);
    return 0;
}


static tcr_img_name_t *
add_name(tcr_zones_t *z, tcr_str_t owner)
{
    tcr_str_t       *text = tcr_list_add(&z->owners);
    tcr_img_name_t  *name = tcr_list_add(&z->img_names);

    if (text == NULL || name == NULL) {
        tcr_compiler_no_memory(z->c);
        return NULL;
    }

    *text = owner;
    name->owner = tcr_build_str_copy(z->c->b, owner);
    name->dns_zone = (uint32_t) (z->zone - z->zones);
    name->service = TCR_NONE;
    return name;
}


static bool
is_below(tcr_str_t key, tcr_str_t cut)
{
    return cut.data != NULL && key.len > cut.len && tcr_str_starts(key, cut)
           && key.data[cut.len] == '\0';
}


/*
 * Names between the one before and this one that only exist because this one
 * does: its ancestors that are no ancestors of (and not) the one before.
 */
static int
add_empty(tcr_zones_t *z, const tcr_record_t *r, tcr_str_t before,
    tcr_str_t cut)
{
    size_t           i;
    tcr_str_t        above;
    tcr_img_name_t  *name;

    for (i = 1; i < r->key.len; i++) {
        above = tcr_str_n(r->key.data, i);

        if (r->key.data[i] != '\0' || tcr_str_eq(before, above)
            || is_below(before, above))
        {
            continue;
        }

        name = add_name(z, tcr_str_n(r->owner.data + r->key.len - i,
                                     r->owner.len - r->key.len + i));

        if (name == NULL) {
            return -1;
        }

        name->flags = TCR_NAME_EMPTY
                      | (is_below(above, cut) ? TCR_NAME_GLUE : 0);
    }

    return 0;
}


/* One name from its records r[0..n). */
static int
add_owner(tcr_zones_t *z, const tcr_record_t *r, size_t n, tcr_str_t cut)
{
    size_t           i;
    uint32_t         flags = 0, service = TCR_NONE;
    tcr_img_vec_t    sets;
    tcr_img_name_t  *name;

    for (i = 0; i < n; i++) {
        flags |= r[i].flags;
        service = r[i].service != TCR_NONE ? r[i].service : service;
    }

    if (add_sets(z, r, n, &sets) != 0) {
        return -1;
    }

    if (sets.n != 0 || (flags & ~TCR_NAME_EMPTY)) {
        flags &= ~TCR_NAME_EMPTY;
    }

    name = add_name(z, r[0].owner);

    if (name == NULL) {
        return -1;
    }

    name->flags = flags | (is_below(r[0].key, cut) ? TCR_NAME_GLUE : 0);
    name->service = service;
    name->rrsets = sets;
    return 0;
}


static int
add_owners(tcr_zones_t *z)
{
    size_t               i, n;
    tcr_str_t            before = { NULL, 0 }, cut = { NULL, 0 };
    const tcr_record_t  *r = z->records.items;

    for (i = 0; i < z->records.n; i += n) {

        for (n = 1; i + n < z->records.n && same_name(&r[i], &r[i + n]); n++) {
            /* void */
        }

        if (add_empty(z, &r[i], before, cut) != 0
            || add_owner(z, &r[i], n, cut) != 0)
        {
            return -1;
        }

        before = r[i].key;

        if (r[i].flags & TCR_NAME_DELEGATION) {
            cut = r[i].key;
        }
    }

    return 0;
}


int
tcr_names_make(tcr_zones_t *z)
{
    size_t               first = z->img_names.n;
    tcr_img_dns_zone_t  *out = &z->out[z->zone - z->zones];

    qsort(z->records.items, z->records.n, sizeof(tcr_record_t), by_place);
    unify(&z->records);

    if (fill_soa(z) != 0 || add_owners(z) != 0) {
        return -1;
    }

    if (z->img_names.n >= TCR_NONE) {
        return tcr_err_set(z->c->err, "too many names in zones");
    }

    out->first_name = (uint32_t) first;
    out->n_names = (uint32_t) (z->img_names.n - first);
    return 0;
}
