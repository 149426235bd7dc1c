/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside this room only: what all MaxMind databases have in common.  The
 * tree walk and the decoder are libmaxminddb's.  Values are fetched with
 * MMDB_aget_value and static paths: the variadic form allocates.
 */

#ifndef TCR_MMDB_H_INCLUDED
#define TCR_MMDB_H_INCLUDED

#include <maxminddb.h>

#include "tcr_addr.h"


/*
 * Maps a database whose type has `word` in it ("City").  -1: cannot open,
 * cut, corrupt, or of another type; nothing is left open then.
 */
int tcr_mmdb_open(MMDB_s *mmdb, const char *path, const char *word,
    tcr_err_t *err);

/* 1 there is a record, 0 there is none, -1 damaged.  Request-safe. */
int tcr_mmdb_find(const MMDB_s *mmdb, const tcr_addr_t *addr,
    MMDB_lookup_result_s *result);

/* 1 there, 0 not there, -1 damaged.  Request-safe. */
int tcr_mmdb_value(MMDB_entry_s *entry, const char *const *path,
    MMDB_entry_data_s *data);


#endif /* TCR_MMDB_H_INCLUDED */
