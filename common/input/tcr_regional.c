/* SPDX-License-Identifier: Apache-2.0 */

/* The reader of regional policies. */

#include "tcr_regional.h"

#include <math.h>

#include "tcr_document.h"
#include "tcr_regex.h"

#define RULES_MAX  100000


typedef struct {
    tcr_read_t       rd;
    tcr_regional_t  *out;
    tcr_err_t       *err;
} reader_t;


#define REFUSE(r, node, field, ...)                                           \
    tcr_document_refuse(&(r)->rd, (r)->err, node, field, __VA_ARGS__)


static int
read_service(reader_t *r, const tcr_json_t *node, tcr_regional_rule_t *rule)
{
    const char        *field = "deliveryServiceId";
    const tcr_json_t  *member = tcr_json_get(node, field);

    rule->service = tcr_json_str(member, TCR_STR(""));

    if (tcr_str_trim(rule->service).len == 0
        || !tcr_read_is_id(rule->service))
    {
        return REFUSE(r, member, field, "expected the id of a service");
    }

    return 0;
}


static int
read_pattern(reader_t *r, const tcr_json_t *node, tcr_regional_rule_t *rule)
{
    tcr_err_t          why;
    const char        *field = "urlRegex";
    const tcr_json_t  *member = tcr_json_get(node, field);

    if (!tcr_json_is(member, TCR_JSON_STRING)
        || tcr_str_trim(member->u.str).len == 0
        || member->u.str.len > TCR_READ_VALUE)
    {
        return REFUSE(r, member, field, "expected a pattern of 1 to %d bytes",
                      TCR_READ_VALUE);
    }

    if (tcr_regex_translate(r->rd.arena, member->u.str, &rule->pattern, &why)
        != 0)
    {
        return REFUSE(r, member, field, "%s", why.text);
    }

    return 0;
}


static bool
is_absolute(tcr_str_t url)
{
    return (url.len >= 7 && tcr_str_ieq(tcr_str_n(url.data, 7),
                                        TCR_STR("http://")))
           || (url.len >= 8 && tcr_str_ieq(tcr_str_n(url.data, 8),
                                           TCR_STR("https://")));
}


/* A client that is sent back to where it came from would never arrive. */
static int
check_loop(reader_t *r, const tcr_json_t *member, tcr_regional_rule_t *rule)
{
    bool          loops;
    tcr_err_t     why;
    tcr_regex_t  *re;

    re = tcr_regex_compile(rule->pattern,
                           TCR_REGEX_WHOLE | TCR_REGEX_CASELESS, &why);

    if (re == NULL) {
        return REFUSE(r, member, "urlRegex", "%s", why.text);
    }

    loops = tcr_regex_match(re, rule->redirect);
    tcr_regex_free(re);

    return loops ? REFUSE(r, member, "redirectUrl", "it matches the rule's "
                          "own urlRegex, clients would go round for ever")
                 : 0;
}


static int
read_path(reader_t *r, tcr_str_t path, tcr_regional_rule_t *rule)
{
    char  *text;

    rule->redirect = path;

    if (path.data[0] == '/') {
        return 0;
    }

    text = tcr_read_alloc(&r->rd, path.len + 1, 1);

    if (text == NULL) {
        return tcr_document_end(&r->rd, r->err);
    }

    text[0] = '/';
    memcpy(text + 1, path.data, path.len);
    rule->redirect = tcr_str_n(text, path.len + 1);

    return 0;
}


static int
read_redirect(reader_t *r, const tcr_json_t *node, tcr_regional_rule_t *rule)
{
    tcr_str_t          url;
    const char        *field = "redirectUrl";
    const tcr_json_t  *member = tcr_json_get(node, field);

    url = tcr_json_str(member, TCR_STR(""));

    if (tcr_str_trim(url).len == 0 || url.len > TCR_READ_VALUE
        || tcr_read_line(&r->rd, member, field).data == NULL)
    {
        return REFUSE(r, member, field, "expected a URL or a path of 1 to %d "
                      "bytes without control bytes", TCR_READ_VALUE);
    }

    rule->absolute = is_absolute(url);

    if (rule->absolute) {
        rule->redirect = url;
        return check_loop(r, member, rule);
    }

    if (tcr_json_bool(tcr_json_get(node, "isSteeringDS"), false)) {
        return REFUSE(r, member, field, "found a path, expected a URL for a "
                      "steering service");
    }

    return read_path(r, url, rule);
}


static int
read_postal_codes(reader_t *r, const tcr_json_t *geo,
    tcr_regional_rule_t *rule)
{
    const char        *field = "includePostalCode";
    const tcr_json_t  *list, *node;

    list = tcr_json_get(geo, field);
    rule->include = list != NULL && list->type != TCR_JSON_NULL;

    if (!rule->include) {
        field = "excludePostalCode";
        list = tcr_json_get(geo, field);
    }

    if (!tcr_json_is(list, TCR_JSON_ARRAY)) {
        return REFUSE(r, list, field, "expected a list of postal codes in it "
                      "or in the other one of includePostalCode and "
                      "excludePostalCode");
    }

    rule->postal_codes.items = tcr_read_alloc(&r->rd, list->u.list.n,
                                              sizeof(tcr_str_t));

    if (rule->postal_codes.items == NULL) {
        return tcr_document_end(&r->rd, r->err);
    }

    for (node = tcr_json_first(list); node != NULL; node = node->next) {

        if (node->type != TCR_JSON_STRING && node->type != TCR_JSON_NUMBER) {
            return REFUSE(r, node, field, "expected a postal code in quotes");
        }

        rule->postal_codes.items[rule->postal_codes.n++] = node->u.str;
    }

    return 0;
}


