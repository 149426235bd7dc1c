/* SPDX-License-Identifier: Apache-2.0 */

/*
 * PowerDNS' remote backend: one JSON object a line in, one out (its
 * documentation, "Remote Backend", API).  Answers leave out what PowerDNS
 * assumes anyway: it parses them more slowly than we write them.
 */

#include "tcb_session.h"


typedef struct {
    tcb_session_t     *s;
    const tcr_json_t  *args;      /* the request's "parameters"              */
} tcb_call_t;


static tcr_str_t
arg(const tcb_call_t *call, const char *name)
{
    const tcr_json_t  *node;

    node = tcr_json_get(call->args, name);

    return tcr_json_is(node, TCR_JSON_STRING)
           || tcr_json_is(node, TCR_JSON_NUMBER)
           ? node->u.str : tcr_str_n("", 0);
}


static void
put(tcb_call_t *call, const char *text)
{
    tcr_buf_str(&call->s->out, tcr_str(text));
}


/* "false" is "no", not a fault: PowerDNS goes on, or asks its next backend. */
static void
answer_false(tcb_session_t *s)
{
    tcr_buf_str(&s->out, TCR_STR("{\"result\":false}"));
}


static void
call_initialize(tcb_call_t *call)
{
    /* true without images as well: they may come while PowerDNS runs */
    put(call, "{\"result\":true}");
}


/*
 * The zone's number is only read off the SOA, scope and authority have
 * defaults.
 */
static void
put_row(tcb_call_t *call, tcr_str_t owner, const tcr_dns_record_t *row,
    uint32_t zone)
{
    char        type[16];
    tcr_buf_t  *out;

    out = &call->s->out;

    put(call, "{\"qtype\":\"");

    if (row->type != TCB_TYPE_ENT) {
        tcr_buf_str(out, tcb_type_name(row->type, type));
    }

    put(call, "\",\"qname\":");
    tcr_buf_json_str(out, owner);
    put(call, ",\"content\":");
    tcr_buf_json_str(out, row->data);
    put(call, ",\"ttl\":");
    tcb_put_uint(out, row->ttl);

    if (row->scope != 0) {
        put(call, ",\"scopeMask\":");
        tcb_put_uint(out, row->scope);
    }

    if (!row->auth) {
        put(call, ",\"auth\":0");
    }

    if (row->type == TCR_TYPE_SOA) {
        put(call, ",\"domain_id\":");
        tcb_put_uint(out, zone);
    }

    tcr_buf_char(out, '}');
}


static void
call_lookup(tcb_call_t *call)
{
    size_t          i;
    tcb_rows_t      rows;
    tcb_question_t  q;

    memset(&q, 0, sizeof(q));
    q.name = arg(call, "qname");
    q.type = tcb_type(arg(call, "qtype"));
    q.zone = tcb_number(arg(call, "zone-id"));
    tcb_clients(&q, arg(call, "remote"), arg(call, "real-remote"));

    if (tcb_session_lookup(call->s, &q, &rows) != 0 || rows.n == 0) {
        answer_false(call->s);
        return;
    }

    put(call, "{\"result\":[");

    for (i = 0; i < rows.n; i++) {

        if (i != 0) {
            tcr_buf_char(&call->s->out, ',');
        }

        put_row(call, q.name, &rows.rows[i], rows.zone);
    }

    put(call, "]}");
}


static void
call_list(tcb_call_t *call)
{
    bool              first;
    tcr_str_t         owner;
    tcb_list_t        list;
    tcr_dns_record_t  row;

    if (tcb_list_begin(call->s->core, arg(call, "zonename"), TCB_ZONE_NONE,
                       &list) != 0)
    {
        answer_false(call->s);
        return;
    }

    put(call, "{\"result\":[");

    for (first = true; tcb_list_next(&list, &owner, &row); first = false) {

        if (!first) {
            tcr_buf_char(&call->s->out, ',');
        }

        put_row(call, owner, &row, list.number);
    }

    tcb_list_end(&list);
    put(call, "]}");
}


static void
put_zone(tcb_call_t *call, tcr_view_t *view, const tcr_img_dns_zone_t *zone)
{
    tcr_str_t  origin;

    origin = tcr_view_str(view, zone->origin);

    put(call, "{\"id\":");
    tcb_put_uint(&call->s->out, tcb_zone_number(origin));
    put(call, ",\"zone\":\"");
    tcb_put_name(&call->s->out, origin);
    put(call, "\",\"kind\":\"native\",\"serial\":");
    tcb_put_uint(&call->s->out, zone->serial);
    tcr_buf_char(&call->s->out, '}');
}


