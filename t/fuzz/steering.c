/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Fuzzes steering and challenges.  What is accepted has ids, points that are
 * numbers and patterns that compile, and makes an overlay that readers take.
 */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "tcr_compile_overlay.h"
#include "tcr_regex.h"

#define WEIGHT_MAX  50            /* more only costs time                    */


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
check_service(tcr_steering_service_t *s)
{
    size_t        i;
    tcr_regex_t  *re;

    if (s->service.len == 0) {
        abort();
    }

    for (i = 0; i < s->n_targets; i++) {
        if (s->targets[i].service.len == 0
            || !isfinite(s->targets[i].point.lat)
            || !isfinite(s->targets[i].point.lon))
        {
            abort();
        }

        s->targets[i].weight %= WEIGHT_MAX;
    }

    for (i = 0; i < s->n_filters; i++) {
        re = tcr_regex_compile(s->filters[i].pattern, TCR_REGEX_WHOLE, NULL);

        if (re == NULL || s->filters[i].service.len == 0) {
            abort();
        }

        tcr_regex_free(re);
    }
}


/* Name, then name again?  Each service stands once. */
static void
check_once(const tcr_steering_doc_t *doc)
{
    size_t  i, k;

    for (i = 0; i < doc->n && i < 100; i++) {
        for (k = 0; k < i; k++) {
            if (tcr_str_eq(doc->services[i].service,
                           doc->services[k].service))
            {
                abort();
            }
        }
    }
}


static void
compile(const tcr_overlay_input_t *in)
{
    void         *image;
    size_t        size;
    tcr_err_t     err;
    tcr_build_t  *b;

    if (tcr_compile_overlay(in, &b, NULL, &err) != 0
        || tcr_build_finish(b, NULL, &image, &size, &err) != 0
        || tcr_image_verify(image, size, TCR_SLOT_OVERLAY, &err) != 0)
    {
        abort();
    }

    tcr_build_destroy(b);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t               i;
    tcr_err_t            err;
    tcr_arena_t         *arena = tcr_arena_create(0);
    tcr_report_t         report;
    tcr_json_doc_t       doc;
    tcr_challenges_t     challenges;
    tcr_steering_doc_t   steering;
    tcr_overlay_input_t  in = { 0 };

    tcr_report_init(&report, arena, 10);

    if (tcr_json_parse(&doc, arena, "fuzz",
                       tcr_str_n((const char *) data, size), &err) == 0
        && tcr_steering_parse(&steering, arena, &doc, &report, &err) == 0
        && tcr_challenges_parse(&challenges, arena, &doc, &report, &err) == 0)
    {
        check_once(&steering);

        for (i = 0; i < steering.n; i++) {
            check_service(&steering.services[i]);
        }

        for (i = 0; i < challenges.n; i++) {
            if (challenges.items[i].owner.len == 0
                || challenges.items[i].text.len < 3)
            {
                abort();
            }
        }

        in.steering = &steering;
        in.challenges = &challenges;
        compile(&in);
    }

    tcr_arena_destroy(arena);
    return 0;
}
