/* SPDX-License-Identifier: Apache-2.0 */

/*
 * JSON written member by member into a tcr_buf_t, commas and quotes included;
 * and numbers as text.  For those who only write: the reader is a library of
 * its own.
 *
 *     tcr_jw_open(&w, NULL, '{');
 *     tcr_jw_str(&w, "id", id);
 *     tcr_jw_close(&w, '}');
 *
 * name NULL: an element of an array, or the whole document.  Names are
 * written as they are.  Failures are the buffer's: check it once.
 */

#ifndef TCR_JW_H_INCLUDED
#define TCR_JW_H_INCLUDED

#include "tcr_buf.h"


typedef struct {
    tcr_buf_t  *buf;
    bool        more;             /* the next value is not the first         */
} tcr_jw_t;


static inline tcr_jw_t
tcr_jw(tcr_buf_t *buf)
{
    return (tcr_jw_t) { buf, false };
}


/* bracket: '{' or '['; '}' or ']' */
void tcr_jw_open(tcr_jw_t *w, const char *name, char bracket);
void tcr_jw_close(tcr_jw_t *w, char bracket);

/* data == NULL is null */
void tcr_jw_str(tcr_jw_t *w, const char *name, tcr_str_t s);
void tcr_jw_int(tcr_jw_t *w, const char *name, int64_t n);
void tcr_jw_uint(tcr_jw_t *w, const char *name, uint64_t n);
void tcr_jw_bool(tcr_jw_t *w, const char *name, bool b);
void tcr_jw_null(tcr_jw_t *w, const char *name);
void tcr_jw_real(tcr_jw_t *w, const char *name, double d);

/* The name is text of others: it is escaped.  data == NULL: no name. */
void tcr_jw_open_named(tcr_jw_t *w, tcr_str_t name, char bracket);
void tcr_jw_str_named(tcr_jw_t *w, tcr_str_t name, tcr_str_t s);


#define TCR_REAL_TEXT  40

/* Shortest text that reads back as d; "null" for what is no number. */
size_t tcr_real_text(double d, char out[TCR_REAL_TEXT]);

/*
 * As Java's Double.toString shows it: "41.0", "-74.006", "1.0E-5".
 */
size_t tcr_real_java(double d, char out[TCR_REAL_TEXT]);


#endif /* TCR_JW_H_INCLUDED */
