/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Fuzzes XML trees.  Every element of a tree is reached once in document
 * order, knows its parent and a line; what is refused is reported.
 */

#include <stdint.h>
#include <stdlib.h>

#include "tcr_xml.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t           line = 1, n = 0;
    tcr_xml_t       *root, *e;
    tcr_arena_t     *arena = tcr_arena_create(0);
    tcr_report_t     report;
    tcr_xml_attr_t  *a;

    tcr_report_init(&report, arena, 10);

    if (tcr_xml_parse(&root, arena, "fuzz",
                      tcr_str_n((const char *) data, size), &report) != 0)
    {
        if (root != NULL || report.count[TCR_REPORT_ERROR] != 1) {
            abort();
        }
    }

    for (e = root; e != NULL; e = tcr_xml_next(e, root)) {

        if (e->line < line || e->name.len == 0 || n++ > TCR_XML_ELEMENTS
            || (e == root) != (e->parent == NULL))
        {
            abort();
        }

        line = e->line;

        for (a = e->attrs; a != NULL; a = a->next) {

            if (tcr_xml_attr(e, a->name.data) != a || a->used) {
                abort();
            }
        }
    }

    tcr_arena_destroy(arena);
    return 0;
}
