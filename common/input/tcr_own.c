/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The sections in their order, and the check of what they become.
 */

#include "tcr_own_make.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tcr_crconfig_read.h"


bool
tcr_own_given(const tcr_own_sections_t *s)
{
    return s->cdn != NULL || s->routers != NULL || s->cache_groups != NULL
           || s->caches != NULL || s->delivery_services != NULL
           || s->zones != NULL;
}


/* --- memory --- */

void *
tcr_own_alloc(tcr_own_make_t *make, size_t n, size_t size)
{
    void  *p = tcr_arena_calloc(make->made.arena, n != 0 ? n : 1, size);

    make->failed = make->failed || p == NULL;
    return p;
}


tcr_str_t
tcr_own_printf(tcr_own_make_t *make, const char *fmt, ...)
{
    char       text[1024];
    va_list    ap;
    tcr_str_t  copy;

    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);

    copy = tcr_arena_strdup(make->made.arena, tcr_str(text));
    make->failed = make->failed || copy.data == NULL;
    return copy;
}


/* --- members of sections --- */

static void
list_members(tcr_own_make_t *make, const tcr_yaml_t *map, const char *what,
    tcr_own_members_t *members)
{
    const tcr_yaml_t  *node;

    members->map = map;
    members->what = what;
    members->items = tcr_own_alloc(make, map->n, sizeof(*members->items));

    if (members->items == NULL
        || tcr_names_init(&members->places, make->made.arena, map->n) != 0)
    {
        make->failed = true;
        return;
    }

    for (node = map->first; node != NULL; node = node->next) {
        tcr_names_add(&members->places, node->key->text,
                      (uint32_t) members->n);
        members->items[members->n++] = node;
    }
}


static const char *
near_name(const tcr_own_members_t *members, tcr_str_t text)
{
    size_t        i;
    const char   *near;
    const char  **names = calloc(members->n + 1, sizeof(*names));

    if (names == NULL) {
        return NULL;
    }

    for (i = 0; i < members->n; i++) {
        names[i] = members->items[i]->key->text.data;
    }

    near = tcr_schema_near(text, names, members->n);
    free(names);
    return near;
}


uint32_t
tcr_own_find(tcr_own_make_t *make, const tcr_own_members_t *members,
    const tcr_yaml_t *text)
{
    uint32_t     place;
    const char  *near;

    if (tcr_names_find(&members->places, text->text, &place)) {
        return place;
    }

    near = near_name(members, text->text);

    if (near != NULL) {
        tcr_yaml_wrong(make->made.report, text, "no %s \"%.*s\", did you mean "
                       "\"%s\"", members->what, TCR_STR_ARG(text->text), near);

    } else {
        tcr_yaml_wrong(make->made.report, text, "no %s \"%.*s\", expected one "
                       "of \"%.*s\"", members->what, TCR_STR_ARG(text->text),
                       TCR_STR_ARG(members->map->key->text));
    }

    return TCR_OWN_NOWHERE;
}


bool
tcr_own_open(tcr_own_make_t *make, const tcr_yaml_t *map)
{
    if (!tcr_schema_is(map, TCR_YAML_MAPPING, "keys with values",
                       make->made.report))
    {
        return false;
    }

    tcr_made_open(&make->made, map, map->key->text, '{');
    return true;
}


tcr_str_t
tcr_own_name(tcr_own_make_t *make, tcr_str_t given, tcr_str_t id)
{
    if (given.data != NULL) {
        return given;
    }

    return tcr_own_printf(make, "%.*s.%.*s", TCR_STR_ARG(id),
                          TCR_STR_ARG(make->domain));
}


/* --- the whole --- */

