/* SPDX-License-Identifier: Apache-2.0 */

/* Hash points of caches and groups (spec/routing.md §6.1, §6.2). */

#include "small.h"
#include "tcr_digest.h"

#define HASHED(id, group, hash)                                               \
    "\"" id "\":{\"fqdn\":\"" id ".example.net\",\"port\":80,"                \
    "\"locationId\":\"" group "\",\"ip\":\"192.0.2.1\"" hash "}"


/* How often does the group have this point of this owner? */
static int
count_point(const compiled_t *t, const char *group, double point,
    uint32_t owner)
{
    int                     n = 0;
    uint32_t                i;
    const double           *points;
    const uint32_t         *owners;
    const tcr_img_group_t  *g = group_of(t, group);

    points = tcr_image_vec(&t->img, &g->points);
    owners = tcr_image_vec(&t->img, &g->owners);

    for (i = 0; i < g->points.n; i++) {
        n += points[i] == point && owners[i] == owner;
    }

    return n;
}


/* Every hash id "--" i of the owner is there once. */
static bool
all_points(const compiled_t *t, const char *group, const char *id, int n,
    uint32_t owner)
{
    int         i;
    bool        good = true;
    char        text[64];
    tcr_md5_t  *md5 = tcr_md5_create();

    for (i = 0; i < n; i++) {
        snprintf(text, sizeof(text), "%s--%d", id, i);
        good = good && count_point(t, group, tcr_md5_point(md5, tcr_str(text)),
                                   owner) == 1;
    }

    tcr_md5_destroy(md5);
    return good;
}


static bool
ascending(const compiled_t *t, const tcr_img_vec_t *vec)
{
    uint32_t       i;
    const double  *points = tcr_image_vec(&t->img, vec);

    for (i = 1; i < vec->n; i++) {
        if (points[i] < points[i - 1]) {
            return false;
        }
    }

    return true;
}


static bool
same_points(const compiled_t *a, const compiled_t *b, const char *group)
{
    const tcr_img_group_t  *x = group_of(a, group);
    const tcr_img_group_t  *y = group_of(b, group);

    return x->points.n == y->points.n
           && memcmp(tcr_image_vec(&a->img, &x->points),
                     tcr_image_vec(&b->img, &y->points),
                     x->points.n * sizeof(double)) == 0
           && memcmp(tcr_image_vec(&a->img, &x->owners),
                     tcr_image_vec(&b->img, &y->owners),
                     x->owners.n * sizeof(uint32_t)) == 0;
}


/*
 * Lists are taken from the previous image where the group is the same, and
 * nowhere else: whatever the history, the image is that of the snapshot.
 */
static void
history(const char *what, const parts_t *before, const char *deep_before,
    const parts_t *after, const char *deep_after)
{
    compiled_t  old, fresh, next;
    sources_t   from = { .deep = deep_before };

    compile_small(&old, before, &from);
    from.deep = deep_after;
    compile_small(&fresh, after, &from);
    from.previous = &old.img;
    compile_small(&next, after, &from);

    ok(same_points(&fresh, &next, "east") && same_points(&fresh, &next, "west"),
       "points of groups: %s", what);
    is_int(cache_of(&next, "two")->points.n, cache_of(&fresh, "two")->points.n,
           "points of a cache: %s", what);
    compiled_free(&old);
    compiled_free(&fresh);
    compiled_free(&next);
}


static void
histories(void)
{
    const char  *deep = "{\"deepCoverageZones\":{\"d\":{\"network\":[],"
                        "\"network6\":[],\"caches\":[\"two\"]}}}";
    parts_t      p = { .caches =
        HASHED("one", "east", ",\"hashCount\":20") ","
        HASHED("two", "east", ",\"hashCount\":30") ","
        HASHED("three", "west", "") };
    parts_t      count = { .caches =
        HASHED("one", "east", ",\"hashCount\":20") ","
        HASHED("two", "east", ",\"hashCount\":31") ","
        HASHED("three", "west", "") };
    parts_t      order = { .caches =
        HASHED("two", "east", ",\"hashCount\":30") ","
        HASHED("one", "east", ",\"hashCount\":20") ","
        HASHED("three", "west", "") };
    parts_t      id = { .caches =
        HASHED("one", "east", ",\"hashCount\":20,\"hashId\":\"uno\"") ","
        HASHED("two", "east", ",\"hashCount\":30") ","
        HASHED("three", "west", "") };
    parts_t      more = { .caches =
        HASHED("one", "east", ",\"hashCount\":20") ","
        HASHED("two", "east", ",\"hashCount\":30") ","
        HASHED("four", "east", ",\"hashCount\":30") ","
        HASHED("three", "west", "") };

    history("the same", &p, NULL, &p, NULL);
    history("another count", &p, NULL, &count, NULL);
    history("another order", &p, NULL, &order, NULL);
    history("another hash id", &p, NULL, &id, NULL);
    history("a cache more", &p, NULL, &more, NULL);
    history("a cache less", &more, NULL, &p, NULL);
    history("now in a deep location", &p, NULL, &p, deep);
    history("still in a deep location", &p, deep, &p, deep);
    history("no longer in one", &p, deep, &p, NULL);
}


int
main(void)
{
    compiled_t       t;
    const double    *own;
    sources_t        from = {
        .deep = "{\"deepCoverageZones\":{\"d\":{\"network\":[],"
                "\"network6\":[],\"caches\":[\"three\"]}}}" };
    parts_t          p = {
        .caches = HASHED("edge-cache-000", "east", "") ","
                  HASHED("two", "east", ",\"hashId\":\"same\","
                                        "\"hashCount\":\"300\"") ","
                  HASHED("three", "east", ",\"hashId\":\"same\","
                                          "\"hashCount\":5") ","
                  HASHED("zero", "west", ",\"hashCount\":0") };

    compile_small(&t, &p, &from);

    /* a recorded value of the reference */
    is_int(count_point(&t, "east", 9.444617586748825e36, 0), 1,
           "edge-cache-000--0");
    is_int(group_of(&t, "east")->points.n, 1305, "points of three caches");
    is_int(group_of(&t, "east")->owners.n, 1305, "each with its owner");
    ok(ascending(&t, &group_of(&t, "east")->points), "in order");
    ok(all_points(&t, "east", "edge-cache-000", 1000, 0),
       "1000 of the id by default");
    ok(all_points(&t, "east", "same", 300, 1), "300 of a hash id");
    ok(all_points(&t, "east", "same", 5, 2),
       "equal points of two caches belong to both");
    is_int(group_of(&t, "west")->points.n, 1000, "0 is the default");

    is_int(cache_of(&t, "three")->points.n, 5, "a deep member's own points");
    ok(ascending(&t, &cache_of(&t, "three")->points), "in order");
    own = tcr_image_vec(&t.img, &cache_of(&t, "three")->points);
    is_int(count_point(&t, "east", own[4], 2), 1, "which are its own");
    is_int(cache_of(&t, "two")->points.n, 0, "others have none");
    compiled_free(&t);

    histories();
    return done();
}
