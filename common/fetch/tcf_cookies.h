/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Cookies of one server, all by name (spec/inputs.md §8.0): Traffic Ops keeps
 * more than one for a session.  Values are secrets.
 */

#ifndef TCF_COOKIES_H_INCLUDED
#define TCF_COOKIES_H_INCLUDED

#include "tcr_err.h"

#define TCF_COOKIES_MAX  32
#define TCF_COOKIE_MS    (INT64_C(400) * 86400 * 1000)  /* longest age       */


typedef struct {
    char     *text;               /* NAME=VALUE                              */
    size_t    name_len;
    int64_t   until;              /* ticks, TCF_NEVER = not said             */
} tcf_cookie_t;

typedef struct {
    tcf_cookie_t  list[TCF_COOKIES_MAX];
    unsigned      n;
} tcf_cookies_t;


/*
 * Takes values of Set-Cookie (RFC 6265 §5.2), a line each, at ticks now and
 * wall time wall (ms).  What is no cookie is passed over, as are those beyond
 * the limit.
 */
void tcf_cookies_take(tcf_cookies_t *cookies, const char *lines, int64_t now,
    int64_t wall);

/* One NAME=VALUE; until <= now removes it. */
void tcf_cookies_add(tcf_cookies_t *cookies, tcr_str_t pair, int64_t until,
    int64_t now);

/* Is there one, and has none come to its end? */
bool tcf_cookies_fresh(const tcf_cookies_t *cookies, int64_t now);

/* Value of Cookie on the heap, to be wiped; NULL when memory is out. */
char *tcf_cookies_header(const tcf_cookies_t *cookies);

void tcf_cookies_forget(tcf_cookies_t *cookies);


#endif /* TCF_COOKIES_H_INCLUDED */
