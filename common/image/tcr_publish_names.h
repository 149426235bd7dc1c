/* SPDX-License-Identifier: Apache-2.0 */

/* For the publisher: names that the counters must know. */

#ifndef TCR_PUBLISH_NAMES_H_INCLUDED
#define TCR_PUBLISH_NAMES_H_INCLUDED

#include "tcr_image.h"


/*
 * Registers the routing names of a routing image's services in the stats
 * file; makes the file where there is none.  A failure only means that these
 * services are counted as "other".
 */
void tcr_publish_names(int dirfd, const tcr_image_t *routing);


#endif /* TCR_PUBLISH_NAMES_H_INCLUDED */
