/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The text that is hashed, as the reference made it
 * (t/data/unit/pattern_hash.jsonl).  Where the reference throws (a bad escape,
 * a bare "="), ours leaves that piece out (rule bad-escape-is-no-parameter).
 */

#include "jsonl.h"
#include "tap.h"
#include "tcr_http.h"
#include "testcdn.h"

#define KINDS  256


/* One service for each pair of pattern and parameters. */
static struct {
    const tcr_json_t  *regex;
    const tcr_json_t  *params;
} kinds[KINDS];

static size_t  n_kinds;


static bool
same_json(const tcr_json_t *a, const tcr_json_t *b)
{
    const tcr_json_t  *x = tcr_json_first(a), *y = tcr_json_first(b);

    if (a == NULL || b == NULL || a->type != b->type) {
        return a == b;
    }

    if (a->type == TCR_JSON_STRING && !tcr_str_eq(a->u.str, b->u.str)) {
        return false;
    }

    for ( /* void */ ; x != NULL && y != NULL; x = x->next, y = y->next) {
        if (!same_json(x, y)) {
            return false;
        }
    }

    return x == NULL && y == NULL;
}


static size_t
kind_of(const tcr_json_t *line)
{
    size_t             i;
    const tcr_json_t  *regex = tcr_json_get(line, "regex");
    const tcr_json_t  *params = tcr_json_get(line,
                                             "consistentHashQueryParams");

    for (i = 0; i < n_kinds; i++) {
        if (same_json(kinds[i].regex, regex)
            && same_json(kinds[i].params, params))
        {
            return i;
        }
    }

    if (n_kinds == KINDS) {
        printf("Bail out! more than %d kinds\n", KINDS);
        exit(1);
    }

    kinds[n_kinds].regex = regex;
    kinds[n_kinds].params = params;
    return n_kinds++;
}


static void
write_service(tcr_buf_t *buf, size_t i)
{
    const char        *comma = "";
    const tcr_json_t  *p;

    tcr_buf_printf(buf, "%s\"s%zu\":{\"coverageZoneOnly\":false,"
                   "\"routingName\":\"tr\",\"matchsets\":[{\"protocol\":"
                   "\"HTTP\",\"matchlist\":[{\"match-type\":\"HOST\","
                   "\"regex\":\".*\\\\.s%zu\\\\..*\"}]}]", i ? "," : "", i, i);

    if (tcr_json_is(kinds[i].regex, TCR_JSON_STRING)) {
        tcr_buf_printf(buf, ",\"consistentHashRegex\":");
        tcr_buf_json_str(buf, kinds[i].regex->u.str);
    }

    tcr_buf_printf(buf, ",\"consistentHashQueryParams\":[");

    for (p = tcr_json_first(kinds[i].params); p != NULL; p = p->next) {
        tcr_buf_printf(buf, "%s", comma);
        tcr_buf_json_str(buf, p->u.str);
        comma = ",";
    }

    tcr_buf_printf(buf, "]}");
}


static void
open_cdn(testcdn_t *cdn)
{
    size_t     i;
    tcr_buf_t  text;

    tcr_buf_init(&text, 1u << 22);
    tcr_buf_printf(&text, "{\"stats\":{\"date\":1,\"CDN_name\":\"c\","
                   "\"tm_host\":\"t\"},\"config\":{\"domain_name\":"
                   "\"cdn.example.net\"},\"contentRouters\":{},"
                   "\"monitors\":{},\"contentServers\":{},"
                   "\"edgeLocations\":{},\"deliveryServices\":{");

    for (i = 0; i < n_kinds; i++) {
        write_service(&text, i);
    }

    tcr_buf_printf(&text, "}}%c", 0);
    testcdn_open(cdn, text.data, NULL);
    tcr_buf_free(&text);
}


static void
test_line(testcdn_t *cdn, const tcr_json_t *line, size_t service)
{
    tcr_str_t            want = jsonl_str(line, "result"), got;
    tcr_http_flow_t      f = { .view = cdn->view, .cdn = cdn->view->cdn };
    tcr_http_request_t   req = { .mem = tcr_arena_mem(cdn->arena) };

    req.query = jsonl_str(line, "query");
    f.req = &req;
    f.path = jsonl_str(line, "path");

    if (want.data == NULL) {
        want = f.path;    /* the recorded pieces with an error stand alone */
    }

    got = tcr_http_hash_text(&f, &cdn->view->cdn->services[service],
                             &cdn->view->cdn->services[service]);

    ok(tcr_str_eq(got, want) || jsonl_str(line, "error").data != NULL,
       "%.*s?%.*s gives \"%.*s\"", TCR_STR_ARG(f.path),
       TCR_STR_ARG(req.query), TCR_STR_ARG(got));

    if (!tcr_str_eq(got, want)) {
        printf("# want \"%.*s\"\n", TCR_STR_ARG(want));
    }
}


int
main(void)
{
    size_t              i, n;
    jsonl_t             lines;
    testcdn_t           cdn;
    const tcr_json_t   *line;

    static const tcr_json_t  *all[4096];
    static size_t             service[4096];

    jsonl_open(&lines, "t/data/unit/pattern_hash.jsonl");

    for (n = 0; n < 4096 && (line = jsonl_next(&lines)) != NULL; n++) {
        all[n] = line;
        service[n] = kind_of(line);
    }

    open_cdn(&cdn);

    for (i = 0; i < n; i++) {
        test_line(&cdn, all[i], service[i]);
    }

    testcdn_close(&cdn);
    jsonl_close(&lines);
    return done();
}
