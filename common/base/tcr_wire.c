/* SPDX-License-Identifier: Apache-2.0 */

/* From text to labels. */

#include "tcr_wire.h"


size_t
tcr_wire_name(tcr_str_t name, uint8_t wire[TCR_WIRE_MAX])
{
    size_t     n = 0;
    tcr_str_t  label;

    while (name.data != NULL && n + name.len + 2 <= TCR_WIRE_MAX) {
        label = tcr_str_split(&name, '.');
        wire[n++] = (uint8_t) label.len;
        memcpy(wire + n, label.data, label.len);
        n += label.len;
    }

    wire[n++] = 0;
    return n;
}
