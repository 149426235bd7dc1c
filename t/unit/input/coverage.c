/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Coverage zone files: the reference's recorded look-ups, what is refused
 * with which words, and what is only odd.
 */

#include "jsonl.h"
#include "tap.h"
#include "tcr_coverage.h"


/* A file the recordings look into. */
typedef struct {
    char            name[64];
    tcr_coverage_t  coverage;
} tree_t;


/*
 * Where we differ, by the name of the rule; zone is ours, NULL for none.
 *
 * czf-first-wins: the family of a prefix decides, not the list it stands in.
 * client-override: the text from "/" on says nothing about the client, so it
 * neither widens the look-up nor makes it fail; a "%zone" is dropped whether
 * or not the machine has such an interface.
 */
static const struct {
    const char  *tree;
    const char  *ip;
    const char  *rule;
    const char  *zone;
} differs[] = {
    { "czf", "2001:db8:77::1", "czf-first-wins", "cg-h" },
    { "czf", "100.100.1.1", "czf-first-wins", "cg-h" },
    { "czf", "192.0.2.1/24", "client-override", "cg-a" },
    { "czf", "10.1.2.3/33", "client-override", "cg-c" },
    { "czf", "10.1.2.3/abc", "client-override", "cg-c" },
    { "czf", "10.1.2.3/-1", "client-override", "cg-c" },
    { "czf", "2001:db8::/129", "client-override", "cg-a" },
    { "czf", "fe80::1%lo", "client-override", "cg-e" },
    { "dczf", "192.0.2.1/24", "client-override", "deep-1" },
    { "dczf", "10.1.2.3/33", "client-override", NULL },
    { "dczf", "10.1.2.3/abc", "client-override", NULL },
    { "dczf", "10.1.2.3/-1", "client-override", NULL },
    { "dczf", "2001:db8::/129", "client-override", NULL },
    { "dczf", "fe80::1%lo", "client-override", NULL },
};

static const struct {
    const char  *name;
    const char  *text;
    const char  *want;            /* error; NULL: accepted                   */
} files[] = {
    { "no zones", "{\"coverageZones\": {}}", NULL },
    { "other key", "{\n \"zones\": {}}",
      "f:1:1: no key \"coverageZones\", expected an object with it" },
    { "a list", "[]",
      "f:1:1: no key \"coverageZones\", expected an object with it" },
    { "zones in a list", "{\"coverageZones\": []}",
      "f:1:19: coverageZones: expected an object of zones" },
    { "zone is text", "{\"coverageZones\":\n {\"cg-a\": \"192.0.2.0/24\"}}",
      "f:2:11: coverageZones.cg-a: expected an object" },
    { "list is text",
      "{\"coverageZones\": {\"cg-a\": {\"network\": \"192.0.2.0/24\"}}}",
      "f:1:40: coverageZones.cg-a.network: expected a list of prefixes" },
    { "prefix is a number",
      "{\"coverageZones\": {\"cg-a\": {\"network6\": [10]}}}",
      "f:1:42: coverageZones.cg-a.network6[0]: expected a prefix in quotes" },
    { "length out of range",
      "{\"coverageZones\": {\"cg-a\": {\"network\": [\"192.0.2.0/24\",\n"
      "  \"198.51.100.0/40\"]}}}",
      "f:2:3: coverageZones.cg-a.network[1]: \"198.51.100.0/40\" has no "
      "valid prefix length, expected 0 to 32" },
    { "host name",
      "{\"coverageZones\": {\"cg-a\": {\"network\": [\"host.example.net\"]}}}",
      "f:1:41: coverageZones.cg-a.network[0]: \"host.example.net\" is not a "
      "prefix, expected ADDRESS or ADDRESS/LENGTH" },
    { "empty prefix", "{\"coverageZones\": {\"cg-a\": {\"network\": [\"\"]}}}",
      "f:1:41: coverageZones.cg-a.network[0]: \"\" is not a prefix, expected "
      "ADDRESS or ADDRESS/LENGTH" },
    { "network6 is read first",
      "{\"coverageZones\": {\"a\": {\"network\": [\"x\"], "
      "\"network6\": [\"y\"]}}}",
      "f:1:57: coverageZones.a.network6[0]: \"y\" is not a prefix, expected "
      "ADDRESS or ADDRESS/LENGTH" },
    { "escapes", "{\"coverageZones\": {\"cg\\u002da\": {\"network\": "
      "[\"192.0.2.0\\/24\"]}}}", NULL },
};

