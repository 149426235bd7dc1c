/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Comparing with what is in force.
 */

#include "tcf_guard.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>


/* --- differences --- */

/* A vector of structures that begin with their name, and its look-up. */
typedef struct {
    const tcr_image_t    *img;
    const char           *first;
    size_t                n;
    size_t                size;
    const tcr_img_map_t  *map;
} names_t;


static names_t
services_of(const tcr_image_t *img)
{
    const tcr_img_routing_t  *root;

    if (img == NULL) {
        return (names_t) { NULL, NULL, 0, 0, NULL };
    }

    root = tcr_image_root(img);
    return (names_t) { img, tcr_image_vec(img, &root->services),
                       root->services.n, sizeof(tcr_img_service_t),
                       &root->service_map };
}


static names_t
caches_of(const tcr_image_t *img)
{
    const tcr_img_routing_t  *root;

    if (img == NULL) {
        return (names_t) { NULL, NULL, 0, 0, NULL };
    }

    root = tcr_image_root(img);
    return (names_t) { img, tcr_image_vec(img, &root->caches), root->caches.n,
                       sizeof(tcr_img_cache_t), &root->cache_map };
}


static tcr_str_t
name_at(const names_t *names, size_t i)
{
    tcr_img_str_t  ref;

    memcpy(&ref, names->first + i * names->size, sizeof(ref));
    return tcr_image_str(names->img, ref);
}


static bool
is_in(const names_t *names, tcr_str_t name)
{
    uint32_t        v;
    tcr_map_iter_t  it;

    if (names->img == NULL) {
        return false;
    }

    for (v = tcr_map_first(names->img, names->map, name, &it); v != TCR_NONE;
         v = tcr_map_next(&it))
    {
        if (tcr_str_eq(name_at(names, v), name)) {
            return true;
        }
    }

    return false;
}


/* How many of `these` are not among `those`. */
static size_t
missing(const names_t *these, const names_t *those, char sign,
    const char *what, tcf_diff_pt each, void *ctx)
{
    size_t     i, n = 0;
    tcr_str_t  name;

    for (i = 0; i < these->n; i++) {
        name = name_at(these, i);

        if (is_in(those, name)) {
            continue;
        }

        n++;

        if (each != NULL) {
            each(ctx, sign, what, name);
        }
    }

    return n;
}


void
tcf_diff(tcf_diff_t *diff, const tcr_image_t *before, const tcr_image_t *now,
    tcf_diff_pt each, void *ctx)
{
    names_t  a = services_of(before), b = services_of(now);
    names_t  c = caches_of(before), d = caches_of(now);

    diff->services = b.n;
    diff->services_before = a.n;
    diff->services_new = missing(&b, &a, '+', "service", each, ctx);
    diff->services_gone = missing(&a, &b, '-', "service", each, ctx);
    diff->caches = d.n;
    diff->caches_before = c.n;
    diff->caches_new = missing(&d, &c, '+', "cache", each, ctx);
    diff->caches_gone = missing(&c, &d, '-', "cache", each, ctx);
}


/* --- guards --- */

void
tcf_date(int64_t seconds, char text[TCF_DATE_SIZE])
{
    time_t     t = (time_t) seconds;
    struct tm  tm;

    if (gmtime_r(&t, &tm) == NULL
        || strftime(text, TCF_DATE_SIZE, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
    {
        snprintf(text, TCF_DATE_SIZE, "%" PRId64, seconds);
    }
}


int
tcf_guard_date(int64_t date, int64_t in_force, tcr_err_t *err)
{
    char  ours[TCF_DATE_SIZE], theirs[TCF_DATE_SIZE];

    if (date > in_force) {
        return 0;
    }

    tcf_date(in_force, ours);

    if (date == in_force) {
        return tcr_err_set(err, "stats.date is %s like that of the snapshot "
                           "in force, but its contents are others", ours);
    }

    tcf_date(date, theirs);
    return tcr_err_set(err, "stats.date is %s, older than %s of the snapshot "
                       "in force; \"--accept-older\" takes it", theirs, ours);
}


int
tcf_guard_sections(const tcr_crconfig_t *cfg, tcr_err_t *err)
{
    if (cfg->domain.len == 0) {
        return tcr_err_set(err, "config.domain_name: found no usable domain, "
                           "expected that of the CDN: there would be no zone");
    }

    if (cfg->n_routers == 0) {
        return tcr_err_set(err, "contentRouters: found no usable router, "
                           "expected this one and the others: no zone would "
                           "have a name server");
    }

    if (cfg->n_groups == 0) {
        return tcr_err_set(err, "edgeLocations: found no usable cache group, "
                           "expected those of the caches: there would be no "
                           "cache");
    }

    return 0;
}


static bool
too_many(size_t gone, size_t before, int64_t max_percent)
{
    return (double) gone * 100 > (double) before * (double) max_percent;
}


int
tcf_guard_shrink(const tcf_diff_t *diff, int64_t max_percent, tcr_err_t *err)
{
    if (!too_many(diff->services_gone, diff->services_before, max_percent)
        && !too_many(diff->caches_gone, diff->caches_before, max_percent))
    {
        return 0;
    }

    return tcr_err_set(err, "it lacks %zu of %zu services and %zu of %zu "
                       "caches in force, at most %" PRId64 "%% may go "
                       "(\"max_shrink\"); \"--accept-shrink\" takes it",
                       diff->services_gone, diff->services_before,
                       diff->caches_gone, diff->caches_before, max_percent);
}
