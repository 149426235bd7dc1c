/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Verdicts of the regional policy, as the reference gave them
 * (t/data/unit/regional_geo.jsonl): the recorded policy file goes through
 * parser and compiler, the client's place is as recorded.
 */

#include "jsonl.h"
#include "tap.h"
#include "tcr_policy.h"
#include "tcr_regional.h"
#include "testcdn.h"


/* A recorded state of the policy: which file is in force, was one refused. */
typedef struct {
    const char  *name;
    bool         good;
    bool         fallback;
    testcdn_t    cdn;
} config_t;

static config_t  configs[] = {
    { .name = "none" },
    { .name = "after_failed_load", .fallback = true },
    { .name = "good", .good = true },
    { .name = "good_then_failed_load", .good = true, .fallback = true },
};

#define CONFIGS  (sizeof(configs) / sizeof(configs[0]))

static tcr_str_t  ids[32];
static size_t     n_ids;


static void
note_id(tcr_str_t id)
{
    size_t  i;

    for (i = 0; i < n_ids; i++) {
        if (tcr_str_eq(ids[i], id)) {
            return;
        }
    }

    if (n_ids < sizeof(ids) / sizeof(ids[0])) {
        ids[n_ids++] = id;
    }
}


static const tcr_json_t *
argument(const tcr_json_t *line, int n)
{
    const tcr_json_t  *arg = tcr_json_first(tcr_json_get(line, "args"));

    while (arg != NULL && n-- > 0) {
        arg = arg->next;
    }

    return arg;
}


static void
snapshot(tcr_buf_t *text)
{
    size_t  i;

    tcr_buf_init(text, 1u << 20);
    tcr_buf_printf(text, "{\"stats\":{\"date\":1,\"CDN_name\":\"c\","
                   "\"tm_host\":\"t\"},\"config\":{\"domain_name\":"
                   "\"cdn.example.net\"},\"contentRouters\":{},"
                   "\"monitors\":{},\"contentServers\":{},"
                   "\"edgeLocations\":{},\"deliveryServices\":{");

    for (i = 0; i < n_ids; i++) {
        tcr_buf_printf(text, "%s\"%.*s\":{\"coverageZoneOnly\":false,"
                       "\"regionalGeoBlocking\":\"true\","
                       "\"routingName\":\"tr\",\"matchsets\":[{\"protocol\":"
                       "\"HTTP\",\"matchlist\":[{\"match-type\":\"HOST\","
                       "\"regex\":\".*\\\\.s%zu\\\\..*\"}]}]}", i ? "," : "",
                       TCR_STR_ARG(ids[i]), i);
    }

    tcr_buf_printf(text, "}}%c", 0);
}


static void
open_config(config_t *c, char *crconfig, const tcr_json_t *policy)
{
    tcr_buf_t       text;
    tcr_err_t       err;
    tcr_json_doc_t  doc;
    tcr_regional_t  rules;

    testcdn_make(&c->cdn);
    c->cdn.regional_fallback = c->fallback;
    tcr_buf_init(&text, 1u << 20);
    jsonl_write(&text, policy);

    if (tcr_json_parse(&doc, c->cdn.arena, "policy",
                       tcr_str_n(text.data, text.len), &err) != 0
        || tcr_regional_parse(&rules, c->cdn.arena, &doc, &c->cdn.report,
                              &err) != 0)
    {
        testcdn_fail("policy", &err);
    }

    c->cdn.regional = c->good ? &rules : NULL;
    testcdn_compile(&c->cdn, crconfig, NULL);
    testcdn_view(&c->cdn);
    tcr_regional_free(&rules);
    tcr_buf_free(&text);
}


static void
read_url(tcr_http_request_t *req, tcr_str_t url)
{
    size_t  at;

    req->secure = tcr_str_starts(url, TCR_STR("https://"));
    at = req->secure ? 8 : 7;
    url = tcr_str_n(url.data + at, url.len - at);
    at = tcr_str_find(url, '/');
    req->host = tcr_str_n(url.data, at);
    req->path = tcr_str_n(url.data + at, url.len - at);
}


