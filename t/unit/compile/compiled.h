/* SPDX-License-Identifier: Apache-2.0 */

/*
 * For tests of the compiler: JSON texts become images in memory, verified as
 * readers verify them.
 */

#ifndef TCR_COMPILED_H_INCLUDED
#define TCR_COMPILED_H_INCLUDED

#include <stdio.h>
#include <stdlib.h>

#include "tap.h"
#include "tcr_compile.h"


typedef struct {
    const char         *crconfig;         /* JSON                            */
    const char         *coverage;         /* JSON, NULL = none               */
    const char         *deep;
    const char         *router;
    const tcr_str_t    *certificates;     /* NULL = not known                */
    size_t              n_certificates;
    const tcr_image_t  *previous;
} sources_t;

typedef struct {
    tcr_arena_t              *arena;
    tcr_report_t              report;
    tcr_coverage_t            coverage, deep;
    tcr_build_t              *routing, *health;
    tcr_image_t               img;
    const tcr_img_routing_t  *root;
    void                     *health_data;
    tcr_img_health_t         *health_root;
} compiled_t;


static inline void
give_up(const char *what, const tcr_err_t *err)
{
    printf("Bail out! %s: %s\n", what, err->text);
    exit(1);
}


static inline void
finish_images(compiled_t *t)
{
    void                *data;
    size_t               size;
    tcr_err_t            err;
    tcr_build_origin_t   origin = { .source = "test" };

    if (tcr_build_finish(t->routing, &origin, &data, &size, &err) != 0
        || tcr_image_verify(data, size, TCR_SLOT_ROUTING, &err) != 0)
    {
        give_up("routing image", &err);
    }

    t->img = (tcr_image_t) { data, size, data, false };
    t->root = tcr_image_root(&t->img);

    if (tcr_build_finish(t->health, &origin, &data, &size, &err) != 0
        || tcr_image_verify(data, size, TCR_SLOT_HEALTH, &err) != 0)
    {
        give_up("health image", &err);
    }

    t->health_data = data;
    t->health_root = (tcr_img_health_t *) (void *)
                     ((char *) data + sizeof(tcr_img_header_t));
}


static inline bool
read_coverage(compiled_t *t, const char *text, bool deep, tcr_coverage_t *out)
{
    tcr_err_t       err;
    tcr_json_doc_t  doc;

    if (text == NULL) {
        return false;
    }

    if (tcr_json_parse(&doc, t->arena, deep ? "deep" : "coverage",
                       tcr_str(text), &err) != 0
        || tcr_coverage_parse(out, t->arena, &doc, deep, &t->report, &err)
           != 0)
    {
        give_up("coverage", &err);
    }

    return true;
}


static inline void
compile_from(compiled_t *t, const sources_t *from)
{
    tcr_err_t            err;
    tcr_json_doc_t       doc;
    tcr_crconfig_t       cfg;
    tcr_compile_input_t  in = { .crconfig = &cfg };

    memset(t, 0, sizeof(*t));
    t->arena = tcr_arena_create(0);
    tcr_report_init(&t->report, t->arena, 0);

    if (tcr_json_parse(&doc, t->arena, "CrConfig.json",
                       tcr_str(from->crconfig), &err) != 0
        || tcr_crconfig_parse(&cfg, t->arena, &doc, &t->report, &err) != 0)
    {
        give_up("snapshot", &err);
    }

    in.coverage = read_coverage(t, from->coverage, false, &t->coverage)
                  ? &t->coverage : NULL;
    in.deep = read_coverage(t, from->deep, true, &t->deep) ? &t->deep : NULL;
    in.router = from->router != NULL ? from->router : "tr1";
    in.certificates = from->certificates;
    in.n_certificates = from->n_certificates;
    in.know_certificates = from->certificates != NULL;
    in.previous = from->previous;

    if (tcr_compile_routing(&in, &t->routing, &t->health, &t->report, &err)
        != 0)
    {
        give_up("compile", &err);
    }

    finish_images(t);
}


static inline void
compiled_free(compiled_t *t)
{
    tcr_build_destroy(t->routing);
    tcr_build_destroy(t->health);
    tcr_coverage_free(&t->coverage);
    tcr_coverage_free(&t->deep);
    tcr_arena_destroy(t->arena);
}


/* ------------------------------------------------------- looking at images */

static inline tcr_str_t
str_of(const compiled_t *t, tcr_img_str_t ref)
{
    return tcr_image_str(&t->img, ref);
}


