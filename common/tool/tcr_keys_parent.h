/* SPDX-License-Identifier: Apache-2.0 */

/*
 * One question to a resolver: which DS has the parent of a zone?  For tcrouter
 * keys.
 */

#ifndef TCR_KEYS_PARENT_H_INCLUDED
#define TCR_KEYS_PARENT_H_INCLUDED

#include "tcr_err.h"

#define TCR_PARENT_DS  64         /* most DS of a zone that are read         */


typedef struct {
    tcr_str_t  ds[TCR_PARENT_DS]; /* "TAG ALGORITHM TYPE DIGEST"             */
    size_t     n;
    uint32_t   ttl;               /* with which the parent gave them: no
                                     cache keeps an older set for longer     */
    bool       secure;            /* the resolver has validated them         */
} tcr_parent_t;


/*
 * resolver: "ADDR", "ADDR:PORT" or "[ADDR]:PORT".  Texts are in the arena.  No
 * DS is an answer, too; -1: no answer, or one that is none.
 */
int tcr_keys_parent(tcr_str_t zone, const char *resolver, tcr_arena_t *arena,
    tcr_parent_t *out, tcr_err_t *err);

/* Reads a message; separate for tests. */
int tcr_keys_parent_read(const uint8_t *message, size_t n, uint16_t id,
    tcr_str_t zone, tcr_arena_t *arena, tcr_parent_t *out, tcr_err_t *err);


#endif /* TCR_KEYS_PARENT_H_INCLUDED */
