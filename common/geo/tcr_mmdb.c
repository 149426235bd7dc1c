/* SPDX-License-Identifier: Apache-2.0 */

/* Opening MaxMind databases safely, finding an address and a value. */

#include "tcr_mmdb.h"

#include <string.h>

#include <netinet/in.h>

#include "tcr_file.h"

#define MARK       "\xab\xcd\xefMaxMind.com"
#define MARK_LEN   (sizeof(MARK) - 1)
#define TAIL       (128 * 1024)   /* the mark stands in the last so many     */


/* Bytes behind the last mark, 0 when there is none. */
static size_t
behind_mark(tcr_str_t text)
{
    size_t       n;
    const char  *p;

    n = 0;

    if (text.len > TAIL) {
        text = tcr_str_n(text.data + text.len - TAIL, TAIL);
    }

    while ((p = memmem(text.data, text.len, MARK, MARK_LEN)) != NULL) {
        n = text.len - (size_t) (p - text.data) - MARK_LEN;
        text = tcr_str_n(p + MARK_LEN, n);
    }

    return n;
}


/*
 * A file that ends with the mark of the metadata makes libmaxminddb (1.7.1)
 * read past its end: the length 0 wraps.
 */
static int
check_tail(const char *path, tcr_err_t *err)
{
    size_t      n;
    tcr_file_t  file;

    if (tcr_file_map(&file, path, UINT32_MAX, err) != 0) {
        return -1;
    }

    n = behind_mark(file.text);
    tcr_file_unmap(&file);

    if (n == 0) {
        return tcr_err_set(err, "\"%s\" is no MaxMind database, or cut: no "
                           "metadata at its end", path);
    }

    return 0;
}


int
tcr_mmdb_open(MMDB_s *mmdb, const char *path, const char *word,
    tcr_err_t *err)
{
    int          rc;
    const char  *type;

    if (check_tail(path, err) != 0) {
        return -1;
    }

    rc = MMDB_open(path, MMDB_MODE_MMAP, mmdb);

    if (rc != MMDB_SUCCESS) {
        return tcr_err_set(err, "cannot open \"%s\": %s", path,
                           MMDB_strerror(rc));
    }

    type = mmdb->metadata.database_type;

    if (type == NULL || strstr(type, word) == NULL) {
        tcr_err_set(err, "\"%s\" is a database of type \"%s\", expected a "
                    "type with \"%s\" in it", path,
                    type != NULL ? type : "", word);
        MMDB_close(mmdb);
        return -1;
    }

    return 0;
}


static void
to_sockaddr6(const tcr_addr_t *addr, struct sockaddr_in6 *sin6)
{
    size_t  i;

    for (i = 0; i < 8; i++) {
        sin6->sin6_addr.s6_addr[i] = (uint8_t) (addr->hi >> (56 - 8 * i));
        sin6->sin6_addr.s6_addr[8 + i] = (uint8_t) (addr->lo >> (56 - 8 * i));
    }
}


int
tcr_mmdb_find(const MMDB_s *mmdb, const tcr_addr_t *addr,
    MMDB_lookup_result_s *result)
{
    int                      error = MMDB_SUCCESS;
    struct sockaddr_in       sin = { .sin_family = AF_INET };
    struct sockaddr_in6      sin6 = { .sin6_family = AF_INET6 };
    const struct sockaddr   *sa;

    if (addr->family == 4) {
        sin.sin_addr.s_addr = htonl((uint32_t) addr->lo);
        sa = (const struct sockaddr *) &sin;

    } else {
        to_sockaddr6(addr, &sin6);
        sa = (const struct sockaddr *) &sin6;
    }

    *result = MMDB_lookup_sockaddr(mmdb, sa, &error);

    return error == MMDB_SUCCESS ? result->found_entry : -1;
}


int
tcr_mmdb_value(MMDB_entry_s *entry, const char *const *path,
    MMDB_entry_data_s *data)
{
    int  rc;

    rc = MMDB_aget_value(entry, data, path);

    if (rc == MMDB_LOOKUP_PATH_DOES_NOT_MATCH_DATA_ERROR) {
        return 0;
    }

    return rc == MMDB_SUCCESS ? data->has_data : -1;
}
