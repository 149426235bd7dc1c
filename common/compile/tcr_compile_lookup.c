/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Questions to the matching that was just made, asked with the engine's own
 * code: which service answers for a routing name, and whether a service's
 * geo-limit redirect leads to itself (spec/routing.md §4.5).
 *
 * The engine reads the builder's bytes, so nothing may be added meanwhile.
 */

#include "tcr_compiler.h"

#include "tcr_match.h"
#include "tcr_redirect_url.h"


typedef struct {
    tcr_compiler_t  *c;
    tcr_image_t      img;
    tcr_cdn_t        cdn;
    tcr_mem_t        mem;
} lookup_t;


/* The image as far as it is made, as an engine's generation. */
static int
open_lookup(lookup_t *l, tcr_compiler_t *c)
{
    tcr_img_routing_t  *root = tcr_build_root(c->b);

    *root = c->root;

    memset(l, 0, sizeof(*l));
    l->c = c;
    l->mem = tcr_arena_mem(c->arena);
    l->img.base = (const uint8_t *) root - sizeof(tcr_img_header_t);
    l->img.header = (const void *) l->img.base;
    l->cdn.img = &l->img;
    l->cdn.rt = root;
    l->cdn.helpers = tcr_helpers_create(c->n_regexes, 0, 0);

    return l->cdn.helpers != NULL ? 0 : tcr_compiler_no_memory(c);
}


static uint32_t
find_service(lookup_t *l, tcr_str_t host, tcr_str_t path)
{
    tcr_match_input_t  in;

    memset(&in, 0, sizeof(in));
    in.host = host;
    in.path = path;
    in.mem = &l->mem;
    return tcr_match_service(&l->cdn, &in);
}


/*
 * The service that answers for routing name "." domain; TCR_NONE where it is
 * one of the other kind or of another routing name.
 */
static int
find_routed(lookup_t *l, uint32_t s)
{
    uint32_t              found;
    tcr_str_t             name;
    tcr_compiler_t       *c = l->c;
    const tcr_service_t  *m = &c->cfg->services[s];

    c->routed[s] = TCR_NONE;

    if (m->domain.len == 0) {
        return 0;
    }

    name = tcr_compiler_printf(c, "%.*s.%.*s", TCR_STR_ARG(m->routing_name),
                               TCR_STR_ARG(m->domain));

    if (name.data == NULL) {
        return -1;
    }

    found = find_service(l, name, tcr_str_n(NULL, 0));

    if (found != TCR_NONE && c->cfg->services[found].dns == m->dns
        && tcr_str_eq(c->cfg->services[found].routing_name, m->routing_name))
    {
        c->routed[s] = found;
    }

    return 0;
}


/* Kind of the redirect; *path is set where it leads to the service itself. */
static uint32_t
classify(lookup_t *l, uint32_t s, tcr_str_t *path)
{
    tcr_str_t           text = l->c->cfg->services[s].geo_redirect_url;
    tcr_redirect_url_t  url;

    if (text.len == 0) {
        return TCR_GEO_REDIRECT_NONE;
    }

    if (!tcr_redirect_url_is_absolute(text)) {
        *path = text;
        return TCR_GEO_REDIRECT_SELF;
    }

    if (tcr_redirect_url_parse(l->c->arena, text, &url) != 0) {
        return TCR_GEO_REDIRECT_INVALID;
    }

    if (find_service(l, url.host, url.path) != s) {
        return TCR_GEO_REDIRECT_OTHER;
    }

    *path = url.target;
    return TCR_GEO_REDIRECT_SELF;
}


static int
add_redirect(tcr_compiler_t *c, uint32_t s, uint32_t type, tcr_str_t path)
{
    tcr_img_service_t    *out = &c->services[s];
    const tcr_service_t  *m = &c->cfg->services[s];

    out->geo_redirect_type = type;

    if (type == TCR_GEO_REDIRECT_NONE) {
        return 0;
    }

    out->geo_redirect_url = tcr_build_str(c->b, m->geo_redirect_url);

    if (type == TCR_GEO_REDIRECT_INVALID) {
        tcr_report_add(c->report, TCR_REPORT_WARNING,
                       "service \"%.*s\": geoLimitRedirectURL \"%.*s\" is no "
                       "URL, clients outside its limits get its bypass",
                       TCR_STR_ARG(m->id), TCR_STR_ARG(m->geo_redirect_url));
    }

    if (type == TCR_GEO_REDIRECT_SELF) {
        if (path.len == 0 || path.data[0] != '/') {
            path = tcr_compiler_printf(c, "/%.*s", TCR_STR_ARG(path));

            if (path.data == NULL) {
                return -1;
            }
        }

        out->geo_redirect_path = tcr_build_str(c->b, path);
    }

    return 0;
}


int
tcr_compile_lookup(tcr_compiler_t *c)
{
    int         rc;
    uint32_t    s, *types;
    lookup_t    l;
    tcr_str_t  *paths;

    c->routed = tcr_compiler_alloc(c, c->n_services, sizeof(*c->routed));
    types = tcr_compiler_alloc(c, c->n_services, sizeof(*types));
    paths = tcr_compiler_alloc(c, c->n_services, sizeof(*paths));

    if (c->failed || open_lookup(&l, c) != 0) {
        return -1;
    }

    for (s = 0, rc = 0; s < c->n_services && rc == 0; s++) {
        rc = find_routed(&l, s);
        types[s] = classify(&l, s, &paths[s]);
    }

    tcr_helpers_release(l.cdn.helpers);

    for (s = 0; s < c->n_services && rc == 0; s++) {
        rc = add_redirect(c, s, types[s], paths[s]);
    }

    return rc;
}
