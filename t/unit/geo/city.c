/* SPDX-License-Identifier: Apache-2.0 */

/*
 * City database: the reference's recorded answers, scopes, kinds of trees,
 * and databases with broken bytes.
 */

#include <sys/mman.h>
#include <unistd.h>

#include "jsonl.h"
#include "tap.h"
#include "tcr_city.h"

#define CITY    "t/conformance/e2e/inputs/GeoLite2-City.mmdb"
#define ANON    "t/conformance/e2e/inputs/GeoIP2-Anonymous-IP.mmdb"
#define DAMAGE  3000


static const struct {
    const char  *file;
    const char  *ip;
    int          found;
    uint32_t     scope;
} scopes[] = {
    { CITY, "192.0.2.1", 1, 26 },
    { CITY, "192.0.2.225", 1, 27 },
    { CITY, "198.51.100.1", 1, 25 },
    { CITY, "2001:db8:1::1", 1, 48 },
    { CITY, "203.0.113.129", 0, 26 },
    { CITY, "8.8.8.8", 0, 7 },
    { "t/data/geo/city-v4.mmdb", "192.0.2.1", 1, 24 },
    { "t/data/geo/city-v4.mmdb", "203.0.113.1", 0, 5 },
    { "t/data/geo/city-v4.mmdb", "2001:db8::1", 0, 0 },
    { "t/data/geo/city-v6.mmdb", "2001:db8::1", 1, 32 },
    { "t/data/geo/city-v6.mmdb", "192.0.2.1", 0, 0 },
    { "t/data/geo/city-half.mmdb", "192.0.2.1", 0, 26 },
    { "t/data/geo/city-half.mmdb", "192.0.2.65", 0, 26 },
    { "t/data/geo/city-half.mmdb", "192.0.2.129", 1, 25 },
    { "t/data/geo/city-text.mmdb", "198.51.100.1", -1, 24 },
};


static tcr_city_t *
must_open(const char *path)
{
    tcr_err_t    err;
    tcr_city_t  *city;

    city = tcr_city_open(path, &err);

    if (city == NULL) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }

    return city;
}


/* The reference gives numbers as text here. */
static bool
same_record(const tcr_json_t *want, const tcr_city_record_t *got)
{
    return tcr_json_real(tcr_json_get(want, "latitude"), -1) == got->point.lat
           && tcr_json_real(tcr_json_get(want, "longitude"), -1)
              == got->point.lon
           && tcr_str_eq(jsonl_str(want, "city"), got->city)
           && tcr_str_eq(jsonl_str(want, "postalCode"), got->postal_code)
           && tcr_str_eq(jsonl_str(want, "countryCode"), got->country_code)
           && tcr_str_eq(jsonl_str(want, "countryName"), got->country_name);
}


static void
test_look_up(const tcr_city_t *city, const tcr_json_t *line)
{
    int                rc;
    tcr_str_t          ip;
    tcr_addr_t         addr;
    const tcr_json_t  *want;
    tcr_city_record_t  record;

    ip = jsonl_str(line, "ip");
    want = tcr_json_get(line, "result");

    if (jsonl_str(line, "error").data != NULL) {
        ok(tcr_addr_parse_override(ip, &addr) != 0,
           "\"%.*s\" is no address", TCR_STR_ARG(ip));
        return;
    }

    rc = tcr_addr_parse_override(ip, &addr);
    is_int(rc, 0, "\"%.*s\" is an address", TCR_STR_ARG(ip));

    rc = tcr_city_find(city, &addr, &record, NULL);
    is_int(rc, want->type != TCR_JSON_NULL, "\"%.*s\" is found, or not",
           TCR_STR_ARG(ip));

    if (rc == 1) {
        ok(same_record(want, &record), "record of \"%.*s\"", TCR_STR_ARG(ip));
        is_int(record.country_only,
               tcr_json_bool(tcr_json_get(line, "defaultLocation"), false),
               "\"%.*s\" is all we know of a country, or not",
               TCR_STR_ARG(ip));
    }
}


static void
test_recorded(void)
{
    jsonl_t            jsonl;
    tcr_city_t        *city;
    const tcr_json_t  *line;

    city = must_open(CITY);
    jsonl_open(&jsonl, "t/data/unit/geo.jsonl");

    while ((line = jsonl_next(&jsonl)) != NULL) {

        if (jsonl_is(line, "kind", "lookup")) {
            test_look_up(city, line);
        }
    }

    jsonl_close(&jsonl);
    tcr_city_close(city);
}


static void
test_scopes(void)
{
    int                rc;
    size_t             i;
    uint32_t           scope;
    tcr_addr_t         addr;
    tcr_city_t        *city;
    tcr_city_record_t  record;

    for (i = 0; i < sizeof(scopes) / sizeof(scopes[0]); i++) {
        city = must_open(scopes[i].file);
        tcr_addr_parse(tcr_str(scopes[i].ip), &addr);
        rc = tcr_city_find(city, &addr, &record, &scope);

        is_int(rc, scopes[i].found, "%s in %s", scopes[i].ip, scopes[i].file);
        is_int(scope, scopes[i].scope, "scope of %s", scopes[i].ip);
        tcr_city_close(city);
    }
}


