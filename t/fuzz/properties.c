/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Fuzzes property files of both kinds; the first byte says which.  Names and
 * values are UTF-8 without a NUL, lines lie in the text, and what was found
 * last under a name is the last of that name.
 */

#include <stdint.h>
#include <stdlib.h>

#include "tcr_properties.h"
#include "tcr_utf8.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
check_text(tcr_str_t text)
{
    size_t  i, n;

    if (strlen(text.data) != text.len) {
        abort();
    }

    for (i = 0; i < text.len; i += n) {
        n = tcr_utf8_len(text.data + i, text.len - i);

        if (n == 0) {
            abort();
        }
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t             i, lines = 1;
    tcr_str_t          text;
    tcr_arena_t       *arena;
    tcr_report_t       report;
    tcr_property_t    *p;
    tcr_properties_t   props = { NULL, NULL };

    if (size == 0) {
        return 0;
    }

    text = tcr_str_n((const char *) data + 1, size - 1);
    arena = tcr_arena_create(0);
    tcr_report_init(&report, arena, 10);

    if (data[0] == 'p') {
        tcr_properties_parse_plain(&props, arena, "fuzz", text, &report);

    } else {
        tcr_properties_parse(&props, arena, "fuzz", text, &report);
    }

    for (i = 0; i < text.len; i++) {
        lines += text.data[i] == '\n' || text.data[i] == '\r';
    }

    for (p = props.first; p != NULL; p = p->next) {

        /* what is read without escapes keeps its bytes */
        if (data[0] != 'p') {
            check_text(p->name);
            check_text(p->value);
        }

        if (p->line == 0 || p->line > lines || p->used
            || tcr_properties_find(&props, p->name.data) == NULL
            || (p->next == NULL) != (p == props.last))
        {
            abort();
        }
    }

    tcr_arena_destroy(arena);
    return 0;
}
