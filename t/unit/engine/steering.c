/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Orders of steering targets, as the reference gave them
 * (t/data/unit/select.jsonl): each recorded set becomes an overlay beside one
 * snapshot.  Of several negative orders without a weighted target the
 * reference makes a mistake (spec/routing.md §6.3): there the net effect that
 * the manual describes is wanted.
 */

#include "jsonl.h"
#include "tap.h"
#include "tcr_clock.h"
#include "tcr_compile_overlay.h"
#include "tcr_http.h"
#include "testcdn.h"

#define TARGETS  7


static void
write_service(tcr_buf_t *buf, const char *id)
{
    tcr_buf_printf(buf, "\"%s\":{\"coverageZoneOnly\":false,"
                   "\"routingName\":\"tr\",\"matchsets\":[{\"protocol\":"
                   "\"HTTP\",\"matchlist\":[{\"match-type\":\"HOST\","
                   "\"regex\":\".*\\\\.%s\\\\..*\"}]}]}", id, id);
}


static void
open_cdn(testcdn_t *t)
{
    int        i;
    char       id[16];
    tcr_buf_t  text;

    tcr_buf_init(&text, 1u << 20);
    tcr_buf_printf(&text, "{\"stats\":{\"date\":1,\"CDN_name\":\"c\","
                   "\"tm_host\":\"t\"},\"config\":{\"domain_name\":"
                   "\"cdn.example.net\"},\"contentRouters\":{},"
                   "\"monitors\":{},\"contentServers\":{},"
                   "\"edgeLocations\":{},\"deliveryServices\":{");
    write_service(&text, "s");

    for (i = 1; i <= TARGETS; i++) {
        snprintf(id, sizeof(id), "t%d", i);
        tcr_buf_char(&text, ',');
        write_service(&text, id);
    }

    tcr_buf_printf(&text, "}}%c", 0);
    testcdn_open(t, text.data, NULL);
    tcr_buf_free(&text);
}


static void
write_targets(tcr_buf_t *buf, const tcr_json_t *line)
{
    const char        *comma = "";
    const tcr_json_t  *t;

    tcr_buf_printf(buf, "{\"response\":[{\"deliveryService\":\"s\","
                   "\"targets\":[");

    for (t = tcr_json_first(tcr_json_get(line, "targets")); t; t = t->next) {
        tcr_buf_printf(buf, "%s{\"deliveryService\":\"%.*s\",\"weight\":%d,"
                       "\"order\":%d}", comma,
                       TCR_STR_ARG(jsonl_str(t, "deliveryService")),
                       (int) tcr_json_int(tcr_json_get(t, "weight"), 0),
                       (int) tcr_json_int(tcr_json_get(t, "order"), 0));
        comma = ",";
    }

    tcr_buf_printf(buf, "]}]}");
}


static void
publish_set(testcdn_t *t, const tcr_json_t *line)
{
    tcr_buf_t            text;
    tcr_err_t            err = { "" };
    tcr_build_t         *b = NULL;
    tcr_json_doc_t       doc;
    tcr_publisher_t     *pub;
    tcr_publication_t    item = { .slot = TCR_SLOT_OVERLAY };
    tcr_steering_doc_t   steering;
    tcr_overlay_input_t  in = { .steering = &steering };

    tcr_buf_init(&text, 1u << 20);
    write_targets(&text, line);
    pub = tcr_publisher_open(t->dir, &err);
    in.origin.source = "test";

    if (pub == NULL
        || tcr_json_parse(&doc, t->arena, "steering",
                          tcr_arena_strdup(t->arena,
                                           tcr_str_n(text.data, text.len)),
                          &err) != 0
        || tcr_steering_parse(&steering, t->arena, &doc, &t->report, &err) != 0
        || tcr_compile_overlay(&in, &b, &t->report, &err) != 0
        || tcr_build_finish(b, &in.origin, &item.data, &item.size, &err) != 0
        || tcr_publish(pub, &item, 1, NULL, &err) != 0
        || tcr_view_refresh(t->view, tcr_now_ms(), &err) != 1)
    {
        testcdn_fail("overlay", &err);
    }

    tcr_build_destroy(b);
    tcr_publisher_close(pub);
    tcr_buf_free(&text);
}


/* What the text says where the reference fails (§6.3). */
static const char *
wanted_instead(tcr_str_t set)
{
    return tcr_str_eq(set, TCR_STR("order_neg")) ? "t2 t1 t4 t3" : NULL;
}


static void
test_order(testcdn_t *t, const tcr_json_t *line)
{
    char                  got[256] = "", want[256] = "";
    size_t                i, n;
    uint32_t              order[TARGETS];
    const tcr_json_t     *id;
    const tcr_cdn_t      *cdn = t->view->cdn;
    tcr_http_flow_t       f = { .view = t->view, .cdn = cdn };
    tcr_http_request_t    req = { .mem = tcr_arena_mem(t->arena) };

    f.req = &req;
    f.path = jsonl_str(line, "key");
    n = tcr_steering_order(&f, &cdn->steering[0], order);

    for (i = 0; i < n; i++) {
        snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%.*s",
                 i ? " " : "", TCR_STR_ARG(tcr_image_str(cdn->overlay,
                     cdn->steering[0].targets[order[i]].service)));
    }

    for (id = tcr_json_first(tcr_json_get(line, "order")); id; id = id->next) {
        snprintf(want + strlen(want), sizeof(want) - strlen(want), "%s%.*s",
                 *want ? " " : "", TCR_STR_ARG(id->u.str));
    }

    if (wanted_instead(jsonl_str(line, "set")) != NULL) {
        snprintf(want, sizeof(want), "%s",
                 wanted_instead(jsonl_str(line, "set")));
    }

    is_str(got, want, "%.*s for \"%.*s\"",
           TCR_STR_ARG(jsonl_str(line, "set")), TCR_STR_ARG(f.path));
}


int
main(void)
{
    jsonl_t            lines;
    testcdn_t          t;
    tcr_str_t          kind;
    const tcr_json_t  *line;

    open_cdn(&t);
    jsonl_open(&lines, "t/data/unit/select.jsonl");

    while ((line = jsonl_next(&lines)) != NULL) {
        kind = jsonl_str(line, "kind");

        if (tcr_str_eq(kind, TCR_STR("steering_set"))) {
            publish_set(&t, line);

        } else if (tcr_str_eq(kind, TCR_STR("steering_order"))) {
            test_order(&t, line);
        }
    }

    jsonl_close(&lines);
    testcdn_close(&t);
    return done();
}
