/* SPDX-License-Identifier: Apache-2.0 */

/* Domain names as they go over the wire (RFC 1035 3.1). */

#ifndef TCR_WIRE_H_INCLUDED
#define TCR_WIRE_H_INCLUDED

#include "tcr_str.h"

#define TCR_WIRE_MAX  255         /* RFC 1035 2.3.4                          */


/*
 * Length of the name, which is legal, without escapes and without a final dot;
 * what would not fit is left out.  Safe inside a request.
 */
size_t tcr_wire_name(tcr_str_t name, uint8_t wire[TCR_WIRE_MAX]);


#endif /* TCR_WIRE_H_INCLUDED */
