/* SPDX-License-Identifier: Apache-2.0 */

/* Steering, federations, challenges and DS on their way into the overlay. */

#include "tcr_compile_overlay.h"

#include <stdlib.h>

#include "tcr_compile_challenges.h"
#include "tcr_overlay_format.h"
#include "tcr_points.h"

#define POINTS_MAX  8000000       /* of all targets together: 64 MB          */


typedef struct {
    tcr_arena_t        *arena;
    tcr_build_t        *b;
    tcr_md5_t          *md5;
    tcr_report_t       *report;
    tcr_err_t          *err;
    size_t              points;   /* added so far                            */
    bool                failed;   /* out of memory                           */
    tcr_img_overlay_t   root;     /* copied in at the end                    */
} overlay_t;


static void *
alloc(overlay_t *o, size_t n, size_t size)
{
    void  *p = tcr_arena_calloc(o->arena, n != 0 ? n : 1, size);

    o->failed = o->failed || p == NULL;
    return p;
}


/* `weight` places on the line; the scratch is as large as the target. */
static tcr_img_vec_t
add_points(overlay_t *o, const tcr_steering_target_t *target)
{
    double            *places;
    size_t             i, n;
    tcr_img_vec_t      vec = { 0, 0 };
    tcr_hash_point_t  *p;

    if (target->weight == 0) {
        return vec;
    }

    p = malloc(target->weight * sizeof(*p));
    places = malloc(target->weight * sizeof(*places));

    if (p == NULL || places == NULL
        || !tcr_points_hash(o->md5, target->service, target->weight, 0, p)
        || !tcr_points_sort(p, target->weight, &n))
    {
        o->failed = true;

    } else {
        for (i = 0; i < n; i++) {
            memcpy(&places[i], &p[i].bits, sizeof(places[i]));
        }

        vec = tcr_build_array(o->b, places, n, sizeof(*places),
                              _Alignof(double));
    }

    free(p);
    free(places);
    return vec;
}


static bool
has_room(overlay_t *o, const tcr_steering_service_t *s,
    const tcr_steering_target_t *target)
{
    if (target->weight <= POINTS_MAX - o->points) {
        o->points += target->weight;
        return true;
    }

    tcr_report_add(o->report, TCR_REPORT_LEFT_OUT, "steering \"%.*s\": target "
                   "\"%.*s\" of weight %u is left out, all weights together "
                   "are more than %d", TCR_STR_ARG(s->service),
                   TCR_STR_ARG(target->service), target->weight, POINTS_MAX);
    return false;
}


static tcr_img_vec_t
add_targets(overlay_t *o, const tcr_steering_service_t *s)
{
    size_t                        i, n;
    tcr_img_target_t             *out;
    const tcr_steering_target_t  *t;

    out = alloc(o, s->n_targets, sizeof(*out));

    for (i = 0, n = 0; out != NULL && i < s->n_targets; i++) {
        t = &s->targets[i];

        if (!has_room(o, s, t)) {
            continue;
        }

        out[n++] = (tcr_img_target_t) {
            .service = tcr_build_str(o->b, t->service),
            .order = t->order,
            .geo_order = t->geo_order,
            .flags = t->has_point ? TCR_TARGET_HAS_POINT : 0,
            .lat = t->has_point ? t->point.lat : 0,
            .lon = t->has_point ? t->point.lon : 0,
            .points = add_points(o, t)
        };
    }

    return tcr_build_array(o->b, out, n, sizeof(*out),
                           _Alignof(tcr_img_target_t));
}


static tcr_img_vec_t
add_filters(overlay_t *o, const tcr_steering_service_t *s)
{
    size_t             i, n = s->n_filters;
    tcr_img_filter_t  *out;

    out = alloc(o, n, sizeof(*out));

    for (i = 0; out != NULL && i < n; i++) {
        out[i].service = tcr_build_str(o->b, s->filters[i].service);
        out[i].pattern = tcr_build_str(o->b, s->filters[i].pattern);
        out[i].java = tcr_build_str(o->b, s->filters[i].java);
        out[i].regex_index = o->root.n_regexes++;
    }

    return tcr_build_array(o->b, out, out != NULL ? n : 0, sizeof(*out),
                           _Alignof(tcr_img_filter_t));
}


