/* SPDX-License-Identifier: Apache-2.0 */

/* Looking up certificates by host name. */

#ifndef TCR_CERTS_H_INCLUDED
#define TCR_CERTS_H_INCLUDED

#include "tcr_certs_format.h"
#include "tcr_image.h"


/*
 * How many certificates of a verified certs image are for the name, which is
 * in lower case: those of exactly that host, else those of the wildcard for
 * its first label (spec/inputs.md §8.1).  *first is the place of the first;
 * they differ in type.  Safe inside a request.
 */
uint32_t tcr_certs_find(const tcr_image_t *img, tcr_str_t name,
    uint32_t *first);


#endif /* TCR_CERTS_H_INCLUDED */
