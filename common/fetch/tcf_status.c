/* SPDX-License-Identifier: Apache-2.0 */

/*
 * STATE/status.json: for `tcrouter status`, and for our next run, which
 * takes up due times, validators and facts where this one has left them.
 */

#include "tcf.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tcr_clock.h"

#define STATUS_MAX    (4u * 1024 * 1024)
#define STATUS_MS     1000        /* between two writings                    */
#define STATUS_OLD_MS 10000       /* without news                            */


/* --- out --- */

static void
put_text(tcr_buf_t *buf, const char *name, const char *text)
{
    tcr_buf_printf(buf, ",\"%s\":", name);
    tcr_buf_json_str(buf, tcr_str(text));
}


static void
put_hex(tcr_buf_t *buf, const char *name, const uint8_t bytes[32])
{
    size_t  i;

    tcr_buf_printf(buf, ",\"%s\":\"", name);

    for (i = 0; i < 32; i++) {
        tcr_buf_printf(buf, "%02x", bytes[i]);
    }

    tcr_buf_char(buf, '"');
}


static void
put_source(const tcf_source_t *s, tcr_buf_t *buf)
{
    char     url[TCF_NAME_MAX * 2] = "";
    int64_t  now = tcr_ticks_ms(), wall = tcr_now_ms();

    if (s->url != NULL) {
        tcf_http_show(s->url, url, sizeof(url));
    }

    tcr_buf_json_str(buf, tcr_str(s->row->name));
    tcr_buf_printf(buf, ":{\"in_use\":%s", s->in_use ? "true" : "false");
    put_text(buf, "url", url);
    tcr_buf_printf(buf, ",\"url_hash\":\"%016" PRIx64 "\"", s->url_hash);
    tcr_buf_printf(buf, ",\"last_ok\":%" PRId64 ",\"last_error\":%" PRId64
                   ",\"failures\":%u,\"next_due\":%" PRId64, s->last_ok,
                   s->last_error, s->failures,
                   s->in_use ? tcf_due_to_wall(s->due, now, wall) : 0);
    put_text(buf, "error", s->last_error != 0 ? s->error : "");
    tcr_buf_printf(buf, ",\"refused\":%s", s->bad ? "true" : "false");
    tcr_buf_printf(buf, ",\"size\":%" PRIu64 ",\"since\":%" PRId64,
                   s->accepted.size, s->accepted.since);

    if (s->accepted.size != 0) {
        put_hex(buf, "sha256", s->accepted.sha256);
        put_text(buf, "from", s->accepted.from);
        put_text(buf, "etag", s->accepted.validator.etag);
        put_text(buf, "modified", s->accepted.validator.modified);
    }

    tcr_buf_char(buf, '}');
}


static void
put_monitors(const tcf_monitors_t *m, tcr_buf_t *buf)
{
    uint32_t  i;
    int64_t   now = tcr_ticks_ms();

    tcr_buf_printf(buf, ",\n\"monitors\":[");

    for (i = 0; i < m->n; i++) {
        tcr_buf_printf(buf, "%s{\"host\":", i == 0 ? "" : ",");
        tcr_buf_json_str(buf, tcr_str(m->list[i].host));
        tcr_buf_printf(buf, ",\"failures\":%u,\"passed_over\":%s}",
                       m->list[i].failures,
                       m->list[i].dead_until > now ? "true" : "false");
    }

    tcr_buf_char(buf, ']');
}


static void
fill(const tcf_t *f, tcr_buf_t *buf)
{
    tcf_source_e        i;
    const tcr_image_t  *routing = tcf_in_force(f);

    tcr_buf_printf(buf, "{\"version\":1,\"written\":%" PRId64
                   ",\"generation\":%" PRIu64 ",\"snapshot_date\":%" PRId64
                   ",\"states_time\":%" PRId64 ",\"poll_time\":%" PRId64,
                   tcr_now_ms(),
                   routing != NULL ? routing->header->number : 0, f->date,
                   f->states.time, f->states.poll_time);

    tcr_buf_printf(buf, ",\n\"sources\":{");

    for (i = 0; i < TCF_SOURCES; i++) {
        tcr_buf_printf(buf, "%s\n", i == 0 ? "" : ",");
        put_source(&f->sources[i], buf);
    }

    tcr_buf_char(buf, '}');
    put_monitors(&f->monitors, buf);

    if (f->facts != NULL) {
        tcr_buf_printf(buf, ",\n\"facts\":");
        tcf_facts_write(f->facts, buf);
    }

    tcr_buf_printf(buf, "}\n");
}


