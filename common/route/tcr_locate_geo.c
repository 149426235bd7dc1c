/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Localisation by geography: where is the client, may it be served there,
 * which group is near (spec/routing.md §4.4, §4.5).
 */

#include <stdlib.h>

#include "tcr_locate.h"


int
tcr_locate_city(tcr_locate_t *l)
{
    uint32_t  scope;

    if (l->city_found != -2) {
        return l->city_found;
    }

    if (l->client.family == 0) {
        l->city_found = -1;

    } else if (l->cdn->city == NULL) {
        l->city_found = 0;

    } else {
        l->city_found = tcr_city_find(l->cdn->city->city, &l->client,
                                      &l->city, &scope);

        if (scope > l->scope) {
            l->scope = scope;
        }
    }

    if (l->city_found == 1) {
        TCR_TRACE(l->trace, "geography", "the client is at %.4f,%.4f (%.*s)",
                  l->city.point.lat, l->city.point.lon,
                  TCR_STR_ARG(l->city.country_code));

    } else {
        TCR_TRACE(l->trace, "geography", "the client cannot be located");
    }

    return l->city_found;
}


static bool
same_number(tcr_str_t text, double value)
{
    char    buf[64], *end;
    double  n;

    if (text.len == 0 || text.len >= sizeof(buf)) {
        return false;
    }

    memcpy(buf, text.data, text.len);
    buf[text.len] = '\0';
    n = strtod(buf, &end);

    return *end == '\0' && n == value;
}


static bool
test_holds(const tcr_locate_t *l, const tcr_img_geo_test_t *test)
{
    tcr_str_t                 want = tcr_cdn_str(l->cdn, test->value);
    const tcr_city_record_t  *city = &l->city;

    switch ((tcr_geo_property_e) test->property) {

    case TCR_GEO_COUNTRY_CODE:
        return city->country_code.data && tcr_str_ieq(city->country_code, want);

    case TCR_GEO_COUNTRY_NAME:
        return city->country_name.data && tcr_str_ieq(city->country_name, want);

    case TCR_GEO_CITY:
        return city->city.data && tcr_str_ieq(city->city, want);

    case TCR_GEO_POSTAL_CODE:
        return city->postal_code.data && tcr_str_ieq(city->postal_code, want);

    case TCR_GEO_LATITUDE:
        return same_number(want, city->point.lat);

    case TCR_GEO_LONGITUDE:
        return same_number(want, city->point.lon);

    case TCR_GEO_UNKNOWN:
        break;
    }

    return false;
}


static bool
limit_allows(const tcr_locate_t *l, const tcr_img_geo_limit_t *limit)
{
    uint32_t                   i;
    const tcr_img_geo_test_t  *tests;

    tests = tcr_image_vec(l->cdn->img, &limit->tests);

    for (i = 0; i < limit->tests.n; i++) {
        if (!test_holds(l, &tests[i])) {
            return false;
        }
    }

    return true;
}


/* May the service be served where the client is?  No limits: everywhere. */
static bool
limits_allow(const tcr_locate_t *l)
{
    uint32_t                    i;
    const tcr_img_geo_limit_t  *limits;

    limits = tcr_image_vec(l->cdn->img, &l->service->geo_limits);

    for (i = 0; i < l->service->geo_limits.n; i++) {
        if (limit_allows(l, &limits[i])) {
            return true;
        }
    }

    return l->service->geo_limits.n == 0;
}


/*
 * The client's point: the database's, else the service's miss location, which
 * no limit applies to and which a look-up that fails does not get.
 */
static bool
locate_client(tcr_locate_t *l, bool limits, tcr_point_t *point)
{
    int                       found = tcr_locate_city(l);
    const tcr_img_service_t  *s = l->service;

    if (found == 1) {
        *point = l->city.point;

        if (limits && !limits_allow(l)) {
            TCR_TRACE(l->trace, "geography",
                      "the service is not allowed there");
            return false;
        }

        return true;
    }

    if (found == 0 && (s->flags & TCR_SERVICE_HAS_MISS)) {
        *point = (tcr_point_t) { s->miss_lat, s->miss_lon };
        TCR_TRACE(l->trace, "geography", "the service's miss location is used");
        return true;
    }

    return false;
}


