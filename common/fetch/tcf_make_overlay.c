/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The overlay over the zones: steering, federations, challenges, and the DS
 * of the keys.
 */

#include "tcf_make_row.h"

#include <inttypes.h>

#include "tcr_compile_keys.h"
#include "tcr_compile_overlay.h"


/* Is there a file, whatever it says? */
static bool
has_file(const tcf_make_t *m, tcf_source_e source)
{
    return tcf_make_has(m, source) && m->inputs->in[source].size
                              != strlen(tcf_rows[source].absent);
}


static bool
is_wanted(const tcf_make_t *m)
{
    tcr_image_t  room;

    return tcf_make_uses(m->j, TCF_STEERING)
           || tcf_make_uses(m->j, TCF_FEDERATIONS)
           || tcf_make_uses(m->j, TCF_CHALLENGES)
           || has_file(m, TCF_ACME)
           || tcf_make_image(m, TCR_SLOT_KEYS, &room) != NULL;
}


static void
add_more(const tcf_make_t *m, tcr_buf_t *buf)
{
    tcr_image_t         room;
    const tcr_image_t  *keys = tcf_make_image(m, TCR_SLOT_KEYS, &room);

    /* challenges join the chains of the routing image */
    tcr_buf_printf(buf, "%d %" PRIu32 " %s\n",
                   m->j->denial == TCR_DENIAL_NSEC3, m->j->iterations,
                   m->j->salt);

    if (keys != NULL) {
        tcr_buf_printf(buf, "%zu %" PRIu32 " %" PRIu32 "\n", keys->size,
                       keys->header->crc, m->j->facts->ttl_ds);
    }
}


/* Keys come and go, and their DS with them. */
static bool
is_stale(const tcf_make_t *m)
{
    tcr_image_t         room;
    const tcr_image_t  *keys = tcf_make_image(m, TCR_SLOT_KEYS, &room);
    const tcr_image_t  *img = m->j->in_force[TCR_SLOT_OVERLAY];

    return keys != NULL
           && tcr_compile_keys_next(keys, (int64_t) img->header->created)
              <= m->j->now;
}


static int
compile(tcf_make_t *m, const tcr_build_origin_t *origin)
{
    tcr_image_t           room, routing;
    tcf_inputs_t         *inputs = m->inputs;
    tcr_overlay_input_t   in;

    memset(&in, 0, sizeof(in));

    if (tcf_make_has(m, TCF_STEERING)) {
        in.steering = &inputs->steering;
    }

    if (tcf_make_has(m, TCF_FEDERATIONS)) {
        in.federations = &inputs->federations;
    }

    if (tcf_make_has(m, TCF_CHALLENGES)) {
        in.challenges = &inputs->challenges;
    }

    if (tcf_make_has(m, TCF_ACME)) {
        in.acme = &inputs->acme;
    }

    in.routing = tcf_make_image(m, TCR_SLOT_ROUTING, &routing);
    in.ds.keys = tcf_make_image(m, TCR_SLOT_KEYS, &room);
    in.ds.previous = m->j->in_force[TCR_SLOT_OVERLAY];
    in.ds.ttl = m->j->facts->ttl_ds;
    in.ds.now = m->j->now;
    in.origin = *origin;

    if (tcr_compile_overlay(&in, &m->made->build, &m->made->report, m->err)
        != 0)
    {
        m->made->build = NULL;
        return -1;
    }

    return tcf_make_finish(m, origin);
}


static const tcf_source_e  sources[] = {
    TCF_STEERING, TCF_FEDERATIONS, TCF_CHALLENGES, TCF_ACME, TCF_SOURCES
};

const tcf_make_row_t  tcf_make_overlay = {
    .slot = TCR_SLOT_OVERLAY, .sources = sources, .wanted = is_wanted,
    .more = add_more, .is_stale = is_stale, .compile = compile
};
