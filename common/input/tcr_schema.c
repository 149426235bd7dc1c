/* SPDX-License-Identifier: Apache-2.0 */

/*
 * One function per kind of value; everything else is the table's.
 */

#include "tcr_schema.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "tcr_json.h"

#define KEYS_MAX  64              /* of one table, for "did you mean"        */


typedef struct {
    const tcr_key_t   *key;
    const tcr_yaml_t  *node;      /* where problems are shown                */
    tcr_str_t          text;      /* of a scalar                             */
    void              *out;       /* the value's place                       */
    tcr_arena_t       *arena;
    tcr_report_t      *report;
} value_t;

typedef struct {
    const char  *name;
    int64_t      factor;
} unit_t;

static const unit_t  durations[] = {
    { "ms", 1 }, { "s", 1000 }, { "m", 60000 }, { "h", 3600000 },
    { "d", 86400000 }, { "", 1000 }, { NULL, 0 }
};

static const unit_t  sizes[] = {
    { "k", 1024 }, { "m", 1024 * 1024 }, { "g", 1024 * 1024 * 1024 },
    { "", 1 }, { NULL, 0 }
};

static const unit_t  percents[] = { { "%", 1 }, { "", 1 }, { NULL, 0 } };
static const unit_t  no_units[] = { { "", 1 }, { NULL, 0 } };


static void
wrong(const value_t *v, const char *expected)
{
    tcr_yaml_wrong(v->report, v->node, "is \"%.*s\", expected %s",
                   TCR_STR_ARG(v->text), expected);
}


static tcr_str_t
copy(const value_t *v, tcr_str_t text)
{
    tcr_str_t  out = tcr_arena_strdup(v->arena, text);

    if (out.data == NULL) {
        tcr_yaml_wrong(v->report, v->node, "no memory to keep it");
        return TCR_STR("");
    }

    return out;
}


/* --- numbers --- */

/* A number as its key would be written, for messages. */
static void
show(tcr_kind_e kind, int64_t n, char *text, size_t size)
{
    size_t         i;
    const unit_t  *units = kind == TCR_KIND_DURATION ? durations
                           : kind == TCR_KIND_SIZE ? sizes
                           : kind == TCR_KIND_PERCENT ? percents : no_units;
    const unit_t  *best = &units[0];

    for (i = 0; units[i].name != NULL; i++) {

        if (units[i].name[0] != '\0' && n % units[i].factor == 0 && n != 0
            && units[i].factor >= best->factor)
        {
            best = &units[i];
        }
    }

    if (n % best->factor != 0) {
        best = no_units;
    }

    snprintf(text, size, "%" PRId64 "%s", n / best->factor, best->name);
}


static void
out_of_bounds(const value_t *v)
{
    char  min[32], max[32], expected[80];

    show(v->key->kind, v->key->min, min, sizeof(min));
    show(v->key->kind, v->key->max, max, sizeof(max));
    snprintf(expected, sizeof(expected), "%s to %s", min, max);
    wrong(v, expected);
}


static void
read_number(value_t *v, const unit_t *units, const char *expected)
{
    size_t     digits = 0;
    int64_t    n;
    uint64_t   number;
    tcr_str_t  unit;

    while (digits < v->text.len && v->text.data[digits] >= '0'
           && v->text.data[digits] <= '9')
    {
        digits++;
    }

    unit = tcr_str_n(v->text.data + digits, v->text.len - digits);

    while (units->name != NULL && !tcr_str_eq(unit, tcr_str(units->name))) {
        units++;
    }

    /* "010" is eight to some readers of YAML and ten to others */
    if (units->name == NULL || (digits > 1 && v->text.data[0] == '0')
        || tcr_parse_uint(tcr_str_n(v->text.data, digits), 0, INT64_MAX,
                          &number) != 0)
    {
        wrong(v, expected);
        return;
    }

    if (__builtin_mul_overflow((int64_t) number, units->factor, &n)
        || n < v->key->min || n > v->key->max)
    {
        out_of_bounds(v);
        return;
    }

    *(int64_t *) v->out = n;
}


static void
read_int(value_t *v)
{
    read_number(v, no_units, "a whole number");
}


static void
read_duration(value_t *v)
{
    read_number(v, durations, "a time such as 500ms, 10s, 5m, 3h or 2d");
}


static void
read_size(value_t *v)
{
    read_number(v, sizes, "a size such as 64k, 512m or 2g");
}


static void
read_percent(value_t *v)
{
    read_number(v, percents, "a percentage such as 50%");
}