/* First near group with usable caches; counts tries against the limit. */
static bool
nearest_group(tcr_locate_t *l, tcr_point_t point)
{
    uint32_t                i, tries;
    const uint32_t         *ranked;
    const tcr_img_group_t  *g;

    ranked = tcr_helpers_ranked(l->cdn->helpers, l->cdn, point);

    for (i = 0, tries = 0; i < l->cdn->rt->n_groups; i++) {
        g = &l->cdn->groups[ranked[i]];

        if (!(g->flags & TCR_METHOD_GEO)
            || tcr_cdn_disabled(l->cdn, l->service, g))
        {
            continue;
        }

        if (tcr_usable_find(l->cdn, l->service, g, l->family, &l->usable)) {
            l->has_point = true;
            l->point = (tcr_point_t) { g->lat, g->lon };
            TCR_TRACE(l->trace, "geography",
                      "nearest group \"%.*s\", %u usable caches",
                      TCR_STR_ARG(tcr_cdn_str(l->cdn, g->id)), l->usable.n);
            return true;
        }

        if (++tries == l->service->failover_limit) {
            break;
        }
    }

    return false;
}


/*
 * A record that knows only the country may have a better point configured:
 * the service's miss location, else the country's (maxmindDefaultOverride).
 */
static tcr_point_t
override_country(tcr_locate_t *l, tcr_point_t point)
{
    uint32_t                   i;
    const tcr_img_override_t  *o;
    const tcr_img_service_t   *s = l->service;

    o = tcr_image_vec(l->cdn->img, &l->cdn->rt->overrides);

    for (i = 0; i < l->cdn->rt->overrides.n; i++) {

        if (!tcr_str_eq(tcr_cdn_str(l->cdn, o[i].country_code),
                        l->city.country_code))
        {
            continue;
        }

        if (s->flags & TCR_SERVICE_MISS_OVERRIDES) {
            l->result = TCR_RESULT_GEO_DS;
            return (tcr_point_t) { s->miss_lat, s->miss_lon };
        }

        return (tcr_point_t) { o[i].lat, o[i].lon };
    }

    return point;
}


static bool
redirect_fails(tcr_locate_t *l, tcr_details_e details)
{
    l->result = TCR_RESULT_MISS;
    l->details = details;
    return false;
}


/*
 * geoLimitRedirectURL: elsewhere as it is; a URL of this service is served
 * from a near cache, under that URL's path (rule geo-redirect-path).
 */
bool
tcr_locate_redirect(tcr_locate_t *l)
{
    tcr_point_t               point;
    const tcr_img_service_t  *s = l->service;

    l->result = TCR_RESULT_GEO_REDIRECT;

    if (s->geo_redirect_type == TCR_GEO_REDIRECT_OTHER) {
        l->redirect_url = tcr_cdn_str(l->cdn, s->geo_redirect_url);
        TCR_TRACE(l->trace, "geo limit", "redirect to \"%.*s\"",
                  TCR_STR_ARG(l->redirect_url));
        return true;
    }

    if (s->geo_redirect_type != TCR_GEO_REDIRECT_SELF) {
        return redirect_fails(l, TCR_DETAILS_GEO_NO_CACHE_FOUND);
    }

    if (tcr_locate_city(l) == 1) {
        point = l->city.point;

    } else if (!locate_client(l, false, &point)) {
        return redirect_fails(l, TCR_DETAILS_DS_CLIENT_GEO_UNSUPPORTED);
    }

    if (!nearest_group(l, point)) {
        return redirect_fails(l, TCR_DETAILS_GEO_NO_CACHE_FOUND);
    }

    l->redirect_path = tcr_cdn_str(l->cdn, s->geo_redirect_path);
    return true;
}


bool
tcr_locate_geo(tcr_locate_t *l, const tcr_img_group_t *from)
{
    bool         known;
    tcr_point_t  point;

    if (from != NULL) {
        point = (tcr_point_t) { from->lat, from->lon };
        known = true;

    } else {
        known = locate_client(l, true, &point);
    }

    if (!known) {

        if (l->service->geo_redirect_type != TCR_GEO_REDIRECT_NONE) {
            return tcr_locate_redirect(l);
        }

        l->details = TCR_DETAILS_DS_CLIENT_GEO_UNSUPPORTED;
        return false;
    }

    l->result = TCR_RESULT_GEO;

    if (from == NULL && l->city_found == 1 && l->city.country_only) {
        point = override_country(l, point);
    }

    if (!nearest_group(l, point)) {
        l->details = TCR_DETAILS_GEO_NO_CACHE_FOUND;
        return false;
    }

    return true;
}
