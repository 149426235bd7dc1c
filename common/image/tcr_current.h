/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The page "current": which files are in force.  Two tables and a word that
 * counts publications; table change & 1 is in force, the other one is being
 * filled or is the table before.  One writer (holder of the lock), any number
 * of readers, no lock between them.
 *
 * A reader copies the table and looks at the word again: only when the word
 * has moved meanwhile could the writer have touched what was copied.
 */

#ifndef TCR_CURRENT_H_INCLUDED
#define TCR_CURRENT_H_INCLUDED

#include <sys/types.h>

#include "tcr_err.h"
#include "tcr_image_format.h"

#define TCR_CURRENT_NAME  "current"


typedef struct {
    tcr_img_current_t  *page;     /* NULL = not open                         */
    dev_t               dev;
    ino_t               ino;
    uid_t               owner;
} tcr_current_t;


/*
 * Maps the page, for writing too where asked.  -1: missing, a link, not ours
 * to read (magic, version, byte order).  *missing (may be NULL) tells the
 * first from the others.
 */
int tcr_current_open(tcr_current_t *cur, int dirfd, bool writable,
    bool *missing, tcr_err_t *err);
void tcr_current_close(tcr_current_t *cur);

/* Is it still the file of that name in the directory? */
bool tcr_current_is_there(const tcr_current_t *cur, int dirfd);

/*
 * Makes a page without images and puts it into place, whatever was there.
 * owner: who shall own it, (uid_t) -1 = we.
 */
int tcr_current_create(int dirfd, uid_t owner, tcr_err_t *err);

/* Publications so far; safe inside a request. */
static inline uint64_t
tcr_current_change(const tcr_current_t *cur)
{
    return __atomic_load_n(&cur->page->change, __ATOMIC_ACQUIRE);
}


/* Consistent copy of the table in force; returns the change it belongs to. */
uint64_t tcr_current_read(const tcr_current_t *cur, tcr_img_table_t *table);

/* The table that is not in force: the one before, for the lock's holder. */
void tcr_current_before(const tcr_current_t *cur, tcr_img_table_t *table);

/* Puts a table into force.  Only for the lock's holder. */
void tcr_current_write(tcr_current_t *cur, const tcr_img_table_t *table);


#endif /* TCR_CURRENT_H_INCLUDED */
