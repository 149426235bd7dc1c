/* SPDX-License-Identifier: Apache-2.0 */

/* City database look-ups. */

#include "tcr_city.h"

#include <math.h>
#include <stdlib.h>

#include "tcr_mmdb.h"

#define V4_IN_V6   96             /* length of ::/96, where IPv4 lives       */


struct tcr_city_s {
    MMDB_s  mmdb;
};


static const char *const  path_location[] = { "location", NULL };
static const char *const  path_latitude[] = { "latitude", NULL };
static const char *const  path_longitude[] = { "longitude", NULL };
static const char *const  path_country[] = { "country", NULL };
static const char *const  path_iso_code[] = { "iso_code", NULL };
static const char *const  path_name[] = { "names", "en", NULL };
static const char *const  path_city[] = { "city", "names", "en", NULL };
static const char *const  path_postal[] = { "postal", "code", NULL };
static const char *const  path_subdivisions[] = { "subdivisions", NULL };


static uint32_t  scope_of(const MMDB_s *mmdb, const tcr_addr_t *addr,
    uint32_t netmask);
static int  read_record(MMDB_entry_s *entry, tcr_city_record_t *record);
static int  read_location(MMDB_entry_s *entry, tcr_point_t *point);
static int  read_country(MMDB_entry_s *entry, tcr_city_record_t *record);
static int  get_map(MMDB_entry_s *entry, const char *const *path,
    MMDB_entry_s *map);
static int  get_degrees(MMDB_entry_s *entry, const char *const *path,
    double *out);
static int  get_text(MMDB_entry_s *entry, const char *const *path,
    tcr_str_t *out);


tcr_city_t *
tcr_city_open(const char *path, tcr_err_t *err)
{
    tcr_city_t  *city;

    city = malloc(sizeof(tcr_city_t));

    if (city == NULL) {
        tcr_err_set(err, "\"%s\": out of memory", path);
        return NULL;
    }

    if (tcr_mmdb_open(&city->mmdb, path, "City", err) != 0) {
        free(city);
        return NULL;
    }

    return city;
}


void
tcr_city_close(tcr_city_t *city)
{
    if (city != NULL) {
        MMDB_close(&city->mmdb);
        free(city);
    }
}


int
tcr_city_find(const tcr_city_t *city, const tcr_addr_t *addr,
    tcr_city_record_t *record, uint32_t *scope)
{
    int                   rc;
    MMDB_lookup_result_s  result;

    if (scope != NULL) {
        *scope = 0;
    }

    /* a tree of IPv4 has nothing for any IPv6 address */
    if (addr->family == 0
        || (addr->family == 6 && city->mmdb.metadata.ip_version == 4))
    {
        return 0;
    }

    rc = tcr_mmdb_find(&city->mmdb, addr, &result);

    if (rc < 0) {
        return -1;
    }

    if (scope != NULL) {
        *scope = scope_of(&city->mmdb, addr, result.netmask);
    }

    return rc == 1 ? read_record(&result.entry, record) : 0;
}


/*
 * A tree without IPv4 data ends above ::/96: one answer for all of IPv4,
 * hence scope 0.
 */
static uint32_t
scope_of(const MMDB_s *mmdb, const tcr_addr_t *addr, uint32_t netmask)
{
    if (addr->family == 6 || mmdb->metadata.ip_version == 4) {
        return netmask;
    }

    return netmask > V4_IN_V6 ? netmask - V4_IN_V6 : 0;
}


static int
read_record(MMDB_entry_s *entry, tcr_city_record_t *record)
{
    int                rc;
    MMDB_entry_data_s  subdivisions;

    rc = read_location(entry, &record->point);

    if (rc != 1) {
        return rc;
    }

    if (read_country(entry, record) < 0
        || get_text(entry, path_city, &record->city) < 0
        || get_text(entry, path_postal, &record->postal_code) < 0)
    {
        return -1;
    }

    rc = tcr_mmdb_value(entry, path_subdivisions, &subdivisions);

    if (rc < 0) {
        return -1;
    }

    /* data_size of an array is the number of its elements */
    record->country_only = record->city.data == NULL
                           && record->postal_code.data == NULL
                           && (rc == 0 || subdivisions.data_size == 0);
    return 1;
}


static int
read_location(MMDB_entry_s *entry, tcr_point_t *point)
{
    int           rc;
    MMDB_entry_s  location;

    rc = get_map(entry, path_location, &location);

    if (rc == 1) {
        rc = get_degrees(&location, path_latitude, &point->lat);
    }

    if (rc == 1) {
        rc = get_degrees(&location, path_longitude, &point->lon);
    }

    return rc;
}


static int
read_country(MMDB_entry_s *entry, tcr_city_record_t *record)
{
    int           rc;
    MMDB_entry_s  country;

    record->country_code = tcr_str_n(NULL, 0);
    record->country_name = tcr_str_n(NULL, 0);
    rc = get_map(entry, path_country, &country);

    if (rc != 1) {
        return rc;
    }

    if (get_text(&country, path_iso_code, &record->country_code) < 0
        || get_text(&country, path_name, &record->country_name) < 0)
    {
        return -1;
    }

    return 1;
}


/*
 * Every look-up walks past all that stands in front of its key: where two
 * values stand in one map, the map is looked up once.
 */
static int
get_map(MMDB_entry_s *entry, const char *const *path, MMDB_entry_s *map)
{
    int                rc;
    MMDB_entry_data_s  data;

    rc = tcr_mmdb_value(entry, path, &data);

    if (rc != 1) {
        return rc;
    }

    if (data.type != MMDB_DATA_TYPE_MAP) {
        return -1;
    }

    *map = (MMDB_entry_s) { entry->mmdb, data.offset };
    return 1;
}


static int
get_degrees(MMDB_entry_s *entry, const char *const *path, double *out)
{
    int                rc;
    MMDB_entry_data_s  data;

    rc = tcr_mmdb_value(entry, path, &data);

    if (rc != 1) {
        return rc;
    }

    if (data.type != MMDB_DATA_TYPE_DOUBLE || !isfinite(data.double_value)) {
        return -1;
    }

    *out = data.double_value;
    return 1;
}


static int
get_text(MMDB_entry_s *entry, const char *const *path, tcr_str_t *out)
{
    int                rc;
    MMDB_entry_data_s  data;

    *out = tcr_str_n(NULL, 0);
    rc = tcr_mmdb_value(entry, path, &data);

    if (rc != 1) {
        return rc;
    }

    if (data.type != MMDB_DATA_TYPE_UTF8_STRING) {
        return -1;
    }

    *out = tcr_str_n(data.utf8_string, data.data_size);
    return 1;
}
