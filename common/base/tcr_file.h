/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Files: mapped for reading, replaced as a whole for writing.
 */

#ifndef TCR_FILE_H_INCLUDED
#define TCR_FILE_H_INCLUDED

#include "tcr_err.h"


typedef struct {
    tcr_str_t  text;              /* data != NULL even for an empty file     */
    void      *map;
    size_t     map_len;
} tcr_file_t;


/*
 * Maps a regular file privately, read-only.  -1: cannot open, not a regular
 * file, larger than max_bytes.
 */
int tcr_file_map(tcr_file_t *file, const char *path, uint64_t max_bytes,
    tcr_err_t *err);
void tcr_file_unmap(tcr_file_t *file);

/*
 * What root has just made in the directory of another belongs to that one, who
 * could not work with it otherwise.  Nothing to do for other users.
 */
int tcr_file_give(int fd, int dirfd, tcr_err_t *err);

/* All of it, or -1 with errno. */
int tcr_file_write(int fd, const void *data, size_t len);

/*
 * Writes data beside name in the directory dirfd, fsyncs, renames it over
 * name, fsyncs the directory.  On failure name is what it was, unless only the
 * last step failed.  A process killed meanwhile leaves ".NAME.PID.N" behind.
 * The file belongs to whom tcr_file_give says.
 */
int tcr_file_replace(int dirfd, const char *name, const void *data,
    size_t len, unsigned mode, tcr_err_t *err);


#endif /* TCR_FILE_H_INCLUDED */
