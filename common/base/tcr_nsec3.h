/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Hashed owner names of NSEC3 (RFC 5155): how they are made, and their text,
 * base32 with the extended hex alphabet (RFC 4648 7), in lower case.
 */

#ifndef TCR_NSEC3_H_INCLUDED
#define TCR_NSEC3_H_INCLUDED

#include "tcr_str.h"

#define TCR_NSEC3_HASH  20        /* bytes of SHA-1, the only algorithm      */
#define TCR_NSEC3_TEXT  32        /* their text, without NUL                 */

/*
 * More iterations than this make validators take a zone for unsigned: BIND
 * since 9.16.48 and 9.18.24, as RFC 9276 3.2 lets them.  The salt's bound is
 * ours: longer ones help nobody.
 */
#define TCR_NSEC3_ITERATIONS_MAX  50
#define TCR_NSEC3_SALT_MAX        16


typedef struct {
    uint32_t   iterations;
    tcr_str_t  salt;              /* hexadecimal digits; absent or empty:
                                     none                                    */
} tcr_nsec3_params_t;

/* Even number of hexadecimal digits for at most TCR_NSEC3_SALT_MAX bytes? */
bool tcr_nsec3_is_salt(tcr_str_t text);


/* A prepared SHA-1; one per thread, reused. */
typedef struct tcr_nsec3_s  tcr_nsec3_t;

/* NULL when out of memory, or when the salt is none. */
tcr_nsec3_t *tcr_nsec3_create(const tcr_nsec3_params_t *params);
void tcr_nsec3_destroy(tcr_nsec3_t *n);

/* Name: lower case, no final dot.  -1: the library fails. */
int tcr_nsec3_hash(tcr_nsec3_t *n, tcr_str_t name,
    uint8_t hash[TCR_NSEC3_HASH]);


/* Both are safe inside a request.  -1: it is no such text, in either case. */
void tcr_nsec3_text(const uint8_t hash[TCR_NSEC3_HASH],
    char text[TCR_NSEC3_TEXT + 1]);
int tcr_nsec3_parse(tcr_str_t text, uint8_t hash[TCR_NSEC3_HASH]);


#endif /* TCR_NSEC3_H_INCLUDED */
