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
#include "tcr_compile_certs.h"
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
read_certificates(tcf_inputs_t *inputs, tcf_input_t *in, tcr_err_t *err)
{
    tcr_sslkeys_t  known = { .n = 0 };

    if (inputs->certs != NULL
        && tcr_compile_certs_known(inputs->certs, in->arena, &known, err) != 0)
    {
        return -1;
    }

    return tcr_sslkeys_parse(&inputs->certificates, in->arena, &in->doc,
                             inputs->now, &known, &in->report, err);
}


static int
read_keys(tcf_inputs_t *inputs, tcf_input_t *in, tcr_err_t *err)
{
    return tcr_dnsseckeys_parse(&inputs->keys, in->arena, &in->doc,
                                inputs->ttl_dnskey, &in->report, err);
}


static int
read_ds_known(tcf_inputs_t *inputs, tcf_input_t *in, tcr_err_t *err)
{
    return tcr_ds_known_parse(&inputs->ds_known, in->arena, &in->doc,
                              &in->report, err);
}


static int
read_federations(tcf_inputs_t *inputs, tcf_input_t *in, tcr_err_t *err)
{
    return tcr_federations_parse(&inputs->federations, in->arena, &in->doc,
                                 &in->report, err);
}


static int
read_steering(tcf_inputs_t *inputs, tcf_input_t *in, tcr_err_t *err)
{
    return tcr_steering_parse(&inputs->steering, in->arena, &in->doc,
                              &in->report, err);
}


static int
read_challenges(tcf_inputs_t *inputs, tcf_input_t *in, tcr_err_t *err)
{
    return tcr_challenges_parse(&inputs->challenges, in->arena, &in->doc,
                                &in->report, err);
}


static int
read_acme(tcf_inputs_t *inputs, tcf_input_t *in, tcr_err_t *err)
{
    return tcr_challenges_parse(&inputs->acme, in->arena, &in->doc,
                                &in->report, err);
}


static int
read_regional(tcf_inputs_t *inputs, tcf_input_t *in, tcr_err_t *err)
{
    return tcr_regional_parse(&inputs->regional, in->arena, &in->doc,
                              &in->report, err);
}


static int
read_policy(tcf_inputs_t *inputs, tcf_input_t *in, tcr_err_t *err)
{
    return tcr_anonymous_policy_parse(&inputs->policy, in->arena, &in->doc,
                                      &in->report, err);
}


/* A database that opens may still be cut: it has to answer as well. */
static const tcr_addr_t  asked[] = {
    { 0, 0xc0000201, 4 },                     /* 192.0.2.1                   */
    { 0, 0x01010101, 4 },
    { UINT64_C(0x20010db800000000), 1, 6 }
};


static int
ask_city(const char *path, tcr_err_t *err)
{
    int                 rc = 0;
    size_t              i;
    tcr_city_t         *city;
    tcr_city_record_t   record;

    city = tcr_city_open(path, err);

    if (city == NULL) {
        return -1;
    }

    for (i = 0; rc == 0 && i < sizeof(asked) / sizeof(asked[0]); i++) {

        if (tcr_city_find(city, &asked[i], &record, NULL) < 0) {
            rc = tcr_err_set(err, "the database is damaged");
        }
    }

    tcr_city_close(city);
    return rc;
}


static int
ask_anonymous(const char *path, tcr_err_t *err)
{
    int                      rc = 0;
    size_t                   i;
    tcr_anonymous_t         *db = tcr_anonymous_open(path, err);
    tcr_anonymous_record_t   record;

    if (db == NULL) {
        return -1;
    }

    for (i = 0; rc == 0 && i < sizeof(asked) / sizeof(asked[0]); i++) {

        if (tcr_anonymous_find(db, &asked[i], &record) < 0) {
            rc = tcr_err_set(err, "the database is damaged");
        }
    }

    tcr_anonymous_close(db);
    return rc;
}


