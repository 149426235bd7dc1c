/* SPDX-License-Identifier: Apache-2.0 */

/* /crs/stats/ip/ADDRESS: everything that is known of a client's address. */

#include "tcr_nets.h"

#include "ngx_http_tcrouter_api.h"

#define NOT_FOUND  TCR_STR("not found")


static void
put_zone(api_t *a, const tcr_addr_t *addr)
{
    tcr_jw_t               *w = &a->json;
    const tcr_img_group_t  *g = tcr_explore_zone(a->view, addr, false);

    if (g == NULL) {
        tcr_jw_str(w, "locationByCoverageZone", NOT_FOUND);
        return;
    }

    tcr_jw_open(w, "locationByCoverageZone", '{');
    tcr_jw_str(w, "id", ngx_http_tcrouter_page_str(a, g->id));
    ngx_http_tcrouter_api_put_texts(a, g->lat, g->lon, NULL);
    tcr_jw_close(w, '}');
}


static void
put_deep_zone(api_t *a, const tcr_addr_t *addr)
{
    uint32_t                i, cache;
    tcr_jw_t               *w = &a->json;
    const tcr_img_cache_t  *caches;
    const tcr_img_group_t  *g = tcr_explore_zone(a->view, addr, true);

    if (g == NULL) {
        tcr_jw_str(w, "locationByDeepCoverageZone", NOT_FOUND);
        return;
    }

    tcr_jw_open(w, "locationByDeepCoverageZone", '{');
    tcr_jw_open(w, "properties", '{');
    tcr_jw_str(w, "id", ngx_http_tcrouter_page_str(a, g->id));
    ngx_http_tcrouter_api_put_texts(a, g->lat, g->lon, NULL);
    tcr_jw_close(w, '}');
    tcr_jw_open(w, "caches", '[');

    caches = tcr_image_vec(a->image, &a->root->caches);

    for (i = 0; i < tcr_explore_group_size(g); i++) {
        cache = tcr_explore_group_cache(a->view, g, i);
        tcr_jw_str(w, NULL, ngx_http_tcrouter_page_str(a, caches[cache].id));
    }

    tcr_jw_close(w, ']');
    tcr_jw_close(w, '}');
}


static void
put_city(api_t *a, const tcr_addr_t *addr)
{
    int                 found = -1;
    tcr_jw_t           *w = &a->json;
    tcr_city_record_t   city;

    if (addr->family != 0) {
        found = tcr_explore_city(a->view, addr, &city);
    }

    if (found == 1) {
        tcr_jw_open(w, "locationByGeo", '{');
        ngx_http_tcrouter_api_put_texts(a, city.point.lat, city.point.lon,
                                        &city);
        tcr_jw_close(w, '}');

    } else {
        tcr_jw_str(w, "locationByGeo",
                   found == 0 ? NOT_FOUND
                              : addr->family != 0
                                ? TCR_STR("the database is damaged there")
                                : TCR_STR("not an address"));
    }
}


/* ---------------------------------------------------------- federations */

/* Prefixes of a mapping that are around the address, itself not counted. */

static void
put_prefixes(api_t *a, const tcr_image_t *overlay,
    const tcr_img_mapping_t *m, const tcr_addr_t *addr)
{
    u_char               *slashed;
    uint32_t              i, n;
    tcr_str_t             text;
    tcr_jw_t             *w = &a->json;
    tcr_cidr_t            cidr;
    const tcr_img_str_t  *prefixes = tcr_image_vec(overlay, &m->prefixes);

    for (i = 0, n = 0; i < m->prefixes.n; i++) {
        text = tcr_image_str(overlay, prefixes[i]);

        if (tcr_cidr_parse(text, &cidr, NULL) != 0
            || !tcr_cidr_contains(&cidr, addr)
            || cidr.len == tcr_addr_bits(addr))
        {
            continue;
        }

        slashed = ngx_pnalloc(a->request->pool, text.len + 1);

        if (slashed == NULL) {
            continue;
        }

        if (n++ == 0) {
            tcr_jw_open(w, addr->family == 4 ? "resolve4" : "resolve6", '[');
        }

        /* the slash in front is what those who read this expect */
        slashed[0] = '/';
        ngx_memcpy(slashed + 1, text.data, text.len);
        tcr_jw_str(w, NULL, tcr_str_n((char *) slashed, text.len + 1));
    }

    if (n != 0) {
        tcr_jw_close(w, ']');
    }
}


