/* SPDX-License-Identifier: Apache-2.0 */

/* Hashes as text: lower case, with a NUL. */

#ifndef TCF_HEX_H_INCLUDED
#define TCF_HEX_H_INCLUDED

#include "tcr_str.h"

#define TCF_HEX_SIZE  65


void tcf_hex(const uint8_t bytes[32], char text[TCF_HEX_SIZE]);

/* -1: not exactly n bytes. */
int tcf_unhex(tcr_str_t text, uint8_t *bytes, size_t n);


#endif /* TCF_HEX_H_INCLUDED */