static const struct {
    const char  *zones;
    const char  *warnings[3];
} oddities[] = {
    { "\"a\": {\"network\": [], \"network6\": []}", { NULL } },
    { "\"a\": {\"network\": []}",
      { "f:1:24: coverageZones.a: no \"network6\" list" } },
    { "\"a\": {}, \"b\": {\"network\": null}",
      { "f:1:24: coverageZones.a: no \"network6\" list (2 zones have none, "
        "this is the first)",
        "f:1:24: coverageZones.a: no \"network\" list (2 zones have none, "
        "this is the first)" } },
    { "\"a\": {\"network\": [], \"network6\": [], "
      "\"coordinates\": {\"latitude\": 1}}",
      { "f:1:24: coverageZones.a: only one of \"latitude\" and \"longitude\", "
        "expected both; the coordinates are not used" } },
    { "\"a\": {\"network\": [], \"network6\": [], "
      "\"coordinates\": {\"latitude\": \"north\", \"longitude\": 200}}",
      { "f:1:24: coverageZones.a: a coordinate is not a number of degrees in "
        "range" } },
    { "\"a\": {\"network\": [], \"network6\": []}, "
      "\"a\": {\"network\": [], \"network6\": []}",
      { "f:1:24: coverageZones.a: a zone of that name comes again, the last "
        "one counts" } },
};


static tcr_arena_t  *arena;


static int
load(tcr_coverage_t *coverage, const char *text, bool deep,
    tcr_report_t *report, tcr_err_t *err)
{
    tcr_json_doc_t  doc;

    if (tcr_json_parse(&doc, arena, "f", tcr_str(text), err) != 0) {
        return -1;
    }

    return tcr_coverage_parse(coverage, arena, &doc, deep, report, err);
}


/* NULL when no zone holds the address */
static const tcr_coverage_zone_t *
find(const tcr_coverage_t *coverage, const tcr_addr_t *addr)
{
    uint32_t  value;

    value = tcr_nets_find(&coverage->nets, addr, NULL);
    return value == TCR_NETS_NONE ? NULL : &coverage->zones[value];
}


static const tcr_coverage_zone_t *
find_text(const tcr_coverage_t *coverage, const char *text)
{
    tcr_addr_t  addr = { 0 };

    tcr_addr_parse(tcr_str(text), &addr);
    return find(coverage, &addr);
}


static bool
same_caches(const tcr_json_t *want, const tcr_coverage_zone_t *zone)
{
    size_t             i;
    const tcr_json_t  *cache;

    i = 0;

    for (cache = tcr_json_first(want); cache != NULL; cache = cache->next) {

        if (i == zone->n_caches
            || !tcr_str_eq(cache->u.str, zone->caches[i]))
        {
            return false;
        }

        i++;
    }

    return i == zone->n_caches;
}


/* Is the recorded network around addr, and do we spell it alike? */
static bool
same_network(const tcr_json_t *line, const tcr_addr_t *addr)
{
    char        text[TCR_ADDR_TEXT + 4];
    size_t      n;
    tcr_str_t   network;
    tcr_cidr_t  cidr;

    network = jsonl_str(line, "network");

    if (tcr_cidr_parse(network, &cidr, NULL) != 0) {
        return false;
    }

    n = tcr_addr_format_full(&cidr.addr, text);
    snprintf(text + n, sizeof(text) - n, "/%u", (unsigned) cidr.len);

    return tcr_str_eq(network, tcr_str(text))
           && tcr_cidr_contains(&cidr, addr);
}


static bool
same_answer(const tcr_json_t *line, const tcr_coverage_zone_t *zone,
    const tcr_addr_t *addr)
{
    if (zone == NULL || jsonl_str(line, "zone").data == NULL) {
        return zone == NULL && jsonl_str(line, "zone").data == NULL;
    }

    return tcr_str_eq(jsonl_str(line, "zone"), zone->name)
           && same_network(line, addr)
           && zone->has_point
              == (tcr_json_get(line, "latitude")->type != TCR_JSON_NULL)
           && zone->point.lat == tcr_json_real(tcr_json_get(line, "latitude"),
                                               0)
           && zone->point.lon == tcr_json_real(tcr_json_get(line, "longitude"),
                                               0)
           && same_caches(tcr_json_get(line, "deepCaches"), zone);
}


static bool
check_difference(const tree_t *tree, tcr_str_t ip,
    const tcr_coverage_zone_t *zone, size_t *used)
{
    size_t  i;

    for (i = 0; i < sizeof(differs) / sizeof(differs[0]); i++) {

        if (strcmp(differs[i].tree, tree->name) != 0
            || !tcr_str_eq(ip, tcr_str(differs[i].ip)))
        {
            continue;
        }

        ok(differs[i].zone == NULL ? zone == NULL
           : zone != NULL && tcr_str_eq(zone->name, tcr_str(differs[i].zone)),
           "%s: \"%s\" differs by rule %s", tree->name, differs[i].ip,
           differs[i].rule);
        *used += 1;

        return true;
    }

    return false;
}


