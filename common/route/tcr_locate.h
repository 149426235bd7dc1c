/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside the engine only: localisation, "which cache group serves this
 * client" (spec/routing.md §4).  One tcr_locate_t per service and question.
 */

#ifndef TCR_LOCATE_H_INCLUDED
#define TCR_LOCATE_H_INCLUDED

#include "tcr_usable.h"


/* What of a request is hashed, and its place on the line. */
typedef struct {
    tcr_str_t  text;              /* data == NULL: not known yet             */
    double     place;
} tcr_hashed_t;


typedef struct {
    /* the question */
    tcr_view_t               *view;
    const tcr_cdn_t          *cdn;
    const tcr_img_service_t  *service;
    tcr_addr_t                client;       /* family 0: not an address      */
    uint32_t                  family;       /* for availability: 4 or 6      */
    tcr_trace_t              *trace;
    tcr_hashed_t              hashed;       /* to be looked for where found  */

    /* the way to the answer */
    bool                      geo_allowed;  /* the zone did not forbid it    */
    bool                      from_backup;
    tcr_city_record_t         city;         /* of the client, when asked     */
    int                       city_found;   /* tcr_city_find, -2: not asked  */

    /* the answer */
    tcr_result_e              result;
    tcr_details_e             details;
    bool                      has_point;    /* rloc                          */
    tcr_point_t               point;
    uint32_t                  scope;        /* widest prefix with this answer */
    tcr_str_t                 redirect_url; /* GEO_REDIRECT elsewhere        */
    tcr_str_t                 redirect_path;/* GEO_REDIRECT on the own cache */
    tcr_usable_t              usable;       /* of the chosen location        */
} tcr_locate_t;


void tcr_locate_init(tcr_locate_t *l, tcr_view_t *view,
    const tcr_img_service_t *service, const tcr_addr_t *client,
    uint32_t family, tcr_trace_t *trace);

/*
 * Coverage zone (deep: the deep file) of the client, with backups and the
 * closest group standing in.  The group has usable caches (in l->usable)
 * unless NULL.  The service may be disabled there: the caller looks.
 */
const tcr_img_group_t *tcr_locate_zone(tcr_locate_t *l, bool deep);

/*
 * By geography.  from = group that the zone look-up found but the service is
 * disabled in, or NULL: then the database is asked and geo limits apply.
 * True: usable caches in l->usable, or (HTTP) l->redirect_url is set.
 */
bool tcr_locate_geo(tcr_locate_t *l, const tcr_img_group_t *from);

/*
 * The database's record of the client, in l->city: as tcr_city_find.  Asked
 * once per question.
 */
int tcr_locate_city(tcr_locate_t *l);

/*
 * geoLimitRedirectURL of the service, which must have one.  True as above;
 * for a URL of the service itself l->redirect_path is set beside the caches.
 */
bool tcr_locate_redirect(tcr_locate_t *l);

/*
 * The whole order of an HTTP question.  True as above; false: result and
 * details say why there is nothing.
 */
bool tcr_locate_http(tcr_locate_t *l, bool use_deep);


#endif /* TCR_LOCATE_H_INCLUDED */
