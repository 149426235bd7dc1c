/* SPDX-License-Identifier: Apache-2.0 */

/* status.json of tcr-fetch, as a worker keeps it. */

#include "tcr_file.h"
#include "tcr_scan.h"

#include "ngx_http_tcrouter_page.h"

#define FILE_NAME  "status.json"
#define FILE_MAX   (4 * 1024 * 1024)


typedef struct {
    const char  *name;
    size_t       offset;
} field_t;

#define SOURCE(member)  offsetof(ngx_http_tcrouter_source_t, member)

static const field_t  source_texts[] = {
    { "url", SOURCE(url) }, { "from", SOURCE(from) },
    { "error", SOURCE(error) }, { NULL, 0 }
};

static const field_t  source_numbers[] = {
    { "last_ok", SOURCE(last_ok) }, { "last_error", SOURCE(last_error) },
    { "since", SOURCE(since) }, { "next_due", SOURCE(next_due) },
    { "size", SOURCE(size) }, { "failures", SOURCE(failures) },
    { "problem_count", SOURCE(problems) }, { NULL, 0 }
};


static void *
field_of(void *object, const field_t *fields, tcr_str_t name)
{
    const field_t  *f;

    for (f = fields; f->name != NULL; f++) {
        if (tcr_str_eq(name, tcr_str(f->name))) {
            return (char *) object + f->offset;
        }
    }

    return NULL;
}


static int64_t
number_of(tcr_str_t text)
{
    uint64_t  n;

    return tcr_parse_uint(text, 0, INT64_MAX, &n) == 0 ? (int64_t) n : 0;
}


static bool
is_true(tcr_str_t text)
{
    return tcr_str_eq(text, TCR_STR("true"));
}


static void
take_source(ngx_http_tcrouter_facts_t *facts, tcr_str_t source,
    tcr_str_t name, tcr_str_t value)
{
    int64_t                     *number;
    uint32_t                     i;
    tcr_str_t                   *text;
    ngx_http_tcrouter_source_t  *s;

    for (i = 0; i < facts->n_sources; i++) {
        if (tcr_str_eq(facts->sources[i].name, source)) {
            break;
        }
    }

    if (i == NGX_HTTP_TCROUTER_SOURCES) {
        return;
    }

    s = &facts->sources[i];
    s->name = source;
    facts->n_sources += i == facts->n_sources;

    text = field_of(s, source_texts, name);
    number = field_of(s, source_numbers, name);

    if (text != NULL && value.len != 0) {
        *text = value;

    } else if (number != NULL) {
        *number = number_of(value);

    } else if (tcr_str_eq(name, TCR_STR("in_use"))) {
        s->in_use = is_true(value);

    } else if (tcr_str_eq(name, TCR_STR("refused"))) {
        s->refused = is_true(value);
    }
}


static void
take_monitor(ngx_http_tcrouter_facts_t *facts, uint32_t i, tcr_str_t name,
    tcr_str_t value)
{
    ngx_http_tcrouter_monitor_t  *m;

    if (i >= NGX_HTTP_TCROUTER_MONITORS) {
        return;
    }

    m = &facts->monitors[i];
    facts->n_monitors = i + 1;

    if (tcr_str_eq(name, TCR_STR("host"))) {
        m->host = value;

    } else if (tcr_str_eq(name, TCR_STR("failures"))) {
        m->failures = number_of(value);

    } else if (tcr_str_eq(name, TCR_STR("passed_over"))) {
        m->passed_over = is_true(value);
    }
}


static void
take_event(ngx_http_tcrouter_event_t *event, tcr_str_t name, tcr_str_t value)
{
    if (tcr_str_eq(name, TCR_STR("time"))) {
        event->time = number_of(value);

    } else if (tcr_str_eq(name, TCR_STR("text"))) {
        event->text = value;
    }
}


static void
take_ops(ngx_http_tcrouter_ops_t *ops, tcr_str_t name, tcr_str_t value)
{
    if (tcr_str_eq(name, TCR_STR("origin"))) {
        ops->origin = value;

    } else if (tcr_str_eq(name, TCR_STR("error"))) {
        ops->error = value;

    } else if (tcr_str_eq(name, TCR_STR("failures"))) {
        ops->failures = number_of(value);

    } else if (tcr_str_eq(name, TCR_STR("logged_in"))) {
        ops->logged_in = is_true(value);
    }
}


/* A member of the document itself, or of an object in it. */

