/* SPDX-License-Identifier: Apache-2.0 */

/* The reader of ACME challenges. */

#include "tcr_challenges.h"

#include "tcr_document.h"

#define CHALLENGES_MAX  100000
#define RECORD_MAX      255       /* RFC 1035 3.3: one character string      */


static bool
is_printable(tcr_str_t s)
{
    size_t  i;

    for (i = 0; i < s.len; i++) {
        if (s.data[i] < 0x20 || s.data[i] > 0x7e) {
            return false;
        }
    }

    return true;
}


/* RFC 1035 5.1: quotes and backslashes get a backslash. */
static tcr_str_t
quote(tcr_read_t *rd, tcr_str_t s)
{
    char    *p, *text = tcr_read_alloc(rd, 2 * s.len + 2, 1);
    size_t   i;

    if (text == NULL) {
        return tcr_str(NULL);
    }

    p = text;
    *p++ = '"';

    for (i = 0; i < s.len; i++) {
        if (s.data[i] == '"' || s.data[i] == '\\') {
            *p++ = '\\';
        }

        *p++ = s.data[i];
    }

    *p++ = '"';
    return tcr_str_n(text, (size_t) (p - text));
}


static bool
read_challenge(tcr_read_t *rd, const tcr_json_t *node, tcr_challenge_t *out)
{
    tcr_str_t          record;
    const tcr_json_t  *member = tcr_json_get(node, "record");

    record = tcr_json_str(member, TCR_STR(""));

    /* how Traffic Ops says that a challenge is over */
    if (record.len == 0 && node->type == TCR_JSON_OBJECT
        && (member == NULL || member->type <= TCR_JSON_STRING))
    {
        return false;
    }

    if (record.len == 0 || record.len > RECORD_MAX || !is_printable(record)) {
        tcr_read_wrong(rd, TCR_REPORT_LEFT_OUT, member, "record", "1 to 255 "
                       "printable characters; this challenge is left out");
        return false;
    }

    out->owner = tcr_read_host(rd, TCR_REPORT_LEFT_OUT,
                               tcr_json_get(node, "fqdn"), "fqdn",
                               "a host name; this challenge is left out");

    if (out->owner.data == NULL) {
        return false;
    }

    out->ttl = TCR_CHALLENGE_TTL;
    out->text = quote(rd, record);

    return out->text.data != NULL;
}


static void
read_challenges(tcr_read_t *rd, const tcr_json_t *response,
    tcr_challenges_t *out)
{
    size_t             i = 0, n = response->u.list.n;
    tcr_read_mark_t    mark, item;
    const tcr_json_t  *node;

    n = n < CHALLENGES_MAX ? n : CHALLENGES_MAX;
    out->items = tcr_read_alloc(rd, n, sizeof(tcr_challenge_t));

    if (out->items == NULL) {
        return;
    }

    mark = tcr_read_enter(rd, response, TCR_STR("response"));

    for (node = tcr_json_first(response); node != NULL && i < n;
         node = node->next)
    {
        item = tcr_read_enter_item(rd, node, i++);
        out->n += read_challenge(rd, node, &out->items[out->n]);
        tcr_read_leave(rd, item);
    }

    if (node != NULL) {
        tcr_read_report(rd, TCR_REPORT_LEFT_OUT, node, NULL, "found more than "
                        "%zu of these, the rest is left out", n);
    }

    tcr_read_leave(rd, mark);
}


int
tcr_challenges_parse(tcr_challenges_t *out, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, tcr_report_t *report, tcr_err_t *err)
{
    tcr_read_t         rd;
    const tcr_json_t  *response;

    memset(out, 0, sizeof(*out));
    tcr_document_start(&rd, arena, doc, report);
    response = tcr_document_member(&rd, "response", TCR_JSON_ARRAY, err);

    if (response == NULL) {
        return -1;
    }

    read_challenges(&rd, response, out);

    return tcr_document_end(&rd, err);
}
