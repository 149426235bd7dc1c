/* SPDX-License-Identifier: Apache-2.0 */

/* The reader of federations. */

#include "tcr_federations.h"

#include "tcr_document.h"


typedef struct {
    tcr_read_t          rd;
    tcr_federations_t  *out;
    tcr_names_t         names;    /* id -> place in out                      */
} reader_t;


static bool
read_cname(tcr_read_t *rd, const tcr_json_t *node,
    tcr_federation_mapping_t *mapping)
{
    char       *text;
    tcr_str_t   host;

    host = tcr_read_host(rd, TCR_REPORT_LEFT_OUT, tcr_json_get(node, "cname"),
                         "cname", "a host name; this mapping is left out");

    if (host.data == NULL) {
        return false;
    }

    text = tcr_read_alloc(rd, host.len + 1, 1);

    if (text == NULL) {
        return false;
    }

    memcpy(text, host.data, host.len);
    text[host.len] = '.';
    mapping->cname = tcr_str_n(text, host.len + 1);

    return true;
}


static bool
read_ttl(tcr_read_t *rd, const tcr_json_t *node,
    tcr_federation_mapping_t *mapping)
{
    int64_t            ttl;
    const tcr_json_t  *member = tcr_json_get(node, "ttl");

    ttl = tcr_json_long(member, -1);

    /* RFC 2181 8: a TTL is of 31 bits */
    if (ttl < 0 || ttl > INT32_MAX) {
        tcr_read_wrong(rd, TCR_REPORT_LEFT_OUT, member, "ttl",
                       "seconds; this mapping is left out");
        return false;
    }

    mapping->ttl = (uint32_t) ttl;
    return true;
}


/* Good prefixes of a list as text: the table only knows what they cover. */
static void
keep_prefixes(tcr_read_t *rd, const tcr_json_t *list,
    tcr_federation_mapping_t *mapping)
{
    char               text[TCR_ADDR_TEXT];
    tcr_cidr_t         cidr;
    const tcr_json_t  *node;

    for (node = tcr_json_first(list); node != NULL; node = node->next) {

        if (node->type != TCR_JSON_STRING
            || tcr_cidr_parse(node->u.str, &cidr, NULL) != 0)
        {
            continue;
        }

        tcr_addr_format_full(&cidr.addr, text);
        mapping->prefixes[mapping->n_prefixes++] = tcr_str(
            tcr_arena_printf(rd->arena, "%s/%u", text, cidr.len));
    }
}


static size_t
length_of(const tcr_json_t *list)
{
    return tcr_json_is(list, TCR_JSON_ARRAY) ? list->u.list.n : 0;
}


static void
read_prefixes(tcr_read_t *rd, const tcr_json_t *node,
    tcr_federation_mapping_t *mapping)
{
    const tcr_json_t  *v4 = tcr_json_get(node, "resolve4");
    const tcr_json_t  *v6 = tcr_json_get(node, "resolve6");

    tcr_document_prefixes(rd, node, "resolve4", mapping->build);
    tcr_document_prefixes(rd, node, "resolve6", mapping->build);

    mapping->prefixes = tcr_read_alloc(rd, length_of(v4) + length_of(v6),
                                       sizeof(tcr_str_t));

    if (mapping->prefixes != NULL) {
        keep_prefixes(rd, v4, mapping);
        keep_prefixes(rd, v6, mapping);
    }
}


static bool
read_mapping(tcr_read_t *rd, const tcr_json_t *node,
    tcr_federation_mapping_t *mapping)
{
    if (!read_cname(rd, node, mapping) || !read_ttl(rd, node, mapping)) {
        return false;
    }

    mapping->build = tcr_nets_build_create();

    if (mapping->build == NULL) {
        rd->failed = true;
        return false;
    }

    read_prefixes(rd, node, mapping);

    if (tcr_nets_build_finish(mapping->build, &mapping->nets) != 0) {
        rd->failed = true;
    }

    return true;
}


static void
read_mappings(tcr_read_t *rd, const tcr_json_t *list, tcr_federation_t *f)
{
    size_t             i = 0;
    tcr_read_mark_t    mark, item;
    const tcr_json_t  *node;

    f->mappings = tcr_read_alloc(rd, list->u.list.n,
                                 sizeof(tcr_federation_mapping_t));

    if (f->mappings == NULL) {
        return;
    }

    mark = tcr_read_enter(rd, list, TCR_STR("mappings"));

    for (node = tcr_json_first(list); node != NULL && !rd->failed;
         node = node->next)
    {
        item = tcr_read_enter_item(rd, node, i++);
        f->n += read_mapping(rd, node, &f->mappings[f->n]);
        tcr_read_leave(rd, item);
    }

    tcr_read_leave(rd, mark);
}


static void
read_federation(void *ctx, const tcr_json_t *node)
{
    reader_t          *r = ctx;
    uint32_t           place;
    tcr_str_t          id;
    const tcr_json_t  *list = tcr_json_get(node, "mappings");

    if (node->type == TCR_JSON_OBJECT && list == NULL
        && tcr_json_get(node, "deliveryService") == NULL)
    {
        return;
    }

    id = tcr_document_id(&r->rd, node, "deliveryService", "this federation");

    if (id.data == NULL) {
        return;
    }

    if (!tcr_json_is(list, TCR_JSON_ARRAY)) {
        tcr_read_wrong(&r->rd, TCR_REPORT_LEFT_OUT, list, "mappings",
                       "an array; this federation is left out");
        return;
    }

    if (tcr_names_find(&r->names, id, &place)) {
        tcr_read_report(&r->rd, TCR_REPORT_LEFT_OUT, node, "deliveryService",
                        "found \"%.*s\" twice, the first one is used",
                        TCR_STR_ARG(id));
        return;
    }

    tcr_names_add(&r->names, id, (uint32_t) r->out->n);
    r->out->items[r->out->n].service = id;
    read_mappings(&r->rd, list, &r->out->items[r->out->n++]);
}


static void
read_federations(reader_t *r, const tcr_json_t *response)
{
    size_t  n = response->u.list.n;

    n = n < TCR_DOCUMENT_SERVICES ? n : TCR_DOCUMENT_SERVICES;
    r->out->items = tcr_read_alloc(&r->rd, n, sizeof(tcr_federation_t));

    if (r->out->items == NULL
        || tcr_names_init(&r->names, r->rd.arena, n) != 0)
    {
        r->rd.failed = true;
        return;
    }

    tcr_document_items(&r->rd, response, n, read_federation, r);
}


int
tcr_federations_parse(tcr_federations_t *out, tcr_arena_t *arena,
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

    read_federations(&r, response);

    if (tcr_document_end(&r.rd, err) != 0) {
        tcr_federations_free(out);
        return -1;
    }

    return 0;
}


void
tcr_federations_free(tcr_federations_t *federations)
{
    size_t             i, k;
    tcr_federation_t  *f;

    for (i = 0; i < federations->n; i++) {
        f = &federations->items[i];

        for (k = 0; k < f->n; k++) {
            tcr_nets_build_destroy(f->mappings[k].build);
        }
    }

    memset(federations, 0, sizeof(*federations));
}
