/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Fuzzes federations.  What is accepted has absolute names, and makes an
 * overlay that readers take, prefix tables included.
 */

#include <stdint.h>
#include <stdlib.h>

#include "tcr_compile_overlay.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
check(const tcr_federation_t *f)
{
    size_t                           i;
    const tcr_federation_mapping_t  *m;

    if (f->service.len == 0) {
        abort();
    }

    for (i = 0; i < f->n; i++) {
        m = &f->mappings[i];

        if (m->cname.len < 2 || m->cname.data[m->cname.len - 1] != '.'
            || m->ttl > INT32_MAX || m->build == NULL)
        {
            abort();
        }
    }
}


static void
compile(const tcr_federations_t *federations)
{
    void                 *image;
    size_t                size;
    tcr_err_t             err;
    tcr_build_t          *b;
    tcr_overlay_input_t   in = { .federations = federations };

    if (tcr_compile_overlay(&in, &b, NULL, &err) != 0
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
    size_t              i;
    tcr_err_t           err;
    tcr_arena_t        *arena = tcr_arena_create(0);
    tcr_report_t        report;
    tcr_json_doc_t      doc;
    tcr_federations_t   federations;

    tcr_report_init(&report, arena, 10);

    if (tcr_json_parse(&doc, arena, "fuzz",
                       tcr_str_n((const char *) data, size), &err) == 0)
    {
        if (tcr_federations_parse(&federations, arena, &doc, &report, &err)
            == 0)
        {
            for (i = 0; i < federations.n; i++) {
                check(&federations.items[i]);
            }

            compile(&federations);

        } else if (federations.n != 0 || err.text[0] == '\0') {
            abort();
        }

        tcr_federations_free(&federations);
    }

    tcr_arena_destroy(arena);
    return 0;
}
