/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The reader of coverage zone files.
 *
 * Such a file may hold a hundred thousand prefixes and come from a partner:
 * nothing here takes more than n log n, warnings included.
 */

#include "tcr_coverage.h"

#include <math.h>
#include <stdlib.h>


/* Oddities that do not refuse the file, one warning each. */
typedef enum {
    ODD_NO_NETWORK6,
    ODD_NO_NETWORK,
    ODD_HALF_POINT,
    ODD_POINT,
    ODD_CACHES,
    ODD_TWICE,
    ODD_N
} odd_e;

typedef struct {
    const char  *text;            /* what is odd about one zone              */
    const char  *plural;          /* and about more of them                  */
} odd_text_t;

typedef struct {
    size_t             count;
    const tcr_json_t  *zone;      /* the first one                           */
} odd_t;

typedef struct {
    tcr_coverage_t        *out;
    tcr_arena_t           *arena;
    const tcr_json_doc_t  *doc;
    const char            *key;   /* "coverageZones" or its deep sister      */
    bool                   deep;
    tcr_err_t             *err;
    odd_t                  odd[ODD_N];
} reader_t;

/* A name and its place, for finding equal names by sorting. */
typedef struct {
    tcr_str_t  name;
    size_t     at;
} place_t;


static const odd_text_t  odd_texts[ODD_N] = {
    { "no \"network6\" list", "zones have none" },
    { "no \"network\" list", "zones have none" },
    { "only one of \"latitude\" and \"longitude\", expected both; the "
      "coordinates are not used", "zones are like that" },
    { "a coordinate is not a number of degrees in range",
      "zones are like that" },
    { "\"caches\" is not a list of host names, what is no text is not used",
      "zones are like that" },
    { "a zone of that name comes again, the last one counts",
      "zones are like that" },
};


static const tcr_json_t  *find_zones(reader_t *r);
static int  read_zones(reader_t *r, const tcr_json_t *zones);
static int  read_zone(reader_t *r, const tcr_json_t *node, size_t index);
static int  read_list(reader_t *r, const tcr_json_t *zone, size_t index,
    const char *key, odd_e missing);
static int  read_prefix(reader_t *r, const tcr_json_t *node, size_t index,
    tcr_err_t *why);
static void  read_point(reader_t *r, const tcr_json_t *node,
    tcr_coverage_zone_t *zone);
static bool  read_degrees(const tcr_json_t *node, double range, double *out);
static int  read_caches(reader_t *r, const tcr_json_t *node,
    tcr_coverage_zone_t *zone);
static bool  *find_again(tcr_arena_t *arena, const tcr_json_t *list,
    size_t *n);
static int  cmp_places(const void *one, const void *two);
static void  note(reader_t *r, odd_e kind, const tcr_json_t *zone);
static void  report_odd(const reader_t *r, tcr_report_t *report);
static int  refuse(reader_t *r, const tcr_json_t *node, const char *text);
static int  no_memory(reader_t *r);


int
tcr_coverage_parse(tcr_coverage_t *out, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, bool deep, tcr_report_t *report,
    tcr_err_t *err)
{
    reader_t           r = { .out = out, .arena = arena, .doc = doc,
                             .deep = deep, .err = err };
    const tcr_json_t  *zones;

    *out = (tcr_coverage_t) { 0 };
    r.key = deep ? "deepCoverageZones" : "coverageZones";
    zones = find_zones(&r);

    if (zones == NULL) {
        return -1;
    }

    out->revision = tcr_json_str(tcr_json_get(doc->root, "revision"),
                                 TCR_STR(""));
    out->customer_name = tcr_json_str(tcr_json_get(doc->root, "customerName"),
                                      TCR_STR(""));
    out->build = tcr_nets_build_create();

    if (out->build == NULL) {
        no_memory(&r);
        goto failed;
    }

    if (read_zones(&r, zones) != 0) {
        goto failed;
    }

    if (tcr_nets_build_finish(out->build, &out->nets) != 0) {
        no_memory(&r);
        goto failed;
    }

    report_odd(&r, report);
    return 0;

failed:

    tcr_coverage_free(out);
    return -1;
}


void
tcr_coverage_free(tcr_coverage_t *coverage)
{
    tcr_nets_build_destroy(coverage->build);
    *coverage = (tcr_coverage_t) { 0 };
}


