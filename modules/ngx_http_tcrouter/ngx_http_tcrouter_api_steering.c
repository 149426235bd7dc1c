/* SPDX-License-Identifier: Apache-2.0 */

/* The steering services in force, as their source gave them. */

#include "ngx_http_tcrouter_api.h"


static void
put_target(api_t *a, const tcr_image_t *overlay, const tcr_img_target_t *t)
{
    uint32_t       i;
    tcr_jw_t      *w = &a->json;
    const double  *points = tcr_image_vec(overlay, &t->points);

    tcr_jw_open(w, NULL, '{');
    tcr_jw_str(w, "deliveryService", tcr_image_str(overlay, t->service));
    tcr_jw_uint(w, "weight", t->points.n);
    tcr_jw_int(w, "order", t->order);
    tcr_jw_int(w, "geoOrder", t->geo_order);
    tcr_jw_real(w, "latitude", t->lat);
    tcr_jw_real(w, "longitude", t->lon);

    if (t->flags & TCR_TARGET_HAS_POINT) {
        ngx_http_tcrouter_api_put_point(a, "geolocation", t->lat, t->lon);

    } else {
        tcr_jw_null(w, "geolocation");
    }

    tcr_jw_open(w, "hashValues", '[');

    for (i = 0; i < t->points.n; i++) {
        tcr_jw_real(w, NULL, points[i]);
    }

    tcr_jw_close(w, ']');
    tcr_jw_close(w, '}');
}


static void
put_steering(api_t *a, const tcr_image_t *overlay,
    const tcr_img_steering_t *s)
{
    uint32_t                 i;
    tcr_jw_t                *w = &a->json;
    const tcr_img_target_t  *targets = tcr_image_vec(overlay, &s->targets);
    const tcr_img_filter_t  *filters = tcr_image_vec(overlay, &s->filters);

    tcr_jw_open(w, NULL, '{');
    tcr_jw_str(w, "deliveryService", tcr_image_str(overlay, s->service));
    tcr_jw_bool(w, "clientSteering", s->flags & TCR_STEERING_CLIENT);
    tcr_jw_open(w, "targets", '[');

    for (i = 0; i < s->targets.n; i++) {
        put_target(a, overlay, &targets[i]);
    }

    tcr_jw_close(w, ']');
    tcr_jw_open(w, "filters", '[');

    for (i = 0; i < s->filters.n; i++) {
        tcr_jw_open(w, NULL, '{');
        tcr_jw_str(w, "pattern", tcr_image_str(overlay, filters[i].java));
        tcr_jw_str(w, "deliveryService",
                   tcr_image_str(overlay, filters[i].service));
        tcr_jw_close(w, '}');
    }

    tcr_jw_close(w, ']');
    tcr_jw_close(w, '}');
}


ngx_uint_t
ngx_http_tcrouter_api_steering(api_t *a, tcr_str_t rest)
{
    uint32_t                   i;
    const tcr_image_t         *overlay;
    const tcr_img_overlay_t   *root;
    const tcr_img_steering_t  *s;

    tcr_jw_open(&a->json, NULL, '[');
    overlay = tcr_explore_overlay(a->view, &root);

    if (overlay != NULL) {
        s = tcr_image_vec(overlay, &root->steering);

        for (i = 0; i < root->steering.n; i++) {
            put_steering(a, overlay, &s[i]);
        }
    }

    tcr_jw_close(&a->json, ']');

    return NGX_HTTP_OK;
}
