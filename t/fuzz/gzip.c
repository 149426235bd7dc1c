/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Any bytes as a packed body: unpacked within the limit, or refused with a
 * reason and left as it was.
 */

#include <stdint.h>
#include <stdlib.h>

#include "tcf_body.h"

#define TOO_BIG  (1u << 20)


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int         rc;
    bool        same;
    tcr_err_t   err = { "" };
    tcf_body_t  body = { .data = malloc(size + 1), .len = size };

    if (body.data == NULL) {
        return 0;
    }

    memcpy(body.data, data, size);
    body.secret = size != 0 && data[size - 1] % 2 == 1;
    rc = tcf_body_gunzip(&body, TOO_BIG, &err);

    same = body.len == size && memcmp(body.data, data, size) == 0;

    if (rc != 0 ? !same || err.text[0] == '\0'
                : !same && body.len > TOO_BIG)
    {
        abort();
    }

    tcf_body_free(&body);
    return 0;
}
