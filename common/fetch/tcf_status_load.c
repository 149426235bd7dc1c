/* SPDX-License-Identifier: Apache-2.0 */

/* What the last run wrote down, taken up. */

#include "tcf.h"

#include <stdio.h>

#include "tcf_hex.h"
#include "tcr_clock.h"

#define DUE_MAX  (INT64_C(366) * 86400 * 1000)


static void
take_text(const tcr_json_t *object, const char *name, char *text, size_t size)
{
    tcr_str_t  value = tcr_json_str(tcr_json_get(object, name), TCR_STR(""));

    snprintf(text, size, "%.*s", TCR_STR_ARG(value));
}


static bool
take_hash(const tcr_json_t *object, const char *name, uint8_t *out, size_t n)
{
    return tcf_unhex(tcr_json_str(tcr_json_get(object, name), TCR_STR("")),
                     out, n) == 0;
}


static void
take_url_hash(const tcr_json_t *object, tcf_source_t *s)
{
    size_t   i;
    uint8_t  bytes[8];

    if (take_hash(object, "url_hash", bytes, sizeof(bytes))) {

        for (i = 0; i < sizeof(bytes); i++) {
            s->url_hash = s->url_hash << 8 | bytes[i];
        }
    }
}


static void
take_problems(const tcr_json_t *object, tcf_problems_t *problems)
{
    const tcr_json_t  *text;

    if (!take_hash(object, "problem_sha256", problems->sha256, 32)) {
        return;
    }

    problems->count = (size_t) tcr_json_long(tcr_json_get(object,
                                                          "problem_count"), 0);

    for (text = tcr_json_first(tcr_json_get(object, "problems"));
         text != NULL; text = text->next)
    {
        tcf_problems_add(problems, tcr_json_str(text, TCR_STR("")));
    }
}


/* What was refused is refused again without being looked at. */
static void
take_refused(const tcr_json_t *object, tcf_source_t *s)
{
    int64_t  size = tcr_json_long(tcr_json_get(object, "refused_size"), 0);

    if (size > 0 && take_hash(object, "refused_sha256", s->refused, 32)) {
        s->refused_len = (size_t) size;
        s->last_error = tcr_json_long(tcr_json_get(object, "last_error"), 0);
        take_text(object, "error", s->error, sizeof(s->error));
    }
}


/* A validator is good for the bytes that we still have, and no others. */
static void
take_source(tcf_t *f, tcf_source_t *s, const tcr_json_t *object)
{
    bool         missing;
    tcr_file_t   file;
    const char  *name = s->row->file;

    s->due = tcf_due_from_wall(tcr_json_long(tcr_json_get(object, "next_due"),
                                             0),
                               tcr_ticks_ms(), tcr_now_ms(), DUE_MAX);
    s->last_ok = tcr_json_long(tcr_json_get(object, "last_ok"), 0);
    s->bad = tcr_json_bool(tcr_json_get(object, "refused"), false);
    take_url_hash(object, s);
    take_refused(object, s);

    if (tcf_store_map(&f->store, name, false, &file, &missing, NULL) != 0) {
        s->due = tcr_ticks_ms();
        return;
    }

    if (tcr_json_long(tcr_json_get(object, "size"), 0)
            == (int64_t) file.text.len
        && take_hash(object, "sha256", s->accepted.sha256, 32))
    {
        s->accepted.size = file.text.len;
        s->accepted.since = tcr_json_long(tcr_json_get(object, "since"), 0);
        take_text(object, "from", s->accepted.from,
                  sizeof(s->accepted.from));
        take_text(object, "etag", s->accepted.validator.etag,
                  sizeof(s->accepted.validator.etag));
        take_text(object, "modified", s->accepted.validator.modified,
                  sizeof(s->accepted.validator.modified));

    } else {
        s->due = tcr_ticks_ms();
    }

    tcr_file_unmap(&file);
}


static void
take_events(tcf_t *f, const tcr_json_t *root)
{
    const tcr_json_t  *event, *rejection = tcr_json_get(root, "rejection");

    f->rejection.time = tcr_json_long(tcr_json_get(rejection, "time"), 0);
    take_text(rejection, "text", f->rejection.text, TCF_EVENT_TEXT);

    for (event = tcr_json_first(tcr_json_get(root, "events")); event != NULL;
         event = event->next)
    {
        tcf_events_add(&f->events,
                       tcr_json_long(tcr_json_get(event, "time"), 0),
                       tcr_json_str(tcr_json_get(event, "text"),
                                    TCR_STR("")));
    }
}


static void
take_up(tcf_t *f, tcr_arena_t *arena, tcr_str_t text)
{
    size_t             i;
    tcf_source_t      *s;
    tcr_json_doc_t     doc;
    const tcr_json_t  *sources, *images, *object;

    if (tcr_json_parse(&doc, arena, TCF_STATUS_NAME, text, NULL) != 0) {
        return;
    }

    sources = tcr_json_get(doc.root, "sources");
    images = tcr_json_get(doc.root, "images");

    for (i = 0; i < TCF_SOURCES; i++) {
        s = &f->sources[i];
        object = tcr_json_get(sources, s->row->name);
        take_source(f, s, object);
        take_problems(object, &f->problems[i]);
    }

    for (i = 0; i < TCR_SLOT_COUNT; i++) {
        take_problems(tcr_json_get(images, tcr_slot_name((tcr_slot_e) i)),
                      &f->problems[TCF_SOURCES + i]);
    }

    take_events(f, doc.root);
    f->facts = tcf_facts_read(tcr_json_get(doc.root, "facts"));
}


/* Without a readable one everything is due at once, which is no error. */
void
tcf_status_load(tcf_t *f)
{
    bool          missing;
    tcr_file_t    file;
    tcr_arena_t  *arena = tcr_arena_create(0);

    if (arena == NULL) {
        return;
    }

    if (tcf_store_map(&f->store, TCF_STATUS_NAME, false, &file, &missing,
                      NULL) == 0)
    {
        take_up(f, arena, file.text);
        tcr_file_unmap(&file);
    }

    tcr_arena_destroy(arena);
}
