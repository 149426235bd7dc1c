/* SPDX-License-Identifier: Apache-2.0 */

/*
 * "did you mean": optimal string alignment distance, upper and lower case
 * and "-" and "_" being equal.
 */

#include "tcr_schema.h"

#define NEAR_MAX  48              /* longer names are not compared           */


static char
plain(char c)
{
    return c == '-' ? '_' : tcr_lower(c);
}


static size_t
least(size_t a, size_t b)
{
    return a < b ? a : b;
}


static size_t
distance(tcr_str_t a, tcr_str_t b)
{
    bool    same;
    size_t  i, k, d[NEAR_MAX + 1][NEAR_MAX + 1];

    for (i = 0; i <= a.len; i++) {
        d[i][0] = i;
    }

    for (k = 0; k <= b.len; k++) {
        d[0][k] = k;
    }

    for (i = 1; i <= a.len; i++) {
        for (k = 1; k <= b.len; k++) {
            same = plain(a.data[i - 1]) == plain(b.data[k - 1]);

            d[i][k] = least(d[i - 1][k - 1] + !same,
                            least(d[i - 1][k], d[i][k - 1]) + 1);

            if (i > 1 && k > 1
                && plain(a.data[i - 1]) == plain(b.data[k - 2])
                && plain(a.data[i - 2]) == plain(b.data[k - 1]))
            {
                d[i][k] = least(d[i][k], d[i - 2][k - 2] + 1);
            }
        }
    }

    return d[a.len][b.len];
}


const char *
tcr_schema_near(tcr_str_t misspelt, const char *const *names, size_t n)
{
    size_t       i, far, best;
    tcr_str_t    name;
    const char  *found = NULL;

    if (misspelt.len == 0 || misspelt.len > NEAR_MAX) {
        return NULL;
    }

    best = misspelt.len / 3 + 1;

    for (i = 0; i < n; i++) {
        name = tcr_str(names[i]);

        if (name.len > NEAR_MAX) {
            continue;
        }

        far = distance(misspelt, name);

        if (far <= best && far < misspelt.len
            && (found == NULL || far < best))
        {
            best = far;
            found = names[i];
        }
    }

    return found;
}
