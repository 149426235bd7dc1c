/* SPDX-License-Identifier: Apache-2.0 */

/* The reader of ACME challenges. */

#include "tcr_challenges.h"

#include "tcr_document.h"

#define CHALLENGES_MAX  100000
#define RECORD_MAX      255       /* RFC 1035 3.3: one character string      */

typedef struct {
    tcr_read_t         rd;
    tcr_challenges_t  *out;
} reader_t;


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
read_item(void *ctx, const tcr_json_t *node)
{
    reader_t          *r = ctx;
    tcr_challenges_t  *out = r->out;

    out->n += read_challenge(&r->rd, node, &out->items[out->n]);
}


static void
read_challenges(reader_t *r, const tcr_json_t *response)
{
    size_t  n = response->u.list.n;

    n = n < CHALLENGES_MAX ? n : CHALLENGES_MAX;
    r->out->items = tcr_read_alloc(&r->rd, n, sizeof(tcr_challenge_t));

    if (r->out->items != NULL) {
        tcr_document_items(&r->rd, response, n, read_item, r);
    }
}


int
tcr_challenges_parse(tcr_challenges_t *out, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, tcr_report_t *report, tcr_err_t *err)
{
    reader_t           r = { .out = out };
    const tcr_json_t  *response;

    memset(out, 0, sizeof(*out));
    tcr_document_start(&r.rd, arena, doc, report);
    response = tcr_document_member(&r.rd, "response", TCR_JSON_ARRAY, err);

    if (response == NULL) {
        return -1;
    }

    read_challenges(&r, response);

    return tcr_document_end(&r.rd, err);
}