/* The library wants a path: fetched bytes get one that is nobody else's. */
static int
check_database(const tcf_input_t *in,
    int (*ask)(const char *, tcr_err_t *), tcr_err_t *err)
{
    int      fd, rc = 0;
    char     path[SELF_FD];
    size_t   done = 0;
    ssize_t  n;

    if (in->path[0] != '\0') {
        return ask(in->path, err);
    }

    fd = memfd_create("database", MFD_CLOEXEC);

    while (fd != -1 && rc == 0 && done < in->bytes.len) {
        n = write(fd, in->bytes.data + done, in->bytes.len - done);

        if (n > 0) {
            done += (size_t) n;

        } else if (errno != EINTR) {
            rc = -1;
        }
    }

    if (fd == -1 || rc != 0) {
        tcr_err_set(err, "cannot check the database: %s", strerror(errno));

    } else {
        snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
        rc = ask(path, err);
    }

    if (fd != -1) {
        close(fd);
    }

    return fd == -1 ? -1 : rc;
}


static int
read_city(tcf_inputs_t *inputs, tcf_input_t *in, tcr_err_t *err)
{
    (void) inputs;
    return check_database(in, ask_city, err);
}


static int
read_anonymous(tcf_inputs_t *inputs, tcf_input_t *in, tcr_err_t *err)
{
    (void) inputs;
    return check_database(in, ask_anonymous, err);
}


static int (*const readers[TCF_SOURCES])(tcf_inputs_t *, tcf_input_t *,
    tcr_err_t *) = {
    [TCF_SNAPSHOT] = read_snapshot,
    [TCF_COVERAGE] = read_coverage,
    [TCF_DEEP] = read_deep,
    [TCF_CITY] = read_city,
    [TCF_CERTIFICATES] = read_certificates,
    [TCF_KEYS] = read_keys,
    [TCF_DS_KNOWN] = read_ds_known,
    [TCF_FEDERATIONS] = read_federations,
    [TCF_STEERING] = read_steering,
    [TCF_CHALLENGES] = read_challenges,
    [TCF_ACME] = read_acme,
    [TCF_REGIONAL] = read_regional,
    [TCF_ANONYMOUS_POLICY] = read_policy,
    [TCF_ANONYMOUS_IP] = read_anonymous
};


/* --- bytes --- */

static void
free_model(tcf_inputs_t *inputs, tcf_source_e source)
{
    switch (source) {

    case TCF_COVERAGE:
        tcr_coverage_free(&inputs->coverage);
        break;

    case TCF_DEEP:
        tcr_coverage_free(&inputs->deep);
        break;

    case TCF_CERTIFICATES:
        tcr_sslkeys_free(&inputs->certificates);
        break;

    case TCF_KEYS:
        tcr_dnsseckeys_free(&inputs->keys);
        break;

    case TCF_FEDERATIONS:
        tcr_federations_free(&inputs->federations);
        break;

    case TCF_REGIONAL:
        tcr_regional_free(&inputs->regional);
        break;

    case TCF_ANONYMOUS_POLICY:
        tcr_anonymous_policy_free(&inputs->policy);
        break;

    default:
        break;
    }
}


void
tcf_input_drop(tcf_inputs_t *inputs, tcf_source_e source)
{
    tcf_input_t  *in = &inputs->in[source];

    if (in->is_read) {
        free_model(inputs, source);
    }

    if (tcf_rows[source].secret) {
        tcr_arena_destroy_wiped(in->arena);

    } else {
        tcr_arena_destroy(in->arena);
    }

    in->arena = NULL;
    in->is_read = false;
    in->bytes.data = NULL;
    tcr_file_unmap(&in->file);
    in->origin = TCF_INPUT_NONE;
}


/* in->bytes become a model; file names them in messages. */
static int
read_bytes(tcf_inputs_t *inputs, tcf_source_e source, const char *file,
    tcr_err_t *err)
{
    int           rc = 0;
    tcf_input_t  *in = &inputs->in[source];

    in->arena = tcr_arena_create(ARENA_CHUNK);

    if (in->arena == NULL) {
        rc = tcr_err_set(err, "no memory to read \"%s\"", file);

    } else {
        tcr_report_init(&in->report, in->arena, 0);

        if (!tcf_rows[source].database) {
            rc = tcr_json_parse(&in->doc, in->arena, file, in->bytes, err);
        }
    }

    if (rc == 0) {
        rc = readers[source](inputs, in, err);
        in->is_read = rc == 0;
    }

    if (rc != 0) {
        tcf_input_drop(inputs, source);
    }

    return rc;
}


