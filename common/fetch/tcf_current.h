/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Are the images in force made of the last good copies?  Asked at each start,
 * and cron starts us every minute: bytes are hashed, nothing is parsed.
 */

#ifndef TCF_CURRENT_H_INCLUDED
#define TCF_CURRENT_H_INCLUDED

#include "tcf_judge.h"


/*
 * Hash of everything that decides what a routing image looks like: version,
 * our name, the hash of each input (NULL = there is none), and whether the
 * last regional policy was refused.  Stands in the image's header as
 * source_sha256.
 */
int tcf_fingerprint(const char *router, const uint8_t *const hashes[],
    bool regional_fallback, uint8_t out[32]);

/* Without bodies only; false also when it cannot be said without parsing. */
bool tcf_is_current(const tcf_judgement_t *j);


#endif /* TCF_CURRENT_H_INCLUDED */
