/* SPDX-License-Identifier: Apache-2.0 */

/*
 * STATE/status.json: for `tcrouter status`, and for our next run, which
 * takes up due times, validators and facts where this one has left them
 * (tcf_status_load).
 */

#include "tcf.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tcf_hex.h"
#include "tcr_clock.h"

#define STATUS_MAX    (4u * 1024 * 1024)
#define GAPS_MAX      100         /* that are named                          */
#define STATUS_MS     1000        /* between two writings                    */
#define STATUS_OLD_MS 10000       /* without news                            */


static void
add_event(tcf_t *f, const char *text)
{
    tcf_events_add(&f->events, tcr_now_ms(), tcr_str(text));
    f->status_changed = true;
}


void
tcf_note(tcf_t *f, const char *fmt, ...)
{
    char     text[TCF_EVENT_TEXT];
    va_list  ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);

    add_event(f, text);
}


void
tcf_event(tcf_t *f, tcr_log_level_e level, const char *fmt, ...)
{
    char     text[1024];
    va_list  ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);

    tcr_log(level, "%s", text);
    add_event(f, text);
}


/* --- out --- */

static void
put_hash(tcr_jw_t *w, const char *name, const uint8_t bytes[32])
{
    char  hex[TCF_HEX_SIZE];

    tcf_hex(bytes, hex);
    tcr_jw_str(w, name, tcr_str(hex));
}


static void
put_problems(tcr_jw_t *w, const tcf_problems_t *problems)
{
    unsigned  i;

    if (problems->count == 0) {
        return;
    }

    tcr_jw_uint(w, "problem_count", problems->count);
    put_hash(w, "problem_sha256", problems->sha256);
    tcr_jw_open(w, "problems", '[');

    for (i = 0; i < problems->n; i++) {
        tcr_jw_str(w, NULL, tcr_str(problems->texts[i]));
    }

    tcr_jw_close(w, ']');
}


static void
put_accepted(tcr_jw_t *w, const tcf_accepted_t *accepted)
{
    tcr_jw_uint(w, "size", accepted->size);
    tcr_jw_int(w, "since", accepted->since);

    if (accepted->size != 0) {
        put_hash(w, "sha256", accepted->sha256);
        tcr_jw_str(w, "from", tcr_str(accepted->from));
        tcr_jw_str(w, "etag", tcr_str(accepted->validator.etag));
        tcr_jw_str(w, "modified", tcr_str(accepted->validator.modified));
    }
}


/* They come each second: nobody hashes them. */
static void
put_states(tcr_jw_t *w, const tcf_t *f)
{
    tcr_jw_uint(w, "size", f->states.len);
    tcr_jw_int(w, "since", f->states.time);
    tcr_jw_str(w, "from", tcr_str(f->states.known ? f->monitor : ""));
}


static void
put_source(tcr_jw_t *w, const tcf_t *f, tcf_source_e i)
{
    char     url[TCF_NAME_MAX * 2] = "", hash[20];
    int64_t  now = tcr_ticks_ms(), wall = tcr_now_ms();

    const tcf_source_t  *s = &f->sources[i];

    if (s->url != NULL) {
        tcf_http_show(s->url, url, sizeof(url));
    }

    snprintf(hash, sizeof(hash), "%016" PRIx64, s->url_hash);
    tcr_jw_open(w, s->row->name, '{');
    tcr_jw_bool(w, "in_use", s->in_use);
    tcr_jw_str(w, "url", tcr_str(url));
    tcr_jw_str(w, "url_hash", tcr_str(hash));
    tcr_jw_int(w, "last_ok", s->last_ok);
    tcr_jw_int(w, "last_error", s->last_error);
    tcr_jw_uint(w, "failures", s->failures);
    tcr_jw_int(w, "next_due",
               s->in_use ? tcf_due_to_wall(s->due, now, wall) : 0);
    tcr_jw_int(w, "interval", s->in_use ? s->interval : 0);
    tcr_jw_str(w, "error", tcr_str(s->last_error != 0 ? s->error : ""));
    tcr_jw_bool(w, "refused", s->bad);

    if (i == TCF_STATES) {
        put_states(w, f);

    } else {
        put_accepted(w, &s->accepted);
    }

    if (s->refused_len != 0) {
        tcr_jw_uint(w, "refused_size", s->refused_len);
        put_hash(w, "refused_sha256", s->refused);
    }

    put_problems(w, &f->problems[i]);
    tcr_jw_close(w, '}');
}