/* Numbers are here what they are in a snapshot. */
static void
read_real(value_t *v)
{
    char        expected[64];
    double      d;
    tcr_json_t  number;

    memset(&number, 0, sizeof(number));
    number.type = TCR_JSON_STRING;
    number.u.str = v->text;
    d = tcr_json_real(&number, NAN);

    if (!(d >= (double) v->key->min && d <= (double) v->key->max)) {
        snprintf(expected, sizeof(expected), "a number from %" PRId64 " to %"
                 PRId64, v->key->min, v->key->max);
        wrong(v, expected);
        return;
    }

    *(tcr_str_t *) v->out = copy(v, v->text);
}


/* --- words and texts --- */

static void
read_bool(value_t *v)
{
    size_t  i;

    static const char *const  words[] = {
        "false", "true", "no", "yes", "off", "on"
    };

    for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {

        if (tcr_str_eq(v->text, tcr_str(words[i]))) {
            *(bool *) v->out = i % 2 == 1;
            return;
        }
    }

    wrong(v, "true or false");
}


static void
read_word(value_t *v)
{
    size_t       i, n;
    char         expected[200];
    const char  *near;

    for (n = 0; v->key->words[n] != NULL; n++) {

        if (tcr_str_eq(v->text, tcr_str(v->key->words[n]))) {
            *(int64_t *) v->out = (int64_t) n;
            return;
        }
    }

    near = tcr_schema_near(v->text, v->key->words, n);

    if (near != NULL) {
        tcr_yaml_wrong(v->report, v->node, "is \"%.*s\", did you mean \"%s\"",
                       TCR_STR_ARG(v->text), near);
        return;
    }

    expected[0] = '\0';

    for (i = 0; i < n; i++) {
        snprintf(expected + strlen(expected),
                 sizeof(expected) - strlen(expected), "%s%s",
                 i == 0 ? "one of " : ", ", v->key->words[i]);
    }

    wrong(v, expected);
}


/* No byte that would end a C string or forge a line of a log. */
static bool
is_text(tcr_str_t text)
{
    size_t  i;

    for (i = 0; i < text.len; i++) {

        if ((unsigned char) text.data[i] < 0x20 || text.data[i] == 0x7f) {
            return false;
        }
    }

    return text.len != 0;
}


static void
read_text(value_t *v)
{
    if (!is_text(v->text)) {
        wrong(v, "text without control characters");
        return;
    }

    *(tcr_str_t *) v->out = copy(v, v->text);
}


static void
read_path(value_t *v)
{
    if (!is_text(v->text) || v->text.data[0] != '/') {
        wrong(v, "an absolute path");
        return;
    }

    *(tcr_str_t *) v->out = copy(v, v->text);
}


/* The path of a "file:" URL, which names this host if any; absent = none. */
static tcr_str_t
file_path(tcr_str_t url)
{
    static const char *const  starts[] = {
        "file://localhost/", "file:///", "file:/"
    };

    size_t     i;
    tcr_str_t  start;

    for (i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
        start = tcr_str(starts[i]);

        if (tcr_str_starts(url, start) && url.len > start.len
            && url.data[start.len] != '/')
        {
            return tcr_str_n(url.data + start.len - 1,
                             url.len - start.len + 1);
        }
    }

    return tcr_str(NULL);
}


/* Kept as "file:" and the path, whatever spelling was used. */
static bool
read_file_url(value_t *v)
{
    char       *url;
    tcr_str_t   path = file_path(v->text);

    if (!is_text(v->text) || path.data == NULL) {
        return false;
    }

    url = tcr_arena_printf(v->arena, "file:%.*s", TCR_STR_ARG(path));
    *(tcr_str_t *) v->out = url != NULL ? tcr_str(url) : copy(v, path);
    return true;
}


static void
read_file(value_t *v)
{
    if (!read_file_url(v)) {
        wrong(v, "\"file:/PATH\"");
    }
}


static tcr_str_t
without_scheme(tcr_str_t url)
{
    tcr_str_t  http = TCR_STR("http://"), https = TCR_STR("https://");

    if (tcr_str_starts(url, http)) {
        return tcr_str_n(url.data + http.len, url.len - http.len);
    }

    if (tcr_str_starts(url, https)) {
        return tcr_str_n(url.data + https.len, url.len - https.len);
    }

    return tcr_str(NULL);
}


static void
read_url(value_t *v)
{
    tcr_str_t  rest = without_scheme(v->text);

    if (read_file_url(v)) {
        return;
    }

    if (!is_text(v->text) || rest.data == NULL || rest.len == 0
        || rest.data[0] == '/' || tcr_str_find(v->text, ' ') != v->text.len)
    {
        wrong(v, "\"file:/PATH\", \"http://...\" or \"https://...\"");
        return;
    }

    *(tcr_str_t *) v->out = copy(v, v->text);
}


