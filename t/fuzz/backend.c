/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Whatever comes from PowerDNS' side is answered line by line or ends the
 * conversation: each line has exactly one answer of its protocol's form, on
 * images as well as without.
 */

#include <stdlib.h>

#include "conversation.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static testcdn_t   cdn;
static tcb_core_t *with, *without;


static void
remove_images(void)
{
    tcb_core_destroy(with);
    tcb_core_destroy(without);
    testcdn_close(&cdn);
}


static void
start(void)
{
    testcdn_open(&cdn, conversation_cdn, conversation_zones);
    with = tcb_core_create(cdn.dir, NULL, NULL, NULL);
    without = tcb_core_create("/nonexistent", NULL, NULL, NULL);
    atexit(remove_images);

    if (with == NULL || without == NULL) {
        abort();
    }
}


static void
talk(tcb_core_t *core, tcr_str_t rest)
{
    bool            over = false;
    tcr_str_t       line, out;
    const char     *wrong;
    tcb_session_t  *s = tcb_session_create(core);

    while (s != NULL && !over && tcr_str_find(rest, '\n') != rest.len) {
        line = tcr_str_split(&rest, '\n');
        wrong = conversation_line(s, line, &out, &over);

        if (wrong != NULL) {
            fprintf(stderr, "%s: \"%.*s\"\n", wrong, TCR_STR_ARG(line));
            abort();
        }
    }

    tcb_session_destroy(s);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (cdn.view == NULL) {
        start();
    }

    if (size < TCB_LINE) {
        talk(with, tcr_str_n((const char *) data, size));
        talk(without, tcr_str_n((const char *) data, size));
    }

    return 0;
}