/*
 * PowerDNS forgets the zones that are not in this list, so it is only empty
 * when there have never been images: a view keeps its last good ones.
 */
static void
call_all_domains(tcb_call_t *call)
{
    size_t                     i, n;
    tcr_view_t                *view;
    const tcr_img_dns_zone_t  *zones;

    view = tcb_core_view(call->s->core);
    n = tcr_dns_zones(view, &zones);

    put(call, "{\"result\":[");

    for (i = 0; i < n; i++) {

        if (i != 0) {
            tcr_buf_char(&call->s->out, ',');
        }

        put_zone(call, view, &zones[i]);
    }

    put(call, "]}");
}


/* The zone that parameter "name" names exactly. */
static const tcr_img_dns_zone_t *
named_zone(tcb_call_t *call)
{
    char       buf[TCB_NAME_TEXT];
    tcr_str_t  name;

    name = tcb_name(arg(call, "name"), buf);

    return name.data == NULL ? NULL
           : tcb_zone_exact(tcb_core_view(call->s->core), name);
}


static void
call_domain_info(tcb_call_t *call)
{
    const tcr_img_dns_zone_t  *zone;

    zone = named_zone(call);

    if (zone == NULL) {
        answer_false(call->s);
        return;
    }

    put(call, "{\"result\":");
    put_zone(call, tcb_core_view(call->s->core), zone);
    tcr_buf_char(&call->s->out, '}');
}


/* Zones that are not ours may have some in another backend. */
static void
call_metadata(tcb_call_t *call)
{
    tcr_str_t  value;

    if (named_zone(call) == NULL) {
        answer_false(call->s);
        return;
    }

    value = tcb_core_metadata(call->s->core, arg(call, "name"),
                              arg(call, "kind"));
    put(call, "{\"result\":[");

    if (value.data != NULL) {
        tcr_buf_json_str(&call->s->out, value);
    }

    put(call, "]}");
}


static void
call_all_metadata(tcb_call_t *call)
{
    size_t     i;
    bool       first;
    tcr_str_t  value;

    static const tcr_str_t  kinds[] = {
        { "NSEC3PARAM", 10 }, { "NSEC3NARROW", 11 }
    };

    if (named_zone(call) == NULL) {
        answer_false(call->s);
        return;
    }

    put(call, "{\"result\":{");

    for (i = 0, first = true; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        value = tcb_core_metadata(call->s->core, arg(call, "name"), kinds[i]);

        if (value.data == NULL) {
            continue;
        }

        put(call, first ? "" : ",");
        tcr_buf_json_str(&call->s->out, kinds[i]);
        put(call, ":[");
        tcr_buf_json_str(&call->s->out, value);
        put(call, "]");
        first = false;
    }

    put(call, "}}");
}


/* False without keys: the next backend may have some. */
static void
call_keys(tcb_call_t *call)
{
    size_t            i;
    tcr_buf_t        *out;
    tcb_zone_keys_t   zone;

    if (tcb_core_keys(call->s->core, arg(call, "name"), &zone) != 0
        || zone.n == 0)
    {
        answer_false(call->s);
        return;
    }

    out = &call->s->out;
    put(call, "{\"result\":[");

    for (i = 0; i < zone.n; i++) {
        put(call, i == 0 ? "{\"id\":" : ",{\"id\":");
        tcb_put_uint(out, zone.keys[i].id);
        put(call, ",\"flags\":");
        tcb_put_uint(out, zone.keys[i].flags);
        put(call, zone.keys[i].active ? ",\"active\":true"
                                      : ",\"active\":false");
        put(call, zone.keys[i].published ? ",\"published\":true"
                                         : ",\"published\":false");
        put(call, ",\"content\":");
        tcr_buf_json_str(out, zone.keys[i].content);
        tcr_buf_char(out, '}');
    }

    put(call, "]}");
}


/* A name of a zone as PowerDNS expects it here: without the zone's origin. */
static void
put_relative(tcb_call_t *call, tcr_str_t name, tcr_str_t origin)
{
    tcr_buf_char(&call->s->out, '"');

    if (name.len > origin.len) {
        tcr_buf_add(&call->s->out, name.data, name.len - origin.len - 1);
    }

    put(call, ".\"");
}


