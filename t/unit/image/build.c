/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The builder: strings, arrays, maps, alignment, what happens behind a
 * failure; and the dump of what was built.
 */

#include "fixture.h"

#include "tap.h"
#include "tcr_json.h"


static void
strings(void)
{
    char            text[32];
    size_t          i;
    uint32_t        again = 0;
    tcr_build_t    *b;
    tcr_img_str_t   refs[5000], one, two;

    b = tcr_build_create(TCR_SLOT_HEALTH, sizeof(tcr_img_health_t));

    is_int(tcr_build_str(b, tcr_str(NULL)), 0, "an absent string is 0");
    ok(S("") != 0, "an empty one is not");
    is_int(S("one"), S("one"), "equal strings stand once");
    ok(S("one") != S("two"), "others do not");

    one = tcr_build_str_copy(b, TCR_STR("one"));
    two = tcr_build_str_copy(b, TCR_STR("one"));
    ok(one != two, "copies are copies");
    ok(tcr_build_str(b, tcr_str_n("a\0b", 3)) != S("a"),
       "a NUL is a byte like others");

    for (i = 0; i < 5000; i++) {
        snprintf(text, sizeof(text), "string %zu", i);
        refs[i] = tcr_build_str(b, tcr_str(text));
    }

    for (i = 0; i < 5000; i++) {
        snprintf(text, sizeof(text), "string %zu", i);
        again += tcr_build_str(b, tcr_str(text)) == refs[i]
                 && refs[i] % 4 == 0
                 && strcmp((char *) tcr_build_at(b, refs[i]) + 4, text) == 0;
    }

    is_int(again, 5000, "all are found again, aligned, ending in NUL");
    tcr_build_destroy(b);
}


static void
arrays(void)
{
    size_t         i;
    uint32_t       three[] = { 1, 2, 3 };
    uint64_t      *zeros, sum = 0;
    tcr_build_t   *b;
    tcr_img_vec_t  vec;

    b = tcr_build_create(TCR_SLOT_HEALTH, sizeof(tcr_img_health_t));

    vec = tcr_build_array(b, NULL, 0, 8, 8);
    ok(vec.off == 0 && vec.n == 0, "no elements stand nowhere");

    vec = ARRAY(three);
    ok(vec.n == 3 && memcmp(tcr_build_at(b, vec.off), three, 12) == 0,
       "elements are copied");

    vec = tcr_build_array(b, NULL, 100000, 8, 8);
    zeros = tcr_build_at(b, vec.off);

    for (i = 0; i < vec.n; i++) {
        sum |= zeros[i];
    }

    ok(vec.off % 8 == 0 && sum == 0, "room is aligned and zeroed");
    tcr_build_destroy(b);
}


static size_t
found(const tcr_image_t *img, const tcr_img_map_t *map, const char *key,
    uint32_t *value)
{
    size_t          n = 0;
    uint32_t        v;
    tcr_map_iter_t  it;

    for (v = tcr_map_first(img, map, tcr_str(key), &it); v != TCR_NONE;
         v = tcr_map_next(&it))
    {
        if (n++ == 0) {
            *value = v;
        }
    }

    return n;
}


static void
maps(void)
{
    char           (*names)[16];
    size_t           i, n = 3000, good = 0, sizes;
    uint32_t         v = 0;
    tcr_str_t       *keys;
    tcr_image_t      img;
    tcr_build_t     *b;
    tcr_img_map_t    map;

    names = calloc(n, sizeof(*names));
    keys = calloc(n, sizeof(*keys));
    b = tcr_build_create(TCR_SLOT_HEALTH, sizeof(tcr_img_health_t));

    for (i = 0; i < n; i++) {
        snprintf(names[i], sizeof(names[i]), "name-%zu", i);
        keys[i] = i % 10 ? tcr_str(names[i]) : tcr_str(NULL);
    }

    map = tcr_build_map(b, keys, n);
    img = (tcr_image_t) { .base = (uint8_t *) tcr_build_root(b)
                                  - sizeof(tcr_img_header_t) };

    for (i = 0; i < n; i++) {
        good += i % 10 ? found(&img, &map, names[i], &v) == 1 && v == i
                       : found(&img, &map, names[i], &v) == 0;
    }

    is_int(good, n, "present keys lead to their values, absent ones nowhere");

    keys[2] = keys[1];
    map = tcr_build_map(b, keys, 3);
    img.base = (uint8_t *) tcr_build_root(b) - sizeof(tcr_img_header_t);
    ok(found(&img, &map, names[1], &v) == 2 && v == 1,
       "equal keys are both found, the first one first");

    map = tcr_build_map(b, keys, 1);
    is_int(map.places.n, 0, "absent keys alone make no map");
    is_int(found(&img, &map, "name-0", &v), 0, "a look-up in it ends");

    for (sizes = 2; sizes < 40; sizes++) {
        map = tcr_build_map(b, keys + 1, sizes - 1);
        good += (map.places.n & (map.places.n - 1)) != 0
                || map.places.n <= sizes - 1;
    }

    is_int(good, n, "powers of two with room");
    tcr_build_destroy(b);
    free(names);
    free(keys);
}


