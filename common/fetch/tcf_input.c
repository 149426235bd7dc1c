/* SPDX-License-Identifier: Apache-2.0 */

/*
 * One way to read each source.
 */

#include "tcf_input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tcr_anonymous.h"
#include "tcr_city.h"
#include "tcr_digest.h"

#define ARENA_CHUNK  (1024 * 1024)
#define SELF_FD      64           /* of "/proc/self/fd/N"                    */


/* --- models --- */

static int
read_snapshot(tcf_inputs_t *inputs, tcf_input_t *in, tcr_err_t *err)
{
    return tcr_crconfig_parse(&inputs->crconfig, in->arena, &in->doc,
                              &in->report, err);
}


static int
read_coverage(tcf_inputs_t *inputs, tcf_input_t *in, tcr_err_t *err)
{
    return tcr_coverage_parse(&inputs->coverage, in->arena, &in->doc, false,
                              &in->report, err);
}


static int
read_deep(tcf_inputs_t *inputs, tcf_input_t *in, tcr_err_t *err)
{
    return tcr_coverage_parse(&inputs->deep, in->arena, &in->doc, true,
                              &in->report, err);
}


static int
read_regional(tcf_inputs_t *inputs, tcf_input_t *in, tcr_err_t *err)
{
    return tcr_regional_parse(&inputs->regional, in->arena, &in->doc,
                              &in->report, err);
}


static int
read_anonymous(tcf_inputs_t *inputs, tcf_input_t *in, tcr_err_t *err)
{
    return tcr_anonymous_policy_parse(&inputs->anonymous, in->arena, &in->doc,
                                      &in->report, err);
}


/* Ids of the services that have a certificate (spec/inputs.md §5.9, §8.1). */
static int
read_certificates(tcf_inputs_t *inputs, tcf_input_t *in, tcr_err_t *err)
{
    size_t             n = 0;
    tcr_str_t         *ids;
    const tcr_json_t  *list = tcr_json_get(in->doc.root, "response"), *one;
    const tcr_json_t  *id;

    if (!tcr_json_is(list, TCR_JSON_ARRAY)) {
        return tcr_err_set(err, "%s: no array \"response\"", in->doc.file);
    }

    ids = tcr_arena_calloc(in->arena, list->u.list.n + 1, sizeof(*ids));

    if (ids == NULL) {
        return tcr_err_set(err, "%s: no memory to read it", in->doc.file);
    }

    for (one = tcr_json_first(list); one != NULL; one = one->next) {
        id = tcr_json_get(one, "deliveryservice");

        if (tcr_json_is(id, TCR_JSON_STRING)) {
            ids[n++] = id->u.str;
        }
    }

    inputs->certificates = ids;
    inputs->n_certificates = n;
    return 0;
}


/* --- databases --- */

static const tcr_addr_t  asked[] = {
    { 0, 0xc0000201, 4 },                     /* 192.0.2.1                   */
    { 0, 0x01010101, 4 },
    { UINT64_C(0x20010db800000000), 1, 6 }
};

#define ASKED  (sizeof(asked) / sizeof(asked[0]))


static int
ask_city(const char *path, tcr_err_t *err)
{
    int                 rc = 0;
    size_t              i;
    tcr_city_t         *city = tcr_city_open(path, err);
    tcr_city_record_t   record;

    if (city == NULL) {
        return -1;
    }

    for (i = 0; i < ASKED && rc >= 0; i++) {
        rc = tcr_city_find(city, &asked[i], &record, NULL);
    }

    tcr_city_close(city);
    return rc < 0 ? tcr_err_set(err, "the database is damaged") : 0;
}


static int
ask_anonymous_ip(const char *path, tcr_err_t *err)
{
    int                      rc = 0;
    size_t                   i;
    tcr_anonymous_t         *db = tcr_anonymous_open(path, err);
    tcr_anonymous_record_t   record;

    if (db == NULL) {
        return -1;
    }

    for (i = 0; i < ASKED && rc >= 0; i++) {
        rc = tcr_anonymous_find(db, &asked[i], &record);
    }

    tcr_anonymous_close(db);
    return rc < 0 ? tcr_err_set(err, "the database is damaged") : 0;
}


/* One that opens may still be cut: it has to answer as well. */
static int
ask(tcf_source_e source, const char *path, tcr_err_t *err)
{
    return source == TCF_CITY ? ask_city(path, err)
                              : ask_anonymous_ip(path, err);
}


/* An unnamed file with these bytes, -1 when it cannot be made. */
static int
write_unnamed(tcr_str_t bytes)
{
    int      fd = memfd_create("database", MFD_CLOEXEC);
    size_t   done = 0;
    ssize_t  n;

    while (fd != -1 && done < bytes.len) {
        n = write(fd, bytes.data + done, bytes.len - done);

        if (n > 0) {
            done += (size_t) n;

        } else if (errno != EINTR) {
            close(fd);
            return -1;
        }
    }

    return fd;
}