static bool
in_range(double value, double range)
{
    return isfinite(value) && fabs(value) <= range;
}


static void
read_box(tcr_read_t *rd, const tcr_json_t *node, tcr_regional_rule_t *rule)
{
    tcr_regional_box_t  *box = &rule->boxes[rule->n_boxes];

    box->min_lat = tcr_json_real(tcr_json_get(node, "minLat"), NAN);
    box->min_lon = tcr_json_real(tcr_json_get(node, "minLon"), NAN);
    box->max_lat = tcr_json_real(tcr_json_get(node, "maxLat"), NAN);
    box->max_lon = tcr_json_real(tcr_json_get(node, "maxLon"), NAN);

    if (in_range(box->min_lat, 90) && in_range(box->max_lat, 90)
        && in_range(box->min_lon, 180) && in_range(box->max_lon, 180))
    {
        rule->n_boxes++;
        return;
    }

    tcr_read_report(rd, TCR_REPORT_LEFT_OUT, node, NULL, "expected minLat and "
                    "maxLat of -90 to 90, minLon and maxLon of -180 to 180; "
                    "this range is left out");
}


static void
read_boxes(tcr_read_t *rd, const tcr_json_t *geo, tcr_regional_rule_t *rule)
{
    size_t             i = 0;
    tcr_read_mark_t    mark, item;
    const tcr_json_t  *list, *node;

    list = tcr_read_container(rd, geo, "coordinateRange", TCR_JSON_ARRAY);

    if (list == NULL) {
        return;
    }

    rule->boxes = tcr_read_alloc(rd, list->u.list.n,
                                 sizeof(tcr_regional_box_t));
    mark = tcr_read_enter(rd, list, TCR_STR("coordinateRange"));

    for (node = tcr_json_first(list); node != NULL && rule->boxes != NULL;
         node = node->next)
    {
        item = tcr_read_enter_item(rd, node, i++);
        read_box(rd, node, rule);
        tcr_read_leave(rd, item);
    }

    tcr_read_leave(rd, mark);
}


static int
read_location(reader_t *r, const tcr_json_t *node, tcr_regional_rule_t *rule)
{
    int                rc;
    tcr_read_mark_t    mark;
    const tcr_json_t  *geo = tcr_json_get(node, "geoLocation");

    if (!tcr_json_is(geo, TCR_JSON_OBJECT)) {
        return REFUSE(r, geo, "geoLocation", "expected an object with "
                      "includePostalCode or excludePostalCode");
    }

    mark = tcr_read_enter(&r->rd, geo, TCR_STR("geoLocation"));
    rc = read_postal_codes(r, geo, rule);

    if (rc == 0) {
        read_boxes(&r->rd, geo, rule);
    }

    tcr_read_leave(&r->rd, mark);
    return rc;
}


static int
read_whitelist(reader_t *r, const tcr_json_t *node, tcr_regional_rule_t *rule)
{
    rule->build = tcr_nets_build_create();

    if (rule->build == NULL) {
        r->rd.failed = true;
        return tcr_document_end(&r->rd, r->err);
    }

    tcr_document_prefixes(&r->rd, node, "ipWhiteList", rule->build);

    if (tcr_nets_build_finish(rule->build, &rule->allow) != 0) {
        r->rd.failed = true;
    }

    return tcr_document_end(&r->rd, r->err);
}


static int
read_rule(reader_t *r, const tcr_json_t *node, tcr_regional_rule_t *rule)
{
    if (read_service(r, node, rule) != 0
        || read_pattern(r, node, rule) != 0
        || read_redirect(r, node, rule) != 0
        || read_location(r, node, rule) != 0)
    {
        return -1;
    }

    return read_whitelist(r, node, rule);
}


static int
read_rules(reader_t *r, const tcr_json_t *list)
{
    int                rc = 0;
    size_t             i = 0;
    tcr_read_mark_t    mark, item;
    const tcr_json_t  *node;

    if (list->u.list.n > RULES_MAX) {
        return REFUSE(r, list, "deliveryServices", "found %zu rules, expected "
                      "at most %d", list->u.list.n, RULES_MAX);
    }

    r->out->rules = tcr_read_alloc(&r->rd, list->u.list.n,
                                   sizeof(tcr_regional_rule_t));

    if (r->out->rules == NULL) {
        return tcr_document_end(&r->rd, r->err);
    }

    mark = tcr_read_enter(&r->rd, list, TCR_STR("deliveryServices"));

    for (node = tcr_json_first(list); node != NULL && rc == 0;
         node = node->next)
    {
        item = tcr_read_enter_item(&r->rd, node, i++);
        rc = read_rule(r, node, &r->out->rules[r->out->n++]);
        tcr_read_leave(&r->rd, item);
    }

    tcr_read_leave(&r->rd, mark);
    return rc;
}


int
tcr_regional_parse(tcr_regional_t *out, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, tcr_report_t *report, tcr_err_t *err)
{
    reader_t           r = { .out = out, .err = err };
    const tcr_json_t  *list;

    memset(out, 0, sizeof(*out));
    tcr_document_start(&r.rd, arena, doc, report);
    list = tcr_document_member(&r.rd, "deliveryServices", TCR_JSON_ARRAY, err);

    if (list == NULL) {
        return -1;
    }

    if (read_rules(&r, list) != 0 || tcr_document_end(&r.rd, err) != 0) {
        tcr_regional_free(out);
        return -1;
    }

    return 0;
}


void
tcr_regional_free(tcr_regional_t *regional)
{
    size_t  i;

    for (i = 0; i < regional->n; i++) {
        tcr_nets_build_destroy(regional->rules[i].build);
    }

    memset(regional, 0, sizeof(*regional));
}
