/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Text that grows, with the size at which growing becomes an error; and a
 * writer into a fixed place for the request path.
 */

#ifndef TCR_BUF_H_INCLUDED
#define TCR_BUF_H_INCLUDED

#include "tcr_str.h"


/* Heap buffer.  After the first failure every call is a no-op: check once. */
typedef struct {
    char    *data;
    size_t   len;
    size_t   size;
    size_t   too_big;             /* more than this many bytes is a failure  */
    bool     failed;
} tcr_buf_t;


void tcr_buf_init(tcr_buf_t *buf, size_t too_big);
void tcr_buf_free(tcr_buf_t *buf);
void tcr_buf_reset(tcr_buf_t *buf);
void tcr_buf_add(tcr_buf_t *buf, const void *data, size_t len);
void tcr_buf_str(tcr_buf_t *buf, tcr_str_t s);
void tcr_buf_char(tcr_buf_t *buf, char c);
void tcr_buf_printf(tcr_buf_t *buf, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* JSON string with quotes; invalid UTF-8 becomes U+FFFD. */
void tcr_buf_json_str(tcr_buf_t *buf, tcr_str_t s);


/*
 * Fixed place, never allocates, safe inside a request.  What does not fit is
 * cut and noted in `cut`.
 */
typedef struct {
    char  *pos;
    char  *end;
    bool   cut;
} tcr_out_t;


static inline void
tcr_out_char(tcr_out_t *out, char c)
{
    if (out->pos < out->end) {
        *out->pos++ = c;

    } else {
        out->cut = true;
    }
}


void tcr_out_str(tcr_out_t *out, tcr_str_t s);

/* Decimal digits of n. */
void tcr_out_uint(tcr_out_t *out, uint64_t n);

/*
 * Text of a message: control bytes become "\xHH", for names from the network
 * must not be able to forge lines.
 */
void tcr_out_plain(tcr_out_t *out, const char *text);


#endif /* TCR_BUF_H_INCLUDED */
