/* SPDX-License-Identifier: Apache-2.0 */

/* New DNSSEC keys, as texts.  For tcrouter keys. */

#ifndef TCR_KEYS_MAKE_H_INCLUDED
#define TCR_KEYS_MAKE_H_INCLUDED

#include "tcr_err.h"


/* Number of an algorithm that keys are made for; 0 = none of that name. */
unsigned tcr_keys_algorithm(const char *name);

/* Its name; NULL for another number. */
const char *tcr_keys_algorithm_name(unsigned number);

/* All of these names, for messages. */
const char *tcr_keys_algorithms(void);


/*
 * A new pair: the public part in base64 (RFC 3110, 6605, 8080), the private one
 * as BIND's text.  Both are in the arena; wiping the private one is for the
 * caller.  -1 when OpenSSL fails.
 */
int tcr_keys_make(unsigned algorithm, tcr_arena_t *arena,
    tcr_str_t *public_key, tcr_str_t *private_key, tcr_err_t *err);


#endif /* TCR_KEYS_MAKE_H_INCLUDED */
