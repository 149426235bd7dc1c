/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Orders of caches for a key, as the reference gave them
 * (t/data/unit/select.jsonl): each recorded set becomes a cache group of a
 * snapshot, compiled as in production.
 */

#include "jsonl.h"
#include "tap.h"
#include "tcr_order.h"
#include "testcdn.h"

#define SETS  16


typedef struct {
    tcr_str_t  name;
    testcdn_t  cdn;
} set_t;

static set_t   sets[SETS];
static size_t  n_sets;


static const char  head[] =
    "{\"stats\":{\"date\":1,\"CDN_name\":\"c\",\"tm_host\":\"t\"},"
    "\"config\":{\"domain_name\":\"cdn.example.net\"},"
    "\"contentRouters\":{},\"monitors\":{},\"edgeLocations\":{"
    "\"g\":{\"latitude\":1,\"longitude\":1}},"
    "\"deliveryServices\":{\"s\":{\"coverageZoneOnly\":false,"
    "\"routingName\":\"tr\",\"domains\":[\"s.cdn.example.net\"],"
    "\"matchsets\":[{\"protocol\":\"HTTP\",\"matchlist\":[{"
    "\"match-type\":\"HOST\",\"regex\":\".*\\\\.s\\\\..*\"}]}]}},"
    "\"contentServers\":{";


static void
add_set(const tcr_json_t *line)
{
    tcr_buf_t          text;
    const char        *comma;
    const tcr_json_t  *c;

    tcr_buf_init(&text, 1u << 20);
    tcr_buf_str(&text, tcr_str(head));

    for (c = tcr_json_first(tcr_json_get(line, "caches")), comma = "";
         c != NULL; c = c->next, comma = ",")
    {
        tcr_buf_printf(&text, "%s", comma);
        tcr_buf_json_str(&text, jsonl_str(c, "id"));
        tcr_buf_printf(&text, ":{\"locationId\":\"g\",\"port\":80,"
                       "\"fqdn\":\"c.example.net\",\"ip\":\"192.0.2.1\","
                       "\"hashCount\":%d,\"hashId\":",
                       (int) tcr_json_int(tcr_json_get(c, "hashCount"), 0));
        tcr_buf_json_str(&text, jsonl_str(c, "hashId"));
        tcr_buf_printf(&text, ",\"deliveryServices\":"
                       "{\"s\":[\"x.s.cdn.example.net\"]}}");
    }

    tcr_buf_printf(&text, "}}%c", 0);

    sets[n_sets].name = jsonl_str(line, "set");
    testcdn_open(&sets[n_sets].cdn, text.data, NULL);
    tcr_buf_free(&text);
    n_sets++;
}


static testcdn_t *
find_set(tcr_str_t name)
{
    size_t  i;

    for (i = 0; i < n_sets; i++) {
        if (tcr_str_eq(sets[i].name, name)) {
            return &sets[i].cdn;
        }
    }

    return NULL;
}


static size_t
order(testcdn_t *t, tcr_str_t key, size_t limit, tcr_ordered_t *nodes)
{
    const tcr_cdn_t      *cdn = t->view->cdn;
    static tcr_usable_t   usable;

    if (!tcr_usable_find(cdn, &cdn->services[0], &cdn->groups[0], 4, &usable)) {
        return 0;
    }

    return tcr_order_caches(cdn, &usable, tcr_md5_point(t->view->md5, key),
                            limit, nodes);
}


/* Is `list` the same as the n nodes, in order? */
static bool
same(testcdn_t *t, const tcr_json_t *list, const tcr_ordered_t *nodes,
    size_t n)
{
    size_t             i;
    const tcr_cdn_t   *cdn = t->view->cdn;
    const tcr_json_t  *id;

    for (i = 0, id = tcr_json_first(list); id != NULL; id = id->next, i++) {

        if (i == n || !tcr_str_eq(tcr_json_required_str(id),
                          tcr_cdn_str(cdn, cdn->caches[nodes[i].node].id)))
        {
            return false;
        }
    }

    return i == n;
}


static bool
is_member(testcdn_t *t, const tcr_json_t *list, uint32_t node)
{
    const tcr_cdn_t   *cdn = t->view->cdn;
    const tcr_json_t  *id;

    for (id = tcr_json_first(list); id != NULL; id = id->next) {
        if (tcr_str_eq(tcr_json_required_str(id),
                       tcr_cdn_str(cdn, cdn->caches[node].id)))
        {
            return true;
        }
    }

    return false;
}


static void
test_order(const tcr_json_t *line)
{
    size_t         n;
    tcr_str_t      key = jsonl_str(line, "key");
    testcdn_t     *t = find_set(jsonl_str(line, "set"));
    tcr_ordered_t  nodes[64];

    n = order(t, key, 64, nodes);

    ok(same(t, tcr_json_get(line, "order"), nodes, n),
       "order of %.*s for \"%.*s\"", TCR_STR_ARG(jsonl_str(line, "set")),
       TCR_STR_ARG(key));
}


/* The first `limit` of the order are the members, whatever the shuffle. */
static void
test_dispersion(const tcr_json_t *line)
{
    bool                all;
    size_t              i, n;
    int64_t             limit;
    testcdn_t          *t = find_set(jsonl_str(line, "set"));
    tcr_str_t           key = jsonl_str(line, "key");
    tcr_ordered_t       nodes[64];
    const tcr_json_t   *members = tcr_json_get(line, "members");

    limit = tcr_json_int(tcr_json_get(line, "effective_limit"), -1);

    if (limit < 1) {
        return;    /* a literal 0 selects nothing there; ours counts as 1 */
    }

    n = order(t, key, (size_t) limit, nodes);

    for (i = 0, all = true; i < n; i++) {
        all = all && is_member(t, members, nodes[i].node);
    }

    ok(all && n == members->u.list.n
       && (!tcr_json_bool(tcr_json_get(line, "deterministic"), false)
           || same(t, tcr_json_get(line, "list"), nodes, n)),
       "first %d of %.*s for \"%.*s\"", (int) limit,
       TCR_STR_ARG(jsonl_str(line, "set")), TCR_STR_ARG(key));
}


int
main(void)
{
    size_t             i;
    jsonl_t            lines;
    tcr_str_t          kind;
    const tcr_json_t  *line;

    jsonl_open(&lines, "t/data/unit/select.jsonl");

    while ((line = jsonl_next(&lines)) != NULL) {
        kind = jsonl_str(line, "kind");

        if (tcr_str_eq(kind, TCR_STR("set")) && n_sets < SETS) {
            add_set(line);

        } else if (tcr_str_eq(kind, TCR_STR("order"))) {
            test_order(line);

        } else if (tcr_str_eq(kind, TCR_STR("dispersion"))) {
            test_dispersion(line);
        }
    }

    for (i = 0; i < n_sets; i++) {
        testcdn_close(&sets[i].cdn);
    }

    jsonl_close(&lines);
    return done();
}