/* HOST[:PORT] or [V6][:PORT], without a scheme. */
static bool
is_host(tcr_str_t text)
{
    size_t      i, end;
    uint64_t    port;
    const char *more;
    bool        v6 = text.len != 0 && text.data[0] == '[';

    end = tcr_str_find(text, v6 ? ']' : ':');

    if (end == v6 || (v6 && end++ == text.len)) {
        return false;
    }

    more = v6 ? "[]:" : "-._";

    for (i = 0; i < end; i++) {

        if (!(text.data[i] >= '0' && text.data[i] <= '9')
            && !(tcr_lower(text.data[i]) >= 'a'
                 && tcr_lower(text.data[i]) <= 'z')
            && (text.data[i] == '\0' || strchr(more, text.data[i]) == NULL))
        {
            return false;
        }
    }

    if (end == text.len) {
        return true;
    }

    return text.data[end] == ':'
           && tcr_parse_uint(tcr_str_n(text.data + end + 1,
                                       text.len - end - 1), 1, 65535, &port)
              == 0;
}


static void
read_origin(value_t *v)
{
    tcr_str_t  host = without_scheme(v->text);

    if (!is_text(v->text) || host.data == NULL || !is_host(host)) {
        wrong(v, "\"https://HOST[:PORT]\"");
        return;
    }

    *(tcr_str_t *) v->out = copy(v, v->text);
}


static void
read_hosts(value_t *v)
{
    tcr_str_t          host;
    tcr_texts_t       *out = v->out;
    const tcr_yaml_t  *list = v->node, *item;

    out->items = tcr_arena_calloc(v->arena, list->n + 1, sizeof(tcr_str_t));

    if (list->n == 0 || out->items == NULL) {
        tcr_yaml_wrong(v->report, list, "is empty, expected a list of "
                       "HOST[:PORT]");
        return;
    }

    for (item = list->first; item != NULL; item = item->next) {
        v->node = item;
        v->text = item->text;
        host = without_scheme(item->text);

        if (item->type != TCR_YAML_SCALAR
            || !is_host(host.data != NULL ? host : item->text))
        {
            wrong(v, "HOST or HOST:PORT");
            continue;
        }

        out->items[out->n++] = copy(v, item->text);
    }
}


static void
read_texts(value_t *v)
{
    tcr_texts_t       *out = v->out;
    const tcr_yaml_t  *list = v->node, *item;

    out->items = tcr_arena_calloc(v->arena, list->n + 1, sizeof(tcr_str_t));

    if (out->items == NULL) {
        tcr_yaml_wrong(v->report, list, "no memory to keep it");
        return;
    }

    for (item = list->first; item != NULL; item = item->next) {
        v->node = item;
        v->text = item->text;

        if (tcr_schema_is(item, TCR_YAML_SCALAR, "a text", v->report)) {
            v->out = &out->items[out->n++];
            read_text(v);
        }
    }
}


static void
keep_node(value_t *v)
{
    *(const tcr_yaml_t **) v->out = v->node;
}


/* --- the table --- */

static const struct {
    void             (*read)(value_t *v);
    tcr_yaml_type_e   type;
    const char       *name;
} kinds[] = {
    [TCR_KIND_INT] = { read_int, TCR_YAML_SCALAR, "a whole number" },
    [TCR_KIND_BOOL] = { read_bool, TCR_YAML_SCALAR, "true or false" },
    [TCR_KIND_DURATION] = { read_duration, TCR_YAML_SCALAR, "a time" },
    [TCR_KIND_SIZE] = { read_size, TCR_YAML_SCALAR, "a size" },
    [TCR_KIND_PERCENT] = { read_percent, TCR_YAML_SCALAR, "a percentage" },
    [TCR_KIND_TEXT] = { read_text, TCR_YAML_SCALAR, "a text" },
    [TCR_KIND_PATH] = { read_path, TCR_YAML_SCALAR, "a path" },
    [TCR_KIND_URL] = { read_url, TCR_YAML_SCALAR, "a URL" },
    [TCR_KIND_FILE] = { read_file, TCR_YAML_SCALAR, "\"file:/PATH\"" },
    [TCR_KIND_ORIGIN] = { read_origin, TCR_YAML_SCALAR,
                          "\"https://HOST[:PORT]\"" },
    [TCR_KIND_WORD] = { read_word, TCR_YAML_SCALAR, "a word" },
    [TCR_KIND_HOSTS] = { read_hosts, TCR_YAML_SEQUENCE,
                         "a list of HOST[:PORT]" },
    [TCR_KIND_REAL] = { read_real, TCR_YAML_SCALAR, "a number" },
    [TCR_KIND_TEXTS] = { read_texts, TCR_YAML_SEQUENCE, "a list" },
    [TCR_KIND_MEMBERS] = { keep_node, TCR_YAML_MAPPING,
                           "names with values" },
    [TCR_KIND_ITEMS] = { keep_node, TCR_YAML_SEQUENCE, "a list" },
    [TCR_KIND_MAP] = { NULL, TCR_YAML_MAPPING, "keys with values" }
};

