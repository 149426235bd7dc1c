/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Sixteen bytes of text looked at together.  Hardly any text holds a byte
 * that needs work, and to see that it holds none is most of the work.  The
 * last piece of a text may overlap the one before it.  Safe inside a request.
 */

#ifndef TCR_PIECE_H_INCLUDED
#define TCR_PIECE_H_INCLUDED

#include "tcr_str.h"

#define TCR_PIECE  16


/* Signed: bytes from 0x80 on are below 0. */
typedef signed char  tcr_piece_t  __attribute__((vector_size(TCR_PIECE)));


static inline tcr_piece_t
tcr_piece(const char *bytes)
{
    tcr_piece_t  piece;

    memcpy(&piece, bytes, sizeof(piece));
    return piece;
}


/* Is a comparison of pieces true for any byte? */
static inline bool
tcr_piece_any(tcr_piece_t found)
{
    uint64_t  half[2];

    memcpy(half, &found, sizeof(half));
    return (half[0] | half[1]) != 0;
}


#endif /* TCR_PIECE_H_INCLUDED */
