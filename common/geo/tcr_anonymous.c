/* SPDX-License-Identifier: Apache-2.0 */

/* Anonymous-IP database look-ups. */

#include <stdlib.h>
#include <string.h>

#include <netinet/in.h>

#include <maxminddb.h>

#include "tcr_anonymous.h"


struct tcr_anonymous_s {
    MMDB_s  mmdb;
};


tcr_anonymous_t *
tcr_anonymous_open(const char *path, tcr_err_t *err)
{
    int               rc;
    const char       *type;
    tcr_anonymous_t  *db;

    db = malloc(sizeof(*db));

    if (db == NULL) {
        tcr_err_set(err, "\"%s\": out of memory", path);
        return NULL;
    }

    rc = MMDB_open(path, MMDB_MODE_MMAP, &db->mmdb);

    if (rc != MMDB_SUCCESS) {
        tcr_err_set(err, "cannot open \"%s\": %s", path, MMDB_strerror(rc));
        free(db);
        return NULL;
    }

    type = db->mmdb.metadata.database_type;

    if (type == NULL || strstr(type, "Anonymous") == NULL) {
        tcr_err_set(err, "\"%s\" is a database of type \"%s\", expected an "
                    "Anonymous-IP database", path, type != NULL ? type : "");
        tcr_anonymous_close(db);
        return NULL;
    }

    return db;
}


void
tcr_anonymous_close(tcr_anonymous_t *db)
{
    if (db != NULL) {
        MMDB_close(&db->mmdb);
        free(db);
    }
}


static bool
flag(MMDB_entry_s *entry, const char *name)
{
    const char         *path[] = { name, NULL };
    MMDB_entry_data_s   data;

    return MMDB_aget_value(entry, &data, path) == MMDB_SUCCESS
           && data.has_data && data.type == MMDB_DATA_TYPE_BOOLEAN
           && data.boolean;
}


int
tcr_anonymous_find(const tcr_anonymous_t *db, const tcr_addr_t *addr,
    tcr_anonymous_record_t *record)
{
    int                   error = MMDB_SUCCESS;
    size_t                i;
    struct sockaddr_in    sin = { .sin_family = AF_INET };
    struct sockaddr_in6   sin6 = { .sin6_family = AF_INET6 };
    MMDB_lookup_result_s  result;

    if (addr->family == 0
        || (addr->family == 6 && db->mmdb.metadata.ip_version == 4))
    {
        return 0;
    }

    sin.sin_addr.s_addr = htonl((uint32_t) addr->lo);

    for (i = 0; i < 8; i++) {
        sin6.sin6_addr.s6_addr[i] = (uint8_t) (addr->hi >> (56 - 8 * i));
        sin6.sin6_addr.s6_addr[8 + i] = (uint8_t) (addr->lo >> (56 - 8 * i));
    }

    result = MMDB_lookup_sockaddr(&db->mmdb, addr->family == 4
                                  ? (struct sockaddr *) &sin
                                  : (struct sockaddr *) &sin6, &error);

    if (error != MMDB_SUCCESS) {
        return -1;
    }

    if (!result.found_entry) {
        return 0;
    }

    record->vpn = flag(&result.entry, "is_anonymous_vpn");
    record->hosting = flag(&result.entry, "is_hosting_provider");
    record->proxy = flag(&result.entry, "is_public_proxy");
    record->tor = flag(&result.entry, "is_tor_exit_node");

    return 1;
}
