/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Fuzzes what is known of DS at the parents: every entry that is accepted has
 * a zone, a DS and a time, and is found by them.
 */

#include <stdint.h>
#include <stdlib.h>

#include "tcr_ds_known.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t                       i;
    tcr_err_t                    err = { "" };
    tcr_arena_t                 *arena = tcr_arena_create(0);
    tcr_report_t                 report;
    tcr_ds_known_t               known = { NULL, 0 };
    tcr_json_doc_t               doc;
    const tcr_ds_known_entry_t  *e;

    tcr_report_init(&report, arena, 10);

    if (tcr_json_parse(&doc, arena, "fuzz",
                       tcr_str_n((const char *) data, size), &err) == 0
        && tcr_ds_known_parse(&known, arena, &doc, &report, &err) != 0
        && (known.n != 0 || err.text[0] == '\0'))
    {
        abort();
    }

    for (i = 0; i < known.n; i++) {
        e = &known.items[i];

        if (e->zone.len == 0 || e->ds.len == 0
            || tcr_ds_known_find(&known, e->zone, e->ds) == NULL)
        {
            abort();
        }
    }

    tcr_arena_destroy(arena);
    return 0;
}
