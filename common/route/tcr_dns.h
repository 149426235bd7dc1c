/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside the engine only: one DNS question on its way through the steps.
 */

#ifndef TCR_DNS_H_INCLUDED
#define TCR_DNS_H_INCLUDED

#include "tcr_locate.h"

#define TCR_DNS_NAME_MAX  255     /* RFC 1035 §2.3.4                         */


typedef struct {
    tcr_view_t                *view;
    const tcr_cdn_t           *cdn;
    const tcr_dns_question_t  *q;
    tcr_dns_answer_t          *out;
    tcr_str_t                  name;        /* lower case, no final dot      */
    size_t                     room;        /* records out has place for     */
    char                       text[TCR_DNS_NAME_MAX];
} tcr_dns_flow_t;


/* Adds a record; -1 when memory is out. */
int tcr_dns_add(tcr_dns_flow_t *f, const tcr_dns_record_t *record);

static inline bool
tcr_dns_wants(const tcr_dns_flow_t *f, uint16_t type)
{
    return f->q->type == TCR_TYPE_ANY || f->q->type == type;
}


/* --------------------------------------------------------------- content */

/* The name in that zone, or NULL. */
const tcr_img_name_t *tcr_dns_find(const tcr_cdn_t *cdn,
    const tcr_img_dns_zone_t *zone, tcr_str_t name);

/* Adds what stands at the name in the image. */
int tcr_dns_static(tcr_dns_flow_t *f, const tcr_img_name_t *name);

/*
 * Name of a cache for a service of the zone, which stands in no table
 * (tcr_img_dns_zone_t): adds its addresses.  1 = it is one, 0 = it is none,
 * -1 = no memory.
 */
int tcr_dns_cache_name(tcr_dns_flow_t *f, const tcr_img_dns_zone_t *zone);


/*
 * Adds the ACME challenges of the name.  1 = there are some, or below it, so
 * that it exists; 0 = none; -1 = no memory.
 */
int tcr_dns_challenges(tcr_dns_flow_t *f);

/* Gives all TXT found the lowest of their TTLs. */
void tcr_dns_unify_texts(const tcr_dns_flow_t *f);

/*
 * Adds the DS that are in force at the name of a zone below.  -1 when memory
 * is out.
 */
int tcr_dns_ds(tcr_dns_flow_t *f, const tcr_img_name_t *name);


/* --------------------------------------------------------------- routing */

/* Routing name of a DNS service (spec/routing.md §14). */
int tcr_dns_routed(tcr_dns_flow_t *f, const tcr_img_service_t *service);

/* Is the name the apex of a zone whose NS are edge-routed? */
bool tcr_dns_edge_apex(const tcr_dns_flow_t *f);

/*
 * Edge routing: NS of the answer's zone; addresses at the routing name of an
 * HTTP service.
 */
int tcr_dns_edge_ns(tcr_dns_flow_t *f);
int tcr_dns_edge_addresses(tcr_dns_flow_t *f, const tcr_img_service_t *s);

/*
 * What the log says of a name that nothing was routed for: where the client
 * is (spec/routing.md §9, LOCALIZED_DNS).
 */
void tcr_dns_localize(tcr_dns_flow_t *f);


#endif /* TCR_DNS_H_INCLUDED */
