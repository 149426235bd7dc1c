/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The file with the name and the password for Traffic Ops:
 *
 *     user: NAME
 *     password: WORD
 */

#ifndef TCF_CREDENTIALS_H_INCLUDED
#define TCF_CREDENTIALS_H_INCLUDED

#include "tcr_err.h"


/*
 * The file as the body of a log-in ({"u":…,"p":…}), on the heap, to be wiped.
 * NULL: it cannot be read, others may read it, or it is not as above; no
 * reason ever has a value of the file in it.
 */
char *tcf_credentials_read(const char *path, tcr_err_t *err);

/* Is it as it has to be?  For checks: -1 with the reason. */
int tcf_credentials_check(const char *path, tcr_err_t *err);


#endif /* TCF_CREDENTIALS_H_INCLUDED */