static const tcr_json_t *
find_zones(reader_t *r)
{
    tcr_pos_t          pos;
    const tcr_json_t  *zones;

    zones = tcr_json_get(r->doc->root, r->key);

    if (tcr_json_is(zones, TCR_JSON_OBJECT)) {
        return zones;
    }

    pos = tcr_json_pos(r->doc, zones != NULL ? zones->offset
                               : r->doc->root != NULL ? r->doc->root->offset
                               : 0);

    if (zones != NULL) {
        tcr_err_at(r->err, &pos, "%s: expected an object of zones", r->key);

    } else {
        tcr_err_at(r->err, &pos, "no key \"%s\", expected an object with it",
                   r->key);
    }

    return NULL;
}


static int
read_zones(reader_t *r, const tcr_json_t *zones)
{
    bool              *again;
    size_t             i, n;
    const tcr_json_t  *node;

    again = find_again(r->arena, zones, &n);
    r->out->zones = tcr_arena_calloc(r->arena, n, sizeof(tcr_coverage_zone_t));

    if (n != 0 && (again == NULL || r->out->zones == NULL)) {
        return no_memory(r);
    }

    i = 0;

    for (node = tcr_json_first(zones); node != NULL; node = node->next) {

        if (again[i++]) {
            note(r, ODD_TWICE, node);
            continue;
        }

        if (read_zone(r, node, r->out->n_zones) != 0) {
            return -1;
        }

        r->out->n_zones++;
    }

    return 0;
}


/* network6 goes first: of two equal prefixes the first one counts. */
static int
read_zone(reader_t *r, const tcr_json_t *node, size_t index)
{
    tcr_coverage_zone_t  *zone;

    if (node->type != TCR_JSON_OBJECT) {
        return refuse(r, node, "expected an object");
    }

    zone = &r->out->zones[index];
    zone->name = tcr_json_name(node);

    if (read_list(r, node, index, "network6", ODD_NO_NETWORK6) != 0
        || read_list(r, node, index, "network", ODD_NO_NETWORK) != 0)
    {
        return -1;
    }

    read_point(r, node, zone);

    return r->deep ? read_caches(r, node, zone) : 0;
}


static int
read_list(reader_t *r, const tcr_json_t *zone, size_t index, const char *key,
    odd_e missing)
{
    size_t             i;
    tcr_err_t          why;
    tcr_pos_t          pos;
    const tcr_json_t  *list, *node;

    list = tcr_json_get(zone, key);

    if (list == NULL || list->type == TCR_JSON_NULL) {
        note(r, missing, zone);
        return 0;
    }

    if (list->type != TCR_JSON_ARRAY) {
        pos = tcr_json_pos(r->doc, list->offset);
        return tcr_err_at(r->err, &pos, "%s.%.*s.%s: expected a list of "
                          "prefixes", r->key,
                          TCR_STR_ARG(tcr_json_name(zone)), key);
    }

    i = 0;

    for (node = tcr_json_first(list); node != NULL; node = node->next) {

        if (read_prefix(r, node, index, &why) != 0) {
            pos = tcr_json_pos(r->doc, node->offset);
            return tcr_err_at(r->err, &pos, "%s.%.*s.%s[%zu]: %s", r->key,
                              TCR_STR_ARG(tcr_json_name(zone)), key, i,
                              why.text);
        }

        i++;
    }

    return 0;
}


static int
read_prefix(reader_t *r, const tcr_json_t *node, size_t index, tcr_err_t *why)
{
    tcr_cidr_t  cidr;

    if (node->type != TCR_JSON_STRING) {
        return tcr_err_set(why, "expected a prefix in quotes");
    }

    if (tcr_cidr_parse(node->u.str, &cidr, why) != 0) {
        return -1;
    }

    if (tcr_nets_build_add(r->out->build, &cidr, (uint32_t) index) != 0) {
        return tcr_err_set(why, "out of memory");
    }

    r->out->n_prefixes++;
    return 0;
}


/* What is no number is 0, as everywhere in JSON inputs (inputs.md §1). */
static void
read_point(reader_t *r, const tcr_json_t *node, tcr_coverage_zone_t *zone)
{
    bool               lat_good, lon_good;
    const tcr_json_t  *coordinates, *lat, *lon;

    coordinates = tcr_json_get(node, "coordinates");
    lat = tcr_json_get(coordinates, "latitude");
    lon = tcr_json_get(coordinates, "longitude");

    if (lat == NULL || lon == NULL) {

        if (lat != lon) {
            note(r, ODD_HALF_POINT, node);
        }

        return;
    }

    zone->has_point = true;
    lat_good = read_degrees(lat, 90, &zone->point.lat);
    lon_good = read_degrees(lon, 180, &zone->point.lon);

    if (!lat_good || !lon_good) {
        note(r, ODD_POINT, node);
    }
}