static void
put_images(tcr_jw_t *w, const tcf_t *f)
{
    size_t           i;
    const tcr_set_t *set = tcr_snapshot_current(f->reader);

    tcr_jw_open(w, "images", '{');

    for (i = 0; i < TCR_SLOT_COUNT; i++) {

        if (set->slots[i] == NULL) {
            continue;
        }

        tcr_jw_open(w, tcr_slot_name((tcr_slot_e) i), '{');
        tcr_jw_uint(w, "number", set->slots[i]->number);
        tcr_jw_uint(w, "size", set->slots[i]->img.size);
        tcr_jw_int(w, "published", set->slots[i]->published);
        put_problems(w, &f->problems[TCF_SOURCES + i]);
        tcr_jw_close(w, '}');
    }

    tcr_jw_close(w, '}');
}


/* Services that want a certificate and have none (spec/inputs.md §5.9). */
static void
put_gaps(tcr_jw_t *w, const tcf_t *f)
{
    uint32_t                  i, n = 0;
    const tcr_image_t        *img = tcf_in_force(f);
    const tcr_img_service_t  *services;
    const tcr_img_routing_t  *root;

    if (img == NULL) {
        return;
    }

    root = tcr_image_root(img);
    services = tcr_image_vec(img, &root->services);
    tcr_jw_open(w, "certificate_gaps", '[');

    for (i = 0; i < root->services.n; i++) {

        if ((services[i].flags & (TCR_SERVICE_SSL_ENABLED
                                  | TCR_SERVICE_SSL_READY))
            != TCR_SERVICE_SSL_ENABLED)
        {
            continue;
        }

        if (n++ < GAPS_MAX) {
            tcr_jw_str(w, NULL, tcr_image_str(img, services[i].id));
        }
    }

    tcr_jw_close(w, ']');
    tcr_jw_uint(w, "certificate_gap_count", n);
}


static void
put_monitors(tcr_jw_t *w, const tcf_t *f)
{
    uint32_t              i;
    int64_t               now = tcr_ticks_ms();
    const tcf_monitor_t  *m;

    tcr_jw_str(w, "monitor", tcr_str(f->monitor));
    tcr_jw_open(w, "monitors", '[');

    for (i = 0; i < f->monitors.n; i++) {
        m = &f->monitors.list[i];
        tcr_jw_open(w, NULL, '{');
        tcr_jw_str(w, "host", tcr_str(m->host));
        tcr_jw_uint(w, "failures", m->failures);
        tcr_jw_bool(w, "passed_over", m->dead_until > now);
        tcr_jw_close(w, '}');
    }

    tcr_jw_close(w, ']');
}


static void
put_ops(tcr_jw_t *w, const tcf_ops_t *ops)
{
    tcr_jw_open(w, "traffic_ops", '{');
    tcr_jw_str(w, "origin", tcr_str(ops->origin));
    tcr_jw_bool(w, "logged_in", ops->session != 0);
    tcr_jw_uint(w, "failures", ops->failures);
    tcr_jw_str(w, "error", tcr_str(ops->error));
    tcr_jw_close(w, '}');
}


