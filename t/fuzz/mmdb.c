/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Any bytes as a GeoIP2 database of both kinds: it is refused with a reason,
 * or every look-up ends, with finite coordinates and a scope that fits the
 * address.
 */

#include <math.h>

#include "scratch.h"
#include "tcr_anonymous.h"
#include "tcr_city.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void)
    __attribute__((visibility("default")));

static const char *const  addresses[] = {
    "0.0.0.0", "192.0.2.1", "198.51.100.77", "203.0.113.255",
    "255.255.255.255", "::", "2001:db8::1", "2001:db8:ffff::",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
};

#define N_ADDRESSES  (sizeof(addresses) / sizeof(addresses[0]))


/* libmaxminddb (1.7.1) loses some memory of a database that it refuses. */
const char *
__lsan_default_suppressions(void)
{
    return "leak:libmaxminddb";
}


/* Reads every byte: a sanitizer sees a string that points elsewhere. */
static void
read_text(tcr_str_t s)
{
    size_t                   i;
    static volatile uint8_t  sum;

    for (i = 0; i < s.len; i++) {
        sum = (uint8_t) (sum + (uint8_t) s.data[i]);
    }
}


static void
find_city(const tcr_city_t *city, const tcr_addr_t *addr)
{
    int                rc;
    uint32_t           scope;
    tcr_city_record_t  record;

    rc = tcr_city_find(city, addr, &record, &scope);

    if (scope > (addr->family == 4 ? 32u : 128u)
        || (rc == 1
            && !(isfinite(record.point.lat) && isfinite(record.point.lon))))
    {
        abort();
    }

    if (rc == 1) {
        read_text(record.country_code);
        read_text(record.country_name);
        read_text(record.city);
        read_text(record.postal_code);
    }
}


static void
find_all(tcr_city_t *city, tcr_anonymous_t *db)
{
    size_t                  i;
    tcr_addr_t              addr;
    tcr_anonymous_record_t  record;

    for (i = 0; i < N_ADDRESSES; i++) {
        tcr_addr_parse(tcr_str(addresses[i]), &addr);

        if (city != NULL) {
            find_city(city, &addr);
        }

        if (db != NULL) {
            (void) tcr_anonymous_find(db, &addr, &record);
        }
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tcr_err_t         why_city = { "" }, why_db = { "" };
    tcr_city_t       *city;
    const char       *path = scratch_file("db.mmdb", data, size);
    tcr_anonymous_t  *db;

    city = tcr_city_open(path, &why_city);
    db = tcr_anonymous_open(path, &why_db);

    if ((city == NULL && why_city.text[0] == '\0')
        || (db == NULL && why_db.text[0] == '\0'))
    {
        abort();
    }

    find_all(city, db);
    tcr_city_close(city);
    tcr_anonymous_close(db);
    return 0;
}
