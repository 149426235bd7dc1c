/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Strings as pointer and length.  They are views: whoever made the bytes owns
 * them.  A string may hold any byte and need not end in NUL.  data == NULL
 * means "absent"; an empty string has data != NULL and len == 0.
 * Everything here is safe inside a request.
 */

#ifndef TCR_STR_H_INCLUDED
#define TCR_STR_H_INCLUDED

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>


typedef struct {
    const char  *data;
    size_t       len;
} tcr_str_t;


/* printf arguments for "%.*s" */
#define TCR_STR_ARG(s)   (int) (s).len, (s).data ? (s).data : ""

#define TCR_STR(literal)                                                      \
    ((tcr_str_t) { (literal), sizeof(literal) - 1 })


static inline tcr_str_t
tcr_str(const char *z)
{
    return (tcr_str_t) { z, z ? strlen(z) : 0 };
}


static inline tcr_str_t
tcr_str_n(const char *data, size_t len)
{
    return (tcr_str_t) { data, len };
}


static inline bool
tcr_str_eq(tcr_str_t a, tcr_str_t b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}


/* ASCII lower case, whatever the locale. */
static inline char
tcr_lower(char c)
{
    return (c >= 'A' && c <= 'Z') ? (char) (c + 32) : c;
}


/* Equal but for ASCII case. */
bool tcr_str_ieq(tcr_str_t a, tcr_str_t b);

/* Byte order, shorter first when one is a prefix: <0, 0, >0. */
int tcr_str_cmp(tcr_str_t a, tcr_str_t b);

/* First place of c, or len when there is none. */
size_t tcr_str_find(tcr_str_t s, char c);

/* Without leading and trailing blanks (bytes <= 0x20). */
tcr_str_t tcr_str_trim(tcr_str_t s);

bool tcr_str_starts(tcr_str_t s, tcr_str_t prefix);
bool tcr_str_ends(tcr_str_t s, tcr_str_t suffix);

/*
 * Takes the text before the first sep off *rest and returns it; *rest becomes
 * what follows, or absent after the last piece.
 */
tcr_str_t tcr_str_split(tcr_str_t *rest, char sep);

/* Whole-string unsigned decimal in min..max; -1 when it is anything else. */
int tcr_parse_uint(tcr_str_t s, uint64_t min, uint64_t max, uint64_t *out);

/*
 * The hash of every look-up table in an image, eight bytes a step: a question
 * takes several.  It has no secret, so no table may hold keys of clients.
 * Another hash is another TCR_IMAGE_VERSION and TCR_STATS_VERSION.
 */
uint64_t tcr_str_hash(tcr_str_t s);


#endif /* TCR_STR_H_INCLUDED */
