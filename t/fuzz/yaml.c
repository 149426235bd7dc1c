/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Fuzzes YAML trees.  Every node of a tree has a place in the text, knows its
 * parent, is counted, and has a path; what is refused is reported.
 */

#include <stdint.h>
#include <stdlib.h>

#include "tcr_yaml.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void  check_node(const tcr_yaml_t *node, size_t lines, size_t depth);
static void  check_children(const tcr_yaml_t *node);
static size_t  count_lines(tcr_str_t text);


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int            rc;
    tcr_str_t      text = tcr_str_n((const char *) data, size);
    tcr_yaml_t    *root, *other;
    tcr_arena_t   *arena = tcr_arena_create(0);
    tcr_report_t   report;

    tcr_report_init(&report, arena, 10);
    rc = tcr_yaml_parse(&root, arena, "fuzz", text, &report);

    if (rc != 0 && (root != NULL || report.count[TCR_REPORT_ERROR] == 0)) {
        abort();
    }

    if (rc == 0) {
        check_node(root, count_lines(text), 0);

        if (root->type == TCR_YAML_MAPPING
            && tcr_yaml_parse(&other, arena, "other", text, &report) == 0)
        {
            tcr_yaml_merge(root, other, &report);
            check_node(root, count_lines(text), 0);
        }
    }

    tcr_arena_destroy(arena);
    return 0;
}


/* YAML's line breaks are more than "\n": CR, NEL, LS, PS. */
static size_t
count_lines(tcr_str_t text)
{
    size_t  i, n = 2;

    for (i = 0; i < text.len; i++) {
        n += text.data[i] == '\n' || text.data[i] == '\r'
             || text.data[i] == '\x85' || text.data[i] == '\xa8'
             || text.data[i] == '\xa9';
    }

    return n;
}


static void
check_node(const tcr_yaml_t *node, size_t lines, size_t depth)
{
    char               path[TCR_YAML_PATH];
    const tcr_yaml_t  *child;

    tcr_yaml_path(node, path);

    if (node->pos.line == 0 || node->pos.line > lines || node->pos.column == 0
        || depth > TCR_YAML_DEPTH || strlen(path) >= sizeof(path)
        || (node->parent == NULL) != (depth == 0)
        || (node->type == TCR_YAML_SCALAR
            && (node->n != 0 || node->text.data[node->text.len] != '\0')))
    {
        abort();
    }

    check_children(node);

    for (child = node->first; child != NULL; child = child->next) {
        check_node(child, lines, depth + 1);
    }
}


static void
check_children(const tcr_yaml_t *node)
{
    size_t             n = 0;
    const tcr_yaml_t  *child;

    for (child = node->first; child != NULL; child = child->next) {

        if (child->parent != node || child->index != n++
            || (child->key != NULL) != (node->type == TCR_YAML_MAPPING)
            || (child->next == NULL) != (child == node->last))
        {
            abort();
        }
    }

    if (n != node->n) {
        abort();
    }
}