static void
put_neighbours(tcb_call_t *call, const tcr_img_dns_zone_t *zone,
    tcr_str_t wanted)
{
    tcr_str_t  name, before, after, origin;

    origin = tcr_view_str(tcb_core_seen(call->s->core), zone->origin);

    if (tcr_str_eq(wanted, TCR_STR("."))) {
        wanted.len = 0;
    }

    name = tcr_str(tcr_arena_printf(call->s->arena, "%.*s%s%.*s",
                                    TCR_STR_ARG(wanted),
                                    wanted.len != 0
                                    && wanted.data[wanted.len - 1] != '.'
                                    ? "." : "", TCR_STR_ARG(origin)));

    if (name.data == NULL
        || tcb_core_neighbours(call->s->core, zone, name, &before,
                               &after) != 0)
    {
        answer_false(call->s);
        return;
    }

    put(call, "{\"result\":{\"unhashed\":");
    put_relative(call, before, origin);
    put(call, ",\"before\":");
    put_relative(call, before, origin);
    put(call, ",\"after\":");
    put_relative(call, after, origin);
    put(call, "}}");
}


static void
put_hashed(tcb_call_t *call, const tcb_hashed_t *hashed)
{
    put(call, "{\"result\":{\"unhashed\":\"");
    tcb_put_name(&call->s->out, hashed->owner);
    put(call, "\",\"before\":\"");
    put(call, hashed->before);
    put(call, ".\",\"after\":\"");
    put(call, hashed->after);
    put(call, ".\"}}");
}


/*
 * In a zone that denies by NSEC3 PowerDNS asks for hashes; for names as well
 * as long as it remembers that the zone did so by NSEC.
 */
static void
call_neighbours(tcb_call_t *call)
{
    tcr_str_t                  wanted = arg(call, "qname");
    tcb_hashed_t               hashed;
    const tcr_img_dns_zone_t  *zone;

    zone = tcb_core_zone(call->s->core, tcb_number(arg(call, "id")));

    if (zone == NULL || wanted.len > 2 * TCB_NAME_TEXT) {
        answer_false(call->s);

    } else if (tcb_core_hashed(call->s->core, zone, wanted, &hashed) == 0) {
        put_hashed(call, &hashed);

    } else {
        put_neighbours(call, zone, wanted);
    }
}


static void
call_command(tcb_call_t *call)
{
    tcr_buf_t  text;

    tcr_buf_init(&text, TCB_LINE);
    tcb_command(call->s->core, arg(call, "query"), &text);

    put(call, "{\"result\":");
    tcr_buf_json_str(&call->s->out, tcr_str_n(text.data ? text.data : "",
                                              text.len));
    tcr_buf_char(&call->s->out, '}');
    tcr_buf_free(&text);
}


static const struct {
    tcr_str_t    name;
    void       (*answer)(tcb_call_t *call);
} methods[] = {
    { { "lookup", 6 },                         call_lookup },
    { { "initialize", 10 },                    call_initialize },
    { { "list", 4 },                           call_list },
    { { "getAllDomains", 13 },                 call_all_domains },
    { { "getDomainInfo", 13 },                 call_domain_info },
    { { "getDomainMetadata", 17 },             call_metadata },
    { { "getAllDomainMetadata", 20 },          call_all_metadata },
    { { "getDomainKeys", 13 },                 call_keys },
    { { "getBeforeAndAfterNamesAbsolute", 30 }, call_neighbours },
    { { "directBackendCmd", 16 },              call_command },
};


int
tcb_remote_answer(tcb_session_t *s, tcr_str_t line)
{
    size_t          i;
    tcr_err_t       err;
    tcr_str_t       name;
    tcb_call_t      call;
    tcr_json_doc_t  doc;

    if (tcr_json_parse(&doc, s->arena, "request", line, &err) != 0) {
        tcr_buf_str(&s->out, TCR_STR("{\"result\":false,\"log\":["));
        tcr_buf_json_str(&s->out, tcr_str(err.text));
        tcr_buf_str(&s->out, TCR_STR("]}\n"));
        return 0;
    }

    call.s = s;
    call.args = tcr_json_get(doc.root, "parameters");
    name = tcr_json_str(tcr_json_get(doc.root, "method"), TCR_STR(""));

    for (i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {

        if (tcr_str_eq(name, methods[i].name)) {
            methods[i].answer(&call);
            break;
        }
    }

    if (i == sizeof(methods) / sizeof(methods[0])) {
        answer_false(s);
    }

    tcr_buf_char(&s->out, '\n');
    return 0;
}
