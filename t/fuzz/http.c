/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Any bytes as an HTTP request: a line each for method, host and target, then
 * headers, an empty line and a form.  Whatever it is, there is
 * a decision, with a status, a Location that cannot end its line, and a log
 * line without control bytes that fits into the room asked for it.
 */

#include "recorded.h"

#define LOG_MAX  (1u << 22)


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


/* ctx: the lines with the headers */
static tcr_str_t
header(void *ctx, tcr_str_t name)
{
    tcr_str_t  rest = *(const tcr_str_t *) ctx, line, key;

    while (rest.data != NULL) {
        line = tcr_str_split(&rest, '\n');
        key = tcr_str_split(&line, ':');

        if (line.data != NULL && tcr_str_ieq(key, name)) {
            return tcr_str_trim(line);
        }
    }

    return tcr_str_n(NULL, 0);
}


/* Headers end at an empty line, behind which the form is. */
static void
split_headers(tcr_str_t rest, tcr_str_t *headers, tcr_str_t *form)
{
    size_t  i;

    *headers = rest;
    *form = tcr_str_n(NULL, 0);

    for (i = 0; i + 1 < rest.len; i++) {

        if (rest.data[i] == '\n' && rest.data[i + 1] == '\n') {
            *headers = tcr_str_n(rest.data, i);
            *form = tcr_str_n(rest.data + i + 2, rest.len - i - 2);
            return;
        }
    }
}


static bool
has_control(tcr_str_t s)
{
    size_t  i;

    for (i = 0; i < s.len; i++) {

        if ((unsigned char) s.data[i] < 0x20 || s.data[i] == 0x7f) {
            return true;
        }
    }

    return false;
}


static void
check(tcr_view_t *view, const tcr_http_request_t *req,
    const tcr_http_decision_t *d)
{
    char               *line;
    size_t              room, len;
    tcr_log_times_t     times = { 1790000000000, 125 };
    const tcr_image_t  *img = tcr_view_image(view, TCR_SLOT_ROUTING);

    if ((d->status != 200 && d->status != 302 && d->status != 403
         && d->status != 503 && d->status != 520)
        || (d->status == 302 && d->location.len == 0)
        || (d->service != NULL && d->entry == NULL))
    {
        abort();
    }

    room = tcr_log_http_size(img, req, d, TCR_LOG_ESCAPE);
    line = malloc(room != 0 && room < LOG_MAX ? room : 1);

    if (room == 0 || room >= LOG_MAX || line == NULL) {
        abort();
    }

    len = tcr_log_http(img, req, d, &times, line, room);

    if (len > room || has_control(tcr_str_n(line, len))) {
        abort();
    }

    free(line);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tcr_str_t            rest = tcr_str_n((const char *) data, size);
    tcr_str_t            target, headers;
    tcr_view_t          *view = recorded_view();
    tcr_arena_t         *arena = tcr_arena_create(0);
    tcr_trace_t          trace = { arena, NULL, NULL };
    tcr_http_request_t   req = { .peer = TCR_STR("192.0.2.1"),
                                 .protocol = TCR_STR("HTTP/1.1") };
    tcr_http_decision_t  d;

    req.method = tcr_str_split(&rest, '\n');
    req.host = tcr_str_split(&rest, '\n');
    target = tcr_str_split(&rest, '\n');
    split_headers(rest, &headers, &req.form);
    req.path = tcr_str_split(&target, '?');
    req.query = target;
    req.secure = size % 2 == 1;
    req.override = size % 3 != 0;
    req.header = header;
    req.header_ctx = &headers;
    req.mem = tcr_arena_mem(arena);
    req.trace = size % 5 == 0 ? &trace : NULL;

    /* what nginx lets through, ngx_http_parse_request_line() */
    if (req.path.len != 0 && req.path.data[0] == '/'
        && !has_control(req.path) && !has_control(req.query))
    {
        if (tcr_route_http(view, &req, &d) != 0 || has_control(d.location)) {
            abort();
        }

        check(view, &req, &d);
    }

    tcr_arena_destroy(arena);
    return 0;
}
