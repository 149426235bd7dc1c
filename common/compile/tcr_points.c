/* SPDX-License-Identifier: Apache-2.0 */

/* Hash points of one name, and sorting them. */

#include "tcr_points.h"

#include <stdlib.h>

#include "tcr_buf.h"

#define DIGITS  16                /* "--" and 32 bits in decimal             */


bool
tcr_points_hash(tcr_md5_t *md5, tcr_str_t id, uint32_t n, uint32_t owner,
    tcr_hash_point_t *p)
{
    char       *text;
    double      place;
    uint32_t    i;
    tcr_out_t   out;

    text = malloc(id.len + DIGITS);

    if (text == NULL) {
        return false;
    }

    if (id.len != 0) {
        memcpy(text, id.data, id.len);
    }

    memcpy(text + id.len, "--", 2);

    for (i = 0; i < n; i++, p++) {
        out = (tcr_out_t) { text + id.len + 2, text + id.len + DIGITS, false };
        tcr_out_uint(&out, i);

        place = tcr_md5_point(md5,
                              tcr_str_n(text, (size_t) (out.pos - text)));
        memcpy(&p->bits, &place, sizeof(p->bits));
        p->owner = owner;
    }

    free(text);
    return true;
}


/*
 * Least significant byte first, eight passes that keep the order of equals;
 * a byte that all points share costs no pass.  The result is in p.
 */
static void
sort_points(tcr_hash_point_t *p, tcr_hash_point_t *scratch, size_t n)
{
    size_t             i, sum, k;
    size_t             counts[8][256];
    unsigned           byte, pass;
    tcr_hash_point_t  *from = p, *to = scratch, *swap;

    memset(counts, 0, sizeof(counts));

    for (i = 0; i < n; i++) {
        for (pass = 0; pass < 8; pass++) {
            counts[pass][p[i].bits >> (8 * pass) & 0xff]++;
        }
    }

    for (pass = 0; pass < 8; pass++) {

        if (counts[pass][from[0].bits >> (8 * pass) & 0xff] == n) {
            continue;
        }

        for (byte = 0, sum = 0; byte < 256; byte++) {
            k = counts[pass][byte];
            counts[pass][byte] = sum;
            sum += k;
        }

        for (i = 0; i < n; i++) {
            to[counts[pass][from[i].bits >> (8 * pass) & 0xff]++] = from[i];
        }

        swap = from;
        from = to;
        to = swap;
    }

    if (from != p) {
        memcpy(p, from, n * sizeof(*p));
    }
}


/* Equal points of one owner count once; of two owners, both stay. */
static size_t
drop_equal(tcr_hash_point_t *p, size_t n)
{
    size_t  i, kept;

    for (i = 0, kept = 0; i < n; i++) {
        if (kept != 0 && p[i].bits == p[kept - 1].bits
            && p[i].owner == p[kept - 1].owner)
        {
            continue;
        }

        p[kept++] = p[i];
    }

    return kept;
}


bool
tcr_points_sort(tcr_hash_point_t *p, size_t n, size_t *kept)
{
    tcr_hash_point_t  *scratch;

    *kept = 0;

    if (n == 0) {
        return true;
    }

    scratch = malloc(n * sizeof(*scratch));

    if (scratch == NULL) {
        return false;
    }

    sort_points(p, scratch, n);
    *kept = drop_equal(p, n);

    free(scratch);
    return true;
}