static void
failures(void)
{
    void           *data;
    size_t          size;
    tcr_err_t       err;
    tcr_build_t    *b;
    tcr_img_vec_t   vec;

    b = tcr_build_create(TCR_SLOT_ROUTING, sizeof(tcr_img_routing_t));
    vec = tcr_build_array(b, NULL, SIZE_MAX / 2, 8, 8);
    ok(vec.off == 0 && vec.n == 0, "what cannot be is nowhere");
    is_int(S("x"), 0, "later additions are no-ops");
    ok(tcr_build_at(b, 0) == NULL, "and lead nowhere");
    ROOT->api_max_age = 1;
    ok(tcr_build_finish(b, NULL, &data, &size, &err) == -1
       && strstr(err.text, "larger than 4 GiB") != NULL, "the end says why: "
       "%s", err.text);
    tcr_build_destroy(b);
    tcr_build_destroy(NULL);

    ok(tcr_health_build(&b, 1, SIZE_MAX, 3, &err) == -1 && b == NULL,
       "health for too much: %s", err.text);
}


static void
origin(void)
{
    void                *data;
    char                 source[200];
    size_t               size;
    tcr_err_t            err;
    tcr_build_t         *b;
    tcr_img_header_t    *h;
    tcr_build_origin_t   from = { 1234, source, { 1, 2, 3 } };

    memset(source, 's', sizeof(source) - 1);
    source[sizeof(source) - 1] = '\0';

    b = tcr_build_create(TCR_SLOT_HEALTH, sizeof(tcr_img_health_t));
    ok(tcr_build_finish(b, &from, &data, &size, &err) == 0, "finish");
    h = data;
    ok(h->snapshot_date == 1234 && h->source_sha256[2] == 3
       && strlen(h->source) == sizeof(h->source) - 1 && h->created != 0
       && h->size == size, "origin, cut to its room");
    ok(tcr_image_verify(data, size, TCR_SLOT_HEALTH, &err) == 0,
       "what is finished is good");
    tcr_build_destroy(b);
}


static const tcr_json_t *
at(const tcr_json_t *node, const char *name, size_t i)
{
    node = tcr_json_first(tcr_json_get(node, name));

    while (node != NULL && i-- != 0) {
        node = node->next;
    }

    return node;
}


static bool
says(const tcr_json_t *node, const char *name, const char *text)
{
    return tcr_str_eq(tcr_json_str(tcr_json_get(node, name), TCR_STR("-")),
                      tcr_str(text));
}


static void
dump(tcr_slot_e slot, tcr_build_t *b, const void *data, size_t size,
    void (*look)(const tcr_json_t *root))
{
    tcr_buf_t       buf;
    tcr_err_t       err;
    tcr_arena_t    *arena;
    tcr_image_t     img = { data, size, data, false };
    tcr_json_doc_t  doc;

    tcr_buf_init(&buf, 1 << 20);
    tcr_image_dump(&img, &buf);
    arena = tcr_arena_create(0);

    ok(!buf.failed && tcr_json_parse(&doc, arena, "dump",
                                     tcr_str_n(buf.data, buf.len), &err) == 0,
       "the dump of \"%s\" is JSON", tcr_slot_name(slot));
    look(doc.root);

    tcr_arena_destroy(arena);
    tcr_buf_free(&buf);
    tcr_build_destroy(b);
}


static void
look_at_routing(const tcr_json_t *root)
{
    const tcr_json_t  *c = at(root, "caches", 2);
    const tcr_json_t  *coverage = tcr_json_get(root, "coverage");
    const tcr_json_t  *dns = tcr_json_get(root, "dns");
    const tcr_json_t  *name = at(dns, "names", 0);

    ok(says(root, "image", "routing") && says(root, "source", "fixture"),
       "header");
    ok(says(c, "id", "edge-2") && says(c, "group", "1")
       && says(c, "https_port", "443"), "a cache");
    ok(says(at(root, "groups", 0), "lon", "-105"), "a double");
    ok(says(at(coverage, "v4", 1), "start", "3221225984"), "an interval");
    ok(tcr_json_is(tcr_json_get(at(coverage, "v4", 0), "value"),
                   TCR_JSON_NULL), "no zone is null");
    ok(says(at(name, "rrsets", 0), "type", "1"), "records of a name");
    ok(says(tcr_json_get(root, "cache_map"), "used", "3"), "a map");
    ok(tcr_json_get(root, "reserved") == NULL, "reserved room is left out");
}


static void
look_at_health(const tcr_json_t *root)
{
    ok(says(root, "image", "health") && says(root, "groups", "2"), "root");
    is_int(tcr_json_long(at(root, "caches", 2), 0), 7, "a word");
}


int
main(void)
{
    void         *data;
    size_t        size;
    tcr_build_t  *b;

    strings();
    arrays();
    maps();
    failures();
    origin();

    b = fixture_routing(5, &data, &size);
    dump(TCR_SLOT_ROUTING, b, data, size, look_at_routing);
    b = fixture_health(5, &data, &size);
    dump(TCR_SLOT_HEALTH, b, data, size, look_at_health);

    return done();
}
