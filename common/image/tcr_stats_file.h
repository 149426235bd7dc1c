/* SPDX-License-Identifier: Apache-2.0 */

/* Mapping and making the stats file; for this room only. */

#ifndef TCR_STATS_FILE_H_INCLUDED
#define TCR_STATS_FILE_H_INCLUDED

#include "tcr_stats.h"

#define TCR_STATS_FILE  "stats"
#define TCR_STATS_MODE  0660      /* group tcrouter counts                   */


/*
 * NULL with a reason: missing, a link, another format.  fd: NULL for reading
 * only, else where the descriptor of the writable file goes.
 */
tcr_stats_file_t *tcr_stats_map(int dirfd, int *fd, tcr_err_t *err);
void tcr_stats_unmap(tcr_stats_file_t *file);

/*
 * Names so far and one of them, name < TCR_STATS_NAMES.  Whoever counts could
 * write anything there: never more than there is room for.
 */
uint32_t tcr_stats_count(const tcr_stats_file_t *file);
tcr_str_t tcr_stats_text(const tcr_stats_file_t *file, uint32_t name);

/* Number of a name, 0 = it has none. */
uint32_t tcr_stats_look_up(const tcr_stats_file_t *file, tcr_str_t name);

/*
 * Makes an empty file in the place of whatever stands there, sparse but for
 * what may be touched before tcr_stats_reserve().
 */
int tcr_stats_create(int dirfd, tcr_err_t *err);

/*
 * Space for a slot's counters, before they are touched: a page that a full
 * file system cannot give ends the process with SIGBUS.  -1 with errno.
 */
int tcr_stats_reserve(int fd, uint32_t slot);


#endif /* TCR_STATS_FILE_H_INCLUDED */
