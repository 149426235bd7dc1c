/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Fuzzes DNSSEC keys.  What is accepted has a DS and private text in BIND's
 * form.  An input that does not begin like JSON is the record of a public key.
 */

#include <stdint.h>
#include <stdlib.h>

#include "tcr_dnsseckeys.h"
#include "tcr_dnsseckeys_line.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
check(const tcr_dnsseckey_t *key)
{
    uint8_t    digest[32];
    tcr_str_t  head = TCR_STR("Private-key-format: v1.2\nAlgorithm: ");

    if (tcr_dnsseckey_ds(key, digest) != 0 || key->zone.len == 0
        || (key->flags | TCR_DNSSEC_SEP) != 257 || key->ttl > INT32_MAX
        || !tcr_str_starts(key->private_key, head)
        || key->private_key.data[key->private_key.len - 1] != '\n')
    {
        abort();
    }
}


static void
record(const uint8_t *data, size_t size)
{
    char               *text = malloc(size + 1);
    tcr_err_t           err;
    tcr_dnskey_line_t   line;

    if (text == NULL) {
        return;
    }

    memcpy(text, data, size);

    if (tcr_dnskey_line(text, size, &line, &err) == 0
        && (line.flags > UINT16_MAX || line.algorithm > UINT8_MAX
            || line.ttl > INT32_MAX || line.key.len > size))
    {
        abort();
    }

    free(text);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t            i;
    tcr_err_t         err;
    tcr_arena_t      *arena;
    tcr_report_t      report;
    tcr_json_doc_t    doc;
    tcr_dnsseckeys_t  keys;

    if (size == 0 || data[0] != '{') {
        record(data, size);
        return 0;
    }

    arena = tcr_arena_create(0);
    tcr_report_init(&report, arena, 10);

    if (tcr_json_parse(&doc, arena, "fuzz",
                       tcr_str_n((const char *) data, size), &err) == 0)
    {
        if (tcr_dnsseckeys_parse(&keys, arena, &doc, 60, &report, &err) == 0) {

            for (i = 0; i < keys.n; i++) {
                check(&keys.items[i]);
            }
        }

        tcr_dnsseckeys_free(&keys);
    }

    tcr_arena_destroy(arena);
    return 0;
}
