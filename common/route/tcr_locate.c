/* SPDX-License-Identifier: Apache-2.0 */

/* The order of localisation for an HTTP question (spec/routing.md §4.1). */

#include "tcr_locate.h"


void
tcr_locate_init(tcr_locate_t *l, tcr_view_t *view,
    const tcr_img_service_t *service, const tcr_addr_t *client,
    uint32_t family, tcr_trace_t *trace)
{
    /* usable is large and filled only as far as it is used */
    memset(l, 0, offsetof(tcr_locate_t, usable));

    l->view = view;
    l->cdn = view->cdn;
    l->service = service;
    l->client = *client;
    l->family = family;
    l->trace = trace;
    l->geo_allowed = true;
    l->city_found = -2;
    l->result = TCR_RESULT_ERROR;
    l->usable.n = 0;
}


static bool
take_zone(tcr_locate_t *l, const tcr_img_group_t *g, tcr_result_e result)
{
    if (g == NULL || tcr_cdn_disabled(l->cdn, l->service, g)) {
        return false;
    }

    l->result = result;
    l->has_point = true;
    l->point = (tcr_point_t) { g->lat, g->lon };

    if (l->from_backup) {
        l->details = TCR_DETAILS_DS_CZ_BACKUP_CG;
    }

    return true;
}


bool
tcr_locate_http(tcr_locate_t *l, bool use_deep)
{
    tcr_result_e            result = TCR_RESULT_CZ;
    const tcr_img_group_t  *g = NULL;

    if (use_deep && (l->service->flags & TCR_SERVICE_DEEP)) {
        g = tcr_locate_zone(l, true);
        result = g != NULL ? TCR_RESULT_DEEP_CZ : TCR_RESULT_CZ;
    }

    if (g == NULL) {
        g = tcr_locate_zone(l, false);
    }

    if (take_zone(l, g, result)) {
        return true;
    }

    if (l->service->flags & TCR_SERVICE_CZ_ONLY) {

        if (l->service->geo_redirect_type != TCR_GEO_REDIRECT_NONE) {
            return tcr_locate_redirect(l);
        }

        l->result = TCR_RESULT_MISS;
        l->details = TCR_DETAILS_DS_CZ_ONLY;
        return false;
    }

    return l->geo_allowed && tcr_locate_geo(l, g);
}