static void
put_events(tcr_jw_t *w, const tcf_t *f)
{
    uint32_t            i;
    const tcf_event_t  *event;

    tcr_jw_open(w, "rejection", '{');
    tcr_jw_int(w, "time", f->rejection.time);
    tcr_jw_str(w, "text", tcr_str(f->rejection.text));
    tcr_jw_close(w, '}');
    tcr_jw_open(w, "events", '[');

    for (i = 0; i < f->events.n; i++) {
        event = tcf_events_at(&f->events, i);
        tcr_jw_open(w, NULL, '{');
        tcr_jw_int(w, "time", event->time);
        tcr_jw_str(w, "text", tcr_str(event->text));
        tcr_jw_close(w, '}');
    }

    tcr_jw_close(w, ']');
}


static void
fill(const tcf_t *f, tcr_buf_t *buf)
{
    tcr_jw_t            w = tcr_jw(buf);
    tcf_source_e        i;
    const tcr_image_t  *routing = tcf_in_force(f);

    tcr_jw_open(&w, NULL, '{');
    tcr_jw_uint(&w, "version", 1);
    tcr_jw_int(&w, "written", tcr_now_ms());
    tcr_jw_uint(&w, "generation",
                routing != NULL ? routing->header->number : 0);
    tcr_jw_int(&w, "snapshot_date", f->date);
    tcr_jw_int(&w, "states_time", f->states.time);
    tcr_jw_int(&w, "poll_time", f->states.poll_time);
    tcr_jw_open(&w, "sources", '{');

    for (i = 0; i < TCF_SOURCES; i++) {
        put_source(&w, f, i);
    }

    tcr_jw_close(&w, '}');
    put_images(&w, f);
    put_gaps(&w, f);
    put_monitors(&w, f);
    put_ops(&w, &f->ops);
    put_events(&w, f);

    if (f->facts != NULL) {
        tcf_facts_write(f->facts, &w);
    }

    tcr_jw_close(&w, '}');
    tcr_buf_char(buf, '\n');
}


/*
 * A state directory that is full is among the things to be told: then the
 * file stands beside the images, for as long as that lasts.
 */
static void
write_aside(const tcf_t *f, const tcr_buf_t *buf)
{
    int  fd = open(f->images, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd == -1) {
        return;
    }

    if (buf != NULL) {
        tcr_file_replace(fd, TCF_STATUS_NAME, buf->data, buf->len, 0644,
                         NULL);

    } else {
        unlinkat(fd, TCF_STATUS_NAME, 0);
    }

    close(fd);
}


static void
write_file(tcf_t *f, const tcr_buf_t *buf)
{
    tcr_err_t  err = { "no memory" };

    if (!buf->failed
        && tcr_file_replace(f->store.dirfd, TCF_STATUS_NAME, buf->data,
                            buf->len, 0644, &err) == 0)
    {
        if (f->status_aside || f->status_at == 0) {
            write_aside(f, NULL);
        }

        f->status_aside = false;
        return;
    }

    tcr_log_limited(TCR_LOG_WARN, TCF_STATUS_NAME, "cannot write \"%s/"
                    TCF_STATUS_NAME "\": %s", f->state, err.text);

    if (!f->status_aside) {
        tcf_note(f, "cannot write \"%s/" TCF_STATUS_NAME "\": %s", f->state,
                 err.text);
        f->status_aside = true;
    }

    if (!buf->failed && !tcf_options_dry(f->options)) {
        write_aside(f, buf);
    }
}


void
tcf_status_write(tcf_t *f, bool now)
{
    int64_t    ticks = tcr_ticks_ms();
    tcr_buf_t  buf;

    /* times of success are worth writing down too, if less often */
    if (!now && (ticks < f->status_at
                 || (!f->status_changed
                     && ticks < f->status_at + STATUS_OLD_MS)))
    {
        return;
    }

    tcr_buf_init(&buf, STATUS_MAX);
    fill(f, &buf);

    f->status_changed = false;
    write_file(f, &buf);
    tcr_buf_free(&buf);
    f->status_at = ticks + STATUS_MS;
}