void
tcf_status_write(tcf_t *f, bool now)
{
    int64_t    ticks = tcr_ticks_ms();
    tcr_buf_t  buf;
    tcr_err_t  err;

    /* times of success are worth writing down too, if less often */
    if (!now && (ticks < f->status_at
                 || (!f->status_changed
                     && ticks < f->status_at + STATUS_OLD_MS)))
    {
        return;
    }

    tcr_buf_init(&buf, STATUS_MAX);
    fill(f, &buf);

    if (buf.failed) {
        tcr_err_set(&err, "no memory");
    }

    if (buf.failed
        || tcr_file_replace(f->store.dirfd, TCF_STATUS_NAME, buf.data, buf.len,
                            0644, &err) != 0)
    {
        tcr_log_limited(TCR_LOG_WARN, TCF_STATUS_NAME, "cannot write "
                        "\"%s/" TCF_STATUS_NAME "\": %s", f->state, err.text);
    }

    tcr_buf_free(&buf);
    f->status_changed = false;
    f->status_at = ticks + STATUS_MS;
}


/* --- in --- */

static void
take_text(const tcr_json_t *object, const char *name, char *text, size_t size)
{
    tcr_str_t  value = tcr_json_str(tcr_json_get(object, name), TCR_STR(""));

    snprintf(text, size, "%.*s", TCR_STR_ARG(value));
}


static int
hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }

    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}


static bool
take_hex(const tcr_json_t *object, const char *name, uint8_t *out, size_t n)
{
    int        hi, lo;
    size_t     i;
    tcr_str_t  text = tcr_json_str(tcr_json_get(object, name), TCR_STR(""));

    if (text.len != 2 * n) {
        return false;
    }

    for (i = 0; i < n; i++) {
        hi = hex_digit(text.data[2 * i]);
        lo = hex_digit(text.data[2 * i + 1]);

        if (hi < 0 || lo < 0) {
            return false;
        }

        out[i] = (uint8_t) (hi * 16 + lo);
    }

    return true;
}


static void
take_hash(const tcr_json_t *object, tcf_source_t *s)
{
    size_t   i;
    uint8_t  bytes[8];

    if (take_hex(object, "url_hash", bytes, sizeof(bytes))) {

        for (i = 0; i < sizeof(bytes); i++) {
            s->url_hash = s->url_hash << 8 | bytes[i];
        }
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
                               tcr_ticks_ms(), tcr_now_ms(),
                               INT64_C(366) * 86400 * 1000);
    s->last_ok = tcr_json_long(tcr_json_get(object, "last_ok"), 0);
    s->bad = tcr_json_bool(tcr_json_get(object, "refused"), false);
    take_hash(object, s);

    if (tcf_store_map(&f->store, name, false, &file, &missing, NULL) != 0) {
        s->due = tcr_ticks_ms();
        return;
    }

    if (tcr_json_long(tcr_json_get(object, "size"), 0)
            == (int64_t) file.text.len
        && take_hex(object, "sha256", s->accepted.sha256, 32))
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
take_up(tcf_t *f, tcr_arena_t *arena, tcr_str_t text)
{
    tcf_source_e       i;
    tcr_json_doc_t     doc;
    const tcr_json_t  *sources;

    if (tcr_json_parse(&doc, arena, TCF_STATUS_NAME, text, NULL) != 0) {
        return;
    }

    sources = tcr_json_get(doc.root, "sources");

    for (i = 0; i < TCF_SOURCES; i++) {
        take_source(f, &f->sources[i],
                    tcr_json_get(sources, f->sources[i].row->name));
    }

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
