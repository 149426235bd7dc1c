/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Zones and owner names of the routing image in the order and under the
 * numbers that PowerDNS asks for.
 */

#include "tcb_zones.h"

#include "tcr_image.h"


tcr_str_t
tcb_name(tcr_str_t name, char buf[TCB_NAME_TEXT])
{
    size_t  i;

    if (name.len != 0 && name.data[name.len - 1] == '.') {
        name.len--;
    }

    if (name.len >= TCB_NAME_TEXT) {
        return tcr_str_n(NULL, 0);
    }

    for (i = 0; i < name.len; i++) {
        buf[i] = tcr_lower(name.data[i]);
    }

    buf[name.len] = '\0';
    return tcr_str_n(buf, name.len);
}


/* Takes the last label off the name. */
static tcr_str_t
last_label(tcr_str_t *name)
{
    size_t     i;
    tcr_str_t  label;

    i = name->len;

    while (i != 0 && name->data[i - 1] != '.') {
        i--;
    }

    label = tcr_str_n(name->data + i, name->len - i);
    name->len = i != 0 ? i - 1 : 0;
    return label;
}


int
tcb_name_cmp(tcr_str_t a, tcr_str_t b)
{
    int  rc;

    while (a.len != 0 && b.len != 0) {
        rc = tcr_str_cmp(last_label(&a), last_label(&b));

        if (rc != 0) {
            return rc;
        }
    }

    return (a.len != 0) - (b.len != 0);
}


uint32_t
tcb_zone_number(tcr_str_t origin)
{
    /* PowerDNS reads the number as a signed int and means "none" by -1 */
    return (uint32_t) (tcr_str_hash(origin) % 0x7fffffffu) + 1;
}


const tcr_img_dns_zone_t *
tcb_zone_exact(tcr_view_t *view, tcr_str_t origin)
{
    const tcr_img_dns_zone_t  *zone;

    zone = tcr_dns_zone_of(view, origin);

    if (zone == NULL || !tcr_str_eq(tcr_view_str(view, zone->origin), origin)) {
        return NULL;
    }

    return zone;
}


const tcr_img_dns_zone_t *
tcb_zone_numbered(tcr_view_t *view, uint32_t number)
{
    size_t                     i, n;
    const tcr_img_dns_zone_t  *zones;

    n = tcr_dns_zones(view, &zones);

    for (i = 0; i < n; i++) {

        if (tcb_zone_number(tcr_view_str(view, zones[i].origin)) == number) {
            return &zones[i];
        }
    }

    return NULL;
}


const tcr_img_dns_zone_t *
tcb_zone_asked(tcr_view_t *view, tcr_str_t name, uint32_t number)
{
    tcr_str_t                  origin;
    const tcr_img_dns_zone_t  *zone, *deepest;

    deepest = tcr_dns_zone_of(view, name);
    zone = deepest;

    while (zone != NULL && number != TCB_ZONE_NONE) {
        origin = tcr_view_str(view, zone->origin);

        if (tcb_zone_number(origin) == number) {
            return zone;
        }

        (void) tcr_str_split(&origin, '.');

        if (origin.data == NULL) {
            break;
        }

        zone = tcr_dns_zone_of(view, origin);
    }

    return deepest;
}


/* Places of a name among those of its zone. */
typedef struct {
    const tcr_image_t     *img;
    const tcr_img_name_t  *names;
    size_t                 n;
} tcb_names_t;


static int
zone_names(tcr_view_t *view, const tcr_img_dns_zone_t *zone, tcb_names_t *out)
{
    const tcr_img_routing_t  *root;

    out->img = tcr_view_image(view, TCR_SLOT_ROUTING);

    if (out->img == NULL || zone->n_names == 0) {
        return -1;
    }

    root = tcr_image_root(out->img);
    out->names = tcr_image_vec(out->img, &root->dns.names);
    out->names += zone->first_name;
    out->n = zone->n_names;
    return 0;
}


/* How many names of the zone are not behind `name` in canonical order. */
static size_t
names_upto(const tcb_names_t *in, tcr_str_t name)
{
    size_t  low, high, mid;

    low = 0;
    high = in->n;

    while (low < high) {
        mid = low + (high - low) / 2;

        if (tcb_name_cmp(tcr_image_str(in->img, in->names[mid].owner), name)
            <= 0)
        {
            low = mid + 1;

        } else {
            high = mid;
        }
    }

    return low;
}


const tcr_img_name_t *
tcb_zone_name(tcr_view_t *view, const tcr_img_dns_zone_t *zone,
    tcr_str_t owner)
{
    size_t       i;
    tcb_names_t  in;

    if (zone_names(view, zone, &in) != 0) {
        return NULL;
    }

    i = names_upto(&in, owner);

    if (i == 0
        || !tcr_str_eq(tcr_image_str(in.img, in.names[i - 1].owner), owner))
    {
        return NULL;
    }

    return &in.names[i - 1];
}


/*
 * Does name i stand in the NSEC chain?  Glue does not, nor an empty
 * non-terminal, which the name behind it proves (RFC 4035, 2.3); a routing
 * name without addresses has nothing behind it and must.
 */
static bool
in_chain(const tcb_names_t *in, size_t i)
{
    tcr_str_t  owner, next;

    if ((in->names[i].flags & TCR_NAME_GLUE) != 0) {
        return false;
    }

    if ((in->names[i].flags & TCR_NAME_EMPTY) == 0 || i + 1 == in->n) {
        return true;
    }

    owner = tcr_image_str(in->img, in->names[i].owner);
    next = tcr_image_str(in->img, in->names[i + 1].owner);

    return next.len <= owner.len + 1 || !tcr_str_ends(next, owner)
           || next.data[next.len - owner.len - 1] != '.';
}


int
tcb_zone_neighbours(tcr_view_t *view, const tcr_img_dns_zone_t *zone,
    tcr_str_t name, tcr_str_t *before, tcr_str_t *after)
{
    size_t       i, next;
    tcb_names_t  in;

    if (zone_names(view, zone, &in) != 0) {
        return -1;
    }

    next = names_upto(&in, name);

    /* the apex is the first name and always in the chain */
    for (i = next; i > 1 && !in_chain(&in, i - 1); i--) {
        continue;
    }

    while (next < in.n && !in_chain(&in, next)) {
        next++;
    }

    *before = tcr_image_str(in.img, in.names[i != 0 ? i - 1 : 0].owner);
    *after = tcr_image_str(in.img, in.names[next < in.n ? next : 0].owner);
    return 0;
}
