/* SPDX-License-Identifier: Apache-2.0 */

/* Great-circle distance (spec/routing.md §4.6). */

#ifndef TCR_DISTANCE_H_INCLUDED
#define TCR_DISTANCE_H_INCLUDED

typedef struct {
    double  lat;                  /* degrees */
    double  lon;
} tcr_point_t;


/* Kilometres on a sphere of radius 6371.0 km.  Safe inside a request. */
double tcr_distance(tcr_point_t from, tcr_point_t to);


#endif /* TCR_DISTANCE_H_INCLUDED */
