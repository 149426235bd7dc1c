/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Great-circle distance.
 *
 * The order of the operations is the reference's: a last bit that differs can
 * turn two cache groups around.  Built with -ffp-contract=off for the same
 * reason.
 */

#include <math.h>

#include "tcr_distance.h"

#define EARTH_RADIUS  6371.0                  /* km, spec/routing.md §4.6    */
#define RADIANS       0.017453292519943295    /* pi / 180                    */


double
tcr_distance(tcr_point_t from, tcr_point_t to)
{
    double  a, half_lat, half_lon, lat1, lat2;

    half_lat = (to.lat - from.lat) * RADIANS / 2;
    half_lon = (to.lon - from.lon) * RADIANS / 2;
    lat1 = from.lat * RADIANS;
    lat2 = to.lat * RADIANS;

    a = sin(half_lat) * sin(half_lat)
        + cos(lat1) * cos(lat2) * sin(half_lon) * sin(half_lon);

    return EARTH_RADIUS * (2 * atan2(sqrt(a), sqrt(1 - a)));
}
