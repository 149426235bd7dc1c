/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Last good copies in the state directory (/var/lib/tcrouter): what was
 * accepted, byte for byte.  A copy is replaced as a whole; the one before
 * stays as "NAME.1" in case that the newer one turns out to be damaged.
 */

#ifndef TCF_STORE_H_INCLUDED
#define TCF_STORE_H_INCLUDED

#include <limits.h>

#include "tcr_file.h"

#define TCF_OLDER  ".1"


typedef struct {
    const char  *path;            /* where is written                        */
    int          dirfd;
    const char  *lower;           /* where is read what is not in path; NULL */
    char         own[64];         /* a directory of our own to be removed    */
} tcf_store_t;


/* Opens (and makes, mode 0755) the directory; path is kept by pointer. */
int tcf_store_open(tcf_store_t *store, const char *path, tcr_err_t *err);

/*
 * For runs that must leave no trace: reads what is in path, writes into a
 * temporary directory that tcf_store_close removes.
 */
int tcf_store_open_dry(tcf_store_t *store, const char *path, tcr_err_t *err);
void tcf_store_close(tcf_store_t *store);

/* Removes what a killed tcf_store_put of that name has left; lock held. */
void tcf_store_clean(const tcf_store_t *store, const char *name);

/* Maps a copy.  older: the one before.  *missing tells that there is none. */
int tcf_store_map(const tcf_store_t *store, const char *name, bool older,
    tcr_file_t *file, bool *missing, tcr_err_t *err);

/* Path of a copy for those who open it themselves; too long = cut. */
void tcf_store_path(const tcf_store_t *store, const char *name, bool older,
    char *path, size_t size);

/* Does the path lead into the temporary directory of a dry run? */
bool tcf_store_is_own(const tcf_store_t *store, const char *path);

/* Are these the bytes of the copy? */
bool tcf_store_same(const tcf_store_t *store, const char *name,
    const void *data, size_t len);

/* Replaces a copy.  -1: the old one is still there. */
int tcf_store_put(const tcf_store_t *store, const char *name,
    const void *data, size_t len, unsigned mode, tcr_err_t *err);


#endif /* TCF_STORE_H_INCLUDED */