/* The string as C text; "-" when it is absent. */
static inline const char *
text_of(const compiled_t *t, tcr_img_str_t ref)
{
    tcr_str_t  s = str_of(t, ref);

    return s.data != NULL ? s.data : "-";
}


/* Value of a key in a map over elements whose first field is their name. */
static inline const void *
find_named(const compiled_t *t, const tcr_img_map_t *map,
    const tcr_img_vec_t *vec, size_t size, const char *name)
{
    uint32_t        v;
    const char     *p;
    tcr_img_str_t   ref;
    tcr_map_iter_t  it;

    for (v = tcr_map_first(&t->img, map, tcr_str(name), &it);
         v != TCR_NONE;
         v = tcr_map_next(&it))
    {
        p = (const char *) tcr_image_vec(&t->img, vec) + v * size;
        memcpy(&ref, p, sizeof(ref));

        if (tcr_str_eq(str_of(t, ref), tcr_str(name))) {
            return p;
        }
    }

    return NULL;
}


static inline const tcr_img_service_t *
service_of(const compiled_t *t, const char *id)
{
    return find_named(t, &t->root->service_map, &t->root->services,
                      sizeof(tcr_img_service_t), id);
}


static inline const tcr_img_cache_t *
cache_of(const compiled_t *t, const char *id)
{
    return find_named(t, &t->root->cache_map, &t->root->caches,
                      sizeof(tcr_img_cache_t), id);
}


static inline const tcr_img_group_t *
group_of(const compiled_t *t, const char *id)
{
    return find_named(t, &t->root->group_map, &t->root->groups,
                      sizeof(tcr_img_group_t), id);
}


static inline const tcr_img_dns_zone_t *
zone_of(const compiled_t *t, const char *origin)
{
    return find_named(t, &t->root->dns.zone_map, &t->root->dns.zones,
                      sizeof(tcr_img_dns_zone_t), origin);
}


/* The name in that zone, or NULL. */
static inline const tcr_img_name_t *
name_of(const compiled_t *t, const char *origin, const char *owner)
{
    uint32_t                   i;
    const tcr_img_name_t      *names;
    const tcr_img_dns_zone_t  *zone = zone_of(t, origin);

    names = tcr_image_vec(&t->img, &t->root->dns.names);

    for (i = 0; zone != NULL && i < zone->n_names; i++) {
        if (strcmp(text_of(t, names[zone->first_name + i].owner), owner) == 0)
        {
            return &names[zone->first_name + i];
        }
    }

    return NULL;
}


static inline int
by_words(const void *a, const void *b)
{
    return strcmp(*(const char *const *) a, *(const char *const *) b);
}


/* "TTL data data" of a record set, data in order of text; "-" if none. */
static inline const char *
rrset_of(const compiled_t *t, const char *origin, const char *owner,
    uint32_t type)
{
    size_t                  len;
    uint32_t                i, k;
    const char             *texts[64];
    static char             out[8192];
    const tcr_img_str_t    *data;
    const tcr_img_name_t   *name = name_of(t, origin, owner);
    const tcr_img_rrset_t  *sets;

    if (name == NULL) {
        return "no such name";
    }

    sets = tcr_image_vec(&t->img, &name->rrsets);

    for (i = 0; i < name->rrsets.n && sets[i].type != type; i++) {
        /* void */
    }

    if (i == name->rrsets.n || sets[i].data.n > 64) {
        return "-";
    }

    data = tcr_image_vec(&t->img, &sets[i].data);

    for (k = 0; k < sets[i].data.n; k++) {
        texts[k] = text_of(t, data[k]);
    }

    qsort(texts, k, sizeof(texts[0]), by_words);
    len = (size_t) snprintf(out, sizeof(out), "%u", sets[i].ttl);

    for (k = 0; k < sets[i].data.n && len < sizeof(out); k++) {
        len += (size_t) snprintf(out + len, sizeof(out) - len, " %s",
                                 texts[k]);
    }

    return out;
}


/* Does some problem of the report say this? */
static inline bool
reported(const compiled_t *t, const char *what)
{
    const tcr_problem_t  *p;

    for (p = t->report.first; p != NULL; p = p->next) {
        if (strstr(p->text, what) != NULL) {
            return true;
        }
    }

    return false;
}


#endif /* TCR_COMPILED_H_INCLUDED */