static void
check_line(const tree_t *tree, const tcr_json_t *line, size_t *used)
{
    bool                        found;
    tcr_str_t                   ip;
    tcr_addr_t                  addr;
    const tcr_coverage_zone_t  *zone;

    ip = jsonl_str(line, "ip");
    found = tcr_addr_parse_override(ip, &addr) == 0;
    zone = found ? find(&tree->coverage, &addr) : NULL;

    if (check_difference(tree, ip, zone, used)) {
        return;
    }

    ok(found == tcr_json_bool(tcr_json_get(line, "found"), false)
       && same_answer(line, zone, &addr),
       "%s: \"%.*s\"", tree->name, TCR_STR_ARG(ip));
}


/* The files stand inside the recording: data is the root of each. */
static void
load_tree(tree_t *tree, jsonl_t *jsonl, const tcr_json_t *line)
{
    int             rc;
    bool            accepted, deep;
    tcr_err_t       err;
    tcr_json_doc_t  doc;

    tcr_coverage_free(&tree->coverage);

    doc = jsonl->doc;
    doc.root = (tcr_json_t *) tcr_json_get(line, "data");
    deep = jsonl_is(line, "kind", "dczf");
    accepted = tcr_json_bool(tcr_json_get(line, "accepted"), true);
    rc = tcr_coverage_parse(&tree->coverage, arena, &doc, deep, NULL, &err);

    snprintf(tree->name, sizeof(tree->name), "%s%.*s",
             jsonl_is(line, "kind", "load") ? "load:" : deep ? "dczf" : "czf",
             TCR_STR_ARG(jsonl_str(line, "name")));

    ok((rc == 0) == accepted, "%s is %s", tree->name,
       accepted ? "accepted" : "refused");
}


static void
test_recorded(void)
{
    size_t             used;
    tree_t             tree;
    jsonl_t            jsonl;
    const tcr_json_t  *line;

    memset(&tree, 0, sizeof(tree));
    used = 0;
    jsonl_open(&jsonl, "t/data/unit/coverage_zone.jsonl");

    while ((line = jsonl_next(&jsonl)) != NULL) {

        if (!jsonl_is(line, "kind", "lookup")) {
            load_tree(&tree, &jsonl, line);
            continue;
        }

        if (!jsonl_is(line, "tree", tree.name)) {
            ok(false, "look-up in a file that is not the last one");
            continue;
        }

        check_line(&tree, line, &used);
    }

    is_int(used, sizeof(differs) / sizeof(differs[0]),
           "every listed difference was met");
    tcr_coverage_free(&tree.coverage);
    jsonl_close(&jsonl);
}


static void
test_files(void)
{
    int             rc;
    size_t          i;
    tcr_err_t       err;
    tcr_coverage_t  coverage;

    for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        rc = load(&coverage, files[i].text, false, NULL, &err);
        is_str(rc == 0 ? NULL : err.text, files[i].want, "%s", files[i].name);
        ok(rc == 0 || coverage.build == NULL, "%s: nothing is left",
           files[i].name);
        tcr_coverage_free(&coverage);
    }

    rc = load(&coverage, "{\"coverageZones\": {}}", true, NULL, &err);
    is_str(err.text, "f:1:1: no key \"deepCoverageZones\", expected an object "
           "with it", "a plain file where a deep one is expected");
    is_int(rc, -1, "is refused");
}


static void
test_oddities(void)
{
    size_t          i, k;
    tcr_err_t       err;
    const char     *text;
    tcr_report_t    report;
    tcr_problem_t  *problem;
    tcr_coverage_t  coverage;

    for (i = 0; i < sizeof(oddities) / sizeof(oddities[0]); i++) {
        tcr_report_init(&report, arena, 0);
        text = tcr_arena_printf(arena, "{\"coverageZones\":{%s}}",
                                oddities[i].zones);
        is_int(load(&coverage, text, false, &report, &err), 0, "{%s}",
               oddities[i].zones);
        problem = report.first;

        for (k = 0; k < 3; k++) {
            is_str(problem != NULL ? problem->text : NULL,
                   oddities[i].warnings[k], "warning %zu", k);
            problem = problem != NULL ? problem->next : NULL;
        }

        is_int(report.count[TCR_REPORT_WARNING], report.kept,
               "nothing worse than a warning");
        tcr_coverage_free(&coverage);
    }
}


