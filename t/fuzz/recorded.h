/* SPDX-License-Identifier: Apache-2.0 */

/*
 * For targets that ask the engine: the CDN of the recordings, which has a
 * service for each thing a service can do, with its overlay and databases.
 */

#ifndef RECORDED_H_INCLUDED
#define RECORDED_H_INCLUDED

#include "tcr_compile_overlay.h"
#include "tcr_file.h"
#include "testcdn.h"

#define RECORDED      "t/conformance/e2e/inputs/"
#define RECORDED_MAX  (1u << 24)

static testcdn_t  recorded;


static inline void
recorded_close(void)
{
    testcdn_close(&recorded);
}


/* The text is in the arena, with a NUL behind it. */
static inline const char *
recorded_text(const char *path)
{
    tcr_err_t   err;
    tcr_str_t   text;
    tcr_file_t  file;

    if (tcr_file_map(&file, path, RECORDED_MAX, &err) != 0) {
        testcdn_fail("recorded inputs", &err);
    }

    text = tcr_arena_strdup(recorded.arena, file.text);
    tcr_file_unmap(&file);

    return text.data;
}


static inline void
recorded_json(tcr_json_doc_t *doc, const char *path)
{
    tcr_err_t  err;

    if (tcr_json_parse(doc, recorded.arena, path,
                       tcr_str(recorded_text(path)), &err) != 0)
    {
        testcdn_fail(path, &err);
    }
}


static inline void
recorded_overlay(tcr_build_t **b)
{
    tcr_err_t            err;
    tcr_json_doc_t       doc;
    tcr_steering_doc_t   steering;
    tcr_federations_t    federations;
    tcr_overlay_input_t  in = { .steering = &steering,
                                .federations = &federations };

    recorded_json(&doc, RECORDED "steering.json");

    if (tcr_steering_parse(&steering, recorded.arena, &doc, &recorded.report,
                           &err) != 0)
    {
        testcdn_fail("steering", &err);
    }

    recorded_json(&doc, RECORDED "federations.json");

    if (tcr_federations_parse(&federations, recorded.arena, &doc,
                              &recorded.report, &err) != 0
        || tcr_compile_overlay(&in, b, NULL, &err) != 0)
    {
        testcdn_fail("overlay", &err);
    }

    tcr_federations_free(&federations);
}


static inline void
recorded_publish(void)
{
    tcr_err_t           err;
    tcr_build_t        *b;
    tcr_publisher_t    *pub = tcr_publisher_open(recorded.dir, &err);
    tcr_publication_t   items[] = {
        { .slot = TCR_SLOT_OVERLAY },
        { .slot = TCR_SLOT_CITY, .path = RECORDED "GeoLite2-City.mmdb" },
        { .slot = TCR_SLOT_ANONYMOUS,
          .path = RECORDED "GeoIP2-Anonymous-IP.mmdb" }
    };

    recorded_overlay(&b);

    if (pub == NULL
        || tcr_build_finish(b, NULL, &items[0].data, &items[0].size, &err) != 0
        || tcr_publish(pub, items, sizeof(items) / sizeof(items[0]), NULL,
                       &err) != 0)
    {
        testcdn_fail("publish", &err);
    }

    tcr_publisher_close(pub);
    tcr_build_destroy(b);
}


/* Its view; made at the first call. */
static inline tcr_view_t *
recorded_view(void)
{
    tcr_err_t        err;
    tcr_regional_t   regional;
    tcr_json_doc_t   doc;

    if (recorded.view != NULL) {
        return recorded.view;
    }

    testcdn_make(&recorded);
    recorded_json(&doc, RECORDED "regional_geoblock.json");

    if (tcr_regional_parse(&regional, recorded.arena, &doc, &recorded.report,
                           &err) != 0)
    {
        testcdn_fail("regional", &err);
    }

    recorded.router = "tr-ref";
    recorded.regional = &regional;
    testcdn_compile(&recorded,
                    recorded_text(RECORDED "phase1/CrConfig.json"),
                    recorded_text(RECORDED "czf.json"));
    recorded.regional = NULL;
    tcr_regional_free(&regional);
    recorded_publish();
    testcdn_view(&recorded);
    atexit(recorded_close);

    return recorded.view;
}


#endif /* RECORDED_H_INCLUDED */
