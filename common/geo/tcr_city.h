/* SPDX-License-Identifier: Apache-2.0 */

/* Look-ups in a GeoIP2/GeoLite2 City database (libmaxminddb). */

#ifndef TCR_CITY_H_INCLUDED
#define TCR_CITY_H_INCLUDED

#include "tcr_addr.h"
#include "tcr_distance.h"


typedef struct tcr_city_s  tcr_city_t;

/*
 * A found record.  Strings point into the mapped database: they are good
 * until tcr_city_close and must be copied to live longer.  Absent = NULL data.
 */
typedef struct {
    tcr_point_t  point;
    tcr_str_t    country_code;    /* country.iso_code                        */
    tcr_str_t    country_name;    /* country.names.en                        */
    tcr_str_t    city;            /* city.names.en                           */
    tcr_str_t    postal_code;     /* postal.code                             */
    bool         country_only;    /* no city, no postal code, no subdivision */
} tcr_city_record_t;


/*
 * Maps the database.  NULL: cannot open, corrupt, or a type without "City".
 * Not inside a request.
 */
tcr_city_t *tcr_city_open(const char *path, tcr_err_t *err);
void tcr_city_close(tcr_city_t *city);

/*
 * 1 found, 0 not found (no record, or one without latitude or longitude),
 * -1 the database is damaged there.  *scope = length of the prefix the answer
 * holds for, in the address's family, also when not found (scope may be
 * NULL).  Safe inside a request.
 */
int tcr_city_find(const tcr_city_t *city, const tcr_addr_t *addr,
    tcr_city_record_t *record, uint32_t *scope);


#endif /* TCR_CITY_H_INCLUDED */
