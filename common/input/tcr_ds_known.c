/* SPDX-License-Identifier: Apache-2.0 */

/* The reader of what was found at the parents. */

#include "tcr_ds_known.h"

#include "tcr_document.h"

#define KNOWN_MAX  100000
#define TIME_MAX   ((int64_t) 1 << 48)


static bool
read_entry(tcr_read_t *rd, const tcr_json_t *node, tcr_ds_known_entry_t *out)
{
    const tcr_json_t  *ds, *since;

    ds = tcr_json_get(node, "ds");
    since = tcr_json_get(node, "since");

    out->zone = tcr_read_host(rd, TCR_REPORT_LEFT_OUT,
                              tcr_json_get(node, "zone"), "zone",
                              "a zone's name; this entry is left out");
    out->ds = tcr_json_str(ds, TCR_STR(""));
    out->since = tcr_json_long(since, 0);

    if (out->zone.data == NULL) {
        return false;
    }

    if (out->ds.len == 0) {
        tcr_read_wrong(rd, TCR_REPORT_LEFT_OUT, ds, "ds", "the text of a DS; "
                       "this entry is left out");
        return false;
    }

    if (out->since <= 0 || out->since > TIME_MAX) {
        tcr_read_wrong(rd, TCR_REPORT_LEFT_OUT, since, "since", "seconds since "
                       "1970; this entry is left out");
        return false;
    }

    return true;
}


int
tcr_ds_known_parse(tcr_ds_known_t *out, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, tcr_report_t *report, tcr_err_t *err)
{
    size_t             i, n;
    tcr_read_t         rd;
    tcr_read_mark_t    mark, item;
    const tcr_json_t  *list, *node;

    memset(out, 0, sizeof(*out));
    tcr_document_start(&rd, arena, doc, report);
    list = tcr_document_member(&rd, "known", TCR_JSON_ARRAY, err);

    if (list == NULL) {
        return -1;
    }

    n = list->u.list.n < KNOWN_MAX ? list->u.list.n : KNOWN_MAX;
    out->items = tcr_read_alloc(&rd, n, sizeof(*out->items));
    mark = tcr_read_enter(&rd, list, TCR_STR("known"));

    for (node = tcr_json_first(list), i = 0; i < n && !rd.failed;
         node = node->next, i++)
    {
        item = tcr_read_enter_item(&rd, node, i);
        out->n += read_entry(&rd, node, &out->items[out->n]);
        tcr_read_leave(&rd, item);
    }

    tcr_read_leave(&rd, mark);
    return tcr_document_end(&rd, err);
}


const tcr_ds_known_entry_t *
tcr_ds_known_find(const tcr_ds_known_t *known, tcr_str_t zone, tcr_str_t ds)
{
    size_t  i;

    for (i = 0; known != NULL && i < known->n; i++) {

        if (tcr_str_eq(known->items[i].zone, zone)
            && tcr_str_ieq(known->items[i].ds, ds))
        {
            return &known->items[i];
        }
    }

    return NULL;
}
