/* SPDX-License-Identifier: Apache-2.0 */

/* The log's words for names that are not routed (spec/routing.md §9). */

#include "tcr_dns.h"
#include "tcr_match.h"


static tcr_result_e
where_is(const tcr_cdn_t *cdn, const tcr_addr_t *client)
{
    uint32_t           zone;
    tcr_city_record_t  record;

    if (client->family == 0) {
        return TCR_RESULT_MISS;
    }

    zone = tcr_nets_find(&cdn->coverage, client, NULL);

    if (zone != TCR_NETS_NONE && cdn->zones[zone].has_point) {
        return TCR_RESULT_CZ;
    }

    if (cdn->city != NULL
        && tcr_city_find(cdn->city->city, client, &record, NULL) == 1)
    {
        return TCR_RESULT_GEO;
    }

    return TCR_RESULT_MISS;
}


void
tcr_dns_localize(tcr_dns_flow_t *f)
{
    uint32_t           service;
    tcr_match_input_t  in;

    memset(&in, 0, sizeof(in));
    in.host = f->name;
    in.mem = &f->q->mem;

    service = tcr_match_service(f->cdn, &in);

    f->out->service = service != TCR_NONE ? &f->cdn->services[service] : NULL;
    f->out->result = where_is(f->cdn, &f->out->client);
    f->out->details = TCR_DETAILS_LOCALIZED_DNS;
}
