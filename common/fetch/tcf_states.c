/* SPDX-License-Identifier: Apache-2.0 */

/*
 * One states document in memory.
 */

#include "tcf_states.h"

#include <stdlib.h>
#include <sys/stat.h>

#define STATES_MAX  (64u * 1024 * 1024)
#define PROBLEMS    10


int
tcf_states_take(tcf_states_t *states, char *body, size_t len, int64_t now,
    tcr_err_t *err)
{
    tcr_arena_t     *arena = tcr_arena_create(0);
    tcr_report_t     report;
    tcr_json_doc_t   doc;
    tcr_crstates_t   model;

    if (arena == NULL) {
        return tcr_err_set(err, "no memory for states");
    }

    tcr_report_init(&report, arena, PROBLEMS);

    if (tcr_json_parse(&doc, arena, "states", tcr_str_n(body, len), err) != 0
        || tcr_crstates_parse(&model, arena, &doc, &report, err) != 0)
    {
        tcr_arena_destroy(arena);
        return -1;
    }

    tcr_arena_destroy(states->arena);
    free(states->body);

    states->arena = arena;
    states->body = body;
    states->len = len;
    states->model = model;
    states->report = report;
    states->known = true;
    states->time = now;
    states->poll_time = now;
    return 0;
}


int
tcf_states_load(tcf_states_t *states, const tcf_store_t *store,
    const char *name, tcr_err_t *err)
{
    int          rc;
    bool         missing;
    char         path[PATH_MAX], *body;
    struct stat  st;
    tcr_file_t   file;

    if (tcf_store_map(store, name, false, &file, &missing, err) != 0) {
        return missing ? 0 : -1;
    }

    tcf_store_path(store, name, false, path, sizeof(path));
    body = file.text.len <= STATES_MAX ? malloc(file.text.len + 1) : NULL;

    if (body == NULL || stat(path, &st) != 0) {
        free(body);
        tcr_file_unmap(&file);
        return tcr_err_set(err, "cannot read \"%s\"", path);
    }

    memcpy(body, file.text.data, file.text.len);
    rc = tcf_states_take(states, body, file.text.len,
                         (int64_t) st.st_mtime * 1000, err);
    tcr_file_unmap(&file);

    if (rc != 0) {
        free(body);
    }

    states->saved = states->time;
    return rc;
}


size_t
tcf_states_apply(const tcf_states_t *states, const tcr_image_t *routing,
    void *health)
{
    size_t             changed;
    tcr_img_health_t  *root;

    root = (void *) ((char *) health + sizeof(tcr_img_header_t));
    changed = tcr_compile_states(routing, health, root, &states->model,
                                 states->time);
    __atomic_store_n(&root->poll_time, states->poll_time, __ATOMIC_RELAXED);

    return changed;
}


void
tcf_states_free(tcf_states_t *states)
{
    tcr_arena_destroy(states->arena);
    free(states->body);
}
