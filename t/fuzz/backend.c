/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Whatever comes from PowerDNS' side is answered line by line or ends the
 * conversation: each line has an answer, and no answer a line of its own.
 * Without images, since those decide nothing about the protocol.
 */

#include <stdlib.h>

#include "tcb_session.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t          i, asked, answered;
    tcr_err_t       err;
    tcb_core_t     *core;
    tcb_session_t  *s;

    core = tcb_core_create("/nonexistent", NULL, NULL, NULL);
    s = core != NULL ? tcb_session_create(core) : NULL;

    if (s == NULL || size > TCB_LINE) {
        goto done;
    }

    if (size != 0) {
        memcpy(s->in, data, size);
    }

    s->in_len = size;

    if (tcb_session_answer(s, &err) == 0 && s->in_len != 0
        && tcb_session_pending(s) < TCB_PENDING
        && memchr(s->in, '\n', s->in_len) != NULL)
    {
        abort();
    }

    for (i = 0, answered = 0; i < s->out.len; i++) {
        answered += s->out.data[i] == '\n';
    }

    for (i = 0, asked = 0; i < size; i++) {
        asked += data[i] == '\n';
    }

    if (s->dialect == tcb_remote_answer && answered > asked) {
        abort();
    }

done:

    tcb_session_destroy(s);
    tcb_core_destroy(core);
    return 0;
}
