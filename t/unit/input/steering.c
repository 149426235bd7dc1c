/* SPDX-License-Identifier: Apache-2.0 */

/* Steering: values and their defaults, what is left out, the recorded file. */

#include "document.h"
#include "tcr_file.h"
#include "tcr_steering.h"


static tcr_steering_doc_t  steering;


static int
load(const char *text)
{
    read_text("s", tcr_str(text));
    return tcr_steering_parse(&steering, arena, &doc, &report, &err);
}


/* One service with these members besides its id. */
static const tcr_steering_service_t *
service(const char *members)
{
    static char  text[8192];

    snprintf(text, sizeof(text), "{\"response\":[{\"deliveryService\":\"s\"%s"
             "}]}", members);

    if (load(text) != 0 || steering.n != 1) {
        printf("Bail out! not one service: %s\n", err.text);
        exit(1);
    }

    return &steering.services[0];
}


static void
documents(void)
{
    is_int(load("{\"response\":[]}"), 0, "an empty list");
    is_int(steering.n, 0, "has nothing");
    is_int(load("{\"alerts\":[{}],\"response\":[],\"x\":1}"), 0,
           "other members are ignored");

    is_int(load("[]"), -1, "no object");
    is_str(err.text, "s:1:1: response: found nothing, expected an array",
           "says so");
    is_int(load("{\"response\": {}}"), -1, "another type");
    is_str(err.text, "s:1:14: response: expected an array", "says so");

    is_int(load("{\"response\":[7,{},{\"deliveryService\":\"\"},"
                "{\"deliveryService\":\"s\"}]}"), 0, "bad services");
    is_int(steering.n, 1, "the good one is there");
    is_int(report.count[TCR_REPORT_LEFT_OUT], 3, "three are left out");
    ok(left("s:1:14: response[0].deliveryService: found nothing, expected "
            "the id of a service; this service is left out"), "a number");

    is_int(load("{\"response\":[{\"deliveryService\":\"s\","
                "\"clientSteering\":true,"
                "\"targets\":[{\"deliveryService\":\"a\"}]},"
                "{\"deliveryService\":\"s\","
                "\"targets\":[{\"deliveryService\":\"b\"}]}]}"), 0, "twice");
    is_int(steering.n, 1, "is once");
    is_str(z(steering.services[0].targets[0].service), "b", "the last one");
    ok(!steering.services[0].client, "wholly");
    ok(warned("response[1].deliveryService: found \"s\" twice, the last one "
              "is used"), "reported");
}


static void
targets(void)
{
    const tcr_steering_target_t   *t;
    const tcr_steering_service_t  *s;

    s = service(",\"clientSteering\":\"true\",\"targets\":["
                "{\"deliveryService\":\"a\",\"weight\":\"10\",\"order\":\"-2\","
                "\"geoOrder\":3,\"latitude\":\"40.5\",\"longitude\":-104,"
                "\"unknown\":{}},"
                "{\"deliveryService\":\"b\",\"weight\":-5}]");
    t = s->targets;
    ok(s->client, "clientSteering");
    is_int(s->n_targets, 2, "targets");
    is_str(z(t->service), "a", "id");
    is_int(t->weight, 10, "weight");
    is_int(t->order, -2, "order");
    is_int(t->geo_order, 3, "geoOrder");
    ok(t->has_point && t->point.lat == 40.5 && t->point.lon == -104, "point");
    ok(t[1].weight == 0 && t[1].order == 0 && t[1].geo_order == 0
       && !t[1].has_point, "defaults; a weight below 0 is none");
    is_int(problems(), 0, "nothing to report");

    s = service(",\"targets\":[{\"weight\":1},"
                "{\"deliveryService\":\"b\",\"weight\":\"heavy\","
                "\"order\":2147483648}]");
    is_int(s->n_targets, 1, "a target without id is left out");
    ok(left("response[0].targets[0].deliveryService: found nothing"), "so");
    ok(warned("response[0].targets[1].weight: found \"heavy\", expected a "
              "number"), "weight");
    ok(warned("response[0].targets[1].order: found 2147483648"), "order");

    s = service(",\"targets\":{\"a\":1},\"filters\":7");
    is_int(s->n_targets, 0, "no list");
    is_int(problems(), 2, "both reported");
    s = service(",\"targets\":null,\"clientSteering\":null");
    ok(s->n_targets == 0 && problems() == 0, "null is not given");
    s = service(",\"targets\":[{\"deliveryService\":\"b\",\"weight\":"
                "1000001}]");
    is_int(s->targets[0].weight, 0, "too many points are none");
}


