/* SPDX-License-Identifier: Apache-2.0 */

/* Rules of the certs image.  Expects a passed structural walk. */

#include <inttypes.h>

#include "tcr_certs_format.h"
#include "tcr_image_verify.h"


static int
check_order(const tcr_image_t *img, const tcr_img_certificate_t *a,
    const tcr_img_certificate_t *b, uint32_t i, tcr_err_t *err)
{
    int        order;
    tcr_str_t  host = tcr_image_str(img, b->host);

    order = tcr_str_cmp(tcr_image_str(img, a->host), host);

    if (order > 0 || (order == 0 && a->type >= b->type)) {
        return tcr_err_set(err, "is damaged: certificates[%" PRIu32 "] of "
                           "\"%.*s\" does not come behind the one before it",
                           i, TCR_STR_ARG(host));
    }

    return 0;
}


int
tcr_image_rules_certs(const tcr_image_t *img, tcr_err_t *err)
{
    uint32_t                      i;
    const tcr_img_certs_t        *root = tcr_image_root(img);
    const tcr_img_certificate_t  *c;

    c = tcr_image_vec(img, &root->certificates);

    for (i = 0; i < root->certificates.n; i++) {

        if (c[i].chain.n == 0) {
            return tcr_err_set(err, "is damaged: certificates[%" PRIu32 "] "
                               "has no chain", i);
        }

        if (i != 0 && check_order(img, &c[i - 1], &c[i], i, err) != 0) {
            return -1;
        }
    }

    return 0;
}