/* The library wants a path: fetched bytes get one that is nobody else's. */
static int
check_database(tcf_source_e source, const tcf_input_t *in, tcr_err_t *err)
{
    int   fd, rc;
    char  path[SELF_FD];

    if (in->path[0] != '\0') {
        return ask(source, in->path, err);
    }

    fd = write_unnamed(in->bytes);

    if (fd == -1) {
        return tcr_err_set(err, "cannot check the database: %s",
                           strerror(errno));
    }

    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    rc = ask(source, path, err);
    close(fd);

    return rc;
}


static int (*const readers[TCF_SOURCES])(tcf_inputs_t *, tcf_input_t *,
    tcr_err_t *) = {
    [TCF_SNAPSHOT] = read_snapshot,
    [TCF_COVERAGE] = read_coverage,
    [TCF_DEEP] = read_deep,
    [TCF_REGIONAL] = read_regional,
    [TCF_ANONYMOUS_POLICY] = read_anonymous,
    [TCF_CERTIFICATES] = read_certificates
};


/* --- bytes --- */

static void
drop(tcf_inputs_t *inputs, tcf_source_e source)
{
    tcf_input_t  *in = &inputs->in[source];

    switch (source) {

    case TCF_COVERAGE:
        tcr_coverage_free(&inputs->coverage);
        break;

    case TCF_DEEP:
        tcr_coverage_free(&inputs->deep);
        break;

    case TCF_REGIONAL:
        tcr_regional_free(&inputs->regional);
        break;

    case TCF_ANONYMOUS_POLICY:
        tcr_anonymous_policy_free(&inputs->anonymous);
        break;

    default:
        break;
    }

    tcr_arena_destroy(in->arena);
    in->arena = NULL;
    tcr_file_unmap(&in->file);
    in->origin = TCF_INPUT_NONE;
}


/* in->bytes become a model; file names them in messages. */
static int
read_bytes(tcf_inputs_t *inputs, tcf_source_e source, tcf_origin_e origin,
    const char *file, tcr_err_t *err)
{
    int           rc;
    tcf_input_t  *in = &inputs->in[source];

    in->origin = origin;
    in->arena = tcr_arena_create(ARENA_CHUNK);

    if (in->arena == NULL
        || tcr_sha256(in->bytes.data, in->bytes.len, in->sha256) != 0)
    {
        rc = tcr_err_set(err, "no memory to read \"%s\"", file);

    } else if (tcf_is_database(source)) {
        rc = check_database(source, in, err);

    } else {
        tcr_report_init(&in->report, in->arena, 0);
        rc = tcr_json_parse(&in->doc, in->arena, file, in->bytes, err);

        if (rc == 0) {
            rc = readers[source](inputs, in, err);
        }
    }

    if (rc != 0) {
        drop(inputs, source);
    }

    return rc;
}


int
tcf_input_take(tcf_inputs_t *inputs, tcf_source_e source,
    const tcf_body_t *body, tcr_err_t *err)
{
    tcf_input_t  *in = &inputs->in[source];

    in->bytes = tcr_str_n(body->data, body->len);
    in->path[0] = '\0';

    return read_bytes(inputs, source, TCF_INPUT_FETCHED, tcf_rows[source].name,
                      err);
}


static int
load(tcf_inputs_t *inputs, tcf_source_e source, const tcf_store_t *store,
    bool older)
{
    bool          missing;
    tcr_err_t     err;
    const char   *name = tcf_rows[source].file;
    tcf_input_t  *in = &inputs->in[source];

    tcf_store_path(store, name, older, in->path, sizeof(in->path));

    if (tcf_store_map(store, name, older, &in->file, &missing, &err) != 0) {

        if (!missing) {
            in->damaged = err;
        }

        return -1;
    }

    in->bytes = in->file.text;

    /* the path of what a dry run keeps for a while would mean nothing */
    if (read_bytes(inputs, source, older ? TCF_INPUT_OLDER : TCF_INPUT_STORED,
                   tcf_store_is_own(store, in->path) ? tcf_rows[source].name
                                                     : in->path, &err)
        != 0)
    {
        in->damaged = err;
        return -1;
    }

    return 0;
}


void
tcf_input_load(tcf_inputs_t *inputs, tcf_source_e source,
    const tcf_store_t *store)
{
    if (load(inputs, source, store, false) != 0) {
        load(inputs, source, store, true);
    }
}


void
tcf_inputs_free(tcf_inputs_t *inputs)
{
    tcf_source_e  source;

    for (source = 0; source < TCF_SOURCES; source++) {
        drop(inputs, source);
    }
}