static int
hash(tcf_input_t *in, tcr_err_t *err)
{
    in->size = in->bytes.len;

    if (tcr_sha256(in->bytes.data, in->bytes.len, in->sha256) != 0) {
        return tcr_err_set(err, "no memory for a hash");
    }

    return 0;
}


int
tcf_input_take(tcf_inputs_t *inputs, tcf_source_e source,
    const tcf_body_t *body, tcr_err_t *err)
{
    tcf_input_t  *in = &inputs->in[source];

    in->origin = TCF_INPUT_FETCHED;
    in->bytes = tcr_str_n(body->data, body->len);
    in->path[0] = '\0';

    if (hash(in, err) != 0) {
        in->origin = TCF_INPUT_NONE;
        return -1;
    }

    return read_bytes(inputs, source, tcf_rows[source].name, err);
}


/* Maps a copy and hashes it. */
static int
map(tcf_inputs_t *inputs, tcf_source_e source, const tcf_store_t *store,
    bool older)
{
    bool          missing;
    tcr_err_t     err;
    const char   *name = tcf_rows[source].file;
    tcf_input_t  *in = &inputs->in[source];

    if (inputs->unsaved[source].data != NULL && !older) {
        in->bytes = inputs->unsaved[source];
        in->path[0] = '\0';
        in->origin = TCF_INPUT_STORED;
        return hash(in, &err);
    }

    tcf_store_path(store, name, older, in->path, sizeof(in->path));

    if (tcf_store_map(store, name, older, &in->file, &missing, &err) != 0) {

        if (!missing) {
            in->damaged = err;
        }

        return -1;
    }

    in->bytes = in->file.text;
    in->origin = older ? TCF_INPUT_OLDER : TCF_INPUT_STORED;

    if (hash(in, &err) != 0) {
        tcf_input_drop(inputs, source);
        return -1;
    }

    return 0;
}


void
tcf_input_find(tcf_inputs_t *inputs, tcf_source_e source,
    const tcf_store_t *store, const tcf_known_t *known)
{
    tcf_input_t  *in = &inputs->in[source];

    if (known->size != 0) {
        in->origin = TCF_INPUT_STORED;
        in->size = known->size;
        memcpy(in->sha256, known->sha256, sizeof(in->sha256));
        return;
    }

    if (map(inputs, source, store, false) != 0) {
        map(inputs, source, store, true);
    }
}


int
tcf_input_read(tcf_inputs_t *inputs, tcf_source_e source,
    const tcf_store_t *store)
{
    bool          older;
    tcr_err_t     err;
    tcf_input_t  *in = &inputs->in[source];

    if (in->is_read || in->origin == TCF_INPUT_NONE) {
        return in->is_read ? 0 : -1;
    }

    older = in->origin == TCF_INPUT_OLDER;

    if (in->bytes.data == NULL && map(inputs, source, store, false) != 0) {
        in->origin = TCF_INPUT_NONE;
        older = true;

        if (map(inputs, source, store, true) != 0) {
            return -1;
        }
    }

    for ( ;; ) {

        /* the path of what a dry run keeps for a while would mean nothing */
        if (read_bytes(inputs, source, in->path[0] == '\0'
                                       || tcf_store_is_own(store, in->path)
                                       ? tcf_rows[source].name : in->path,
                       &err) == 0)
        {
            return 0;
        }

        in->damaged = err;

        if (older || map(inputs, source, store, true) != 0) {
            return -1;
        }

        older = true;
    }
}


void
tcf_inputs_free(tcf_inputs_t *inputs)
{
    tcf_source_e  source;

    for (source = 0; source < TCF_SOURCES; source++) {
        tcf_input_drop(inputs, source);
    }
}