static const char *
verdict_name(tcr_verdict_t v)
{
    return v.kind == TCR_VERDICT_ALLOW ? "ALLOWED"
           : v.kind == TCR_VERDICT_URL ? "ALTERNATE_WITHOUT_CACHE"
           : v.kind == TCR_VERDICT_PATH ? "ALTERNATE_WITH_CACHE" : "DENIED";
}


static void
test_line(config_t *c, const tcr_json_t *line)
{
    tcr_str_t            id = tcr_json_required_str(argument(line, 0));
    tcr_str_t            want = jsonl_str(line, "type");
    const tcr_cdn_t     *cdn = c->cdn.view->cdn;
    tcr_locate_t         l;
    tcr_verdict_t        v;
    tcr_http_flow_t      f = { .view = c->cdn.view, .cdn = cdn };
    tcr_http_request_t   req = { .mem = tcr_arena_mem(c->cdn.arena) };
    tcr_http_decision_t  d;

    memset(&d, 0, sizeof(d));
    read_url(&req, tcr_json_required_str(argument(line, 1)));
    tcr_addr_parse_override(tcr_json_required_str(argument(line, 2)),
                            &d.client_addr);
    f.req = &req;
    f.out = &d;

    tcr_locate_init(&l, c->cdn.view,
                    &cdn->services[tcr_cdn_service_index(cdn, id)],
                    &d.client_addr, 4, NULL);
    l.city_found = 1;
    memset(&l.city, 0, sizeof(l.city));
    l.city.postal_code = tcr_json_str(argument(line, 3), tcr_str_n(NULL, 0));
    l.city.point.lat = tcr_json_real(argument(line, 4), 0);
    l.city.point.lon = tcr_json_real(argument(line, 5), 0);

    v = tcr_policy_regional(&f, l.service, &l, true);

    ok(tcr_str_eq(want, tcr_str(verdict_name(v)))
       && tcr_str_eq(jsonl_str(line, "log"), d.regional)
       && (v.kind == TCR_VERDICT_ALLOW || v.kind == TCR_VERDICT_REFUSE
           || tcr_str_eq(jsonl_str(line, "url"), v.redirect)),
       "%s: %.*s%.*s gives %s %.*s", c->name, TCR_STR_ARG(req.host),
       TCR_STR_ARG(req.path), verdict_name(v), TCR_STR_ARG(d.regional));
}


int
main(void)
{
    size_t             i;
    tcr_buf_t          crconfig;
    jsonl_t            lines;
    const tcr_json_t  *line, *policy = NULL;

    jsonl_open(&lines, "t/data/unit/regional_geo.jsonl");

    while ((line = jsonl_next(&lines)) != NULL) {
        if (argument(line, 0) != NULL) {
            note_id(tcr_json_required_str(argument(line, 0)));

        } else if (tcr_str_eq(jsonl_str(line, "name"), TCR_STR("good"))) {
            policy = tcr_json_get(line, "data");
        }
    }

    jsonl_rewind(&lines);
    snapshot(&crconfig);

    for (i = 0; i < CONFIGS; i++) {
        open_config(&configs[i], crconfig.data, policy);
    }

    while ((line = jsonl_next(&lines)) != NULL) {
        for (i = 0; argument(line, 0) != NULL && i < CONFIGS; i++) {
            if (tcr_str_eq(jsonl_str(line, "config"),
                           tcr_str(configs[i].name)))
            {
                test_line(&configs[i], line);
            }
        }
    }

    for (i = 0; i < CONFIGS; i++) {
        testcdn_close(&configs[i].cdn);
    }

    tcr_buf_free(&crconfig);
    jsonl_close(&lines);
    return done();
}