static ngx_uint_t
is_inside(const tcr_image_t *overlay, const tcr_img_mapping_t *m,
    const tcr_addr_t *addr)
{
    tcr_nets_t  nets;

    nets.v4 = tcr_image_vec(overlay, &m->v4);
    nets.n4 = m->v4.n;
    nets.v6 = tcr_image_vec(overlay, &m->v6);
    nets.n6 = m->v6.n;

    return tcr_nets_find(&nets, addr, NULL) != TCR_NETS_NONE;
}


static void
put_federation(api_t *a, const tcr_image_t *overlay,
    const tcr_img_federation_t *f, const tcr_addr_t *addr)
{
    uint32_t                  i;
    tcr_jw_t                 *w = &a->json;
    const tcr_img_mapping_t  *m = tcr_image_vec(overlay, &f->mappings);

    tcr_jw_open(w, NULL, '{');
    tcr_jw_str(w, "deliveryService", tcr_image_str(overlay, f->service));
    tcr_jw_open(w, "federationMappings", '[');

    for (i = 0; i < f->mappings.n; i++) {
        tcr_jw_open(w, NULL, '{');
        tcr_jw_str(w, "cname", tcr_image_str(overlay, m[i].cname));
        tcr_jw_uint(w, "ttl", m[i].ttl);
        put_prefixes(a, overlay, &m[i], addr);
        tcr_jw_close(w, '}');
    }

    tcr_jw_close(w, ']');
    tcr_jw_close(w, '}');
}


static ngx_uint_t
holds(const tcr_image_t *overlay, const tcr_img_federation_t *f,
    const tcr_addr_t *addr)
{
    uint32_t                  i;
    const tcr_img_mapping_t  *m = tcr_image_vec(overlay, &f->mappings);

    for (i = 0; i < f->mappings.n; i++) {
        if (is_inside(overlay, &m[i], addr)) {
            return 1;
        }
    }

    return 0;
}


/* Every federation that has the address, with all of its mappings. */

static void
put_federations(api_t *a, const tcr_addr_t *addr)
{
    uint32_t                     i, n;
    tcr_jw_t                    *w = &a->json;
    const tcr_image_t           *overlay;
    const tcr_img_overlay_t     *root;
    const tcr_img_federation_t  *f;

    overlay = tcr_explore_overlay(a->view, &root);
    n = 0;

    if (overlay != NULL && addr->family != 0) {
        f = tcr_image_vec(overlay, &root->federations);

        for (i = 0; i < root->federations.n; i++) {

            if (!holds(overlay, &f[i], addr)) {
                continue;
            }

            if (n++ == 0) {
                tcr_jw_open(w, "locationByFederation", '[');
            }

            put_federation(a, overlay, &f[i], addr);
        }
    }

    if (n != 0) {
        tcr_jw_close(w, ']');

    } else {
        tcr_jw_str(w, "locationByFederation", NOT_FOUND);
    }
}


ngx_uint_t
ngx_http_tcrouter_api_ip(api_t *a, tcr_str_t rest)
{
    tcr_addr_t  addr;

    if (tcr_addr_parse_override(rest, &addr) != 0) {
        addr.family = 0;
    }

    tcr_jw_open(&a->json, NULL, '{');
    tcr_jw_str(&a->json, "requestIp", rest);
    put_zone(a, &addr);
    put_city(a, &addr);
    put_federations(a, &addr);
    put_deep_zone(a, &addr);
    tcr_jw_close(&a->json, '}');

    return NGX_HTTP_OK;
}
