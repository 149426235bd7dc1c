/* SPDX-License-Identifier: Apache-2.0 */

/* Base64 (RFC 4648 4).  Safe inside a request. */

#ifndef TCR_BASE64_H_INCLUDED
#define TCR_BASE64_H_INCLUDED

#include "tcr_str.h"


/* Bytes that text of that length has at most. */
#define TCR_BASE64_SIZE(len)  ((len) / 4 * 3 + 3)


/*
 * Decodes into out, which has room for TCR_BASE64_SIZE(text.len) bytes.
 * MIME (RFC 2045 6.8): whatever is no base64 character is passed over, the
 * padding ends the text.  Plain: nothing else may be there, and the padding
 * must.  -1: not base64.
 */
int tcr_base64_mime(tcr_str_t text, uint8_t *out, size_t *n);
int tcr_base64_plain(tcr_str_t text, uint8_t *out, size_t *n);


#endif /* TCR_BASE64_H_INCLUDED */
