/* SPDX-License-Identifier: Apache-2.0 */

/* Wiped memory behaves as memory does; that it is wiped: t/fetch/secrets.t. */

#include "tcr_wipe.h"

#include <stdlib.h>

#include "tap.h"


int
main(void)
{
    char  *p, *q;

    p = tcr_wipe_realloc(NULL, 4);
    ok(p != NULL, "from nothing");

    if (p == NULL) {
        return done();
    }

    memcpy(p, "abc", 4);
    q = tcr_wipe_realloc(p, 2);
    ok(q == p, "less stays where it is");
    p = tcr_wipe_realloc(q, 100000);
    ok(p != NULL && p != q, "more is elsewhere");
    is_str(p, "abc", "with what was there");
    ok(tcr_wipe_realloc(p, 0) == NULL, "nothing gives it back");
    tcr_wipe_free(NULL);
    p = malloc(10);
    tcr_wipe_free(p);
    ok(1, "free, of nothing, too");

    return done();
}