static const char *const  type_names[] = {
    [TCR_YAML_SCALAR] = "one value",
    [TCR_YAML_SEQUENCE] = "a list",
    [TCR_YAML_MAPPING] = "a mapping"
};


bool
tcr_schema_is(const tcr_yaml_t *node, tcr_yaml_type_e type,
    const char *expected, tcr_report_t *report)
{
    if (tcr_yaml_is_null(node)) {
        tcr_yaml_wrong(report, node, "is empty, expected %s", expected);
        return false;
    }

    if (node->type != type) {
        tcr_yaml_wrong(report, node, "is %s, expected %s",
                       type_names[node->type], expected);
        return false;
    }

    return true;
}


static void
unknown_key(const tcr_yaml_t *member, const tcr_key_t *keys, size_t n,
    tcr_report_t *report)
{
    size_t       i;
    tcr_yaml_t   shown = *member;
    const char  *names[KEYS_MAX], *near;

    for (i = 0; i < n && i < KEYS_MAX; i++) {
        names[i] = keys[i].name;
    }

    shown.pos = member->key->pos;
    near = tcr_schema_near(member->key->text, names, i);

    if (near != NULL) {
        tcr_yaml_wrong(report, &shown, "unknown key, did you mean \"%s\"",
                       near);

    } else {
        tcr_yaml_wrong(report, &shown, "unknown key");
    }
}


/* A default is read by the code that reads what an operator wrote. */
static void
set_default(const tcr_key_t *key, void *out, tcr_arena_t *arena,
    tcr_report_t *report)
{
    value_t     v;
    tcr_yaml_t  node;

    if (key->def == NULL) {
        return;
    }

    memset(&node, 0, sizeof(node));
    node.pos.file = "default";
    v = (value_t) { key, &node, tcr_str(key->def), (char *) out + key->offset,
                    arena, report };
    kinds[key->kind].read(&v);
}


static void
read_member(const tcr_yaml_t *node, const tcr_key_t *key, void *out,
    tcr_arena_t *arena, tcr_report_t *report)
{
    value_t  v = { key, node, node->text, (char *) out + key->offset, arena,
                   report };

    if (!tcr_schema_is(node, kinds[key->kind].type, kinds[key->kind].name,
                       report))
    {
        return;
    }

    if (key->kind == TCR_KIND_MAP) {
        tcr_schema_read(node, key->keys, key->n_keys, out, arena, report);

    } else {
        kinds[key->kind].read(&v);
    }
}


static void
absent_member(const tcr_yaml_t *map, const tcr_key_t *key, void *out,
    tcr_arena_t *arena, tcr_report_t *report)
{
    if (key->kind == TCR_KIND_MAP) {
        tcr_schema_read(NULL, key->keys, key->n_keys, out, arena, report);

    } else {
        set_default(key, out, arena, report);
    }

    if (key->required && map != NULL) {
        tcr_yaml_wrong(report, map, "\"%s\" is missing", key->name);
    }
}


bool
tcr_schema_member(const tcr_yaml_t *map, const tcr_key_t *key, void *out,
    tcr_arena_t *arena, tcr_report_t *report)
{
    size_t             errors = report->count[TCR_REPORT_ERROR];
    const tcr_yaml_t  *member = tcr_yaml_get(map, key->name);

    if (member == NULL) {
        absent_member(map, key, out, arena, report);

    } else {
        set_default(key, out, arena, report);
        read_member(member, key, out, arena, report);
    }

    return report->count[TCR_REPORT_ERROR] == errors
           && (member != NULL || key->def != NULL);
}


void
tcr_schema_unknown(const tcr_yaml_t *map, const tcr_key_t *keys, size_t n,
    tcr_report_t *report)
{
    size_t             i;
    const tcr_yaml_t  *member;

    for (member = map != NULL ? map->first : NULL; member != NULL;
         member = member->next)
    {
        for (i = 0; i < n; i++) {

            if (tcr_str_eq(member->key->text, tcr_str(keys[i].name))) {
                break;
            }
        }

        if (i == n) {
            unknown_key(member, keys, n, report);
        }
    }
}


void
tcr_schema_read(const tcr_yaml_t *map, const tcr_key_t *keys, size_t n,
    void *out, tcr_arena_t *arena, tcr_report_t *report)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        tcr_schema_member(map, &keys[i], out, arena, report);
    }

    tcr_schema_unknown(map, keys, n, report);
}
