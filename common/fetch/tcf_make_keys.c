/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The image of DNSSEC keys: from the list of keys, and from the zones that
 * they sign, which of them and with what TTLs.
 */

#include "tcf_make_row.h"

#include <inttypes.h>

#include "tcr_compile_keys.h"


static bool
is_wanted(const tcf_make_t *m)
{
    return m->j->facts->dnssec && tcf_make_uses(m->j, TCF_KEYS);
}


/* Zones whose keys are left out. */
static void
add_unsigned(const tcr_image_t *routing, tcr_buf_t *buf)
{
    uint32_t                   i;
    const tcr_img_routing_t   *root = tcr_image_root(routing);
    const tcr_img_dns_zone_t  *zones = tcr_image_vec(routing,
                                                     &root->dns.zones);

    for (i = 0; i < root->dns.zones.n; i++) {

        if ((zones[i].flags & TCR_ZONE_DNSSEC) == 0) {
            tcr_buf_str(buf, tcr_image_str(routing, zones[i].origin));
            tcr_buf_char(buf, '\n');
        }
    }
}


static void
add_more(const tcf_make_t *m, tcr_buf_t *buf)
{
    tcr_image_t         room;
    const tcr_image_t  *routing = tcf_make_image(m, TCR_SLOT_ROUTING, &room);

    tcr_buf_printf(buf, "%d %" PRIu32 " %d\n", m->j->facts->allow_expired,
                   m->j->facts->ttl_dnskey, (int) m->j->denial);

    if (routing != NULL) {
        add_unsigned(routing, buf);
    }
}


/* Signatures live as long as the longest TTL of their zone wants. */
static bool
is_stale(const tcf_make_t *m)
{
    uint32_t                   i;
    tcr_image_t                room;
    const tcr_image_t         *img = m->j->in_force[TCR_SLOT_KEYS];
    const tcr_image_t         *routing;
    const tcr_img_keys_t      *root = tcr_image_root(img);
    const tcr_img_key_zone_t  *zones = tcr_image_vec(img, &root->zones);

    routing = tcf_make_image(m, TCR_SLOT_ROUTING, &room);

    for (i = 0; i < root->zones.n; i++) {

        if (zones[i].max_ttl
            != tcr_compile_keys_ttl(routing,
                                    tcr_image_str(img, zones[i].origin)))
        {
            return true;
        }
    }

    return false;
}


static int
compile(tcf_make_t *m, const tcr_build_origin_t *origin)
{
    tcr_image_t       room;
    tcr_keys_input_t  in;

    memset(&in, 0, sizeof(in));
    in.keys = &m->inputs->keys;
    in.allow_expired = m->j->facts->allow_expired;
    in.known = tcf_make_has(m, TCF_DS_KNOWN) ? &m->inputs->ds_known : NULL;
    in.routing = tcf_make_image(m, TCR_SLOT_ROUTING, &room);
    in.denial = m->j->denial;
    in.origin = *origin;

    if (tcr_compile_keys(&in, &m->made->build, &m->made->report, m->err)
        != 0)
    {
        m->made->build = NULL;
        return -1;
    }

    return tcf_make_finish(m, origin);
}


static const tcf_source_e  sources[] = {
    TCF_KEYS, TCF_DS_KNOWN, TCF_SOURCES
};

const tcf_make_row_t  tcf_make_keys = {
    .slot = TCR_SLOT_KEYS, .sources = sources, .wanted = is_wanted,
    .more = add_more, .is_stale = is_stale, .compile = compile
};
