/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A tree as text: YAML's flow style with quoted scalars, which is JSON but
 * for what is null.
 */

#include "tcr_yaml.h"


/* Not deeper than a tree is (TCR_YAML_DEPTH). */
void
tcr_yaml_write(const tcr_yaml_t *node, tcr_buf_t *buf)
{
    bool               map = node->type == TCR_YAML_MAPPING;
    const tcr_yaml_t  *child;

    if (node->type == TCR_YAML_SCALAR) {

        if (tcr_yaml_is_null(node)) {
            tcr_buf_char(buf, '~');

        } else {
            tcr_buf_json_str(buf, node->text);
        }

        return;
    }

    tcr_buf_char(buf, map ? '{' : '[');

    for (child = node->first; child != NULL; child = child->next) {

        if (map) {
            tcr_buf_json_str(buf, child->key->text);
            tcr_buf_str(buf, TCR_STR(": "));
        }

        tcr_yaml_write(child, buf);
        tcr_buf_str(buf, child->next != NULL ? TCR_STR(",\n") : TCR_STR(""));
    }

    tcr_buf_char(buf, map ? '}' : ']');
}