/* Every section has to be there, with something in it. */
static bool
has_sections(const tcr_own_sections_t *from, tcr_report_t *report)
{
    size_t             i;
    bool               all = true;
    const tcr_yaml_t  *any = NULL;

    const struct {
        const char        *name;
        const tcr_yaml_t  *node;
    } sections[] = {
        { "cdn", from->cdn }, { "routers", from->routers },
        { "cache_groups", from->cache_groups }, { "caches", from->caches },
        { "delivery_services", from->delivery_services }
    };

    for (i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
        any = any != NULL ? any : sections[i].node;
    }

    any = any != NULL ? any : from->zones;

    for (i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {

        if (sections[i].node == NULL) {
            tcr_yaml_wrong(report, any, "\"%s\" is missing beside it",
                           sections[i].name);
            all = false;

        } else if (sections[i].node->n == 0) {
            tcr_yaml_wrong(report, sections[i].node, "is empty");
            all = false;
        }
    }

    return all;
}


static void
write_stats(tcr_own_make_t *make)
{
    tcr_made_t        *made = &make->made;
    const tcr_yaml_t  *cdn = make->from->cdn;

    tcr_made_open(made, cdn, TCR_STR("stats"), '{');
    tcr_made_str(made, cdn, TCR_STR("CDN_name"), make->name);
    tcr_made_bool(made, cdn, TCR_CRCONFIG_OWN, true);
    tcr_jw_int(&made->w, "date", 1);
    make->date_at = made->json.len - 1;
    tcr_made_close(made, '}');
}


static void
write_all(tcr_own_make_t *make)
{
    const tcr_own_sections_t  *from = make->from;

    list_members(make, from->cache_groups, "cache group", &make->groups);
    list_members(make, from->caches, "cache", &make->caches);
    list_members(make, from->delivery_services, "delivery service",
                 &make->services);

    if (make->failed) {
        return;
    }

    tcr_made_open(&make->made, from->cdn, tcr_str(NULL), '{');
    tcr_own_config(make);
    write_stats(make);
    tcr_own_groups(make);
    tcr_own_group_places(make);
    tcr_own_routers(make);
    tcr_own_services(make);
    tcr_own_caches(make);
    tcr_own_zones(make);
    tcr_made_close(&make->made, '}');
}


/* The reader of snapshots says what is wrong with the values. */
static void
check(tcr_own_make_t *make)
{
    tcr_err_t        err;
    tcr_arena_t     *arena = tcr_arena_create(0);
    tcr_made_t      *made = &make->made;
    tcr_json_doc_t   doc;
    tcr_crconfig_t   cfg;

    if (arena == NULL) {
        make->failed = true;
        return;
    }

    if (tcr_json_parse(&doc, arena, "settings",
                       tcr_str_n(made->json.data, made->json.len), &err) != 0
        || tcr_crconfig_parse_made(&cfg, arena, &doc, made, made->report, &err)
           != 0)
    {
        tcr_own_error(make, make->from->cdn, err.text);
    }

    tcr_arena_destroy(arena);
}


static void
take_text(tcr_own_make_t *make, tcr_own_t *cdn)
{
    tcr_str_t  all;

    all = tcr_arena_strdup(make->made.arena,
                           tcr_str_n(make->made.json.data,
                                     make->made.json.len));

    if (all.data == NULL) {
        make->failed = true;
        return;
    }

    cdn->head = tcr_str_n(all.data, make->date_at);
    cdn->tail = tcr_str_n(all.data + make->date_at + 1,
                          all.len - make->date_at - 1);
}


void
tcr_own_read(tcr_own_t *cdn, const tcr_own_sections_t *sections,
    tcr_arena_t *arena, tcr_report_t *report)
{
    size_t          before = report->count[TCR_REPORT_ERROR];
    tcr_own_make_t  make;

    memset(cdn, 0, sizeof(*cdn));

    if (!has_sections(sections, report)) {
        return;
    }

    memset(&make, 0, sizeof(make));
    make.from = sections;
    tcr_made_init(&make.made, arena, report);
    write_all(&make);
    make.failed = make.failed || make.made.failed || make.made.json.failed;

    if (!make.failed) {
        make.made.incomplete = report->count[TCR_REPORT_ERROR] != before;
        check(&make);
    }

    if (!make.failed && report->count[TCR_REPORT_ERROR] == before) {
        take_text(&make, cdn);
    }

    if (make.failed) {
        tcr_own_error(&make, sections->cdn, "no memory to read it");
    }

    free(make.pairs);
    tcr_made_free(&make.made);
}


char *
tcr_own_text(const tcr_own_t *cdn, int64_t date, size_t *len)
{
    int     n;
    char    number[24];
    char   *text;

    n = snprintf(number, sizeof(number), "%" PRId64, date);
    *len = cdn->head.len + (size_t) n + cdn->tail.len;
    text = malloc(*len + 1);

    if (text != NULL) {
        memcpy(text, cdn->head.data, cdn->head.len);
        memcpy(text + cdn->head.len, number, (size_t) n);
        memcpy(text + cdn->head.len + n, cdn->tail.data, cdn->tail.len);
        text[*len] = '\0';
    }

    return text;
}
