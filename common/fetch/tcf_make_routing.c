/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The images of routing and of health: from the snapshot, the coverage zones
 * and the policies, and from which services have a certificate.
 */

#include "tcf_make_row.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tcr_certs_format.h"
#include "tcr_compile.h"


/*
 * Ids of services with a certificate, good or bad (spec/inputs.md §8.1), as
 * the certs image has them; NULL: nobody knows.
 */
static tcr_str_t *
certificate_ids(const tcf_make_t *m, size_t *n)
{
    uint32_t                      i;
    tcr_str_t                    *ids;
    tcr_image_t                   room;
    const tcr_image_t            *img;
    const tcr_img_certs_t        *root;
    const tcr_img_refused_t      *refused;
    const tcr_img_certificate_t  *all;

    *n = 0;
    img = tcf_make_image(m, TCR_SLOT_CERTS, &room);

    if (img == NULL) {
        return NULL;
    }

    root = tcr_image_root(img);
    all = tcr_image_vec(img, &root->certificates);
    refused = tcr_image_vec(img, &root->refused);
    ids = tcr_arena_calloc(m->j->arena, (size_t) root->certificates.n
                                        + root->refused.n + 1, sizeof(*ids));

    for (i = 0; ids != NULL && i < root->certificates.n; i++) {
        ids[(*n)++] = tcr_image_str(img, all[i].service);
    }

    for (i = 0; ids != NULL && i < root->refused.n; i++) {
        ids[(*n)++] = tcr_image_str(img, refused[i].service);
    }

    return ids;
}


static int
by_text(const void *one, const void *two)
{
    int               rc;
    const tcr_str_t  *a = one, *b = two;

    rc = memcmp(a->data, b->data, a->len < b->len ? a->len : b->len);

    return rc != 0 ? rc : (a->len > b->len) - (a->len < b->len);
}


/* Policy and database of anonymous addresses are of no use alone. */
static bool
anonymous_on(const tcf_make_t *m)
{
    return tcf_make_uses(m->j, TCF_ANONYMOUS_IP)
           && tcf_make_has(m, TCF_ANONYMOUS_POLICY);
}


static bool
policy_fallback(const tcf_make_t *m)
{
    const tcf_judged_t  *judged = &m->j->judged[TCF_REGIONAL];

    return judged->verdict == TCF_REFUSED
           || (judged->verdict == TCF_NOT_JUDGED && m->j->policy_refused);
}


static bool
is_wanted(const tcf_make_t *m)
{
    (void) m;
    return true;
}


static void
add_more(const tcf_make_t *m, tcr_buf_t *buf)
{
    size_t      i, n;
    tcr_str_t  *ids = certificate_ids(m, &n);

    tcr_buf_printf(buf, "%s %d %d %d %d %" PRIu32 " %s\n", m->j->router,
                   policy_fallback(m), anonymous_on(m), ids != NULL,
                   (int) m->j->denial, m->j->iterations, m->j->salt);

    if (ids != NULL) {
        qsort(ids, n, sizeof(*ids), by_text);
    }

    for (i = 0; i < n; i++) {

        if (i == 0 || !tcr_str_eq(ids[i], ids[i - 1])) {
            tcr_buf_str(buf, ids[i]);
            tcr_buf_char(buf, '\n');
        }
    }
}


static int
compile(tcf_make_t *m, const tcr_build_origin_t *origin)
{
    tcr_compile_input_t  in;
    tcf_inputs_t        *inputs = m->inputs;
    tcf_made_t          *health = &m->j->made[TCR_SLOT_HEALTH];

    memset(&in, 0, sizeof(in));
    in.crconfig = &inputs->crconfig;
    in.coverage = tcf_make_has(m, TCF_COVERAGE) ? &inputs->coverage : NULL;
    in.deep = tcf_make_has(m, TCF_DEEP) ? &inputs->deep : NULL;
    in.router = m->j->router;
    in.certificates = certificate_ids(m, &in.n_certificates);
    in.know_certificates = in.certificates != NULL;
    in.regional = tcf_make_has(m, TCF_REGIONAL) ? &inputs->regional : NULL;
    in.regional_fallback = policy_fallback(m);
    in.anonymous = anonymous_on(m) ? &inputs->policy : NULL;
    in.chains = m->j->denial == TCR_DENIAL_NSEC3;
    in.nsec3.iterations = m->j->iterations;
    in.nsec3.salt = tcr_str(m->j->salt);
    in.previous = m->j->in_force[TCR_SLOT_ROUTING];
    in.origin = *origin;

    if (tcr_compile_routing(&in, &m->made->build, &health->build,
                            &m->made->report, m->err)
        != 0)
    {
        m->made->build = NULL;
        health->build = NULL;
        return -1;
    }

    if (tcf_make_finish(m, origin) != 0) {
        return -1;
    }

    return tcr_build_finish(health->build, origin, &health->data,
                            &health->size, m->err);
}


static const tcf_source_e  sources[] = {
    TCF_SNAPSHOT, TCF_COVERAGE, TCF_DEEP, TCF_REGIONAL, TCF_ANONYMOUS_POLICY,
    TCF_SOURCES
};

const tcf_make_row_t  tcf_make_routing = {
    .slot = TCR_SLOT_ROUTING, .sources = sources, .wanted = is_wanted,
    .more = add_more, .compile = compile
};