static void
test_no_address(void)
{
    uint32_t           scope;
    tcr_addr_t         addr = { 0, 0, 0 };
    tcr_city_t        *city;
    tcr_city_record_t  record;

    city = must_open(CITY);
    is_int(tcr_city_find(city, &addr, &record, &scope), 0, "no address");
    tcr_city_close(city);
    tcr_city_close(NULL);
}


static void
test_refused(void)
{
    tcr_err_t  err;

    ok(tcr_city_open("t/data/unit/no-such-file", &err) == NULL,
       "no such file");
    is_str(err.text, "cannot open \"t/data/unit/no-such-file\": "
           "No such file or directory", "says so");

    ok(tcr_city_open("t/data/unit/geo.jsonl", &err) == NULL, "no database");
    is_str(err.text, "\"t/data/unit/geo.jsonl\" is no MaxMind database, or "
           "cut: no metadata at its end", "says so");

    ok(tcr_city_open(ANON, &err) == NULL,
       "a database of another type");
    is_str(err.text, "\"" ANON "\" is a database of type "
           "\"GeoIP2-Anonymous-IP\", expected a type with \"City\" in it",
           "says which");
}


static void
find_many(const tcr_city_t *city)
{
    size_t             i;
    uint32_t           scope;
    tcr_addr_t         addr;
    tcr_city_record_t  record;
    static const char *const  ips[] = {
        "192.0.2.1", "192.0.2.129", "198.51.100.193", "203.0.113.225",
        "203.0.113.129", "127.0.4.1", "100.66.1.1", "8.8.8.8",
        "2001:db8:1::1", "2001:db8:4::1", "2001:db8:9::1"
    };

    for (i = 0; i < sizeof(ips) / sizeof(ips[0]); i++) {
        tcr_addr_parse(tcr_str(ips[i]), &addr);
        scope = 999;

        if (tcr_city_find(city, &addr, &record, &scope) == 1) {
            /* touches what the record points at */
            tcr_str_hash(record.city);
            tcr_str_hash(record.country_name);
        }

        if (scope > tcr_addr_bits(&addr)) {
            printf("Bail out! scope %u\n", (unsigned) scope);
            exit(1);
        }
    }
}


static int
memory_file(char *path, size_t size)
{
    int  fd;

    fd = memfd_create("city", 0);

    if (fd < 0) {
        printf("Bail out! memfd_create() failed\n");
        exit(1);
    }

    snprintf(path, size, "/proc/self/fd/%d", fd);
    return fd;
}


/* Nothing behind the mark, and the mark ends with its page. */
static void
test_cut(void)
{
    int        fd;
    char       path[64];
    char       page[4096] = { 0 };
    tcr_err_t  err;

    memcpy(page + sizeof(page) - 14, "\xab\xcd\xefMaxMind.com", 14);
    fd = memory_file(path, sizeof(path));
    ok(write(fd, page, sizeof(page)) == sizeof(page), "file without metadata");
    ok(tcr_city_open(path, &err) == NULL
       && strstr(err.text, "no metadata at its end") != NULL,
       "is refused before the library sees it");

    close(fd);
}


static void
test_damaged(void)
{
    int            fd, opened, round;
    char           path[64];
    FILE          *f;
    size_t         n, i, cut;
    uint32_t       seed;
    tcr_err_t      err;
    tcr_city_t    *city;
    unsigned char  good[8192], bad[8192];

    f = fopen(CITY, "rb");
    n = fread(good, 1, sizeof(good), f);
    fclose(f);
    fd = memory_file(path, sizeof(path));
    seed = 1;
    opened = 0;

    for (round = 0; round < DAMAGE; round++) {
        memcpy(bad, good, n);

        for (i = 0; i <= (size_t) round % 4; i++) {
            seed = seed * 1664525 + 1013904223;
            bad[(seed >> 8) % n] = (unsigned char) (seed >> 24);
        }

        cut = round % 16 == 0 ? (seed >> 4) % n : n;

        if (ftruncate(fd, 0) != 0 || pwrite(fd, bad, cut, 0) != (ssize_t) cut) {
            break;
        }

        city = tcr_city_open(path, &err);

        if (city != NULL) {
            find_many(city);
            tcr_city_close(city);
            opened++;
        }
    }

    close(fd);

    is_int(round, DAMAGE, "broken databases harm nobody");
    ok(opened > DAMAGE / 2, "most of them could be opened");
}


int
main(void)
{
    test_recorded();
    test_scopes();
    test_no_address();
    test_refused();
    test_cut();
    test_damaged();

    return done();
}
