/* SPDX-License-Identifier: Apache-2.0 */

/*
 * City database look-ups.
 *
 * The tree walk and the decoder are libmaxminddb's.  Values are fetched with
 * MMDB_aget_value and static paths: the variadic form allocates.
 */

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netinet/in.h>

#include <maxminddb.h>

#include "tcr_city.h"

#define V4_IN_V6  96              /* length of ::/96, where IPv4 lives       */


struct tcr_city_s {
    MMDB_s  mmdb;
};


static const char *const  path_latitude[] = { "location", "latitude", NULL };
static const char *const  path_longitude[] = { "location", "longitude", NULL };
static const char *const  path_country_code[] = { "country", "iso_code",
                                                  NULL };
static const char *const  path_country_name[] = { "country", "names", "en",
                                                  NULL };
static const char *const  path_city[] = { "city", "names", "en", NULL };
static const char *const  path_postal[] = { "postal", "code", NULL };
static const char *const  path_subdivisions[] = { "subdivisions", NULL };


static MMDB_lookup_result_s  look_up(const MMDB_s *mmdb,
    const tcr_addr_t *addr, int *error);
static uint32_t  scope_of(const MMDB_s *mmdb, const tcr_addr_t *addr,
    uint32_t netmask);
static int  read_record(MMDB_entry_s *entry, tcr_city_record_t *record);
static int  get_value(MMDB_entry_s *entry, const char *const *path,
    MMDB_entry_data_s *data);
static int  get_degrees(MMDB_entry_s *entry, const char *const *path,
    double *out);
static int  get_text(MMDB_entry_s *entry, const char *const *path,
    tcr_str_t *out);


tcr_city_t *
tcr_city_open(const char *path, tcr_err_t *err)
{
    int          rc;
    const char  *type;
    tcr_city_t  *city;

    city = malloc(sizeof(tcr_city_t));

    if (city == NULL) {
        tcr_err_set(err, "\"%s\": out of memory", path);
        return NULL;
    }

    rc = MMDB_open(path, MMDB_MODE_MMAP, &city->mmdb);

    if (rc != MMDB_SUCCESS) {
        tcr_err_set(err, "cannot open \"%s\": %s", path,
                    rc == MMDB_IO_ERROR ? strerror(errno) : MMDB_strerror(rc));
        free(city);
        return NULL;
    }

    type = city->mmdb.metadata.database_type;

    if (type == NULL || strstr(type, "City") == NULL) {
        tcr_err_set(err, "\"%s\" is a database of type \"%s\", expected a "
                    "City database", path, type != NULL ? type : "");
        tcr_city_close(city);
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
    int                   error;
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

    result = look_up(&city->mmdb, addr, &error);

    if (error != MMDB_SUCCESS) {
        return -1;
    }

    if (scope != NULL) {
        *scope = scope_of(&city->mmdb, addr, result.netmask);
    }

    return result.found_entry ? read_record(&result.entry, record) : 0;
}


static MMDB_lookup_result_s
look_up(const MMDB_s *mmdb, const tcr_addr_t *addr, int *error)
{
    size_t               i;
    struct sockaddr_in   sin = { .sin_family = AF_INET };
    struct sockaddr_in6  sin6 = { .sin6_family = AF_INET6 };

    *error = MMDB_SUCCESS;

    if (addr->family == 4) {
        sin.sin_addr.s_addr = htonl((uint32_t) addr->lo);
        return MMDB_lookup_sockaddr(mmdb, (struct sockaddr *) &sin, error);
    }

    for (i = 0; i < 8; i++) {
        sin6.sin6_addr.s6_addr[i] = (uint8_t) (addr->hi >> (56 - 8 * i));
        sin6.sin6_addr.s6_addr[8 + i] = (uint8_t) (addr->lo >> (56 - 8 * i));
    }

    return MMDB_lookup_sockaddr(mmdb, (struct sockaddr *) &sin6, error);
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

    rc = get_degrees(entry, path_latitude, &record->point.lat);

    if (rc != 1) {
        return rc;
    }

    rc = get_degrees(entry, path_longitude, &record->point.lon);

    if (rc != 1) {
        return rc;
    }

    if (get_text(entry, path_country_code, &record->country_code) < 0
        || get_text(entry, path_country_name, &record->country_name) < 0
        || get_text(entry, path_city, &record->city) < 0
        || get_text(entry, path_postal, &record->postal_code) < 0)
    {
        return -1;
    }

    rc = get_value(entry, path_subdivisions, &subdivisions);

    if (rc < 0) {
        return -1;
    }

    /* data_size of an array is the number of its elements */
    record->country_only = record->city.data == NULL
                           && record->postal_code.data == NULL
                           && (rc == 0 || subdivisions.data_size == 0);
    return 1;
}


/* 1 there, 0 not there, -1 damaged */
static int
get_value(MMDB_entry_s *entry, const char *const *path,
    MMDB_entry_data_s *data)
{
    int  rc;

    rc = MMDB_aget_value(entry, data, path);

    if (rc == MMDB_LOOKUP_PATH_DOES_NOT_MATCH_DATA_ERROR) {
        return 0;
    }

    return rc == MMDB_SUCCESS ? data->has_data : -1;
}


static int
get_degrees(MMDB_entry_s *entry, const char *const *path, double *out)
{
    int                rc;
    MMDB_entry_data_s  data;

    rc = get_value(entry, path, &data);

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
    rc = get_value(entry, path, &data);

    if (rc != 1) {
        return rc;
    }

    if (data.type != MMDB_DATA_TYPE_UTF8_STRING) {
        return -1;
    }

    *out = tcr_str_n(data.utf8_string, data.data_size);
    return 1;
}
