/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Any bytes as a status file: told or refused.  What the reader of inputs
 * takes is told too, unless it is too deep, with as many scalars, and the
 * strings among them are the same.
 */

#include "tcr_json.h"
#include "tcr_scan.h"

#include <stdlib.h>


typedef struct {
    size_t  scalars;
    size_t  bytes;                /* of strings                              */
} sum_t;


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
tell(void *ctx, const tcr_scan_step_t *path, size_t depth, tcr_str_t value,
    bool text)
{
    sum_t   *sum = ctx;
    size_t   i, names = 0;

    if (depth > TCR_SCAN_DEPTH || (!text && value.len == 0)) {
        abort();
    }

    for (i = 0; i < depth; i++) {
        names += path[i].name.len;
    }

    sum->scalars++;
    sum->bytes += text ? value.len : 0;

    if (names > 1u << 30) {
        abort();
    }
}


/* Scalars of a tree; false when it is deeper than a walk goes. */
static bool
add_up(const tcr_json_t *node, size_t depth, sum_t *sum)
{
    const tcr_json_t  *child;

    if (node->type < TCR_JSON_ARRAY) {
        sum->scalars++;
        sum->bytes += node->type == TCR_JSON_STRING ? node->u.str.len : 0;
        return true;
    }

    for (child = tcr_json_first(node); child != NULL; child = child->next) {
        if (depth == TCR_SCAN_DEPTH || !add_up(child, depth + 1, sum)) {
            return false;
        }
    }

    return true;
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int              rc;
    sum_t            told = { 0, 0 }, read = { 0, 0 };
    tcr_str_t        text = tcr_str_n((const char *) data, size);
    tcr_arena_t     *arena = tcr_arena_create(0);
    tcr_json_doc_t   doc;

    if (arena == NULL) {
        return 0;
    }

    rc = tcr_scan(text, arena, tell, &told);

    if (tcr_json_parse(&doc, arena, "f", text, NULL) == 0
        && add_up(doc.root, 0, &read)
        && (rc != 0 || told.scalars != read.scalars
            || told.bytes != read.bytes))
    {
        abort();
    }

    tcr_arena_destroy(arena);
    return 0;
}
