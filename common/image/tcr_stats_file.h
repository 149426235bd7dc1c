/* SPDX-License-Identifier: Apache-2.0 */

/* Mapping and making the stats file; for this room only. */

#ifndef TCR_STATS_FILE_H_INCLUDED
#define TCR_STATS_FILE_H_INCLUDED

#include "tcr_stats.h"

#define TCR_STATS_FILE  "stats"
#define TCR_STATS_MODE  0660      /* group tcrouter counts                   */


/* NULL with a reason: missing, a link, another format. */
tcr_stats_file_t *tcr_stats_map(int dirfd, bool writable, tcr_err_t *err);
void tcr_stats_unmap(tcr_stats_file_t *file);

/* Number of a name, 0 = it has none. */
uint32_t tcr_stats_look_up(const tcr_stats_file_t *file, tcr_str_t name);

/* Makes an empty file in the place of whatever stands there. */
int tcr_stats_create(int dirfd, tcr_err_t *err);


#endif /* TCR_STATS_FILE_H_INCLUDED */