static void
add_steering(overlay_t *o, const tcr_steering_doc_t *doc)
{
    size_t                         i;
    tcr_img_steering_t            *out;
    const tcr_steering_service_t  *s;

    out = alloc(o, doc->n, sizeof(*out));

    for (i = 0; out != NULL && i < doc->n; i++) {
        s = &doc->services[i];
        out[i].service = tcr_build_str(o->b, s->service);
        out[i].flags = s->client ? TCR_STEERING_CLIENT : 0;
        out[i].targets = add_targets(o, s);
        out[i].filters = add_filters(o, s);
    }

    o->root.steering = tcr_build_array(o->b, out, out != NULL ? doc->n : 0,
                                       sizeof(*out),
                                       _Alignof(tcr_img_steering_t));
}


static tcr_img_vec_t
add_prefixes(overlay_t *o, const tcr_federation_mapping_t *m)
{
    size_t          i;
    tcr_img_str_t  *out;

    out = alloc(o, m->n_prefixes, sizeof(*out));

    for (i = 0; out != NULL && i < m->n_prefixes; i++) {
        out[i] = tcr_build_str(o->b, m->prefixes[i]);
    }

    return tcr_build_array(o->b, out, out != NULL ? m->n_prefixes : 0,
                           sizeof(*out), _Alignof(tcr_img_str_t));
}


static tcr_img_vec_t
add_mappings(overlay_t *o, const tcr_federation_t *f)
{
    size_t                           i;
    tcr_img_mapping_t               *out;
    const tcr_federation_mapping_t  *m;

    out = alloc(o, f->n, sizeof(*out));

    for (i = 0; out != NULL && i < f->n; i++) {
        m = &f->mappings[i];
        out[i].cname = tcr_build_str(o->b, m->cname);
        out[i].ttl = m->ttl;
        out[i].v4 = tcr_build_array(o->b, m->nets.v4, m->nets.n4,
                                    sizeof(tcr_net4_t),
                                    _Alignof(tcr_net4_t));
        out[i].v6 = tcr_build_array(o->b, m->nets.v6, m->nets.n6,
                                    sizeof(tcr_net6_t),
                                    _Alignof(tcr_net6_t));
        out[i].prefixes = add_prefixes(o, m);
    }

    return tcr_build_array(o->b, out, out != NULL ? f->n : 0, sizeof(*out),
                           _Alignof(tcr_img_mapping_t));
}


static void
add_federations(overlay_t *o, const tcr_federations_t *federations)
{
    size_t                 i, n = federations->n;
    tcr_img_federation_t  *out;

    out = alloc(o, n, sizeof(*out));

    for (i = 0; out != NULL && i < n; i++) {
        out[i].service = tcr_build_str(o->b, federations->items[i].service);
        out[i].mappings = add_mappings(o, &federations->items[i]);
    }

    o->root.federations = tcr_build_array(o->b, out, out != NULL ? n : 0,
                                          sizeof(*out),
                                          _Alignof(tcr_img_federation_t));
}


static void
add_all(overlay_t *o, const tcr_overlay_input_t *in)
{
    if (in->steering != NULL) {
        add_steering(o, in->steering);
    }

    if (in->federations != NULL) {
        add_federations(o, in->federations);
    }

    if (tcr_compile_challenges(&(tcr_challenges_input_t) {
            .ops = in->challenges, .local = in->acme, .routing = in->routing,
            .keys = in->ds.keys, .now = in->ds.now
        }, o->arena, o->b, &o->root, o->report) != 0)
    {
        o->failed = true;
    }

    if (in->ds.keys != NULL
        && tcr_compile_ds(&in->ds, o->arena, o->b, &o->root, o->err) != 0)
    {
        o->failed = true;
    }

    memcpy(tcr_build_root(o->b), &o->root, sizeof(o->root));
}


int
tcr_compile_overlay(const tcr_overlay_input_t *in, tcr_build_t **out,
    tcr_report_t *report, tcr_err_t *err)
{
    overlay_t  o = { .report = report, .err = err };

    tcr_err_set(err, "out of memory while compiling the overlay");

    o.arena = tcr_arena_create(0);
    o.md5 = tcr_md5_create();
    o.b = tcr_build_create(TCR_SLOT_OVERLAY, sizeof(tcr_img_overlay_t));
    o.failed = o.arena == NULL || o.md5 == NULL || o.b == NULL;

    if (!o.failed) {
        add_all(&o, in);
    }

    if (o.failed) {
        tcr_build_destroy(o.b);

    } else {
        *out = o.b;
    }

    tcr_md5_destroy(o.md5);
    tcr_arena_destroy(o.arena);
    return o.failed ? -1 : 0;
}
