/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Which service a request belongs to, as the reference decided
 * (t/data/unit/matchers.jsonl).  Its set "emptymatch" shows that there an
 * empty matchlist hides every later service: ours leaves that matchset out
 * (rule per-object), so the later services match.
 */

#include "jsonl.h"
#include "tap.h"
#include "tcr_match.h"
#include "testcdn.h"


typedef struct {
    tcr_str_t          name;
    bool               superhack;
    testcdn_t          cdn;
} matchers_t;

static matchers_t          sets[16];
static size_t              n_sets;
static const tcr_json_t   *headers;


static void
add_set(const tcr_json_t *line)
{
    tcr_buf_t    text;
    matchers_t  *m = &sets[n_sets++];

    m->name = jsonl_str(line, "name");
    m->superhack = tcr_json_bool(tcr_json_get(line, "superhack"), true);

    tcr_buf_init(&text, 1u << 20);
    tcr_buf_printf(&text, "{\"stats\":{\"date\":1,\"CDN_name\":\"c\","
                   "\"tm_host\":\"t\"},\"config\":{\"domain_name\":"
                   "\"cdn.example.net\","
                   "\"confighandler.regex.superhack.enabled\":\"%s\"},"
                   "\"contentRouters\":{},\"monitors\":{},"
                   "\"contentServers\":{},\"edgeLocations\":{},"
                   "\"deliveryServices\":", m->superhack ? "true" : "false");
    jsonl_write(&text, tcr_json_get(line, "deliveryServices"));
    tcr_buf_printf(&text, "}%c", 0);

    testcdn_open(&m->cdn, text.data, NULL);
    tcr_buf_free(&text);
}


static tcr_str_t
header(void *ctx, tcr_str_t name)
{
    const tcr_json_t  *h;

    (void) ctx;

    for (h = tcr_json_first(headers); h != NULL; h = h->next) {
        if (tcr_str_ieq(tcr_json_name(h), name)) {
            return tcr_json_required_str(h);
        }
    }

    return tcr_str_n(NULL, 0);
}


static void
test_match(const tcr_json_t *line)
{
    char               host[256];
    size_t             i;
    uint32_t           got;
    matchers_t        *m = sets;
    tcr_mem_t          mem;
    tcr_str_t          name = jsonl_str(line, "host"), want;
    const tcr_cdn_t   *cdn;
    tcr_match_input_t  in = { .header = header };

    while (!tcr_str_eq(m->name, jsonl_str(line, "name"))
           || m->superhack != tcr_json_bool(tcr_json_get(line, "superhack"),
                                            true))
    {
        m++;
    }

    for (i = 0; i < name.len; i++) {
        host[i] = tcr_lower(name.data[i]);
    }

    cdn = m->cdn.view->cdn;
    mem = tcr_arena_mem(m->cdn.arena);
    headers = tcr_json_get(line, "headers");

    in.host = tcr_str_n(host, name.len);
    in.path = jsonl_str(line, "path");
    in.query = jsonl_str(line, "query");
    in.mem = &mem;

    want = jsonl_str(line, "ds");

    if (want.data == NULL && tcr_str_starts(name, TCR_STR("x.after"))) {
        want = tcr_str_n(name.data + 2, tcr_str_find(
                   tcr_str_n(name.data + 2, name.len - 2), '.'));
    }

    got = tcr_match_service(cdn, &in);

    ok(want.data == NULL ? got == TCR_NONE
       : got != TCR_NONE
         && tcr_str_eq(want, tcr_cdn_str(cdn, cdn->services[got].id)),
       "%.*s: %.*s%.*s is of %.*s", TCR_STR_ARG(m->name), TCR_STR_ARG(name),
       TCR_STR_ARG(in.path), TCR_STR_ARG(want));
}


int
main(void)
{
    jsonl_t            lines;
    const tcr_json_t  *line;

    jsonl_open(&lines, "t/data/unit/matchers.jsonl");

    while ((line = jsonl_next(&lines)) != NULL) {
        if (tcr_json_get(line, "deliveryServices") != NULL) {
            add_set(line);

        } else {
            test_match(line);
        }
    }

    while (n_sets > 0) {
        testcdn_close(&sets[--n_sets].cdn);
    }

    jsonl_close(&lines);
    return done();
}
