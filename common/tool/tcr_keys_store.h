/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The keys of a CDN without Traffic Ops, in a file of Traffic Ops' form
 * (spec/inputs.md §8.2), mode 0600, so that one parser reads both.  For
 * tcrouter keys.
 */

#ifndef TCR_KEYS_STORE_H_INCLUDED
#define TCR_KEYS_STORE_H_INCLUDED

#include "tcr_dnsseckeys.h"
#include "tcr_tool_dir.h"

#define TCR_KEYS_DIR    "/var/lib/tcrouter/keys"
#define TCR_KEYS_FILE   "dnsseckeys.json"
#define TCR_KEYS_KNOWN  "ds-known.json"


typedef struct {
    tcr_arena_t       *arena;
    tcr_tool_dir_t     dir;
    char              *path;      /* of the file                             */
    tcr_dnsseckeys_t   read;      /* what stood in the file; owns texts      */
    tcr_dnsseckey_t   *items;     /* what shall stand there                  */
    size_t             n;
    size_t             room;
} tcr_keys_store_t;


/*
 * Opens (and makes, mode 0700) the directory, takes its lock for as long as
 * the store is open, and reads the file, which may not be there.  A key that
 * cannot be used, or a file that others may read, is an error: nothing of it
 * must get lost.
 */
int tcr_keys_store_open(tcr_keys_store_t *s, const char *dir, tcr_err_t *err);
void tcr_keys_store_close(tcr_keys_store_t *s);

/* Adds a key; its strings are the store's arena's. */
int tcr_keys_store_add(tcr_keys_store_t *s, const tcr_dnsseckey_t *key,
    tcr_err_t *err);

/* Removes item i. */
void tcr_keys_store_remove(tcr_keys_store_t *s, size_t i);

/*
 * Writes all items, after the parser has read them back.  The file is what it
 * was when this fails.
 */
int tcr_keys_store_save(tcr_keys_store_t *s, tcr_err_t *err);


#endif /* TCR_KEYS_STORE_H_INCLUDED */
