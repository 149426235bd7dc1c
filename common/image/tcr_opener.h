/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Opening large images beside the requests.  Verifying fifty megabytes takes
 * tens of milliseconds; a server that has images in force lets a thread do
 * that and goes on answering from the old ones.
 *
 * The thread touches nothing but what is handed to it; every signal is
 * blocked in it, so that those of the server reach the server.
 */

#ifndef TCR_OPENER_H_INCLUDED
#define TCR_OPENER_H_INCLUDED

#include "tcr_image.h"

typedef struct tcr_opener_s  tcr_opener_t;


/*
 * Starts opening the slots of the mask as the table names them.  NULL: no
 * memory or no thread; then the caller opens them itself.
 */
tcr_opener_t *tcr_opener_start(int dirfd, const tcr_img_table_t *table,
    uint32_t slots);

/* Has it come to its end?  Safe inside a request. */
bool tcr_opener_done(const tcr_opener_t *opener);

/* Was that image asked for, and not taken yet? */
bool tcr_opener_has(const tcr_opener_t *opener, tcr_slot_e slot,
    uint64_t number);

/*
 * After the end: 1 = img is that slot's image of that number, the caller's
 * from now on; -1 = it was refused, err says why; 0 = it was not asked for.
 */
int tcr_opener_take(tcr_opener_t *opener, tcr_slot_e slot, uint64_t number,
    tcr_image_t *img, tcr_err_t *err);

/* Waits for the end and closes what nobody took.  opener may be NULL. */
void tcr_opener_finish(tcr_opener_t *opener);


#endif /* TCR_OPENER_H_INCLUDED */
