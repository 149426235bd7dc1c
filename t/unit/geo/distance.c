/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Distances as the reference computes them.
 *
 * Not to the last bit: its sine, cosine and arc tangent are those of a Java
 * virtual machine.  One unit in the last place of the angle may become two in
 * the product (spec/routing.md §4.6).
 */

#include <inttypes.h>

#include "jsonl.h"
#include "tap.h"
#include "tcr_distance.h"

#define ULP  2


static tcr_point_t
point(const tcr_json_t *pair)
{
    const tcr_json_t  *lat;

    lat = tcr_json_first(pair);
    return (tcr_point_t) { tcr_json_real(lat, 0), tcr_json_real(lat->next, 0) };
}


static int64_t
bits(double d)
{
    int64_t  n;

    memcpy(&n, &d, sizeof(n));
    return n;
}


int
main(void)
{
    double             km;
    size_t             equal, n;
    int64_t            got, want;
    jsonl_t            jsonl;
    const tcr_json_t  *line;

    equal = 0;
    n = 0;
    jsonl_open(&jsonl, "t/data/unit/geo.jsonl");

    while ((line = jsonl_next(&jsonl)) != NULL) {

        if (!jsonl_is(line, "kind", "distance")) {
            continue;
        }

        km = tcr_distance(point(tcr_json_get(line, "a")),
                          point(tcr_json_get(line, "b")));
        got = bits(km);
        want = strtoll(jsonl_str(line, "bits").data, NULL, 16);

        ok(got - want <= ULP && want - got <= ULP, "%.3f km", km);
        equal += got == want;
        n++;
    }

    jsonl_close(&jsonl);
    printf("# %zu of %zu equal in every bit\n", equal, n);
    ok(n > 100, "recorded distances");

    return done();
}
