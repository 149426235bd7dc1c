/* SPDX-License-Identifier: Apache-2.0 */

/* What a program that holds secrets gives up when it starts. */

#ifndef TCR_HARDEN_H_INCLUDED
#define TCR_HARDEN_H_INCLUDED


/*
 * No core dump, to a file or to a program; other processes of the same user
 * can neither trace this one nor read its memory (prctl(2), PR_SET_DUMPABLE);
 * nothing that it starts gains privileges (PR_SET_NO_NEW_PRIVS).  For main().
 */
void tcr_harden(void);


#endif /* TCR_HARDEN_H_INCLUDED */
