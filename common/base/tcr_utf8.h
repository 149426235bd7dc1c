/* SPDX-License-Identifier: Apache-2.0 */

/*
 * UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above
 * U+10FFFF.  Safe inside a request.
 */

#ifndef TCR_UTF8_H_INCLUDED
#define TCR_UTF8_H_INCLUDED

#include "tcr_str.h"


/* Bytes of the character at p (1..4), 0 when those bytes are none. */
size_t tcr_utf8_len(const char *p, size_t left);

/* The same, with the character in *code. */
size_t tcr_utf8_get(const char *p, size_t left, uint32_t *code);

/* Writes a character of at most U+10FFFF, returns its 1..4 bytes. */
size_t tcr_utf8_put(char out[4], uint32_t code);


#endif /* TCR_UTF8_H_INCLUDED */
