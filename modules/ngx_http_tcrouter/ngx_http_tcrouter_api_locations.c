/* SPDX-License-Identifier: Apache-2.0 */

/* Cache groups and the health of their caches. */

#include "ngx_http_tcrouter_api.h"

#include <stdlib.h>


static int
by_name(const void *a, const void *b)
{
    return tcr_str_cmp(*(const tcr_str_t *) a, *(const tcr_str_t *) b);
}


ngx_uint_t
ngx_http_tcrouter_api_locations(api_t *a, tcr_str_t rest)
{
    uint32_t                i;
    tcr_str_t              *names;
    const tcr_img_group_t  *g;

    names = ngx_palloc(a->request->pool,
                       (a->root->n_groups + 1) * sizeof(tcr_str_t));

    if (names == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    g = tcr_image_vec(a->image, &a->root->groups);

    for (i = 0; i < a->root->n_groups; i++) {
        names[i] = ngx_http_tcrouter_page_str(a, g[i].id);
    }

    qsort(names, a->root->n_groups, sizeof(tcr_str_t), by_name);

    tcr_jw_open(&a->json, NULL, '{');
    tcr_jw_open(&a->json, "locations", '[');

    for (i = 0; i < a->root->n_groups; i++) {
        tcr_jw_str(&a->json, NULL, names[i]);
    }

    tcr_jw_close(&a->json, ']');
    tcr_jw_close(&a->json, '}');

    return NGX_HTTP_OK;
}


/* Only names, addresses and cacheOnline say something; the others never do. */

static void
put_state(api_t *a, uint32_t cache)
{
    uint32_t                flags;
    tcr_jw_t               *w = &a->json;
    const tcr_img_cache_t  *c;

    c = (const tcr_img_cache_t *) tcr_image_vec(a->image, &a->root->caches)
        + cache;
    flags = tcr_explore_cache_flags(a->view, cache);

    tcr_jw_open(w, NULL, '{');
    tcr_jw_str(w, "cacheId", ngx_http_tcrouter_page_str(a, c->id));
    tcr_jw_str(w, "fqdn", ngx_http_tcrouter_page_str(a, c->fqdn));
    tcr_jw_open(w, "ipAddresses", '[');

    if (c->ip != 0) {
        tcr_jw_str(w, NULL, ngx_http_tcrouter_api_address(a, c->ip));
    }

    if (c->ip6 != 0) {
        tcr_jw_str(w, NULL, ngx_http_tcrouter_api_address(a, c->ip6));
    }

    tcr_jw_close(w, ']');
    tcr_jw_uint(w, "port", 0);
    tcr_jw_null(w, "adminStatus");
    tcr_jw_bool(w, "lastUpdateHealthy", false);
    tcr_jw_uint(w, "lastUpdateTime", 0);
    tcr_jw_uint(w, "connections", 0);
    tcr_jw_uint(w, "currentBW", 0);
    tcr_jw_uint(w, "availBW", 0);
    tcr_jw_bool(w, "cacheOnline", (flags & TCR_HEALTH_KNOWN)
                                  && (flags & TCR_HEALTH_AVAILABLE));
    tcr_jw_close(w, '}');
}


static void
put_states(api_t *a, const tcr_img_group_t *g)
{
    uint32_t  i;

    for (i = 0; i < g->n_caches; i++) {
        put_state(a, g->first_cache + i);
    }

    tcr_jw_close(&a->json, ']');
}


ngx_uint_t
ngx_http_tcrouter_api_all_caches(api_t *a, tcr_str_t rest)
{
    uint32_t                i;
    const tcr_img_group_t  *g;

    g = tcr_image_vec(a->image, &a->root->groups);

    tcr_jw_open(&a->json, NULL, '{');
    tcr_jw_open(&a->json, "locations", '{');

    for (i = 0; i < a->root->n_groups; i++) {
        tcr_jw_open_named(&a->json, ngx_http_tcrouter_page_str(a, g[i].id),
                          '[');
        put_states(a, &g[i]);
    }

    tcr_jw_close(&a->json, '}');
    tcr_jw_close(&a->json, '}');

    return NGX_HTTP_OK;
}


ngx_uint_t
ngx_http_tcrouter_api_caches(api_t *a, tcr_str_t rest)
{
    const tcr_img_group_t  *g;

    g = tcr_explore_group(a->view, rest);

    if (g == NULL) {
        return NGX_HTTP_NOT_FOUND;
    }

    tcr_jw_open(&a->json, NULL, '{');
    tcr_jw_open(&a->json, "caches", '[');
    put_states(a, g);
    tcr_jw_close(&a->json, '}');

    return NGX_HTTP_OK;
}
