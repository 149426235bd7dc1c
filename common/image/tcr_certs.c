/* SPDX-License-Identifier: Apache-2.0 */

/* The look-up of certificates. */

#include "tcr_certs.h"

#define HOST_MAX  255             /* RFC 1035 2.3.4                          */


static uint32_t
find_host(const tcr_image_t *img, tcr_str_t host, uint32_t *first)
{
    uint32_t                      v, i;
    tcr_map_iter_t                it;
    const tcr_img_certs_t        *root = tcr_image_root(img);
    const tcr_img_certificate_t  *c = tcr_image_vec(img, &root->certificates);

    for (v = tcr_map_first(img, &root->host_map, host, &it);
         v != TCR_NONE;
         v = tcr_map_next(&it))
    {
        if (!tcr_str_eq(tcr_image_str(img, c[v].host), host)) {
            continue;
        }

        /* equal strings stand in an image once */
        for (i = v + 1; i < root->certificates.n; i++) {
            if (c[i].host != c[v].host) {
                break;
            }
        }

        *first = v;
        return i - v;
    }

    return 0;
}


uint32_t
tcr_certs_find(const tcr_image_t *img, tcr_str_t name, uint32_t *first)
{
    char         wildcard[HOST_MAX + 1];
    size_t       rest;
    uint32_t     n;
    const char  *dot;

    n = find_host(img, name, first);
    dot = name.len != 0 ? memchr(name.data, '.', name.len) : NULL;

    if (n != 0 || dot == NULL || dot == name.data) {
        return n;
    }

    rest = name.len - (size_t) (dot - name.data);

    if (rest > HOST_MAX) {
        return 0;
    }

    wildcard[0] = '*';
    memcpy(wildcard + 1, dot, rest);

    return find_host(img, tcr_str_n(wildcard, rest + 1), first);
}
