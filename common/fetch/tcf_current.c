/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Fingerprints of routing images.
 */

#include "tcf_current.h"

#include "tcr_digest.h"
#include "tcr_version.h"


int
tcf_fingerprint(const char *router, const uint8_t *const hashes[],
    bool regional_fallback, uint8_t out[32])
{
    int            rc = -1;
    tcr_buf_t      buf;
    tcf_source_e   s;

    tcr_buf_init(&buf, 65536);
    tcr_buf_printf(&buf, "%s %d %s %d\n", TCR_VERSION, TCR_IMAGE_VERSION,
                   router, regional_fallback);

    for (s = 0; s < TCF_SOURCES; s++) {

        if (tcf_rows[s].in_routing && hashes[s] != NULL) {
            tcr_buf_printf(&buf, "%s ", tcf_rows[s].name);
            tcr_buf_add(&buf, hashes[s], 32);
        }
    }

    if (!buf.failed) {
        rc = tcr_sha256(buf.data, buf.len, out);
    }

    tcr_buf_free(&buf);
    return rc;
}


/* 1 = hashed, 0 = there is no copy, -1 = there is one that cannot be read. */
static int
hash_copy(const tcf_judgement_t *j, tcf_source_e s, uint8_t hash[32])
{
    int         rc;
    bool        missing;
    tcr_file_t  file;

    if (tcf_store_map(j->store, tcf_rows[s].file, false, &file, &missing,
                      NULL) != 0)
    {
        return missing ? 0 : -1;
    }

    rc = tcr_sha256(file.text.data, file.text.len, hash);
    tcr_file_unmap(&file);

    return rc == 0 ? 1 : -1;
}


/* They are published as they are: the same bytes? */
static bool
are_databases_current(const tcf_judgement_t *j)
{
    tcf_source_e           s;
    const tcf_database_t  *db;

    for (s = 0; s < TCF_SOURCES; s++) {
        db = &j->databases[s];

        if (!tcf_is_database(s) || db->known) {
            continue;
        }

        if (j->used[s] != (db->data != NULL)
            || (j->used[s] && !tcf_store_same(j->store, tcf_rows[s].file,
                                              db->data, db->size)))
        {
            return false;
        }
    }

    return true;
}


bool
tcf_is_current(const tcf_judgement_t *j)
{
    int             rc;
    uint8_t         hashes[TCF_SOURCES][32], print[32];
    tcf_source_e    s;
    const uint8_t  *found[TCF_SOURCES] = { NULL };

    if (j->in_force == NULL || j->lost || !j->facts_known) {
        return false;
    }

    for (s = 0; s < TCF_SOURCES; s++) {

        if (j->bodies[s].data != NULL) {
            return false;
        }

        if (!tcf_rows[s].in_routing || !j->used[s]) {
            continue;
        }

        rc = hash_copy(j, s, hashes[s]);

        if (rc < 0 || (s == TCF_SNAPSHOT
                       && (rc == 0 || memcmp(hashes[s], j->facts_sha256, 32))))
        {
            return false;
        }

        found[s] = rc > 0 ? hashes[s] : NULL;
    }

    if (!j->used[TCF_ANONYMOUS_IP]) {
        found[TCF_ANONYMOUS_POLICY] = NULL;
    }

    return tcf_fingerprint(j->router, found, j->regional_refused, print) == 0
           && memcmp(j->in_force->header->source_sha256, print, 32) == 0
           && are_databases_current(j);
}