static bool
read_degrees(const tcr_json_t *node, double range, double *out)
{
    double  degrees;

    degrees = tcr_json_real(node, NAN);
    *out = isfinite(degrees) ? degrees : 0;

    return fabs(degrees) <= range;
}


static int
read_caches(reader_t *r, const tcr_json_t *node, tcr_coverage_zone_t *zone)
{
    bool              *again;
    size_t             i, n;
    const tcr_json_t  *caches, *cache;

    caches = tcr_json_get(node, "caches");

    if (!tcr_json_is(caches, TCR_JSON_ARRAY)) {
        note(r, ODD_CACHES, node);
        return 0;
    }

    again = find_again(r->arena, caches, &n);
    zone->caches = tcr_arena_calloc(r->arena, n, sizeof(tcr_str_t));

    if (n != 0 && (again == NULL || zone->caches == NULL)) {
        return no_memory(r);
    }

    i = 0;

    for (cache = tcr_json_first(caches); cache != NULL; cache = cache->next) {

        if (cache->type != TCR_JSON_STRING) {
            note(r, ODD_CACHES, node);

        } else if (cache->u.str.len != 0 && !again[i]) {
            zone->caches[zone->n_caches++] = cache->u.str;
        }

        i++;
    }

    return 0;
}


/*
 * Which children of a container come again later under the same name (in an
 * object) or with the same text (in a list)?  NULL when out of memory.
 */
static bool *
find_again(tcr_arena_t *arena, const tcr_json_t *list, size_t *n)
{
    bool              *again;
    size_t             i;
    place_t           *places;
    const tcr_json_t  *node;

    *n = list->u.list.n;
    again = tcr_arena_calloc(arena, *n, sizeof(bool));
    places = tcr_arena_calloc(arena, *n, sizeof(place_t));

    if (again == NULL || places == NULL || *n == 0) {
        return again;
    }

    i = 0;

    for (node = tcr_json_first(list); node != NULL; node = node->next) {
        places[i].name = list->type == TCR_JSON_OBJECT ? tcr_json_name(node)
                         : tcr_json_str(node, TCR_STR(""));
        places[i].at = i;
        i++;
    }

    qsort(places, *n, sizeof(place_t), cmp_places);

    for (i = 1; i < *n; i++) {
        again[places[i - 1].at] = tcr_str_eq(places[i - 1].name,
                                             places[i].name);
    }

    return again;
}


static int
cmp_places(const void *one, const void *two)
{
    int             order;
    const place_t  *a = one, *b = two;

    order = tcr_str_cmp(a->name, b->name);

    if (order != 0) {
        return order;
    }

    return a->at < b->at ? -1 : 1;
}


/* A file may have thousands of one kind: the first is told, all count. */
static void
note(reader_t *r, odd_e kind, const tcr_json_t *zone)
{
    odd_t  *odd;

    odd = &r->odd[kind];

    if (odd->count++ == 0) {
        odd->zone = zone;
    }
}


static void
report_odd(const reader_t *r, tcr_report_t *report)
{
    size_t        i;
    tcr_str_t     name;
    tcr_pos_t     pos;
    const odd_t  *odd;

    for (i = 0; i < ODD_N; i++) {
        odd = &r->odd[i];

        if (odd->count == 0) {
            continue;
        }

        pos = tcr_json_pos(r->doc, odd->zone->offset);
        name = tcr_json_name(odd->zone);

        if (odd->count == 1) {
            tcr_report_add(report, TCR_REPORT_WARNING,
                           "%s:%zu:%zu: %s.%.*s: %s", pos.file, pos.line,
                           pos.column, r->key, TCR_STR_ARG(name),
                           odd_texts[i].text);
            continue;
        }

        tcr_report_add(report, TCR_REPORT_WARNING,
                       "%s:%zu:%zu: %s.%.*s: %s (%zu %s, this is the first)",
                       pos.file, pos.line, pos.column, r->key,
                       TCR_STR_ARG(name), odd_texts[i].text, odd->count,
                       odd_texts[i].plural);
    }
}


static int
refuse(reader_t *r, const tcr_json_t *node, const char *text)
{
    tcr_pos_t  pos;

    pos = tcr_json_pos(r->doc, node->offset);

    return tcr_err_at(r->err, &pos, "%s.%.*s: %s", r->key,
                      TCR_STR_ARG(tcr_json_name(node)), text);
}


static int
no_memory(reader_t *r)
{
    return tcr_err_set(r->err, "%s: out of memory", r->doc->file);
}
