/* SPDX-License-Identifier: Apache-2.0 */

/* Anonymous-IP database look-ups. */

#include "tcr_anonymous.h"

#include <stdlib.h>

#include "tcr_mmdb.h"


struct tcr_anonymous_s {
    MMDB_s  mmdb;
};


static const char *const  path_vpn[] = { "is_anonymous_vpn", NULL };
static const char *const  path_hosting[] = { "is_hosting_provider", NULL };
static const char *const  path_proxy[] = { "is_public_proxy", NULL };
static const char *const  path_tor[] = { "is_tor_exit_node", NULL };


tcr_anonymous_t *
tcr_anonymous_open(const char *path, tcr_err_t *err)
{
    tcr_anonymous_t  *db;

    db = malloc(sizeof(tcr_anonymous_t));

    if (db == NULL) {
        tcr_err_set(err, "\"%s\": out of memory", path);
        return NULL;
    }

    if (tcr_mmdb_open(&db->mmdb, path, "Anonymous", err) != 0) {
        free(db);
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


/* A flag that is not there is not set. */
static int
get_flag(MMDB_entry_s *entry, const char *const *path, bool *out)
{
    int                rc;
    MMDB_entry_data_s  data;

    *out = false;
    rc = tcr_mmdb_value(entry, path, &data);

    if (rc != 1) {
        return rc;
    }

    if (data.type != MMDB_DATA_TYPE_BOOLEAN) {
        return -1;
    }

    *out = data.boolean;
    return 1;
}


int
tcr_anonymous_find(const tcr_anonymous_t *db, const tcr_addr_t *addr,
    tcr_anonymous_record_t *record)
{
    int                   rc;
    MMDB_lookup_result_s  result;

    /* a tree of IPv4 has nothing for any IPv6 address */
    if (addr->family == 0
        || (addr->family == 6 && db->mmdb.metadata.ip_version == 4))
    {
        return 0;
    }

    rc = tcr_mmdb_find(&db->mmdb, addr, &result);

    if (rc != 1) {
        return rc;
    }

    if (get_flag(&result.entry, path_vpn, &record->vpn) < 0
        || get_flag(&result.entry, path_hosting, &record->hosting) < 0
        || get_flag(&result.entry, path_proxy, &record->proxy) < 0
        || get_flag(&result.entry, path_tor, &record->tor) < 0)
    {
        return -1;
    }

    return 1;
}