static void
take_member(ngx_http_tcrouter_facts_t *facts, const tcr_scan_step_t *path,
    size_t depth, tcr_str_t value)
{
    tcr_str_t  name = path[0].name;

    if (depth == 1 && tcr_str_eq(name, TCR_STR("written"))) {
        facts->written = number_of(value);

    } else if (depth == 1 && tcr_str_eq(name, TCR_STR("monitor"))) {
        facts->monitor = value;

    } else if (depth == 2 && tcr_str_eq(name, TCR_STR("rejection"))) {
        take_event(&facts->rejection, path[1].name, value);

    } else if (depth == 2 && tcr_str_eq(name, TCR_STR("traffic_ops"))) {
        take_ops(&facts->ops, path[1].name, value);
    }
}


static void
take(void *ctx, const tcr_scan_step_t *path, size_t depth,
    tcr_str_t value, bool text)
{
    ngx_http_tcrouter_facts_t  *facts = ctx;

    if (depth < 3) {
        take_member(facts, path, depth, value);

    } else if (depth > 3) {
        return;

    } else if (tcr_str_eq(path[0].name, TCR_STR("sources"))) {
        take_source(facts, path[1].name, path[2].name, value);

    } else if (tcr_str_eq(path[0].name, TCR_STR("monitors"))) {
        take_monitor(facts, path[1].index, path[2].name, value);

    } else if (tcr_str_eq(path[0].name, TCR_STR("events"))
               && path[1].index < NGX_HTTP_TCROUTER_EVENTS)
    {
        facts->n_events = path[1].index + 1;
        take_event(&facts->events[path[1].index], path[2].name, value);
    }
}


int
ngx_http_tcrouter_facts_read(ngx_http_tcrouter_facts_t *facts,
    tcr_str_t text)
{
    return tcr_scan(text, facts->arena, take, facts);
}


static void
read_file(ngx_http_tcrouter_main_conf_t *tmcf)
{
    u_char                      path[NGX_MAX_PATH];
    tcr_file_t                  file;
    ngx_http_tcrouter_facts_t  *facts = tmcf->facts;

    tcr_arena_reset(facts->arena);
    *facts = (ngx_http_tcrouter_facts_t) { .arena = facts->arena };

    ngx_snprintf(path, sizeof(path), "%V/" FILE_NAME "%Z", &tmcf->state);
    path[sizeof(path) - 1] = '\0';

    if (tcr_file_map(&file, (char *) path, FILE_MAX, NULL) != 0) {
        return;
    }

    /* a file that is cut tells what it can */
    ngx_http_tcrouter_facts_read(facts, file.text);
    tcr_file_unmap(&file);
}


const ngx_http_tcrouter_facts_t *
ngx_http_tcrouter_page_facts(ngx_http_tcrouter_page_t *page)
{
    ngx_http_tcrouter_main_conf_t  *tmcf = page->conf;

    static const ngx_http_tcrouter_facts_t  none;

    if (tmcf->facts == NULL) {
        tmcf->facts = ngx_calloc(sizeof(ngx_http_tcrouter_facts_t),
                                 ngx_cycle->log);
        if (tmcf->facts == NULL) {
            return &none;
        }
    }

    if (tmcf->facts->arena == NULL) {
        tmcf->facts->arena = tcr_arena_create(0);

        if (tmcf->facts->arena == NULL) {
            return &none;
        }

        tmcf->facts_time = 0;
    }

    if (tmcf->facts_time != ngx_time()) {
        tmcf->facts_time = ngx_time();
        read_file(tmcf);
    }

    return tmcf->facts;
}


void
ngx_http_tcrouter_facts_free(ngx_http_tcrouter_main_conf_t *tmcf)
{
    if (tmcf->facts != NULL) {
        tcr_arena_destroy(tmcf->facts->arena);
        ngx_free(tmcf->facts);
        tmcf->facts = NULL;
    }
}


const ngx_http_tcrouter_source_t *
ngx_http_tcrouter_facts_source(const ngx_http_tcrouter_facts_t *facts,
    const char *name)
{
    uint32_t  i;

    for (i = 0; i < facts->n_sources; i++) {
        if (tcr_str_eq(facts->sources[i].name, tcr_str(name))) {
            return &facts->sources[i];
        }
    }

    return NULL;
}


const ngx_http_tcrouter_source_t *
ngx_http_tcrouter_facts_failed(const ngx_http_tcrouter_facts_t *facts)
{
    uint32_t                           i;
    const ngx_http_tcrouter_source_t  *s, *last = NULL;

    for (i = 0; i < facts->n_sources; i++) {
        s = &facts->sources[i];

        if (s->failures != 0
            && (last == NULL || s->last_error > last->last_error))
        {
            last = s;
        }
    }

    return last;
}