static const struct {
    const char  *members;
    bool         has_point;
    size_t       problems;
} points[] = {
    { "\"latitude\":51.5,\"longitude\":0", true, 0 },
    { "\"latitude\":0,\"longitude\":-78.5", true, 0 },
    { "\"latitude\":0,\"longitude\":0", false, 0 },
    { "\"latitude\":\"0.0\",\"longitude\":\"0\"", false, 0 },
    { "\"latitude\":51.5", false, 0 },
    { "\"longitude\":51.5", false, 0 },
    { "\"latitude\":null,\"longitude\":1", false, 0 },
    { "\"latitude\":1,\"longitude\":null", false, 0 },
    { "\"latitude\":\"north\",\"longitude\":1", false, 1 },
    { "\"latitude\":1,\"longitude\":[]", false, 1 },
};


static void
coordinates(void)
{
    char    members[256];
    size_t  i;

    for (i = 0; i < sizeof(points) / sizeof(points[0]); i++) {
        snprintf(members, sizeof(members), ",\"targets\":["
                 "{\"deliveryService\":\"a\",%s}]", points[i].members);
        ok(service(members)->targets[0].has_point == points[i].has_point
           && problems() == points[i].problems, "%s", points[i].members);
    }
}


static void
filters(void)
{
    const tcr_steering_service_t  *s;

    s = service(",\"targets\":[{\"deliveryService\":\"a\"}],\"filters\":["
                "{\"deliveryService\":\"a\",\"pattern\":\"/a/.*\"},"
                "{\"deliveryService\":\"b\",\"pattern\":\"/b\"},"
                "{\"deliveryService\":\"a\",\"pattern\":\"/(\"},"
                "{\"deliveryService\":\"a\"},"
                "{\"pattern\":\"/c\"},"
                "{\"deliveryService\":\"a\",\"pattern\":\"\"}]");
    is_int(s->n_filters, 3, "usable filters");
    is_str(z(s->filters[0].service), "a", "target");
    ok(s->filters[0].pattern.len != 0, "pattern");
    ok(s->filters[2].pattern.data != NULL, "an empty pattern is one");
    ok(warned("response[0].filters[1].deliveryService: found \"b\", expected "
              "a target of the same service; the filter has no effect"),
       "no target");
    ok(left("response[0].filters[2].pattern: "), "no pattern");
    ok(left("response[0].filters[3].pattern: found nothing, expected a "
            "pattern of at most 4096 bytes; this filter is left out"),
       "none at all");
    ok(left("response[0].filters[4].deliveryService: found nothing"), "no id");
}


static void
recorded(void)
{
    tcr_file_t  file;

    if (tcr_file_map(&file, "t/conformance/e2e/inputs/steering.json", 1 << 20,
                     &err) != 0)
    {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }

    read_text("steering.json", file.text);
    is_int(tcr_steering_parse(&steering, arena, &doc, &report, &err), 0,
           "the recorded file");
    is_int(steering.n, 13, "services");
    is_str(z(steering.services[0].service), "steer-weight", "the first");
    is_int(steering.services[0].targets[0].weight, 600, "its weight");
    ok(!steering.services[0].targets[0].has_point, "0, 0 is no point");
    is_int(problems(), 1, "one filter has no effect");
    tcr_file_unmap(&file);
}


int
main(void)
{
    documents();
    targets();
    coordinates();
    filters();
    recorded();
    tcr_arena_destroy(arena);

    return done();
}
