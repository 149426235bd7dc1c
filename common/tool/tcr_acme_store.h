/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Challenges that `tcrouter acme` has set, in a file of the form that Traffic
 * Ops answers with (spec/inputs.md §8.5), so that one parser reads both.
 */

#ifndef TCR_ACME_STORE_H_INCLUDED
#define TCR_ACME_STORE_H_INCLUDED

#include "tcr_challenges.h"
#include "tcr_tool_dir.h"


typedef struct {
    tcr_str_t  name;              /* lower case, no final dot                */
    tcr_str_t  token;
    tcr_str_t  text;              /* of the TXT, in presentation form        */
    int64_t    set;               /* seconds since 1970                      */
} tcr_acme_item_t;

typedef struct {
    tcr_arena_t       *arena;
    tcr_tool_dir_t     dir;
    char              *path;      /* of the file                             */
    tcr_acme_item_t   *items;     /* room for one more than was read         */
    size_t             n;
} tcr_acme_store_t;


/*
 * Opens (and makes, mode 0755) the directory, takes its lock for as long as
 * the store is open, and reads the file, which may not be there.
 */
int tcr_acme_store_open(tcr_acme_store_t *s, const char *dir, tcr_err_t *err);
void tcr_acme_store_close(tcr_acme_store_t *s);

/* Lets others write; what was read stays. */
void tcr_acme_store_unlock(tcr_acme_store_t *s);

/*
 * Writes all items, mode 0644, after the fetcher's parser has taken each of
 * them; text is then that parser's.  The file is what it was when this fails.
 */
int tcr_acme_store_save(tcr_acme_store_t *s, tcr_err_t *err);


#endif /* TCR_ACME_STORE_H_INCLUDED */
