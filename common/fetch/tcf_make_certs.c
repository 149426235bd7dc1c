/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The image of certificates: from the list of certificates alone.
 */

#include "tcf_make_row.h"

#include "tcr_certs_format.h"
#include "tcr_compile_certs.h"

/* seconds: certificates that are not valid yet are looked at again */
#define NOT_YET  3600


static bool
is_wanted(const tcf_make_t *m)
{
    return tcf_make_uses(m->j, TCF_CERTIFICATES);
}


/* What ended since it was made is not served any more. */
static bool
is_stale(const tcf_make_t *m)
{
    uint32_t                      i;
    int64_t                       made;
    const tcr_image_t            *img = m->j->in_force[TCR_SLOT_CERTS];
    const tcr_img_certs_t        *root = tcr_image_root(img);
    const tcr_img_certificate_t  *all = tcr_image_vec(img,
                                                      &root->certificates);

    made = (int64_t) img->header->created;

    for (i = 0; i < root->certificates.n; i++) {

        if (all[i].not_after >= made && all[i].not_after < m->j->now) {
            return true;
        }
    }

    return root->refused.n != 0 && m->j->now - made > NOT_YET;
}


static int
compile(tcf_make_t *m, const tcr_build_origin_t *origin)
{
    if (tcr_compile_certs(&m->inputs->certificates, &m->made->build, m->err)
        != 0)
    {
        m->made->build = NULL;
        return -1;
    }

    return tcf_make_finish(m, origin);
}


static const tcf_source_e  sources[] = {
    TCF_CERTIFICATES, TCF_SOURCES
};

const tcf_make_row_t  tcf_make_certs = {
    .slot = TCR_SLOT_CERTS, .sources = sources, .wanted = is_wanted,
    .is_stale = is_stale, .compile = compile
};