/* Rule czf-first-wins: whatever the host bits, and hiding nothing. */
static void
test_first_wins(void)
{
    tcr_err_t       err;
    tcr_coverage_t  coverage;

    load(&coverage,
         "{\"coverageZones\": {"
         "\"a\": {\"network\": [\"192.0.2.193/29\", \"192.0.2.194/31\"],"
         "        \"network6\": [\"2001:db8::/32\"]},"
         "\"b\": {\"network\": [\"192.0.2.192/29\", \"2001:db8::/32\"]},"
         "\"c\": {\"network\": [\"198.51.100.0/24\"],"
         "        \"network6\": [\"198.51.100.0/24\", \"2001:db8:1::/48\"]},"
         "\"d\": {\"network\": [\"192.0.2.194/31\", \"198.51.100.0/25\"]}}}",
         false, NULL, &err);

    is_str(find_text(&coverage, "192.0.2.193")->name.data[0] == 'a' ? "a" : "",
           "a", "first of equal prefixes with other host bits");
    is_str(find_text(&coverage, "192.0.2.195")->name.data[0] == 'a' ? "a" : "",
           "a", "and what is inside it is not lost");
    ok(tcr_str_eq(find_text(&coverage, "2001:db8::1")->name, TCR_STR("a")),
       "an IPv6 prefix in network is an IPv6 prefix");
    ok(tcr_str_eq(find_text(&coverage, "2001:db8:1::1")->name, TCR_STR("c")),
       "longer ones go first");
    ok(tcr_str_eq(find_text(&coverage, "198.51.100.1")->name, TCR_STR("d")),
       "in either list");
    ok(tcr_str_eq(find_text(&coverage, "198.51.100.129")->name, TCR_STR("c")),
       "IPv4 in network6");
    is_int(coverage.n_zones, 4, "zones");
    is_int(coverage.n_prefixes, 10, "prefixes as listed");

    tcr_coverage_free(&coverage);
}


static void
test_zones(void)
{
    tcr_err_t       err;
    tcr_coverage_t  coverage;

    load(&coverage,
         "{\"revision\": 7, \"customerName\": \"Example\","
         "\"coverageZones\": {"
         "\"z\": {\"network\": [\"192.0.2.0/24\"], "
         "        \"coordinates\": {\"latitude\": \"1.5\", \"longitude\": 2},"
         "        \"caches\": [\"edge-1\"]},"
         "\"m\": {\"network\": [\"192.0.2.0/24\"]},"
         "\"z\": {\"coordinates\": {\"latitude\": null, \"longitude\": 2}}}}",
         false, NULL, &err);

    ok(tcr_str_eq(coverage.revision, TCR_STR("7")), "revision");
    ok(tcr_str_eq(coverage.customer_name, TCR_STR("Example")), "customer");
    is_int(coverage.n_zones, 2, "equal names are one zone");
    ok(tcr_str_eq(coverage.zones[0].name, TCR_STR("m")), "document order");
    ok(find_text(&coverage, "192.0.2.1") == &coverage.zones[0],
       "what the last one of a name replaces is gone");
    ok(coverage.zones[1].has_point, "both coordinates are there");
    ok(coverage.zones[1].point.lat == 0 && coverage.zones[1].point.lon == 2,
       "one that is no number is 0");
    is_int(coverage.zones[1].n_caches, 0, "caches are for deep files");
    tcr_coverage_free(&coverage);

    load(&coverage, "{\"coverageZones\": {}}", false, NULL, &err);
    ok(coverage.revision.data != NULL && coverage.revision.len == 0,
       "no revision is an empty one");
    tcr_coverage_free(&coverage);
}


static void
test_deep(void)
{
    tcr_err_t       err;
    tcr_report_t    report;
    tcr_coverage_t  coverage;

    tcr_report_init(&report, arena, 0);
    load(&coverage,
         "{\"deepCoverageZones\": {\"d\": {\"network\": [], \"network6\": [],"
         "\"caches\": [\"edge-2\", \"\", \"edge-1\", \"edge-2\", 7]}}}",
         true, &report, &err);

    is_int(coverage.zones[0].n_caches, 2, "each cache once, no empty name");
    ok(tcr_str_eq(coverage.zones[0].caches[0], TCR_STR("edge-1"))
       && tcr_str_eq(coverage.zones[0].caches[1], TCR_STR("edge-2")),
       "their names");
    is_str(report.first->text, "f:1:29: deepCoverageZones.d: \"caches\" is "
           "not a list of host names, what is no text is not used",
           "a number is no cache");
    tcr_coverage_free(&coverage);
}


int
main(void)
{
    arena = tcr_arena_create(0);

    test_recorded();
    test_files();
    test_oddities();
    test_first_wins();
    test_zones();
    test_deep();

    tcr_arena_destroy(arena);
    return done();
}
